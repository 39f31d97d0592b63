"""One task for each row in hand, for workers whose rows take their time: sending, mostly."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Generic, TypeVar

from holdfast.kernel.loops import end

__all__ = ["RowTasks"]

T = TypeVar("T")


class RowTasks(Generic[T]):
    """The tasks of a worker. Whatever way one ends, cancelled before it began too, `on_end` is called once."""

    def __init__(self, on_end: Callable[[T, asyncio.Task[None]], None]) -> None:
        self._on_end = on_end
        self._tasks: dict[T, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def __iter__(self) -> Iterator[T]:
        return iter(self._tasks)

    def __contains__(self, row: object) -> bool:
        return row in self._tasks

    def begin(self, row: T, work: Coroutine[Any, Any, None]) -> None:
        """Work on a row."""
        task = self._tasks[row] = asyncio.create_task(work)

        # Not at the end of what the task does: it may be cancelled before it has begun.
        def ended(task: asyncio.Task[None]) -> None:
            del self._tasks[row]
            self._on_end(row, task)

        task.add_done_callback(ended)

    def cancel(self, row: T) -> None:
        """Stop working on a row, if it is still worked on."""
        if row in self._tasks:
            self._tasks[row].cancel()

    def cancel_all(self) -> None:
        """Stop at once."""
        for task in self._tasks.values():
            task.cancel()

    async def finish(self, timeout: float) -> None:
        """Wait until there are none, so long at most."""
        deadline = time.monotonic() + timeout
        while self._tasks and (left := deadline - time.monotonic()) > 0:
            await asyncio.wait(self._tasks.values(), timeout=None if left == math.inf else left)

    async def break_off(self) -> None:
        """Stop all of them, and wait until they have ended."""
        await end(*self._tasks.values())
