"""Integrity: the skeleton goes in unaltered and comes out whole (WF-08).

Before the merge the skeleton's own hash and shape are checked. After it, every node of the skeleton must be
there as it was, every edge too unless a patch stands in its place, and whatever came before something else
must still come before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from holdfast.envelope.compiled import ENVELOPE, CompiledEdge, CompiledNode, GateIntegrity
from holdfast.envelope.compiler.building import attaching_edges, skeleton_edge, skeleton_node
from holdfast.envelope.compiler.graph import reachable, topological_order
from holdfast.envelope.ids import END, START
from holdfast.envelope.parts.registry import NodeTypes
from holdfast.envelope.problems import Path, Problems
from holdfast.envelope.skeleton import Skeleton
from holdfast.envelope.windows import EditWindow

__all__ = ["check_effective", "check_skeleton", "skeleton_order"]


def check_skeleton(skeleton: Skeleton, types: NodeTypes, problems: Problems) -> None:
    """Refuse a skeleton that is not the one its hash stands for, or that could not run."""
    path = Path("skeleton")
    if skeleton.hash != skeleton.computed_hash():
        message = "the skeleton was altered after it was generated"
        problems.add("integrity.altered", path, message, "Generate it again from its contract")
    nodes = {node.id: node for node in skeleton.nodes}
    for index, node in enumerate(skeleton.nodes):
        kind = types.get(node.type)
        here = path.field("nodes").index(index)
        if not node.id.startswith("sys:") or kind is None or kind.placement != "skeleton":
            problems.add("integrity.altered", here, f"{node.id!r} of type {node.type!r} is no node of a skeleton")
            continue
        try:
            kind.config.model_validate(node.config)
        except ValidationError as error:
            problems.add("integrity.altered", here.field("config"), error.errors()[0]["msg"])
    missing = [end for end in (START, END) if end not in nodes]
    for edge in skeleton.edges:
        missing += [end for end in (edge.source, edge.target) if end not in nodes]
    edges = {edge.id: edge for edge in skeleton.edges}
    for slot in skeleton.slots:
        way = edges.get(slot.edge_id)
        if way is None or (way.source, way.target) != (slot.entry_node_id, slot.exit_node_id):
            problems.add("integrity.missing", path, f"the way of {slot.slot_id} is missing from the skeleton")
    for node_id in dict.fromkeys(missing):
        problems.add("integrity.missing", path, f"the skeleton has no node {node_id!r}")
    if not missing:
        _check_connected(skeleton, path, problems)


def skeleton_order(skeleton: Skeleton) -> list[str]:
    """The skeleton's nodes in topological order of its forward edges; those on a circle are left out."""
    return topological_order([node.id for node in skeleton.nodes], _onward(skeleton))[0]


def _onward(skeleton: Skeleton) -> dict[str, list[str]]:
    onward: dict[str, list[str]] = {node.id: [] for node in skeleton.nodes}
    for edge in skeleton.edges:
        if not edge.returns:
            onward[edge.source].append(edge.target)
    return onward


def _check_connected(skeleton: Skeleton, path: Path, problems: Problems) -> None:
    onward = _onward(skeleton)
    order, circle = topological_order(onward, onward)
    if circle:
        problems.add("integrity.order", path, f"the skeleton leads in a circle through {min(circle)!r}")
    reached = reachable([START], onward)
    for node_id in sorted(onward.keys() - reached):
        problems.add("integrity.order", path, f"nothing leads to {node_id!r}")
    if order and END not in reached:
        problems.add("integrity.order", path, "nothing leads to the end")


def check_effective(
    skeleton: Skeleton,
    nodes: Mapping[str, CompiledNode],
    edges: Mapping[str, CompiledEdge],
    windows: Mapping[str, EditWindow],
    order: Sequence[str],
    types: NodeTypes,
    problems: Problems,
) -> GateIntegrity:
    """The proof that the effective workflow still contains the skeleton. Problems are noted where it does
    not.
    """
    path = Path("effective")
    position = {node_id: index for index, node_id in enumerate(order)}
    for node in skeleton.nodes:
        found = nodes.get(node.id)
        if found is None or node.id not in position:
            problems.add("integrity.missing", path, f"{node.id!r} is missing")
        elif found != skeleton_node(node, types) or windows.get(node.id) != node.edit_window:
            problems.add("integrity.altered", path, f"{node.id!r} differs from the skeleton's")
    own = {node.id for node in skeleton.nodes}
    for found in nodes.values():
        if found.provenance == ENVELOPE and found.id not in own:
            problems.add("integrity.altered", path, f"{found.id!r} is not of the skeleton")
    _check_edges(skeleton, edges, path, problems)
    for edge in skeleton.edges:
        if not edge.returns and position.get(edge.source, -1) >= position.get(edge.target, len(order)):
            problems.add("integrity.order", path, f"{edge.target!r} no longer comes after {edge.source!r}")
    required = skeleton_order(skeleton)
    gates = set(required)
    present = [node_id for node_id in order if node_id in gates]
    return GateIntegrity(tuple(required), tuple(present), valid=not problems.has_errors())


def _check_edges(skeleton: Skeleton, edges: Mapping[str, CompiledEdge], path: Path, problems: Problems) -> None:
    slot_of_edge = {slot.edge_id: slot for slot in skeleton.slots}
    own = {edge.id for edge in skeleton.edges}
    for edge in skeleton.edges:
        found = edges.get(edge.id)
        slot = slot_of_edge.get(edge.id)
        if found is not None:
            if found != skeleton_edge(edge):
                problems.add("integrity.altered", path, f"the edge {edge.id!r} differs from the skeleton's")
        elif slot is None or any(edges.get(each.id) != each for each in attaching_edges(slot, edge)):
            problems.add("integrity.missing", path, f"the edge {edge.id!r} is missing and nothing replaces it")
    for found in edges.values():
        if found.provenance == ENVELOPE and found.id not in own:
            problems.add("integrity.altered", path, f"the edge {found.id!r} is not of the skeleton")
