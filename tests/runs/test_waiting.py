"""Runs that wait: for events, for other runs; without a worker, without missing anything."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from harness.waiting import until
from holdfast import (
    ChildFailed,
    Conflict,
    Fail,
    Holdfast,
    InvalidInput,
    LeaseLost,
    NewRun,
    NotFound,
    Retry,
    Run,
    WaitTimedOut,
)
from holdfast.runs.api import drop_finished
from holdfast.testing import FakeClock
from runs.conftest import TYPE, fetch, finished, working

CHILD = "test.child.v1"


async def emit(app: Holdfast, key: str, payload: Any = None, tenant: str = "acme") -> bool:
    async with app.tenant(tenant) as hold:
        return await hold.runs.emit(key, payload)


async def waits(app: Holdfast, run_id: Any, what: str) -> None:
    async def waiting() -> bool:
        return (await fetch(app, run_id)).waiting_for == what

    await until(waiting)


async def test_a_run_goes_on_when_its_event_happens(live: Holdfast) -> None:
    calls: list[str] = []

    @live.handler(TYPE)
    async def work(run: Run) -> Any:
        await run.step("before", lambda: calls.append("before"))
        return await run.wait_event("paid:42")

    async with working(live, concurrency=1):
        run_id = (await live.enqueue("acme", TYPE)).id
        await waits(live, run_id, "event:paid:42")
        assert (await fetch(live, run_id)).status == "pending", "nobody holds it meanwhile"
        assert await emit(live, "paid:42", {"amount": 12})
        (run,) = await finished(live, run_id)
    assert run.result == {"amount": 12}
    assert run.attempt == 1, "waiting is no attempt"
    assert calls == ["before"]


async def test_an_event_that_happened_before_is_there_at_once_and_for_everybody(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def work(run: Run) -> Any:
        return [await run.wait_event("a"), await run.wait_event("b"), await run.wait_event("a")]

    await emit(live, "a", 1)
    await emit(live, "b", [2])
    async with working(live):
        made = await live.enqueue_many("acme", [NewRun(TYPE) for _ in range(5)])
        runs = await finished(live, *[run.id for run in made])
    assert [run.result for run in runs] == [[1, [2], 1]] * 5


async def test_an_event_happens_once(live: Holdfast) -> None:
    assert await emit(live, "once", {"n": 1})
    assert not await emit(live, "once", {"n": 1})
    with pytest.raises(Conflict, match="happened already"):
        await emit(live, "once", {"n": 2})
    with pytest.raises(InvalidInput, match="key"):
        await emit(live, "")


async def test_an_event_of_another_tenant_wakes_nobody(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def work(run: Run) -> Any:
        return await run.wait_event("shared", timeout=0.5)

    async with working(live):
        run_id = (await live.enqueue("acme", TYPE)).id
        await waits(live, run_id, "event:shared")
        await emit(live, "shared", {}, tenant="globex")
        (run,) = await finished(live, run_id)
    assert run.status == "failed"
    assert run.error is not None
    assert run.error["code"] == "wait_timed_out"


async def test_an_event_that_does_not_happen_in_time_stays_so(live: Holdfast) -> None:
    tried: list[int] = []

    @live.handler(TYPE, retry=Retry(max_attempts=2, base=0.01))
    async def work(run: Run) -> str:
        tried.append(run.attempt)
        try:
            await run.wait_event("late", timeout=0.1)
        except WaitTimedOut:
            if run.attempt == 1:
                await emit(live, "late")
                raise ConnectionError from None
            return "gave up"
        return "arrived"

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert run.result == "gave up"


async def test_no_event_is_missed_whatever_the_timing(live: Holdfast) -> None:
    """Emitting and beginning to wait race in every way; a lost wake-up would leave a run behind."""
    chance = random.Random(7)
    keys = [f"race-{number}" for number in range(150)]
    begun = {key: asyncio.Event() for key in keys}

    @live.handler(TYPE)
    async def work(run: Run, key: str) -> Any:
        begun[key].set()
        return await run.wait_event(key)

    async def turns(most: int) -> None:
        for _ in range(chance.randrange(most)):
            await asyncio.sleep(0)

    async def happen(key: str) -> UUID:
        made = await live.enqueue("acme", TYPE, key)
        if chance.random() < 0.8:
            await begun[key].wait()
        await turns(40)
        async with live.tenant("acme") as hold:
            await hold.runs.emit(key, key)
            # A transaction that stays open for a while after it emitted.
            await turns(40)
        return made.id

    made: list[UUID] = []
    async with working(live, concurrency=10), asyncio.timeout(60):
        for start in range(0, 150, 8):
            made += await asyncio.gather(*[happen(key) for key in keys[start : start + 8]])
        runs = await finished(live, *made)
    assert [run.result for run in runs] == keys


async def test_a_run_waits_for_another_and_gets_its_result(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def work(run: Run) -> Any:
        return await run.child(CHILD, {"n": 20}, priority=5)

    @live.handler(CHILD)
    async def child(run: Run, payload: dict[str, int]) -> int:
        return payload["n"] + 1

    # One place: the parent must not hold it while it waits.
    async with working(live, concurrency=1):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert run.result == 21
    async with live.tenant("acme") as hold:
        (made,) = (await hold.runs.list(prefix=CHILD)).items
    assert made.parent_id == run.id
    assert made.priority == 5


async def test_children_that_are_started_first_execute_at_the_same_time(live: Holdfast) -> None:
    together = asyncio.Barrier(3)

    @live.handler(TYPE)
    async def work(run: Run) -> Any:
        children = [await run.start(CHILD, number) for number in range(3)]
        return [await child.result() for child in children]

    @live.handler(CHILD)
    async def child(run: Run, number: int) -> int:
        async with asyncio.timeout(10):
            await together.wait()
        return number

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert run.result == [0, 1, 2]


async def test_a_child_is_started_once_whatever_happens_to_its_parent(live: Holdfast) -> None:
    @live.handler(TYPE, retry=Retry(max_attempts=5, base=0.01))
    async def work(run: Run) -> Any:
        child = await run.start(CHILD)
        if run.attempt < 3:
            raise ConnectionError
        return await child.result()

    @live.handler(CHILD)
    async def child(run: Run) -> str:
        return run.id_text

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    async with live.tenant("acme") as hold:
        (made,) = (await hold.runs.list(prefix=CHILD)).items
    assert run.result == str(made.id)


async def test_a_child_that_fails_is_told_to_its_parent(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def work(run: Run) -> Any:
        try:
            await run.child(CHILD)
        except ChildFailed as error:
            return [error.details["status"], error.details["error"]["message"]]

    @live.handler(CHILD)
    async def child(run: Run) -> None:
        raise Fail("no such invoice")

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert run.result == ["failed", "no such invoice"]


@pytest.mark.parametrize("end", ["cancelled", "deleted"])
async def test_a_child_that_is_taken_away_is_told_to_its_parent(live: Holdfast, end: str) -> None:
    @live.handler(TYPE)
    async def work(run: Run) -> Any:
        try:
            await run.child("elsewhere.work.v1")
        except ChildFailed as error:
            return error.details["status"]

    async with working(live):
        run_id = (await live.enqueue("acme", TYPE)).id

        async def child_made() -> bool:
            async with live.tenant("acme") as hold:
                return bool((await hold.runs.list(prefix="elsewhere.")).items)

        await until(child_made)
        async with live.tenant("acme") as hold:
            (child,) = (await hold.runs.list(prefix="elsewhere.")).items
            await (
                hold.runs.cancel(child.id) if end == "cancelled" else hold.runs.delete(child.id, reason="not wanted")
            )
        (run,) = await finished(live, run_id)
    assert run.result == end


async def test_a_child_that_is_deleted_while_it_executes_is_told_to_its_parent(live: Holdfast) -> None:
    started, deleted = asyncio.Event(), asyncio.Event()

    @live.handler(TYPE)
    async def work(run: Run) -> Any:
        try:
            await run.child(CHILD)
        except ChildFailed as error:
            return error.details["status"]

    @live.handler(CHILD)
    async def child(run: Run) -> Any:
        started.set()
        await deleted.wait()
        raise ValueError("it would be tried again, but it is deleted")

    async with working(live):
        run_id = (await live.enqueue("acme", TYPE)).id
        await started.wait()
        async with live.tenant("acme") as hold:
            (executing,) = (await hold.runs.list(prefix=CHILD)).items
            await hold.runs.delete(executing.id, reason="not wanted")
        deleted.set()
        (run,) = await finished(live, run_id)
    assert run.result == "deleted"


async def test_cancelling_a_run_cancels_those_it_started(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def work(run: Run) -> Any:
        return await run.child(CHILD)

    @live.handler(CHILD)
    async def child(run: Run) -> Any:
        return await run.child("elsewhere.work.v1")

    async with working(live):
        run_id = (await live.enqueue("acme", TYPE)).id

        async def both_wait() -> bool:
            """For a grandchild that nobody executes; and what is told of a transaction bears the time it began."""
            async with live.tenant("acme") as hold:
                found = (await hold.runs.list()).items
            return [run.status for run in found] == ["pending"] * 3

        await until(both_wait)
        async with live.tenant("acme") as hold:
            await hold.runs.cancel(run_id)
            left = [run for run in (await hold.runs.list()).items if run.status != "cancelled"]
            events = (await hold.audit.list(object_id=run_id)).items
    assert left == []
    assert events[0].event_type == "run.cancelled"


async def test_what_a_zombie_waits_for_starts_or_writes_is_refused(
    live: Holdfast, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    refused: list[type[Exception]] = []
    tried = asyncio.Event()

    @live.handler(TYPE)
    async def work(run: Run) -> None:
        if run.attempt > 1:
            return
        superuser.execute("UPDATE holdfast.workflow_run_live SET lease_epoch = lease_epoch + 1")
        for attempt in (run.wait_event("x"), run.start(CHILD), run.sleep(1), run.step("s", lambda: 1)):
            try:
                await attempt
            except LeaseLost as error:
                refused.append(type(error))
        try:
            async with run.hold() as hold:
                await hold.users.create("eve")
        except LeaseLost as error:
            refused.append(type(error))
        tried.set()

    async with working(live):
        await live.enqueue("acme", TYPE)
        await asyncio.wait_for(tried.wait(), 10)
    assert refused == [LeaseLost] * 5
    counts = superuser.execute(
        "SELECT (SELECT count(*) FROM holdfast.workflow_run WHERE type = %s) AS children, "
        "(SELECT count(*) FROM holdfast.workflow_run_step) AS steps, (SELECT count(*) FROM holdfast.users) AS users",
        [CHILD],
    ).fetchone()
    assert counts == {"children": 0, "steps": 0, "users": 0}


async def test_a_transaction_held_by_its_run_cannot_be_overtaken(
    live: Holdfast, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    @live.handler(TYPE)
    async def work(run: Run) -> str:
        async with run.hold() as hold:
            superuser.execute("SET lock_timeout = '50ms'")
            with pytest.raises(psycopg.errors.LockNotAvailable):
                superuser.execute("DELETE FROM holdfast.workflow_run_live")
            # Heartbeats still come through.
            superuser.execute("UPDATE holdfast.workflow_run_live SET lease_until = lease_until + interval '1 s'")
            await hold.users.create("ben")
            return str(hold.tenant.slug)

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert run.result == "acme", run.error


async def sleeping_parent(app: Holdfast, clock: FakeClock) -> tuple[UUID, UUID]:
    """A run that started another, which succeeded, and now sleeps for a year."""
    started: list[UUID] = []

    @app.handler(CHILD)
    async def child(_: Run) -> dict[str, int]:
        return {"answer": 42}

    @app.handler(TYPE)
    async def parent(run: Run) -> Any:
        begun = await run.start(CHILD)
        started.append(begun.id)
        await run.sleep(timedelta(days=365))
        try:
            return await begun.result()
        except ChildFailed as error:
            return error.details["status"]

    parent_id = (await app.enqueue("acme", TYPE)).id
    async with working(app):
        await until(lambda: _slept(app, parent_id))
        await finished(app, started[0])
    clock.advance(timedelta(days=366))
    return parent_id, started[0]


async def _slept(app: Holdfast, run_id: UUID) -> bool:
    async with app.tenant("acme") as hold:
        return any(step.name == "sleep" for step in await hold.runs.steps(run_id))


@pytest.fixture
async def timed(holdfast_dsn: str) -> AsyncIterator[tuple[Holdfast, FakeClock]]:
    clock = FakeClock(datetime.now(UTC))
    async with Holdfast(dsn=holdfast_dsn, clock=clock, worker_poll_interval=0.05, worker_shutdown_timeout=5) as app:
        await app.tenants.create("acme")
        yield app, clock


async def test_the_result_of_a_child_is_there_however_long_its_parent_slept(
    timed: tuple[Holdfast, FakeClock],
) -> None:
    app, clock = timed
    parent_id, child_id = await sleeping_parent(app, clock)
    await drop_finished(app.database, clock)
    async with app.tenant("acme") as hold:
        with pytest.raises(NotFound):
            await hold.runs.get(child_id)
    async with working(app):
        (run,) = await finished(app, parent_id)
    assert run.result == {"answer": 42}
    # Nobody can ask for it any more.
    clock.advance(timedelta(days=366))
    await drop_finished(app.database, clock)
    async with app.database.connection() as connection:
        left = await (await connection.execute("SELECT count(*) FROM holdfast.workflow_awaited_event")).fetchone()
    assert left == (0,)


@pytest.mark.parametrize(("dropped", "expected"), [(False, {"answer": 42}), (True, "forgotten")])
async def test_a_run_whose_child_ended_without_a_trace_does_not_wait_for_ever(
    timed: tuple[Holdfast, FakeClock], superuser: psycopg.Connection[Any], dropped: bool, expected: Any
) -> None:
    app, clock = timed
    parent_id, _ = await sleeping_parent(app, clock)
    superuser.execute("DELETE FROM holdfast.workflow_awaited_event")
    if dropped:
        await drop_finished(app.database, clock)
    async with working(app):
        (run,) = await finished(app, parent_id)
    assert run.result == expected
