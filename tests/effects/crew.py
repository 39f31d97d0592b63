"""A process that sends effects until it is killed: `python crew.py DSN`. For tests that kill, and look what arrived."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys

from holdfast import Holdfast
from holdfast.settings import Settings


async def main(dsn: str) -> None:
    """Work until SIGTERM."""
    settings = Settings.load(
        dsn=dsn,
        worker_poll_interval=0.1,
        worker_shutdown_timeout=2,
        effects_allowed_networks="127.0.0.0/8",
        effects_timeout=1,
        effects_concurrency=4,
    )
    async with Holdfast(settings) as app:
        worker = app.effects_worker()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
        sys.stdout.write("working\n")
        sys.stdout.flush()
        await worker.run()


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    asyncio.run(main(sys.argv[1]))
