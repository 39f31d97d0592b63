"""The life of a worker: what every worker on a leased table does, whatever the table holds.

    start ──▶ heart beats, loops look, hands claim and settle ──stop()──▶ finish what is in hand ──▶ end
                 │                                                              │ deadline
                 └── the database is away: wait, and go on ──┘                  └── left to its lease

A worker describes its table (`LeasedTable`) and says what it does in four places: its loops, which look for work and
never end; its hands, which claim and settle until it stops and nothing is left; how it finishes; how it breaks off.
Everything else is here, once: the name, the heart, notifications, stopping, and that none of its tasks ends unnoticed
and leaves a worker that only looks alive.

The protocol of leases is drawn and checked in `tests/leases/protocol.pml`.
"""

from __future__ import annotations

import asyncio
import math
import os
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, LiteralString, TypeVar

import psycopg

from holdfast.errors import HoldfastError
from holdfast.kernel.clock import Clock
from holdfast.kernel.ids import uuid7
from holdfast.kernel.loops import end
from holdfast.leases.heart import Heart, Lease
from holdfast.leases.in_hand import InHand
from holdfast.postgres.database import Database
from holdfast.postgres.listening import Channel

__all__ = ["LeasedTable", "Service", "pause_until"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LeasedTable:
    """What a table of leased rows tells the machine."""

    rows: str
    """What its rows are, for people: "runs"."""
    news: Channel
    """Where it is said that there is something to do."""
    heartbeat: LiteralString
    """Extends leases: tenants, ids, epochs, leases, now. Answers the (tenant, id, status) of those it could not."""


class Service(ABC, Generic[T]):
    """A worker on one leased table, of which it has rows `T` in hand."""

    table: ClassVar[LeasedTable]
    settling_seconds: ClassVar[float] = 10.0
    """For so long beyond the deadline of a stop what is finished may wait for a database that is away."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        lease_of: Callable[[T], Lease],
        *,
        name: str | None = None,
        shutdown_timeout: float = 20.0,
    ) -> None:
        self.name = name or f"{socket.gethostname()}:{os.getpid()}:{uuid7().hex[-6:]}"
        self._database = database
        self._clock = clock
        self._shutdown_timeout = shutdown_timeout
        self._in_hand: InHand[T] = InHand(lease_of)
        self._news = asyncio.Event()
        self._stopping = asyncio.Event()
        self._settle_until = math.inf
        """When it is given up to settle, with a database that is away while we stop."""

    # ------------------------------------------------------------------------------------------------------- its life

    def stop(self) -> None:
        """Finish what is in hand, within the deadline, give back the rest, and end."""
        self._settle_until = min(self._settle_until, time.monotonic() + self._shutdown_timeout + self.settling_seconds)
        self._stopping.set()
        self._news.set()

    async def run(self) -> None:
        """Work until `stop` is called."""
        heart = Heart(
            self._database.where.app,
            self.table.heartbeat,
            self._in_hand.leases,
            self._lost,
            self._clock.now,
            self._database.outage,
            on_blocked=self._blocked,
        )
        heart.start()
        loops = [asyncio.create_task(loop) for loop in self._loops()]
        hands = [asyncio.create_task(hand) for hand in self._hands()]
        try:
            stop = asyncio.create_task(self._stopping.wait())
            with self._database.listening.on(self.table.news, self._hear):
                await asyncio.wait({stop, *loops, *hands}, return_when=asyncio.FIRST_COMPLETED)
            await end(stop)
            self._check([*loops, *hands])
            await self._finish()
        finally:
            self.stop()
            for loop in loops:
                loop.cancel()
            await self._break_off()
            await end(*loops)
            self._news.set()
            await asyncio.gather(*hands)
            await heart.stop()
            await self._close()

    def _check(self, tasks: Iterable[asyncio.Task[None]]) -> None:
        """Raise what one of them met. None ends by itself before it is told to."""
        for task in tasks:
            if task.done():
                task.result()
                if not self._stopping.is_set():
                    raise RuntimeError(f"a task of the worker of {self.table.rows} ended by itself: {task!r}")

    async def _persist(self, doing: str, work: Callable[[], Awaitable[None]], *, tolerant: bool = False) -> None:
        """Do something until it ends by itself; whatever the database refuses meanwhile, it is begun anew."""
        while True:
            try:
                return await work()
            except (HoldfastError, psycopg.Error, TimeoutError) as error:
                if self._gives_up():
                    return None
                await self._database.wait_out(error, doing, tolerant=tolerant)

    async def _rest(self, seconds: float, news: asyncio.Event) -> None:
        """Wait until there is news, so long at most."""
        # Not wait_for(): in Python 3.11 it may swallow a cancellation that comes with the event.
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await news.wait()

    # ------------------------------------------------------------------------------- what is different for each table

    @abstractmethod
    def _loops(self) -> Iterable[Coroutine[Any, Any, None]]:
        """What looks for work and for leases that expired; never ends, and is cancelled."""

    @abstractmethod
    def _hands(self) -> Iterable[Coroutine[Any, Any, None]]:
        """What claims and settles; ends when the worker stops and nothing is left."""

    @abstractmethod
    def _lost(self, lease: Lease, status: str | None) -> None:
        """The heart could not extend a lease; `status` is what became of the row."""

    def _hear(self, payload: str | None) -> None:
        """A notification; None when there may be any news."""
        self._news.set()

    def _gives_up(self) -> bool:
        """Whether, with a database that is away, there is nothing to wait for any more."""
        return False

    async def _finish(self) -> None:
        """Told to stop: let what is in hand come to its end, within the deadline."""

    async def _break_off(self) -> None:
        """Stop at once whatever is still in hand; all that is to be settled is then known."""

    async def _close(self) -> None:
        """Close what was opened."""

    def _blocked(self, seconds: float) -> None:
        """The event loop did not turn for so long."""


def pause_until(due: float | None, longest: float) -> float:
    """How long to rest when something is due in so many seconds, or nothing is known to be."""
    return longest if due is None else min(longest, max(0.005, due))
