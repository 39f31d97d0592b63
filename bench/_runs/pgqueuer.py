"""pgqueuer: asyncpg on uvloop as its own command line runs it, batches of 10, finished jobs kept in its log table.

Fast: `batch_size=100`.
"""

# mypy: disable-error-code="import-not-found,untyped-decorator"

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

import asyncpg
import uvloop
from pgqueuer import AsyncpgDriver, PgQueuer, Queries

from bench._harness.protocol import Adapter, Handled, Job, Payload, Producer, Ready, Schema, serve


def setup(job: Job) -> Schema:
    async def install() -> None:
        connection = await asyncpg.connect(job.dsn)
        await Queries(AsyncpgDriver(connection)).install()
        await connection.close()

    uvloop.run(install())
    return Schema(
        unfinished="SELECT count(*) FROM pgqueuer",
        succeeded="SELECT count(*) FROM pgqueuer_log WHERE status = 'successful'",
        version=version("pgqueuer"),
    )


@asynccontextmanager
async def producer(job: Job) -> AsyncIterator[Producer]:
    connection = await asyncpg.connect(job.dsn)
    queries = Queries(AsyncpgDriver(connection))

    async def enqueue(payload: Payload) -> None:
        await queries.enqueue("noop", json.dumps(payload).encode())

    async def enqueue_many(payloads: list[Payload]) -> None:
        n = len(payloads)
        await queries.enqueue(["noop"] * n, [json.dumps(payload).encode() for payload in payloads], [0] * n)

    yield Producer(enqueue, enqueue_many)
    await connection.close()


def work(job: Job, ready: Ready, handled: Handled) -> None:
    async def run() -> None:
        worker = PgQueuer(AsyncpgDriver(await asyncpg.connect(job.dsn)))

        @worker.entrypoint("noop")
        async def noop(item: Any) -> None:
            payload = json.loads(item.payload)
            handled(payload.get("sent"), payload["i"])

        if job.fast:
            await worker.run(batch_size=100)
        else:
            await worker.run()

    ready()
    uvloop.run(run())


if __name__ == "__main__":
    serve(Adapter(setup, producer, work))
