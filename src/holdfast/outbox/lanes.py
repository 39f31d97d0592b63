"""A leased lane on its way through a dispatcher, and many of them as the columns of one statement."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from holdfast.kernel.json import dump
from holdfast.outbox.model import OutboxEvent

__all__ = ["Lane", "columns"]


@dataclass(slots=True, eq=False)
class Lane:
    """One aggregate, held at one epoch: its next events, and what became of them so far.

    `sent` grows as sinks take events. At the first that fails, `failed` and what is said about it are set, and the rest
    stays for the next holder.
    """

    tenant: str
    aggregate: tuple[str, str]
    epoch: int
    attempts: int
    events: list[tuple[OutboxEvent, list[str]]] = field(default_factory=list)
    taken_at: float = 0.0
    sent: list[OutboxEvent] = field(default_factory=list)
    failed: OutboxEvent | None = None
    error: str | None = None
    dead: bool = False
    delay: timedelta = timedelta(0)
    takers: list[str] = field(default_factory=list)
    tries: int = 0

    @property
    def key(self) -> str:
        """The lane by one text."""
        return "/".join(self.aggregate)

    def give_back(self) -> None:
        """Nothing was tried: the attempt that the claim counted does not count."""
        self.tries = 0 if self.sent else self.attempts - 1


def columns(lanes: list[Lane]) -> dict[str, Any]:
    """The arguments of the statement that settles them; an empty array stands for a column of NULLs."""
    sent = [(place, event) for place, lane in enumerate(lanes, 1) for event in lane.sent]
    failed = any(lane.failed for lane in lanes)
    return {
        "tenants": [lane.tenant for lane in lanes],
        "aggregate_types": [lane.aggregate[0] for lane in lanes],
        "aggregate_ids": [lane.aggregate[1] for lane in lanes],
        "epochs": [lane.epoch for lane in lanes],
        "tries": [lane.tries for lane in lanes],
        "delays": [lane.delay for lane in lanes] if any(lane.delay for lane in lanes) else [],
        "failed_ids": [lane.failed.id if lane.failed else None for lane in lanes] if failed else [],
        "errors": [lane.error for lane in lanes] if failed else [],
        "deads": [lane.dead for lane in lanes] if failed else [],
        "takers": [dump(lane.takers) for lane in lanes] if failed else [],
        "sent_lanes": [place for place, _ in sent],
        "sent_ids": "{" + ",".join(event.id for _, event in sent) + "}",
        "sent_tries": [event.attempt for _, event in sent],
    }
