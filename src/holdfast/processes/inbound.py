"""Events from outside: told by a key, matched with the steps that wait for it, kept while nobody does.

Telling an event and beginning to wait for it take the same lock, so an event never falls between the two: either it
finds the waiting step, or the step finds the event.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from holdfast.documents import event_row, post_events
from holdfast.envelope.tokens import EVENT_TTL
from holdfast.errors import InvalidInput
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import check_json, decode, dump
from holdfast.kernel.names import check_text
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["KeptEvent", "Told", "kept_events", "tell"]

_SQL = queries("processes")
_LONGEST_KEEP = timedelta(days=3650)
_PAGE = 50


@dataclass(frozen=True, slots=True)
class Told:
    """What became of an event that was told. `waiting` instances get it; with none, it is kept."""

    id: UUID
    new: bool
    waiting: tuple[UUID, ...]
    started: int


@dataclass(frozen=True, slots=True)
class KeptEvent:
    """An event that came before anybody waited for it."""

    id: UUID
    key: str
    payload: Any

    async def taken(self, tx: TenantTx, instance_id: UUID) -> None:
        """Nobody else gets it."""
        await tx.run(_SQL["take_event"], id=self.id, instance_id=instance_id)


async def kept_events(tx: TenantTx, key: str) -> AsyncIterator[KeptEvent]:
    """The events kept for a key, the oldest first: whoever does not accept one may accept the next."""
    after: dict[str, Any] = {"after_at": None, "after_id": None}
    while True:
        rows = await tx.rows(_SQL["kept_events"], key=key, limit=_PAGE, **after)
        for row in rows:
            yield KeptEvent(row["id"], key, decode(row["payload"]))
        if len(rows) < _PAGE:
            return
        after = {"after_at": rows[-1]["received_at"], "after_id": rows[-1]["id"]}


async def tell(
    tx: TenantTx,
    key: str,
    payload: Any = None,
    *,
    event_id: str | None = None,
    keep: timedelta = EVENT_TTL,
    trace_id: str | None = None,
) -> Told:
    """Tell of an event. Every instance that waits for its key hears of it; otherwise it is kept for a while.

    With `event_id`, the source's own name for the event, telling it again is telling it once.
    """
    check_text("key", key, maximum=500)
    check_json("payload", payload)
    if event_id is not None:
        check_text("event_id", event_id, maximum=500)
    if not timedelta(0) < keep <= _LONGEST_KEEP:
        raise InvalidInput(f"keep is {keep}", hint="keep it for some time, at most ten years", field="keep")
    await tx.run(_SQL["lock_event_key"], key=key)
    made = uuid7()
    row = await tx.row(
        _SQL["tell_event"],
        id=made,
        key=key,
        dedup_key=str(made) if event_id is None else event_id,
        payload=dump(payload),
        actor=str(tx.actor),
        trace_id=trace_id,
        keep=keep,
    )
    assert row is not None
    if not row["new"]:
        return Told(row["id"], False, (), 0)
    told = {"event_id": str(made), "key": key, "payload": payload}
    waiting = await tx.rows(_SQL["waiting_for"], key=key)
    events = [
        event_row(
            each["instance_id"],
            "on_event",
            told,
            entity_version=each["entity_version"],
            entity_type=each["entity_type"],
            document_id=each["document_id"],
            actor=tx.actor,
            trace_id=trace_id,
        )
        for each in waiting
    ]
    triggers = await tx.rows(_SQL["triggers_of_event"], key=key)
    events += [
        event_row(uuid7(), "start_automation", {**told, "trigger": str(each["id"])}, entity_version=1, actor=tx.actor)
        for each in triggers
    ]
    if events:
        await post_events(tx, events)
        await tx.run(_SQL["send_event"], id=made)
    return Told(made, True, tuple(each["instance_id"] for each in waiting), len(triggers))
