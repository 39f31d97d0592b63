"""Fixtures for tests of the run queue."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest

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


async def until(condition: Callable[[], Awaitable[bool]], timeout: float = 20) -> None:
    """Ask the database again and again until something another task does has happened."""
    async with asyncio.timeout(timeout):
        while not await condition():  # noqa: ASYNC110 - another process sets no event
            await asyncio.sleep(0.01)


async def finished(app: Holdfast, *ids: UUID, tenant: str = "acme") -> list[RunInfo]:
    async def all_done() -> bool:
        return all([(await fetch(app, run_id, tenant)).finished_at for run_id in ids])

    await until(all_done)
    return [await fetch(app, run_id, tenant) for run_id in ids]
