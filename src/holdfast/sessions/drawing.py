"""How a graph looks, for people: the names of its nodes and the ways between them, nothing of what they do."""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import Any

from holdfast.sessions.model import Drawing, GraphEdge

__all__ = ["drawing_of"]

_log = logging.getLogger(__name__)
_MOST = 500
"""Nodes, and as many ways again for each of four: what is larger is no picture any more."""


def drawing_of(compiled: Any) -> dict[str, Any] | None:
    """The drawing of a compiled graph as JSON; None where it has none, or one that nobody could read."""
    try:
        found = compiled.get_graph()
        edges = [GraphEdge(edge.source, edge.target, bool(edge.conditional)) for edge in found.edges]
        drawing = Drawing(list(found.nodes), edges)
    except Exception as error:
        _log.info("the graph cannot be drawn: %s", error)
        return None
    return asdict(drawing) if len(drawing.nodes) <= _MOST and len(edges) <= 4 * _MOST else None
