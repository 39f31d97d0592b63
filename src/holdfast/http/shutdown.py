"""The server process, which ends when it is told to: in order if it can, and in any case.

Requests get `GRACE_SECONDS` to be answered, then they are cancelled, and the application is closed. A process that has
not ended within `LAST_SECONDS` is ended by a thread that waits for nothing, not even for Python, and says where it
hung.
"""

from __future__ import annotations

import asyncio
import faulthandler
import signal
import socket
from types import FrameType

import uvicorn
from fastapi import FastAPI

from holdfast.http.protocol import protocol_with
from holdfast.settings import Settings

__all__ = ["GRACE_SECONDS", "LAST_SECONDS", "Server"]

GRACE_SECONDS = 10
LAST_SECONDS = 20


class Server(uvicorn.Server):
    """A uvicorn that ends."""

    def __init__(self, app: FastAPI) -> None:
        settings: Settings = app.state.holdfast.settings
        super().__init__(
            uvicorn.Config(
                app,
                http=protocol_with(settings.header_timeout, settings.connections_per_address),
                log_config=None,
                access_log=False,
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )
        self._stopping: asyncio.Event = app.state.stopping

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal came. A second one ends it without grace."""
        if sig == signal.SIGTERM:
            faulthandler.dump_traceback_later(LAST_SECONDS, exit=True)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more requests, answer those that are there, and close."""
        # Streams would go on for as long as somebody reads.
        self._stopping.set()
        await super().shutdown(sockets)
