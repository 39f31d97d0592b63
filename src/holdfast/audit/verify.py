"""Walk every chain of a tenant and name the first link that does not hold.

The hashes are computed here, in Python, from what is stored; the database is only asked for its rows. Rows stream
through a server-side cursor, so a trail of any length is checked in constant memory. Where links were dropped, a
tombstone must stand for exactly those: it follows the one before it, is signed with a key of the installation, and was
left when the policy of that time allowed it. What anchors outside say of a chain must be what is found in it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg.rows import class_row

from holdfast.audit.model import Verdict
from holdfast.kernel.audit import Break, Head, Link, Range, Tombstone, verify_chain, verify_tombstone
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

if TYPE_CHECKING:
    from holdfast.kernel.keyring import Keyring

__all__ = ["TOMBSTONES", "Anchored", "Chain", "verify"]

_SQL = queries("audit")
_INSTALLATION = queries("install")

TOMBSTONES = "audit tombstone"
"""What tombstones are signed for."""

Chain = tuple[str, UUID]
Anchored = Mapping[Chain, Mapping[int, bytes]]
"""What anchors say: of which chain, at which number, which hash."""


async def verify(tx: TenantTx, keyring: Callable[[], Keyring], anchored: Anchored | None = None) -> Verdict:
    """Check every chain of the transaction's tenant, also those that lost all their events."""
    rows = await tx.rows(_SQL["chain_heads"])
    heads = {(row["object_kind"], row["object_id"]): Head(row["seq"], bytes(row["hash"])) for row in rows}
    dropped = await _tombstones(tx, keyring)
    breaks = dropped.breaks
    stated = dict(anchored or {})
    chains = events = 0
    async for chain in _chains(tx):
        chains += 1
        events += len(chain)
        key = (chain[0].object_kind, chain[0].object_id)
        ranges = dropped.ranges.pop(key, [])
        broken = verify_chain(chain, heads.pop(key, None), ranges) or _denied(key, stated.pop(key, {}), chain, ranges)
        if broken:
            breaks.append(broken)
    for key in {**heads, **dropped.ranges}:
        ranges, head = dropped.ranges.get(key, []), heads.get(key)
        if not ranges and head is not None:
            breaks.append(Break(*key, 1, f"all {head.seq} events of the chain are missing"))
        elif broken := verify_chain([], head, ranges) or _denied(key, stated.pop(key, {}), [], ranges):
            breaks.append(broken)
        stated.pop(key, None)
    breaks += [
        Break(*key, max(said), "an anchor knows the chain, of which nothing is left") for key, said in stated.items()
    ]
    return Verdict(chains, events, tuple(breaks), dropped.events)


def _denied(key: Chain, said: Mapping[int, bytes], links: list[Link], ranges: list[Range]) -> Break | None:
    """The first number of a chain at which an anchor says something else than is there."""
    found = {link.seq: link.hash for link in links} | {each.last_seq: each.last_hash for each in ranges}
    for seq, hash_ in sorted(said.items()):
        # Of what was dropped only the last hash of a range is left; its tombstone vouches for those before.
        within = any(each.first_seq <= seq < each.last_seq for each in ranges)
        if not within and found.get(seq) != hash_:
            return Break(*key, seq, "an anchor says otherwise: the chain was rewritten or cut off")
    return None


@dataclass(slots=True)
class _Dropped:
    """What tombstones stand for, by chain, and which of them do not hold."""

    ranges: dict[Chain, list[Range]] = field(default_factory=dict)
    breaks: list[Break] = field(default_factory=list)
    events: int = 0


async def _tombstones(tx: TenantTx, keyring: Callable[[], Keyring]) -> _Dropped:
    found = _Dropped()
    named: dict[int, list[Range]] = {}
    for row in await tx.rows(_SQL["tombstone_ranges"]):
        seq = row.pop("seq")
        each = Range(**(row | {name: bytes(row[name]) for name in ("prev_hash", "last_hash")}))
        named.setdefault(seq, []).append(each)
        found.ranges.setdefault((each.object_kind, each.object_id), []).append(each)
    policies = await _policies(tx) if (rows := await tx.rows(_SQL["tombstones"])) else {}
    previous: Tombstone | None = None
    for row in rows:
        stone = _stone(row)
        reason = verify_tombstone(stone, previous, named.pop(stone.seq, []))
        reason = reason or _unsigned(stone, keyring()) or _forbidden(stone, policies)
        if reason:
            found.breaks.append(Break("tombstone", stone.tenant, stone.seq, reason))
        if stone.branch == "workflow_event_chained":
            found.events += stone.events
        previous = stone
    found.breaks += [Break("tombstone", tx.tenant.id, seq, "it is missing, its ranges are left") for seq in named]
    return found


def _unsigned(stone: Tombstone, keyring: Keyring) -> str | None:
    if stone.key_id is None or stone.signature is None:
        return "it is not signed: somebody without the keys dropped the month"
    if not keyring.check(stone.key_id, stone.signature, stone.hash, TOMBSTONES):
        return "its signature is not ours"
    return None


def _forbidden(stone: Tombstone, policies: Mapping[str, list[tuple[datetime, int | None]]]) -> str | None:
    """Whether the policy of that time was another than the tombstone says."""
    days = [days for since, days in policies.get(stone.branch, []) if since <= stone.dropped_at]
    if not days or days[-1] != stone.days:
        kept = "for ever" if not days or days[-1] is None else f"for {days[-1]} days"
        return f"the policy kept its month {kept}, not for the {stone.days} days it names"
    return None


async def _policies(tx: TenantTx) -> dict[str, list[tuple[datetime, int | None]]]:
    found: dict[str, list[tuple[datetime, int | None]]] = {}
    for row in await tx.rows(_INSTALLATION["retention_history"]):
        since = row["since"] or datetime.min.replace(tzinfo=UTC)
        found.setdefault(row["branch"], []).append((since, row["days"]))
    return found


def _stone(row: Mapping[str, Any]) -> Tombstone:
    hashes = {name: bytes(row[name]) for name in ("prev_hash", "hash")}
    signature = None if row["signature"] is None else bytes(row["signature"])
    return Tombstone(**{**row, **hashes, "signature": signature})


async def _chains(tx: TenantTx) -> AsyncIterator[list[Link]]:
    chain: list[Link] = []
    key: Chain | None = None
    async for row in tx.stream(_SQL["chained_events"], rows=class_row(_Row), size=2000):
        link = row.link()
        if key is not None and key != (link.object_kind, link.object_id):
            yield chain
            chain = []
        key = (link.object_kind, link.object_id)
        chain.append(link)
    if chain:
        yield chain


class _Row:
    """A link as it comes from the database, where bytea may be a memoryview and hashes may be missing."""

    def __init__(self, **columns: Any) -> None:
        self._columns = columns

    def link(self) -> Link:
        hashes = {name: bytes(self._columns[name] or b"") for name in ("prev_hash", "hash")}
        return Link(**(self._columns | hashes))
