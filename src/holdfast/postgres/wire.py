"""One connection for one short statement at a time, as close to libpq as it gets.

A cursor takes longer to prepare, convert and wait for a small statement than Postgres takes to carry it out. Here a
statement is prepared once, its parameters are sent as text, and psycopg's own loaders make values of the answer: a few
dozen microseconds in all. Because the socket is always watched, a server that goes away is noticed when it does, not by
the next statement. Behind a transaction pooler statements are sent whole each time.

Two things about a socket that breaks are easily overlooked. libpq closes the descriptor by itself, and the next one to
be opened gets its number: the loop must have forgotten it by then, and must not be told to forget it twice. And uvloop
tells of a reset once, then never again, whatever is left to be read: so everything is read then, up to the error.
"""

from __future__ import annotations

import asyncio
import select
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Self
from uuid import UUID

import psycopg
from psycopg import AsyncConnection, pq
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result

from holdfast.postgres.queries import positional

__all__ = ["PATIENCE", "Row", "Wire"]

PATIENCE = 60.0
_LOOK_SECONDS = 1.0

_FINE = (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK)

_MICROSECOND = timedelta(microseconds=1)
_BINARY = 1

Row = tuple[Any, ...]


class Wire:
    """Statements over one connection, which is in autocommit mode and belongs to nobody else.

    A server that accepts a statement but does not answer within so many seconds (`patience`) is taken for gone.
    `on_notify` is called with the channel and the payload of what is heard, between statements too.
    """

    def __init__(
        self,
        connection: AsyncConnection[Any],
        *,
        patience: float = PATIENCE,
        on_notify: Callable[[str, str], None] | None = None,
    ) -> None:
        self._connection = connection
        self._patience = patience
        self._on_notify = on_notify
        self._loader = Transformer(connection)
        self._pgconn = connection.pgconn
        self._named = connection.prepare_threshold is not None
        self._known: dict[str, tuple[bytes, list[str]]] = {}
        self._answer: asyncio.Future[pq.abc.PGresult] | None = None
        self._last: pq.abc.PGresult | None = None
        self._loop = asyncio.get_running_loop()
        self._broken = False
        self._gone = self._loop.create_future()
        self._pgconn.nonblocking = 1
        self._socket = self._pgconn.socket
        # With no event asked for, it tells of errors and of the other side having hung up.
        self._trouble = select.poll()
        self._trouble.register(self._socket, 0)
        self._loop.add_reader(self._socket, self._readable)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def busy(self) -> bool:
        """Whether a statement is under way."""
        return self._answer is not None

    @property
    def closed(self) -> bool:
        return self._broken or self._connection.closed

    async def run(self, query: str, values: Mapping[str, Any]) -> list[Row]:
        """Carry out one statement with named parameters, each of which the statement casts to its type."""
        if query not in self._known:
            await self.prepare(query)
        what, names = self._known[query]
        parameters = [_text(values[name]) for name in names]
        send = self._pgconn.send_query_prepared if self._named else self._pgconn.send_query_params
        result = await self._exchange(lambda: send(what, parameters, result_format=_BINARY))
        self._loader.set_pgresult(result)
        return self._loader.load_rows(0, result.ntuples, tuple)

    async def prepare(self, query: str) -> None:
        """Have a statement read by the server before it is first carried out."""
        text, names = positional(query)
        name = f"holdfast_{len(self._known)}".encode()
        if self._named:
            await self._exchange(lambda: self._pgconn.send_prepare(name, text))
        self._known[query] = (name if self._named else text, names)

    async def gone(self) -> None:
        """Wait until the connection is closed, by us, the server or the network."""
        await asyncio.shield(self._gone)

    async def close(self) -> None:
        """Close the connection; a statement under way is broken off."""
        self._break(psycopg.OperationalError("the connection is closed"))
        await self._connection.close()

    async def _exchange(self, send: Callable[[], None]) -> pq.abc.PGresult:
        if self.closed:
            raise psycopg.OperationalError("the connection is closed")
        if self.busy:
            raise psycopg.ProgrammingError("a statement is under way already")
        answer = self._answer = self._loop.create_future()
        self._timer = self._loop.call_later(min(self._patience, _LOOK_SECONDS), self._look, self._patience)
        try:
            send()
            self._flush()
            result: pq.abc.PGresult = await answer
        except asyncio.CancelledError:
            # The statement goes on without us. Whatever its answer is, nobody must take it for that of the next one.
            self._break(psycopg.OperationalError("the statement was broken off"))
            raise
        except psycopg.OperationalError as error:
            self._break(error)
            raise
        finally:
            self._answer = None
            self._timer.cancel()
        if result.status not in _FINE:
            raise error_from_result(result, encoding="utf-8")
        return result

    def _look(self, left: float) -> None:
        """Every second that a statement takes: no loop that fails to tell of a broken socket keeps us waiting."""
        left -= _LOOK_SECONDS
        if left <= 0:
            self._break(psycopg.OperationalError(f"the server did not answer within {self._patience:g} seconds"))
            return
        self._timer = self._loop.call_later(min(left, _LOOK_SECONDS), self._look, left)
        if self._trouble.poll(0):
            self._readable()

    def _flush(self) -> None:
        if self._pgconn.flush():
            self._loop.add_writer(self._socket, self._writable)

    def _writable(self) -> None:
        try:
            if not self._pgconn.flush():
                self._loop.remove_writer(self._socket)
        except psycopg.Error as error:
            self._break(error)

    def _readable(self) -> None:
        try:
            self._consume()
            while not self._is_whole() or self._answer is None:
                if not self._trouble.poll(0):
                    return
                # Until it raises: there may be no further call.
                self._consume()
        except psycopg.Error as error:
            self._break(error)
            return
        result, self._last = self._last, None
        if result is not None and not self._answer.done():
            self._answer.set_result(result)

    def _consume(self) -> None:
        self._pgconn.consume_input()
        if self._on_notify is not None:
            while (notice := self._pgconn.notifies()) is not None:
                self._on_notify(notice.relname.decode(), notice.extra.decode())

    def _is_whole(self) -> bool:
        """Take what has been answered so far; whether that is all."""
        while not self._pgconn.is_busy():
            result = self._pgconn.get_result()
            if result is None:
                return True
            self._last = result
        return False

    def _break(self, error: psycopg.Error) -> None:
        if not self._broken:
            # Once, and now: when libpq has closed the descriptor, the next connection will have its number.
            self._broken = True
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)
            self._pgconn.finish()
            self._gone.set_result(None)
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(psycopg.OperationalError(str(error)))


def _text(value: Any) -> bytes | None:
    if value is None:
        return None
    if isinstance(value, str):
        text = value.encode()
        if b"\0" in text:
            # Parameters as text end at the first one: the rest would be lost without a word.
            raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
        return text
    if isinstance(value, bool):
        return b"t" if value else b"f"
    if isinstance(value, int):
        return b"%d" % value
    if isinstance(value, UUID):
        return value.hex.encode()
    if isinstance(value, datetime):
        return value.isoformat().encode()
    if isinstance(value, timedelta):
        return b"%d microseconds" % (value // _MICROSECOND)
    if isinstance(value, list):
        return b"{" + b",".join(map(_element, value)) + b"}"
    raise TypeError(f"a {type(value).__name__} cannot be sent")


def _element(value: Any) -> bytes:
    """A member of an array, quoted as Postgres wants it."""
    text = _text(value)
    if text is None:
        return b"NULL"
    return b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
