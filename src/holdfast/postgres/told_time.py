"""Telling a past: while the block lasts, the owner of the schema lets events have the time that they are said to have.

Everywhere else an event has the time of its transaction, and the database refuses any other (`holdfast.trusted_time`).
What lets it be otherwise is an advisory lock of a session of the owner: a role of the application cannot give itself
that, and should this process be killed, the lock is gone with its connection.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import psycopg

__all__ = ["TOLD_TIME_LOCK", "told_time"]

TOLD_TIME_LOCK: Final = (0x484F4C44, 0x54494D45)
"""HOLD, TIME: as `holdfast.trusted_time` looks for it."""


@asynccontextmanager
async def told_time(admin_dsn: str) -> AsyncIterator[None]:
    """Hold the lock, on a connection of the schema's owner."""
    async with await psycopg.AsyncConnection.connect(admin_dsn, autocommit=True) as connection:
        await connection.execute("SELECT pg_advisory_lock(%s, %s)", TOLD_TIME_LOCK)
        try:
            yield
        finally:
            # Given up by us: a server takes a moment to notice that a connection is closed.
            await connection.execute("SELECT pg_advisory_unlock(%s, %s)", TOLD_TIME_LOCK)
