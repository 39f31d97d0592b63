"""One connection of a process that listens on a channel, for all in it who wait for word of something.

It is there as long as somebody waits. A notification is a hint: whoever waits looks by itself now and then, and is rung
when listening has begun anew, for what was said meanwhile nobody heard.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import LiteralString

import psycopg

from holdfast.errors import HoldfastError
from holdfast.postgres.connect import reach
from holdfast.postgres.failures import plainly

__all__ = ["Bell"]

_log = logging.getLogger(__name__)
_RECONNECT_SECONDS = 0.5


class Bell:
    """Rings for those who wait for a name, when the payload of a notification is that name.

    `statements` begin the listening, on a connection that is kept until nobody waits any more.
    """

    def __init__(self, conninfo: str, *statements: LiteralString) -> None:
        self._conninfo = conninfo
        self._statements = statements
        self._waiting: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._listening: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def heard(self, name: str) -> AsyncIterator[asyncio.Event]:
        """An event that is set when there is word of the name, or may have been."""
        event = asyncio.Event()
        self._waiting[name].add(event)
        if self._listening is None or self._listening.done():
            self._listening = asyncio.create_task(self._listen(), name="holdfast-bell")
        try:
            yield event
        finally:
            self._waiting[name].discard(event)
            if not self._waiting[name]:
                del self._waiting[name]
            if not self._waiting:
                self._end()

    async def close(self) -> None:
        """Listen no more."""
        self._end()
        await asyncio.gather(*self._ending, return_exceptions=True)

    def _end(self) -> None:
        task, self._listening = self._listening, None
        if task is not None:
            task.cancel()
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _listen(self) -> None:
        while True:
            try:
                async with reach(self._conninfo) as connection:
                    for statement in self._statements:
                        await connection.execute(statement)
                    self._ring(None)
                    async for notice in connection.notifies():
                        self._ring(notice.payload)
            except (HoldfastError, psycopg.Error) as error:
                _log.warning("listening is interrupted: %s", plainly(str(error)))
            await asyncio.sleep(_RECONNECT_SECONDS)

    def _ring(self, name: str | None) -> None:
        for one in [name] if name is not None else list(self._waiting):
            for event in self._waiting.get(one, ()):
                event.set()
