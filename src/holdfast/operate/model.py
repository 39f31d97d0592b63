"""What an operator is told, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

__all__ = [
    "QUEUES",
    "Health",
    "InHand",
    "Incident",
    "Matching",
    "Point",
    "Queue",
    "QueueHealth",
    "QueueType",
    "Series",
    "Span",
    "WorkerInfo",
]

Queue = Literal["runs", "engine", "effects", "outbox", "sessions"]
Span = Literal["5m", "1h", "24h"]

QUEUES: Final[dict[str, str]] = {
    "runs": "runs:read",
    "engine": "processes:read",
    "effects": "effects:read",
    "outbox": "outbox:read",
    "sessions": "sessions:read",
}
"""The queues, and the permission to see how each is doing."""


@dataclass(frozen=True, slots=True)
class QueueHealth:
    """How one queue is doing: what is there now, and what it did within the last hour."""

    queue: Queue
    pending: int
    """What may be taken up and waits."""
    working: int
    waiting: int
    """What waits for its time, its turn, an event or a person."""
    stuck: int
    """What was taken up by somebody who has not been heard of since, or waits behind something dead."""
    dead: int
    """Dead letters; of runs and sessions, those that failed within a day."""
    oldest_seconds: float | None
    """For how long the oldest has been due."""
    finished: int
    errors: int
    p50_seconds: float | None
    p95_seconds: float | None


@dataclass(frozen=True, slots=True)
class Health:
    """How the queues are doing that somebody may see."""

    at: datetime
    queues: list[QueueHealth]


@dataclass(frozen=True, slots=True)
class Point:
    """What a queue did in a stretch of time, and how much was in it: the most that was seen in that stretch."""

    at: datetime
    finished: int
    errors: int
    p50_seconds: float | None
    p95_seconds: float | None
    pending: int | None
    stuck: int | None
    dead: int | None
    oldest_seconds: float | None


@dataclass(frozen=True, slots=True)
class Series:
    """Points, oldest first, each of `step_seconds`; the last one is not over yet."""

    queue: Queue
    span: Span
    step_seconds: int
    points: list[Point]


@dataclass(frozen=True, slots=True)
class QueueType:
    """The runs of one type: how many there are, whether they are paused, and whether anybody executes them."""

    type: str
    ready: int
    delayed: int
    blocked: int
    leased: int
    oldest: datetime | None
    paused_by_prefix: str | None
    handled: bool
    """Whether a worker that is running executes the type."""


@dataclass(frozen=True, slots=True)
class InHand:
    """Something that somebody is doing for this tenant."""

    queue: Queue
    id: UUID | None
    what: str
    worker: str
    since: datetime | None
    lease_until: datetime


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """A worker: what it executes, when it last said that it is there, and what it has in hand of this tenant."""

    name: str
    alive: bool
    seen_at: datetime | None
    """None for one that is known only by what it has in hand."""
    types: list[str]
    prefixes: list[str]
    in_hand: list[InHand]


@dataclass(frozen=True, slots=True)
class Incident:
    """What went wrong in the same way: its error with whatever differs left out, and how often."""

    queue: Queue
    what: str
    """The type of the runs or events, the kind of the effects, the graph of the sessions."""
    error: str
    code: str | None
    count: int
    first_at: datetime
    last_at: datetime
    example: UUID
    """The latest of them."""
    redacted: bool
    """Whether the error is not told because it may quote a document the reader does not see."""


@dataclass(frozen=True, slots=True)
class Matching:
    """How many things match a filter; `capped` when there are more than were counted."""

    count: int
    capped: bool
