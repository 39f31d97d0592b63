"""A run as its handler sees it, and as everybody else does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

__all__ = ["STATUSES", "Enqueued", "Run", "RunInfo", "Status"]

Status = Literal["pending", "leased", "succeeded", "failed", "cancelled"]
STATUSES: tuple[Status, ...] = ("pending", "leased", "succeeded", "failed", "cancelled")


class Run:
    """One attempt at a run, as the handler gets it.

    `cancelled` turns true when somebody cancelled the run, or when the lease was lost: stop, nothing you do counts any
    more. An asynchronous handler is cancelled by itself; a plain function, which runs in a thread, should look.
    """

    __slots__ = ("attempt", "cancelled", "epoch", "id", "max_attempts", "tenant", "trace_parent", "type")

    def __init__(
        self,
        tenant: UUID,
        id: UUID,  # noqa: A002 - it is the id
        type: str,  # noqa: A002 - it is the type
        epoch: int,
        attempt: int,
        max_attempts: int,
        trace_parent: str | None,
    ) -> None:
        self.tenant = tenant
        self.id = id
        self.type = type
        self.epoch = epoch
        self.attempt = attempt
        self.max_attempts = max_attempts
        self.trace_parent = trace_parent
        self.cancelled = False

    def __repr__(self) -> str:
        return f"<Run {self.type} {self.id} attempt {self.attempt}/{self.max_attempts}>"


@dataclass(frozen=True, slots=True)
class Enqueued:
    """The run that an enqueue stands for; `created` is false when its idempotency key was known."""

    id: UUID
    created: bool


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Everything that is stored of a run."""

    id: UUID
    type: str
    status: Status
    priority: int
    idempotency_key: str | None
    payload: Any
    result: Any
    error: dict[str, Any] | None
    last_error: str | None
    attempt: int
    max_attempts: int
    run_at: datetime
    lease_until: datetime | None
    leased_by: str | None
    trace_parent: str | None
    created_by: str
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None
    deleted_at: datetime | None
    delete_reason: str | None
