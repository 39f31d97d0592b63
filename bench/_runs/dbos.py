"""DBOS: durable workflows, each run a thread, its queue polled every second, finished workflows kept. No bulk call.

Fast: the queue is polled every 50 ms.
"""

# mypy: disable-error-code="import-not-found,untyped-decorator"

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

import psycopg
from dbos import DBOS, DBOSClient

from bench._harness.protocol import STEPS, Adapter, Handled, Job, Payload, Producer, Ready, Schema, serve

QUEUE = "bench"
COPIES = """
INSERT INTO dbos.{table}
SELECT copy.*
FROM (SELECT * FROM dbos.{table} LIMIT 1) AS original,
  generate_series(2, %s) AS i,
  LATERAL jsonb_populate_record(
    original::text::dbos.{table}, jsonb_build_object('workflow_uuid', 'bench-' || i)
  ) AS copy
"""


def configure(job: Job) -> None:
    DBOS(config={"name": "bench", "system_database_url": job.dsn, "application_version": "1", "log_level": "WARNING"})


def register_queue(job: Job) -> None:
    if job.fast:
        DBOS.register_queue(QUEUE, polling_interval_sec=0.05)
    else:
        DBOS.register_queue(QUEUE)


def setup(job: Job) -> Schema:
    configure(job)
    DBOS.launch()
    register_queue(job)
    DBOS.destroy()
    return Schema(
        unfinished="SELECT count(*) FROM dbos.workflow_status WHERE status IN ('ENQUEUED', 'PENDING', 'DELAYED')",
        succeeded="SELECT count(*) FROM dbos.workflow_status WHERE status = 'SUCCESS'",
        version=version("dbos"),
        steps="SELECT count(*) FROM dbos.operation_outputs",
    )


@asynccontextmanager
async def producer(job: Job) -> AsyncIterator[Producer]:
    client = DBOSClient(system_database_url=job.dsn, application_name="bench")

    async def enqueue(payload: Payload) -> None:
        client.enqueue({"queue_name": QUEUE, "workflow_name": job.kind}, payload)

    yield Producer(enqueue)
    client.destroy()


def fill(job: Job) -> None:
    """One workflow through its client, the others as copies of that row: a call each would take minutes."""

    async def first() -> None:
        async with producer(job) as client:
            await client.enqueue({"i": 0})

    asyncio.run(first())
    with psycopg.connect(job.dsn, autocommit=True) as connection:
        for table in ("workflow_status", "workflow_input"):
            connection.execute(COPIES.format(table=table).encode(), (job.n,))


def work(job: Job, ready: Ready, handled: Handled) -> None:
    configure(job)

    @DBOS.workflow(name="noop")
    def noop(payload: Payload) -> None:
        handled(payload.get("sent"), payload["i"])

    @DBOS.step()
    def step(k: int) -> int:
        return k

    @DBOS.workflow(name="steps")
    def steps(payload: Payload) -> int:
        total = sum(step(k) for k in range(STEPS))
        handled()
        return int(total)

    ready()
    DBOS.launch()
    register_queue(job)
    threading.Event().wait()


if __name__ == "__main__":
    serve(Adapter(setup, producer, work, fill))
