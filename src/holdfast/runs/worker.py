"""The worker: claims runs, executes them, settles them, and survives whatever happens in between.

    lanes ──choose──▶ turn (settle what is finished + claim what is next: one statement, one commit)
                       │
                       ▼
    slots: a fixed number of tasks, each executing one run at a time
                       │ outcome
                       ▼
    settled with the next turn

A claimed run starts at once, or, when runs are over in an instant, within some ten milliseconds: then the worker takes
a little more than it has places, because the statement would otherwise cost more than the work. There is no other
buffer in which a run could wait with its lease running.

Two turns may be under way at a time, so that Postgres works while handlers do. Leases are kept by a thread of their own
(`leases.Heart`). A turn whose connection breaks is repeated: settling names (id, epoch), so it cannot count twice, and
runs that were claimed without our hearing of it come back when their lease expires.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Any, LiteralString

import psycopg
from psycopg import AsyncConnection

from holdfast.errors import HoldfastError, InvalidInput
from holdfast.kernel.clock import Clock
from holdfast.kernel.ids import uuid7
from holdfast.leases import Heart, Lease
from holdfast.postgres.connect import allow_prepared, reach
from holdfast.postgres.database import Database
from holdfast.postgres.failures import translated
from holdfast.postgres.queries import queries
from holdfast.runs.codec import decode, encode
from holdfast.runs.lanes import Claim, Lanes
from holdfast.runs.model import Run
from holdfast.runs.outcomes import Outcome, after_error, asleep, columns, given_back, no_handler, not_stored, succeeded
from holdfast.runs.registry import Handler, Handlers
from holdfast.runs.steps import StepStore, Suspended

__all__ = ["Worker"]

_SQL = queries("runs")
_log = logging.getLogger(__name__)
_TURNS = 2
_REFUSED = (psycopg.DataError, psycopg.IntegrityError, psycopg.InternalError, psycopg.NotSupportedError)
_BATCH = 500
_TURN_TIMEOUT = 60.0
_AHEAD_SECONDS = 0.01
_QUICK_SECONDS = 0.001
_PACE_WEIGHT = 0.05
_RECONNECT_PAUSE = 0.5


class Worker:
    """Executes the runs of every tenant whose types it handles."""

    def __init__(
        self,
        database: Database,
        handlers: Handlers,
        clock: Clock,
        *,
        prefixes: Sequence[str] = (),
        concurrency: int = 100,
        threads: int = 16,
        poll_interval: float = 1.0,
        shutdown_timeout: float = 20.0,
        name: str | None = None,
    ) -> None:
        if concurrency < 1:
            raise InvalidInput(f"concurrency is {concurrency}", hint="use 1 or more", field="concurrency")
        self.name = name or f"{socket.gethostname()}:{os.getpid()}:{uuid7().hex[-6:]}"
        self._database = database
        self._handlers = handlers
        self._clock = clock
        self._prefixes = list(prefixes) or ([] if len(handlers) else ["default."])
        self._types = [] if prefixes else [handler.type for handler in handlers]
        self._concurrency = concurrency
        # One turn takes at most its share of the places, so that another can be under way at the same time.
        self._share = min(_BATCH, -(-concurrency // _TURNS))
        self._poll_interval = poll_interval
        self._shutdown_timeout = shutdown_timeout
        self._event_level = database.settings.run_events
        self._result_limit = database.settings.payload_limit
        # How long a run takes here, on a moving average; slow until proven quick.
        self._pace = 1.0
        self._thread_count = threads
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="holdfast-handler")
        self._lanes = Lanes()
        self._free = concurrency
        self._busy: Counter[str] = Counter()
        self._inbox: deque[tuple[Run, str]] = deque()
        self._idle: list[asyncio.Future[None]] = []
        self._waking = False
        self._held: dict[Run, float] = {}
        self._executing: dict[Run, asyncio.Task[None]] = {}
        self._outcomes: list[Outcome] = []
        self._steps = StepStore(
            partial(self._ask, _SQL["record_steps"]), partial(self._ask, _SQL["recall_steps"]), clock.now, self._encode
        )
        self._news = asyncio.Event()
        self._stopping = asyncio.Event()
        self._claiming = True
        self._closing = False
        self._tend_soon = asyncio.Event()
        self.executed = 0

    @property
    def executes(self) -> str:
        """The types or prefixes this worker takes, for people."""
        return ", ".join([*self._types, *(f"{prefix}*" for prefix in self._prefixes)])

    def stop(self) -> None:
        """Finish what runs, within the deadline, hand back the rest, and end."""
        self._stopping.set()
        self._news.set()
        for run in self._held:
            run.stopping = True

    async def run(self) -> None:
        """Work until `stop` is called."""
        heart = Heart(self._database.where.app, _SQL["heartbeat"], self._leases, self._lose, self._clock.now)
        heart.start()
        slots = [asyncio.create_task(self._slot(), name=f"slot-{number}") for number in range(self._concurrency)]
        background = [asyncio.create_task(self._tend()), asyncio.create_task(self._listen())]
        turns = [asyncio.create_task(self._turns()) for _ in range(_TURNS)]
        try:
            stop = asyncio.create_task(self._stopping.wait())
            await asyncio.wait({stop, *background, *turns}, return_when=asyncio.FIRST_COMPLETED)
            stop.cancel()
            # None of these ends by itself: if one did, it is a bug, and must not leave a worker that only looks alive.
            for task in (*background, *turns):
                if task.done():
                    task.result()
            self._claiming = False
            await self._finish(slots)
        finally:
            self._claiming = False
            self._closing = True
            self._stopping.set()
            for task in (*background, *slots):
                task.cancel()
            await asyncio.gather(*background, *slots, return_exceptions=True)
            self._news.set()
            await asyncio.gather(*turns)
            await heart.stop()
            self._threads.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------------------------------------- claiming and settling

    async def _turns(self) -> None:
        while True:
            try:
                async with self._connected() as connection:
                    while await self._turn(connection):
                        pass
                    return
            except (HoldfastError, psycopg.OperationalError, TimeoutError) as error:
                _log.warning("the connection was lost and is made anew: %s", " ".join(str(error).split()))
                if self._stopping.is_set() and not self._outcomes:
                    return
                await asyncio.sleep(_RECONNECT_PAUSE)

    async def _turn(self, connection: AsyncConnection[Any]) -> bool:
        """One statement. Says whether there is a next turn."""
        outcomes, self._outcomes = self._outcomes[:_BATCH], self._outcomes[_BATCH:]
        ahead = self._ahead()
        places = min(self._free + ahead, max(self._share, ahead // _TURNS))
        claims = self._lanes.choose(places, self._room) if self._claiming else []
        if not outcomes and not claims:
            if self._stopping.is_set() and not self._executing and not self._inbox:
                return False
            self._news.clear()
            if not self._outcomes:
                await self._news.wait()
            return True
        # Places are reserved for as long as the statement is under way: another turn must not promise them again.
        reserved = sum({claim.tenant: claim.quota for claim in claims}.values())
        self._free -= reserved
        for claim in claims:
            self._busy[claim.type] += claim.quota
        try:
            rows = await self._exchange(connection, outcomes, claims)
        except _REFUSED as error:
            # Postgres refuses something in it. One by one, only the outcome it refuses is affected.
            for claim in claims:
                self._lanes.settle(claim, None)
            await self._settle_singly(connection, outcomes, error)
            return True
        except BaseException:
            # Settling again is harmless; not settling at all would leave finished runs to expire.
            self._outcomes = outcomes + self._outcomes
            for claim in claims:
                self._lanes.settle(claim, None)
            raise
        finally:
            self._free += reserved
            for claim in claims:
                self._busy[claim.type] -= claim.quota
        self._receive(rows, claims)
        return True

    async def _settle_singly(
        self, connection: AsyncConnection[Any], outcomes: list[Outcome], error: psycopg.Error
    ) -> None:
        if not outcomes:
            raise error
        for outcome in outcomes:
            try:
                await self._exchange(connection, [outcome], [])
            except _REFUSED as refusal:
                _log.exception("the outcome of run %s cannot be stored", outcome.run.id)
                await self._exchange(connection, [not_stored(outcome.run, refusal)], [])

    async def _exchange(
        self, connection: AsyncConnection[Any], outcomes: list[Outcome], claims: list[Claim]
    ) -> list[tuple[Any, ...]]:
        leases = [self._lease_length(claim.type) for claim in claims]
        values = columns(outcomes, self._encode) | {
            "worker": self.name,
            "lane_tenants": "{" + ",".join(claim.tenant for claim in claims) + "}",
            "lane_types": [claim.type for claim in claims],
            "quotas": [claim.quota for claim in claims],
            "leases": leases,
            "by_age": bool(claims) and self._lanes.by_age(),
            "event_level": self._event_level,
            "now": self._clock.now(),
        }
        with translated():
            # A server that accepts statements but never answers must not hold our finished runs for ever.
            async with asyncio.timeout(_TURN_TIMEOUT):
                cursor = connection.cursor(binary=True)
                await cursor.execute(_SQL["turn"], values)
                return await cursor.fetchall()

    def _receive(self, rows: list[tuple[Any, ...]], claims: list[Claim]) -> None:
        """Hand claimed runs to the slots."""
        found: Counter[tuple[str, str]] = Counter()
        taken_at = time.monotonic()
        for lost, tenant, run_id, kind, epoch, attempt, max_attempts, payload, trace in rows:
            if lost:
                _log.warning("run %s was no longer ours when it finished; its outcome was not taken", run_id)
                continue
            run = Run(tenant, run_id, kind, epoch, attempt, max_attempts, trace, self._lease_length(kind), self._steps)
            found[tenant, kind] += 1
            if self._closing:
                # Claimed while we were told to stop: there is nobody left to execute it here.
                self._outcomes.append(given_back(run))
                continue
            self._held[run] = taken_at
            self._free -= 1
            self._busy[kind] += 1
            self._inbox.append((run, payload))
        served = {tenant for tenant, _ in found}
        for claim in claims:
            here = found[claim.tenant, claim.type] > 0
            # Of one tenant's lanes only those with the highest priority were asked; the others did not tell.
            self._lanes.settle(claim, here or (None if claim.tenant in served else False))
            if claim.tenant not in served:
                # Nothing ready, although there was news of it: perhaps a run whose time is about to come.
                self._tend_soon.set()
        if self._inbox:
            self._wake_slot()

    def _ahead(self) -> int:
        """How many more runs than places to hold: what is over within ten milliseconds, when runs are that quick."""
        return min(_BATCH, int(_AHEAD_SECONDS / self._pace)) if self._pace < _QUICK_SECONDS else 0

    def _room(self, kind: str) -> int:
        handler = self._handlers.find(kind)
        if handler is not None and handler.concurrency is not None:
            return handler.concurrency - self._busy[kind]
        if handler is not None and not handler.asynchronous:
            # Plain functions start as threads become free.
            return min(self._concurrency, self._thread_count) - self._busy[kind]
        return self._concurrency + self._ahead() - self._busy[kind]

    def _lease_length(self, kind: str) -> timedelta:
        handler = self._handlers.find(kind)
        return handler.lease if handler else timedelta(seconds=30)

    # -------------------------------------------------------------------------------------------------------- executing

    async def _slot(self) -> None:
        while True:
            while not self._inbox:
                if self._closing:
                    return
                waiter = asyncio.get_running_loop().create_future()
                self._idle.append(waiter)
                try:
                    await waiter
                finally:
                    self._waking = False
            run, payload = self._inbox.popleft()
            if self._inbox:
                self._wake_slot()
            await self._execute(run, payload)

    def _wake_slot(self) -> None:
        # One at a time: a slot that wakes takes a run and wakes the next. Runs that never wait for anything are then
        # executed by a single slot, one after the other, and the rest sleep on.
        while self._idle and not self._waking:
            waiter = self._idle.pop()
            if not waiter.done():
                self._waking = True
                waiter.set_result(None)

    async def _execute(self, run: Run, payload: str) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._executing[run] = task
        started = time.perf_counter()
        outcome: Outcome | None
        try:
            outcome = await self._attempt(run, payload)
        except asyncio.CancelledError:
            if not run.cancelled and not self._stopping.is_set():
                raise
            # Cancelled on purpose: by whoever cancelled the run, or because we stop. The slot itself goes on.
            task.uncancel()
            outcome = None if run.cancelled else given_back(run)
        finally:
            del self._executing[run]
            self._held.pop(run, None)
            self._busy[run.type] -= 1
            self._free += 1
        self._pace += (time.perf_counter() - started - self._pace) * _PACE_WEIGHT
        self.executed += 1
        if outcome is not None and not run.cancelled:
            self._outcomes.append(outcome)
        self._news.set()

    async def _attempt(self, run: Run, payload: str) -> Outcome:
        handler = self._handlers.find(run.type)
        if handler is None:
            return no_handler(run, self._handlers.suggestion(run.type))
        try:
            result = await self._call(handler, run, payload)
            return succeeded(run, None if result is None else self._encode(result))
        except Suspended as request:
            return asleep(run, request.delay)
        except Exception as error:
            return after_error(run, error, handler.retry)

    async def _call(self, handler: Handler, run: Run, payload: str) -> Any:
        value = decode(payload, handler.payload) if handler.takes_payload else None
        if handler.asynchronous:
            call = handler.call(run, value)
        else:
            call = asyncio.get_running_loop().run_in_executor(self._threads, handler.call, run, value)
        if handler.timeout is None:
            return await call
        async with asyncio.timeout(handler.timeout.total_seconds()):
            return await call

    async def _ask(self, statement: LiteralString, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        async with self._database.connection() as connection:
            return await (await connection.execute(statement, values)).fetchall()

    def _encode(self, value: Any) -> str:
        return encode("result", value, limit=self._result_limit)

    # ----------------------------------------------------------------------------------------------------------- leases

    def _leases(self) -> list[tuple[Lease, float]]:
        # Called from the heart's thread; dict.copy() is one step under the interpreter's lock.
        return [
            (Lease(run.tenant_text, run.id_text, run.epoch, run.lease, run.type), taken)
            for run, taken in self._held.copy().items()
        ]

    def _lose(self, lease: Lease, status: str | None) -> None:
        for run in list(self._held):
            if (run.id_text, run.epoch) == (lease.id, lease.epoch):
                why = "was cancelled" if status == "cancelled" else "is no longer ours"
                _log.warning("run %s (%s) %s; it is stopped", lease.id, lease.what, why)
                run.cancelled = True
                self._held.pop(run, None)
                if run in self._executing:
                    self._executing[run].cancel()

    async def _finish(self, slots: list[asyncio.Task[None]]) -> None:
        deadline = time.monotonic() + self._shutdown_timeout
        while (self._executing or self._inbox) and time.monotonic() < deadline:
            await asyncio.wait({*slots}, timeout=0.05)
        for run, _ in self._inbox:
            self._held.pop(run, None)
            self._outcomes.append(given_back(run))
        self._inbox.clear()
        self._closing = True
        for waiter in self._idle:
            if not waiter.done():
                waiter.set_result(None)
        for run, task in list(self._executing.items()):
            handler = self._handlers.find(run.type)
            # A thread cannot be stopped, only asked. Until its lease expires nobody else may start what it still does.
            run.cancelled = handler is not None and not handler.asynchronous
            task.cancel()
        await asyncio.gather(*slots, return_exceptions=True)

    # ----------------------------------------------------------------------------------------------- what else is to do

    async def _tend(self) -> None:
        """Make due runs ready, take back expired ones, look which lanes have work: the truth behind notifications."""
        while True:
            try:
                async with self._connected() as connection:
                    while True:
                        self._tend_soon.clear()
                        pause = await self._look(connection)
                        # Not wait_for(): in Python 3.11 it may swallow a cancellation that comes with the event.
                        with contextlib.suppress(TimeoutError):
                            async with asyncio.timeout(pause):
                                await self._tend_soon.wait()
            except (HoldfastError, psycopg.OperationalError) as error:
                _log.warning("looking for work failed and is tried again: %s", " ".join(str(error).split()))
                await asyncio.sleep(_RECONNECT_PAUSE)

    async def _look(self, connection: AsyncConnection[Any]) -> float:
        with translated():
            values = {"event_level": self._event_level, "now": self._clock.now()}
            due = await (await connection.execute(_SQL["tend"], values)).fetchall()
            lanes = {"prefixes": self._prefixes, "types": self._types}
            ready = await (await connection.execute(_SQL["ready_lanes"], lanes)).fetchall()
        for tenant, kind, weight in ready:
            self._lanes.add(tenant, kind, weight)
        if ready:
            self._news.set()
        return self._pause_until([(row[2], row[3]) for row in due if row[0] is None])

    def _pause_until(self, due: list[tuple[datetime, datetime]]) -> float:
        """Until the next delayed run is due, at most the polling interval."""
        soonest = min(((at - now).total_seconds() for at, now in due), default=self._poll_interval)
        return min(self._poll_interval, max(0.005, soonest))

    async def _listen(self) -> None:
        """Notifications make idle workers fast; without them, looking every so often finds the same work."""
        while True:
            try:
                async with reach(self._database.where.listen) as connection:
                    await connection.execute("LISTEN holdfast_runs")
                    self._tend_soon.set()
                    async for notice in connection.notifies():
                        self._hear(notice.payload)
            except (HoldfastError, psycopg.Error) as error:
                _log.warning("listening is interrupted: %s", " ".join(str(error).split()))
            await asyncio.sleep(_RECONNECT_PAUSE)

    def _hear(self, text: str) -> None:
        tenant, _, kind = text.partition(":")
        if kind in self._types or any(kind.startswith(prefix) for prefix in self._prefixes):
            self._lanes.add(tenant, kind)
            self._news.set()

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[AsyncConnection[Any]]:
        # Own connections, not the pool's: a worker must be able to settle while handlers hold every pooled one.
        async with reach(self._database.where.app, timeout=self._database.settings.connect_timeout) as connection:
            await allow_prepared(connection, after=2)
            yield connection
