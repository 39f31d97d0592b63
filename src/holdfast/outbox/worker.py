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
import contextlib
import logging
import math
import os
import socket
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Any

import psycopg
from psycopg import AsyncConnection

from holdfast.errors import HoldfastError, SettingsError
from holdfast.kernel.clock import Clock
from holdfast.kernel.ids import uuid7
from holdfast.kernel.loops import being_cancelled, end
from holdfast.leases import Backoff, Heart, Lease
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
_NEWS = Channel("holdfast_outbox")
_log = logging.getLogger(__name__)
_TURNS = 2
_PER_LANE = 100
_LANE_SECONDS = 2.0
_EMPTY_PAUSE = timedelta(seconds=0.1)
_TURN_TIMEOUT = 60.0
_LOCKED_PAUSE = 1.0
_LAST_WORDS = 2.0
_ERROR_LIMIT = 1000
_NOBODY = "00000000-0000-0000-0000-000000000000"


class Dispatcher:
    """Sends the events of every tenant to its sinks."""

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
        self.name = name or f"{socket.gethostname()}:{os.getpid()}:{uuid7().hex[-6:]}"
        self.published = self.failed = self.dead = 0
        self._database = database
        self._sinks = list(sinks)
        self._clock = clock
        self._source = settings.outbox_source.rstrip("/")
        self._backoff = Backoff(settings.outbox_backoff_base, settings.outbox_backoff_cap)
        self._max_attempts = settings.outbox_max_attempts
        self._hold_dead = settings.outbox_dead_letters == "hold"
        self._lease = timedelta(seconds=settings.outbox_lease)
        self._timeout = settings.outbox_timeout
        self._poll_interval = settings.worker_poll_interval
        self._shutdown_timeout = settings.worker_shutdown_timeout
        self._free = concurrency or settings.outbox_concurrency
        self._share = -(-self._free // _TURNS)
        self._after = _NOBODY
        self._held: dict[Lane, asyncio.Task[None] | None] = {}
        self._settled: list[Lane] = []
        self._hungry = True
        self._news = asyncio.Event()
        self._look = asyncio.Event()
        self._stopping = asyncio.Event()
        self._give_up_at = math.inf

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
        self._stopping.set()
        if at_once:
            for task in self._sending():
                task.cancel()
        self._give_up_at = min(self._give_up_at, time.monotonic() + self._shutdown_timeout + _LAST_WORDS)
        self._news.set()

    async def run(self) -> None:
        """Send until `stop` is called."""
        heart = Heart(
            *(self._database.where.app, _SQL["heartbeat"], self._leases, self._lose),
            *(self._clock.now, self._database.outage),
        )
        heart.start()
        tending = asyncio.create_task(self._tend())
        turns = [asyncio.create_task(self._turns()) for _ in range(_TURNS)]
        try:
            stop = asyncio.create_task(self._stopping.wait())
            with self._database.listening.on(_NEWS, self._hear):
                await asyncio.wait({stop, tending, *turns}, return_when=asyncio.FIRST_COMPLETED)
            stop.cancel()
            # None of these ends by itself: if one did, it is a bug, and must not leave one that only looks alive.
            for task in (tending, *turns):
                if task.done():
                    task.result()
            await self._finish()
        finally:
            self.stop()
            await end(tending, *self._sending())
            self._news.set()
            await asyncio.gather(*turns)
            await heart.stop()
            for sink in self._sinks:
                await sink.close()

    # -------------------------------------------------------------------------------------------- leasing and recording

    async def _turns(self) -> None:
        while True:
            try:
                async with self._connected() as connection:
                    while await self._turn(connection):
                        pass
                    return
            except (HoldfastError, psycopg.Error, TimeoutError) as error:
                # What cannot be recorded is sent again by whoever is next; a database that is gone must not keep us.
                if self._stopping.is_set() and (not self._held or time.monotonic() > self._give_up_at):
                    self._settled.clear()
                    self._held.clear()
                    self._news.set()
                    return
                await self._database.wait_out(error, "leasing and recording events")

    async def _turn(self, connection: AsyncConnection[Any]) -> bool:
        """One statement. Says whether there is a next turn."""
        settled, self._settled = self._settled, []
        leases = self._hungry and not self._stopping.is_set() and self._database.fits
        places = min(self._free, self._share) if leases else 0
        if not settled and not places:
            if self._stopping.is_set() and not self._held:
                return False
            self._news.clear()
            if not self._settled:
                await self._news.wait()
            return True
        # Places are reserved for as long as the statement is under way: another turn must not promise them again.
        self._free -= places
        # Whatever is heard of from here on asks for another look.
        self._hungry = False
        lanes: list[Lane] = []
        try:
            lanes = await self._exchange(connection, settled, places)
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
            self._free += places
        for lane in settled:
            self._held.pop(lane, None)
        if places and len(lanes) >= places:
            self._hungry = True
        for lane in lanes:
            self._free -= 1
            self._begin(lane)
        if settled:
            # Lanes that were recorded may have more to send.
            self._hungry = True
        self._news.set()
        return True

    async def _settle_singly(self, connection: AsyncConnection[Any], settled: list[Lane]) -> None:
        """Somebody's transaction has locked one of the lanes, to replay an event most likely: that one waits."""
        locked: list[Lane] = []
        left = list(settled)
        try:
            while left:
                try:
                    await self._exchange(connection, left[:1], 0)
                    self._held.pop(left[0], None)
                except psycopg.errors.LockNotAvailable:
                    locked.append(left[0])
                del left[0]
        except BaseException:
            self._settled = left + self._settled
            raise
        finally:
            asyncio.get_running_loop().call_later(_LOCKED_PAUSE, self._settle_again, locked)

    def _settle_again(self, locked: list[Lane]) -> None:
        if time.monotonic() < self._give_up_at:
            self._settled += locked
        else:
            for lane in locked:
                self._held.pop(lane, None)
        self._news.set()

    async def _exchange(self, connection: AsyncConnection[Any], settled: list[Lane], places: int) -> list[Lane]:
        values = columns(settled) | {
            "dispatcher": self.name,
            "hold_dead": self._hold_dead,
            "places": places,
            "per_lane": _PER_LANE,
            "lease": self._lease,
            "after": self._after,
            "now": self._clock.now(),
        }
        with translated():
            # A server that accepts statements but never answers must not keep what we sent from being recorded.
            async with asyncio.timeout(_TURN_TIMEOUT):
                cursor = connection.cursor(binary=True)
                await cursor.execute(_SQL["turn"], values)
                rows = await cursor.fetchall()
        return self._receive(rows, settled)

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

    def _begin(self, lane: Lane) -> None:
        task = self._held[lane] = asyncio.create_task(self._send_events(lane))
        # Not at the end of what the task does: it may be cancelled before it has begun.
        task.add_done_callback(partial(self._ended, lane))

    def _ended(self, lane: Lane, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            # Told to stop, or no longer ours. What was under way may have arrived; it is sent again by whoever is next.
            lane.give_back()
        # Its place is free again: what is next is leased by the statement that records this.
        self._free += 1
        if lane.lost:
            self._held.pop(lane, None)
        else:
            self._held[lane] = None
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
        lane.dead = isinstance(failure, Undeliverable) or event.attempt >= self._max_attempts
        if lane.dead:
            _log.error("event %s (%s) of %s is a dead letter: %s", event.id, event.type, event.tenant, lane.error)
            return
        wanted = failure.after if isinstance(failure, TryLater) else self._backoff.after(event.attempt)
        lane.delay = wanted
        if event.attempt == 1:
            _log.warning("event %s (%s) was not taken and is tried again: %s", event.id, event.type, lane.error)

    # ----------------------------------------------------------------------------------------------------------- leases

    def _leases(self) -> list[tuple[Lease, float]]:
        # Called from the heart's thread; dict.copy() is one step under the interpreter's lock.
        return [
            (Lease(lane.tenant, lane.key, lane.epoch, self._lease, lane.key), lane.taken_at)
            for lane in self._held.copy()
        ]

    def _lose(self, lease: Lease, _: str | None) -> None:
        for lane, task in list(self._held.items()):
            # What waits to be recorded finds out by itself.
            if lane.epoch == lease.epoch and task is not None:
                _log.warning("%s is no longer ours; sending its events is stopped", lane.key)
                lane.lost = True
                task.cancel()

    async def _finish(self) -> None:
        deadline = time.monotonic() + self._shutdown_timeout
        while time.monotonic() < deadline:
            sending = self._sending()
            if not sending:
                return
            await asyncio.wait(sending, timeout=max(0, deadline - time.monotonic()))
        for task in self._sending():
            task.cancel()

    def _sending(self) -> list[asyncio.Task[None]]:
        return [task for task in self._held.values() if task is not None]

    # ----------------------------------------------------------------------------------------------- what else is to do

    async def _tend(self) -> None:
        """Take back expired lanes, and look what is due: the truth behind notifications."""
        while True:
            try:
                async with self._connected() as connection:
                    while True:
                        self._look.clear()
                        pause = await self._pause(connection)
                        # Not wait_for(): in Python 3.11 it may swallow a cancellation that comes with the event.
                        with contextlib.suppress(TimeoutError):
                            async with asyncio.timeout(pause):
                                await self._look.wait()
            except (HoldfastError, psycopg.Error) as error:
                await self._database.wait_out(error, "looking for events")

    def _hear(self, _: str | None) -> None:
        self._look.set()

    async def _pause(self, connection: AsyncConnection[Any]) -> float:
        """How long until the next look: until a lane is due, at most the polling interval."""
        await self._database.check_schema(connection)
        values = {"max_attempts": self._max_attempts, "hold_dead": self._hold_dead, "now": self._clock.now()}
        with translated():
            row = await (await connection.execute(_SQL["tend"], values)).fetchone()
        self._database.outage.ended()
        due: float | None = None if row is None else row[0]
        if due is None:
            return self._poll_interval
        if due <= 0:
            self._hungry = True
            self._news.set()
            return self._poll_interval
        return min(self._poll_interval, max(0.005, due))

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[AsyncConnection[Any]]:
        # Own connections, not the pool's: what was sent must be recorded even when others hold every pooled one.
        async with reach(self._database.where.app, timeout=self._database.settings.connect_timeout) as connection:
            await allow_prepared(connection, after=2)
            yield connection


def _clean(text: str) -> str:
    """Text that Postgres can store, whatever an exception says."""
    return text.replace("\0", "␀").encode("utf-8", "replace").decode()[:_ERROR_LIMIT]
