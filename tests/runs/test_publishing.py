"""Ends of runs as outbox events, written by the transaction that ends them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest

from harness.waiting import until
from holdfast import Fail, Holdfast, Run
from holdfast.errors import LeaseLost
from runs.conftest import TYPE, finished, working


@pytest.fixture
async def telling(holdfast_dsn: str) -> AsyncIterator[Holdfast]:
    async with Holdfast(
        dsn=holdfast_dsn, worker_poll_interval=0.05, worker_shutdown_timeout=5, run_publishes="outcomes"
    ) as app:
        await app.tenants.create("acme")
        yield app


async def published(app: Holdfast) -> dict[str, dict[str, Any]]:
    async with app.tenant("acme") as hold:
        return {event.type: event.data for event in (await hold.outbox.list()).items}


async def test_every_end_of_a_run_is_published(
    telling: Holdfast, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    @telling.handler(TYPE)
    async def work(run: Run, how: str) -> str:
        if how == "fail":
            raise Fail("no such invoice")
        return "fine"

    async with working(telling):
        good = (await telling.enqueue("acme", TYPE, "go")).id
        await finished(telling, good)
        assert await published(telling) == {
            "holdfast.run.succeeded": {
                "run": str(good),
                "type": TYPE,
                "status": "succeeded",
                "attempt": 1,
                "result": "fine",
                "finished_at": (await published(telling))["holdfast.run.succeeded"]["finished_at"],
            }
        }
        bad = (await telling.enqueue("acme", TYPE, "fail")).id
        await finished(telling, bad)
    assert (await published(telling))["holdfast.run.failed"]["error"] == "Fail: no such invoice"
    waiting = (await telling.enqueue("acme", "elsewhere.work.v1")).id
    async with telling.tenant("acme") as hold:
        await hold.runs.cancel(waiting)
    assert (await published(telling))["holdfast.run.cancelled"]["run"] == str(waiting)


async def test_a_run_that_dies_with_its_worker_is_published(
    telling: Holdfast, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    dead = (await telling.enqueue("acme", "elsewhere.work.v1", max_attempts=1)).id
    superuser.execute(
        "UPDATE holdfast.workflow_run_live SET status = 'leased', attempt = 1, lease_epoch = 1, "
        "leased_by = 'the dead', lease_until = now() - interval '1 s'"
    )

    @telling.handler(TYPE)
    async def work(run: Run) -> None: ...

    async def told() -> bool:
        return "holdfast.run.failed" in await published(telling)

    async with working(telling):
        await until(told)
    assert (await published(telling))["holdfast.run.failed"] | {"finished_at": ""} == {
        "run": str(dead),
        "type": "elsewhere.work.v1",
        "status": "failed",
        "attempt": 1,
        "error": "lease_expired",
        "finished_at": "",
    }


async def test_what_a_zombie_publishes_is_refused(
    telling: Holdfast, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    refused: list[str] = []

    @telling.handler(TYPE)
    async def work(run: Run) -> None:
        if refused:
            return
        superuser.execute("UPDATE holdfast.workflow_run_live SET lease_epoch = lease_epoch + 1")
        try:
            async with run.hold() as hold:
                await hold.outbox.publish("invoice.charged", {"n": 1})
        except LeaseLost:
            refused.append("publish")

    async with working(telling):
        await telling.enqueue("acme", TYPE)

        async def tried() -> bool:
            return bool(refused)

        await until(tried)
    assert await published(telling) == {}, "neither its event nor its outcome was taken"


async def test_by_default_nothing_is_published(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def work(run: Run) -> None: ...

    async with working(live):
        await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert await published(live) == {}
