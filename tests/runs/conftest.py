"""Fixtures for tests of the run queue."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest

from harness.waiting import until
from holdfast import Holdfast
from holdfast.runs import RunInfo, Worker

TYPE = "test.work.v1"


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
