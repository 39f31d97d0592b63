"""Keeps leases alive from a thread and a connection of its own.

A handler that blocks the event loop must not lose its lease, so the beat cannot come from that loop. One statement
extends every lease that has been held for a while; short work never beats at all. What the statement could not extend
is lost: taken over by somebody else, cancelled or gone. The owner is told, on its own loop.

The same thread notices when the event loop no longer turns, and says which work is to blame.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, LiteralString, NamedTuple

import psycopg

from holdfast.errors import DatabaseUnreachable, HoldfastError
from holdfast.postgres.connect import connect_arguments
from holdfast.postgres.failures import translated
from holdfast.postgres.outage import Outage, one_line

__all__ = ["Heart", "Lease"]

_log = logging.getLogger(__name__)
_BLOCKED_AFTER = 1.0


class Lease(NamedTuple):
    """One row held until the database says otherwise; `epoch` proves that it is still the same hold."""

    tenant: str
    id: str
    epoch: int
    length: timedelta
    what: str


class Heart:
    """Beats for all leases of one worker."""

    def __init__(
        self,
        conninfo: str,
        statement: LiteralString,
        held: Callable[[], Sequence[tuple[Lease, float]]],
        on_lost: Callable[[Lease, str | None], None],
        now: Callable[[], datetime | None],
        outage: Outage,
        on_blocked: Callable[[float], None] = lambda _: None,
    ) -> None:
        self._conninfo = conninfo
        self._statement = statement
        self._in_hand = held
        self._on_lost = on_lost
        self._now = now
        self._outage = outage
        self._failing = False
        self._on_blocked = on_blocked
        self._stopping = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._main_thread = threading.get_ident()
        self._ticked = time.monotonic()
        self._tick_handle: asyncio.TimerHandle | None = None
        self._reported = False
        self._longest = 0.0
        self._beaten: dict[Lease, float] = {}
        self._thread = threading.Thread(target=self._run, name="holdfast-heart", daemon=True)

    def start(self) -> None:
        """Begin to beat."""
        self._tick()
        self._thread.start()

    async def stop(self) -> None:
        """Stop beating and close the connection."""
        self._stopping.set()
        if self._tick_handle is not None:
            self._tick_handle.cancel()
        await asyncio.to_thread(self._thread.join)

    def _tick(self) -> None:
        self._ticked = time.monotonic()
        self._tick_handle = self._loop.call_later(_BLOCKED_AFTER / 4, self._tick)

    def _run(self) -> None:
        connection: psycopg.Connection[Any] | None = None
        while not self._stopping.wait(0.2):
            self._watch_loop()
            due = self._due()
            if not due:
                continue
            try:
                if connection is None or connection.closed:
                    connection = psycopg.connect(
                        self._conninfo, autocommit=True, prepare_threshold=None, **connect_arguments(self._conninfo, 5)
                    )
                self._beat(connection, due)
                self._failing = False
            except psycopg.Error as error:
                # The leases live on until they expire; the next beat comes in a moment.
                self._tell(error)
                if connection is not None:
                    connection.close()
                self._stopping.wait(0.5)
        if connection is not None:
            connection.close()

    def _tell(self, error: psycopg.Error) -> None:
        """Once until it beats again; what is the matter with the whole database is told for the whole process."""
        try:
            with translated(self._conninfo):
                raise error
        except DatabaseUnreachable as reason:
            self._outage.began(reason)
        except (HoldfastError, psycopg.Error):
            if not self._failing:
                _log.warning("leases cannot be extended; it is tried again: %s", one_line(error))
            self._failing = True

    def _due(self) -> list[Lease]:
        """Leases of which a third has passed since they were taken or last extended."""
        now = time.monotonic()
        held = self._in_hand()
        current = {lease for lease, _ in held}
        self._beaten = {lease: at for lease, at in self._beaten.items() if lease in current}
        due = [
            lease for lease, taken in held if now - self._beaten.get(lease, taken) >= lease.length.total_seconds() / 3
        ]
        if not due:
            return []
        # One statement anyway: take along whatever is due soon.
        return [
            lease for lease, taken in held if now - self._beaten.get(lease, taken) >= lease.length.total_seconds() / 6
        ]

    def _beat(self, connection: psycopg.Connection[Any], due: list[Lease]) -> None:
        newest: dict[tuple[str, str], int] = {}
        for lease, _ in self._in_hand():
            newest[lease.tenant, lease.id] = max(lease.epoch, newest.get((lease.tenant, lease.id), lease.epoch))
        # What was lost and taken again by the same owner is held once, under its newest epoch.
        stale = [lease for lease in due if lease.epoch < newest.get((lease.tenant, lease.id), lease.epoch)]
        due = [lease for lease in due if lease not in stale] if stale else due
        values = {
            "tenants": [lease.tenant for lease in due],
            "ids": [lease.id for lease in due],
            "epochs": [lease.epoch for lease in due],
            "leases": [lease.length for lease in due],
            "now": self._now(),
        }
        lost = {(row[0], row[1]): row[2] for row in connection.execute(self._statement, values).fetchall()}
        now = time.monotonic()
        for lease in stale:
            self._loop.call_soon_threadsafe(self._on_lost, lease, None)
        for lease in due:
            if (lease.tenant, lease.id) in lost:
                self._loop.call_soon_threadsafe(self._on_lost, lease, lost[lease.tenant, lease.id])
            else:
                self._beaten[lease] = now

    def _watch_loop(self) -> None:
        blocked = time.monotonic() - self._ticked
        if blocked < _BLOCKED_AFTER:
            if self._reported:
                self._on_blocked(self._longest)
            self._reported = False
            return
        self._longest = blocked
        if self._reported:
            return
        self._reported = True
        frame = sys._current_frames().get(self._main_thread)  # noqa: SLF001 - the documented way to see another stack
        where = "".join(traceback.format_stack(frame)[-3:]).rstrip() if frame else "unknown"
        running = ", ".join(sorted({lease.what for lease, _ in self._in_hand()})) or "none"
        _log.warning(
            "the event loop has not turned for %.1f s; leases are kept, but nothing else happens. "
            "Held now: %s. Make the handler a plain function (it then runs in a thread). It is at:\n%s",
            blocked,
            running,
            where,
        )
