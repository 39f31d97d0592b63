"""Threads for handlers that are plain functions.

An executor's threads would do, but Python waits for those before it ends: one handler that hangs would keep a worker
that was told to stop from ever doing so. These keep nobody; what they leave unfinished comes back with its lease.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any

__all__ = ["Threads"]

_Call = tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]


class Threads:
    """Up to so many threads, started as they are needed."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._started = 0
        self._idle = threading.Semaphore(0)
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Call a function in a thread; from one thread only, the event loop's."""
        future: Future[Any] = Future()
        self._calls.put((future, function, args))
        if not self._idle.acquire(blocking=False) and self._started < self._count:
            self._started += 1
            threading.Thread(target=self._work, name=f"holdfast-handler-{self._started}", daemon=True).start()
        return future

    def close(self) -> None:
        """Let the threads end when they have nothing to do."""
        for _ in range(self._started):
            self._calls.put(None)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            future, function, args = call
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function(*args))
                except BaseException as error:
                    future.set_exception(error)
            # Nothing of a call must outlive it here.
            del call, future, function, args
            self._idle.release()
