"""holdfast itself: its default configuration, fencing on, finished runs kept.

Fast: 500 runs at a time instead of 100, so that one statement settles and claims more of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from bench._harness.protocol import STEPS, Adapter, Handled, Job, Payload, Producer, Ready, Schema, serve
from holdfast import Holdfast, NewRun, Run

TENANT = "bench"
TYPES = {"noop": "bench.noop.v1", "steps": "bench.steps.v1"}


def setup(job: Job) -> Schema:
    async def install() -> None:
        async with Holdfast(dsn=job.dsn, migrate="always") as app:
            await app.tenants.create(TENANT)

    asyncio.run(install())
    return Schema(
        unfinished="SELECT count(*) FROM holdfast.workflow_run WHERE NOT done",
        succeeded="SELECT count(*) FROM holdfast.workflow_run WHERE done AND status = 'succeeded'",
        version=version("holdfast"),
        steps="SELECT count(*) FROM holdfast.workflow_run_step",
    )


@asynccontextmanager
async def producer(job: Job) -> AsyncIterator[Producer]:
    kind = TYPES[job.kind]
    async with Holdfast(dsn=job.dsn) as app:
        await app.enqueue_many(TENANT, [])  # connected, as the others are when the clock starts

        async def enqueue(payload: Payload) -> None:
            await app.enqueue(TENANT, kind, payload)

        async def enqueue_many(payloads: list[Payload]) -> None:
            await app.enqueue_many(TENANT, (NewRun(kind, payload) for payload in payloads))

        yield Producer(enqueue, enqueue_many)


def work(job: Job, ready: Ready, handled: Handled) -> None:
    app = Holdfast(dsn=job.dsn)

    @app.handler(TYPES["noop"])
    async def noop(run: Run, payload: Payload) -> None:
        handled(payload.get("sent"), payload["i"])

    @app.handler(TYPES["steps"])
    async def steps(run: Run, payload: Payload) -> None:
        for number in range(STEPS):
            await run.step(f"step-{number}", lambda number=number: number)
        handled(payload.get("sent"), payload["i"])

    app.load()  # imports are over when the clock starts
    ready()
    app.run_worker(concurrency=500 if job.fast else None)


if __name__ == "__main__":
    serve(Adapter(setup, producer, work))
