"""The audit chain as plain values: how a link is hashed, and how a chain is checked.

Postgres hashes each link when it is inserted (the trigger `chain_event`). This module computes the same hash on its
own, from what is stored, so that verifying does not ask the database to vouch for itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

__all__ = ["Break", "Head", "Link", "link_hash", "verify_chain"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Link:
    """One chained event, with the columns that its hash covers. `data` is the text Postgres gives for the jsonb."""

    tenant: UUID
    object_kind: str
    object_id: UUID
    seq: int
    event_type: str
    actor: str
    step_id: str | None
    trace_id: str | None
    created_at: datetime
    data: str
    prev_hash: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class Head:
    """Where a chain ends according to the head table, which is kept apart from the events."""

    seq: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Break:
    """The first link of a chain that does not hold, and why."""

    object_kind: str
    object_id: UUID
    seq: int
    reason: str

    def __str__(self) -> str:
        return f"{self.object_kind} {self.object_id}, event {self.seq}: {self.reason}"


def link_hash(link: Link) -> bytes:
    """SHA-256 over the previous hash and every column, each written as ‹length›:‹bytes› so that none can bleed over."""
    microseconds = (link.created_at - _EPOCH) // timedelta(microseconds=1)
    parts: Iterator[str] = (
        str(part)
        for part in (
            link.tenant,
            link.object_kind,
            link.object_id,
            link.seq,
            link.event_type,
            link.actor,
            link.step_id or "",
            link.trace_id or "",
            microseconds,
            link.data,
        )
    )
    digest = hashlib.sha256(link.prev_hash)
    for part in parts:
        raw = part.encode()
        digest.update(f"{len(raw)}:".encode() + raw)
    return digest.digest()


def verify_chain(links: Iterable[Link], head: Head | None, *, may_start_late: bool = False) -> Break | None:
    """The first break in one object's chain, or None. Links come in the order of `seq`.

    A chain begins at 1 with an empty previous hash, unless older partitions were dropped by retention
    (`may_start_late`); it ends where the head says, so that cutting off its tail shows too.
    """
    previous: Link | None = None
    for link in links:
        reason = _why_broken(link, previous, may_start_late)
        if reason:
            return Break(link.object_kind, link.object_id, link.seq, reason)
        previous = link
    if previous is None:
        return None
    if head is None:
        return Break(previous.object_kind, previous.object_id, previous.seq, "the chain has no head")
    if (head.seq, head.hash) != (previous.seq, previous.hash):
        missing = previous.seq + 1 if head.seq > previous.seq else previous.seq
        return Break(
            previous.object_kind,
            previous.object_id,
            missing,
            f"the chain ends at {previous.seq}, its head says {head.seq}: events were removed or added",
        )
    return None


def _why_broken(link: Link, previous: Link | None, may_start_late: bool) -> str | None:
    if previous is None:
        if link.seq != 1 and not may_start_late:
            return "the events before it are missing"
        if link.seq == 1 and link.prev_hash != b"":
            return "the first event names a predecessor"
    elif link.seq != previous.seq + 1:
        return f"it follows event {previous.seq}: events are missing or repeated"
    elif link.prev_hash != previous.hash:
        return "it does not continue the event before it"
    if link_hash(link) != link.hash:
        return "its content does not match its hash: it was changed"
    return None
