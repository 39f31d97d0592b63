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
from itertools import chain
from typing import Any, Final, TypeVar

from holdfast.kernel.long_work import BREATHE, SHORT, TooLong

__all__ = ["MOST_VALUES", "aside", "is_large"]

MOST_VALUES: Final = 1000
"""Values that are looked at on the event loop: some five milliseconds of it."""
_MOST_TEXT: Final = 128 * 1024
_THREADS: Final = ThreadPoolExecutor(2, thread_name_prefix="holdfast-aside")
_PAUSE: Final = 0.0002

Answer = TypeVar("Answer")


async def aside(work: Callable[[], Answer], *about: Any) -> Answer:
    """What pure work answers. `about` are the values whose size says how long it takes."""
    if not is_large(about):
        short = SHORT.set(True)
        try:
            return work()
        except TooLong:
            pass
        finally:
            SHORT.reset(short)
    return await asyncio.get_running_loop().run_in_executor(_THREADS, _with_pauses, work)


def _with_pauses(work: Callable[[], Answer]) -> Answer:
    BREATHE.set(_pause)  # of this thread
    return work()


def _pause() -> None:
    time.sleep(_PAUSE)


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
