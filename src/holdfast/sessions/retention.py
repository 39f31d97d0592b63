"""Housekeeping of checkpoints: those of sessions that ended long ago go; of those that wait, the latest stays."""

from __future__ import annotations

from typing import NamedTuple

from holdfast.kernel.clock import Clock
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries

__all__ = ["Pruned", "drop_old_checkpoints"]

_SQL = queries("sessions")
_BATCH = 200


class Pruned(NamedTuple):
    """How many finished sessions lost their checkpoints, and how many checkpoints waiting ones lost."""

    sessions: int
    checkpoints: int


async def drop_old_checkpoints(database: Database, clock: Clock, *, days: int | None = None) -> Pruned:
    """One round, a few sessions a transaction, until nothing old is left."""
    kept = database.settings.checkpoint_retention_days if days is None else days
    sessions = checkpoints = 0
    while True:
        async with database.connection() as connection:
            values = {"days": kept, "most": _BATCH, "now": clock.now()}
            row = await (await connection.execute(_SQL["prune_old"], values)).fetchone()
        assert row is not None
        sessions, checkpoints = sessions + row[0], checkpoints + row[1]
        if not any(row):
            return Pruned(sessions, checkpoints)
