"""absurd: durable tasks in stored functions, one task at a time by default, polling, finished tasks kept. No bulk call.

Fast: claims of 100 and a poll every 10 ms.
"""

# mypy: disable-error-code="import-not-found,untyped-decorator"

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

import psycopg
from absurd_sdk import Absurd
from absurdctl import BUNDLED_SCHEMA_SQL

from bench._harness.protocol import STEPS, Adapter, Handled, Job, Payload, Producer, Ready, Schema, serve

QUEUE = "default"


def setup(job: Job) -> Schema:
    with psycopg.connect(job.dsn, autocommit=True) as connection:
        connection.execute(BUNDLED_SCHEMA_SQL)
        Absurd(connection, QUEUE).create_queue()
    return Schema(
        unfinished=f"SELECT count(*) FROM absurd.t_{QUEUE} WHERE state IN ('pending', 'running', 'sleeping')",
        succeeded=f"SELECT count(*) FROM absurd.t_{QUEUE} WHERE state = 'completed'",
        version=version("absurd-sdk"),
        steps=f"SELECT count(*) FROM absurd.c_{QUEUE}",
    )


@asynccontextmanager
async def producer(job: Job) -> AsyncIterator[Producer]:
    client = Absurd(job.dsn, QUEUE)

    async def enqueue(payload: Payload) -> None:
        client.spawn(job.kind, payload, queue=QUEUE)

    yield Producer(enqueue)
    client.close()


def fill(job: Job) -> None:
    """Its own function, called n times by one statement."""
    with psycopg.connect(job.dsn, autocommit=True) as connection:
        connection.execute(
            "SELECT count(*) FROM generate_series(0, %s) AS i,"
            " LATERAL absurd.spawn_task(%s, %s, jsonb_build_object('i', i), '{}')",
            (job.n - 1, QUEUE, job.kind),
        )


def work(job: Job, ready: Ready, handled: Handled) -> None:
    ready()
    worker = Absurd(job.dsn, QUEUE)

    @worker.register_task("noop")
    def noop(params: Payload, context: Any) -> None:
        handled(params.get("sent"), params["i"])

    @worker.register_task("steps")
    def steps(params: Payload, context: Any) -> int:
        total = sum(context.step(f"step-{k}", lambda k=k: k) for k in range(STEPS))
        handled()
        return int(total)

    if job.fast:
        worker.start_worker(batch_size=100, poll_interval=0.01)
    else:
        worker.start_worker()


if __name__ == "__main__":
    serve(Adapter(setup, producer, work, fill))
