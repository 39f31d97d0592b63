"""Housekeeping for processes: receipts and events that are done do not stay for ever, and old outputs are packed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg import AsyncCursor
from psycopg.rows import dict_row

from holdfast.kernel.clock import Clock
from holdfast.kernel.packing import pack
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries

__all__ = ["Pruned", "prune"]

_SQL = queries("processes")
_AT_MOST = 10_000
"""Rows, or instances, of one round; the next round goes on from there."""
_PACK, _PACKS = 1000, 10


@dataclass(frozen=True, slots=True)
class Pruned:
    """What one round took away."""

    receipts: int
    delivered: int
    expired: int
    packed: int
    """What steps gave twelve months ago, kept compressed from now on."""


async def prune(database: Database, clock: Clock) -> Pruned:
    """One round over the whole installation."""
    async with database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
        values = {"now": clock.now(), "days": database.settings.process_retention, "at_most": _AT_MOST}
        await cursor.execute(_SQL["prune"], values)
        row = await cursor.fetchone()
        assert row is not None
        return Pruned(**row, packed=await _pack(cursor, clock))


async def _pack(cursor: AsyncCursor[dict[str, Any]], clock: Clock) -> int:
    """Pack what is old, a thousand at a time; the next round goes on where this one ends."""
    done = 0
    for _ in range(_PACKS):
        await cursor.execute(_SQL["steps_to_pack"], {"now": clock.now(), "at_most": _PACK})
        rows = await cursor.fetchall()
        if not rows:
            break
        values = {
            "tenants": [row["tenant"] for row in rows],
            "moments": [row["created_at"] for row in rows],
            "ids": [row["id"] for row in rows],
            "packed": [pack(row["output"]) for row in rows],
            "now": clock.now(),
        }
        await cursor.execute(_SQL["pack_steps"], values)
        done += (await cursor.fetchone() or {"packed": 0})["packed"]
    return done
