"""Events of one tenant: written in the transaction of the change they tell of, read newest first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg.types.json import Jsonb

from holdfast.audit.model import AuditEvent, Verdict
from holdfast.audit.verify import Anchored, verify
from holdfast.errors import InvalidInput
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.json import dump
from holdfast.kernel.page import Page
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.settings import CHAINED_KINDS, PLAIN_KINDS

if TYPE_CHECKING:
    from holdfast.kernel.keyring import Keyring

__all__ = ["Trail", "record"]

_SQL = queries("audit")
Redact = Callable[[Sequence[AuditEvent]], Awaitable[list[AuditEvent]]]
"""Takes out of events what their reader may not see."""


async def record(
    tx: TenantTx,
    object_kind: str,
    object_id: UUID,
    event_type: str,
    data: Mapping[str, Any] | None = None,
    *,
    step_id: str | None = None,
    trace_id: str | None = None,
) -> None:
    """Append one event in the running transaction: it stands if, and only if, the change does."""
    await tx.run(
        _SQL["append_chained_event" if object_kind in CHAINED_KINDS else "append_plain_event"],
        object_kind=object_kind,
        object_id=object_id,
        event_type=event_type,
        actor=str(tx.actor),
        step_id=step_id,
        data=Jsonb(dict(data or {}), dumps=dump),
        trace_id=trace_id,
    )


class Trail:
    """The audit trail of one tenant, `hold.audit`."""

    def __init__(self, tx: TenantTx, keyring: Callable[[], Keyring], redact: Redact | None = None) -> None:
        self._tx = tx
        self._keyring = keyring
        self._redact = redact

    async def list(
        self,
        *,
        object_id: UUID | None = None,
        object_kind: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[AuditEvent]:
        """Events, newest first: of the tenant, of one kind of object, or of one object."""
        self._tx.require("audit:read")
        check_limit(limit)
        if object_kind is not None and object_kind not in (*CHAINED_KINDS, *PLAIN_KINDS):
            raise InvalidInput(
                f"object_kind {object_kind!r} is unknown",
                hint=f"use one of {', '.join((*CHAINED_KINDS, *PLAIN_KINDS))}",
                field="object_kind",
            )
        query = {"object_id": str(object_id) if object_id else None, "object_kind": object_kind}
        before_at, before_id = None, None
        if cursor is not None:
            before_at, before_id = decode_cursor(query, cursor, (datetime, int))
        rows = await self._tx.rows(
            _SQL["timeline" if object_id is None else "object_timeline"],
            object_id=object_id,
            object_kind=object_kind,
            before_at=before_at,
            before_id=before_id,
            limit=limit + 1,
        )
        items = [AuditEvent(**row) for row in rows[:limit]]
        more = len(rows) > limit
        position: list[str | int] = [items[-1].created_at.isoformat(), items[-1].id] if items else []
        if self._redact is not None:
            items = await self._redact(items)
        return Page(items, encode_cursor(query, position) if more else None)

    async def verify(self, *, anchored: Anchored | None = None) -> Verdict:
        """Check every hash chain of the tenant, what was dropped of it, and what anchors outside say of it."""
        self._tx.require("audit:read")
        return await verify(self._tx, self._keyring, anchored)
