"""Effects as plain values: what is to be sent, what a sender says became of it, and what people see of it.

A sender either returns a `Delivery` or raises `Undelivered`. `again` says whether another attempt may help; a sender
that knows when (a `Retry-After`) says so too. Evidence is what the attempt left behind and is kept with the effect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Protocol, runtime_checkable
from uuid import UUID

__all__ = ["KINDS", "STATUSES", "Closing", "Delivery", "EffectInfo", "Outgoing", "Sender", "Undelivered"]

KINDS: Final = ("webhook", "email", "sms", "in_app")
"""The kinds of effect that go out; requests to people are kept as approvals and tasks."""

STATUSES: Final = ("pending", "processing", "completed", "failed", "dead_letter", "cancelled")


@dataclass(frozen=True, slots=True, eq=False)
class Outgoing:
    """One effect that a worker holds: what to send, and the proof (`epoch`) that it is still the one to do it."""

    tenant: UUID
    id: UUID
    created_at: datetime
    epoch: int
    kind: str
    payload: Mapping[str, Any]
    key: str
    attempt: int
    max_attempts: int
    instance_id: UUID
    step_key: str
    node_id: str
    token_id: str
    awaited: bool
    trace_id: str | None
    earlier: Mapping[str, Any] | None
    """The evidence of the attempt before, so that a sender does not repeat what already arrived."""
    now: datetime


@dataclass(frozen=True, slots=True)
class Delivery:
    """It arrived; the evidence says how."""

    evidence: Mapping[str, Any] = field(default_factory=dict)


class Undelivered(Exception):
    """It did not arrive."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        again: bool,
        after: timedelta | None = None,
        evidence: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.again = again
        self.after = after
        self.evidence = dict(evidence or {})


class Sender(Protocol):
    """Sends the effects of one kind. It is never called inside a transaction."""

    async def send(self, effect: Outgoing) -> Delivery: ...


@runtime_checkable
class Closing(Protocol):
    """A sender that holds something open."""

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class EffectInfo:
    """An effect as people see it."""

    id: UUID
    kind: str
    status: str
    instance_id: UUID
    node_id: str | None
    payload: dict[str, Any]
    key: str
    attempts: int
    max_attempts: int
    next_retry_at: datetime | None
    error: str | None
    response: dict[str, Any] | None
    trace_id: str | None
    created_at: datetime
    completed_at: datetime | None
