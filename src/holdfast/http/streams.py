"""Answers that go on for a while: whoever leaves, or stops reading, frees at once what the stream held.

Whoever is no longer let in does not go on listening either: while there are streams, one query every two seconds asks
which of their tokens have ended, and their streams end. So does one whose reader has no token of ours and is
deactivated, or has lost the permission that the stream `needs`: each is looked at every few seconds.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar
from uuid import UUID

import anyio
from fastapi import Request
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from holdfast.app import Holdfast
from holdfast.errors import HoldfastError, NotFound, NotSignedIn
from holdfast.http.acting import still_in_tenant

__all__ = ["EVENTS", "OpenStreams", "Stream", "kept_alive"]

T = TypeVar("T")
_log = logging.getLogger(__name__)
EVENTS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Headers of server-sent events: nobody in between keeps them, or keeps them back."""

_STALLED_SECONDS = 60.0
_LOOK_SECONDS = 2.0
_CHECK_SECONDS = 5.0


class OpenStreams:
    """The tokens with which this server has streams open, and who tells those streams that their token has ended."""

    def __init__(self, app: Holdfast) -> None:
        self._app = app
        self._ends: dict[tuple[UUID, UUID], set[asyncio.Event]] = {}
        self._looking: asyncio.Task[None] | None = None

    @contextmanager
    def opened(self, credential: tuple[UUID, UUID]) -> Iterator[asyncio.Event]:
        """While a stream is open: an event that is set when its (tenant, token) has ended."""
        ended = asyncio.Event()
        self._ends.setdefault(credential, set()).add(ended)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            yield ended
        finally:
            self._ends[credential].discard(ended)
            if not self._ends[credential]:
                del self._ends[credential]
            if not self._ends:
                self._looking.cancel()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                ended = await self._app.ended_tokens(self._ends)
            except HoldfastError as error:
                # Without its database the server has nothing to send either; the next look will tell.
                _log.debug("cannot see which tokens have ended: %s", error)
                continue
            for (_, token), events in self._ends.items():
                if token in ended:
                    for event in events:
                        event.set()


class Stream(StreamingResponse):
    """A response whose generator is closed when it ends, however it ends.

    A generator that waits for its reader is not told that the reader is gone: it would keep what it holds, such as a
    transaction, until the garbage collector comes by. A reader that takes nothing for a minute counts as gone, one
    whose token has ended is sent no more, nor one who lost the permission that it `needs`, and a server that is to
    stop ends its streams: they can be resumed at another one. What ends so ends without the last chunk, and nobody
    takes it for whole.
    """

    stalled_seconds = _STALLED_SECONDS

    def __init__(self, content: AsyncIterator[str], *, needs: str | None = None, **given: Any) -> None:
        super().__init__(content, **given)
        self._needs = needs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        state, known = scope["app"].state, scope.get("holdfast.signed_in")
        answering = asyncio.ensure_future(super().__call__(scope, receive, send))
        ends = [asyncio.ensure_future(state.stopping.wait())]
        with ExitStack() as stack:
            if known is not None and known.credential is not None:
                ended = stack.enter_context(state.streams.opened(known.credential))
                ends.append(asyncio.ensure_future(ended.wait()))
            if known is not None and known.expires is not None:
                ends.append(asyncio.ensure_future(asyncio.sleep(max(0.0, known.expires - time.time()), True)))
            if self._needs is not None:
                ends.append(asyncio.ensure_future(self._refused(Request(scope), self._needs)))
            try:
                await asyncio.wait({answering, *ends}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in (answering, *ends):
                    each.cancel()
                outcome, *_ = await asyncio.gather(answering, *ends, return_exceptions=True)
        if isinstance(outcome, HoldfastError):
            # It had begun: there is no other answer any more. The reader comes back, and is told then.
            _log.warning("a stream ended before its time: %s", outcome)
        elif isinstance(outcome, Exception) and not isinstance(outcome, TimeoutError):
            raise outcome

    async def _refused(self, request: Request, permission: str) -> bool:
        """When whoever reads may not any more."""
        while True:
            await asyncio.sleep(_CHECK_SECONDS)
            try:
                reader = await still_in_tenant(request, request.path_params["tenant"])
            except (NotSignedIn, NotFound):
                return True
            except HoldfastError as error:
                # Without its database the server has nothing to send either.
                _log.debug("cannot see who reads a stream: %s", error)
                continue
            if not reader.may(permission):
                return True

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
