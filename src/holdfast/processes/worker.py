"""The engine's worker: takes events from the engine inbox and lets them happen.

    claim (marks `processing`, counts the attempt, committed)
      │  by tenant
      ▼
    one transaction for the events of many instances: lock, read, core, handlers, write, mark completed
      │ anything raised: everything undone
      ▼
    one transaction for each event; what fails again goes back with a pause, and is buried after its last attempt

Marking an event completed is part of the transaction that lets it happen, so a worker that dies has done all of it or
nothing. What it had claimed comes back when its lease expires. Notifications are a hint; looking is the truth.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Coroutine, Iterable, Mapping, Sequence
from datetime import UTC, timedelta
from typing import Any
from uuid import UUID

from opentelemetry.trace import SpanKind
from psycopg.rows import dict_row

from holdfast.documents import event_row, post_events
from holdfast.errors import (
    CompilerStale,
    DatabaseUnreachable,
    DefinitionTampered,
    HoldfastError,
    KeyMissing,
    ProjectionBehind,
)
from holdfast.kernel.clock import Clock
from holdfast.kernel.cron import Cron
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import dump
from holdfast.kernel.traces import span_of
from holdfast.leases import Backoff, Lease, LeasedTable, QueueMarks, Service
from holdfast.postgres.database import Database
from holdfast.postgres.failures import is_passing
from holdfast.postgres.listening import Channel
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Tenant, TenantTx
from holdfast.processes.actors import PROCESS
from holdfast.processes.definitions.library import Library
from holdfast.processes.definitions.upgrade import recompile_stale
from holdfast.processes.engine import Engine
from holdfast.processes.events import InboxEvent, Reading, Release
from holdfast.processes.repair import Repair
from holdfast.processes.writing import write_cases

__all__ = ["EngineWorker"]

_SQL = queries("processes")
_TENANTS = queries("tenant")
_log = logging.getLogger(__name__)
_TENANT_SECONDS = 30.0
_GROWTH_SECONDS = 5.0
_LONG = 0.05
_GATHERING = 0.02
"""Between two claims, unless there is a backlog: what comes in meanwhile is done together, which costs far less."""
_SOON = Backoff(base=0.02, cap=0.02, jitter=4.0)


class EngineWorker(Service[InboxEvent]):
    """Advances the processes of every tenant."""

    table = LeasedTable("events of processes", Channel("holdfast_processes"), _SQL["heartbeat_events"])

    def __init__(
        self,
        database: Database,
        engine: Engine,
        clock: Clock,
        *,
        library: Library,
        concurrency: int = 2,
        batch: int = 100,
        lease: timedelta = timedelta(seconds=60),
        poll_interval: float = 1.0,
        name: str | None = None,
    ) -> None:
        super().__init__(database, clock, self._lease_of, name=name)
        self._engine = engine
        self._library = library
        self._concurrency = concurrency
        self._batch = batch
        self._lease = lease
        self._poll_interval = poll_interval
        self._tenants: dict[UUID, Tenant] = {}
        self._tenants_read = 0.0
        self._busy = asyncio.Lock()
        self._marks = QueueMarks("due", "created_at", "id")
        self._looked_at = time.monotonic()
        self._gather_until = 0.0
        self._owed: list[Release] = []
        """What is to be given back as soon as the database can be reached."""
        self.handled = 0
        self._upgraded = False

    async def drain(self) -> int:
        """Do everything that is due now, on this task alone; answers how many events it was. For tests and scripts."""
        before = self.handled
        while True:
            await self.tend()
            events = await self.claim()
            if not events:
                return self.handled - before
            await self.handle(events)

    # --------------------------------------------------------------------------------------------------------- events

    async def claim(self, *, thorough: bool = True) -> list[InboxEvent]:
        """Take what is due, behind what was taken before; thorough, and when there is nothing, from the head."""
        await self._release([])
        marks = self._marks.start(time.monotonic())
        rows = await self._claimed(marks)
        if not rows and marks is not None and (thorough or not self._marks.slow):
            rows = await self._claimed(None)
        events = [InboxEvent.read(row) for row in rows]
        self._in_hand.update(dict.fromkeys(events, time.monotonic()))
        return events

    async def _claimed(self, marks: Sequence[Mapping[str, Any]] | None) -> list[dict[str, Any]]:
        began = time.monotonic()
        async with self._database.express() as connection:
            # Steps that others left are taken only where this program has the code they need.
            values = {"worker": self.name, "share": self._batch, "lease": self._lease, "now": self._clock.now()}
            values |= {"known": self._engine.nodes.known, "marks": None if marks is None else dump(marks)}
            async with connection.cursor(row_factory=dict_row) as cursor:
                await cursor.execute(_SQL["claim_events"], values)
                rows = await cursor.fetchall()
        self._marks.note(at_head=marks is None, began=began, ended=time.monotonic(), rows=rows)
        return rows

    async def handle(self, events: Iterable[InboxEvent]) -> None:
        """Let events happen: those of a tenant together, or one by one where together fails.

        When the database goes away in between, whatever was not done is given back when it is there again.
        """
        by_tenant: dict[UUID, list[InboxEvent]] = defaultdict(list)
        for event in events:
            by_tenant[event.tenant].append(event)
        left = {event.id: event for group in by_tenant.values() for event in group}
        try:
            for tenant_id, group in by_tenant.items():
                # In the order they were posted; the claim gives them in none.
                group.sort(key=lambda event: (event.created_at, event.id))
                await self._handle_group(tenant_id, group)
                for event in group:
                    del left[event.id]
                    self._in_hand.pop(event, None)
                    self.handled += 1
        finally:
            # Those that are done after all are no longer leased, and stay as they are.
            self._owed += [Release(event, timedelta(0)) for event in left.values()]
            for event in left.values():
                self._in_hand.pop(event, None)

    async def _handle_group(self, tenant_id: UUID, events: Sequence[InboxEvent]) -> None:
        tenant = await self._tenant(tenant_id)
        if len(events) > 1 and await self._try_together(tenant, events):
            return
        for event in events:
            try:
                await self._together(tenant, [event], careful=True)
            except DatabaseUnreachable:
                raise
            except ProjectionBehind as error:
                _log.warning("the projection of %s is behind its steps and is rebuilt", event.instance_id)
                await self._rebuild(tenant, event)
                await self._release([Release.failed(event, error)])
            except (CompilerStale, DefinitionTampered, KeyMissing) as error:
                # What this program cannot run or open, another may, or will when an administrator has mended it.
                _log.warning("event %s (%s) waits: %s", event.id, event.event_type, error)
                await self._release([Release.waiting(event, error)])
            except Exception as error:
                if is_passing(error):
                    # Two that wait for each other: the other one goes on. Pauses of different length keep them apart.
                    await self._release([Release(event, _SOON.after(1))])
                    continue
                _log.warning("event %s (%s) failed: %s", event.id, event.event_type, error, exc_info=not _ours(error))
                await self._rebuild_if_behind(tenant, event)
                await self._release([Release.failed(event, error)])

    async def _rebuild(self, tenant: Tenant, event: InboxEvent) -> None:
        async with self._database.transaction(tenant, PROCESS, self._clock) as tx:
            await Repair(tx, self._engine).rebuild_projection(event.instance_id)

    async def _rebuild_if_behind(self, tenant: Tenant, event: InboxEvent) -> None:
        """What fails may do so because of where its instance is believed to stand: the steps say whether it does."""
        try:
            async with self._database.transaction(tenant, PROCESS, self._clock) as tx:
                found = await Repair(tx, self._engine).check_projection(event.instance_id)
        except DatabaseUnreachable:
            raise
        except HoldfastError:
            return  # No instance, or none that can be read: there is nothing to compare.
        if found.differed:
            _log.warning("the projection of %s is behind its steps and is rebuilt", event.instance_id)
            await self._rebuild(tenant, event)

    async def _try_together(self, tenant: Tenant, events: Sequence[InboxEvent]) -> bool:
        try:
            await self._together(tenant, events, careful=False)
        except DatabaseUnreachable:
            raise
        except Exception as error:
            # Whatever it is, it concerns one of them and not the others.
            _log.debug("a batch of %s events failed and is done one by one: %s", len(events), error)
            return False
        return True

    async def _together(self, tenant: Tenant, events: Sequence[InboxEvent], *, careful: bool) -> None:
        # One event alone is of one trace; several are done together, and each of their steps is in its own.
        alone = events[0] if len(events) == 1 else None
        name = "engine" if alone is None else f"engine {alone.event_type}"
        with span_of(name, None if alone is None else alone.trace_id, kind=SpanKind.CONSUMER):
            await self._take(tenant, events, careful=careful)

    async def _take(self, tenant: Tenant, events: Sequence[InboxEvent], *, careful: bool) -> None:
        async with self._database.transaction(tenant, PROCESS, self._clock) as tx:
            reading = Reading(self._engine, tx)
            for turn in await reading.open(events, patience=careful):
                await self._turn(tx, reading, turn, careful=careful)
        await self._release(reading.released)

    async def _turn(self, tx: TenantTx, reading: Reading, events: Sequence[InboxEvent], *, careful: bool) -> None:
        work = await reading.round(events)
        if work.jobs:
            forgiving = careful and events[0].last_attempt
            await self._engine.advance(
                tx, work.jobs, at=reading.at, done=work.done, working=True, careful=careful, forgiving=forgiving
            )
        elif work.done:
            await write_cases(tx, [], projections=True, done=work.done, at=reading.at)
        for job in work.jobs:
            await self._engine.require_known(tx, job)
        for event, job in work.awaited:
            assert job.advance is not None
            heard = "take_event" if job.advance.steps else "keep_event"
            await tx.run(_SQL[heard], id=UUID(event.payload["event_id"]), instance_id=event.instance_id)

    async def _release(self, released: Sequence[Release]) -> None:
        self._owed += released
        if not self._owed:
            return
        owed = tuple(self._owed)
        async with self._database.connection() as connection:
            values = {"events": dump([each.to_row() for each in owed]), "now": self._clock.now()}
            await connection.execute(_SQL["release_events"], values)
        given = {id(each) for each in owed}
        self._owed = [each for each in self._owed if id(each) not in given]
        # Nobody is told when their time comes; without this, the next look would be the first to find them.
        for each in owed:
            asyncio.get_running_loop().call_later(each.delay.total_seconds(), self._news.set)

    async def _tenant(self, tenant_id: UUID) -> Tenant:
        if tenant_id not in self._tenants or time.monotonic() - self._tenants_read > _TENANT_SECONDS:
            async with self._database.connection() as connection:
                rows = await (await connection.execute(_TENANTS["list_tenants"])).fetchall()
            self._tenants = {row[0]: Tenant(*row[:4]) for row in rows}
            self._tenants_read = time.monotonic()
        return self._tenants[tenant_id]

    # ----------------------------------------------------------------------------------------------- what time brings

    async def tend(self) -> float:
        """Bring back what dead workers held, make events of what is due. Says how long nothing else will be.

        The first time, what an older version of the product compiled is compiled anew.
        """
        if not self._upgraded:
            await recompile_stale(self._database, self._library, self._clock)
            self._upgraded = True
        async with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            await cursor.execute(_SQL["tend_events"], {"now": self._clock.now()})
            row = await cursor.fetchone()
            await cursor.execute(_SQL["due_triggers"], {"now": self._clock.now()})
            due = await cursor.fetchall()
        for each in due:
            await self._start_scheduled(each["tenant"], each["id"])
        if row is None or row["next"] is None:
            return self._poll_interval
        return float(min(self._poll_interval, max(0.005, (row["next"] - row["at"]).total_seconds())))

    async def look_at_growth(self) -> None:
        """Let tables that have grown from nothing have statistics, so that plans made for empty ones are made anew."""
        self._looked_at = time.monotonic()
        async with self._database.connection() as connection:
            await connection.execute(_SQL["first_statistics"])

    async def _start_scheduled(self, tenant_id: UUID, trigger_id: UUID) -> None:
        async with self._database.transaction(await self._tenant(tenant_id), PROCESS, self._clock) as tx:
            row = await tx.row(_SQL["take_due_trigger"], id=trigger_id)
            if row is None:
                return
            # Moments missed while nobody worked are not made up for: the schedule goes on from now.
            next_at = Cron.parse(row["cron"]).next_after(row["at"].astimezone(UTC))
            await tx.run(_SQL["move_trigger"], id=trigger_id, next_at=next_at, last_at=row["next_at"])
            told = {"trigger": str(trigger_id), "scheduled_for": row["next_at"].astimezone(UTC).isoformat()}
            event = event_row(uuid7(), "start_automation", told, entity_version=1, actor=PROCESS)
            await post_events(tx, [event])

    # ------------------------------------------------------------------------------------------------------ the loops

    def _loops(self) -> Iterable[Coroutine[Any, Any, None]]:
        return [self._persist("looking for what is due", self._keep_tending, tolerant=True)]

    def _hands(self) -> Iterable[Coroutine[Any, Any, None]]:
        return [self._persist("working on events", self._work, tolerant=True) for _ in range(self._concurrency)]

    def _gives_up(self) -> bool:
        return self._stopping.is_set()

    async def _work(self) -> None:
        while not self._stopping.is_set():
            async with self._one_at_a_time():
                await self._gather()
                self._news.clear()
                if self._stopping.is_set():
                    # Told while this waited for the other hand: it would not be told again.
                    return
                began = time.monotonic()
                events = await self.claim(thorough=False) if self._database.fits else []
                if events:
                    self._gather_until = 0.0 if len(events) >= self._batch else began + _GATHERING
                    await self.handle(events)
                    continue
            await self._rest(self._poll_interval, self._news)

    async def _gather(self) -> None:
        """Let events come together where there were some a moment ago; after a quiet time they are taken at once."""
        left = self._gather_until - time.monotonic()
        if left > 0:
            await self._rest(left, self._stopping)

    @contextlib.asynccontextmanager
    async def _one_at_a_time(self) -> AsyncIterator[None]:
        """Wait while another hand is busy, unless it takes long: what comes in meanwhile is then done together."""
        mine = False
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LONG):
                mine = await self._busy.acquire()
        try:
            yield
        finally:
            if mine:
                self._busy.release()

    async def _keep_tending(self) -> None:
        while True:
            await self._database.check_schema()
            pause = await self.tend()
            if time.monotonic() - self._looked_at > _GROWTH_SECONDS:
                await self.look_at_growth()
            await asyncio.sleep(pause)

    # --------------------------------------------------------------------------------------------------------- leases

    def _lease_of(self, event: InboxEvent) -> Lease:
        return Lease(str(event.tenant), str(event.id), event.epoch, self._lease, event.event_type)

    def _lost(self, lease: Lease, status: str | None) -> None:
        # Nothing to stop: the transaction that would complete the event finds that it is not ours, and is undone.
        event = self._in_hand.find(lease)
        if event is not None:
            del self._in_hand[event]
            _log.warning("the event %s (%s) is no longer ours", lease.id, lease.what)


def _ours(error: BaseException) -> bool:
    return isinstance(error, HoldfastError)
