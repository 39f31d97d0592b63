"""A worker process for tests that restart Postgres under it: run as `python restless.py DSN`, it works until SIGTERM.

It runs on the event loop that users run on, and says at its end how long a statement took at most, from its being sent
until it was answered or known to be lost.
"""

from __future__ import annotations

import asyncio
import logging
import random
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from holdfast import Holdfast
from holdfast.kernel import loops
from holdfast.postgres.wire import Wire
from holdfast.runs import Retry, Run

TYPE = "restless.work.v1"


def build(dsn: str) -> Holdfast:
    """The application: runs that are over in an instant, and some that are not."""
    app = Holdfast(dsn=dsn, worker_poll_interval=0.2, worker_shutdown_timeout=5, run_events="outcomes")

    @app.handler(TYPE, lease=2, retry=Retry(max_attempts=50, base=0.01, cap=0.1))
    async def work(run: Run, payload: dict[str, Any]) -> int:
        await asyncio.sleep(random.choice([0, 0, 0.005, 0.05]))  # time itself: some work takes a while
        return run.attempt

    return app


class Stopwatch:
    """Times every statement of every wire of this process."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._exchange = Wire._exchange
        setattr(Wire, "_exchange", self._measured())  # noqa: B010 - a method, for all of them

    def _measured(self) -> Callable[..., Any]:
        async def exchange(wire: Wire, send: Callable[[], None]) -> Any:
            began = time.monotonic()
            try:
                return await self._exchange(wire, send)
            finally:
                self.longest = max(self.longest, time.monotonic() - began)

        return exchange


async def main(dsn: str) -> None:
    """Work until SIGTERM."""
    async with build(dsn) as app:
        worker = app.worker(concurrency=40)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
        sys.stdout.write("working\n")
        sys.stdout.flush()
        await worker.run()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    watch = Stopwatch()
    loops.run(main(sys.argv[1]))
    sys.stdout.write(f"{watch.longest}\n")
