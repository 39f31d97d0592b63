"""Moves of processes: so many decisions, transitions and cancellations a person or a program may ask for in a second.

Each of them takes the lock of an instance and writes what can never be taken back, so they have a limit of their own,
beside the share of the server that a tenant has. Counted by who acts, however many tokens they use, and by each server
process for itself; two who meet in one row of the table share their measure.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil
from typing import Final

from holdfast.errors import ShareUsedUp

__all__ = ["Moves"]

_ROWS: Final = 4096
_AT_ONCE: Final = 10
"""Seconds whose measure may be used up at once."""


class Moves:
    """What everybody has asked for of late."""

    def __init__(self, a_second: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_second = a_second
        self._clock = clock
        self._levels = [0.0] * _ROWS
        self._at = [0.0] * _ROWS

    def take(self, tenant: str, name: str, count: int = 1) -> None:
        """Count some; raises `ShareUsedUp` when that is too many, and counts nothing."""
        row, now = hash((tenant, name)) % _ROWS, self._clock()
        level = max(0.0, self._levels[row] - (now - self._at[row]) * self._a_second)
        over = level + count - self._a_second * _AT_ONCE
        if over > 0 and level > 0:
            seconds = max(1, ceil(over / self._a_second))
            raise ShareUsedUp(
                f"{name} asks for more decisions and transitions than {self._a_second} a second",
                hint=f"try again in {seconds} s; HOLDFAST_PROCESS_RATE is the limit",
                retry_after=seconds,
            )
        self._levels[row], self._at[row] = level + count, now
