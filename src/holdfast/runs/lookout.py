"""The lookout: finds out where there is work, by looking every so often and by notifications in between.

Looking also does what somebody must do all the time: make due runs ready, take back those whose lease expired, wake
those whose event happened. Notifications only make an idle worker fast; without them, looking finds the same.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, LiteralString

from psycopg import AsyncConnection

from holdfast.kernel.clock import Clock
from holdfast.postgres.connect import allow_prepared, reach
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.wire import PATIENCE, Wire
from holdfast.runs.announcement import Announcement

__all__ = ["Lookout", "own_wire"]

_SQL = queries("runs")


class Lookout:
    """Tells of lanes that have, or may have, something ready: `found(tenant, type, weight)`."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        found: Callable[[str, str, int | None], None],
        *,
        prefixes: list[str],
        types: list[str],
        poll_interval: float,
        announcement: Announcement,
    ) -> None:
        self._announcement = announcement
        self._database = database
        self._clock = clock
        self._found = found
        self._prefixes = prefixes
        self._types = types
        self._poll_interval = poll_interval
        self._soon = asyncio.Event()

    def look_soon(self) -> None:
        """Look at once instead of after the pause."""
        self._soon.set()

    def hear(self, text: str | None) -> None:
        """A notification: `tenant:type` has something to do, or nothing in particular: look."""
        tenant, _, kind = (text or "").partition(":")
        if not kind:
            self.look_soon()
        elif kind in self._types or any(kind.startswith(prefix) for prefix in self._prefixes):
            self._found(tenant, kind, None)

    async def due(self) -> bool:
        """Whether a run is due now, by the clock."""
        async with self._database.connection() as connection:
            await self._tend(connection)
            return bool(await self._ready(connection))

    async def watch(self, persist: Callable[[str, Callable[[], Awaitable[None]]], Awaitable[None]]) -> None:
        """Look, again and again. For as long, others are told that this worker is there."""
        try:
            await persist("looking for runs", self._watch)
        finally:
            await self._announcement.withdraw(self._database)

    async def _watch(self) -> None:
        # Not one of the pool's connections: handlers may hold every one of those.
        async with reach(self._database.where.app, timeout=self._database.settings.connect_timeout) as connection:
            await allow_prepared(connection, after=2)
            await self._find_ready(connection)
            while True:
                self._soon.clear()
                await self._announcement.renew(connection, self._clock)
                pause = await self._look(connection)
                # Not wait_for(): in Python 3.11 it may swallow a cancellation that comes with the event.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._soon.wait()

    async def _look(self, connection: AsyncConnection[Any]) -> float:
        await self._database.check_schema(connection)
        due = await self._tend(connection)
        await self._find_ready(connection)
        return self._pause_until([(row[2], row[3]) for row in due])

    async def _find_ready(self, connection: AsyncConnection[Any]) -> None:
        for tenant, kind, weight in await self._ready(connection):
            self._found(tenant, kind, weight)
        self._database.outage.ended()

    async def _tend(self, connection: AsyncConnection[Any]) -> list[tuple[Any, ...]]:
        settings = self._database.settings
        values = {"event_level": settings.run_events, "publishes": settings.run_publishes, "now": self._clock.now()}
        return await self._ask(connection, _SQL["tend"], values)

    async def _ready(self, connection: AsyncConnection[Any]) -> list[tuple[Any, ...]]:
        return await self._ask(connection, _SQL["ready_lanes"], {"prefixes": self._prefixes, "types": self._types})

    async def _ask(
        self, connection: AsyncConnection[Any], query: LiteralString, values: Mapping[str, Any]
    ) -> list[tuple[Any, ...]]:
        # A server that accepts statements but never answers must not keep us from asking another one.
        async with asyncio.timeout(PATIENCE):
            return await (await connection.execute(query, values)).fetchall()

    def _pause_until(self, due: list[tuple[datetime, datetime]]) -> float:
        """Until the next delayed run is due, at most the polling interval."""
        soonest = min(((at - now).total_seconds() for at, now in due), default=self._poll_interval)
        return min(self._poll_interval, max(0.005, soonest))


@asynccontextmanager
async def own_wire(database: Database) -> AsyncIterator[Wire]:
    """Not one of the pool's connections: a worker must be able to settle while handlers hold every pooled one."""
    async with reach(database.where.app, timeout=database.settings.connect_timeout) as connection:
        await allow_prepared(connection)
        async with Wire(connection) as wire:
            yield wire
