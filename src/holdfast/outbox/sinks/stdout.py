"""Events as JSON lines on standard output: for pipes, for containers whose log is collected, and for a first look."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

from holdfast.outbox.cloudevent import structured
from holdfast.outbox.model import OutboxEvent

__all__ = ["StdoutSink"]


class StdoutSink:
    """One CloudEvent a line, flushed before the event counts as sent."""

    def __init__(self, *, types: tuple[str, ...] = ()) -> None:
        self.name = "stdout"
        self.types = types
        # Lines of different aggregates are written from different threads; they must not mix.
        self._writing = asyncio.Lock()
        self.on_unread: Callable[[], None] | None = None
        """Called when whoever read our output has gone; by default that is a failure like any other."""

    async def send(self, event: OutboxEvent) -> None:
        async with self._writing:
            # In a thread: a reader of the pipe that is slow must not stop everything else here.
            try:
                await asyncio.to_thread(self._write, structured(event).body)
            except BrokenPipeError:
                if self.on_unread is not None:
                    self.on_unread()
                    await asyncio.sleep(0)  # told to end at once, we are cancelled here, and the event stays as it was
                raise

    async def close(self) -> None:
        """Nothing to let go of."""

    @staticmethod
    def _write(line: bytes) -> None:
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()
