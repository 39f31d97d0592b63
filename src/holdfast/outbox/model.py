"""Events of the outbox: as they are published, as they are stored, and as CloudEvents on their way out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from holdfast.errors import InvalidInput
from holdfast.kernel.json import decode_sent
from holdfast.kernel.traces import check_trace_parent

__all__ = ["STATUSES", "EventInfo", "EventStats", "NewEvent", "OutboxEvent", "OutboxStats", "Status"]

Status = Literal["pending", "processing", "published", "dead"]
STATUSES: tuple[Status, ...] = ("pending", "processing", "published", "dead")

_TYPE = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")
_AGGREGATE_TYPE = re.compile(r"[A-Za-z0-9_.-]{1,128}")


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to publish. Events of one `aggregate`, (type, id), are sent in the order in which they were published.

    Without an aggregate the `subject` is one; without either, the event waits for no other.

    For example:

        await hold.outbox.publish_many([NewEvent("invoice.paid", {"amount": 1}, aggregate=("invoice", "7"))])
    """

    type: str
    data: Any = field(default_factory=dict)
    aggregate: tuple[str, str | UUID] | None = None
    subject: str | None = None
    trace_parent: str | None = None

    def check(self) -> tuple[str | None, str | None, str | None]:
        """Refuse what cannot be an event; the aggregate's type and id, and the subject, that it ends up with."""
        check_type(self.type)
        if self.trace_parent is not None:
            check_trace_parent(self.trace_parent)
        subject = None if self.subject is None else _text("subject", self.subject, 1024)
        if self.aggregate is None:
            return ("subject", _text("subject", subject, 512), subject) if subject is not None else (None, None, None)
        if not isinstance(self.aggregate, tuple) or len(self.aggregate) != 2:
            raise InvalidInput(
                f"aggregate is {self.aggregate!r}", hint='give a type and an id: ("invoice", "42")', field="aggregate"
            )
        kind, identity = self.aggregate[0], str(self.aggregate[1])
        if not _matches(_AGGREGATE_TYPE, kind):
            raise InvalidInput(
                f"the type of the aggregate is {kind!r}",
                hint="use up to 128 letters, digits and . _ -",
                field="aggregate",
            )
        _text("aggregate", identity, 512)
        return kind, identity, subject or f"{kind}/{identity}"


@dataclass(frozen=True, slots=True)
class EventInfo:
    """Everything that is stored of an event; `next_attempt_at` is when it, or what is before it, goes next."""

    id: UUID
    seq: int
    type: str
    status: Status
    aggregate_type: str
    aggregate_id: str
    subject: str | None
    data: Any
    attempts: int
    last_error: str | None
    next_attempt_at: datetime | None
    leased_by: str | None
    blocked: bool
    trace_parent: str | None
    created_by: str
    created_at: datetime
    published_at: datetime | None


@dataclass(frozen=True, slots=True)
class EventStats:
    """How many events of a type are in a status: those still to send, dead ones, and those published within a day."""

    type: str
    status: Status
    events: int
    oldest: datetime | None


@dataclass(frozen=True, slots=True)
class OutboxStats:
    """What is in the outbox. `blocked` counts the aggregates that a dead event stops."""

    types: list[EventStats]
    waiting: int
    dead: int
    blocked: int
    oldest: datetime | None


@dataclass(frozen=True, slots=True)
class OutboxEvent:
    """An event as a sink gets it: a CloudEvent 1.0. `attempt` counts from 1; `id` is the same at each.

    `payload` is the data as JSON text, with every digit as it was stored; `data` is the same as Python values.

    For example:

        @app.sink("erp")
        async def erp(event: OutboxEvent) -> None:
            await post(event.type, event.data, key=str(event.id))
    """

    id: str
    source: str
    type: str
    subject: str | None
    time: datetime
    payload: str
    trace_parent: str | None
    tenant: str
    aggregate: tuple[str, str]
    seq: int
    attempt: int

    @property
    def data(self) -> Any:
        """The data, read anew each time."""
        return decode_sent(self.payload)


def check_type(value: str) -> str:
    """A type of event: dotted names, as billing.invoice_paid.v1, at most 256 characters."""
    if not isinstance(value, str) or len(value) > 256 or not _TYPE.fullmatch(value):
        raise InvalidInput(
            f"type {value!r} is not valid",
            hint="use dotted names of letters, digits, _ and -, such as billing.invoice_paid.v1",
            field="type",
        )
    return value


def _matches(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _text(name: str, value: object, maximum: int) -> str:
    """Text that CloudEvents and Postgres both take: something, not too long, no control characters."""
    if not isinstance(value, str) or not 1 <= len(value) <= maximum:
        raise InvalidInput(f"{name} is {value!r:.100}", hint=f"use a text of 1 to {maximum} characters", field=name)
    if any(ord(one) < 32 or 0x7F <= ord(one) <= 0x9F or 0xD800 <= ord(one) <= 0xDFFF for one in value):
        raise InvalidInput(f"{name} holds a control character", hint="use one line of plain text", field=name)
    return value
