"""What a sink is, and what it may raise."""

from __future__ import annotations

from datetime import timedelta
from typing import Protocol, runtime_checkable

from holdfast.outbox.model import OutboxEvent

__all__ = ["Sink", "TryLater", "Undeliverable", "wants"]


@runtime_checkable
class Sink(Protocol):
    """Takes events. `name` stands in logs and in the database, so it holds no secret; `types` are prefixes it wants.

    One that has a `timeout`, in seconds, gets that long for an event instead of HOLDFAST_OUTBOX_TIMEOUT.
    """

    name: str
    types: tuple[str, ...]

    async def send(self, event: OutboxEvent) -> None:
        """Return once the event is safe; raise when it is not. The same event may come again."""

    async def close(self) -> None:
        """Let go of connections."""


class Undeliverable(Exception):
    """It will never be taken: a dead letter at once.

    For example:

        raise Undeliverable("the ERP knows no such account")
    """


class TryLater(Exception):
    """Not now: try again after so many seconds. Counts as an attempt.

    For example:

        raise TryLater("the ERP is closed", after=timedelta(minutes=5))
    """

    def __init__(self, reason: str, *, after: timedelta) -> None:
        super().__init__(reason)
        self.after = after


def wants(sink: Sink, event_type: str) -> bool:
    """Whether a sink takes events of a type: all of them, unless it names prefixes."""
    return not sink.types or event_type.startswith(sink.types)
