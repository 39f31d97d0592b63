"""Helpers of tests of operating: a worker in the background, runs that failed, operations that ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import UUID

from harness.waiting import until
from holdfast import FakeClock, Holdfast, Run
from holdfast.operations import Operation
from holdfast.runs import Fail, NewRun

TYPE = "billing.charge.v1"


@asynccontextmanager
async def working(app: Holdfast) -> AsyncIterator[None]:
    """A worker, in the background, that executes operations too."""
    app.tend_operations()
    worker = app.worker(name="crew")
    task = asyncio.create_task(worker.run())
    try:
        yield
    finally:
        worker.stop()
        await task


async def failed_runs(app: Holdfast, count: int, *, error: str = "no such card") -> list[UUID]:
    """Runs that failed, each with its number in payload and error, once a worker has had them."""
    if app.handlers.find(TYPE) is None:

        @app.handler(TYPE)
        async def charge(run: Run, payload: dict[str, int]) -> None:
            raise Fail(f"{error} {payload['n']}")

    made = await app.enqueue_many("acme", [NewRun(TYPE, {"n": n}, key=f"charge-{n}") for n in range(count)])
    async with working(app):
        await until(lambda: finished(app, count))
    return [each.id for each in made]


async def finished(app: Holdfast, count: int, status: str = "failed") -> bool:
    """Whether so many runs have a status."""
    async with app.tenant("acme") as hold:
        return sum(each.runs for each in await hold.runs.stats() if each.status == status) >= count


async def ended(app: Holdfast, operation_id: UUID) -> Operation:
    """An operation when it has ended, however."""
    found: list[Operation] = []

    async def over() -> bool:
        if isinstance(app.clock, FakeClock):
            app.clock.advance(timedelta(milliseconds=50))
        async with app.tenant("acme") as hold:
            found[:] = [await hold.operations.get(operation_id)]
        return found[0].finished_at is not None

    await until(over, 60)
    return found[0]
