"""Messages inside the product: rows that people find in their inbox. Sent twice, they arrive once.

Where payloads are encrypted, so are they: subject and body are one sealed text, in the body's place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from holdfast.effects.model import Delivery, Outgoing, Undelivered
from holdfast.effects.recipients import find_recipients, transaction_of
from holdfast.errors import KeyMissing
from holdfast.kernel.clock import Clock
from holdfast.kernel.cursor import check_limit, decode_id_cursor, encode_cursor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import decode_sent, dump
from holdfast.kernel.page import Page
from holdfast.kernel.sealing import IN_CLEAR, Sealing
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["InApp", "Notification", "Notifications", "notify"]

_SQL = queries("effects")
_MOST_COUNTED = 1000
_MOST_SUBJECT = 2000
_MOST_BODY = 100_000
_MOST_SEALED = 70_000
"""Bytes that, when they are sealed, still fit into a body."""


@dataclass(frozen=True, slots=True)
class Notification:
    """One message to one person."""

    id: UUID
    subject: str
    body: str
    instance_id: UUID | None
    request_id: UUID | None
    created_at: datetime
    read_at: datetime | None


async def notify(
    tx: TenantTx,
    names: Sequence[str],
    *,
    key: str,
    subject: str,
    body: str = "",
    instance_id: UUID | None = None,
    request_id: UUID | None = None,
    sealing: Sealing = IN_CLEAR,
) -> int:
    """Leave a message for people; those who have one of this key already get no other. How many were new."""
    subject, body = _stored(sealing, tx.tenant.id, subject[:_MOST_SUBJECT], body[:_MOST_BODY])
    return await tx.run(
        _SQL["notify_people"],
        ids=[uuid7() for _ in names],
        names=list(names),
        key=key,
        subject=subject,
        body=body,
        instance_id=instance_id,
        request_id=request_id,
    )


class InApp:
    """Sends effects of the kind `in_app`."""

    def __init__(self, database: Database, clock: Clock, sealing: Sealing = IN_CLEAR) -> None:
        self._database = database
        self._clock = clock
        self._sealing = sealing

    async def send(self, effect: Outgoing) -> Delivery:
        """Leave the message for everybody it is for."""
        async with transaction_of(self._database, effect.tenant, self._clock) as tx:
            names = [each.name for each in await find_recipients(tx, effect.payload.get("to", ()))]
            if not names:
                raise Undelivered("nobody_to_tell", "none of the people is an active user", again=False)
            await notify(
                tx,
                names,
                key=effect.key,
                subject=str(effect.payload.get("subject", "")),
                body=str(effect.payload.get("body", "")),
                instance_id=effect.instance_id,
                sealing=self._sealing,
            )
        return Delivery({"notified": names})


class Notifications:
    """The actor's own messages, `hold.notifications`."""

    def __init__(self, tx: TenantTx, sealing: Sealing = IN_CLEAR) -> None:
        self._tx = tx
        self._sealing = sealing

    async def list(self, *, unread: bool = False, limit: int = 50, cursor: str | None = None) -> Page[Notification]:
        """One's own messages, newest first."""
        check_limit(limit)
        query = {"notifications": self._tx.actor.name, "unread": unread}
        before = decode_id_cursor(query, cursor)
        rows = await self._tx.rows(
            _SQL["list_notifications"], name=self._tx.actor.name, unread=unread, before=before, limit=limit + 1
        )
        items = [_opened(self._sealing, self._tx.tenant.id, Notification(**row)) for row in rows[:limit]]
        more = len(rows) > limit
        return Page(items, encode_cursor(query, [str(items[-1].id)]) if more else None)

    async def mark_read(self, ids: Sequence[UUID]) -> int:
        """Mark some of one's own messages as read; how many were not yet."""
        return await self._tx.run(_SQL["read_notifications"], name=self._tx.actor.name, ids=list(ids))

    async def mark_all_read(self) -> int:
        """Mark all of one's own messages as read; how many were not yet."""
        return await self._tx.run(_SQL["read_all_notifications"], name=self._tx.actor.name)

    async def unread(self) -> int:
        """How many of one's own messages are not read yet; a thousand stands for that many or more."""
        row = await self._tx.row(_SQL["unread_notifications"], name=self._tx.actor.name, most=_MOST_COUNTED)
        assert row is not None
        return int(row["unread"])


def _stored(sealing: Sealing, tenant: UUID, subject: str, body: str) -> tuple[str, str]:
    if not sealing.encrypts:
        return subject, body
    while len((text := dump({"subject": subject, "body": body})).encode()) > _MOST_SEALED:
        body = body[: len(body) * 3 // 4]
    return "", sealing.seal(tenant, text)


def _opened(sealing: Sealing, tenant: UUID, stored: Notification) -> Notification:
    if stored.subject or not stored.body.startswith('{"$sealed"'):
        return stored
    try:
        text = sealing.open(tenant, stored.body)
    except KeyMissing:
        # One that cannot be opened, or only looks as if it were sealed, keeps nobody from the others.
        return stored
    return stored if text == stored.body else replace(stored, **decode_sent(text))
