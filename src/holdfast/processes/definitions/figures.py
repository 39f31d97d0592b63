"""Figures about workflows: which there are and how they stand, and how processes went through the nodes of one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

__all__ = ["MOST_COUNTED", "EdgeFigures", "NodeFigures", "WorkflowFigures", "WorkflowOverview"]

MOST_COUNTED: Final = 5000
"""Processes that figures are counted from, at most: the latest."""


@dataclass(frozen=True, slots=True)
class WorkflowOverview:
    """A document type or an automation: what is in force, what is drafted, and what is to be done."""

    entity_type: str
    title: str
    automation: bool
    contract_version: int
    """The newest skeleton there is."""
    published_id: UUID | None
    published_version: int | None
    published_at: datetime | None
    published_by: str | None
    base_version: int | None
    """The skeleton that the workflow in force was written for."""
    customised: bool
    """Whether the organisation has patches in force."""
    upgradable: bool
    """Whether there is a newer skeleton than that of the workflow in force."""
    stale: bool
    """Whether another compiler made the workflow in force."""
    drafts: int
    running: int
    """Processes under way, up to a thousand."""
    triggers: int


@dataclass(frozen=True, slots=True)
class NodeFigures:
    """How processes went through a node: steps, those that failed, those that wait there now, and for how long."""

    node_id: str
    node_type: str
    steps: int
    waiting: int
    failed: int
    mean_ms: float | None
    p50_ms: float | None
    p95_ms: float | None
    longest_ms: float | None


@dataclass(frozen=True, slots=True)
class EdgeFigures:
    """How often an edge was taken."""

    edge_id: str
    taken: int


@dataclass(frozen=True, slots=True)
class WorkflowFigures:
    """Figures of the latest processes of a type. `since`: when the earliest of them began."""

    entity_type: str
    instances: int
    since: datetime | None
    nodes: tuple[NodeFigures, ...]
    edges: tuple[EdgeFigures, ...]
