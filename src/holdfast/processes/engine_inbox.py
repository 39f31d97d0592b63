"""The engine inbox for operators: what was given up (dead letters), and what from outside waits for somebody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from holdfast.documents import Access
from holdfast.errors import InvalidInput
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.page import Page
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["BufferedEvent", "DeadLetter", "EngineInbox"]

_SQL = queries("processes")
_MOST_REPLAYED = 1000


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """An event that the engine gave up."""

    id: UUID
    instance_id: UUID
    entity_type: str | None
    document_id: UUID | None
    event_type: str
    attempts: int
    error: str | None
    needs: str | None
    actor: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class BufferedEvent:
    """An event from outside that nobody has waited for yet."""

    id: UUID
    event_key: str
    actor: str
    received_at: datetime
    expires_at: datetime


class EngineInbox:
    """What the engine is to take up, and could not; `hold.processes.inbox`."""

    def __init__(self, tx: TenantTx, access: Access) -> None:
        self._tx = tx
        self._access = access

    async def dead_letters(
        self,
        *,
        event_type: str | None = None,
        instance_id: UUID | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[DeadLetter]:
        """Events that were given up, the latest first."""
        self._tx.require("processes:read")
        check_limit(limit)
        query = {"dead": event_type, "instance": instance_id and str(instance_id)}
        before_at, before = _position(query, cursor)
        rows = await self._tx.rows(
            _SQL["dead_letters"],
            event_type=event_type,
            instance_id=instance_id,
            before_at=before_at,
            before=before,
            limit=limit + 1,
        )
        # What went wrong is often told with the values it went wrong with.
        seen = await self._access.instances_seen({row["instance_id"] for row in rows[:limit]}, "dead letters")
        items = [
            DeadLetter(**row | {"error": row["error"] if row["instance_id"] in seen else None}) for row in rows[:limit]
        ]
        last = items[-1] if len(rows) > limit else None
        after = None if last is None else encode_cursor(query, [last.created_at.isoformat(), str(last.id)])
        return Page(items, after)

    async def replay_all(self, *, event_type: str | None = None, instance_id: UUID | None = None) -> int:
        """Let every dead letter that matches be tried again, a thousand at most; how many they are."""
        self._tx.require("processes:operate")
        rows = await self._tx.rows(
            _SQL["replay_dead_letters"],
            event_type=event_type,
            instance_id=instance_id,
            most=_MOST_REPLAYED,
            actor=str(self._tx.actor),
        )
        return sum(row["done"] for row in rows)

    async def buffered(
        self, *, event_key: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[BufferedEvent]:
        """Events that were kept because nobody waited for them, the latest first."""
        self._tx.require("processes:read")
        check_limit(limit)
        query = {"buffered": event_key}
        before_at, before = _position(query, cursor)
        rows = await self._tx.rows(
            _SQL["buffered_events"], event_key=event_key, before_at=before_at, before=before, limit=limit + 1
        )
        items = [BufferedEvent(**row) for row in rows[:limit]]
        last = items[-1] if len(rows) > limit else None
        after = None if last is None else encode_cursor(query, [last.received_at.isoformat(), str(last.id)])
        return Page(items, after)


def _position(query: Mapping[str, Any], cursor: str | None) -> tuple[datetime | None, UUID | None]:
    if cursor is None:
        return None, None
    at, last = decode_cursor(query, cursor, (str, str))
    try:
        return datetime.fromisoformat(at), UUID(last)
    except ValueError:
        raise InvalidInput("the cursor is damaged", hint="start again without a cursor", field="cursor") from None
