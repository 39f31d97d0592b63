"""The scheduler: turns fires into runs, exactly one each, however many schedulers there are.

What is due in a tenant is locked (others skip what is locked), planned, enqueued and moved on in one transaction; a
scheduler that dies in between has done nothing. Which fires are due, which were missed, and which are left out is
decided by `plan`, which is pure. The time is Postgres's, or the clock's in tests; the machine's is only slept by.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, islice
from typing import Any

import psycopg
from psycopg.rows import dict_row

from holdfast.access import load_carried
from holdfast.audit import record
from holdfast.errors import HoldfastError
from holdfast.kernel.actor import Actor
from holdfast.kernel.clock import Clock
from holdfast.kernel.cron import Cron
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Tenant, TenantTx
from holdfast.runs.api import Runs
from holdfast.runs.enqueue import NewRun
from holdfast.runs.schedule import Schedule, next_fire_of, schedule_of

__all__ = ["Plan", "Scheduler", "plan"]

_SQL = queries("schedules")
_log = logging.getLogger(__name__)
_ACTOR = Actor.system("scheduler")
_BATCH = 100
_MOST_AT_ONCE = 1000
_RETRY_PAUSE = 1.0
_INSTANT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do about a schedule that is due: the fires to enqueue, since when some were missed, and the next one."""

    fires: tuple[datetime, ...]
    missed_since: datetime | None
    next_fire_at: datetime | None


def plan(schedule: Schedule, cron: Cron, at: datetime, grace: timedelta) -> Plan:
    """Decide. A fire is missed when it is late by more than the grace; the policy is for those only."""
    first = schedule.next_fire_at
    assert first is not None
    limit = at - grace
    until = at if schedule.ends_at is None else min(at, schedule.ends_at)
    missed_until = min(until, limit - _INSTANT)
    missed: tuple[datetime, ...] = ()
    if first < limit:
        if schedule.missed == "once":
            missed = (cron.latest(first, missed_until) or first,)
        elif schedule.missed == "all":
            missed = tuple(islice(chain([first], cron.fires(first, missed_until)), schedule.missed_limit))
    on_time = islice(cron.fires(max(first, limit) - _INSTANT, until), _MOST_AT_ONCE)
    return Plan(
        (*missed, *on_time),
        first if first < limit else None,
        next_fire_of(cron, at, schedule.starts_at, schedule.ends_at),
    )


class Scheduler:
    """Fires the schedules of every tenant. `await scheduler.run()` ends after `stop()`."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        runs: Callable[[TenantTx], Runs],
        *,
        poll_interval: float = 1.0,
        grace: float = 60.0,
        on_fire: Callable[[str, float], None] = lambda _type, _lag: None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._runs = runs
        self._poll_interval = poll_interval
        self._grace = timedelta(seconds=grace)
        self._on_fire = on_fire
        self._keeps_fires = database.settings.run_events != "exceptions"
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """End after the look that is under way."""
        self._stopping.set()

    async def run(self) -> None:
        """Look for due schedules until `stop` is called; trouble with the database is waited out."""
        while not self._stopping.is_set():
            try:
                pause = await self.look()
            except (HoldfastError, psycopg.Error) as error:
                # A bug, too, is told and tried again: nobody would notice a scheduler that ended, until nothing fires.
                await self._database.wait_out(error, "looking at schedules", tolerant=True)
                pause = 0.0
            except Exception:
                _log.exception("looking at schedules failed; it is tried again")
                pause = _RETRY_PAUSE
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stopping.wait()

    async def look(self) -> float:
        """Fire what is due now; in how many seconds to look again."""
        await self._database.check_schema()
        async with self._database.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            await cursor.execute(_SQL["due"], {"now": self._clock.now()})
            rows = await cursor.fetchall()
        pause = self._poll_interval
        for row in rows:
            if row["tenant"] is None:
                pause = min(pause, max(0.005, (row["due"] - row["at"]).total_seconds()))
            elif await self._fire_tenant(Tenant(row["tenant"], row["slug"], row["name"])):
                pause = 0.0
        return pause

    async def _fire_tenant(self, tenant: Tenant) -> bool:
        """Deal with what is due in a tenant; whether there may be more."""
        fired: list[tuple[str, float]] = []
        async with self._database.transaction(tenant, _ACTOR, self._clock) as tx:
            rows = await tx.rows(_SQL["lock_due"], limit=_BATCH)
            for row in rows:
                fired += await self._deal_with(tx, schedule_of(row), row["at"], row["party"])
        for kind, lag in fired:
            self._on_fire(kind, lag)
        return len(rows) == _BATCH

    async def _deal_with(
        self, tx: TenantTx, schedule: Schedule, at: datetime, party: Mapping[str, Any] | None
    ) -> list[tuple[str, float]]:
        try:
            cron = Cron.parse(schedule.cron, schedule.timezone)
        except HoldfastError as error:
            # It was valid once: the time zones here, or what we take, have changed. It rests until somebody acts.
            _log.exception("the schedule %s of %s can no longer be evaluated", schedule.name, tx.tenant.slug)
            await self._advance(tx, schedule, None, last_error=str(error))
            await record(tx, "schedule", schedule.id, "schedule.failed", {"name": schedule.name, "error": str(error)})
            return []
        todo = plan(schedule, cron, at, self._grace)
        fires = await self._without_overlap(tx, schedule, todo.fires)
        if todo.missed_since is not None:
            told = {"policy": schedule.missed, "since": todo.missed_since.isoformat(), "enqueued": len(fires)}
            await record(tx, "schedule", schedule.id, "schedule.missed", {"name": schedule.name} | told)
        if not fires:
            await self._advance(tx, schedule, todo.next_fire_at)
            return []
        await self._enqueue(tx, schedule, fires, todo.next_fire_at, party)
        return [(schedule.type, (at - fire).total_seconds()) for fire in fires]

    async def _without_overlap(
        self, tx: TenantTx, schedule: Schedule, fires: tuple[datetime, ...]
    ) -> tuple[datetime, ...]:
        if schedule.overlap == "allow" or not fires:
            return fires
        last = schedule.last_run_id
        running = last is not None and await tx.row(_SQL["is_running"], id=last) is not None
        kept = () if running else fires[-1:]
        left_out = [fire.isoformat() for fire in fires if fire not in kept]
        if left_out:
            told = {"reason": "overlap", "fires": left_out[:10], "count": len(left_out)}
            await record(tx, "schedule", schedule.id, "schedule.skipped", {"name": schedule.name} | told)
        return kept

    async def _enqueue(
        self,
        tx: TenantTx,
        schedule: Schedule,
        fires: tuple[datetime, ...],
        next_fire_at: datetime | None,
        party: Mapping[str, Any] | None,
    ) -> None:
        new = [
            NewRun(
                schedule.type,
                schedule.payload,
                key=f"schedule:{schedule.id}:{fire.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
                priority=schedule.priority,
                run_at=fire,
                max_attempts=schedule.max_attempts,
            )
            for fire in fires
        ]
        try:
            # What cannot be enqueued must not keep the other schedules of the tenant from firing.
            async with tx.connection.transaction():
                if party is not None:
                    (await load_carried(tx, party)).require("runs:write")
                made = await self._runs(tx).enqueue_many(new, on_behalf_of=party)
        except (HoldfastError, psycopg.DatabaseError) as error:
            if isinstance(error, psycopg.OperationalError):
                raise
            _log.exception("the schedule %s of %s could not fire", schedule.name, tx.tenant.slug)
            reason = " ".join(str(error).split())[:1000]
            await self._advance(tx, schedule, next_fire_at, last_error=reason)
            await record(tx, "schedule", schedule.id, "schedule.failed", {"name": schedule.name, "error": reason})
            return
        await self._advance(tx, schedule, next_fire_at, last_fire_at=fires[-1], last_run_id=made[-1].id)
        if self._keeps_fires:
            for fire, run in zip(fires, made, strict=True):
                told = {"name": schedule.name, "at": fire.isoformat(), "run": str(run.id)}
                await record(tx, "schedule", schedule.id, "schedule.fired", told)

    async def _advance(self, tx: TenantTx, schedule: Schedule, next_fire_at: datetime | None, **facts: Any) -> None:
        known: dict[str, Any] = {"last_fire_at": None, "last_run_id": None, "last_error": None}
        await tx.run(_SQL["advance"], id=schedule.id, next_fire_at=next_fire_at, **(known | facts))
