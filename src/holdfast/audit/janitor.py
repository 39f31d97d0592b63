"""Keeps the monthly partitions: makes those ahead, drops what retention no longer wants.

Any number of janitors may run; an advisory lock in the database makes them take turns, and each step is idempotent.
What may be dropped is the database's to say. A month of events is dropped together with the signature of its
tombstones, or not at all: without keys nothing of the trail is dropped.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from psycopg import AsyncConnection

from holdfast.audit.model import Tidied
from holdfast.audit.verify import TOMBSTONES
from holdfast.kernel.clock import Clock
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries

if TYPE_CHECKING:
    from holdfast.kernel.keyring import Keyring

__all__ = ["tidy"]

_SQL = queries("install")
_log = logging.getLogger(__name__)


async def tidy(database: Database, clock: Clock, keyring: Keyring) -> Tidied:
    """One round over the whole installation."""
    settings = database.settings
    dropped: list[str] = []
    async with database.connection() as connection:
        values = {"now": clock.now(), "months_ahead": settings.audit_months_ahead}
        row = await (await connection.execute(_SQL["create_partitions"], values)).fetchone()
        made = row[0] if row else 0
        for kind, days in sorted(settings.audit_retention.items()):
            branch = f"workflow_event_{kind}"
            allowed = await _allowed(connection, branch, kind, days)
            if allowed is None:
                continue
            if not keyring:
                _log.info("%s events are not dropped: HOLDFAST_KEYS is not set, and who drops them must sign", kind)
                continue
            dropped += await _drop(connection, branch, allowed, clock, keyring)
    if made or dropped:
        _log.info("partitions: %d made, dropped: %s", made, ", ".join(dropped) or "none")
    return Tidied(made, tuple(dropped))


async def _allowed(connection: AsyncConnection[Any], branch: str, kind: str, days: int) -> int | None:
    """How long events are kept: as the database says, or longer when our settings say so; None is for ever."""
    row = await (await connection.execute(_SQL["current_retention"], {"branch": branch})).fetchone()
    policy: int | None = None if row is None else row[0]
    if policy != days:
        kept = "for ever" if policy is None else f"for {policy} days"
        _log.warning(
            "HOLDFAST_AUDIT_RETENTION says %s=%d, but the database keeps them %s: an administrator's "
            "`holdfast migrate` brings it the setting",
            *(kind, days, kept),
        )
    return None if policy is None else max(policy, days)


async def _drop(connection: AsyncConnection[Any], branch: str, days: int, clock: Clock, keyring: Keyring) -> list[str]:
    """Drop what has expired, and sign for it in the same transaction."""
    async with connection.transaction():
        cursor = await connection.execute(_SQL["drop_partitions"], {"now": clock.now(), "branch": branch, "days": days})
        dropped = [name async for (name,) in cursor]
        for tenant, seq, digest in await (await connection.execute(_SQL["new_tombstones"])).fetchall():
            key, signature = keyring.sign(bytes(digest), TOMBSTONES)
            values = {"tenant": tenant, "seq": seq, "key": key, "signature": signature}
            await connection.execute(_SQL["sign_tombstone"], values)
    return dropped
