"""Transactions of tenants may be long: workers keep their leases, settle, store steps and wake others meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast, NewRun, Retry, Run
from holdfast.runs.lookout import Lookout
from runs.conftest import TYPE, fetch, finished, kept, working

OTHER = "test.other.v1"


async def is_leased(app: Holdfast, run_id: UUID) -> None:
    async def held() -> bool:
        return (await fetch(app, run_id)).status == "leased"

    await until(held)


@asynccontextmanager
async def cancelling(app: Holdfast, run_id: UUID) -> AsyncIterator[None]:
    """Somebody's transaction that has cancelled a run, does something else, and thinks better of it."""
    with pytest.raises(ZeroDivisionError):
        async with app.tenant("acme") as hold:
            await hold.runs.cancel(run_id)
            yield
            raise ZeroDivisionError


async def test_a_long_transaction_that_cancels_one_run_costs_the_others_no_lease(live: Holdfast) -> None:
    go_on = asyncio.Event()
    attempts: list[tuple[UUID, int]] = []

    @live.handler(TYPE, lease=2)
    async def work(run: Run) -> None:
        attempts.append((run.id, run.attempt))
        await go_on.wait()

    made = [one.id for one in await live.enqueue_many("acme", [NewRun(TYPE) for _ in range(4)])]
    async with working(live), working(live):
        for run_id in made:
            await is_leased(live, run_id)
        async with cancelling(live, made[0]):
            # Longer than a lease; whoever is not kept alive would be taken back and tried again.
            await asyncio.gather(*(kept(live, run_id, 2) for run_id in made[1:]))
            go_on.set()
            others = await finished(live, *made[1:])
        await finished(live, made[0])
    assert [(run.status, run.attempt) for run in others] == [("succeeded", 1)] * 3
    assert [attempt for run_id, attempt in attempts if run_id != made[0]] == [1, 1, 1]


async def test_a_run_that_is_locked_is_settled_when_it_is_not_any_more(live: Holdfast) -> None:
    go_on = asyncio.Event()
    calls: list[UUID] = []

    @live.handler(TYPE)
    async def work(run: Run) -> str:
        calls.append(run.id)
        await go_on.wait()
        return "done"

    made = [one.id for one in await live.enqueue_many("acme", [NewRun(TYPE) for _ in range(20)])]
    async with working(live):
        await is_leased(live, made[-1])
        async with cancelling(live, made[0]):
            go_on.set()
            await finished(live, *made[1:])
        (run,) = await finished(live, made[0])
    assert (run.status, run.result, run.attempt) == ("succeeded", "done", 1)
    assert sorted(calls) == sorted(made), "nothing was done twice"


async def test_a_worker_that_stops_waits_for_a_locked_run_and_not_for_ever(holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05, worker_shutdown_timeout=0.1) as app:
        await app.tenants.create("acme")
        started, go_on = asyncio.Event(), asyncio.Event()

        @app.handler(TYPE)
        async def work(_: Run) -> str:
            started.set()
            await go_on.wait()
            return "done"

        made = await app.enqueue("acme", TYPE)
        async with working(app) as worker:
            await started.wait()
            async with cancelling(app, made.id):
                go_on.set()
                await until(lambda: worker._locked_out)
                worker.stop()
        assert (await fetch(app, made.id)).result == "done"


async def test_steps_of_other_runs_do_not_wait_for_a_locked_one(live: Holdfast) -> None:
    go_on = asyncio.Event()

    @live.handler(TYPE)
    async def work(run: Run) -> Any:
        await run.step("first", lambda: 1)
        await go_on.wait()
        return await run.step("second", lambda: 2)

    made = [one.id for one in await live.enqueue_many("acme", [NewRun(TYPE) for _ in range(5)])]

    async def all_have_begun() -> bool:
        async with live.tenant("acme") as hold:
            return all([await hold.runs.steps(run_id) for run_id in made])

    async with working(live):
        await until(all_have_begun)
        async with cancelling(live, made[0]):
            go_on.set()
            others = await finished(live, *made[1:])
        (run,) = await finished(live, made[0])
    assert [one.result for one in [run, *others]] == [2] * 5


async def test_whoever_waits_for_an_event_does_not_wait_for_a_locked_run(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def work(run: Run, key: str) -> Any:
        return await run.wait_event(key)

    async def waits(run_id: UUID) -> None:
        async def waiting() -> bool:
            return (await fetch(live, run_id)).waiting_for is not None

        await until(waiting)

    async with working(live):
        locked = (await live.enqueue("acme", TYPE, "locked")).id
        free = (await live.enqueue("acme", TYPE, "free")).id
        await waits(locked)
        await waits(free)
        async with cancelling(live, locked):
            for key in ("locked", "free"):
                async with live.tenant("acme") as hold:
                    await hold.runs.emit(key, key)
            (one,) = await finished(live, free)
        (other,) = await finished(live, locked)
    assert (one.result, other.result) == ("free", "locked")


async def test_a_run_that_is_taken_away_before_a_slot_is_free_is_not_executed(
    live: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    go_on = asyncio.Event()
    executed: list[UUID] = []

    @live.handler(OTHER)
    async def quick(_: Run) -> None:
        pass

    @live.handler(TYPE, lease=1, retry=Retry(max_attempts=1))
    async def work(run: Run) -> None:
        executed.append(run.id)
        await go_on.wait()

    async with working(live, concurrency=1):
        # So many quick ones that the worker begins to take more runs than it has slots.
        await finished(live, *[one.id for one in await live.enqueue_many("acme", [NewRun(OTHER) for _ in range(300)])])
        made = [one.id for one in await live.enqueue_many("acme", [NewRun(TYPE) for _ in range(5)])]
        await is_leased(live, made[-1])
        assert len(executed) == 1
        waiting = [run_id for run_id in made if run_id not in executed]
        async with live.tenant("acme") as hold:
            for run_id in waiting:
                await hold.runs.cancel(run_id)
        # The heart finds out when it next extends the lease, and nobody must begin with them afterwards.
        await kept(live, executed[0])
        go_on.set()
        await finished(live, *made)
        await finished(live, (await live.enqueue("acme", OTHER)).id)
    assert len(executed) == 1
    row = superuser.execute("SELECT count(*) AS n FROM holdfast.workflow_run_live").fetchone()
    assert row is not None
    assert row["n"] == 0


async def test_a_run_that_its_own_worker_took_again_is_held_once(
    live: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    """As after a long pause in which no heartbeat came through: the first attempt must not go on beside the second."""
    started: list[int] = []
    ended: list[int] = []
    go_on = asyncio.Event()

    @live.handler(TYPE, lease=2)
    async def work(run: Run) -> int:
        started.append(run.attempt)
        try:
            await go_on.wait()
        except asyncio.CancelledError:
            ended.append(run.attempt)
            raise
        return run.attempt

    async with working(live):
        made = await live.enqueue("acme", TYPE)
        await is_leased(live, made.id)
        superuser.execute(
            "UPDATE holdfast.workflow_run_live SET status = 'pending', lease_until = NULL, leased_by = NULL"
        )
        live_row = "SELECT pg_notify('holdfast_runs', tenant || ':' || type) FROM holdfast.workflow_run_live"
        superuser.execute(live_row)

        async def first_is_over() -> bool:
            return ended == [1]

        await until(first_is_over)
        assert started == [1, 2]
        go_on.set()
        (run,) = await finished(live, made.id)
    assert (run.result, ended) == (2, [1])


@pytest.mark.parametrize("delay", [None, 0.2])
async def test_a_run_that_somebody_has_locked_does_not_keep_workers_looking(
    live: Holdfast, monkeypatch: pytest.MonkeyPatch, delay: float | None
) -> None:
    looks = 0
    look = Lookout._look

    async def counted(self: Lookout, connection: psycopg.AsyncConnection[Any]) -> float:
        nonlocal looks
        looks += 1
        return await look(self, connection)

    monkeypatch.setattr(Lookout, "_look", counted)
    live.handlers.add(TYPE, lambda run: None)
    async with live.tenant("acme") as hold:
        made = (await hold.runs.enqueue(TYPE, delay=delay)).id
        due = (await hold.runs.get(made)).run_at
    async with cancelling(live, made), working(live):
        await until(lambda: datetime.now(UTC) > due and looks > 3)
        looks, began = 0, time.monotonic()
        await until(lambda: looks >= 20)
        assert time.monotonic() - began > 0.5, "every 50 ms is often enough"
    async with working(live):
        assert (await finished(live, made))[0].status == "succeeded"


@pytest.mark.parametrize("lanes", ["one", "two"])
async def test_a_locked_run_does_not_keep_others_waiting_that_are_less_important_or_younger(
    live: Holdfast, holdfast_dsn: str, lanes: str
) -> None:
    """In one lane it is the oldest, to which every eighth claim goes; of two lanes it makes its own the first one."""
    done = 0
    # Whatever waits for the next look waits for longer than this test has time.
    app = Holdfast(dsn=holdfast_dsn, worker_poll_interval=30)

    async def work(run: Run) -> None:
        nonlocal done
        done += 1
        await asyncio.sleep(0.002)  # time itself: not so quick that more are taken than there are slots

    app.handlers.add(TYPE, work)
    app.handlers.add(OTHER, work)
    kind, priority = (TYPE, -5) if lanes == "one" else (OTHER, 5)
    first = await live.enqueue("acme", kind, priority=priority)
    await live.enqueue_many("acme", [NewRun(TYPE) for _ in range(30)])

    async def all_others() -> bool:
        return done == 30

    with psycopg.connect(holdfast_dsn) as other:
        other.execute("SELECT FROM holdfast.workflow_run_live WHERE id = %s FOR UPDATE", [first.id])
        async with app, working(app, concurrency=1):
            await until(all_others)
            assert (await fetch(live, first.id)).status == "pending"
