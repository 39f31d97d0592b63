"""Whoever enqueues can know whether a worker is there for it, and how often that tries."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest
from httpx import ASGITransport, AsyncClient

import holdfast as hf
from harness.waiting import kept_waiting, until
from holdfast.http import build
from runs.conftest import TYPE, working

REFUSED = (
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%announce_worker%' "
    "AND state LIKE 'idle%' AND pid <> pg_backend_pid()"
)


async def handled(app: hf.Holdfast, *types: str) -> dict[str, int | None]:
    async with app.tenant("acme") as hold:
        return await hold.runs.handled(types)


async def told(app: hf.Holdfast, *types: str) -> dict[str, int | None]:
    """What is known once the worker has said that it is there."""
    await until(lambda: handled(app, *types))
    return await handled(app, *types)


async def test_a_worker_tells_what_it_executes_and_withdraws_when_it_stops(live: hf.Holdfast) -> None:
    @live.handler(TYPE, retry=hf.Retry(max_attempts=5))
    async def work(run: hf.Run) -> None: ...

    assert await handled(live, TYPE) == {}
    async with working(live):
        assert await told(live, TYPE, "test.other.v1") == {TYPE: 5}
    assert await handled(live, TYPE) == {}


async def test_a_prefix_is_handled_with_the_attempts_of_the_handlers_there_are(live: hf.Holdfast) -> None:
    @live.handler("media.render.v1", retry=hf.Retry(max_attempts=7))
    async def render(run: hf.Run) -> None: ...

    @live.handler("billing.charge.v1")
    async def charge(run: hf.Run) -> None: ...

    async with working(live, prefixes=["media."]):
        known = await told(live, "media.render.v1", "media.cut.v1", "billing.charge.v1", "medi", "MEDIA.render.v1")
        assert known == {"media.render.v1": 7, "media.cut.v1": None}


async def test_a_worker_that_was_killed_is_forgotten_after_a_minute(
    live: hf.Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    @live.handler(TYPE)
    async def work(run: hf.Run) -> None: ...

    async with working(live):
        assert await told(live, TYPE)
        superuser.execute("UPDATE holdfast.run_worker SET seen_at = now() - interval '61 seconds'")
        assert await handled(live, TYPE) == {}


async def test_a_run_enqueued_over_http_gets_the_attempts_of_a_handler_elsewhere(
    live: hf.Holdfast, holdfast_dsn: str
) -> None:
    @live.handler(TYPE, retry=hf.Retry(max_attempts=5))
    async def work(run: hf.Run) -> None: ...

    async with live.tenant("acme") as hold:
        await hold.users.create("ana", roles=["admin"])
        secret = (await hold.tokens.create("ana", "test")).secret
    async with hf.Holdfast(dsn=holdfast_dsn) as server, working(live):
        assert await told(live, TYPE)
        headers = {"Authorization": f"Bearer {secret}"}
        transport = ASGITransport(build(server))
        async with AsyncClient(transport=transport, base_url="http://test", headers=headers) as client:

            async def attempts(**body: object) -> object:
                made = (await client.post("/v1/acme/runs", json={"type": TYPE, **body})).json()
                return (await client.get(f"/v1/acme/runs/{made['id']}")).json()["run"]["max_attempts"]

            assert await attempts() == 5
            assert await attempts(max_attempts=2) == 2
            assert await attempts(type="test.nobody.v1") == 3


async def test_a_worker_that_cannot_be_announced_works_all_the_same(
    live: hf.Holdfast, superuser: psycopg.Connection[Any], caplog: pytest.LogCaptureFixture
) -> None:
    done = asyncio.Event()

    @live.handler(TYPE)
    async def work(run: hf.Run) -> None:
        done.set()

    superuser.execute("DROP FUNCTION holdfast.announce_worker")
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.runs.enqueue(TYPE)
        async with asyncio.timeout(20):
            await done.wait()
        await until(lambda: "others cannot be told of this worker" in caplog.text)


async def test_a_worker_ends_although_a_statement_fails_that_was_cancelled(
    live: hf.Holdfast, superuser: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """psycopg waits for a statement that it cancels, and if that fails tells of it instead of the cancellation."""

    async def slowly(*_: object, **__: object) -> None:
        superuser.execute("SELECT pg_advisory_unlock(77)")
        await until(lambda: superuser.execute(REFUSED).rowcount)

    @live.handler(TYPE)
    async def work(run: hf.Run) -> None: ...

    superuser.execute("""
        CREATE OR REPLACE FUNCTION holdfast.announce_worker(
          worker uuid, worker_name text, handled text[], tries integer[], taken text[], at timestamptz
        ) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_advisory_xact_lock(77);
          RAISE 'refused';
        END $$
    """)
    superuser.execute("SELECT pg_advisory_lock(77)")
    monkeypatch.setattr(psycopg.AsyncConnection, "_try_cancel", slowly)
    worker = live.worker()
    task = asyncio.create_task(worker.run())
    await kept_waiting(superuser)
    async with asyncio.timeout(20):
        worker.stop()
        await task
