"""The event loop that programs of ours run on: uvloop where there is one, which waits for a socket at half the cost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, TypeVar

__all__ = ["load", "run"]

T = TypeVar("T")


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
