"""HTTP/1.1 with deadlines: a connection that does not send the head of a request in time ends.

Uvicorn waits for it as long as the client likes, on a new connection and after the first byte; a few hundred of them
take every file descriptor. Bodies have a deadline of their own (`bodies`), and so do readers who take nothing
(`streams`), for whom little is sent ahead. An address may have so many connections open and no more, if the operator
says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import Counter
from typing import Any, Final

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from holdfast.http.failures import origin

__all__ = ["DeadlineProtocol", "protocol_with"]

_UNSENT: Final[int | None] = getattr(socket, "TCP_NOTSENT_LOWAT", None)
_MOST_AHEAD: Final = 128 * 1024
"""Bytes that wait in the system to be sent. What is on its way does not count, so a fast reader is not slowed down."""
_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_TOO_MANY = b"HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"


class DeadlineProtocol(H11Protocol):
    """One connection."""

    header_timeout: float
    most_of_one: int
    open: Counter[str]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._deadline: asyncio.TimerHandle | None = None
        self._origin = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's own
        super().connection_made(transport)
        _send_little_ahead(transport)
        self._origin = origin(self.client)
        self.open[self._origin] += 1
        if self.most_of_one and self.open[self._origin] > self.most_of_one:
            transport.write(_TOO_MANY)
            transport.close()
            return
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_came()
        self.open[self._origin] -= 1
        if not self.open[self._origin]:
            del self.open[self._origin]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._head_came()
        elif self._deadline is None and not self.transport.is_closing():
            # Something of the next request, but not all of its head.
            self._wait_for_head()

    def _wait_for_head(self) -> None:
        self._deadline = self.loop.call_later(self.header_timeout, self._too_late)

    def _head_came(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_late(self) -> None:
        self._deadline = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.transport.write(_TOO_SLOW)
            self.transport.close()


def _send_little_ahead(transport: asyncio.Transport) -> None:
    """Let the system keep little that a client has no room for yet: else it is megabytes for each who reads nothing."""
    connection = transport.get_extra_info("socket")
    if connection is not None and _UNSENT is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError):
            connection.setsockopt(socket.IPPROTO_TCP, _UNSENT, _MOST_AHEAD)


def protocol_with(header_timeout: float, connections_per_address: int) -> type[DeadlineProtocol]:
    """The protocol of one server, whose connections are counted together."""
    limits = {
        "header_timeout": header_timeout,
        "most_of_one": connections_per_address,
        "open": Counter[str](),
    }
    return type("DeadlineProtocol", (DeadlineProtocol,), limits)
