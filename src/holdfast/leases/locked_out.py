"""What cannot be settled for the moment, because somebody's transaction has locked the row.

A transaction that cancels, deletes or replays it, most likely. Until that has ended there is nothing to settle; the
others must not wait for it. Each is tried again by itself, after a pause that doubles.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["LockedOut"]

T = TypeVar("T")
_PAUSE = 1.0
_LONGEST_PAUSE = 30.0


@dataclass(slots=True, eq=False)
class _Waiting(Generic[T]):
    outcome: T
    pause: float
    due: bool = False


class LockedOut(Generic[T]):
    """Outcomes that wait; `on_due` is called when one may be tried again."""

    def __init__(self, on_due: Callable[[], None]) -> None:
        self._on_due = on_due
        self._waiting: list[_Waiting[T]] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, outcome: T, pause: float = _PAUSE) -> None:
        """Try it again after the pause."""
        waiting = _Waiting(outcome, pause)
        self._waiting.append(waiting)
        asyncio.get_running_loop().call_later(pause, self._pause_is_over, waiting)

    def take(self) -> tuple[T, float] | None:
        """One whose pause is over, and the pause to add it with if it is locked still."""
        for waiting in self._waiting:
            if waiting.due:
                self._waiting.remove(waiting)
                return waiting.outcome, min(2 * waiting.pause, _LONGEST_PAUSE)
        return None

    def clear(self) -> list[T]:
        """Wait no longer; what waited."""
        given_up, self._waiting = self._waiting, []
        return [waiting.outcome for waiting in given_up]

    def _pause_is_over(self, waiting: _Waiting[T]) -> None:
        # The timer tells, no clock: uvloop's timers are early by what the loop was busy for.
        waiting.due = True
        self._on_due()
