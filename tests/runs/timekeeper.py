"""A scheduler process for tests that kill it: run as `python timekeeper.py DSN OFF`, it fires until SIGTERM, believing
that it is OFF seconds later than it is."""

from __future__ import annotations

import asyncio
import signal
import sys
import time

from holdfast import Holdfast
from holdfast.kernel import loops


async def main(dsn: str) -> None:
    """Fire until SIGTERM."""
    async with Holdfast(dsn=dsn, worker_poll_interval=0.05) as app:
        scheduler = app.scheduler()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, scheduler.stop)
        sys.stdout.write("firing\n")
        sys.stdout.flush()
        await scheduler.run()


if __name__ == "__main__":
    _off, _time, _time_ns = float(sys.argv[2]), time.time, time.time_ns
    time.time = lambda: _time() + _off
    time.time_ns = lambda: _time_ns() + int(_off * 1e9)
    loops.run(main(sys.argv[1]))
