"""Housekeeping for processes: receipts, delivered events and expired ones do not stay for ever."""

from __future__ import annotations

from dataclasses import dataclass

from psycopg.rows import dict_row

from holdfast.kernel.clock import Clock
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries

__all__ = ["Pruned", "prune"]

_SQL = queries("processes")
_AT_MOST = 10_000
"""Rows, or instances, of one round; the next round goes on from there."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """What one round took away."""

    receipts: int
    delivered: int
    expired: int


async def prune(database: Database, clock: Clock) -> Pruned:
    """One round over the whole installation."""
    async with database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
        values = {"now": clock.now(), "days": database.settings.process_retention, "at_most": _AT_MOST}
        await cursor.execute(_SQL["prune"], values)
        row = await cursor.fetchone()
        assert row is not None
        return Pruned(**row)
