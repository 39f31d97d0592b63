"""The diff: what an organisation changed, slot by slot, with where each part comes from.

Two compiled workflows are compared, or one with its bare skeleton. The result is a value with a JSON form for
the console and a text form for people. Equal workflows give an empty diff, and the diff of two workflows read
backwards is the diff of the two exchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from holdfast.envelope.compiled import ENVELOPE, CompiledEdge, CompiledNode, CompiledWorkflow
from holdfast.envelope.compiler import compile_effective
from holdfast.envelope.parts.registry import STANDARD, NodeTypes
from holdfast.envelope.skeleton import Skeleton
from holdfast.errors import InvalidInput
from holdfast.kernel.json import canonical_json

__all__ = ["ChangeKind", "GraphChange", "SlotDiff", "WorkflowDiff", "diff_from_skeleton", "diff_workflows"]

ChangeKind = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a part: its path inside the part, and the values before and after."""

    path: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class GraphChange:
    """One node, edge, window or setting that differs. `provenance` is `envelope` or the slot that contributes
    it.
    """

    kind: ChangeKind
    what: Literal["node", "edge", "window", "join", "setting"]
    id: str
    provenance: str
    summary: str
    fields: tuple[FieldChange, ...] = ()


@dataclass(frozen=True, slots=True)
class SlotDiff:
    """The changes of one slot, or of the skeleton itself under the name `envelope`."""

    slot: str
    changes: tuple[GraphChange, ...]


@dataclass(frozen=True, slots=True)
class WorkflowDiff:
    """Everything that differs between two workflows."""

    before: str
    """The hash of the one."""
    after: str
    """The hash of the other."""
    slots: tuple[SlotDiff, ...]

    def __bool__(self) -> bool:
        return bool(self.slots)

    @property
    def changes(self) -> tuple[GraphChange, ...]:
        """All changes, slot by slot."""
        return tuple(change for slot in self.slots for change in slot.changes)

    def to_json(self) -> dict[str, Any]:
        """The diff as JSON values."""
        return {"before": self.before, "after": self.after, "slots": [_plain(slot) for slot in self.slots]}

    def to_text(self) -> str:
        """The diff for people: `+` added, `-` removed, `~` changed."""
        if not self.slots:
            return "No changes.\n"
        lines: list[str] = []
        for slot in self.slots:
            lines.append("The skeleton" if slot.slot == ENVELOPE else slot.slot)
            for change in slot.changes:
                lines.append(f"  {_SIGNS[change.kind]} {change.what} {change.summary}")
                lines += [f"      {each.path}: {_show(each.before)} → {_show(each.after)}" for each in change.fields]
        return "\n".join(lines) + "\n"


_SIGNS: Mapping[ChangeKind, str] = {"added": "+", "removed": "-", "changed": "~"}


def diff_from_skeleton(compiled: CompiledWorkflow, skeleton: Skeleton, *, types: NodeTypes = STANDARD) -> WorkflowDiff:
    """What the organisation changed: the workflow against its skeleton with every slot empty."""
    if compiled.envelope_hash != skeleton.hash:
        raise InvalidInput(
            "the workflow was compiled from another skeleton",
            hint=f"Give version {compiled.envelope_version} of the skeleton of {compiled.entity_type}",
        )
    return diff_workflows(compile_effective(skeleton, {}, types=types), compiled)


def diff_workflows(before: CompiledWorkflow, after: CompiledWorkflow) -> WorkflowDiff:
    """What turns one workflow into the other."""
    changes = [
        *_node_changes(before, after),
        *_edge_changes(before, after),
        *_window_changes(before, after),
        *_join_changes(before, after),
        *_setting_changes(before, after),
    ]
    slots: dict[str, list[GraphChange]] = {}
    for change in changes:
        slots.setdefault(_group(change, before, after), []).append(change)
    ordered = sorted(slots, key=lambda slot: (slot != ENVELOPE, slot))
    return WorkflowDiff(before.hash, after.hash, tuple(SlotDiff(slot, tuple(slots[slot])) for slot in ordered))


def _group(change: GraphChange, before: CompiledWorkflow, after: CompiledWorkflow) -> str:
    """The slot a change belongs to. A skeleton's edge that a patch replaced is told with that patch."""
    if change.provenance == ENVELOPE and change.what == "edge":
        for workflow in (after, before):
            for slot in workflow.slots.values():
                if slot.edge == change.id and slot.filled:
                    return slot.id
    return change.provenance


def _node_changes(before: CompiledWorkflow, after: CompiledWorkflow) -> Iterable[GraphChange]:
    for node_id in sorted(before.nodes_by_id.keys() | after.nodes_by_id.keys()):
        old, new = before.nodes_by_id.get(node_id), after.nodes_by_id.get(node_id)
        if old == new:
            continue
        present, workflow = (new, after) if new is not None else (old, before)
        assert present is not None
        yield _change("node", node_id, old, new, present.provenance, _node_text(present, workflow))


def _edge_changes(before: CompiledWorkflow, after: CompiledWorkflow) -> Iterable[GraphChange]:
    for edge_id in sorted(before.edges_by_id.keys() | after.edges_by_id.keys()):
        old, new = before.edges_by_id.get(edge_id), after.edges_by_id.get(edge_id)
        if old == new:
            continue
        present = new or old
        assert present is not None
        yield _change("edge", edge_id, old, new, present.provenance, _edge_text(present))


def _window_changes(before: CompiledWorkflow, after: CompiledWorkflow) -> Iterable[GraphChange]:
    """Windows of slots and of nodes that both have. The window of an added node is part of its slot's."""
    for slot_id in sorted(before.slots.keys() & after.slots.keys()):
        old, new = before.slots[slot_id].edit_window, after.slots[slot_id].edit_window
        if old != new:
            changed = (FieldChange("edit_window", old, new),)
            yield GraphChange("changed", "window", slot_id, slot_id, f"of {slot_id}", changed)
    for node_id in sorted(before.nodes_by_id.keys() & after.nodes_by_id.keys()):
        old, new = before.edit_windows[node_id], after.edit_windows[node_id]
        if old != new:
            changed = (FieldChange("edit_window", old, new),)
            provenance = after.nodes_by_id[node_id].provenance
            yield GraphChange("changed", "window", node_id, provenance, f"at {node_id}", changed)


def _join_changes(before: CompiledWorkflow, after: CompiledWorkflow) -> Iterable[GraphChange]:
    """What a join waits for may change with the branches of its split, though the join itself is the same."""
    for node_id in sorted(before.join_requirements.keys() & after.join_requirements.keys()):
        old, new = before.join_requirements[node_id], after.join_requirements[node_id]
        if old != new:
            provenance = after.nodes_by_id[node_id].provenance
            changed = tuple(_field_changes("", _plain(old), _plain(new)))
            yield GraphChange("changed", "join", node_id, provenance, node_id, changed)


def _setting_changes(before: CompiledWorkflow, after: CompiledWorkflow) -> Iterable[GraphChange]:
    """What belongs to the workflow as a whole: its type, versions, and the slots its skeleton has."""
    for name in ("entity_type", "envelope_version", "envelope_hash", "compiler_version"):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            changed = (FieldChange(name, old, new),)
            yield GraphChange("changed", "setting", name, ENVELOPE, name, changed)
    for slot_id in sorted(before.slots.keys() | after.slots.keys()):
        was, now = _slot_facts(before, slot_id), _slot_facts(after, slot_id)
        if was != now:
            yield _change("setting", slot_id, was, now, ENVELOPE, f"slot {slot_id}")


def _slot_facts(workflow: CompiledWorkflow, slot_id: str) -> dict[str, Any] | None:
    """What the skeleton says of a slot, apart from whether and how it is filled."""
    slot = workflow.slots.get(slot_id)
    return (
        None
        if slot is None
        else {name: value for name, value in _plain(slot).items() if name not in ("edit_window", "filled")}
    )


def _change(
    what: Literal["node", "edge", "setting"], part_id: str, old: Any, new: Any, provenance: str, summary: str
) -> GraphChange:
    if old is None:
        return GraphChange("added", what, part_id, provenance, summary)
    if new is None:
        return GraphChange("removed", what, part_id, provenance, summary)
    return GraphChange(
        "changed", what, part_id, provenance, summary, tuple(_field_changes("", _plain(old), _plain(new)))
    )


def _field_changes(path: str, old: Any, new: Any) -> Iterable[FieldChange]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in sorted(old.keys() | new.keys()):
            here = f"{path}.{key}" if path else str(key)
            yield from _field_changes(here, old.get(key), new.get(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _field_changes(f"{path}[{index}]", one, other)
    elif old != new:
        yield FieldChange(path, old, new)


def _node_text(node: CompiledNode, workflow: CompiledWorkflow) -> str:
    text = f"{node.id} ({node.type}) {node.name!r}"
    slot = workflow.slots.get(node.provenance)
    window = workflow.edit_windows[node.id]
    return text if slot is None or window == slot.edit_window else f"{text}, {window}"


def _edge_text(edge: CompiledEdge) -> str:
    guards = [f"on {edge.outcome}" if edge.outcome else "", f"if {edge.condition}" if edge.condition else ""]
    guard = " ".join(each for each in guards if each)
    back = " back" if edge.returns else ""
    return f"{edge.source} → {edge.target}{back}" + (f" {guard}" if guard else "")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    return value


def _show(value: Any) -> str:
    text = canonical_json(value).decode()
    return text if len(text) <= 80 else f"{text[:77]}…"
