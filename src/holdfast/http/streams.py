"""Answers that come bit by bit: their source is closed with them, whatever ends them.

When a source fails, the connection ends without the last chunk: whoever reads sees that something is missing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import TypeVar

import anyio
from fastapi.responses import StreamingResponse
from starlette.types import Send

__all__ = ["EVENTS", "Stream", "kept_alive"]

T = TypeVar("T")
EVENTS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Headers of server-sent events: nobody in between keeps them, or keeps them back."""


class Stream(StreamingResponse):
    """A streaming response that closes its generator when the reader goes away."""

    async def stream_response(self, send: Send) -> None:
        try:
            await super().stream_response(send)
        finally:
            if isinstance(self.body_iterator, AsyncGenerator):
                with anyio.CancelScope(shield=True):
                    await self.body_iterator.aclose()


async def kept_alive(source: AsyncGenerator[T, None], seconds: float) -> AsyncIterator[T | None]:
    """What a source gives and, when it has been silent for a while, None: so that nobody takes the stream for dead."""
    waiting: asyncio.Future[T] | None = None
    try:
        while True:
            waiting = waiting or asyncio.ensure_future(anext(source))
            done, _ = await asyncio.wait({waiting}, timeout=seconds)
            if not done:
                yield None
                continue
            finished, waiting = waiting, None
            try:
                found = finished.result()
            except StopAsyncIteration:
                return
            yield found
    finally:
        if waiting is not None:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        await source.aclose()
