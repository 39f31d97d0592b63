"""A proxy on loopback between a client and Postgres that breaks things on purpose.

It reads just enough of the wire protocol to see statements pass, so that a test can say "cut the connection when COMMIT
arrives" or "after Postgres has committed, before the client hears of it": where durable software earns its name.

    async with FaultProxy(dsn) as proxy:
        proxy.cut(on="COMMIT", when="before")
        await something_over(proxy.dsn)
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Self

from psycopg.conninfo import conninfo_to_dict, make_conninfo

__all__ = ["FaultProxy"]


@dataclass
class _Fault:
    """Cut the connection when a statement that begins with `on` passes: before Postgres sees it, or once it answers."""

    on: str
    when: Literal["before", "after"]
    times: int


class FaultProxy:
    """Forwards bytes, delays them, or cuts connections, as told. Counts what it did."""

    def __init__(self, dsn: str) -> None:
        known = conninfo_to_dict(dsn)
        self._host = str(known.get("host") or "127.0.0.1")
        self._port = int(str(known.get("port") or 5432))
        self._dsn = dsn
        self._server: asyncio.Server | None = None
        self._faults: list[_Fault] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._refusing = False
        self.delay = 0.0
        self.rewrites: dict[bytes, bytes] = {}
        """What the server's answers say, and what the client is told instead, byte for byte as long."""
        self.connections = 0
        self.refused = 0
        self.cuts = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.drop_all()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def dsn(self) -> str:
        """The same database through the proxy."""
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        return make_conninfo(self._dsn, host="127.0.0.1", port=port, sslmode="disable", gssencmode="disable")

    def cut(self, *, on: str, when: Literal["before", "after"], times: int = 1) -> None:
        """Cut the connection at the next statements that begin with a word such as COMMIT."""
        self._faults.append(_Fault(on.upper(), when, times))

    @property
    def open(self) -> bool:
        """Whether any connection through it is."""
        return bool(self._writers)

    def drop_all(self) -> None:
        """Cut every open connection now."""
        for writer in list(self._writers):
            writer.transport.abort()

    def refuse(self, refusing: bool = True) -> None:
        """Close new connections as soon as they come, like a server that is down."""
        self._refusing = refusing

    async def _serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(to_client)
        try:
            if self._refusing:
                self.refused += 1
            else:
                await self._relay(client, to_client)
        except (ConnectionError, asyncio.IncompleteReadError, _Cut):
            pass
        finally:
            to_client.transport.abort()
            self._writers.discard(to_client)
            self._tasks.discard(task)

    async def _relay(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        if self._host.startswith("/"):
            upstream = asyncio.open_unix_connection(f"{self._host}/.s.PGSQL.{self._port}")
        else:
            upstream = asyncio.open_connection(self._host, self._port)
        server, to_server = await upstream
        self.connections += 1
        self._writers.add(to_server)
        answered = asyncio.Event()
        try:
            await self._start_up(client, to_server)
            async with asyncio.TaskGroup() as group:
                group.create_task(self._requests(client, to_server, answered))
                group.create_task(self._answers(server, to_client, answered))
        except* (ConnectionError, asyncio.IncompleteReadError, _Cut):
            pass
        finally:
            to_server.transport.abort()
            self._writers.discard(to_server)

    async def _start_up(self, client: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> None:
        # The first message has no type byte; encryption is switched off in the DSN, so there is no more to it.
        head = await client.readexactly(4)
        to_server.write(head + await client.readexactly(struct.unpack("!I", head)[0] - 4))
        await to_server.drain()

    async def _requests(
        self, client: asyncio.StreamReader, to_server: asyncio.StreamWriter, answered: asyncio.Event
    ) -> None:
        armed = False
        while True:
            head = await client.readexactly(5)
            kind, length = head[:1], struct.unpack("!I", head[1:])[0]
            body = await client.readexactly(length - 4)
            fault = self._fault_for(kind, body)
            if fault is not None and fault.when == "before":
                self.cuts += 1
                raise _Cut
            armed = armed or fault is not None
            if self.delay:
                await asyncio.sleep(self.delay)  # time itself: a network that is slow
            # Postgres answers a simple query at once, but the messages of the extended protocol only after Sync.
            last = armed and kind in (b"Q", b"S")
            if last:
                answered.clear()
            to_server.write(head + body)
            await to_server.drain()
            if last:
                await answered.wait()
                self.cuts += 1
                raise _Cut

    async def _answers(
        self, server: asyncio.StreamReader, to_client: asyncio.StreamWriter, answered: asyncio.Event
    ) -> None:
        waiting = answered
        waiting.set()
        while True:
            data = await server.read(65536)
            if not data:
                raise ConnectionError
            if not waiting.is_set():
                # The answer to a statement that is cut "after": Postgres is done, the client must never know.
                waiting.set()
                raise _Cut
            for said, told in self.rewrites.items():
                data = data.replace(said, told)
            to_client.write(data)
            await to_client.drain()

    def _fault_for(self, kind: bytes, body: bytes) -> _Fault | None:
        if kind == b"Q":
            text = body
        elif kind == b"P":
            text = body.split(b"\0", 2)[1]
        else:
            return None
        statement = text.decode(errors="replace").lstrip().upper()
        for fault in self._faults:
            if fault.times and statement.startswith(fault.on):
                fault.times -= 1
                return fault
        return None


class _Cut(Exception):
    """The connection is to be cut now."""
