"""Fixtures for tests of the run queue."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest

from harness.waiting import outlived, until
from holdfast import Holdfast
from holdfast.runs import Run, RunInfo, Worker

TYPE = "test.work.v1"
PASSING = "test.passing.v1"


@pytest.fixture
async def live(holdfast_dsn: str) -> AsyncIterator[Holdfast]:
    """An application on the database's own clock, with the tenants `acme` and `globex`, looking for work often."""
    async with Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05, worker_shutdown_timeout=5) as app:
        await app.tenants.create("acme")
        await app.tenants.create("globex")
        yield app


@asynccontextmanager
async def working(app: Holdfast, **arguments: Any) -> AsyncIterator[Worker]:
    """A worker in the background."""
    worker = app.worker(**arguments)
    task = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        worker.stop()
        await asyncio.wait_for(task, 30)


async def fetch(app: Holdfast, run_id: UUID, tenant: str = "acme") -> RunInfo:
    async with app.tenant(tenant) as hold:
        return await hold.runs.get(run_id)


async def finished(app: Holdfast, *ids: UUID, tenant: str = "acme") -> list[RunInfo]:
    async def all_done() -> bool:
        return all([(await fetch(app, run_id, tenant)).finished_at for run_id in ids])

    await until(all_done)
    return [await fetch(app, run_id, tenant) for run_id in ids]


async def kept(app: Holdfast, run_id: UUID, lease: float = 1) -> None:
    """Until the lease of a run was extended at a time at which it would have been over."""

    async def lease_until() -> datetime | None:
        return (await fetch(app, run_id)).lease_until

    await outlived(lease_until, lease)


async def _pass(run: Run) -> None: ...


def passers_by(app: Holdfast) -> Callable[[], Awaitable[None]]:
    """Prepare for runs of another type that come and go, one after the other. Their worker has a place for each.

    When they have, whatever else waits and could be claimed has been: of a tenant's runs the older ones come first.
    """
    app.handlers.add(PASSING, _pass)

    async def pass_by() -> None:
        for _ in range(3):
            await finished(app, (await app.enqueue("acme", PASSING)).id)

    return pass_by
