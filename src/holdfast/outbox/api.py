"""The outbox of one tenant, `hold.outbox`: publish in your transaction, look, replay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from holdfast.audit import record
from holdfast.errors import Conflict, InvalidInput, NotFound
from holdfast.kernel.clock import Clock
from holdfast.kernel.cursor import check_limit, decode_id_cursor, encode_cursor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import encode
from holdfast.kernel.names import check_text
from holdfast.kernel.page import Page, read_in_windows
from holdfast.kernel.traces import current_trace_parent
from holdfast.outbox.model import STATUSES, EventInfo, EventStats, NewEvent, OutboxStats, check_type
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx

__all__ = ["Outbox", "drop_published"]

_SQL = queries("outbox")
_REPLAYED_AT_MOST = 10_000


class Outbox:
    """The events of one tenant."""

    def __init__(self, tx: TenantTx, *, payload_limit: int) -> None:
        self._tx = tx
        self._payload_limit = payload_limit

    async def publish(
        self,
        type: str,  # noqa: A002 - it is the type
        data: Any = None,
        *,
        aggregate: tuple[str, str | UUID] | None = None,
        subject: str | None = None,
        trace_parent: str | None = None,
    ) -> UUID:
        """Publish one event: it is sent if, and only if, your transaction commits. Answers with its id.

        Events of one aggregate, such as ("invoice", "42"), are sent in the order in which they were published, and
        whoever publishes for an aggregate waits for others who do and have not committed yet. Without an aggregate the
        subject is one; without either, the event waits for no other.
        """
        event = NewEvent(type, {} if data is None else data, aggregate, subject, trace_parent)
        return (await self.publish_many([event]))[0]

    async def publish_many(self, events: Iterable[NewEvent]) -> list[UUID]:
        """Publish events in the order given, in this transaction; all of them or none."""
        self._tx.require("outbox:write")
        wanted = list(events)
        if not wanted:
            return []
        places = [event.check() for event in wanted]
        ids = [uuid7() for _ in wanted]
        trace = current_trace_parent()
        values = {
            "ids": ids,
            "types": [event.type for event in wanted],
            "payloads": [encode("data", event.data, limit=self._payload_limit) for event in wanted],
            "aggregate_types": [kind for kind, _, _ in places],
            "aggregate_ids": [identity for _, identity, _ in places],
            "subjects": [subject for _, _, subject in places],
            "trace_parents": [event.trace_parent or trace for event in wanted],
        }
        await self._tx.run(_SQL["publish"], **values, actor=str(self._tx.actor))
        return ids

    async def get(self, event_id: UUID) -> EventInfo:
        """One event, sent or not."""
        self._tx.require("outbox:read")
        return await self._find(event_id)

    async def stats(self) -> OutboxStats:
        """How much there is to send, by type and status, and what is stuck."""
        self._tx.require("outbox:read")
        types = [EventStats(**row) for row in await self._tx.rows(_SQL["stats"])]
        lanes = await self._tx.row(_SQL["held_lanes"])
        assert lanes is not None
        return OutboxStats(
            types,
            waiting=sum(one.events for one in types if one.status in ("pending", "processing")),
            dead=sum(one.events for one in types if one.status == "dead"),
            blocked=lanes["lanes"],
            oldest=min((one.oldest for one in types if one.oldest), default=None),
        )

    async def replay(self, event_id: UUID) -> EventInfo:
        """Send an event again, with the same id: a dead one, a published one, or one that waits for another attempt."""
        self._tx.require("outbox:operate")
        row = await self._tx.row(_SQL["replay"], id=event_id)
        if row is None or row["was"] is None:
            raise _unknown(event_id)
        await record(self._tx, "outbox", event_id, "outbox.replayed", {"was": row["was"]})
        return await self._find(event_id)

    async def replay_dead(self, *, type: str | None = None) -> list[UUID]:  # noqa: A002 - it is the type
        """Send every dead event again, or those of one type; up to ten thousand at a time. Answers with which."""
        self._tx.require("outbox:operate")
        if type is not None:
            check_type(type)
        rows = await self._tx.rows(_SQL["replay_dead"], type=type, most=_REPLAYED_AT_MOST)
        for row in rows:
            await record(self._tx, "outbox", row["id"], "outbox.replayed", {"was": "dead"})
        return [row["id"] for row in rows]

    async def skip(self, event_id: UUID, *, reason: str) -> EventInfo:
        """Let the events of an aggregate that wait behind a dead one go on without it. It stays dead."""
        self._tx.require("outbox:operate")
        check_text("reason", reason, maximum=1000)
        before = await self._find(event_id)
        row = await self._tx.row(_SQL["skip"], id=event_id)
        if row is None or not row["done"]:
            raise Conflict(
                f"the event {event_id} is {before.status} and holds nothing back",
                hint="only a dead event that others wait for can be skipped",
            )
        await record(self._tx, "outbox", event_id, "outbox.skipped", {"reason": reason})
        return await self._find(event_id)

    async def list(
        self,
        *,
        status: str | None = None,
        prefix: str | None = None,
        aggregate: tuple[str, str | UUID] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[EventInfo]:
        """Events, newest first."""
        self._tx.require("outbox:read")
        check_limit(limit)
        if status is not None and status not in STATUSES:
            raise InvalidInput(
                f"status {status!r} is unknown", hint=f"use one of {', '.join(STATUSES)}", field="status"
            )
        if prefix is not None:
            check_text("prefix", prefix)
        if aggregate is not None:
            NewEvent("x", aggregate=aggregate).check()
        kind, identity = (aggregate[0], str(aggregate[1])) if aggregate else (None, None)
        query = {"status": status, "prefix": prefix, "aggregate_type": kind, "aggregate_id": identity}
        before = decode_id_cursor(query, cursor)

        async def window(last: Row | None, most: int) -> list[Row]:
            where = {"before": before if last is None else last["id"], "limit": most}
            return await self._tx.rows(_SQL["list"], **query, **where)

        rows, more = await read_in_windows(window, limit + 1, "data")
        items = [EventInfo(**row) for row in rows[:limit]]
        return Page(items, encode_cursor(query, [str(items[-1].id)]) if more else None)

    async def _find(self, event_id: UUID) -> EventInfo:
        row = await self._tx.row(_SQL["get"], id=event_id)
        if row is None:
            raise _unknown(event_id)
        return EventInfo(**row)


async def drop_published(database: Database, clock: Clock) -> list[str]:
    """Retention: drop the months of published events that nobody wants any more; the names of what was dropped."""
    values = {"now": clock.now(), "days": database.settings.outbox_retention}
    async with database.connection() as connection:
        cursor = await connection.execute(_SQL["drop_published"], values)
        return [name for (name,) in await cursor.fetchall()]


def _unknown(event_id: UUID) -> NotFound:
    return NotFound(f"there is no event {event_id}", hint="`holdfast outbox list` shows them", event=str(event_id))
