"""The worker: claims runs, executes them, settles them, and survives whatever happens in between.

    lookout ──lanes──▶ turn (settle what is finished + claim what is next: one statement, one commit)
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
import logging
import math
import os
import socket
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import psycopg

from holdfast.errors import DatabaseUnreachable, HoldfastError, InvalidInput
from holdfast.kernel.clock import Clock
from holdfast.kernel.ids import uuid7
from holdfast.kernel.loops import end
from holdfast.kernel.names import check_text
from holdfast.leases import Heart, Lease
from holdfast.postgres.database import Database
from holdfast.postgres.failures import plainly, translated
from holdfast.postgres.listening import Channel
from holdfast.postgres.queries import queries
from holdfast.postgres.wire import Row, Wire
from holdfast.runs.announcement import Announcement
from holdfast.runs.lanes import Claim, Lanes
from holdfast.runs.lookout import Lookout, own_wire
from holdfast.runs.marks import AT_THE_HEAD, Lane, Marks, Start
from holdfast.runs.model import Run
from holdfast.runs.outcomes import Outcome, columns, given_back, not_stored
from holdfast.runs.rates import Granted, Rates
from holdfast.runs.registry import Handlers
from holdfast.runs.slots import Slots
from holdfast.runs.worker_port import HoldRun, WorkerPort

if TYPE_CHECKING:
    # Prometheus' library is imported by who makes the figures, not by everybody who knows what a run is.
    from holdfast.metrics import RunMetrics

__all__ = ["Worker"]

_SQL = queries("runs")
_NEWS = Channel("holdfast_runs")
_log = logging.getLogger(__name__)
_TURNS = 2
_REFUSED = (psycopg.DataError, psycopg.IntegrityError, psycopg.InternalError, psycopg.NotSupportedError)
_BATCH = 250
"""Runs in one statement. Longer answers arrive in pieces, which costs the client more than it saves Postgres."""
_AHEAD = 1000
_AHEAD_SECONDS = 0.01
_QUICK_SECONDS = 0.001
_LAST_WORDS = 10.0
_LOCKED_PAUSE = 1.0
_LOCKED_PAUSE_CAP = 30.0
_NOBODY = Claim(str(UUID(int=0)), "nothing", 1, 0)


@dataclass(slots=True, eq=False)
class _LockedOut:
    """What cannot be settled because somebody else has its run locked."""

    outcome: Outcome
    next_pause: float
    due: bool = False


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
        self.name = name or f"{socket.gethostname()}:{os.getpid()}:{uuid7().hex[-6:]}"
        self._database = database
        self._handlers = handlers
        self._clock = clock
        own = [handler for handler in handlers if not handler.housekeeping]
        for prefix in prefixes:
            # An empty one would take every run of every type, and fail those that nobody handles here.
            check_text("prefix", prefix)
        self._prefixes = list(prefixes) or ([] if own else ["default."])
        self._types = [] if prefixes else [handler.type for handler in handlers]
        self._concurrency = concurrency
        # One turn takes at most its share of the places, so that another can be under way at the same time.
        self._share = min(_BATCH, -(-concurrency // _TURNS))
        self._shutdown_timeout = shutdown_timeout
        self._event_level = database.settings.run_events
        self._publishes = database.settings.run_publishes
        self._metrics = metrics
        self._thread_count = threads
        self._lanes = Lanes()
        self._marks = Marks()
        # Lanes of which a notification told, and the claim that followed has not answered yet.
        self._heard: set[tuple[str, str]] = set()
        # Lanes that their rate keeps waiting, or that rest: when they are asked again, and by what.
        self._waiting_lanes: dict[Lane, tuple[float, asyncio.Handle]] = {}
        self._free = concurrency
        self._busy: Counter[str] = Counter()
        self._plain = {handler.type for handler in handlers if not handler.asynchronous}
        self._busy_plain = 0
        self._held: dict[Run, float] = {}
        self._outcomes: list[Outcome] = []
        # Of runs that somebody's transaction has locked: when each is tried again, alone, and the pause after that.
        self._locked_out: list[_LockedOut] = []
        self._port = WorkerPort(database, handlers, clock, hold)
        self._slots = Slots(
            handlers,
            self._port.encode,
            self._ended,
            count=concurrency,
            threads=threads,
            on_start=self._note_started if self._event_level == "all" else None,
        )
        self._news = asyncio.Event()
        self._stopping = asyncio.Event()
        # When Postgres is gone while we stop: until then finished runs are kept, afterwards left to their leases.
        self._give_up_at = math.inf
        self._claiming = True
        self._closing = False
        self._rates = Rates(handlers, clock)
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
        self._give_up_at = min(self._give_up_at, time.monotonic() + self._shutdown_timeout + _LAST_WORDS)
        self._stopping.set()
        self._news.set()
        for run in self._held:
            run.stopping = True

    async def run(self) -> None:
        """Work until `stop` is called."""
        heart = Heart(
            self._database.where.app,
            _SQL["heartbeat"],
            self._leases,
            self._lose,
            self._clock.now,
            self._database.outage,
            on_blocked=self._metrics.loop_blocked,
        )
        heart.start()
        self._slots.start()
        watching = asyncio.create_task(self._lookout.watch())
        turns = [asyncio.create_task(self._turns()) for _ in range(_TURNS)]
        try:
            stop = asyncio.create_task(self._stopping.wait())
            with self._database.listening.on(_NEWS, self._lookout.hear):
                await asyncio.wait({stop, watching, *turns}, return_when=asyncio.FIRST_COMPLETED)
            stop.cancel()
            # None of these ends by itself: if one did, it is a bug, and must not leave a worker that only looks alive.
            for task in (watching, *turns):
                if task.done():
                    task.result()
            self._claiming = False
            unstarted = await self._slots.finish(self._shutdown_timeout)
            self._outcomes += map(given_back, unstarted)
        finally:
            self._claiming = False
            self._closing = True
            self.stop()
            watching.cancel()
            await self._slots.close()
            await end(watching)
            self._news.set()
            await asyncio.gather(*turns)
            await heart.stop()

    # ------------------------------------------------------------------------------------------- claiming and settling

    async def _turns(self) -> None:
        while True:
            try:
                async with own_wire(self._database) as wire:
                    await self._warm_up(wire)
                    self._database.outage.ended()
                    while await self._turn(wire):
                        pass
                    return
            except (HoldfastError, psycopg.Error) as error:
                if self._stopping.is_set() and not self._outcomes and not self._slots.busy and not self._locked_out:
                    return
                if time.monotonic() > self._give_up_at:
                    left = len(self._outcomes) + len(self._locked_out)
                    _log.warning("%d outcomes could not be settled; their runs come back", left)
                    return
                await self._database.wait_out(error, "claiming and settling runs")

    async def _warm_up(self, wire: Wire) -> None:
        """Claim from nobody, so that Postgres has planned claims while the lookout still looks for the first lane."""
        await self._exchange(wire, [], [_NOBODY])
        await wire.prepare(_SQL["turn_lane"])

    async def _turn(self, wire: Wire) -> bool:
        """One statement. Says whether there is a next turn."""
        self._metrics.occupied(len(self._held), self._concurrency)
        if self._locked_out and await self._settle_locked_out(wire):
            return True
        outcomes, self._outcomes = self._outcomes[:_BATCH], self._outcomes[_BATCH:]
        ahead = self._ahead()
        places = min(self._free + ahead, max(self._share, min(_BATCH, ahead // _TURNS)))
        plain = self._busy_plain
        # Places are promised for as long as the statement is under way: nobody else must get them meanwhile.
        claims = self._lanes.choose(places, self._room, self._promise) if self._claiming and self._database.fits else []
        plain = self._busy_plain - plain
        if not outcomes and not claims:
            if self._stopping.is_set() and not self._slots.busy and not self._locked_out:
                return False
            self._news.clear()
            if not self._outcomes:
                await self._news.wait()
            return True
        reserved = _shared(claims)
        self._free -= reserved
        try:
            rows, granted, whole = await self._exchange_within_rates(wire, outcomes, claims)
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
            self._free += reserved
            self._busy_plain -= plain
            for claim in claims:
                self._busy[claim.type] -= claim.quota
        self._receive(rows, granted, whole)
        if any(outcome.waiting_for for outcome in outcomes):
            # The event may have happened before the run began to wait for it.
            self._lookout.look_soon()
        return True

    async def _exchange_within_rates(
        self, wire: Wire, outcomes: list[Outcome], claims: list[Claim]
    ) -> tuple[list[Row], Granted, set[Lane]]:
        """Exchange in order, with the claims cut to what the rates of their types allow now."""
        if not self._rates.limits(claims):
            rows, whole = await self._exchange_in_order(wire, outcomes, claims)
            return rows, Granted(claims, []), whole
        granted = await self._rates.take(wire, claims)
        rows, whole = [], set()
        if outcomes or granted.claims:
            rows, whole = await self._exchange_in_order(wire, outcomes, granted.claims)
        try:
            await self._rates.give_back(wire, granted.claims, _found(rows, granted.claims))
        except psycopg.Error as error:
            # What was claimed is ours all the same, and must not wait for its lease to expire.
            if not wire.closed:
                _log.warning("what a rate has left could not be given back: %s", plainly(str(error)))
        return rows, granted, whole

    async def _exchange_in_order(
        self, wire: Wire, outcomes: list[Outcome], claims: list[Claim]
    ) -> tuple[list[Row], set[Lane]]:
        """Exchange, by age when it is time for that. Says which lanes have no more if they gave too little."""
        began = time.monotonic()
        lanes = [(claim.tenant, claim.type) for claim in claims]
        if self._lanes.by_age(claims, may=not any(self._marks.rests(lane, began) for lane in lanes)):
            return await self._exchange(wire, outcomes, claims, by_age=True), set()
        starts = [self._marks.start(lane, began) for lane in lanes]
        rows = await self._exchange(wire, outcomes, claims, starts)
        ended = time.monotonic()
        alone = self._alone(claims)
        found = _found(rows, claims)
        # One lane that is asked alone is not named in the answer.
        marks = {lanes[0] if alone else (row[1], row[3]): row[-1] for row in rows if row[-1] is not None}
        whole: set[Lane] = set()
        for claim, lane, start in zip(claims, lanes, starts, strict=True):
            # No mark of one that was asked for everything: it has no more. Of several, some were perhaps not asked.
            mark = marks.get(lane, None if alone and start.thorough else start.mark)
            self._marks.note(lane, start, began, ended, mark)
            if start.mark is None or alone or not start.thorough:
                whole.add(lane)
            if start.mark is not None and not start.thorough and found.get(lane, 0) < claim.quota:
                # There is no more behind the mark. What lies before it is looked for when the lane has rested.
                self._ask_later(claim, self._marks.rest(lane, ended))
        return rows, whole

    async def _settle_singly(self, wire: Wire, outcomes: list[Outcome], error: psycopg.Error) -> None:
        if not outcomes:
            raise error
        left = list(outcomes)
        # This takes its time, in which their leases are kept.
        self._held |= {outcome.run: 0.0 for outcome in left}
        try:
            while left:
                await self._settle_one(wire, left[0], _LOCKED_PAUSE)
                del left[0]
        except BaseException:
            self._outcomes = left + self._outcomes
            for outcome in left:
                self._held.pop(outcome.run, None)
            raise

    async def _settle_one(self, wire: Wire, outcome: Outcome, pause: float) -> None:
        try:
            try:
                await self._exchange(wire, [outcome], [])
            except _REFUSED as refusal:
                _log.exception("the outcome of run %s cannot be stored", outcome.run.id)
                await self._exchange(wire, [not_stored(outcome.run, refusal)], [])
            self._held.pop(outcome.run, None)
        except psycopg.errors.LockNotAvailable:
            # A transaction that cancels or deletes it, most likely. Until that has ended there is nothing to settle.
            pause = _LOCKED_PAUSE if self._stopping.is_set() else pause
            locked = _LockedOut(outcome, min(2 * pause, _LOCKED_PAUSE_CAP))
            self._locked_out.append(locked)
            asyncio.get_running_loop().call_later(pause, self._look_again, locked)

    def _look_again(self, locked: _LockedOut) -> None:
        # The timer tells that the pause is over, no clock: uvloop's timers are early by what the loop was busy for.
        locked.due = True
        self._news.set()

    async def _settle_locked_out(self, wire: Wire) -> bool:
        """Try the first of those whose pause is over; whether there was one."""
        if time.monotonic() > self._give_up_at:
            _log.warning("%d runs stay locked by others; they come back", len(self._locked_out))
            for locked in self._locked_out:
                self._held.pop(locked.outcome.run, None)
            self._locked_out.clear()
            self._news.set()
            return False
        for locked in self._locked_out:
            if locked.due:
                self._locked_out.remove(locked)
                try:
                    await self._settle_one(wire, locked.outcome, locked.next_pause)
                except BaseException:
                    self._outcomes.insert(0, locked.outcome)
                    self._held.pop(locked.outcome.run, None)
                    raise
                # The other turn may wait for nothing else to end.
                self._news.set()
                return True
        return False

    async def _exchange(
        self,
        wire: Wire,
        outcomes: list[Outcome],
        claims: list[Claim],
        starts: Sequence[Start] = (),
        *,
        by_age: bool = False,
    ) -> list[Row]:
        values: dict[str, Any] = {"worker": self.name, "by_age": by_age, "now": self._clock.now()}
        if self._alone(claims):
            # Mostly it is one lane, whose statements are shorter; the answer does not repeat which it was.
            query = _SQL["turn_lane"] if outcomes else _SQL["claim_lane"]
            (claim,) = claims
            values["lane_tenant"], values["lane_type"], values["quota"] = claim.tenant, claim.type, claim.quota
            values["lease"] = self._lease_length(claim.type)
            values["mark"], values["thorough"] = starts[0] if starts else AT_THE_HEAD
        else:
            query = _SQL["turn"]
            values["lane_tenants"] = "{" + ",".join(claim.tenant for claim in claims) + "}"
            values["lane_types"] = [claim.type for claim in claims]
            values["quotas"] = [claim.quota for claim in claims]
            values["leases"] = [self._lease_length(claim.type) for claim in claims]
            values["threaded"] = [claim.type in self._plain for claim in claims]
            values["marks"] = [start.mark for start in starts]
            values["thorough"] = [start.thorough for start in starts]
        if query != _SQL["claim_lane"]:
            values |= columns(outcomes)
            values["event_level"], values["publishes"] = self._event_level, self._publishes
        try:
            return await wire.run(query, values)
        except psycopg.Error:
            with translated():
                raise

    def _alone(self, claims: list[Claim]) -> bool:
        """Whether a statement for one lane will do."""
        return len(claims) == 1 and self._event_level != "all"

    def _receive(self, rows: list[Row], granted: Granted, whole: set[Lane]) -> None:
        """Hand claimed runs to the slots, and note what was learned of the lanes."""
        found = _found(rows, granted.claims)
        taken_at = time.monotonic()
        for lost, tenant, run_id, kind, epoch, attempt, max_attempts, payload, trace, key, place, _ in rows:
            if lost:
                _log.warning("run %s was no longer ours when it finished; its outcome was not taken", run_id)
                self._metrics.lease_lost(kind or "other")
                continue
            if tenant is None:
                # There was one lane to ask, and the answer does not repeat which.
                tenant, kind = granted.claims[0].tenant, granted.claims[0].type
            lease = self._lease_length(kind)
            run = Run(tenant, run_id, kind, epoch, attempt, max_attempts, trace, key, place, lease, self._port)
            if self._closing:
                # Claimed while we were told to stop: there is nobody left to execute it here.
                self._outcomes.append(given_back(run))
                continue
            self._held[run] = taken_at
            self._free -= 1
            self._occupy(kind, 1)
            self._slots.put(run, payload)
        for (_, kind), count in found.items():
            self._metrics.claimed(kind, count)
        served = {tenant for tenant, _ in found}
        tenants = [claim.tenant for claim in granted.claims]
        for claim in granted.claims:
            here = found.get((claim.tenant, claim.type), 0)
            # Of one tenant's lanes only those with the highest priority were asked; the others did not tell. By age
            # only one priority was, and behind a mark perhaps not all there is.
            told = (claim.tenant, claim.type) in whole and tenants.count(claim.tenant) == 1
            found_here = here > 0 or (None if claim.tenant in served else False)
            self._lanes.settle(claim, found_here, dry=told and here < claim.quota)
            if (claim.tenant, claim.type) in self._heard:
                self._heard.discard((claim.tenant, claim.type))
                if claim.tenant not in served:
                    # Nothing ready, although we heard of it: perhaps a run whose time is about to come. Had we seen it
                    # ourselves, somebody would have it locked, and looking again would show it again.
                    self._lookout.look_soon()
        for claim, wait in granted.denied:
            self._lanes.settle(claim, found=False)
            self._ask_later(claim, wait)
        self._slots.wake()

    def _ask_later(self, claim: Claim, wait: float) -> None:
        """Ask a lane again when its rate allows it, or it has rested; once, however often it is asked until then."""
        lane = (claim.tenant, claim.type)
        loop = asyncio.get_running_loop()
        due = loop.time() + wait
        if lane in self._waiting_lanes:
            earlier, handle = self._waiting_lanes[lane]
            if earlier <= due:
                return
            handle.cancel()
        # What call_later() gives need not tell when: uvloop's does not if that is now.
        self._waiting_lanes[lane] = (due, loop.call_later(wait, self._ask_again, lane))

    def _ask_again(self, lane: Lane) -> None:
        del self._waiting_lanes[lane]
        self._add_lane(*lane, None)

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
        self._held.pop(run, None)
        self._occupy(run.type, -1)
        self._free += 1
        if outcome is not None:
            self._outcomes.append(outcome)
        self._news.set()

    # ---------------------------------------------------------------------------------------------------------- bounds

    def _ahead(self) -> int:
        """How many more runs than places to hold: what is over within ten milliseconds, when runs are that quick."""
        pace = self._slots.pace
        return min(_AHEAD, int(_AHEAD_SECONDS / pace)) if pace < _QUICK_SECONDS else 0

    def _promise(self, claims: list[Claim]) -> None:
        """Count what one tenant may take as taken."""
        for claim in claims:
            self._busy[claim.type] += claim.quota
        if self._plain:
            self._busy_plain += _shared([claim for claim in claims if claim.type in self._plain])

    def _occupy(self, kind: str, places: int) -> None:
        self._busy[kind] += places
        if kind in self._plain:
            self._busy_plain += places

    def _room(self, kind: str) -> int:
        handler = self._handlers.find(kind)
        room = self._concurrency + self._ahead() - self._busy[kind]
        if handler is None:
            return room
        if handler.concurrency is not None:
            room = handler.concurrency - self._busy[kind]
        if not handler.asynchronous:
            # Plain functions share the threads, of which some may still be with a function whose attempt is over.
            room = min(room, self._thread_count - self._busy_plain - self._slots.stray_threads)
        return room

    def _lease_length(self, kind: str) -> timedelta:
        handler = self._handlers.find(kind)
        return handler.lease if handler else timedelta(seconds=30)

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
                self._metrics.lease_lost(run.type)
                self._held.pop(run, None)
                self._slots.drop(run)


def _found(rows: list[Row], claims: list[Claim]) -> dict[tuple[str, str], int]:
    """How many runs a turn brought, by tenant and type."""
    taken = [row for row in rows if not row[0]]
    if taken and taken[0][1] is None:
        return {(claims[0].tenant, claims[0].type): len(taken)}
    return Counter((row[1], row[3]) for row in taken)


def _shared(claims: Sequence[Claim]) -> int:
    """How many runs claims may bring: a tenant's lanes share their places, so that only the largest counts."""
    if len(claims) == 1:
        return claims[0].quota
    shares: Counter[str] = Counter()
    for claim in claims:
        shares[claim.tenant] = max(shares[claim.tenant], claim.quota)
    return shares.total()
