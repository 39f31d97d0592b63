"""Forgets old checkpoints of a tenant: all of sessions that ended long ago, all but the latest of those that wait.

It is the handler of `session.retain.v1` runs. The schedule `holdfast.checkpoint-retention`, which comes with a tenant's
first session, enqueues one a day; an attempt that was cut short is made again, and goes on where the last one stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from holdfast.kernel.clock import Clock
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.runs.model import Run

__all__ = ["Pruned", "Retention", "drop_old_checkpoints"]

_SQL = queries("sessions")
_BATCH = 200


class Pruned(NamedTuple):
    """How many finished sessions lost their checkpoints, and how many checkpoints waiting ones lost."""

    sessions: int
    checkpoints: int


class Retention:
    """Forgets what is older than the settings of this process say."""

    def __init__(self, database: Callable[[], Database], clock: Clock) -> None:
        self._open = database
        self._clock = clock

    async def retain(self, run: Run) -> dict[str, Any]:
        """How much was forgotten, and how many days are kept."""
        database = self._open()
        done = await drop_old_checkpoints(database, self._clock, run.tenant)
        return {**done._asdict(), "days": database.settings.checkpoint_retention_days}


async def drop_old_checkpoints(
    database: Database, clock: Clock, tenant: UUID, *, days: int | None = None, batch: int = _BATCH
) -> Pruned:
    """A few sessions a transaction, until nothing old is left."""
    kept = database.settings.checkpoint_retention_days if days is None else days
    sessions = checkpoints = 0
    since = None
    while True:
        values = {"tenant": tenant, "since": since, "days": kept, "most": batch, "now": clock.now()}
        async with database.connection() as connection:
            row = await (await connection.execute(_SQL["prune_old"], values)).fetchone()
        assert row is not None
        finished, pruned, since = row
        sessions, checkpoints = sessions + finished, checkpoints + pruned
        if not finished and not pruned:
            return Pruned(sessions, checkpoints)
