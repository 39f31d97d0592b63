"""Answers that go on for a while: whoever leaves, or stops reading, frees at once what the stream held."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

__all__ = ["Stream"]

_STALLED_SECONDS = 60.0


class Stream(StreamingResponse):
    """A response whose generator is closed when it ends, however it ends.

    A generator that waits for its reader is not told that the reader is gone: it would keep what it holds, such as a
    transaction, until the garbage collector comes by. A reader that takes nothing for a minute counts as gone.
    """

    stalled_seconds = _STALLED_SECONDS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            async with asyncio.timeout(self.stalled_seconds):
                await send(message)

        try:
            await super().__call__(scope, receive, sent)
        except TimeoutError:
            # Nothing can be said to somebody who does not read. An answer that is not complete ends the connection.
            pass
        finally:
            body: Any = self.body_iterator
            if isinstance(body, AsyncGenerator):
                await asyncio.shield(body.aclose())
