"""Lanes that are asked again after a while: their rate makes them wait, or there was too little behind their mark."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from holdfast.runs.marks import Lane

__all__ = ["LaneTimers"]


class LaneTimers:
    """One timer a lane, however often it is asked for; `due(lane)` is called when it is over."""

    def __init__(self, due: Callable[[Lane], None]) -> None:
        self._due = due
        # When each lane is due, and what will say so.
        self._timers: dict[Lane, tuple[float, asyncio.Handle]] = {}

    def __len__(self) -> int:
        return len(self._timers)

    @property
    def handles(self) -> set[asyncio.Handle]:
        """What the event loop has of them."""
        return {handle for _, handle in self._timers.values()}

    def start(self, lane: Lane, seconds: float) -> None:
        """Ask a lane again after so long, or sooner if that was said before."""
        loop = asyncio.get_running_loop()
        # What call_later() gives need not tell when: uvloop's does not if that is now.
        at = loop.time() + seconds
        if lane in self._timers:
            earlier, handle = self._timers[lane]
            if earlier <= at:
                return
            handle.cancel()
        self._timers[lane] = (at, loop.call_later(seconds, self._over, lane))

    def _over(self, lane: Lane) -> None:
        del self._timers[lane]
        self._due(lane)
