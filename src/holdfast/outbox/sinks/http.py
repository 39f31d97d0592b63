"""Events as webhooks: one signed POST each, in structured or binary mode.

2xx means taken. 410 means nobody is there any more: dead letter at once. 429 and 503 with Retry-After are asked again
when they say. Everything else, redirects too, is an ordinary failure: a signed request goes where it was configured to
go and nowhere else.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal

import httpx

from holdfast.outbox.cloudevent import binary, structured
from holdfast.outbox.model import OutboxEvent
from holdfast.outbox.signing import sign
from holdfast.outbox.sinks.protocol import TryLater, Undeliverable

__all__ = ["HttpSink"]

_LONGEST_PAUSE = timedelta(days=1)
_SHOWN = 200


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
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        target = httpx.URL(url)
        self.name = str(target.copy_with(username=None, password=None, query=None, fragment=None))
        self.types = types
        self.timeout = timeout
        self._url = target.copy_with(fragment=None)
        self._mode = mode
        self._keys = tuple(keys)
        self._client = httpx.AsyncClient(
            timeout=timeout,
            follow_redirects=False,
            # A proxy or credentials from the environment are not where this was configured to go.
            trust_env=False,
            transport=transport,
            headers={"user-agent": "holdfast"},
            limits=httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=30),
        )

    async def send(self, event: OutboxEvent) -> None:
        message = structured(event) if self._mode == "structured" else binary(event)
        signature = sign(self._keys, event.id, int(time.time()), message.body) if self._keys else {}
        try:
            # Streamed, so that a receiver that answers with a film cannot fill our memory.
            async with self._client.stream(
                "POST", self._url, content=message.body, headers=message.headers | signature
            ) as answer:
                said = "" if answer.is_success else await _beginning(answer)
        except httpx.HTTPError as error:
            # Some of these say nothing at all; the name of the error does.
            raise ConnectionError(f"{type(error).__name__}: {error}".rstrip(": ")) from None
        if not answer.is_success:
            _refuse(answer, said)

    async def close(self) -> None:
        await self._client.aclose()


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


async def _beginning(answer: httpx.Response) -> str:
    """The first words of what a receiver says about its refusal."""
    async for chunk in answer.aiter_bytes(_SHOWN):
        return " ".join(chunk[:_SHOWN].decode(errors="replace").split())
    return ""


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
