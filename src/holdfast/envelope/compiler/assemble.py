"""Assembly: skeleton and checked regions become one compiled workflow, in one order, with one hash (WF-12,
WF-13).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from holdfast.envelope.compiled import (
    CURRENT_COMPILER_VERSION,
    ENVELOPE,
    CompiledBody,
    CompiledEdge,
    CompiledNode,
    CompiledSlot,
    CompiledWorkflow,
    Interrupt,
    JoinRequirement,
)
from holdfast.envelope.compiler.graph import forward_ways, topological_order
from holdfast.envelope.compiler.intake import DraftNode, Region
from holdfast.envelope.compiler.integrity import check_effective
from holdfast.envelope.ids import END, START, Namespace, edge_id
from holdfast.envelope.parts.fields import NodeConfig
from holdfast.envelope.parts.registry import NodeTypes
from holdfast.envelope.parts.system import AttachmentConfig
from holdfast.envelope.parts.work import ForEachConfig
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
        for node in skeleton.nodes:
            config = types[node.type].config.model_validate(node.config)
            branch = types[node.type].branch
            self.nodes[node.id] = _node(node.id, node.type, node.name, config, ENVELOPE, None, branch=branch)
            self.windows[node.id] = node.edit_window
        for edge in skeleton.edges:
            self.edges[edge.id] = _edge(
                edge.id, edge.source, edge.target, edge.outcome, ENVELOPE, edge.returns, edge.interrupts
            )

    def fill(self, region: Region) -> None:
        """Replace the direct edge of a slot by the way through its patch."""
        names = region.namespace
        slot = self.slots[names.slot_id]
        self.filled.add(slot.slot_id)
        direct = self.edges.pop(slot.edge_id)
        into = edge_id(direct.source, names.entry, direct.outcome)
        onward = edge_id(names.exit, direct.target)
        self.edges[into] = _edge(into, direct.source, names.entry, direct.outcome, slot.slot_id)
        self.edges[onward] = _edge(onward, names.exit, direct.target, None, slot.slot_id, direct.returns)
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
            self.nodes[node_id] = _node(node_id, "attachment", config.side, config, names.slot_id, parent, branch=False)
            self.windows[node_id] = window

    def compiled(self, draft: DraftNode, slot_id: str, parent: str | None) -> CompiledNode:
        assert draft.kind is not None
        assert draft.config is not None
        node = draft.node
        name = node.name or _readable(draft.id, draft.kind.title)
        compiled = _node(draft.id, node.type, name, draft.config, slot_id, parent, branch=draft.kind.branch)
        return compiled if node.run_as == compiled.run_as else replace(compiled, run_as=node.run_as)

    def result(self, joins: Mapping[str, JoinRequirement], problems: Problems) -> CompiledWorkflow:
        nodes = dict(sorted(self.nodes.items()))
        edges = dict(sorted(self.edges.items()))
        adjacency: dict[str, list[CompiledEdge]] = {node_id: [] for node_id in nodes}
        reverse: dict[str, list[str]] = {node_id: [] for node_id in nodes}
        for edge in edges.values():
            adjacency[edge.source].append(edge)
            reverse[edge.target].append(edge.id)
        order, _ = topological_order(nodes, forward_ways(nodes, edges.values(), self.bodies))
        return CompiledWorkflow(
            entity_type=self.skeleton.entity_type,
            envelope_version=self.skeleton.version,
            envelope_hash=self.skeleton.hash,
            compiler_version=CURRENT_COMPILER_VERSION,
            start=START,
            end=END,
            nodes_by_id=nodes,
            edges_by_id=edges,
            adjacency={
                node_id: tuple(edge.id for edge in sorted(leaving, key=CompiledEdge.tried))
                for node_id, leaving in adjacency.items()
            },
            reverse_adjacency={node_id: tuple(entering) for node_id, entering in reverse.items()},
            topological_order=tuple(order),
            join_requirements=dict(sorted(joins.items())),
            bodies=dict(sorted(self.bodies.items())),
            slots={slot.slot_id: self.slot(slot) for slot in self.skeleton.slots},
            interrupts=_interrupts(edges.values()),
            edit_windows={node_id: self.windows[node_id] for node_id in nodes},
            stable_region_nodes=tuple(sorted(self.stable())),
            slot_map={node_id: node.provenance for node_id, node in nodes.items()},
            system_gate_integrity=check_effective(self.skeleton, nodes, edges, self.windows, order, problems),
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

    def stable(self) -> set[str]:
        """Every node inside a stable slot, and the skeleton's nodes beside it where an edit means an
        amendment.
        """
        stable: set[str] = set()
        for slot in self.skeleton.slots:
            if slot.stable_region:
                beside = (slot.entry_node_id, slot.exit_node_id)
                stable.update(node_id for node_id in beside if self.windows[node_id] == "amend_only")
        regions = {slot.slot_id for slot in self.skeleton.slots if slot.stable_region}
        stable.update(node_id for node_id, node in self.nodes.items() if node.provenance in regions)
        return stable


def _readable(node_id: str, title: str) -> str:
    """What to call a node whose author gave no name: its id in words, unless that is a UUID."""
    short = re.split("[:/]", node_id)[-1]
    if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", short):
        return title
    return re.sub("[_.-]+", " ", short).strip().capitalize() or title


def _node(
    node_id: str,
    kind: str,
    name: str,
    config: NodeConfig,
    provenance: str,
    parent: str | None,
    *,
    branch: bool,
) -> CompiledNode:
    # The body of a for_each is in the graph; repeating it in the configuration would be a second truth.
    exclude = {"body"} if isinstance(config, ForEachConfig) else None
    values: dict[str, Any] = config.model_dump(exclude=exclude)
    return CompiledNode(
        id=node_id,
        type=kind,
        name=name,
        config=values,
        run_as="actor",
        provenance=provenance,
        parent=parent,
        outcomes=tuple(dict.fromkeys(config.outcomes())),
        waits=config.waits(),
        branch=branch,
    )


def _edge(
    identity: str,
    source: str,
    target: str,
    outcome: str | None,
    provenance: str,
    returns: bool = False,
    interrupts: bool = False,
) -> CompiledEdge:
    return CompiledEdge(
        id=identity,
        source=source,
        target=target,
        priority=0,
        outcome=outcome,
        condition=None,
        label=None,
        returns=returns,
        interrupts=interrupts,
        provenance=provenance,
    )


def _interrupts(edges: Iterable[CompiledEdge]) -> dict[str, Interrupt]:
    found: dict[str, list[CompiledEdge]] = {}
    for edge in edges:
        if edge.interrupts and edge.outcome is not None:
            found.setdefault(edge.outcome, []).append(edge)
    return {
        transition: Interrupt(
            transition=transition,
            target=taken[0].target,
            from_states=tuple(edge.source.removeprefix("sys:state:") for edge in taken),
            edges=tuple(edge.id for edge in taken),
        )
        for transition, taken in sorted(found.items())
    }
