"""The inbox: what waits for a person, as themselves, in their roles, or for somebody who handed over to them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from holdfast.errors import InvalidInput
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.page import Page
from holdfast.people.model import InboxItem
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Inbox", "Which"]

_SQL = queries("people")
Which = Literal["mine", "role", "delegated", "overdue"]
_WHICH = ("mine", "role", "delegated", "overdue")


class Inbox:
    """The actor's own inbox, `hold.inbox`."""

    def __init__(self, tx: TenantTx) -> None:
        self._tx = tx

    async def list(
        self,
        *,
        which: Which | None = None,
        kind: Literal["approval", "task"] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[InboxItem]:
        """What waits for the actor: oldest first; overdue things by how long they are."""
        self._tx.require("processes:read")
        check_limit(limit)
        for field, value, known in (("which", which, _WHICH), ("kind", kind, ("approval", "task"))):
            if value is not None and value not in known:
                raise InvalidInput(f"{field} is {value!r}", hint=f"use one of {', '.join(known)}", field=field)
        actor = self._tx.actor
        query = {"inbox": actor.name, "which": which, "kind": kind}
        after_due, after = _position(query, cursor, overdue=which == "overdue")
        rows = await self._tx.rows(
            _SQL["inbox_overdue" if which == "overdue" else "inbox"],
            me=actor.name,
            roles=sorted(actor.roles),
            may_approve=actor.may("processes:approve"),
            which=which,
            kind=kind,
            after=after,
            after_due=after_due,
            limit=limit + 1,
        )
        items = [InboxItem(**row) for row in rows[:limit]]
        return Page(items, _cursor(query, items[-1], overdue=which == "overdue") if len(rows) > limit else None)


def _cursor(query: dict[str, Any], last: InboxItem, *, overdue: bool) -> str:
    if not overdue:
        return encode_cursor(query, [str(last.id)])
    assert last.due_at is not None
    return encode_cursor(query, [last.due_at.isoformat(), str(last.id)])


def _position(query: dict[str, Any], cursor: str | None, *, overdue: bool) -> tuple[datetime | None, UUID | None]:
    if cursor is None:
        return None, None
    *due, last = decode_cursor(query, cursor, (datetime, UUID) if overdue else (UUID,))
    return (due[0] if due else None), last
