"""Long work beside the event loop: nobody else's request waits for what one tenant's large value costs.

Work that is pure (a check, a hash) is done at once while it is short, because a thread costs more than it; when it is
long, in one of a few threads, whose steps leave the interpreter to the event loop every few milliseconds. What is long
is known from the size of what it is about, or found out under way: then it is begun anew (`TooLong`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from itertools import chain
from typing import Any, Final, TypeVar

__all__ = ["MOST_VALUES", "TooLong", "aside", "breathe", "is_large", "must_be_short"]

MOST_VALUES: Final = 1000
"""Values that are looked at on the event loop: some five milliseconds of it."""
_MOST_TEXT: Final = 128 * 1024
_THREADS: Final = ThreadPoolExecutor(2, thread_name_prefix="holdfast-aside")
_PAUSE: Final = 0.0002
_SHORT: ContextVar[bool] = ContextVar("holdfast-must-be-short", default=False)

Answer = TypeVar("Answer")


class TooLong(Exception):
    """Work on the event loop found out that it would take long."""


def must_be_short() -> bool:
    """Whether this is the event loop, which others wait for."""
    return _SHORT.get()


def breathe() -> None:
    """In a thread: let the event loop go first, if it has something to do."""
    time.sleep(_PAUSE)


async def aside(work: Callable[[], Answer], *about: Any) -> Answer:
    """What pure work answers. `about` are the values whose size says how long it takes."""
    if not is_large(about):
        short = _SHORT.set(True)
        try:
            return work()
        except TooLong:
            pass
        finally:
            _SHORT.reset(short)
    return await asyncio.get_running_loop().run_in_executor(_THREADS, work)


def is_large(value: Any) -> bool:
    """Whether a value holds more than is looked at on the event loop; it stops counting there."""
    waiting: Iterator[Any] = iter((value,))
    values = characters = 0
    while True:
        inner: list[Iterator[Any]] = []
        for each in waiting:
            values += 1
            if isinstance(each, str):
                characters += len(each)
            elif isinstance(each, Mapping):
                values += len(each)
                inner.append(iter(each.values()))
            elif isinstance(each, list | tuple):
                inner.append(iter(each))
            if values > MOST_VALUES or characters > _MOST_TEXT:
                return True
        if not inner:
            return False
        waiting = chain.from_iterable(inner)
