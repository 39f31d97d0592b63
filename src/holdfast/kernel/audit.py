"""The audit chain as plain values: how a link is hashed, and how a chain is checked.

Postgres hashes each link when it is inserted (the trigger `chain_event`). This module computes the same hash on its
own, from what is stored, so that verifying does not ask the database to vouch for itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from heapq import merge
from uuid import UUID

__all__ = [
    "Break",
    "Head",
    "Link",
    "Range",
    "Tombstone",
    "link_hash",
    "tombstone_hash",
    "verify_chain",
    "verify_tombstone",
]

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
class Range:
    """Links of one chain that follow each other and were dropped with their month."""

    object_kind: str
    object_id: UUID
    first_seq: int
    last_seq: int
    prev_hash: bytes
    last_hash: bytes


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What a month that was dropped held of a tenant, and the columns that its hash covers."""

    tenant: UUID
    seq: int
    branch: str
    month: date
    days: int
    chains: int
    events: int
    dropped_at: datetime
    dropped_by: str
    prev_hash: bytes
    hash: bytes
    key_id: str | None
    signature: bytes | None


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
    return _digest(
        link.prev_hash,
        link.tenant,
        link.object_kind,
        link.object_id,
        link.seq,
        link.event_type,
        link.actor,
        link.step_id or "",
        link.trace_id or "",
        _microseconds(link.created_at),
        link.data,
    )


def tombstone_hash(stone: Tombstone, ranges: Iterable[Range]) -> bytes:
    """Likewise for a tombstone, with every range in the order of the chain and of its first number."""
    named = (
        (each.object_kind, each.object_id, each.first_seq, each.last_seq, each.prev_hash.hex(), each.last_hash.hex())
        for each in ranges
    )
    return _digest(
        stone.prev_hash,
        stone.tenant,
        stone.seq,
        stone.branch,
        stone.month.isoformat(),
        stone.days,
        stone.chains,
        stone.events,
        _microseconds(stone.dropped_at),
        stone.dropped_by,
        *(part for one in named for part in one),
    )


def verify_tombstone(stone: Tombstone, previous: Tombstone | None, ranges: Sequence[Range]) -> str | None:
    """Why a tombstone does not follow the one before it, or is not what was written; None when it holds."""
    chained = stone.branch == "workflow_event_chained"
    named = sum(each.last_seq - each.first_seq + 1 for each in ranges)
    if (stone.seq, stone.prev_hash) != ((1, b"") if previous is None else (previous.seq + 1, previous.hash)):
        return "it does not continue the tombstone before it"
    if chained and (named, len({(each.object_kind, each.object_id) for each in ranges})) != (
        stone.events,
        stone.chains,
    ):
        return "the ranges it names were changed: they have other numbers of events or chains"
    if tombstone_hash(stone, ranges) != stone.hash:
        return "its content does not match its hash, or the ranges it names were changed"
    over = datetime(stone.month.year + stone.month.month // 12, stone.month.month % 12 + 1, 1, tzinfo=UTC)
    if over + timedelta(days=stone.days) > stone.dropped_at:
        return f"the policy kept its month until {over + timedelta(days=stone.days):%Y-%m-%d}"
    return None


def verify_chain(links: Iterable[Link], head: Head | None, dropped: Iterable[Range] = ()) -> Break | None:
    """The first break in one object's chain, or None. Links come in the order of `seq`.

    A chain begins at 1 with an empty previous hash. Where links are missing, a range that was dropped must stand for
    exactly those; it ends where the head says, so that cutting off its tail shows too.
    """
    seq, latest = 0, b""
    known: Link | Range | None = None
    ranges: list[Link | Range] = sorted(dropped, key=_place)
    for part in merge(links, ranges, key=_place):
        reason = _why_broken(part, seq, latest)
        if reason:
            return Break(part.object_kind, part.object_id, _place(part), reason)
        seq, latest = (part.last_seq, part.last_hash) if isinstance(part, Range) else (part.seq, part.hash)
        known = part
    if known is None:
        return None
    if head is None:
        return Break(known.object_kind, known.object_id, seq, "the chain has no head")
    if (head.seq, head.hash) != (seq, latest):
        missing = seq + 1 if head.seq > seq else seq
        said = f"the chain ends at {seq}, its head says {head.seq}: events were removed or added"
        return Break(known.object_kind, known.object_id, missing, said)
    return None


def _why_broken(part: Link | Range, seq: int, latest: bytes) -> str | None:
    """Why a link, or a range in its place, does not follow the number and the hash before it."""
    if _place(part) != seq + 1:
        return f"it follows event {seq}: events are missing or repeated" if seq else "the events before it are missing"
    if part.prev_hash != latest:
        return "it does not continue the event before it" if seq else "the first event names a predecessor"
    if isinstance(part, Link) and link_hash(part) != part.hash:
        return "its content does not match its hash: it was changed"
    return None


def _place(part: Link | Range) -> int:
    return part.first_seq if isinstance(part, Range) else part.seq


def _microseconds(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1)


def _digest(prev_hash: bytes, *parts: object) -> bytes:
    digest = hashlib.sha256(prev_hash)
    for part in parts:
        raw = str(part).encode()
        digest.update(f"{len(raw)}:".encode() + raw)
    return digest.digest()
