"""The dispatcher: leases lanes, sends their events in order, records what became of them.

    turn (record what was sent + lease what is next: one statement, one commit)
      │ lanes                                     ▲ settled lanes
      ▼                                           │
    one task a lane: its events one after the other, each to every sink that wants it

Any number of dispatchers may run. A lane is held by one at a time, under an epoch; nothing of a holder that lost it is
recorded. Sinks are only called outside of transactions. An event whose holder dies between sending and recording it is
sent again, with the same id: at least once, and for each aggregate in order.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import psycopg
from psycopg import AsyncConnection

from holdfast.errors import SettingsError
from holdfast.kernel.clock import Clock
from holdfast.kernel.json import dump
from holdfast.kernel.loops import being_cancelled
from holdfast.leases import Backoff, Lease, LeasedTable, LockedOut, QueueMarks, RowTasks, Service, pause_until
from holdfast.outbox.lanes import Lane, columns
from holdfast.outbox.model import OutboxEvent
from holdfast.outbox.sinks.protocol import Sink, TryLater, Undeliverable, wants
from holdfast.postgres.connect import allow_prepared, reach
from holdfast.postgres.database import Database
from holdfast.postgres.failures import translated
from holdfast.postgres.listening import Channel
from holdfast.postgres.queries import queries

__all__ = ["Dispatcher"]

_SQL = queries("outbox")
_log = logging.getLogger(__name__)
_TURNS = 2
_PER_LANE = 100
_LANE_SECONDS = 2.0
_EMPTY_PAUSE = timedelta(seconds=0.1)
_TURN_TIMEOUT = 60.0
_ERROR_LIMIT = 1000
_NOBODY = "00000000-0000-0000-0000-000000000000"


class Dispatcher(Service[Lane]):
    """Sends the events of every tenant to its sinks."""

    table = LeasedTable("events", Channel("holdfast_outbox"), _SQL["heartbeat"])
    settling_seconds = 2.0

    def __init__(
        self,
        database: Database,
        sinks: Sequence[Sink],
        clock: Clock,
        *,
        concurrency: int | None = None,
        name: str | None = None,
    ) -> None:
        if not sinks:
            raise SettingsError(
                "no sink is configured",
                hint="set HOLDFAST_OUTBOX_SINKS, to stdout for instance",
                setting="outbox_sinks",
            )
        settings = database.settings
        shutdown_timeout = settings.worker_shutdown_timeout
        super().__init__(database, clock, self._lease_of, name=name, shutdown_timeout=shutdown_timeout)
        self.published = self.failed = self.dead = 0
        self._sinks = list(sinks)
        self._source = settings.outbox_source.rstrip("/")
        self._backoff = Backoff(settings.outbox_backoff_base, settings.outbox_backoff_cap)
        self._max_attempts = settings.outbox_max_attempts
        self._hold_dead = settings.outbox_dead_letters == "hold"
        self._lease = timedelta(seconds=settings.outbox_lease)
        self._timeout = settings.outbox_timeout
        self._poll_interval = settings.worker_poll_interval
        self._free = concurrency or settings.outbox_concurrency
        self._share = -(-self._free // _TURNS)
        self._after = _NOBODY
        self._tasks: RowTasks[Lane] = RowTasks(self._ended)
        self._settled: list[Lane] = []
        self._locked_out: LockedOut[Lane] = LockedOut(self._news.set)
        self._marks = QueueMarks("due", "aggregate_type", "aggregate_id")
        self._at_head = False
        """Whether there was nothing behind the marks, so that the next claim looks before them too."""
        self._hungry = True
        self._look = asyncio.Event()

    @property
    def sends_to(self) -> str:
        """The sinks, for people."""
        return ", ".join(sink.name for sink in self._sinks)

    @property
    def sinks(self) -> tuple[Sink, ...]:
        """Where it sends to."""
        return tuple(self._sinks)

    def stop(self, *, at_once: bool = False) -> None:
        """Finish what is being sent, within the deadline or not at all, hand back the rest, and end."""
        super().stop()
        if at_once:
            self._tasks.cancel_all()

    # --------------------------------------------------------------------------------------------------------- its life

    def _loops(self) -> Iterable[Coroutine[Any, Any, None]]:
        return [self._persist("looking for events", self._tend)]

    def _hands(self) -> Iterable[Coroutine[Any, Any, None]]:
        return [self._persist("leasing and recording events", self._turns) for _ in range(_TURNS)]

    def _hear(self, payload: str | None) -> None:
        self._look.set()

    def _gives_up(self) -> bool:
        # What cannot be recorded is sent again by whoever is next; a database that is gone must not keep us.
        if not self._stopping.is_set() or (self._in_hand and time.monotonic() <= self._settle_until):
            return False
        self._settled.clear()
        self._locked_out.clear()
        self._in_hand.clear()
        self._news.set()
        return True

    async def _finish(self) -> None:
        await self._tasks.finish(self._shutdown_timeout)

    async def _break_off(self) -> None:
        await self._tasks.break_off()

    async def _close(self) -> None:
        for sink in self._sinks:
            await sink.close()

    # -------------------------------------------------------------------------------------------- leasing and recording

    async def _turns(self) -> None:
        async with self._connected() as connection:
            while await self._turn(connection):
                pass

    async def _turn(self, connection: AsyncConnection[Any]) -> bool:
        """One statement. Says whether there is a next turn."""
        if await self._settle_locked_out(connection):
            return True
        settled, self._settled = self._settled, []
        leases = self._hungry and not self._stopping.is_set() and self._database.fits
        slots = min(self._free, self._share) if leases else 0
        if not settled and not slots:
            if self._stopping.is_set() and not self._in_hand:
                return False
            self._news.clear()
            if not self._settled:
                await self._news.wait()
            return True
        # Places are reserved for as long as the statement is under way: another turn must not promise them again.
        self._free -= slots
        # Whatever is heard of from here on asks for another look.
        self._hungry = False
        lanes: list[Lane] = []
        try:
            lanes = await self._exchange(connection, settled, slots)
        except psycopg.errors.LockNotAvailable:
            self._hungry = True
            await self._settle_singly(connection, settled)
            return True
        except BaseException:
            # Recording again is harmless; not recording at all would send everything again.
            self._settled = settled + self._settled
            self._hungry = True
            raise
        finally:
            self._free += slots
        for lane in settled:
            self._in_hand.pop(lane, None)
        if slots and len(lanes) >= slots:
            self._hungry = True
        for lane in lanes:
            self._free -= 1
            self._in_hand[lane] = lane.taken_at
            self._tasks.begin(lane, self._send_events(lane))
        if settled:
            # Lanes that were recorded may have more to send.
            self._hungry = True
        self._news.set()
        return True

    async def _settle_singly(self, connection: AsyncConnection[Any], settled: list[Lane]) -> None:
        """Somebody's transaction has locked one of the lanes, to replay an event most likely: that one waits."""
        left = list(settled)
        try:
            while left:
                await self._settle_one(connection, left[0])
                del left[0]
        except BaseException:
            self._settled = left + self._settled
            raise

    async def _settle_locked_out(self, connection: AsyncConnection[Any]) -> bool:
        """Try the first of those whose pause is over; whether there was one."""
        if self._locked_out and time.monotonic() > self._settle_until:
            for lane in self._locked_out.clear():
                self._in_hand.pop(lane, None)
            self._news.set()
        if (due := self._locked_out.take()) is None:
            return False
        lane, pause = due
        try:
            await self._settle_one(connection, lane, pause)
        except BaseException:
            self._settled.insert(0, lane)
            raise
        return True

    async def _settle_one(self, connection: AsyncConnection[Any], lane: Lane, *pause: float) -> None:
        try:
            await self._exchange(connection, [lane], 0)
        except psycopg.errors.LockNotAvailable:
            self._locked_out.add(lane, *pause)
        else:
            self._in_hand.pop(lane, None)
            self._news.set()

    async def _exchange(self, connection: AsyncConnection[Any], settled: list[Lane], slots: int) -> list[Lane]:
        began = time.monotonic()
        marks = None if self._at_head else self._marks.start(began)
        values = columns(settled) | {
            "dispatcher": self.name,
            "hold_dead": self._hold_dead,
            "slots": slots,
            "per_lane": _PER_LANE,
            "lease": self._lease,
            "after": self._after,
            "marks": None if marks is None else dump(marks),
            "now": self._clock.now(),
        }
        with translated():
            # A server that accepts statements but never answers must not keep what we sent from being recorded.
            async with asyncio.timeout(_TURN_TIMEOUT):
                cursor = connection.cursor(binary=True)
                await cursor.execute(_SQL["turn"], values)
                rows = await cursor.fetchall()
        if slots:
            self._note(rows, at_head=marks is None, began=began)
        return self._receive(rows, settled)

    def _note(self, rows: list[tuple[Any, ...]], *, at_head: bool, began: float) -> None:
        """Remember behind which lanes the next claim may begin, or that it is to begin at the head."""
        leased = [
            {"tenant": row[1], "lane": "", "due": row[15], "aggregate_type": row[3], "aggregate_id": row[4]}
            for row in rows
            if row[0] is None
        ]
        self._marks.note(at_head=at_head, began=began, ended=time.monotonic(), rows=leased)
        if at_head:
            self._at_head = False
        elif not leased and not self._marks.slow:
            self._at_head = self._hungry = True

    def _receive(self, rows: list[tuple[Any, ...]], settled: list[Lane]) -> list[Lane]:
        found: dict[int, Lane] = {}
        taken_at = time.monotonic()
        lost = {row[0] for row in rows if row[0] is not None}
        for place, done in enumerate(settled, 1):
            if place in lost:
                _log.warning("%s was no longer ours when it was sent; others send it again", done.key)
            else:
                self._count(done)
        for row in rows:
            if row[0] is not None:
                continue
            tenant, slug, kind, identity, epoch, attempts, event_id, seq, type_, subject, payload, trace = row[1:13]
            delivered, created_at = row[13:15]
            lane = found.get(epoch)
            if lane is None:
                lane = found[epoch] = Lane(tenant, (kind, identity), epoch, attempts, taken_at=taken_at)
                self._after = tenant
            if event_id is not None:
                attempt = 1 if lane.events else attempts
                source = f"{self._source}/{slug}"
                event = OutboxEvent(
                    event_id, source, type_, subject, created_at, payload, trace, slug, (kind, identity), seq, attempt
                )
                lane.events.append((event, delivered))
        return list(found.values())

    def _count(self, lane: Lane) -> None:
        self.published += len(lane.sent)
        if lane.failed is not None:
            self.failed += 1
            self.dead += lane.dead

    # ---------------------------------------------------------------------------------------------------------- sending

    def _ended(self, lane: Lane, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            # Told to stop, or no longer ours. What was under way may have arrived; it is sent again by whoever is next.
            lane.give_back()
        # Its slot is free again: what is next is leased by the statement that records this.
        self._free += 1
        if lane in self._in_hand:
            self._settled.append(lane)
        self._news.set()

    async def _send_events(self, lane: Lane) -> None:
        if not lane.events:
            # Somebody is publishing to it and has not committed yet.
            lane.delay = _EMPTY_PAUSE
        for event, delivered in lane.events:
            # A little at a time: what a crash repeats stays small, lanes take turns, and whoever was frozen in between
            # does not go on as if nothing had happened.
            limit = _LANE_SECONDS if lane.sent else self._lease.total_seconds()
            if self._stopping.is_set() or time.monotonic() - lane.taken_at > limit:
                lane.give_back()
                return
            failure, takers = await self._send(event, delivered)
            if failure is not None:
                self._fail(lane, event, failure, takers)
                return
            lane.sent.append(event)

    async def _send(self, event: OutboxEvent, delivered: list[str]) -> tuple[Exception | None, list[str]]:
        """Send to every sink that wants it and has not taken it before; what went wrong, and who has it now."""
        targets = [sink for sink in self._sinks if wants(sink, event.type) and sink.name not in delivered]
        if len(targets) == 1:
            outcomes: list[Exception | None] = [await self._offer(targets[0], event)]
        else:
            outcomes = list(await asyncio.gather(*(self._offer(sink, event) for sink in targets)))
        takers = [*delivered, *(sink.name for sink, error in zip(targets, outcomes, strict=True) if error is None)]
        failures = [error for error in outcomes if error is not None]
        # One sink that may still take it is reason enough to try again; each is asked until it took or refused it.
        retryable = [error for error in failures if not isinstance(error, Undeliverable)]
        return next(iter(retryable or failures), None), takers

    async def _offer(self, sink: Sink, event: OutboxEvent) -> Exception | None:
        limit = getattr(sink, "timeout", self._timeout)
        try:
            async with asyncio.timeout(limit):
                await sink.send(event)
        except TimeoutError:
            return TimeoutError(f"{sink.name}: no answer within {limit:g} s")
        except (Undeliverable, TryLater) as signal:
            signal.args = (f"{sink.name}: {signal}",)
            return signal
        except (Exception, SystemExit, asyncio.CancelledError) as error:
            if isinstance(error, asyncio.CancelledError) and being_cancelled():
                raise
            _log.debug("%s did not take event %s", sink.name, event.id, exc_info=error)
            plain = isinstance(error, ConnectionError)
            return ConnectionError(
                f"{sink.name}: {error}" if plain else f"{sink.name}: {type(error).__name__}: {error}"
            )
        return None

    def _fail(self, lane: Lane, event: OutboxEvent, failure: Exception, takers: list[str]) -> None:
        lane.failed = event
        lane.tries = event.attempt
        lane.takers = takers
        lane.error = _clean(str(failure))
        final = isinstance(failure, Undeliverable)
        wanted = failure.after if isinstance(failure, TryLater) else None
        pause = self._backoff.after_failure(event.attempt, self._max_attempts, final=final, wanted=wanted)
        if pause is None:
            lane.dead = True
            _log.error("event %s (%s) of %s is a dead letter: %s", event.id, event.type, event.tenant, lane.error)
            return
        lane.delay = pause
        if event.attempt == 1:
            _log.warning("event %s (%s) was not taken and is tried again: %s", event.id, event.type, lane.error)

    # ----------------------------------------------------------------------------------------------------------- leases

    def _lease_of(self, lane: Lane) -> Lease:
        return Lease(lane.tenant, lane.key, lane.epoch, self._lease, lane.key)

    def _lost(self, lease: Lease, status: str | None) -> None:
        lane = self._in_hand.find(lease)
        # What waits to be recorded finds out by itself.
        if lane is not None and lane in self._tasks:
            _log.warning("%s is no longer ours; sending its events is stopped", lane.key)
            del self._in_hand[lane]
            self._tasks.cancel(lane)

    # ----------------------------------------------------------------------------------------------- what else is to do

    async def _tend(self) -> None:
        """Take back expired lanes, and look what is due, again and again: the truth behind notifications."""
        async with self._connected() as connection:
            while True:
                self._look.clear()
                await self._rest(await self._look_for_work(connection), self._look)

    async def _look_for_work(self, connection: AsyncConnection[Any]) -> float:
        """How long until the next look: until a lane is due, at most the polling interval."""
        await self._database.check_schema(connection)
        values = {"max_attempts": self._max_attempts, "hold_dead": self._hold_dead, "now": self._clock.now()}
        with translated():
            row = await (await connection.execute(_SQL["tend"], values)).fetchone()
        self._database.outage.ended()
        due: float | None = None if row is None else row[0]
        if due is not None and due <= 0:
            self._hungry = True
            self._news.set()
            due = None
        return pause_until(due, self._poll_interval)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[AsyncConnection[Any]]:
        # Own connections, not the pool's: what was sent must be recorded even when others hold every pooled one.
        async with reach(self._database.where.app, timeout=self._database.settings.connect_timeout) as connection:
            await allow_prepared(connection, after=2)
            yield connection


def _clean(text: str) -> str:
    """Text that Postgres can store, whatever an exception says."""
    return text.replace("\0", "␀").encode("utf-8", "replace").decode()[:_ERROR_LIMIT]
