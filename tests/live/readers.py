"""What tests of the live stream share: somebody who follows in this process, and readers over real HTTP."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from harness.waiting import until
from holdfast import Holdfast
from holdfast.live import LiveEvent


class Following:
    """Somebody who follows; what they were told, stream's own words left out unless asked for."""

    def __init__(self, events: AsyncGenerator[LiveEvent, None]) -> None:
        self._events = events
        self.all: list[LiveEvent] = []
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for event in self._events:
            self.all.append(event)

    @property
    def told(self) -> list[tuple[str | None, str]]:
        return [(event.topic, event.kind) for event in self.all if event.topic is not None]

    @property
    def objects(self) -> list[Any]:
        return [event.object["id"] for event in self.all if event.topic is not None and event.object]

    @property
    def own(self) -> list[str]:
        return [event.kind for event in self.all if event.topic is None]

    @property
    def last_id(self) -> str:
        return next(event.id for event in reversed(self.all) if event.id is not None)

    def has_begun(self) -> bool:
        """Whether what was missed has been told."""
        return "position" in self.own

    async def has_heard(self, count: int) -> None:
        """When so many events have been told."""
        await until(lambda: len(self.told) >= count)

    async def close(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        await self._events.aclose()


@asynccontextmanager
async def following(
    app: Holdfast, *topics: str, actor: str = "ana", after: str | None = None
) -> AsyncIterator[Following]:
    """Follow as somebody; begins when the stream has."""
    found = Following(app.follow_live("acme", topics or None, actor=actor, after=after))
    try:
        await until(lambda: found.all or found.task.done())
        yield found
    finally:
        await found.close()


@dataclass
class HttpReader:
    """One connection to the live stream of a real server."""

    port: int
    token: str
    topics: str = "documents"
    last_id: str | None = None
    told: list[dict[str, Any]] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    status: int = 0
    over: bool = False
    _task: asyncio.Task[None] | None = None

    def start(self) -> HttpReader:
        self.over = False
        self._task = asyncio.create_task(self._read())
        return self

    @property
    def objects(self) -> list[str]:
        return [event["object"]["id"] for event in self.told]

    async def _read(self) -> None:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
            try:
                writer.write(request_head(self.topics, self.token, self.last_id))
                await self._take(reader)
            finally:
                writer.close()
        except OSError:
            pass
        finally:
            self.over = True

    async def _take(self, reader: asyncio.StreamReader) -> None:
        """Each chunk has whole events, so lines that hold its length are none of theirs; one without any ends it."""
        place, name = None, None
        while (line := await reader.readline()) and line != b"0\r\n":
            word, _, rest = line.decode().rstrip("\r\n").partition(" ")
            if word == "HTTP/1.1":
                self.status = int(rest.split()[0])
            elif word == "id:":
                place = rest
            elif word == "event:":
                name = rest
            elif word == "data:":
                self.last_id = place or self.last_id
                if name is None:
                    self.told.append(json.loads(rest))
                else:
                    self.own.append(name)
                place = name = None

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)


def request_head(topics: str, token: str, last_id: str | None = None) -> bytes:
    resumed = "" if last_id is None else f"Last-Event-ID: {last_id}\r\n"
    return (
        f"GET /v1/acme/live?topics={topics} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {token}\r\n{resumed}\r\n"
    ).encode()


def stuck_reader(port: int, token: str) -> socket.socket:
    """One that asks for the stream and never reads it."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    connection.sendall(request_head("documents", token))
    return connection
