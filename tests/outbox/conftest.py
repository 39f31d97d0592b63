"""Fixtures for tests of the outbox."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest

from harness.waiting import until
from holdfast import Holdfast
from holdfast.outbox import Dispatcher, EventInfo, OutboxEvent

TYPE = "billing.invoice_paid.v1"
QUICK: dict[str, Any] = {
    "worker_poll_interval": 0.05,
    "worker_shutdown_timeout": 5,
    "outbox_backoff_base": 0.02,
    "outbox_backoff_cap": 0.2,
    "outbox_lease": 1,
    "outbox_timeout": 3,
}


@pytest.fixture
async def live(holdfast_dsn: str) -> AsyncIterator[Holdfast]:
    """An application on the database's own clock, with the tenants `acme` and `globex`, impatient in everything."""
    async with Holdfast(dsn=holdfast_dsn, **QUICK) as app:
        await app.tenants.create("acme")
        await app.tenants.create("globex")
        yield app


@asynccontextmanager
async def dispatching(app: Holdfast, **arguments: Any) -> AsyncIterator[Dispatcher]:
    """A dispatcher in the background."""
    dispatcher = app.dispatcher(**arguments)
    task = asyncio.create_task(dispatcher.run())
    try:
        yield dispatcher
    finally:
        dispatcher.stop()
        await asyncio.wait_for(task, 30)


class Basket:
    """A sink that keeps what it gets, after asking `before` about each."""

    def __init__(self, name: str = "basket", types: tuple[str, ...] = ()) -> None:
        self.name = name
        self.types = types
        self.events: list[OutboxEvent] = []
        self.offered: list[OutboxEvent] = []
        self.closed = False

    async def before(self, event: OutboxEvent) -> None:
        """What to do before an event is kept; raise to refuse it."""

    async def send(self, event: OutboxEvent) -> None:
        self.offered.append(event)
        await self.before(event)
        self.events.append(event)

    async def close(self) -> None:
        self.closed = True

    @property
    def data(self) -> list[Any]:
        return [event.data for event in self.events]


async def publish(app: Holdfast, *data: Any, tenant: str = "acme", **arguments: Any) -> list[UUID]:
    async with app.tenant(tenant) as hold:
        return [await hold.outbox.publish(arguments.get("type", TYPE), one, **_rest(arguments)) for one in data]


def _rest(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if name != "type"}


async def fetch(app: Holdfast, event_id: UUID, tenant: str = "acme") -> EventInfo:
    async with app.tenant(tenant) as hold:
        return await hold.outbox.get(event_id)


async def in_status(app: Holdfast, status: str, *ids: UUID, tenant: str = "acme") -> list[EventInfo]:
    async def all_are() -> bool:
        return all([(await fetch(app, one, tenant)).status == status for one in ids])

    await until(all_are)
    return [await fetch(app, one, tenant) for one in ids]


async def published(app: Holdfast, *ids: UUID, tenant: str = "acme") -> list[EventInfo]:
    return await in_status(app, "published", *ids, tenant=tenant)
