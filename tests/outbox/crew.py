"""A dispatcher process for tests that kill, freeze and cut: `python crew.py DSN URL` dispatches until SIGTERM."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys

from holdfast import Holdfast
from holdfast.kernel import loops


async def main(dsn: str, url: str) -> None:
    """Dispatch until SIGTERM."""
    async with Holdfast(
        dsn=dsn,
        outbox_sinks=url,
        worker_poll_interval=0.05,
        worker_shutdown_timeout=2,
        outbox_backoff_base=0.02,
        outbox_backoff_cap=0.2,
        outbox_lease=1,
        connect_timeout=3,
    ) as app:
        dispatcher = app.dispatcher(concurrency=8)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, dispatcher.stop)
        sys.stdout.write("dispatching\n")
        sys.stdout.flush()
        await dispatcher.run()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    loops.run(main(sys.argv[1], sys.argv[2]))
