"""Verification: is this compiled workflow what it says it is? Answered offline, from the value alone (WF-07).

The hash is recomputed over everything else. But whoever can change a workflow can also compute a new hash, so what a
compile promises is proved again: what follows from other parts does follow, every node and edge lies inside its slot
(WF-06), no window is looser than its slot's, every join fits its split. With the skeleton, every gate is as it was,
with its roles (WF-08). The answer names what was changed, not only that something was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from holdfast.envelope.compiled import (
    CURRENT_COMPILER_VERSION,
    ENVELOPE,
    CompiledEdge,
    CompiledWorkflow,
    JoinRequirement,
    outcome_named,
)
from holdfast.envelope.compiler.building import compiled_node
from holdfast.envelope.compiler.derived import adjacency_of, interrupts_of, stable_nodes
from holdfast.envelope.compiler.graph import forward_ways, topological_order
from holdfast.envelope.compiler.integrity import check_effective
from holdfast.envelope.expressions import parse
from holdfast.envelope.ids import END, START, Namespace, edge_id, slot_namespace
from holdfast.envelope.parts.graph import RunAs
from holdfast.envelope.parts.people import CHANNELS
from holdfast.envelope.parts.registry import STANDARD, NodeTypes
from holdfast.envelope.problems import Problems
from holdfast.envelope.skeleton import Skeleton
from holdfast.envelope.windows import EDIT_WINDOWS, is_looser
from holdfast.errors import CanonicalError, ExpressionError

__all__ = ["Verification", "verify"]


@dataclass(frozen=True, slots=True)
class Verification:
    """The answer. `current` is about the compiler's version, which a true hash says nothing of."""

    hash: str
    computed_hash: str
    differences: tuple[str, ...]
    """What does not follow from the rest, or not from the skeleton: one sentence each."""
    current: bool

    @property
    def genuine(self) -> bool:
        """Whether nothing was changed since the compile."""
        return self.hash == self.computed_hash and not self.differences

    @property
    def ok(self) -> bool:
        """Whether the engine may run it."""
        return self.genuine and self.current

    def to_json(self) -> dict[str, Any]:
        """The answer as JSON values."""
        return {
            "ok": self.ok,
            "genuine": self.genuine,
            "current": self.current,
            "hash": self.hash,
            "computed_hash": self.computed_hash,
            "differences": list(self.differences),
        }


def verify(
    compiled: CompiledWorkflow, skeleton: Skeleton | None = None, *, types: NodeTypes = STANDARD
) -> Verification:
    """Check a compiled workflow by itself and, when it is given, against its skeleton.

    `types` are those it was compiled with; nodes of other types are taken as they are.
    """
    current = compiled.compiler_version == CURRENT_COMPILER_VERSION
    try:
        computed = compiled.computed_hash()
    except CanonicalError as error:
        return Verification(compiled.hash, "", (str(error),), current=False)
    try:
        differences = _broken_references(compiled)
        # What another version of the compiler promised is not known here; its hash is.
        if current and not differences:
            types = _with_its_channels(compiled, types)
            differences = [*_derived(compiled), *_nodes(compiled, types), *_edges(compiled)]
            differences += [*_scopes(compiled), *_joins(compiled)]
            if skeleton is not None:
                differences += _against_skeleton(compiled, skeleton, types)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        differences = [f"a value is of the wrong kind: {error}"]
    if compiled.hash != computed and not differences:
        differences.append("the content is consistent in itself but is not the content that was hashed")
    return Verification(compiled.hash, computed, tuple(differences), current)


def _broken_references(compiled: CompiledWorkflow) -> list[str]:
    """Names of nodes and edges that do not exist. Nothing else can be said while there are any."""
    nodes, edges = compiled.nodes_by_id, compiled.edges_by_id
    differences = [f"the node {key!r} is filed under another id" for key, node in nodes.items() if node.id != key]
    differences += [f"the edge {key!r} is filed under another id" for key, edge in edges.items() if edge.id != key]
    named = [(edge.id, end) for edge in edges.values() for end in (edge.source, edge.target)]
    named += [(owner, each) for owner, body in compiled.bodies.items() for each in (owner, body.entry, body.exit)]
    named += [(slot.id, end) for slot in compiled.slots.values() for end in (slot.entry, slot.exit)]
    named += [("the workflow", end) for end in (compiled.start, compiled.end)]
    return differences + sorted(
        f"{what!r} leads to or from {node!r}, a node that does not exist" for what, node in named if node not in nodes
    )


def _derived(compiled: CompiledWorkflow) -> Iterator[str]:
    """What is kept to be looked up, and must follow from the nodes, edges and slots."""
    nodes, edges = compiled.nodes_by_id, compiled.edges_by_id
    adjacency, reverse = adjacency_of(nodes, edges.values())
    order, circle = topological_order(nodes, forward_ways(nodes, edges.values(), compiled.bodies))
    owners = {key: node.provenance for key, node in nodes.items()}
    skeleton = {key for key, owner in owners.items() if owner == ENVELOPE}
    integrity = compiled.system_gate_integrity
    expected: dict[str, tuple[Any, Any]] = {
        "adjacency": (dict(compiled.adjacency), adjacency),
        "reverse_adjacency": (dict(compiled.reverse_adjacency), reverse),
        "topological_order": (compiled.topological_order, tuple(order)),
        "slot_map": (dict(compiled.slot_map), owners),
        "edit_windows": (set(compiled.edit_windows), set(nodes)),
        "stable_region_nodes": (
            compiled.stable_region_nodes,
            stable_nodes(compiled.slots.values(), owners, compiled.edit_windows),
        ),
        "interrupts": (dict(compiled.interrupts), interrupts_of(edges.values())),
        "system_gate_integrity": (
            (set(integrity.required_gates), integrity.present_gates, integrity.valid),
            (skeleton, tuple(node_id for node_id in order if node_id in skeleton), True),
        ),
        "start": (compiled.start, START),
        "end": (compiled.end, END),
    }
    yield from (f"{name} does not follow from the nodes and edges" for name, (a, b) in expected.items() if a != b)
    if circle:
        yield f"the forward edges lead in a circle through {min(circle)!r}"


def _with_its_channels(compiled: CompiledWorkflow, types: NodeTypes) -> NodeTypes:
    """The types with every channel that it names: which ones there are is the application's, and other code may run."""
    named = {node.config.get("channel") for node in compiled.nodes_by_id.values() if node.type == "notification"}
    own = {each for each in named if isinstance(each, str)} - set(CHANNELS)
    return types.with_channels(*own) if own else types


def _nodes(compiled: CompiledWorkflow, types: NodeTypes) -> Iterator[str]:
    """What a node can give, and whether it waits, follows from its type and configuration."""
    for node in compiled.nodes_by_id.values():
        kind = types.get(node.type)
        if compiled.edit_windows.get(node.id) not in EDIT_WINDOWS:
            yield f"{node.id!r} has no edit window"
        if node.run_as not in get_args(RunAs) or not isinstance(node.name, str):
            yield f"{node.id!r} runs as nobody known, or has no name"
        if (node.type == "attachment") != _is_attachment(node.id) or not isinstance(node.type, str):
            yield f"{node.id!r} is of the type {node.type!r}, which does not belong there"
            continue
        if kind is None:
            continue
        placement = "skeleton" if node.provenance == ENVELOPE else "slot"
        if kind.placement not in (placement, "compiler"):
            yield f"{node.id!r} is of the type {node.type!r}, which does not belong there"
        elif (node.type == "for_each") != (node.id in compiled.bodies):
            yield f"{node.id!r} has no body, or one that does not belong there"
        else:
            body: dict[str, Any] = {"body": {}} if node.type == "for_each" else {}
            config = kind.config.model_validate({**node.config, **body})
            given = (node.id, node.type, node.name)
            built = compiled_node(*given, config, node.provenance, node.parent, run_as=node.run_as, branch=kind.branch)
            if built != node:
                yield f"{node.id!r} does not follow from its configuration"


def _is_attachment(node_id: str) -> bool:
    return node_id.startswith("sys:slot:") or node_id.endswith(("/in", "/out"))


def _edges(compiled: CompiledWorkflow) -> Iterator[str]:
    """An edge waits for an outcome that its source gives, and its condition can be read."""
    for edge in compiled.edges_by_id.values():
        texts = all(each is None or isinstance(each, str) for each in (edge.outcome, edge.condition, edge.label))
        plain = type(edge.priority) is int and type(edge.returns) is bool and type(edge.interrupts) is bool
        if not texts or not plain:
            yield f"the edge {edge.id!r} holds a value of the wrong kind"
            continue
        outcomes = compiled.nodes_by_id[edge.source].outcomes
        if edge.outcome is not None and outcome_named(edge.outcome) not in outcomes and not edge.interrupts:
            yield f"the edge {edge.id!r} waits for an outcome that {edge.source!r} never gives"
        if edge.condition is not None:
            try:
                parse(edge.condition)
            except ExpressionError:
                yield f"the condition of the edge {edge.id!r} cannot be read"


def _scopes(compiled: CompiledWorkflow) -> Iterator[str]:
    """Every node and edge of a slot lies inside it, and no window is looser than what is around it (WF-06)."""
    for slot in compiled.slots.values():
        if is_looser(slot.edit_window, slot.default_edit_window):
            yield f"the window of {slot.id!r} is looser than the skeleton's"
    for node in compiled.nodes_by_id.values():
        if node.provenance == ENVELOPE:
            if node.parent is not None or not node.id.startswith("sys:"):
                yield f"{node.id!r} is no node of a skeleton"
            continue
        slot = compiled.slots[node.provenance]
        names = _space(node.provenance, node.parent)
        if not (names.owns_node(node.id) or node.id in (names.entry, names.exit)) or not slot.filled:
            yield f"{node.id!r} lies outside of {node.provenance!r}"
        around = slot.edit_window if node.parent is None else compiled.edit_windows[node.parent]
        if is_looser(compiled.edit_windows[node.id], around):
            yield f"the window at {node.id!r} is looser than what is around it"
    for edge in compiled.edges_by_id.values():
        if edge.provenance != ENVELOPE and not _inside(compiled, edge):
            yield f"the edge {edge.id!r} leads out of {edge.provenance!r}"


def _space(slot_id: str, parent: str | None) -> Namespace:
    names = slot_namespace(slot_id)
    return names if parent is None else names.body(parent)


def _inside(compiled: CompiledWorkflow, edge: CompiledEdge) -> bool:
    """Whether an edge of a slot stays in one region of it, or is one of the two that attach the slot."""
    slot = compiled.slots[edge.provenance]
    source, target = compiled.nodes_by_id[edge.source], compiled.nodes_by_id[edge.target]
    names = slot_namespace(slot.id)
    if edge.interrupts:
        return False
    if (edge.source, edge.target) == (slot.entry, names.entry):
        return edge.id == edge_id(slot.entry, names.entry, edge.outcome) and edge.condition is None
    if (edge.source, edge.target) == (names.exit, slot.exit):
        return edge.id == edge_id(names.exit, slot.exit) and edge.outcome is None and edge.condition is None
    names = _space(slot.id, source.parent)
    return (
        source.provenance == target.provenance == slot.id
        and source.parent == target.parent
        and edge.source != names.exit
        and edge.target != names.entry
        and names.owns_edge(edge.id)
    )


def _joins(compiled: CompiledWorkflow) -> Iterator[str]:
    nodes = compiled.nodes_by_id
    ends = {node.id for node in nodes.values() if node.type == "parallel_join"}
    splits = {node.id for node in nodes.values() if node.type == "parallel_split"}
    if ends != set(compiled.join_requirements) or splits != {
        each.split for each in compiled.join_requirements.values()
    }:
        yield "join_requirements does not follow from the nodes and edges"
        return
    for join, requirement in compiled.join_requirements.items():
        branches = [edge for edge in compiled.outgoing(requirement.split) if not edge.returns]
        mode = nodes[join].config["mode"]
        counts = {"all": len(branches), "any": 1, "n_of_m": nodes[join].config["n"]}
        expected = JoinRequirement(
            mode=mode,
            required_token_count=counts[mode],
            split=requirement.split,
            branches=tuple(edge.id for edge in branches),
            guarded=any(edge.condition is not None for edge in branches),
        )
        if requirement != expected:
            yield f"what the join {join!r} waits for does not follow from its split"


def _against_skeleton(compiled: CompiledWorkflow, skeleton: Skeleton, types: NodeTypes) -> list[str]:
    differences = []
    if compiled.envelope_hash != skeleton.hash or skeleton.hash != skeleton.computed_hash():
        differences.append("envelope_hash is not the hash of the skeleton")
    if (compiled.entity_type, compiled.envelope_version) != (skeleton.entity_type, skeleton.version):
        differences.append("entity_type and envelope_version are not the skeleton's")
    slots = {
        each.slot_id: (
            each.entry_node_id,
            each.exit_node_id,
            each.edge_id,
            each.default_edit_window,
            each.stable_region,
        )
        for each in skeleton.slots
    }
    found = {
        key: (slot.entry, slot.exit, slot.edge, slot.default_edit_window, slot.stable_region)
        for key, slot in compiled.slots.items()
        if slot.id == key and slot.filled is (slot.edge not in compiled.edges_by_id)
    }
    if slots != found:
        differences.append("the slots are not the skeleton's")
    problems = Problems()
    windows: Mapping[str, Any] = compiled.edit_windows
    order = compiled.topological_order
    check_effective(skeleton, compiled.nodes_by_id, compiled.edges_by_id, windows, order, types, problems)
    return differences + [problem.message for problem in problems.sorted()]
