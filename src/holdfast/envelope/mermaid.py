"""Mermaid: any workflow as a flow chart, for documents, reviews and pull requests.

The text depends on the workflow alone and is stable: the same workflow gives the same picture. Slots and
bodies are drawn as frames, return edges dotted, and every label is quoted so that no name can break out of
the drawing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from holdfast.envelope.compiled import ENVELOPE, CompiledEdge, CompiledNode, CompiledWorkflow

__all__ = ["to_mermaid"]

_SHAPES: Final[Mapping[str, tuple[str, str]]] = {
    "start": ("([", "])"),
    "end": ("([", "])"),
    "state": ("(", ")"),
    "lifecycle_gate": ("{{", "}}"),
    "policy_gate": ("{{", "}}"),
    "condition": ("{", "}"),
    "rule": ("{", "}"),
    "parallel_split": ("[/", "\\]"),
    "parallel_join": ("[\\", "/]"),
    "wait_timer": ("((", "))"),
    "wait_event": ("((", "))"),
    "attachment": ("((", "))"),
    "for_each": ("[[", "]]"),
}
_BOX: Final = ("[", "]")


def to_mermaid(compiled: CompiledWorkflow, *, direction: str = "TD") -> str:
    """The workflow as the text of a Mermaid flow chart. `direction` is TD, LR, BT or RL."""
    if direction not in ("TD", "LR", "BT", "RL"):
        raise ValueError(f"{direction!r} is not one of TD, LR, BT, RL")
    names = {node_id: f"n{index}" for index, node_id in enumerate(compiled.topological_order)}
    lines = [f"flowchart {direction}"]
    lines += [f"  {_node(names[node.id], node)}" for node in _members(compiled, ENVELOPE, None)]
    for slot_id in sorted({node.provenance for node in compiled.nodes_by_id.values()} - {ENVELOPE}):
        lines += _frame(compiled, names, slot_id, None, slot_id, 1)
    for edge_id in compiled.edges_by_id:
        edge = compiled.edges_by_id[edge_id]
        lines.append(f"  {names[edge.source]} {_arrow(edge)} {names[edge.target]}")
    lines += [f"  {names[node]} -.->|each item| {names[body.entry]}" for node, body in compiled.bodies.items()]
    lines.append("  classDef system fill:#eef2f7,stroke:#64748b,color:#0f172a")
    skeleton = [names[node.id] for node in _members(compiled, ENVELOPE, None)]
    lines.append(f"  class {','.join(skeleton)} system")
    return "\n".join(lines) + "\n"


def _members(compiled: CompiledWorkflow, provenance: str, parent: str | None) -> Iterator[CompiledNode]:
    for node_id in compiled.topological_order:
        node = compiled.nodes_by_id[node_id]
        if node.provenance == provenance and node.parent == parent:
            yield node


def _frame(
    compiled: CompiledWorkflow, names: Mapping[str, str], slot: str, parent: str | None, title: str, depth: int
) -> list[str]:
    indent = "  " * depth
    label = _quoted(f"{title} · {compiled.slots[slot].edit_window}" if parent is None else f"each item of {title}")
    members = list(_members(compiled, slot, parent))
    lines = [f"{indent}subgraph g{names[members[0].id]}[{label}]"]
    for node in members:
        lines.append(f"{indent}  {_node(names[node.id], node)}")
        if node.id in compiled.bodies:
            lines += _frame(compiled, names, slot, node.id, node.name, depth + 1)
    lines.append(f"{indent}end")
    return lines


def _node(name: str, node: CompiledNode) -> str:
    opening, closing = _SHAPES.get(node.type, _BOX)
    plain = node.type in ("start", "end", "state", "attachment", "lifecycle_gate")
    text = node.name if plain else f"{node.name}<br/>{node.type}"
    return f"{name}{opening}{_quoted(text)}{closing}"


def _arrow(edge: CompiledEdge) -> str:
    text = edge.label or " · ".join(each for each in (edge.outcome, edge.condition) if each)
    line = "-.->" if edge.returns or edge.interrupts else "-->"
    return f"{line}|{_quoted(text)}|" if text else line


def _quoted(text: str) -> str:
    """A label that Mermaid shows as it is: markup characters become entities, `<br/>` stays a line break."""
    safe = "<br/>".join(_escaped(part) for part in text.split("<br/>"))
    return f'"{safe}"'


def _escaped(text: str) -> str:
    out = []
    for character in " ".join(text.split()):
        plain = character.isalnum() or character in " .,:;_-+*/=!?·→'()[]$%"
        out.append(character if plain else f"#{ord(character)};")
    return "".join(out)
