"""The inbox: what waits for a person, as themselves, in their roles, or for somebody who handed over to them; and what
they have done. It never shows what the actor may not decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from holdfast.access.views import Views
from holdfast.documents import Access, Contracts
from holdfast.errors import InvalidInput
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.names import check_text
from holdfast.kernel.page import Page
from holdfast.people.headlines import read_headlines
from holdfast.people.model import InboxCounts, InboxItem, InboxView, tally
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx

__all__ = ["Inbox", "Kind", "Which"]

_SQL = queries("people")
Which = Literal["mine", "role", "delegated", "overdue", "done"]
Kind = Literal["approval", "task"]
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "which": ("mine", "role", "delegated", "overdue", "done"),
    "kind": ("approval", "task"),
}
_VIEWS: Final = Views(_SQL, InboxView, "inbox.views", ("which", "kind", "entity_type", "requester", "due_before"))
_MOST_COUNTED: Final = 1000


class Inbox:
    """The actor's own inbox, `hold.inbox`."""

    def __init__(self, tx: TenantTx, contracts: Contracts) -> None:
        self._tx = tx
        self._access = Access(tx, contracts)

    async def list(
        self,
        *,
        which: Which | None = None,
        kind: Kind | None = None,
        entity_type: str | None = None,
        requester: str | None = None,
        due_before: datetime | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[InboxItem]:
        """What waits for the actor: oldest first; overdue things by how long they are. `done`: latest first."""
        self._tx.require("processes:read")
        check_limit(limit)
        filters = _filters(which, kind, entity_type, requester, due_before)
        query = {"inbox": self._tx.actor.name, **filters, "due_before": due_before and due_before.isoformat()}
        after_due, after = _position(query, cursor, overdue=which == "overdue")
        name = {"overdue": "inbox_overdue", "done": "inbox_done"}.get(which or "", "inbox")
        rows = await self._tx.rows(_SQL[name], **self._me, **filters, after=after, after_due=after_due, limit=limit + 1)
        shown = rows[:limit]
        readable = await self._readable(shown)
        await self._access.note_read(
            {row["document_id"] for row in shown if row["snapshot_version_id"] in readable}, "inbox"
        )
        headlines = await read_headlines(self._tx, readable)
        items = [_item(row, headlines.get(row["snapshot_version_id"], [])) for row in shown]
        return Page(items, _cursor(query, shown[-1], which) if len(rows) > limit else None)

    async def counts(
        self,
        *,
        kind: Kind | None = None,
        entity_type: str | None = None,
        requester: str | None = None,
        due_before: datetime | None = None,
    ) -> InboxCounts:
        """How much waits for the actor, in each part of the inbox, and how much they have done."""
        self._tx.require("processes:read")
        filters = _filters(None, kind, entity_type, requester, due_before)
        row = await self._tx.row(_SQL["inbox_counts"], **self._me, **filters, most=_MOST_COUNTED)
        assert row is not None
        return InboxCounts(**row, most=_MOST_COUNTED)

    # --------------------------------------------------------------------------------------------------------- views

    async def views(self) -> Sequence[InboxView]:
        """The actor's own views, by name."""
        return await _VIEWS.list(self._tx)

    async def save_view(self, name: str, filters: Mapping[str, Any]) -> InboxView:
        """Keep filters of the inbox under a name; one of that name is replaced."""
        self._tx.require("processes:read")
        _check_view(filters)
        return await _VIEWS.save(self._tx, name, filters)

    async def delete_view(self, name: str) -> None:
        """Forget a view."""
        await _VIEWS.delete(self._tx, name)

    async def _readable(self, rows: Sequence[Row]) -> dict[UUID, frozenset[str]]:
        """The versions asked about that the actor may read, each with the fields of it that are hidden from them."""
        about = [row for row in rows if row["document_id"] is not None]
        sights = await self._access.requests_seen({row["document_id"]: row["entity_type"] for row in about})
        return {
            row["snapshot_version_id"]: self._access.hidden(row["entity_type"])
            for row in about
            if row["document_id"] in sights and sights[row["document_id"]].sees(row["entity_version"])
        }

    @property
    def _me(self) -> dict[str, Any]:
        actor = self._tx.actor
        may_approve = actor.may("processes:approve")
        return {"me": actor.name, "roles": sorted(actor.roles), "may_approve": may_approve}


def _filters(
    which: str | None, kind: str | None, entity_type: str | None, requester: str | None, due_before: datetime | None
) -> dict[str, Any]:
    for field, value in (("which", which), ("kind", kind)):
        if value is not None and value not in _CHOICES[field]:
            raise InvalidInput(f"{field} is {value!r}", hint=f"use one of {', '.join(_CHOICES[field])}", field=field)
    for field, text in (("entity_type", entity_type), ("requester", requester)):
        if text is not None:
            check_text(field, text, maximum=255)
    if due_before is not None and due_before.tzinfo is None:
        raise InvalidInput("due_before has no time zone", hint="such as 2026-06-04T12:00:00Z", field="due_before")
    found = {"kind": kind, "entity_type": entity_type, "requester": requester, "due_before": due_before}
    return {"which": which, **found}


def _check_view(filters: Mapping[str, Any]) -> None:
    _VIEWS.check(filters)
    due = filters.get("due_before")
    try:
        moment = None if due is None else datetime.fromisoformat(due)
    except ValueError:
        raise InvalidInput(f"due_before is {due!r}", hint="such as 2026-06-04T12:00:00Z", field="filters") from None
    named = [filters.get(name) for name in _VIEWS.filters[:-1]]
    _filters(named[0], named[1], named[2], named[3], moment)


def _item(row: Row, headline: Any) -> InboxItem:
    values = {name: value for name, value in row.items() if name not in ("asked", "votes", "required", "decision_id")}
    return InboxItem(**values, quorum=tally(row["required"], row["asked"] or [], row["votes"]), headline=headline)


def _cursor(query: dict[str, Any], last: Row, which: str | None) -> str:
    if which == "done":
        return encode_cursor(query, [str(last["decision_id"])])
    if which == "overdue":
        return encode_cursor(query, [last["due_at"].isoformat(), str(last["id"])])
    return encode_cursor(query, [str(last["id"])])


def _position(query: dict[str, Any], cursor: str | None, *, overdue: bool) -> tuple[datetime | None, UUID | None]:
    if cursor is None:
        return None, None
    *due, last = decode_cursor(query, cursor, (datetime, UUID) if overdue else (UUID,))
    return (due[0] if due else None), last
