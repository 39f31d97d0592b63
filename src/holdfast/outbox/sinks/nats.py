"""Events as messages of NATS JetStream, on the subject ‹prefix›.‹tenant›.‹type of event›.

An event counts as sent when JetStream has acknowledged that a stream stored it. Its id is the message's `Nats-Msg-Id`,
so the stream itself drops an event that comes again within its duplicate window. The connection is made at the first
event and again whenever it was lost.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from holdfast.errors import SettingsError
from holdfast.outbox.cloudevent import structured
from holdfast.outbox.model import OutboxEvent

if TYPE_CHECKING:
    from nats.aio.client import Client

__all__ = ["NatsSink"]


class NatsSink:
    """Publishes to JetStream and waits for the acknowledgement."""

    def __init__(
        self,
        url: str,
        *,
        prefix: str = "holdfast",
        stream: str | None = None,
        timeout: float = 10.0,
        types: tuple[str, ...] = (),
    ) -> None:
        _require_client()
        parts = urlsplit(url)
        self.name = f"{parts.scheme}://{parts.hostname}:{parts.port or 4222}/{prefix}"
        self.types = types
        self._server = f"{parts.scheme}://{parts.netloc}"
        self._prefix = prefix
        self._stream = stream
        self.timeout = timeout
        self._client: Client | None = None
        self._connecting = asyncio.Lock()

    async def send(self, event: OutboxEvent) -> None:
        from nats.errors import Error
        from nats.js.errors import NoStreamResponseError

        subject = f"{self._prefix}.{event.tenant}.{event.type}"
        message = structured(event)
        client = await self._connected()
        try:
            await client.jetstream(timeout=self.timeout).publish(
                subject,
                message.body,
                stream=self._stream,
                headers={"Nats-Msg-Id": event.id, "Content-Type": message.headers["content-type"]},
            )
        except NoStreamResponseError:
            raise ConnectionError(f"no stream takes {subject}; add a stream for {self._prefix}.>") from None
        except Error as error:
            raise ConnectionError(f"{type(error).__name__}: {error}") from None

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _connected(self) -> Client:
        import nats

        async with self._connecting:
            if self._client is not None and self._client.is_connected:
                return self._client
            if self._client is not None:
                await self.close()
            reasons: list[str] = []

            async def note(error: Exception) -> None:
                # What goes wrong later reaches us with the event it happens to.
                reasons.append(type(error).__name__)

            try:
                async with asyncio.timeout(self.timeout):
                    # Trying again is ours: what fails must fail now, and be tried again with backoff.
                    self._client = await nats.connect(
                        self._server,
                        name="holdfast",
                        allow_reconnect=False,
                        max_reconnect_attempts=1,
                        reconnect_time_wait=0,
                        connect_timeout=max(1, round(self.timeout)),
                        error_cb=note,
                    )
            except (OSError, TimeoutError, nats.errors.Error) as error:
                why = reasons[-1] if reasons else type(error).__name__
                raise ConnectionError(f"no connection to {self.name}: {why}") from None
            return self._client


def _require_client() -> None:
    try:
        import nats  # noqa: F401 - only whether it is there
    except ModuleNotFoundError:
        raise SettingsError(
            "HOLDFAST_OUTBOX_SINKS names a NATS server, but the package nats-py is not installed",
            hint="pip install 'holdfast[nats]'",
            setting="outbox_sinks",
        ) from None
