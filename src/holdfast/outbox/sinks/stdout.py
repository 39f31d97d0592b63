"""Events as JSON lines on standard output: for pipes, for containers whose log is collected, and for a first look."""

from __future__ import annotations

import asyncio
import sys

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

    async def send(self, event: OutboxEvent) -> None:
        async with self._writing:
            # In a thread: a reader of the pipe that is slow must not stop everything else here.
            await asyncio.to_thread(self._write, structured(event).body)

    async def close(self) -> None:
        """Nothing to let go of."""

    @staticmethod
    def _write(line: bytes) -> None:
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()
