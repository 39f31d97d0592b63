"""A worker process for tests that kill, stop and cut: run as `python crew.py DSN DSN OFF`, it works until SIGTERM,
believing that it is OFF seconds later than it is.

What its handlers do is told by the payload, and what they did is written into the table `public.effects`, through a
connection of their own, so that tests can see which attempts really happened.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from typing import Any

import psycopg

from harness.waiting import Gate, eventually
from holdfast import Holdfast
from holdfast.kernel import loops
from holdfast.runs import Retry, Run

TYPE = "crew.work.v1"


def build(dsn: str, effects_dsn: str) -> Holdfast:
    """The application of the crew."""
    app = Holdfast(dsn=dsn, worker_poll_interval=0.1, worker_shutdown_timeout=2, run_events="all", connect_timeout=3)

    async def tell(run: Run, what: str) -> None:
        async with await psycopg.AsyncConnection.connect(effects_dsn, autocommit=True) as connection:
            await connection.execute(
                "INSERT INTO public.effects (run, attempt, worker, what) VALUES (%s, %s, %s, %s)",
                [run.id, run.attempt, os.getpid(), what],
            )

    @app.handler(TYPE, lease=1, retry=Retry(max_attempts=3, base=0.05))
    async def work(run: Run, payload: dict[str, Any]) -> dict[str, Any]:
        await tell(run, "started")
        if payload.get("kill"):
            os.kill(os.getpid(), signal.SIGKILL)
        if payload.get("blocks"):
            gate = Gate(payload["blocks"])
            eventually(lambda: gate.is_open, 120)  # the event loop does not turn meanwhile: that is the point
        if payload.get("gate") and run.attempt == 1:
            await Gate(payload["gate"]).passed()
        await tell(run, "finished")
        return {"attempt": run.attempt}

    return app


async def main(dsn: str, effects_dsn: str) -> None:
    """Work until SIGTERM."""
    async with build(dsn, effects_dsn) as app:
        worker = app.worker(concurrency=20)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
        sys.stdout.write("working\n")
        sys.stdout.flush()
        await worker.run()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    _off, _time, _time_ns = float(sys.argv[3]), time.time, time.time_ns
    time.time = lambda: _time() + _off
    time.time_ns = lambda: _time_ns() + int(_off * 1e9)
    loops.run(main(sys.argv[1], sys.argv[2]))
