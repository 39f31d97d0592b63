"""What happened to one key, newest first, as the audit trail has it: who, when, which revision, on whose behalf."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from holdfast.data.checks import check_key
from holdfast.errors import NotFound
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.page import Page
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["KeyEvent", "key_history"]

_SQL = queries("data")
_TRAIL = queries("audit")


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """Something that happened to a key. The trail keeps no values."""

    event_type: str
    revision: int | None
    actor: str
    run_id: UUID | None
    instance_id: UUID | None
    at: datetime


async def key_history(
    tx: TenantTx, namespace: str, key: str, *, limit: int = 50, cursor: str | None = None
) -> Page[KeyEvent]:
    """The events of a key since it was made; those of an earlier key of that name are in the trail."""
    tx.require("data:read")
    check_key(namespace, key)
    check_limit(limit)
    query = {"namespace": namespace, "key": key}
    before_at, before_id = (None, None) if cursor is None else decode_cursor(query, cursor, (datetime, int))
    known = await tx.row(_SQL["store_id"], namespace=namespace, key=key)
    if known is None:
        raise NotFound(f"there is no key {key!r} in {namespace!r}", namespace=namespace, key=key)
    rows = await tx.rows(
        _TRAIL["object_timeline"],
        object_id=known["store_id"],
        object_kind="data",
        before_at=before_at,
        before_id=before_id,
        limit=limit + 1,
    )
    items = [_event(row) for row in rows[:limit]]
    last = rows[limit - 1] if len(rows) > limit else None
    return Page(items, None if last is None else encode_cursor(query, [last["created_at"].isoformat(), last["id"]]))


def _event(row: dict[str, Any]) -> KeyEvent:
    facts = row["data"]
    run, instance = facts.get("run_id"), facts.get("instance_id")
    return KeyEvent(
        row["event_type"],
        facts.get("revision"),
        row["actor"],
        None if run is None else UUID(run),
        None if instance is None else UUID(instance),
        row["created_at"],
    )
