"""The queue of one tenant, `hold.runs`: enqueue in your transaction, look, cancel, delete, pause."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from holdfast.audit import record
from holdfast.errors import Conflict, InvalidInput, NotFound
from holdfast.kernel.clock import Clock
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.names import check_text
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Tenant, TenantTx
from holdfast.runs.codec import encode
from holdfast.runs.model import STATUSES, Enqueued, RunInfo
from holdfast.runs.registry import Handlers, check_type
from holdfast.runs.signals import seconds

__all__ = ["NewRun", "Pause", "RunPage", "Runs", "TypeStats", "drop_finished", "enqueue_for"]

_SQL = queries("runs")


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run to enqueue."""

    type: str
    payload: Any = field(default_factory=dict)
    key: str | None = None
    priority: int = 0
    run_at: datetime | None = None
    max_attempts: int | None = None
    trace_parent: str | None = None


@dataclass(frozen=True, slots=True)
class RunPage:
    """Some runs, newest first, and the cursor for those before them."""

    items: list[RunInfo]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class TypeStats:
    """How many runs of a type are in a status: live ones, and those finished within a day."""

    type: str
    status: str
    runs: int
    oldest: datetime | None


@dataclass(frozen=True, slots=True)
class Pause:
    """A prefix of types that is not executed for now."""

    prefix: str
    paused_at: datetime
    paused_by: str


class Runs:
    """The runs of one tenant."""

    def __init__(self, tx: TenantTx, handlers: Handlers, *, payload_limit: int, event_level: str) -> None:
        self._tx = tx
        self._handlers = handlers
        self._payload_limit = payload_limit
        self._event_level = event_level

    async def enqueue(
        self,
        type: str,  # noqa: A002 - it is the type
        payload: Any = None,
        *,
        key: str | None = None,
        priority: int = 0,
        run_at: datetime | None = None,
        delay: float | timedelta | None = None,
        max_attempts: int | None = None,
        trace_parent: str | None = None,
    ) -> Enqueued:
        """Enqueue one run: it exists if, and only if, your transaction commits.

        With `key`, a run is made once: enqueueing the same payload again answers with the run there is, another payload
        with the same key is a `Conflict`. A time in the past means now.
        """
        if delay is not None:
            if run_at is not None:
                raise InvalidInput("both run_at and delay are given", hint="give one of them", field="delay")
            run_at = await self._now() + seconds("delay", delay)
        new = NewRun(type, {} if payload is None else payload, key, priority, run_at, max_attempts, trace_parent)
        return (await self.enqueue_many([new]))[0]

    async def enqueue_many(self, runs: Iterable[NewRun]) -> list[Enqueued]:
        """Enqueue many runs at once, in this transaction; all of them or none."""
        self._tx.require("runs:write")
        wanted = list(runs)
        if not wanted:
            return []
        values = enqueue_values(wanted, self._handlers, payload_limit=self._payload_limit)
        rows = await self._tx.all(_SQL["enqueue"], **values, actor=str(self._tx.actor), event_level=self._event_level)
        return read_enqueued(values["ids"], rows)

    async def get(self, run_id: UUID) -> RunInfo:
        """One run, finished or not."""
        self._tx.require("runs:read")
        return await self._find(run_id)

    async def stats(self) -> list[TypeStats]:
        """How many runs there are, by type and status."""
        self._tx.require("runs:read")
        return [TypeStats(**row) for row in await self._tx.all(_SQL["stats"])]

    async def cancel(self, run_id: UUID, *, reason: str = "cancelled") -> RunInfo:
        """Cancel a run that is not finished. A worker that executes it is told at its next heartbeat."""
        self._tx.require("runs:operate")
        check_text("reason", reason, maximum=1000)
        before = await self._find(run_id)
        row = await self._tx.one(_SQL["cancel"], id=run_id, reason=reason)
        if row is None or not row["done"]:
            after = await self._find(run_id)
            if after.status == "cancelled":
                return after
            raise Conflict(f"the run {run_id} is {after.status}", hint="only unfinished runs can be cancelled")
        await record(self._tx, "run", run_id, "run.cancelled", {"reason": reason, "was": before.status})
        return await self._find(run_id)

    async def delete(self, run_id: UUID, *, reason: str) -> RunInfo:
        """Delete softly: it is never executed again and its key is free; the row stays until retention takes it."""
        self._tx.require("runs:operate")
        check_text("reason", reason, maximum=1000)
        await self._find(run_id)
        row = await self._tx.one(_SQL["delete"], id=run_id, reason=reason)
        if row is not None and row["done"]:
            await record(self._tx, "run", run_id, "run.deleted", {"reason": reason})
        return await self._find(run_id)

    async def retry(self, run_id: UUID) -> Enqueued:
        """Enqueue a finished run anew: the same type and payload, another run. What is finished stays as it is."""
        self._tx.require("runs:operate")
        old = await self._find(run_id)
        if old.finished_at is None:
            raise Conflict(f"the run {run_id} is {old.status}", hint="wait until it is finished, or cancel it")
        new = NewRun(
            old.type, old.payload, priority=old.priority, max_attempts=old.max_attempts, trace_parent=old.trace_parent
        )
        (made,) = await self.enqueue_many([new])
        await record(self._tx, "run", made.id, "run.retried", {"retry_of": str(run_id)})
        return made

    async def pause(self, prefix: str) -> None:
        """Stop executing runs whose type begins with a prefix; what runs already goes on."""
        self._tx.require("runs:operate")
        check_text("prefix", prefix)
        await self._tx.run(_SQL["pause"], prefix=prefix, paused_by=str(self._tx.actor))

    async def resume(self, prefix: str) -> None:
        """Execute them again."""
        self._tx.require("runs:operate")
        if not await self._tx.run(_SQL["resume"], prefix=prefix):
            raise NotFound(f"{prefix!r} is not paused", hint="`holdfast runs pauses` shows what is", prefix=prefix)
        await self._tx.run(_SQL["notify_lanes"], prefix=prefix)

    async def pauses(self) -> list[Pause]:
        """The prefixes that are paused."""
        self._tx.require("runs:read")
        return [Pause(**row) for row in await self._tx.all(_SQL["pauses"])]

    async def list(
        self,
        *,
        status: str | None = None,
        prefix: str | None = None,
        deleted: bool = False,
        limit: int = 50,
        cursor: str | None = None,
    ) -> RunPage:
        """Runs, newest first."""
        self._tx.require("runs:read")
        check_limit(limit)
        if status is not None and status not in STATUSES:
            raise InvalidInput(
                f"status {status!r} is unknown", hint=f"use one of {', '.join(STATUSES)}", field="status"
            )
        query = {"status": status, "prefix": prefix, "deleted": deleted}
        before = None
        if cursor is not None:
            (text,) = decode_cursor(query, cursor, (str,))
            before = UUID(text)
        rows = await self._tx.all(_SQL["list"], **query, before=before, limit=limit + 1)
        items = [RunInfo(**row) for row in rows[:limit]]
        return RunPage(items, encode_cursor(query, [str(items[-1].id)]) if len(rows) > limit else None)

    async def _find(self, run_id: UUID) -> RunInfo:
        row = await self._tx.one(_SQL["get"], id=run_id)
        if row is None:
            raise NotFound(f"there is no run {run_id}", hint="`holdfast runs list` shows them", run=str(run_id))
        return RunInfo(**row)

    async def _now(self) -> datetime:
        row = await self._tx.one(_SQL["database_time"])
        assert row is not None
        at: datetime = row["now"]
        return at


async def enqueue_for(
    database: Database, tenant: Tenant, runs: list[NewRun], handlers: Handlers, clock: Clock
) -> list[Enqueued]:
    """Enqueue without a transaction around it: for trusted code that has nothing else to write."""
    if not runs:
        return []
    settings = database.settings
    if len(runs) == 1 and runs[0].key is None:
        return [await _enqueue_one(database, tenant, runs[0], handlers, clock)]
    values = enqueue_values(runs, handlers, payload_limit=settings.payload_limit)
    rest = {"tenant": tenant.id, "actor": "system:system", "event_level": settings.run_events, "now": clock.now()}
    async with database.connection() as connection:
        cursor = connection.cursor(row_factory=dict_row)
        await cursor.execute(_SQL["enqueue_for"], values | rest)
        return read_enqueued(values["ids"], await cursor.fetchall())


async def _enqueue_one(database: Database, tenant: Tenant, run: NewRun, handlers: Handlers, clock: Clock) -> Enqueued:
    settings = database.settings
    _check(run)
    made = uuid7()
    values = {
        "tenant": tenant.id,
        "id": made,
        "type": run.type,
        "payload": encode("payload", run.payload, limit=settings.payload_limit),
        "priority": run.priority,
        "run_at": run.run_at,
        "max_attempts": run.max_attempts or _default_attempts(run.type, handlers),
        "trace_parent": run.trace_parent,
        "actor": "system:system",
        "event_level": settings.run_events,
        "now": clock.now(),
    }
    async with database.express() as connection:
        await connection.execute(_SQL["enqueue_one_for"], values)
    return Enqueued(made, created=True)


async def drop_finished(database: Database, clock: Clock) -> list[str]:
    """Retention: drop the months of finished runs that nobody wants any more; the names of what was dropped."""
    values = {"now": clock.now(), "days": database.settings.run_retention}
    async with database.connection() as connection:
        cursor = await connection.execute(_SQL["drop_finished"], values)
        return [name for (name,) in await cursor.fetchall()]


def enqueue_values(runs: list[NewRun], handlers: Handlers, *, payload_limit: int) -> dict[str, Any]:
    """The columns of runs to be enqueued, checked."""
    payloads = [encode("payload", run.payload, limit=payload_limit) for run in runs]
    for run in runs:
        _check(run)
    keyed = any(run.key is not None for run in runs)
    return {
        "ids": [uuid7() for _ in runs],
        "types": [run.type for run in runs],
        "payloads": payloads,
        "priorities": _column([run.priority or None for run in runs]),
        "run_ats": _column([run.run_at for run in runs]),
        "max_attempts": [run.max_attempts or _default_attempts(run.type, handlers) for run in runs],
        "keys": [run.key for run in runs] if keyed else [],
        "fingerprints": [_fingerprint(run, text) for run, text in zip(runs, payloads, strict=True)] if keyed else [],
        "trace_parents": _column([run.trace_parent for run in runs]),
    }


def read_enqueued(ids: list[UUID], rows: Iterable[Mapping[str, Any]]) -> list[Enqueued]:
    """What became of each; the rows tell of those whose key was known."""
    known = {row["place"]: row["run_id"] for row in rows}
    return [
        Enqueued(known[place], created=False) if place in known else Enqueued(made, created=True)
        for place, made in enumerate(ids, 1)
    ]


def _check(run: NewRun) -> None:
    check_type(run.type)
    if run.key is not None and (not isinstance(run.key, str) or not 1 <= len(run.key) <= 512 or "\0" in run.key):
        raise InvalidInput(f"key is {run.key!r}", hint="use a text of 1 to 512 characters", field="key")
    if not isinstance(run.priority, int) or not -1000 <= run.priority <= 1000:
        raise InvalidInput(f"priority is {run.priority!r}", hint="use a number from -1000 to 1000", field="priority")
    if run.max_attempts is not None and (not isinstance(run.max_attempts, int) or not 1 <= run.max_attempts <= 1000):
        raise InvalidInput(
            f"max_attempts is {run.max_attempts!r}", hint="use a number from 1 to 1000", field="max_attempts"
        )
    if run.run_at is not None and (not isinstance(run.run_at, datetime) or run.run_at.tzinfo is None):
        raise InvalidInput(f"run_at is {run.run_at!r}", hint="use a datetime with a time zone", field="run_at")


def _default_attempts(type: str, handlers: Handlers) -> int:  # noqa: A002 - it is the type
    handler = handlers.find(type)
    return handler.retry.max_attempts if handler else 3


def _fingerprint(run: NewRun, payload: str) -> bytes | None:
    if run.key is None:
        return None
    ordered = json.dumps(json.loads(payload), sort_keys=True)
    return hashlib.sha256(f"{run.type}\n{ordered}".encode()).digest()


def _column(values: list[Any]) -> list[Any]:
    """An empty array stands for a column of NULLs: unnest() fills it up."""
    return values if any(value is not None for value in values) else []
