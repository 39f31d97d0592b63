"""The worker: claims runs, executes them, settles them, and survives whatever happens in between.

    lookout ──lanes──▶ turn (settle what is finished + claim what is next: one statement, one commit)
                       │
                       ▼
    slots: a fixed number of tasks, each executing one run at a time
                       │ outcome
                       ▼
    settled with the next turn

A claimed run starts at once, or, when runs are over in an instant, within some ten milliseconds: then the worker takes
a little more than it has slots, because the statement would otherwise cost more than the work. There is no other
buffer in which a run could wait with its lease running.

Two turns may be under way at a time, so that Postgres works while handlers do. Leases are kept by a thread of their own
(`leases.Heart`). A turn whose connection breaks is repeated: settling names (id, epoch), so it cannot count twice, and
runs that were claimed without our hearing of it come back when their lease expires.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Coroutine, Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import psycopg

from holdfast.errors import DatabaseUnreachable, HoldfastError, InvalidInput
from holdfast.kernel.clock import Clock
from holdfast.kernel.names import check_text
from holdfast.leases import Lease, LeasedTable, LockedOut, Service
from holdfast.postgres.database import Database
from holdfast.postgres.failures import plainly
from holdfast.postgres.listening import Channel
from holdfast.postgres.queries import queries
from holdfast.postgres.wire import Wire
from holdfast.runs.announcement import Announcement
from holdfast.runs.capacity import BATCH, NOTHING, TURNS, Capacity
from holdfast.runs.exchange import Brought, Exchange
from holdfast.runs.lane_timers import LaneTimers
from holdfast.runs.lanes import Claim, Lanes
from holdfast.runs.lookout import Lookout, own_wire
from holdfast.runs.model import Run
from holdfast.runs.outcomes import Outcome, given_back, not_stored
from holdfast.runs.registry import Handlers
from holdfast.runs.slots import Slots
from holdfast.runs.worker_port import HoldRun, WorkerPort

if TYPE_CHECKING:
    # Prometheus' library is imported by who makes the figures, not by everybody who knows what a run is.
    from holdfast.metrics import RunMetrics

__all__ = ["Worker"]

_SQL = queries("runs")
_log = logging.getLogger(__name__)
_REFUSED = (psycopg.DataError, psycopg.IntegrityError, psycopg.InternalError, psycopg.NotSupportedError)
_NO_LEASE = timedelta()
_DRAIN_PAUSE = 0.005
_DRAIN_PATIENCE = 1.0
_NOBODY = Claim(str(UUID(int=0)), "nothing", 1, 0)


class Worker(Service[Run]):
    """Executes the runs of every tenant whose types it handles."""

    table = LeasedTable("runs", Channel("holdfast_runs"), _SQL["heartbeat"])

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
        hold: HoldRun | None = None,
        metrics: RunMetrics,
    ) -> None:
        if not isinstance(concurrency, int) or concurrency < 1:
            raise InvalidInput(f"concurrency is {concurrency!r}", hint="use 1 or more", field="concurrency")
        if isinstance(prefixes, str):
            # Each of its letters would be a prefix.
            raise InvalidInput(f"prefixes is {prefixes!r}", hint="give a list of them", field="prefixes")
        if name is not None:
            check_text("name", name)
        super().__init__(database, clock, _lease_of, name=name, shutdown_timeout=shutdown_timeout)
        self._handlers = handlers
        own = [handler for handler in handlers if not handler.housekeeping]
        for prefix in prefixes:
            # An empty one would take every run of every type, and fail those that nobody handles here.
            check_text("prefix", prefix)
        self._prefixes = list(prefixes) or ([] if own else ["default."])
        self._types = [] if prefixes else [handler.type for handler in handlers]
        self._concurrency = concurrency
        self._metrics = metrics
        self._lanes = Lanes()
        self._exchange = Exchange(database, handlers, clock, self._lanes, self.name)
        # Lanes of which a notification told, and the claim that followed has not answered yet.
        self._heard: set[tuple[str, str]] = set()
        self._timers = LaneTimers(lambda lane: self._add_lane(*lane, None))
        self._outcomes: list[Outcome] = []
        self._locked_out: LockedOut[Outcome] = LockedOut(self._news.set)
        self._port = WorkerPort(database, handlers, clock, hold)
        self._slots = Slots(
            handlers,
            self._port.encode,
            self._ended,
            count=concurrency,
            threads=threads,
            on_start=self._note_started if database.settings.run_events == "all" else None,
        )
        self._capacity = Capacity(handlers, self._slots, concurrency=concurrency, threads=threads)
        self._claiming = True
        self._closing = False
        self._lookout = Lookout(
            database,
            clock,
            self._add_lane,
            prefixes=self._prefixes,
            types=self._types,
            poll_interval=poll_interval,
            announcement=Announcement(self.name, handlers, self._types, self._prefixes),
        )

    @property
    def executed(self) -> int:
        """How many attempts this worker has made."""
        return self._slots.executed

    @property
    def executes(self) -> str:
        """The types or prefixes this worker takes, for people."""
        return ", ".join([*self._types, *(f"{prefix}*" for prefix in self._prefixes)])

    def stop(self) -> None:
        """Finish what runs, within the deadline, hand back the rest, and end."""
        super().stop()
        for run in self._in_hand:
            run.stopping = True

    async def run(self) -> None:
        """Work until `stop` is called."""
        self._slots.start()
        await super().run()

    async def drain(self) -> int:
        """Work until nothing is due by the clock any more, then end: for tests. How many attempts it made.

        What is due and may not be claimed now, because of a limit, stays.
        """
        if not await self._lookout.due():
            return 0
        running = asyncio.create_task(self.run())
        try:
            since, executed = time.monotonic(), 0
            while not running.done():
                if self.executed > executed or self._in_hand or not self._idle:
                    since, executed = time.monotonic(), self.executed
                else:
                    over = time.monotonic() > since + _DRAIN_PATIENCE or not await self._lookout.due()
                    # What is not due any more may have been claimed while we asked.
                    if over and not self._in_hand and self.executed == executed:
                        break
                await asyncio.sleep(_DRAIN_PAUSE)
        finally:
            self.stop()
            await running
        return self.executed

    # --------------------------------------------------------------------------------------------------------- its life

    def _loops(self) -> Iterable[Coroutine[Any, Any, None]]:
        return [self._lookout.watch(self._persist)]

    def _hands(self) -> Iterable[Coroutine[Any, Any, None]]:
        return [self._persist("claiming and settling runs", self._turns) for _ in range(TURNS)]

    def _hear(self, payload: str | None) -> None:
        self._lookout.hear(payload)

    def _blocked(self, seconds: float) -> None:
        self._metrics.loop_blocked(seconds)

    @property
    def _idle(self) -> bool:
        """Whether nothing executes, and nothing is to be settled."""
        return not self._outcomes and not self._slots.busy and not self._locked_out

    def _gives_up(self) -> bool:
        if self._stopping.is_set() and self._idle:
            return True
        if time.monotonic() < self._settle_until:
            return False
        left = len(self._outcomes) + len(self._locked_out)
        _log.warning("%d outcomes could not be settled; their runs come back", left)
        return True

    async def _finish(self) -> None:
        self._claiming = False
        unstarted = await self._slots.finish(self._shutdown_timeout)
        self._outcomes += map(given_back, unstarted)

    async def _break_off(self) -> None:
        self._claiming = False
        self._closing = True
        await self._slots.close()

    # ------------------------------------------------------------------------------------------- claiming and settling

    async def _turns(self) -> None:
        async with own_wire(self._database) as wire:
            await self._warm_up(wire)
            self._database.outage.ended()
            while await self._turn(wire):
                pass

    async def _warm_up(self, wire: Wire) -> None:
        """Claim from nobody, so that Postgres has planned claims while the lookout still looks for the first lane."""
        await self._exchange.ask(wire, [], [_NOBODY])
        await wire.prepare(_SQL["turn_lane"])

    async def _turn(self, wire: Wire) -> bool:
        """One statement. Says whether there is a next turn."""
        self._metrics.occupied(len(self._in_hand), self._concurrency)
        if self._locked_out and await self._settle_locked_out(wire):
            return True
        outcomes, self._outcomes = self._outcomes[:BATCH], self._outcomes[BATCH:]
        claiming = self._claiming and self._database.fits
        promise = self._capacity.promise(self._lanes) if claiming else NOTHING
        claims = promise.claims
        if not outcomes and not claims:
            if self._stopping.is_set() and self._idle:
                return False
            self._news.clear()
            if not self._outcomes:
                await self._news.wait()
            return True
        try:
            brought = await self._exchange.make(wire, outcomes, claims)
        except (*_REFUSED, psycopg.errors.LockNotAvailable) as error:
            # Postgres refuses something in it, or somebody has locked it. One by one, only that one is affected.
            for claim in claims:
                self._lanes.settle(claim, None)
            await self._settle_singly(wire, outcomes, error)
            return True
        except BaseException:
            # Settling again is harmless; not settling at all would leave finished runs to expire.
            self._outcomes = outcomes + self._outcomes
            for claim in claims:
                self._lanes.settle(claim, None)
            raise
        finally:
            self._capacity.release(promise)
        self._receive(brought)
        if any(outcome.waiting_for for outcome in outcomes):
            # The event may have happened before the run began to wait for it.
            self._lookout.look_soon()
        return True

    async def _settle_singly(self, wire: Wire, outcomes: list[Outcome], error: psycopg.Error) -> None:
        if not outcomes:
            raise error
        left = list(outcomes)
        # This takes its time, in which their leases are kept.
        self._in_hand.update({outcome.run: 0.0 for outcome in left})
        try:
            while left:
                await self._settle_one(wire, left[0])
                del left[0]
        except BaseException:
            self._outcomes = left + self._outcomes
            for outcome in left:
                self._in_hand.pop(outcome.run, None)
            raise

    async def _settle_one(self, wire: Wire, outcome: Outcome, *pause: float) -> None:
        try:
            try:
                await self._exchange.ask(wire, [outcome], [])
            except _REFUSED as refusal:
                _log.exception("the outcome of run %s cannot be stored", outcome.run.id)
                await self._exchange.ask(wire, [not_stored(outcome.run, refusal)], [])
            self._in_hand.pop(outcome.run, None)
        except psycopg.errors.LockNotAvailable:
            self._locked_out.add(outcome, *(() if self._stopping.is_set() else pause))

    async def _settle_locked_out(self, wire: Wire) -> bool:
        """Try the first of those whose pause is over; whether there was one."""
        if time.monotonic() > self._settle_until:
            given_up = self._locked_out.clear()
            _log.warning("%d runs stay locked by others; they come back", len(given_up))
            for outcome in given_up:
                self._in_hand.pop(outcome.run, None)
            self._news.set()
            return False
        if (due := self._locked_out.take()) is None:
            return False
        outcome, pause = due
        try:
            await self._settle_one(wire, outcome, pause)
        except BaseException:
            self._outcomes.insert(0, outcome)
            self._in_hand.pop(outcome.run, None)
            raise
        # The other turn may wait for nothing else to end.
        self._news.set()
        return True

    def _receive(self, brought: Brought) -> None:
        """Hand claimed runs to the slots, and note what was learned of the lanes."""
        taken_at = time.monotonic()
        lease, leased = _NO_LEASE, None
        for lost, tenant, run_id, kind, epoch, attempt, most, payload, trace, key, address, _ in brought.rows:
            if lost:
                _log.warning("run %s was no longer ours when it finished; its outcome was not taken", run_id)
                self._metrics.lease_lost(kind or "other")
                continue
            if tenant is None or kind is None:
                # Asked for one lane alone, the answer does not repeat which.
                tenant, kind = brought.granted.claims[0].lane
            if kind != leased:
                lease, leased = self._exchange.lease_length(kind), kind
            run = Run(tenant, run_id, kind, epoch, attempt, most, trace, key, address, lease, self._port)
            if self._closing:
                # Claimed while we were told to stop: there is nobody left to execute it here.
                self._outcomes.append(given_back(run))
                continue
            self._in_hand[run] = taken_at
            self._capacity.occupy(kind)
            self._slots.put(run, payload)
        for (_, kind), count in brought.found.items():
            self._metrics.claimed(kind, count)
        self._note_lanes(brought)
        self._slots.wake()

    def _note_lanes(self, brought: Brought) -> None:
        served = {tenant for tenant, _ in brought.found}
        asked = Counter(claim.tenant for claim in brought.granted.claims)
        for claim in brought.granted.claims:
            count = brought.found.get(claim.lane, 0)
            # Of one tenant's lanes only those with the highest priority were asked; the others did not tell. By age
            # only one priority was, and behind a mark perhaps not all there is.
            told = claim.lane in brought.complete and asked[claim.tenant] == 1
            found = count > 0 or (None if claim.tenant in served else False)
            self._lanes.settle(claim, found, dry=told and count < claim.quota)
            if claim.lane in self._heard:
                self._heard.discard(claim.lane)
                if claim.tenant not in served:
                    # Nothing ready, although we heard of it: perhaps a run whose time is about to come. Had we seen it
                    # ourselves, somebody would have it locked, and looking again would show it again.
                    self._lookout.look_soon()
        for claim, wait in brought.granted.denied:
            self._lanes.settle(claim, found=False)
            self._timers.start(claim.lane, wait)
        for claim, wait in brought.resting:
            self._timers.start(claim.lane, wait)

    def _add_lane(self, tenant: str, kind: str, weight: int | None) -> None:
        if weight is None:
            self._heard.add((tenant, kind))
        self._lanes.add(tenant, kind, weight)
        self._news.set()

    async def _note_started(self, run: Run) -> None:
        """An event for each handler that begins: a statement that only those pay for who want all events."""
        values = {"tenant": run.tenant, "id": run.id, "epoch": run.epoch, "worker": self.name, "now": self._clock.now()}
        try:
            async with self._database.connection() as connection:
                await connection.execute(_SQL["note_started"], values)
        except DatabaseUnreachable as error:
            self._database.outage.began(error)
        except (HoldfastError, psycopg.Error) as error:
            _log.warning("that run %s began could not be written: %s", run.id_text, plainly(str(error)))

    def _ended(self, run: Run, outcome: Outcome | None, seconds: float) -> None:
        self._metrics.finished(run.type, "cancelled" if outcome is None else outcome.name, seconds)
        self._in_hand.pop(run, None)
        self._capacity.vacate(run.type)
        if outcome is not None:
            self._outcomes.append(outcome)
        self._news.set()

    # ----------------------------------------------------------------------------------------------------------- leases

    def _lost(self, lease: Lease, status: str | None) -> None:
        run = self._in_hand.find(lease)
        if run is not None:
            why = "was cancelled" if status == "cancelled" else "is no longer ours"
            _log.warning("run %s (%s) %s; it is stopped", lease.id, lease.what, why)
            self._metrics.lease_lost(run.type)
            del self._in_hand[run]
            self._slots.drop(run)


def _lease_of(run: Run) -> Lease:
    return Lease(run.tenant_text, run.id_text, run.epoch, run.lease, run.type)
