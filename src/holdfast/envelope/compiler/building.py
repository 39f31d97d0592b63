"""Nodes and edges of a compiled workflow, made in one place.

What the skeleton contributes is made here for the merge and made again for the proof that nothing of it was altered.
"""

from __future__ import annotations

from holdfast.envelope.compiled import ENVELOPE, CompiledEdge, CompiledNode
from holdfast.envelope.ids import edge_id, slot_namespace
from holdfast.envelope.parts.fields import NodeConfig
from holdfast.envelope.parts.flow import ParallelJoinConfig
from holdfast.envelope.parts.graph import RunAs
from holdfast.envelope.parts.people import ApprovalConfig
from holdfast.envelope.parts.registry import NodeTypes
from holdfast.envelope.parts.work import ForEachConfig
from holdfast.envelope.skeleton import BodySlot, SkeletonEdge, SkeletonNode

__all__ = ["attaching_edges", "compiled_node", "skeleton_edge", "skeleton_node"]


def compiled_node(
    node_id: str,
    kind: str,
    name: str,
    config: NodeConfig,
    provenance: str,
    parent: str | None = None,
    *,
    run_as: RunAs = "actor",
    branch: bool = False,
) -> CompiledNode:
    """A node with everything that follows from its configuration."""
    return CompiledNode(
        id=node_id,
        type=kind,
        name=name,
        config=config.model_dump(exclude=_left_out(config)),
        run_as=run_as,
        provenance=provenance,
        parent=parent,
        outcomes=tuple(dict.fromkeys(config.outcomes())),
        waits=config.waits(),
        branch=branch,
    )


def _left_out(config: NodeConfig) -> set[str] | None:
    if isinstance(config, ForEachConfig):
        # The body of a for_each is in the graph; repeating it in the configuration would be a second truth.
        return {"body"}
    if isinstance(config, ParallelJoinConfig) and not config.first_rejection_ends:
        # Came later: what was compiled without it must stay what was published, to the last byte (WF-07).
        return {"first_rejection_ends"}
    if isinstance(config, ApprovalConfig) and not config.may_decide_in_parallel:
        return {"may_decide_in_parallel"}  # For the same reason.
    return None


def skeleton_node(node: SkeletonNode, types: NodeTypes) -> CompiledNode:
    """A node of the skeleton."""
    kind = types[node.type]
    config = kind.config.model_validate(node.config)
    return compiled_node(node.id, node.type, node.name, config, ENVELOPE, branch=kind.branch)


def skeleton_edge(edge: SkeletonEdge) -> CompiledEdge:
    """An edge of the skeleton."""
    return CompiledEdge(
        id=edge.id,
        source=edge.source,
        target=edge.target,
        priority=0,
        outcome=edge.outcome,
        condition=None,
        label=None,
        returns=edge.returns,
        interrupts=edge.interrupts,
        provenance=ENVELOPE,
    )


def attaching_edges(slot: BodySlot, direct: SkeletonEdge) -> tuple[CompiledEdge, CompiledEdge]:
    """The two edges that stand in place of a slot's direct edge: into the patch, and out of it."""
    names = slot_namespace(slot.slot_id)
    return (
        _attaching(slot, direct.source, names.entry, direct.outcome, returns=False),
        _attaching(slot, names.exit, direct.target, None, returns=direct.returns),
    )


def _attaching(slot: BodySlot, source: str, target: str, outcome: str | None, *, returns: bool) -> CompiledEdge:
    return CompiledEdge(
        id=edge_id(source, target, outcome),
        source=source,
        target=target,
        priority=0,
        outcome=outcome,
        condition=None,
        label=None,
        returns=returns,
        interrupts=False,
        provenance=slot.slot_id,
    )
