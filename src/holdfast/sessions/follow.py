"""Messages as they come: read from the table in order, woken by notifications, never relying on them.

Every message is read by its number, after the last one that was given, so a reader that comes back with that number
misses nothing and gets nothing twice, whatever happened to it, to the server or to the notification.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final
from uuid import UUID

from holdfast.errors import DatabaseUnreachable, NotFound
from holdfast.kernel.actor import Actor
from holdfast.kernel.clock import Clock
from holdfast.kernel.sealing import Sealing
from holdfast.postgres.database import Database
from holdfast.postgres.listening import Bell, Channel
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, Tenant
from holdfast.sessions.model import Message, message_of

__all__ = ["NEWS", "follow"]

_SQL = queries("sessions")
NEWS: Final = Channel("holdfast_sessions")
_LOOK_SECONDS = 1.0
_PAGE = 500


async def follow(
    database: Database,
    bell: Bell,
    tenant: Tenant,
    actor: Actor,
    clock: Clock,
    session: UUID,
    name: str,
    after: int,
    sealing: Sealing,
) -> AsyncIterator[Message]:
    """The messages of a session after a number, as they come; ends when the session has."""
    async with bell.heard(str(session)) as event:
        while True:
            event.clear()
            try:
                status, last, rows = await _read(database, tenant, actor, clock, session, name, after)
            except DatabaseUnreachable as error:
                await database.wait_out(error, "following a session")
                continue
            for row in rows:
                after = row["sequence_number"]
                yield message_of(row, sealing, tenant.id)
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
        one = await tx.row(_SQL["find"], name=name)
        if one is None or one["id"] != session:
            raise NotFound(f"the session {name!r} is gone", hint="it was deleted", session=name)
        rows = await tx.rows(_SQL["messages"], session=session, after=after, type=None, limit=_PAGE)
        return one["status"], one["last_sequence"], rows
