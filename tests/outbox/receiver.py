"""A real HTTP server on loopback that receives webhooks, remembers them, and misbehaves as told.

async with Receiver() as receiver:
    receiver.answer = lambda request: 503
    … deliver to receiver.url …
    assert receiver.requests
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from cloudevents.core.bindings.http import HTTPMessage, from_http_event

__all__ = ["Receiver", "Request"]


@dataclass(frozen=True)
class Request:
    """One request as it came."""

    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def event(self) -> Any:
        """The CloudEvent in it, read by the library that everybody uses."""
        return from_http_event(HTTPMessage(self.headers, self.body))


Answer = int | tuple[int, dict[str, str], bytes]


class Receiver:
    """Answers each request with what `answer` says, once `gate` is open."""

    def __init__(self, port: int = 0) -> None:
        self.requests: list[Request] = []
        self.taken: list[Request] = []
        self.answer: Callable[[Request], Answer] = lambda _: 204
        self.gate = asyncio.Event()
        self.gate.set()
        self.came = asyncio.Condition()
        self._wanted_port = port
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._wanted_port, limit=2**22)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self.gate.set()
        self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        await asyncio.sleep(0)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    async def until(self, count: int, timeout: float = 20) -> list[Request]:
        """Wait until so many requests were answered with 2xx."""
        async with asyncio.timeout(timeout), self.came:
            await self.came.wait_for(lambda: len(self.taken) >= count)
        return self.taken

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                headers = {
                    name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)
                }
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                request = Request(head[0].split()[1], headers, body)
                self.requests.append(request)
                await self.gate.wait()
                told = self.answer(request)
                status, extra, content = told if isinstance(told, tuple) else (told, {}, b"")
                lines = [f"HTTP/1.1 {status} x"]
                if "transfer-encoding" not in extra:
                    lines.append(f"content-length: {len(content)}")
                lines += [f"{name}: {value}" for name, value in extra.items()]
                writer.write("\r\n".join([*lines, "", ""]).encode() + content)
                await writer.drain()
                if 200 <= status < 300:
                    async with self.came:
                        self.taken.append(request)
                        self.came.notify_all()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.transport.abort()
            self._writers.discard(writer)
