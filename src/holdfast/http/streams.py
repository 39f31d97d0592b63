"""Answers that go on for a while: whoever leaves, or stops reading, frees at once what the stream held."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import TypeVar

import anyio
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

__all__ = ["EVENTS", "Stream", "kept_alive"]

T = TypeVar("T")
EVENTS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Headers of server-sent events: nobody in between keeps them, or keeps them back."""

_STALLED_SECONDS = 60.0


class Stream(StreamingResponse):
    """A response whose generator is closed when it ends, however it ends.

    A generator that waits for its reader is not told that the reader is gone: it would keep what it holds, such as a
    transaction, until the garbage collector comes by. A reader that takes nothing for a minute counts as gone, and a
    server that is to stop ends its streams: they can be resumed at another one. What ends so ends without the last
    chunk, and nobody takes it for whole.
    """

    stalled_seconds = _STALLED_SECONDS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answering = asyncio.ensure_future(super().__call__(scope, receive, send))
        stopping = asyncio.ensure_future(scope["app"].state.stopping.wait())
        try:
            await asyncio.wait({answering, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            answering.cancel()
            outcome, _ = await asyncio.gather(answering, stopping, return_exceptions=True)
        if isinstance(outcome, Exception) and not isinstance(outcome, TimeoutError):
            raise outcome

    async def stream_response(self, send: Send) -> None:
        """Send what the generator gives."""

        async def sent(message: Message) -> None:
            async with asyncio.timeout(self.stalled_seconds):
                await send(message)

        try:
            await super().stream_response(sent)
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
