"""A run as its handler sees it, and as everybody else does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from holdfast.runs.signals import seconds
from holdfast.runs.steps import Journal, StepStore

__all__ = ["STATUSES", "Enqueued", "Run", "RunInfo", "Status"]

Status = Literal["pending", "leased", "succeeded", "failed", "cancelled"]
STATUSES: tuple[Status, ...] = ("pending", "leased", "succeeded", "failed", "cancelled")


class Run:
    """One attempt at a run, as the handler gets it.

    `stopping` turns true when the worker is told to stop: a handler that can pause should, by raising `Snooze(0)`.
    `cancelled` turns true when somebody cancelled the run, or when the lease was lost: stop, nothing you do counts any
    more. An asynchronous handler is cancelled by itself; a plain function, which runs in a thread, should look.
    """

    __slots__ = (
        "_steps",
        "attempt",
        "cancelled",
        "epoch",
        "id_text",
        "journal",
        "lease",
        "max_attempts",
        "stopping",
        "tenant_text",
        "trace_parent",
        "type",
    )

    def __init__(
        self,
        tenant: str,
        id: str,  # noqa: A002 - it is the id
        type: str,  # noqa: A002 - it is the type
        epoch: int,
        attempt: int,
        max_attempts: int,
        trace_parent: str | None,
        lease: timedelta,
        steps: StepStore,
    ) -> None:
        self.tenant_text = tenant
        self.id_text = id
        self.lease = lease
        self.journal: Journal | None = None
        self._steps = steps
        self.type = type
        self.epoch = epoch
        self.attempt = attempt
        self.max_attempts = max_attempts
        self.trace_parent = trace_parent
        self.cancelled = False
        self.stopping = False

    async def step(self, name: str, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function once in the life of the run: its result is stored, and replayed after a crash.

        The function may be asynchronous or not; its result must be JSON. Use a name that says what the step does; the
        same name again, as in a loop, is another step. Raises `LeaseLost` when the run is no longer held.
        """
        return await self._written().step(name, function, *args, **kwargs)

    async def sleep(self, span: float | timedelta) -> None:
        """Sleep, for seconds or months, without a worker: the handler is left, and runs again when it is time.

        What it did in steps before is replayed then, not repeated.
        """
        await self._written().sleep(seconds("span", span))

    def _written(self) -> Journal:
        if self.journal is None:
            self.journal = Journal(self, self._steps)
        return self.journal

    @property
    def id(self) -> UUID:
        """The run's id."""
        return UUID(self.id_text)

    @property
    def tenant(self) -> UUID:
        """The id of the tenant it belongs to."""
        return UUID(self.tenant_text)

    def __repr__(self) -> str:
        return f"<Run {self.type} {self.id_text} attempt {self.attempt}/{self.max_attempts}>"


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
