"""Where a graph was compiled to stop: `interrupt_before` and `interrupt_after`, in it and in its subgraphs.

Whether a state is such a stop is read from the state alone, so that an attempt which finds it there asks, whoever
brought the graph to it. LangGraph itself would go on: it takes every new attempt for somebody's leave to do so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from langgraph.types import StateSnapshot

__all__ = ["Pause", "find_pause", "has_stops", "pause_at"]


class Pause(NamedTuple):
    """A stop: the id of the prompt that somebody must answer, and the nodes that come next."""

    id: str
    next: list[str]

    @property
    def content(self) -> dict[str, Any]:
        """The content of the prompt."""
        return {"prompt": f"Go on with {', '.join(self.next)}?", "next": self.next}


def has_stops(graph: Any) -> bool:
    """Whether a graph, or one of its subgraphs, was compiled to stop anywhere."""
    every = [graph, *(inner for _, inner in graph.get_subgraphs(recurse=True))]
    return any(getattr(one, "interrupt_before_nodes", ()) or getattr(one, "interrupt_after_nodes", ()) for one in every)


async def find_pause(graph: Any, state: StateSnapshot, answered: Collection[str]) -> Pause | None:
    """The stop at which a state is, unless somebody has let it go on from there."""
    return await _find(graph, graph, state, (), answered)


def pause_at(state: StateSnapshot, answered: Collection[str]) -> Pause:
    """A stop that cannot be found in the graph: one of a graph that a node calls by itself."""
    first = name = f"next-{state.config['configurable']['checkpoint_id']}"
    number = 1
    while name in answered:
        number += 1
        name = f"{first}-{number}"
    return Pause(name, list(state.next))


async def _find(
    root: Any, graph: Any, state: StateSnapshot, path: tuple[str, ...], answered: Collection[str]
) -> Pause | None:
    subgraphs = dict(graph.get_subgraphs())
    for task in state.tasks:
        if isinstance(task.state, StateSnapshot) and task.name in subgraphs:
            found = await _find(root, subgraphs[task.name], task.state, (*path, task.name), answered)
            if found is not None:
                return found
    name = f"next-{state.config['configurable'].get('checkpoint_id')}"
    if not state.next or name in answered:
        return None
    if _among(graph.interrupt_before_nodes, state.next) or await _stopped_after(root, graph, state):
        return Pause(name, ["/".join((*path, node)) for node in state.next])
    return None


async def _stopped_after(root: Any, graph: Any, state: StateSnapshot) -> bool:
    """Whether the step that led to a state had a node to stop after; an edit of the state does not change that."""
    source = (state.metadata or {}).get("source")
    if not graph.interrupt_after_nodes or state.parent_config is None or source not in ("loop", "update"):
        return False
    before = await root.aget_state(state.parent_config)
    if source == "update":
        return await _stopped_after(root, graph, before)
    return _among(graph.interrupt_after_nodes, [task.name for task in before.tasks])


def _among(stops: Any, names: Iterable[str]) -> bool:
    return any(stops == "*" or name in stops for name in names)
