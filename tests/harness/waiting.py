"""How tests wait: for an event where there is one, else on a condition, asked again and again until it is true.

Nothing else in the tests sleeps, and `tests/test_house.py` sees to it: who sleeps for a moment waits too long on a
quick machine and not long enough on a slow one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Never

import psycopg

__all__ = ["Gate", "eventually", "forever", "held_up", "kept_waiting", "outlived", "until"]

_PAUSE = 0.01
_WAITERS = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


class Gate:
    """What other processes wait at until the test opens it: a file, so that it stands also while Postgres does not."""

    def __init__(self, path: str) -> None:
        self.path = path

    def open(self) -> None:
        """Let everybody through who waits, and who comes later."""
        Path(self.path).touch()

    @property
    def is_open(self) -> bool:
        """Whether one may go on."""
        return Path(self.path).exists()

    async def passed(self) -> None:
        """Until it is open."""
        await until(lambda: self.is_open, 120)


async def until(condition: Callable[[], Awaitable[object] | object], timeout: float = 20) -> None:
    """Until something is true that another task, another process or Postgres does, of which nobody tells."""
    async with asyncio.timeout(timeout):
        while True:
            true = condition()
            if await true if isinstance(true, Awaitable) else true:
                return
            await asyncio.sleep(_PAUSE)


def eventually(condition: Callable[[], object], timeout: float = 20, otherwise: str = "it did not come true") -> None:
    """The same for tests without an event loop, and for handlers that are to keep theirs from turning."""
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, otherwise
        time.sleep(_PAUSE)


async def forever() -> Never:
    """What never comes to an end by itself: a handler that hangs, a receiver that does not answer."""
    while True:
        await asyncio.Event().wait()


def held_up(superuser: psycopg.Connection[Any]) -> int:
    """How many sessions of the database wait for a lock that another has."""
    superuser.execute("SELECT pg_stat_clear_snapshot()")
    return superuser.execute(_WAITERS).rowcount


async def kept_waiting(superuser: psycopg.Connection[Any], sessions: int = 1) -> None:
    """Until so many sessions of the database wait for a lock that another has."""
    await until(lambda: held_up(superuser) >= sessions)


async def outlived(lease_until: Callable[[], Awaitable[datetime | None]], lease: float, timeout: float = 30) -> None:
    """Until a lease was extended at a time at which it would have been over: whoever has it keeps it."""
    first = await lease_until()
    assert first is not None, "there is no lease"
    enough = first + timedelta(seconds=lease)

    async def extended() -> bool:
        found = await lease_until()
        return found is not None and found >= enough

    await until(extended, timeout)
