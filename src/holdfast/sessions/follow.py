"""Messages as they come: read from the table in order, woken by notifications, never relying on them.

Every message is read by its number, after the last one that was given, so a reader that comes back with that number
misses nothing and gets nothing twice, whatever happened to it, to the server or to the notification.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import psycopg

from holdfast.errors import DatabaseUnreachable, HoldfastError, NotFound
from holdfast.kernel.actor import Actor
from holdfast.kernel.clock import Clock
from holdfast.postgres.connect import reach
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, Tenant
from holdfast.sessions.model import Message

__all__ = ["Bell", "follow"]

_SQL = queries("sessions")
_LOOK_SECONDS = 1.0
_PAGE = 500


class Bell:
    """One connection of a process that hears of new messages, for all who follow sessions here."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._listening: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def heard(self, session: UUID) -> AsyncIterator[asyncio.Event]:
        """An event that is set when the session has something new, or may have."""
        if self._listening is None or self._listening.done():
            self._listening = asyncio.create_task(self._listen(), name="holdfast-sessions-bell")
        event = asyncio.Event()
        self._waiting[str(session)].add(event)
        try:
            yield event
        finally:
            self._waiting[str(session)].discard(event)
            if not self._waiting[str(session)]:
                del self._waiting[str(session)]

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            try:
                async with reach(self._database.where.listen) as connection:
                    await connection.execute("LISTEN holdfast_sessions")
                    self._ring(None)
                    async for notice in connection.notifies():
                        self._ring(notice.payload)
            except (HoldfastError, psycopg.Error) as error:
                await self._database.wait_out(error, "listening for messages", tolerant=True)

    def _ring(self, session: str | None) -> None:
        for name in [session] if session is not None else list(self._waiting):
            for event in self._waiting.get(name, ()):
                event.set()


async def follow(
    database: Database, bell: Bell, tenant: Tenant, actor: Actor, clock: Clock, session: UUID, name: str, after: int
) -> AsyncIterator[Message]:
    """The messages of a session after a number, as they come; ends when the session has."""
    async with bell.heard(session) as event:
        while True:
            event.clear()
            try:
                status, last, rows = await _read(database, tenant, actor, clock, session, name, after)
            except DatabaseUnreachable as error:
                await database.wait_out(error, "following a session")
                continue
            for row in rows:
                after = row["sequence_number"]
                yield Message(**row)
            if after >= last:
                if status in ("completed", "failed"):
                    return
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_SECONDS):
                        await event.wait()


async def _read(
    database: Database, tenant: Tenant, actor: Actor, clock: Clock, session: UUID, name: str, after: int
) -> tuple[str, int, list[Row]]:
    async with database.transaction(tenant, actor, clock) as tx:
        one = await tx.one(_SQL["find"], name=name)
        if one is None or one["id"] != session:
            raise NotFound(f"the session {name!r} is gone", hint="it was deleted", session=name)
        rows = await tx.all(_SQL["messages"], session=session, after=after, type=None, limit=_PAGE)
        return one["status"], one["last_sequence"], rows
