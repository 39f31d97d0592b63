"""What a compiled workflow keeps to be looked up though it follows from the rest.

A compile computes it with these functions, and a verification computes it again with the same ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdfast.envelope.compiled import CompiledEdge, CompiledSlot, Interrupt
from holdfast.envelope.windows import EditWindow

__all__ = ["adjacency_of", "interrupts_of", "stable_nodes"]

Adjacency = dict[str, tuple[str, ...]]


def adjacency_of(nodes: Iterable[str], edges: Iterable[CompiledEdge]) -> tuple[Adjacency, Adjacency]:
    """Node to the edges that leave it, in the order they are tried, and to those that enter it, by id."""
    leaving: dict[str, list[CompiledEdge]] = {node_id: [] for node_id in nodes}
    entering: dict[str, list[str]] = {node_id: [] for node_id in leaving}
    for edge in sorted(edges, key=lambda edge: edge.id):
        leaving[edge.source].append(edge)
        entering[edge.target].append(edge.id)
    return (
        {key: tuple(edge.id for edge in sorted(found, key=CompiledEdge.tried)) for key, found in leaving.items()},
        {key: tuple(found) for key, found in entering.items()},
    )


def interrupts_of(edges: Iterable[CompiledEdge]) -> dict[str, Interrupt]:
    """The transitions that may happen wherever the process stands."""
    found: dict[str, list[CompiledEdge]] = {}
    for edge in sorted(edges, key=lambda edge: edge.id):
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


def stable_nodes(
    slots: Iterable[CompiledSlot], owners: Mapping[str, str], windows: Mapping[str, EditWindow]
) -> tuple[str, ...]:
    """Every node inside a stable slot, and the skeleton's nodes beside it where an edit means an amendment.

    `owners` says which slot a node belongs to.
    """
    stable: set[str] = set()
    regions: set[str] = set()
    for slot in slots:
        if slot.stable_region:
            regions.add(slot.id)
            stable.update(node_id for node_id in (slot.entry, slot.exit) if windows[node_id] == "amend_only")
    stable.update(node_id for node_id, owner in owners.items() if owner in regions)
    return tuple(sorted(stable))
