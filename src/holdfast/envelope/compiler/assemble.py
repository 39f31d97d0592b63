"""Assembly: skeleton and checked regions become one compiled workflow, in one order, with one hash (WF-12,
WF-13).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from holdfast.envelope.compiled import (
    CURRENT_COMPILER_VERSION,
    CompiledBody,
    CompiledEdge,
    CompiledNode,
    CompiledSlot,
    CompiledWorkflow,
    JoinRequirement,
)
from holdfast.envelope.compiler.building import attaching_edges, compiled_node, skeleton_edge, skeleton_node
from holdfast.envelope.compiler.derived import adjacency_of, interrupts_of, stable_nodes
from holdfast.envelope.compiler.graph import forward_ways, topological_order
from holdfast.envelope.compiler.intake import DraftNode, Region
from holdfast.envelope.compiler.integrity import check_effective
from holdfast.envelope.ids import END, START, Namespace
from holdfast.envelope.parts.registry import NodeTypes
from holdfast.envelope.parts.system import AttachmentConfig
from holdfast.envelope.problems import Problems
from holdfast.envelope.skeleton import BodySlot, Skeleton
from holdfast.envelope.windows import EditWindow

__all__ = ["assemble"]


def assemble(
    skeleton: Skeleton,
    regions: Mapping[str, Region],
    joins: Mapping[str, JoinRequirement],
    slot_windows: Mapping[str, EditWindow],
    types: NodeTypes,
    problems: Problems,
) -> CompiledWorkflow:
    """Merge what has been found free of errors. The skeleton's integrity is proved last."""
    merge = _Merge(skeleton, types, slot_windows)
    for slot_id in sorted(regions):
        merge.fill(regions[slot_id])
    return merge.result(joins, problems)


class _Merge:
    """The effective workflow as it grows."""

    def __init__(self, skeleton: Skeleton, types: NodeTypes, slot_windows: Mapping[str, EditWindow]) -> None:
        self.skeleton = skeleton
        self.types = types
        self.slot_windows = slot_windows
        self.slots = {slot.slot_id: slot for slot in skeleton.slots}
        self.filled: set[str] = set()
        self.nodes: dict[str, CompiledNode] = {}
        self.edges: dict[str, CompiledEdge] = {}
        self.windows: dict[str, EditWindow] = {}
        self.bodies: dict[str, CompiledBody] = {}
        self.direct = {edge.id: edge for edge in skeleton.edges}
        for node in skeleton.nodes:
            self.nodes[node.id] = skeleton_node(node, types)
            self.windows[node.id] = node.edit_window
        for edge in skeleton.edges:
            self.edges[edge.id] = skeleton_edge(edge)

    def fill(self, region: Region) -> None:
        """Replace the direct edge of a slot by the way through its patch."""
        slot = self.slots[region.namespace.slot_id]
        self.filled.add(slot.slot_id)
        del self.edges[slot.edge_id]
        for edge in attaching_edges(slot, self.direct[slot.edge_id]):
            self.edges[edge.id] = edge
        self.add(region, self.slot_windows[slot.slot_id])

    def add(self, region: Region, window: EditWindow) -> None:
        """Add a region's nodes and edges, and those of the bodies inside it."""
        names = region.namespace
        self.attach(names, region.parent, window)
        for draft in region.nodes.values():
            self.nodes[draft.id] = self.compiled(draft, names.slot_id, region.parent)
            self.windows[draft.id] = draft.node.edit_window or window
        for edge in region.edges.values():
            self.edges[edge.id] = CompiledEdge(
                id=edge.id,
                source=edge.source,
                target=edge.target,
                priority=edge.edge.priority,
                outcome=edge.edge.outcome,
                condition=edge.edge.condition,
                label=edge.edge.label,
                returns=edge.edge.returns,
                interrupts=False,
                provenance=names.slot_id,
            )
        for node_id, body in region.bodies.items():
            self.bodies[node_id] = CompiledBody(body.namespace.entry, body.namespace.exit)
            self.add(body, self.windows[node_id])

    def attach(self, names: Namespace, parent: str | None, window: EditWindow) -> None:
        for node_id, config in (
            (names.entry, AttachmentConfig(side="in")),
            (names.exit, AttachmentConfig(side="out")),
        ):
            self.nodes[node_id] = compiled_node(node_id, "attachment", config.side, config, names.slot_id, parent)
            self.windows[node_id] = window

    def compiled(self, draft: DraftNode, slot_id: str, parent: str | None) -> CompiledNode:
        assert draft.kind is not None
        assert draft.config is not None
        node, kind = draft.node, draft.kind
        name = node.name or _readable(draft.id, kind.title)
        return compiled_node(
            draft.id, node.type, name, draft.config, slot_id, parent, run_as=node.run_as, branch=kind.branch
        )

    def result(self, joins: Mapping[str, JoinRequirement], problems: Problems) -> CompiledWorkflow:
        nodes = dict(sorted(self.nodes.items()))
        edges = dict(sorted(self.edges.items()))
        adjacency, reverse = adjacency_of(nodes, edges.values())
        order, _ = topological_order(nodes, forward_ways(nodes, edges.values(), self.bodies))
        slots = {slot.slot_id: self.slot(slot) for slot in self.skeleton.slots}
        owners = {node_id: node.provenance for node_id, node in nodes.items()}
        return CompiledWorkflow(
            entity_type=self.skeleton.entity_type,
            envelope_version=self.skeleton.version,
            envelope_hash=self.skeleton.hash,
            compiler_version=CURRENT_COMPILER_VERSION,
            start=START,
            end=END,
            nodes_by_id=nodes,
            edges_by_id=edges,
            adjacency=adjacency,
            reverse_adjacency=reverse,
            topological_order=tuple(order),
            join_requirements=dict(sorted(joins.items())),
            bodies=dict(sorted(self.bodies.items())),
            slots=slots,
            interrupts=interrupts_of(edges.values()),
            edit_windows={node_id: self.windows[node_id] for node_id in nodes},
            stable_region_nodes=stable_nodes(slots.values(), owners, self.windows),
            slot_map=owners,
            system_gate_integrity=check_effective(
                self.skeleton, nodes, edges, self.windows, order, self.types, problems
            ),
        ).sealed()

    def slot(self, slot: BodySlot) -> CompiledSlot:
        return CompiledSlot(
            id=slot.slot_id,
            entry=slot.entry_node_id,
            exit=slot.exit_node_id,
            edge=slot.edge_id,
            edit_window=self.slot_windows[slot.slot_id],
            default_edit_window=slot.default_edit_window,
            stable_region=slot.stable_region,
            filled=slot.slot_id in self.filled,
        )


def _readable(node_id: str, title: str) -> str:
    """What to call a node whose author gave no name: its id in words, unless that is a UUID."""
    short = re.split("[:/]", node_id)[-1]
    if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", short):
        return title
    return re.sub("[_.-]+", " ", short).strip().capitalize() or title
