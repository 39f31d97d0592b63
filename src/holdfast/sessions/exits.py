"""What user code means by `sys.exit()`: the end of its work, not of everybody's worker.

An event loop lets SystemExit and KeyboardInterrupt of any of its tasks end the whole program, and LangGraph executes
each node in a task of its own. So tasks that are made while a session is executed turn them into `Left`, an ordinary
error.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Left", "guarded"]

_inside: contextvars.ContextVar[bool] = contextvars.ContextVar("holdfast_session", default=False)


class Left(Exception):
    """User code raised SystemExit or KeyboardInterrupt, which is the cause of this."""


@contextmanager
def guarded() -> Iterator[None]:
    """Within, tasks cannot end the program: those made by the block, and by whatever it awaits."""
    _watch(asyncio.get_running_loop())
    token = _inside.set(True)
    try:
        yield
    except (SystemExit, KeyboardInterrupt) as error:
        raise Left from error
    finally:
        _inside.reset(token)


def _watch(loop: asyncio.AbstractEventLoop) -> None:
    """Let the loop make its tasks through us. Whoever had it make them in another way still has."""
    known: Any = loop.get_task_factory()
    if isinstance(known, _Factory):
        return
    loop.set_task_factory(_Factory(known))


class _Factory:
    """Makes tasks as before; those of sessions are guarded."""

    def __init__(self, before: Any) -> None:
        self._before = before

    def __call__(self, loop: asyncio.AbstractEventLoop, work: Any, **how: Any) -> Any:
        context: contextvars.Context | None = how.get("context")
        inside = _inside.get() if context is None else context.get(_inside, False)
        if inside and asyncio.iscoroutine(work):
            work = _guard(work)
        if self._before is not None:
            return self._before(loop, work, **how)
        return asyncio.Task(work, loop=loop, **how)


async def _guard(work: Coroutine[Any, Any, Any]) -> Any:
    try:
        return await work
    except (SystemExit, KeyboardInterrupt) as error:
        raise Left from error
