"""Telling events: by a key, to the steps that wait for it; kept while nobody does.

Telling an event and beginning to wait for it take the same lock, so an event never falls between the two: either it
finds the waiting step, or the step finds the event. What was told stands, whatever happens behind it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from holdfast.documents import event_row, post_events
from holdfast.envelope.tokens import EVENT_TTL, EventArrived
from holdfast.errors import DatabaseUnreachable, InvalidInput
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import check_json, dump
from holdfast.kernel.names import check_text
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.cases import open_cases
from holdfast.processes.engine import Engine, Job

__all__ = ["Told", "tell"]

_SQL = queries("processes")
_log = logging.getLogger(__name__)
_LONGEST_KEEP = timedelta(days=3650)
_AT_ONCE: Final = 20
"""How many instances go on in the transaction of whoever tells an event; workers see to the others."""


@dataclass(frozen=True, slots=True)
class Told:
    """What became of an event that was told. `waiting` instances get it; with none, it is kept."""

    id: UUID
    new: bool
    waiting: tuple[UUID, ...]
    started: int


async def tell(
    tx: TenantTx,
    key: str,
    payload: Any = None,
    *,
    event_id: str | None = None,
    keep: timedelta = EVENT_TTL,
    trace_id: str | None = None,
    engine: Engine | None = None,
) -> Told:
    """Tell of an event. Every instance that waits for its key hears of it; otherwise it is kept for a while.

    With `event_id`, the source's own name for the event, telling it again is telling it once. With an engine, those
    that wait go on at once; a worker sees to those that somebody else holds, that fail, and that are too many.
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
    triggers = await tx.rows(_SQL["triggers_of_event"], key=key)
    if waiting or triggers:
        # From here on it is no kept event, which a step that goes on by it could find again.
        await tx.run(_SQL["send_event"], id=made)
    near = [each["instance_id"] for each in waiting[:_AT_ONCE]] if engine is not None else []
    heard = await _at_once(tx, engine, near, key, payload, trace_id) if engine is not None and near else {}
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
        if each["instance_id"] not in heard
    ]
    events += [
        event_row(uuid7(), "start_automation", {**told, "trigger": str(each["id"])}, entity_version=1, actor=tx.actor)
        for each in triggers
    ]
    if events:
        await post_events(tx, events)
    accepted = [instance for instance, took in heard.items() if took]
    if accepted:
        await tx.run(_SQL["take_event"], id=made, instance_id=accepted[0])
    elif heard and not events:
        await tx.run(_SQL["keep_event"], id=made)
    return Told(made, True, tuple(each["instance_id"] for each in waiting), len(triggers))


async def _at_once(
    tx: TenantTx, engine: Engine, instances: Sequence[UUID], key: str, payload: Any, trace_id: str | None
) -> dict[UUID, bool]:
    """Let instances go on by an event, in a savepoint; those that heard of it, each with whether it accepted it.

    Nobody is waited for: whoever advances an instance may be about to wait for the lock of this very key.
    """
    try:
        async with tx.connection.transaction():
            opened = await open_cases(tx, sorted(instances), engine.definitions, patience=False)
            jobs = [Job(case, EventArrived(key, payload)) for case in opened.cases.values() if not case.paused]
            for job in jobs:
                job.case.trace_id = trace_id or job.case.trace_id
            if jobs:
                await engine.advance(tx, jobs, at=opened.at)
    except DatabaseUnreachable:
        raise
    except Exception as error:
        _log.warning("the event %s stands, and a worker lets those go on that wait for it: %s", key, error)
        return {}
    return {job.case.instance.id: job.advance is not None and bool(job.advance.steps) for job in jobs}
