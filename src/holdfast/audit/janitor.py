"""Keeps the monthly partitions: makes those ahead, drops what retention no longer wants.

Any number of janitors may run; an advisory lock in the database makes them take turns, and each step is idempotent.
"""

from __future__ import annotations

import logging

from holdfast.audit.model import Tidied
from holdfast.kernel.clock import Clock
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries

__all__ = ["tidy"]

_SQL = queries("install")
_log = logging.getLogger(__name__)


async def tidy(database: Database, clock: Clock) -> Tidied:
    """One round over the whole installation."""
    settings = database.settings
    dropped: list[str] = []
    async with database.connection() as connection:
        values = {"now": clock.now(), "months_ahead": settings.audit_months_ahead}
        row = await (await connection.execute(_SQL["create_partitions"], values)).fetchone()
        made = row[0] if row else 0
        for kind, days in sorted(settings.audit_retention.items()):
            cursor = await connection.execute(
                _SQL["drop_partitions"], {"now": clock.now(), "branch": f"workflow_event_{kind}", "days": days}
            )
            dropped.extend([name async for (name,) in cursor])
    if made or dropped:
        _log.info("partitions: %d made, dropped: %s", made, ", ".join(dropped) or "none")
    return Tidied(made, tuple(dropped))
