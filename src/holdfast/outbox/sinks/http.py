"""Events as webhooks: one signed POST each, in structured or binary mode.

2xx means taken. 410 means nobody is there any more: dead letter at once. 429 and 503 with Retry-After are asked again
when they say. Everything else, redirects too, is an ordinary failure: a signed request goes where it was configured to
go and nowhere else.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal

import httpx

from holdfast.kernel.webhooks import sign
from holdfast.outbox.cloudevent import binary, structured
from holdfast.outbox.model import OutboxEvent
from holdfast.outbox.sinks.protocol import TryLater, Undeliverable

__all__ = ["HttpSink"]

_LONGEST_PAUSE = timedelta(days=1)
_SHOWN = 200
_READ = 64 * 1024
_FAREWELL = 1.0


class HttpSink:
    """Posts events to one address."""

    def __init__(
        self,
        url: str,
        *,
        mode: Literal["structured", "binary"] = "structured",
        keys: Sequence[bytes] = (),
        timeout: float = 10.0,
        types: tuple[str, ...] = (),
    ) -> None:
        target = httpx.URL(url)
        self._url = target.copy_with(userinfo=b"", fragment=None)
        self.name = str(self._url.copy_with(query=None))
        self.types = types
        self.timeout = timeout
        self._mode = mode
        self._keys = tuple(keys)
        self._headers = {"user-agent": "holdfast"}
        if target.userinfo:
            login = f"{target.username}:{target.password}".encode()
            self._headers["authorization"] = "Basic " + base64.b64encode(login).decode()
        # The transport alone, without a client: a client writes the address of each request into the log, where its
        # query may be a secret, and would follow redirects or go through a proxy if the environment told it to.
        self._transport = httpx.AsyncHTTPTransport(
            trust_env=False,
            limits=httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=30),
        )
        self._patience = {"timeout": httpx.Timeout(timeout).as_dict()}

    async def send(self, event: OutboxEvent) -> None:
        message = structured(event) if self._mode == "structured" else binary(event)
        signature = sign(self._keys, event.id, int(time.time()), message.body) if self._keys else {}
        headers = self._headers | message.headers | signature
        request = httpx.Request("POST", self._url, content=message.body, headers=headers, extensions=self._patience)
        try:
            answer = await self._transport.handle_async_request(request)
            try:
                if answer.is_success:
                    await _let_finish(answer, min(_FAREWELL, self.timeout / 4))
                    return
                said = await _beginning(answer)
            finally:
                await answer.aclose()
        except httpx.HTTPError as error:
            # Some of these say nothing at all; the name of the error does.
            raise ConnectionError(f"{type(error).__name__}: {error}".rstrip(": ")) from None
        _refuse(answer, said)

    async def close(self) -> None:
        await self._transport.aclose()


def _refuse(answer: httpx.Response, said: str) -> None:
    reason = f"HTTP {answer.status_code}" + (f": {said}" if said else "")
    if answer.status_code == 410:
        raise Undeliverable(reason)
    if answer.is_redirect:
        raise ConnectionError(f"HTTP {answer.status_code}: redirects are not followed; configure the address itself")
    pause = _retry_after(answer.headers.get("retry-after"))
    if answer.status_code in (429, 503) and pause is not None:
        raise TryLater(reason, after=pause)
    raise ConnectionError(reason)


async def _let_finish(answer: httpx.Response, limit: float) -> None:
    """Read a short answer to its end, so that the connection can be used again; taken it is, whatever else is said."""
    with contextlib.suppress(httpx.HTTPError, TimeoutError):
        async with asyncio.timeout(limit):
            await _beginning(answer)


async def _beginning(answer: httpx.Response) -> str:
    """The first words of what a receiver says, for its refusal to be explained with.

    Only the beginning is read, and as it came: a receiver that answers with a film, packed or not, cannot fill our
    memory. Nobody asked it to pack.
    """
    words, size = b"", 0
    async for chunk in answer.aiter_raw():
        words = (words + chunk[:_SHOWN])[:_SHOWN]
        size += len(chunk)
        if size > _READ:
            break
    return " ".join(words.decode(errors="replace").split())


def _retry_after(value: str | None) -> timedelta | None:
    """What Retry-After asks for, in seconds or as a date; at most a day."""
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return min(timedelta(seconds=int(text)), _LONGEST_PAUSE)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(timedelta(0), min(aware - datetime.now(UTC), _LONGEST_PAUSE))
