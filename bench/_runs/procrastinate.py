"""procrastinate: asyncio worker, one job at a time by default, LISTEN/NOTIFY, finished jobs kept (its default).

Fast: `concurrency=20`, its documented way to more throughput, with a connection for each.
"""

# mypy: disable-error-code="import-not-found,untyped-decorator"

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from procrastinate import App, PsycopgConnector

from bench._harness.protocol import Adapter, Handled, Job, Payload, Producer, Ready, Schema, serve

app = App(connector=PsycopgConnector())


@app.task(name="noop")
async def noop(**payload: Any) -> None:
    raise RuntimeError("only its name is used by producers; workers register their own")


def application(job: Job) -> Any:
    return app.replace_connector(PsycopgConnector(conninfo=job.dsn))


def setup(job: Job) -> Schema:
    async def apply() -> None:
        with application(job) as ours:
            async with ours.open_async():
                await ours.schema_manager.apply_schema_async()

    asyncio.run(apply())
    return Schema(
        unfinished="SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing')",
        succeeded="SELECT count(*) FROM procrastinate_jobs WHERE status = 'succeeded'",
        version=version("procrastinate"),
    )


@asynccontextmanager
async def producer(job: Job) -> AsyncIterator[Producer]:
    with application(job) as ours:
        task = ours.tasks["noop"]

        async def enqueue(payload: Payload) -> None:
            await task.defer_async(**payload)

        async def enqueue_many(payloads: list[Payload]) -> None:
            await task.batch_defer_async(*payloads)

        async with ours.open_async():
            yield Producer(enqueue, enqueue_many)


def work(job: Job, ready: Ready, handled: Handled) -> None:
    size = {"max_size": 20} if job.fast else {}
    worker = App(connector=PsycopgConnector(conninfo=job.dsn, **size))

    @worker.task(name="noop")
    async def noop(i: int, sent: float | None = None) -> None:
        handled(sent, i)

    async def run() -> None:
        async with worker.open_async():
            if job.fast:
                await worker.run_worker_async(concurrency=20, install_signal_handlers=False)
            else:
                await worker.run_worker_async(install_signal_handlers=False)

    ready()
    asyncio.run(run())


if __name__ == "__main__":
    serve(Adapter(setup, producer, work))
