"""Hints for a canvas: what the nodes of a draft are, whether or not it compiles.

A draft under way is seldom whole. The hints say of every node that can be made sense of what it can end with and what
of that leads nowhere yet, of every edge its full id, and of every slot its pins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from holdfast.envelope import NodeTypes, Skeleton, SlotGraphPatch
from holdfast.envelope.compiler.intake import Region, read_patch
from holdfast.envelope.problems import Problems

__all__ = ["Canvas", "CanvasEdge", "CanvasNode", "CanvasSlot", "draw_canvas"]


@dataclass(frozen=True, slots=True)
class CanvasNode:
    """A node of a slot, or of the body of a `for_each` (`parent`)."""

    id: str
    short: str
    type: str
    name: str | None
    slot: str
    parent: str | None
    branch: bool
    waits: bool | None
    outcomes: tuple[str, ...]
    unhandled: tuple[str, ...]
    """Outcomes for which an edge must leave it, and none does."""


@dataclass(frozen=True, slots=True)
class CanvasEdge:
    """An edge with full ids; `in` and `out` are the pins of the slot, or of the body."""

    id: str
    source: str
    target: str
    slot: str
    parent: str | None
    outcome: str | None
    condition: str | None
    returns: bool


@dataclass(frozen=True, slots=True)
class CanvasSlot:
    """A slot between its pins: the skeleton's nodes before and after it."""

    slot: str
    entry: str
    exit: str
    edit_window: str
    stable_region: bool
    filled: bool


@dataclass(frozen=True, slots=True)
class Canvas:
    """What a canvas shows of a draft."""

    slots: tuple[CanvasSlot, ...]
    nodes: tuple[CanvasNode, ...]
    edges: tuple[CanvasEdge, ...]


def draw_canvas(skeleton: Skeleton, patches: Mapping[str, Any], types: NodeTypes) -> Canvas:
    """The hints for patches as they are, whole or not. What has no shape at all is left out."""
    nodes: list[CanvasNode] = []
    edges: list[CanvasEdge] = []
    filled = set()
    for slot in skeleton.slots:
        try:
            patch = SlotGraphPatch.model_validate(patches.get(slot.slot_id, {}))
        except ValidationError:
            continue
        if patch.nodes or patch.edges:
            filled.add(slot.slot_id)
            for region in read_patch(slot.slot_id, patch, types, Problems()).walk():
                nodes.extend(_nodes(slot.slot_id, region))
                edges.extend(_edges(slot.slot_id, region))
    slots = tuple(
        CanvasSlot(
            each.slot_id,
            each.entry_node_id,
            each.exit_node_id,
            each.default_edit_window,
            each.stable_region,
            each.slot_id in filled,
        )
        for each in skeleton.slots
    )
    return Canvas(slots, tuple(nodes), tuple(edges))


def _nodes(slot: str, region: Region) -> Iterator[CanvasNode]:
    leaving: dict[str, set[str | None]] = {}
    for each in region.edges.values():
        leaving.setdefault(each.source, set()).add(each.edge.outcome)
    for draft in region.nodes.values():
        config = draft.config
        handled = leaving.get(draft.id, set())
        needed = config.must_handle() if config is not None and None not in handled else ()
        yield CanvasNode(
            id=draft.id,
            short=draft.id.rsplit(":", 1)[-1],
            type=draft.node.type,
            name=draft.node.name,
            slot=slot,
            parent=region.parent,
            branch=draft.kind is not None and draft.kind.branch,
            waits=config.waits() if config is not None else None,
            outcomes=config.outcomes() if config is not None else (),
            unhandled=tuple(outcome for outcome in needed if outcome not in handled),
        )


def _edges(slot: str, region: Region) -> Iterator[CanvasEdge]:
    for each in region.edges.values():
        yield CanvasEdge(
            each.id,
            each.source,
            each.target,
            slot,
            region.parent,
            each.edge.outcome,
            each.edge.condition,
            each.edge.returns,
        )
