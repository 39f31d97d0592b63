"""What pure work may know of where it is done: whether others wait for it, and how to let them go first.

Kept apart from `aside`, which does it, so that pure code needs neither a clock nor an event loop to ask.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

__all__ = ["BREATHE", "SHORT", "TooLong", "breathe", "must_be_short"]

SHORT: ContextVar[bool] = ContextVar("holdfast-must-be-short", default=False)
BREATHE: ContextVar[Callable[[], None] | None] = ContextVar("holdfast-breathe", default=None)


class TooLong(Exception):
    """Work on the event loop found out that it would take long."""


def must_be_short() -> bool:
    """Whether this is the event loop, which others wait for."""
    return SHORT.get()


def breathe() -> None:
    """In a thread: let the event loop go first, if it has something to do."""
    pause = BREATHE.get()
    if pause is not None:
        pause()
