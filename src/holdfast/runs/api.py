"""The queue of one tenant, `hold.runs`: enqueue in your transaction, look, cancel, delete, pause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import EllipsisType
from typing import Any
from uuid import UUID

from holdfast.audit import record
from holdfast.errors import Conflict, InvalidInput, NotFound
from holdfast.kernel.clock import Clock
from holdfast.kernel.cursor import check_limit, decode_id_cursor, encode_cursor
from holdfast.kernel.json import dump, encode
from holdfast.kernel.names import check_text
from holdfast.kernel.page import Page, read_in_windows
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.runs.enqueue import NewRun, check_runs, enqueue_values, read_enqueued
from holdfast.runs.model import STATUSES, Enqueued, Run, RunInfo, Status
from holdfast.runs.outcomes import summary
from holdfast.runs.registry import Handlers, check_type
from holdfast.runs.signals import seconds
from holdfast.runs.steps import lost

__all__ = ["Pause", "Runs", "StoredStep", "TypeStats", "check_held", "drop_finished"]

_SQL = queries("runs")
_FILTER_LIMIT = 64 * 1024
_CLOCKS_DIFFER = timedelta(days=1)
_LAST_STAMP = 2**48 - 1


@dataclass(frozen=True, slots=True)
class TypeStats:
    """How many runs of a type are in a status: live ones, and those finished within a day."""

    type: str
    status: str
    runs: int
    oldest: datetime | None


@dataclass(frozen=True, slots=True)
class StoredStep:
    """A durable step that a run has taken, and its result."""

    name: str
    result: Any
    created_at: datetime


@dataclass(frozen=True, slots=True)
class StartedRun:
    """A run that another one started, in short."""

    id: UUID
    type: str
    status: Status
    attempt: int
    max_attempts: int
    last_error: str | None
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class Pause:
    """A prefix of types that is not executed for now."""

    prefix: str
    paused_at: datetime
    paused_by: str


class Runs:
    """The runs of one tenant."""

    def __init__(
        self,
        tx: TenantTx,
        handlers: Handlers,
        *,
        payload_limit: int,
        event_level: str = "exceptions",
        publishes: str = "nothing",
    ) -> None:
        self._tx = tx
        self._publishes = publishes
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
        concurrency_key: str | None = None,
        concurrency_limit: int | None = None,
    ) -> Enqueued:
        """Enqueue one run: it exists if, and only if, your transaction commits.

        With `key`, a run is made once: enqueueing the same payload again answers with the run there is, another payload
        with the same key is a `Conflict`. A time in the past means now. Of the runs with one `concurrency_key`, at most
        `concurrency_limit` (by default one) execute at once, whatever their type and wherever they run.
        """
        if delay is not None:
            if run_at is not None:
                raise InvalidInput("both run_at and delay are given", hint="give one of them", field="delay")
            run_at = await self._now() + seconds("delay", delay)
        new = NewRun(
            type,
            {} if payload is None else payload,
            key,
            priority,
            run_at,
            max_attempts,
            trace_parent,
            concurrency_key,
            concurrency_limit,
        )
        return (await self.enqueue_many([new]))[0]

    async def attempts_elsewhere(self, type: str) -> int | None:  # noqa: A002 - it is the type
        """How often running workers try a type whose handler this process does not know."""
        return None if self._handlers.find(type) else (await self.handled([type])).get(type)

    async def enqueue_many(
        self, runs: Iterable[NewRun], *, on_behalf_of: Mapping[str, Any] | EllipsisType | None = ...
    ) -> list[Enqueued]:
        """Enqueue many runs at once, in this transaction; all of them or none.

        Their handlers act as the actor of this transaction. `on_behalf_of` is for parts of holdfast that enqueue what
        somebody else has asked for: who that was, as they were carried along; None is trusted code.
        """
        self._tx.require("runs:write")
        wanted = list(runs)
        if not wanted:
            return []
        check_runs(wanted)
        made: list[Enqueued] = []
        party = self._tx.actor.carried if on_behalf_of is ... else on_behalf_of and dump(dict(on_behalf_of))
        told = {"actor": str(self._tx.actor), "party": party, "event_level": self._event_level}
        # All of them are checked before the first is written.
        for values in list(
            enqueue_values(self._tx.tenant.id, wanted, self._handlers, payload_limit=self._payload_limit)
        ):
            made += read_enqueued(values["made"], await self._tx.rows(_SQL["enqueue"], **values, **told))
        return made

    async def emit(self, key: str, payload: Any = None) -> bool:
        """Let an event happen: runs that `wait_event(key)` go on with its payload, now or whenever they come to it.

        An event happens once. Emitting it again with the same payload changes nothing and answers `False`; with another
        payload it is a `Conflict`.
        """
        self._tx.require("runs:write")
        check_text("key", key, maximum=512)
        text = encode("payload", {} if payload is None else payload, limit=self._payload_limit)
        row = await self._tx.row(_SQL["emit"], key=key, payload=text, actor=str(self._tx.actor))
        return row is not None and bool(row["created"])

    async def steps(self, run_id: UUID) -> list[StoredStep]:
        """The durable steps a run has taken, in order."""
        self._tx.require("runs:read")
        return [StoredStep(**self._opened(row)) for row in await self._tx.rows(_SQL["list_steps"], id=run_id)]

    async def children(self, run_id: UUID, *, limit: int = 200) -> list[StartedRun]:
        """The runs that a run started, in order."""
        self._tx.require("runs:read")
        check_limit(limit)
        return [StartedRun(**row) for row in await self._tx.rows(_SQL["list_children"], id=run_id, limit=limit)]

    async def get(self, run_id: UUID) -> RunInfo:
        """One run, finished or not."""
        self._tx.require("runs:read")
        return await self._find(run_id)

    async def stats(self) -> list[TypeStats]:
        """How many runs there are, by type and status."""
        self._tx.require("runs:read")
        return [TypeStats(**row) for row in await self._tx.rows(_SQL["stats"])]

    async def handled(self, types: Iterable[str]) -> dict[str, int | None]:
        """Of these types, those that a running worker executes, with how often it tries each.

        None for how often where a worker takes the type by its prefix alone. Workers say that they are there every
        twenty seconds; one that was killed counts for a minute. It tells nothing of the tenant: anybody may ask.
        """
        rows = await self._tx.rows(_SQL["handled_types"], types=[check_type(type_) for type_ in types])
        return {row["type"]: row["attempts"] for row in rows}

    async def cancel(self, run_id: UUID, *, reason: str = "cancelled") -> RunInfo:
        """Cancel a run that is not finished, and those it started. Workers are told at their next heartbeat."""
        self._tx.require("runs:operate")
        check_text("reason", reason, maximum=1000)
        await self._find(run_id)
        ended = await self._tx.rows(
            _SQL["cancel"], id=run_id, reason=reason, actor=str(self._tx.actor), publishes=self._publishes
        )
        for row in ended:
            told = {"reason": reason, "was": row["was"]}
            await record(
                self._tx,
                "run",
                row["id"],
                "run.cancelled",
                told if row["id"] == run_id else told | {"with": str(run_id)},
            )
        after = await self._find(run_id)
        if after.status != "cancelled":
            raise Conflict(f"the run {run_id} is {after.status}", hint="only unfinished runs can be cancelled")
        return after

    async def delete(self, run_id: UUID, *, reason: str) -> RunInfo:
        """Delete softly: it is never executed again and its key is free; the row stays until retention takes it."""
        self._tx.require("runs:operate")
        check_text("reason", reason, maximum=1000)
        await self._find(run_id)
        row = await self._tx.row(_SQL["delete"], id=run_id, reason=reason)
        if row is not None and row["done"]:
            await record(self._tx, "run", run_id, "run.deleted", {"reason": reason})
        return await self._find(run_id)

    async def retry(self, run_id: UUID) -> Enqueued:
        """Enqueue a finished run anew: the same type and payload, another run. What is finished stays as it is.

        Its handler acts as that of the old one did: who may retry it need not be able to do what it does.
        """
        self._tx.require("runs:operate")
        old = await self._find(run_id)
        if old.finished_at is None:
            raise Conflict(f"the run {run_id} is {old.status}", hint="wait until it is finished, or cancel it")
        new = NewRun(
            old.type,
            old.payload,
            priority=old.priority,
            max_attempts=old.max_attempts,
            trace_parent=old.trace_parent,
            concurrency_key=old.concurrency_key,
            concurrency_limit=old.concurrency_limit,
        )
        row = await self._tx.row(_SQL["party_of_run"], id=run_id)
        (made,) = await self.enqueue_many([new], on_behalf_of=row and row["party"])
        await self._tx.run(_SQL["note_retried"], id=run_id, made=made.id)
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
        check_text("prefix", prefix)
        if not await self._tx.run(_SQL["resume"], prefix=prefix):
            raise NotFound(f"{prefix!r} is not paused", hint="`holdfast runs pauses` shows what is", prefix=prefix)
        await self._tx.run(_SQL["notify_lanes"], prefix=prefix)

    async def pauses(self) -> list[Pause]:
        """The prefixes that are paused."""
        self._tx.require("runs:read")
        return [Pause(**row) for row in await self._tx.rows(_SQL["pauses"])]

    async def list(
        self,
        *,
        status: str | None = None,
        type: str | None = None,  # noqa: A002 - it is the type
        prefix: str | None = None,
        key: str | None = None,
        error: str | None = None,
        payload: Mapping[str, Any] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        deleted: bool = False,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[RunInfo]:
        """Runs, newest first; those for which all that is said holds.

        `key` is the idempotency key, `error` what the last error contains, in any case, `payload` what the payload
        contains (what is sealed is not looked into), `since` and `until` when they were created.
        """
        self._tx.require("runs:read")
        check_limit(limit)
        if status is not None and status not in STATUSES:
            raise InvalidInput(
                f"status {status!r} is unknown", hint=f"use one of {', '.join(STATUSES)}", field="status"
            )
        texts = {"type": type, "prefix": prefix, "key": key, "error": error}
        for field, text in texts.items():
            if text:
                check_text(field, text, maximum=512)
        query: dict[str, Any] = {"status": status, "deleted": deleted} | {
            field: text or None for field, text in texts.items()
        }
        times = {"since": _told_time("since", since), "until": _told_time("until", until)}
        contains = None if payload is None else encode("payload", dict(payload), limit=_FILTER_LIMIT)
        told = query | {"payload": contains} | {name: value and value.isoformat() for name, value in times.items()}
        before = decode_id_cursor(told, cursor)
        bounds = {
            "since_id": _id_at(times["since"], -_CLOCKS_DIFFER),
            "until_id": _id_at(times["until"], _CLOCKS_DIFFER),
        }
        values = query | times | bounds | {"payload": contains}

        async def window(last: Row | None, most: int) -> list[Row]:
            where = {"before": before if last is None else last["id"], "limit": most}
            return await self._tx.rows(_SQL["list"], **values, **where)

        rows, more = await read_in_windows(window, limit + 1, "payload", "result", "error")
        items = [RunInfo(**self._opened(row)) for row in rows[:limit]]
        return Page(items, encode_cursor(told, [str(items[-1].id)]) if more else None)

    async def _find(self, run_id: UUID) -> RunInfo:
        row = await self._tx.row(_SQL["get"], id=run_id)
        if row is None:
            raise NotFound(f"there is no run {run_id}", hint="`holdfast runs list` shows them", run=str(run_id))
        return RunInfo(**self._opened(row))

    def _opened(self, row: Row) -> Row:
        """A row with what is sealed in it opened."""
        sealing, tenant = self._handlers.sealing, self._tx.tenant.id
        found = row | {name: sealing.opened(tenant, row[name]) for name in ("payload", "result") if name in row}
        if "$sealed" in (row.get("error") or ()):
            told = found["error"] = sealing.open_parts(tenant, row["error"])
            found["last_error"] = summary(told)
        return found

    async def _now(self) -> datetime:
        row = await self._tx.row(_SQL["database_time"])
        assert row is not None
        at: datetime = row["now"]
        return at


def _told_time(field: str, value: datetime | None) -> datetime | None:
    if value is not None and value.tzinfo is None:
        raise InvalidInput(f"{field} has no time zone", hint="use an aware datetime", field=field)
    return value


def _id_at(moment: datetime | None, apart: timedelta) -> UUID | None:
    """The id that one made at a moment is near; None for any."""
    if moment is None:
        return None
    try:
        stamp = int((moment + apart).timestamp() * 1000)
    except OverflowError:
        stamp = 0 if apart < timedelta(0) else _LAST_STAMP
    return UUID(int=max(0, min(stamp, _LAST_STAMP)) << 80)


async def check_held(tx: TenantTx, run: Run) -> Mapping[str, Any] | None:
    """Make sure that a run is still held, and that it stays so until the end of the transaction.

    Answers with who it was enqueued by, as they were carried along; None for trusted code.
    """
    row = await tx.row(_SQL["hold"], id=run.id, epoch=run.epoch)
    if row is None or not row["held"]:
        raise lost(run)
    party: Mapping[str, Any] | None = row["party"]
    return party


async def drop_finished(database: Database, clock: Clock) -> list[str]:
    """Retention: drop the months of finished runs that nobody wants any more; the names of what was dropped."""
    values = {"now": clock.now(), "days": database.settings.run_retention}
    async with database.connection() as connection:
        await connection.execute(_SQL["drop_events"], values)
        cursor = await connection.execute(_SQL["drop_finished"], values)
        return [name for (name,) in await cursor.fetchall()]
