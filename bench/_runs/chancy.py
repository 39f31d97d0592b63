"""chancy: a pool of processes and a poll every 5 s with LISTEN/NOTIFY by default, finished jobs kept for a while.

Fast: its asyncio executor with 100 jobs at a time, eager polling, and no log line for each job.
"""

# mypy: disable-error-code="import-not-found,untyped-decorator"

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from chancy import Chancy, Queue, Worker, job

from bench._harness.protocol import Adapter, Handled, Job, Payload, Producer, Ready, Schema, serve


@functools.cache
def counter() -> Handled:
    # Jobs may run in child processes, which know the benchmark's job from the environment only.
    return Handled.from_environment()


@job(queue="default")
async def noop(*, i: int, sent: float | None = None) -> None:
    counter()(sent, i)


def registered() -> Any:
    """`noop` from this very module under its own name, by which other processes find it; here it is `__main__`."""
    from bench._runs import chancy

    return chancy.noop


def application(task: Job) -> Any:
    if not task.fast:
        return Chancy(task.dsn)
    quiet = logging.getLogger("chancy.quiet")
    quiet.setLevel(logging.WARNING)
    return Chancy(task.dsn, log=quiet)


def setup(task: Job) -> Schema:
    queue = Queue("default")
    if task.fast:
        queue = Queue(
            "default", executor=Chancy.Executor.Async, concurrency=100, eager_polling=True, polling_interval=1
        )

    async def install() -> None:
        async with application(task) as app:
            await app.migrate()
            await app.declare(queue)

    asyncio.run(install())
    return Schema(
        unfinished="SELECT count(*) FROM chancy_jobs WHERE state IN ('pending', 'running', 'retrying')",
        succeeded="SELECT count(*) FROM chancy_jobs WHERE state = 'succeeded'",
        version=version("chancy"),
    )


@asynccontextmanager
async def producer(task: Job) -> AsyncIterator[Producer]:
    template = registered().job
    async with application(task) as app:

        async def enqueue(payload: Payload) -> None:
            await app.push(template.with_kwargs(**payload))

        async def enqueue_many(payloads: list[Payload]) -> None:
            async for _ in app.push_many([template.with_kwargs(**payload) for payload in payloads]):
                pass

        yield Producer(enqueue, enqueue_many)


def work(task: Job, ready: Ready, handled: Handled) -> None:
    registered()

    async def run() -> None:
        async with application(task) as app, Worker(app, register_signal_handlers=False) as worker:
            await worker.wait_for_shutdown()

    ready()
    asyncio.run(run())


if __name__ == "__main__":
    serve(Adapter(setup, producer, work))
