"""Walk every chain of a tenant and name the first link that does not hold.

The hashes are computed here, in Python, from what is stored; the database is only asked for its rows. Rows stream
through a server-side cursor, so a trail of any length is checked in constant memory.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count
from typing import Any
from uuid import UUID

from psycopg.rows import class_row

from holdfast.audit.model import Verdict
from holdfast.kernel.audit import Break, Head, Link, verify_chain
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["verify"]

_SQL = queries("audit")
_names = count()


async def verify(tx: TenantTx) -> Verdict:
    """Check every chain of the transaction's tenant, also those that lost all their events."""
    heads = {
        (row["object_kind"], row["object_id"]): Head(row["seq"], bytes(row["hash"]))
        for row in await tx.rows(_SQL["chain_heads"])
    }
    counted = await tx.row(_SQL["months_of_chains_dropped"])
    shortened = counted is not None and counted["months"] > 0
    breaks: list[Break] = []
    chains = events = 0
    async for chain in _chains(tx):
        chains += 1
        events += len(chain)
        kind, object_id = chain[0].object_kind, chain[0].object_id
        broken = verify_chain(chain, heads.pop((kind, object_id), None), may_start_late=shortened)
        if broken:
            breaks.append(broken)
    breaks.extend(
        Break(kind, object_id, 1, f"all {head.seq} events of the chain are missing")
        for (kind, object_id), head in heads.items()
        if not shortened
    )
    return Verdict(chains, events, tuple(breaks))


async def _chains(tx: TenantTx) -> AsyncIterator[list[Link]]:
    chain: list[Link] = []
    key: tuple[str, UUID] | None = None
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
