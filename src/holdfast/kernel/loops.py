"""The event loop that programs of ours run on, and how tasks on it end.

The loop is uvloop where there is one, which waits for a socket at half the cost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, TypeVar

__all__ = ["being_cancelled", "end", "load", "run", "unbroken"]

T = TypeVar("T")
_AGAIN = 3.0
"""Seconds; what a task still says when it is told to end takes less."""
_going_on: set[asyncio.Task[Any]] = set()
"""Work that whoever began it may have left; the loop itself would forget it."""


def run(main: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`."""
    result: T = load()(main)
    return result


@cache
def load() -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """Import the loop, which takes a while; what runs a coroutine on it."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run
    return uvloop.run


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks and wait until they have ended, whatever with.

    Those that do not end are told again. A cancellation can get lost: psycopg waits for the statement that it cancels,
    and if that fails, for whatever reason, it tells of this instead.
    """
    left = {task for task in tasks if not task.done()}
    for task in left:
        # To be told twice at once would keep psycopg from putting its connection in order.
        if not task.cancelling():
            task.cancel()
    while left:
        _, left = await asyncio.wait(left, timeout=_AGAIN)
        for task in left:
            task.cancel()
    for task in tasks:
        if not task.cancelled():
            task.exception()  # seen: the loop need not tell of it


async def unbroken(work: Coroutine[Any, Any, T]) -> T:
    """What short work answers. Whoever is cancelled meanwhile goes, and the work ends by itself.

    To break off a statement costs more than to let it end: a connection to tell the server of it, and often the one
    that it was sent on. Somebody who begins and leaves all the time would have the others wait for new ones.
    """
    task = asyncio.ensure_future(work)
    _going_on.add(task)
    task.add_done_callback(_over)
    return await asyncio.shield(task)


def _over(task: asyncio.Task[Any]) -> None:
    _going_on.discard(task)
    if not task.cancelled():
        task.exception()  # seen: there may be nobody left to be told of it


def being_cancelled() -> bool:
    """Whether the current task is told to end; an error that it meets is then no reason to try again."""
    try:
        task = asyncio.current_task()
    except RuntimeError:  # not in an event loop
        return False
    return task is not None and task.cancelling() > 0
