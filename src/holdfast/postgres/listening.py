"""One connection of a process that listens to Postgres, for everybody in it who waits for word of something.

It is there for as long as somebody listens. A notification is a hint and never the truth: whoever listens also looks by
itself now and then. Listeners are called with None when listening has begun, or begun anew: what was said before,
nobody heard.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import LiteralString

import psycopg

from holdfast.errors import HoldfastError
from holdfast.kernel.loops import end
from holdfast.postgres.connect import reach
from holdfast.postgres.wire import Wire

__all__ = ["Bell", "Channel", "Listener", "Listening"]

Listener = Callable[[str | None], None]
"""Called with the payload of a notification; with None when there may be any news."""


@dataclass(frozen=True, slots=True)
class Channel:
    """What can be listened to. The statements, if any, are executed besides, for as long as somebody listens."""

    name: str
    begin: LiteralString | None = None
    end: LiteralString | None = None


class Listening:
    """The one LISTEN connection of a process."""

    def __init__(self, conninfo: str, wait_out: Callable[[Exception, str], Awaitable[None]]) -> None:
        self._conninfo = conninfo
        self._wait_out = wait_out
        self._listeners: defaultdict[Channel, list[Listener]] = defaultdict(list)
        self._open: set[Channel] = set()
        """What is listened to on the connection there is; one that is being closed has a set of its own, and no say."""
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @contextmanager
    def on(self, channel: Channel, listener: Listener) -> Iterator[None]:
        """Have a listener called for as long as the block lasts."""
        self._listeners[channel].append(listener)
        if channel in self._open:
            listener(None)
        else:
            self._changed.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._listen(), name="holdfast-listening")
        try:
            yield
        finally:
            self._listeners[channel].remove(listener)
            if not self._listeners[channel]:
                del self._listeners[channel]
                self._changed.set()
            if not self._listeners:
                self._let_go()

    async def close(self) -> None:
        """Listen no more."""
        self._let_go()
        await asyncio.gather(*self._ending)

    def _let_go(self) -> None:
        task, self._task = self._task, None
        self._open = set()
        if task is not None:
            ending = asyncio.create_task(end(task))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    async def _listen(self) -> None:
        task = asyncio.current_task()
        # Let go of, it may go on for a moment: what fails while it is cancelled tells of its failure instead.
        while self._task is task:
            opened: set[Channel] = set()
            try:
                # A wire tells at once: with psycopg's own iterator an idle worker begins a tenth later.
                hear = partial(self._hear, opened)
                async with reach(self._conninfo) as connection, Wire(connection, on_notify=hear) as wire:
                    if self._task is task:
                        self._open = opened
                    while not wire.closed:
                        await self._attune(wire, opened)
                        await self._until_changed(wire)
                raise psycopg.OperationalError("the server closed the connection")
            except (HoldfastError, psycopg.Error) as error:
                if self._task is task:
                    self._open = set()
                    await self._wait_out(error, "listening")

    async def _attune(self, wire: Wire, opened: set[Channel]) -> None:
        """Listen to what is wanted now, and to nothing else."""
        self._changed.clear()
        for channel in opened - self._listeners.keys():
            # First, so that whoever comes meanwhile is not told that this is listened to.
            opened.discard(channel)
            await wire.run(f"UNLISTEN {channel.name}", {})
            if channel.end is not None:
                await wire.run(channel.end, {})
        for channel in self._listeners.keys() - opened:
            await wire.run(f"LISTEN {channel.name}", {})
            if channel.begin is not None:
                await wire.run(channel.begin, {})
            opened.add(channel)
            self._tell(opened, channel, None)

    async def _until_changed(self, wire: Wire) -> None:
        gone = asyncio.create_task(wire.gone())
        changed = asyncio.create_task(self._changed.wait())
        try:
            await asyncio.wait({gone, changed}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end(gone, changed)

    def _hear(self, opened: set[Channel], name: str, payload: str) -> None:
        for channel in opened:
            if channel.name == name:
                self._tell(opened, channel, payload)

    def _tell(self, opened: set[Channel], channel: Channel, payload: str | None) -> None:
        if opened is self._open:
            for listener in list(self._listeners.get(channel, ())):
                listener(payload)


class Bell:
    """Rings for those who wait for a name, when the payload of a notification is that name."""

    def __init__(self, listening: Listening, channel: Channel) -> None:
        self._listening = listening
        self._channel = channel
        self._waiting: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._listens = ExitStack()

    @asynccontextmanager
    async def heard(self, name: str) -> AsyncIterator[asyncio.Event]:
        """An event that is set when there is word of the name, or may have been."""
        event = asyncio.Event()
        if not self._waiting:
            self._listens.enter_context(self._listening.on(self._channel, self._ring))
        self._waiting[name].add(event)
        try:
            yield event
        finally:
            self._waiting[name].discard(event)
            if not self._waiting[name]:
                del self._waiting[name]
            if not self._waiting:
                self._listens.close()

    def _ring(self, name: str | None) -> None:
        for one in [name] if name is not None else list(self._waiting):
            for event in self._waiting.get(one, ()):
                event.set()
