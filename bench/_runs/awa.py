"""awa: a Rust engine with Python handlers on queue storage, as new installations get it; COPY for bulk.

Finished jobs are kept until its storage ring comes round, then only their number. Fast: 256 workers, two claimers with
batches of 512, a poll every 10 ms.
"""

# mypy: disable-error-code="import-not-found,untyped-decorator"

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import awa

from bench._harness.protocol import Adapter, Handled, Job, Payload, Producer, Ready, Schema, serve

QUEUE = "default"

# Its own view of all jobs takes a second for 20 000 of them and would be measured along; these are the counts it keeps.
SUCCEEDED = """
(SELECT coalesce(sum(completed_count), 0) FROM awa.receipt_completion_batches)
+ (SELECT count(*) FROM awa.done_entries WHERE state = 'completed')
+ (SELECT coalesce(sum(pruned_completed_count), 0) FROM awa.queue_terminal_rollups)
"""
ENQUEUED = "(SELECT coalesce(sum(awa.sequence_next_value(seq_name) - 1), 0) FROM awa.queue_enqueue_heads)"


@dataclass
class Noop:
    """Its jobs are dataclasses; the class's name is the job's kind."""

    i: int
    sent: float | None = None


def setup(job: Job) -> Schema:
    async def install() -> None:
        client = awa.AsyncClient(job.dsn)
        await client.migrate()
        # What the first worker of a new installation does; here producers come first.
        await client.install_queue_storage(schema="awa")
        await client.close()

    asyncio.run(install())
    return Schema(
        unfinished=f"SELECT {ENQUEUED} - ({SUCCEEDED})",
        succeeded=f"SELECT {SUCCEEDED}",
        version=version("awa-pg"),
    )


@asynccontextmanager
async def producer(job: Job) -> AsyncIterator[Producer]:
    client = awa.AsyncClient(job.dsn)

    async def enqueue(payload: Payload) -> None:
        await client.insert(Noop(**payload))

    async def enqueue_many(payloads: list[Payload]) -> None:
        await client.enqueue_many_copy([Noop(**payload) for payload in payloads])

    yield Producer(enqueue, enqueue_many)
    await client.close()


def work(job: Job, ready: Ready, handled: Handled) -> None:
    async def run() -> None:
        client = awa.AsyncClient(job.dsn)

        @client.task(Noop, queue=QUEUE)
        async def noop(item: Any) -> None:
            handled(item.args.sent, item.args.i)

        if job.fast:
            queue = {"name": QUEUE, "max_workers": 256, "claimers": 2, "claim_batch_size": 512}
            await client.start([queue], poll_interval_ms=10)
        else:
            await client.start()
        await asyncio.Event().wait()

    ready()
    asyncio.run(run())


if __name__ == "__main__":
    serve(Adapter(setup, producer, work))
