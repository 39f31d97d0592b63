"""Effects as plain values: what is to be sent, what a sender says became of it, and what people see of it.

A sender either returns a `Delivery` or raises `Undelivered`. `again` says whether another attempt may help; a sender
that knows when (a `Retry-After`) says so too. Evidence is what the attempt left behind and is kept with the effect.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Protocol, runtime_checkable
from uuid import UUID

from holdfast.errors import InvalidInput

__all__ = [
    "STATUSES",
    "UNTIL_MENDED",
    "Closing",
    "Delivery",
    "EffectInfo",
    "Outgoing",
    "Recipient",
    "Sender",
    "Undelivered",
    "check_kind",
    "goes_out",
]

_KIND: Final = re.compile(r"[a-z][a-z0-9_.-]{0,62}")
_STAYS: Final = frozenset({"action", "approval", "custom", "policy", "rule", "run", "session", "task"})
"""What steps ask of others inside; everything else they ask for goes out, through a channel of that name."""

UNTIL_MENDED: Final = timedelta(minutes=1)
"""After which an effect is tried again that waits for an operator: its secret or its key is not there."""
STATUSES: Final = ("pending", "processing", "completed", "failed", "dead_letter", "cancelled")


def goes_out(kind: str) -> bool:
    """Whether effects of the kind leave the database, whoever may know how to send them."""
    return kind not in _STAYS and _KIND.fullmatch(kind) is not None


def check_kind(kind: str, *, field: str = "kind") -> str:
    """The name of a kind of effect that goes out; raises `InvalidInput`."""
    if not isinstance(kind, str) or not _KIND.fullmatch(kind):
        raise InvalidInput(
            f"{field} {kind!r} is not the name of a channel",
            hint="use 1 to 63 lower-case letters, digits and . _ - , beginning with a letter",
            field=field,
        )
    if kind in _STAYS:
        raise InvalidInput(f"{field} {kind!r} means something else", hint="choose another name", field=field)
    return kind


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody who is to be told, and the e-mail address, if there is one."""

    name: str
    address: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Outgoing:
    """One effect that a worker holds: what to send, and the proof (`epoch`) that it is still the one to do it.

    For example:

        @app.effect("chat")
        async def post(effect: Outgoing) -> dict[str, str]:
            sent = await chat.post(effect.payload["text"], idempotency_key=effect.key)
            return {"message": sent.id}
    """

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
    people: tuple[Recipient, ...] = ()
    """Whom the payload's `to` means now, each once: for senders of an application's own."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """It arrived; the evidence says how.

    For example:

        class Chat:
            async def send(self, effect: Outgoing) -> Delivery:
                return Delivery({"message": await post(effect.payload)})
    """

    evidence: Mapping[str, Any] = field(default_factory=dict)


class Undelivered(Exception):
    """It did not arrive.

    For example:

        raise Undelivered("chat_down", "the chat does not answer", again=True)
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        again: bool,
        after: timedelta | None = None,
        evidence: Mapping[str, Any] | None = None,
        counts: bool = True,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.again = again
        self.after = after
        self.evidence = dict(evidence or {})
        self.counts = counts
        """Whether it used up an attempt; what only waits for an operator does not."""


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
    created_by: str
    created_at: datetime
    completed_at: datetime | None
    redacted: bool = False
    """Whether what is sent was left out because the reader may not see all of the document it was made from."""
