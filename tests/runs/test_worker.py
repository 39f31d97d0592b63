"""The worker: executes, retries, gives up, obeys, hands back."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from pydantic import BaseModel

from harness.waiting import eventually, forever, kept_waiting, until
from holdfast import Conflict, Holdfast, InvalidInput
from holdfast.runs import Fail, NewRun, Retry, Run, Snooze
from holdfast.runs.exchange import Brought
from runs.conftest import TYPE, fetch, finished, kept, passers_by, working


class Greeting(BaseModel):
    name: str
    times: int = 1


async def test_an_empty_prefix_is_refused_instead_of_failing_the_runs_of_everybody_else(live: Holdfast) -> None:
    with pytest.raises(InvalidInput, match="prefix is empty"):
        live.worker(prefixes=["test.", ""])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("concurrency", 0),
        ("concurrency", "5"),
        ("concurrency", 1.5),
        ("prefixes", "billing."),
        ("name", "a\0b"),
        ("name", 5),
    ],
)
async def test_a_worker_that_makes_no_sense_is_refused_by_name(live: Holdfast, field: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=field) as refused:
        live.worker(**{field: value})
    assert refused.value.details["field"] == field


async def test_it_executes_and_keeps_the_result(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def greet(run: Run, greeting: Greeting) -> dict[str, Any]:
        return {"said": f"hello {greeting.name}" * greeting.times, "attempt": run.attempt}

    async with working(live):
        made = await live.enqueue("acme", TYPE, {"name": "ana"})
        (run,) = await finished(live, made.id)
    assert (run.status, run.result, run.attempt) == ("succeeded", {"said": "hello ana", "attempt": 1}, 1)
    assert run.lease_until is None
    assert run.leased_by is None


async def test_plain_functions_run_in_threads(live: Holdfast) -> None:
    @live.handler(TYPE)
    def work(run: Run) -> str:
        return threading.current_thread().name

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert run.result.startswith("holdfast-handler")


async def test_failures_are_retried_with_backoff_and_then_fail(live: Holdfast) -> None:
    seen: list[float] = []

    @live.handler(TYPE, retry=Retry(max_attempts=3, base=0.05, jitter=0))
    async def work(run: Run) -> None:
        seen.append(time.monotonic())
        raise ValueError(f"attempt {run.attempt} \x00 failed")

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert (run.status, run.attempt, len(seen)) == ("failed", 3, 3)
    assert run.last_error == "ValueError: attempt 3 ␀ failed"
    assert run.error is not None
    assert "in work" in run.error["traceback"]
    assert seen[1] - seen[0] >= 0.05
    assert seen[2] - seen[1] >= 0.1
    async with live.tenant("acme") as hold:
        told = [event.event_type for event in (await hold.audit.list(object_id=run.id)).items]
    assert told == ["run.failed", "run.retried", "run.retried"]


async def test_a_retry_may_say_when_a_snooze_does_not_count_and_fail_gives_up(live: Holdfast) -> None:
    calls: list[int] = []

    @live.handler(TYPE)
    async def work(run: Run, what: str) -> str | None:
        calls.append(run.attempt)
        if what == "retry" and run.attempt == 1:
            raise Retry(after=0.01)
        if what == "snooze" and len(calls) < 5:
            raise Snooze(0.01)
        if what == "fail":
            raise Fail("no use")
        return what

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE, "retry")).id)
        assert (run.status, run.attempt) == ("succeeded", 2)
        calls.clear()
        (run,) = await finished(live, (await live.enqueue("acme", TYPE, "snooze")).id)
        assert (run.status, run.attempt, calls) == ("succeeded", 1, [1, 1, 1, 1, 1])
        calls.clear()
        (run,) = await finished(live, (await live.enqueue("acme", TYPE, "fail")).id)
        assert (run.status, run.attempt, run.last_error) == ("failed", 1, "Fail: no use")


async def test_an_unknown_type_fails_at_once(live: Holdfast) -> None:
    @live.handler("test.known.v1")
    async def known(run: Run) -> None: ...

    async with working(live, prefixes=["test."]):
        (run,) = await finished(live, (await live.enqueue("acme", "test.knwon.v1")).id)
    assert (run.status, run.last_error) == ("failed", "no_handler_registered")
    assert run.error is not None
    assert run.error["hint"] == "did you mean 'test.known.v1'?"
    async with live.tenant("acme") as hold:
        assert (await hold.audit.list(object_id=run.id)).items[0].event_type == "run.failed"


async def test_without_prefixes_a_worker_leaves_foreign_types_alone(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def work(run: Run) -> None: ...

    async with working(live):
        foreign = await live.enqueue("acme", "test.foreign.v1")
        await finished(live, (await live.enqueue("acme", TYPE)).id)
        assert (await fetch(live, foreign.id)).status == "pending"


async def test_a_bad_payload_is_a_failure_that_names_the_field(live: Holdfast) -> None:
    @live.handler(TYPE, retry=Retry(max_attempts=1))
    async def greet(run: Run, greeting: Greeting) -> None: ...

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE, {"times": "x"})).id)
    assert run.status == "failed"
    assert "name: Field required" in (run.last_error or "")


@pytest.mark.parametrize("result", [float("nan"), object(), "nul\x00", "x" * 2_000_000])
async def test_a_result_that_cannot_be_stored_is_a_failure(live: Holdfast, result: Any) -> None:
    @live.handler(TYPE, retry=Retry(max_attempts=1))
    async def work(run: Run) -> Any:
        return result

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert run.status == "failed"
    assert "result cannot be stored" in (run.last_error or "")


@pytest.mark.every_loop
async def test_a_timeout_is_a_failure(live: Holdfast) -> None:
    @live.handler(TYPE, timeout=0.05, retry=Retry(max_attempts=1))
    async def work(run: Run) -> None:
        await forever()

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert (run.status, run.last_error) == ("failed", "TimeoutError")


@pytest.mark.every_loop
async def test_delayed_runs_wait_for_their_time(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def work(run: Run) -> None: ...

    async with working(live):
        async with live.tenant("acme") as hold:
            late = (await hold.runs.enqueue(TYPE, delay=0.4)).id
            never = (await hold.runs.enqueue(TYPE, delay=timedelta(hours=1))).id
        (run,) = await finished(live, late)
        assert run.finished_at is not None
        assert 0 <= (run.finished_at - run.run_at).total_seconds() < 5
        assert (await fetch(live, never)).status == "pending"


async def test_deleted_runs_are_never_executed(live: Holdfast) -> None:
    ran: list[UUID] = []

    @live.handler(TYPE)
    async def work(run: Run) -> None:
        ran.append(run.id)

    doomed = (await live.enqueue("acme", TYPE)).id
    async with live.tenant("acme") as hold:
        await hold.runs.delete(doomed, reason="test")
    async with working(live):
        await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert doomed not in ran


async def test_cancelling_a_pending_run(live: Holdfast) -> None:
    made = await live.enqueue("acme", TYPE)
    async with live.tenant("acme") as hold:
        assert (await hold.runs.cancel(made.id, reason="no longer wanted")).status == "cancelled"
        assert (await hold.runs.cancel(made.id)).last_error == "no longer wanted"


async def test_cancelling_a_running_run_stops_its_handler_and_the_status_stays(live: Holdfast) -> None:
    started, stopped = asyncio.Event(), asyncio.Event()

    @live.handler(TYPE, lease=1)
    async def work(run: Run) -> None:
        started.set()
        try:
            await forever()
        finally:
            assert run.cancelled
            stopped.set()

    async with working(live):
        made = await live.enqueue("acme", TYPE)
        await started.wait()
        async with live.tenant("acme") as hold:
            await hold.runs.cancel(made.id)
        async with asyncio.timeout(10):
            await stopped.wait()
    run = await fetch(live, made.id)
    assert (run.status, run.lease_until) == ("cancelled", None)


async def test_a_finished_run_is_not_cancelled_but_can_be_done_anew(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def work(run: Run, payload: Any) -> Any:
        return payload

    async with working(live):
        made = await live.enqueue("acme", TYPE, {"n": 1})
        await finished(live, made.id)
        async with live.tenant("acme") as hold:
            with pytest.raises(Conflict, match="is succeeded"):
                await hold.runs.cancel(made.id)
            again = await hold.runs.retry(made.id)
        (run,) = await finished(live, again.id)
    assert again.id != made.id
    assert run.result == {"n": 1}


async def test_higher_priority_goes_first(live: Holdfast) -> None:
    order: list[int] = []

    @live.handler(TYPE)
    async def work(run: Run, number: int) -> None:
        order.append(number)

    await live.enqueue_many("acme", [NewRun(TYPE, n, priority=n % 3) for n in range(6)])
    async with working(live, concurrency=1):
        await until(lambda: _ready(len(order) == 6))
    assert order == [2, 5, 1, 4, 0, 3]


async def test_low_priority_does_not_starve(live: Holdfast) -> None:
    done = asyncio.Event()

    @live.handler(TYPE)
    async def work(run: Run, kind: str) -> None:
        if kind == "low":
            done.set()
        else:
            # As long as the low one waits, there is always something more important.
            if not done.is_set():
                await live.enqueue("acme", TYPE, "high", priority=10)

    await live.enqueue("acme", TYPE, "low", priority=0)
    await live.enqueue_many("acme", [NewRun(TYPE, "high", priority=10) for _ in range(5)])
    async with working(live, concurrency=1), asyncio.timeout(20):
        await done.wait()


async def test_low_priority_does_not_starve_below_very_many_others(live: Holdfast) -> None:
    done = asyncio.Event()

    @live.handler(TYPE)
    async def work(run: Run, priority: int) -> None:
        if priority < 0:
            done.set()
        elif not done.is_set():
            await live.enqueue("acme", TYPE, priority, priority=priority)

    await live.enqueue("acme", TYPE, -1, priority=-1)
    await live.enqueue_many("acme", [NewRun(TYPE, priority, priority=priority) for priority in range(300)])
    async with working(live, concurrency=1), asyncio.timeout(20):
        await done.wait()


async def test_a_busy_tenant_does_not_starve_another(live: Holdfast) -> None:
    order: list[str] = []

    @live.handler(TYPE)
    async def work(run: Run, tenant: str) -> None:
        order.append(tenant)

    await live.enqueue_many("acme", [NewRun(TYPE, "acme") for _ in range(500)])
    await live.enqueue_many("globex", [NewRun(TYPE, "globex") for _ in range(5)])
    async with working(live, concurrency=4):
        await until(lambda: _ready(len(order) == 505))
    assert max(index for index, tenant in enumerate(order) if tenant == "globex") < 40


@pytest.mark.parametrize("limited", ["by its type", "by the threads"])
async def test_tenants_share_what_little_room_there_is(live: Holdfast, limited: str) -> None:
    order: list[str] = []

    async def work(run: Run, tenant: str) -> None:
        order.append(tenant)
        await asyncio.sleep(0.002)  # time itself: not so quick that more are taken than there are slots

    def plain_work(run: Run, tenant: str) -> None:
        order.append(tenant)
        time.sleep(0.002)  # time itself: as above

    types = {"acme": TYPE, "globex": TYPE}
    if limited == "by its type":
        live.handlers.add(TYPE, work, concurrency=2)
    else:
        types = {tenant: f"test.{tenant}.v1" for tenant in types}
        for kind in types.values():
            live.handlers.add(kind, plain_work)
    for tenant, kind in types.items():
        await live.enqueue_many(tenant, [NewRun(kind, tenant) for _ in range(200)])
    async with working(live, concurrency=50):
        await until(lambda: _ready(len(order) == 400))
    assert 50 < order[:200].count("acme") < 150


async def test_weights_share_the_places(live: Holdfast) -> None:
    order: list[str] = []

    @live.handler(TYPE)
    async def work(run: Run, tenant: str) -> None:
        order.append(tenant)
        await asyncio.sleep(0.002)  # time itself: not so quick that more are taken than there are slots

    async with live.tenant("acme") as hold:
        await hold.configure(settings={"weight": 3})
    for tenant in ("acme", "globex"):
        await live.enqueue_many(tenant, [NewRun(TYPE, tenant) for _ in range(300)])
    async with working(live, concurrency=8):
        await until(lambda: _ready(len(order) == 600))
    assert 2 < order[:200].count("acme") / order[:200].count("globex") < 4


@pytest.mark.parametrize("weight", ["high", -1, 10**12, "2.5", True, None, {"a": 1}])
async def test_a_weight_that_makes_no_sense_stops_nobody(live: Holdfast, weight: Any) -> None:
    live.handlers.add(TYPE, lambda run: None)
    async with live.tenant("globex") as hold:
        await hold.configure(settings={"weight": weight})
    made = [(tenant, (await live.enqueue(tenant, TYPE)).id) for tenant in ("acme", "globex")]
    async with working(live):
        for tenant, run_id in made:
            await finished(live, run_id, tenant=tenant)


async def test_a_type_keeps_to_its_concurrency(live: Holdfast) -> None:
    running = most = 0
    go_on = asyncio.Event()
    pass_by = passers_by(live)

    @live.handler(TYPE, concurrency=2)
    async def work(run: Run) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await go_on.wait()
        running -= 1

    ids = [made.id for made in await live.enqueue_many("acme", [NewRun(TYPE) for _ in range(12)])]
    async with working(live, concurrency=10):
        await until(lambda: running >= 2)
        await pass_by()
        go_on.set()
        await finished(live, *ids)
    assert most == 2


async def test_a_paused_prefix_waits_until_it_is_resumed(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def work(run: Run) -> None: ...

    async with live.tenant("acme") as hold:
        await hold.runs.pause("test.")
        assert [pause.prefix for pause in await hold.runs.pauses()] == ["test."]
    async with working(live):
        paused = await live.enqueue("acme", TYPE)
        await finished(live, (await live.enqueue("globex", TYPE)).id, tenant="globex")
        assert (await fetch(live, paused.id)).status == "pending"
        async with live.tenant("acme") as hold:
            await hold.runs.resume("test.")
        await finished(live, paused.id)


@pytest.mark.every_loop
async def test_stopping_finishes_what_runs(live: Holdfast) -> None:
    started = asyncio.Event()

    @live.handler(TYPE)
    async def work(run: Run) -> str:
        started.set()
        await until(lambda: run.stopping)
        await fetch(live, run.id)  # whoever wanted to break it off had the time to
        return "done"

    made = await live.enqueue("acme", TYPE)
    async with working(live):
        await started.wait()
    assert (await fetch(live, made.id)).result == "done"


async def test_what_a_last_statement_brings_to_a_worker_that_has_closed_is_handed_back(
    live: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    live.handlers.add(TYPE, lambda run: None)
    worker = live.worker()
    make = worker._exchange.make

    async def late(*arguments: Any) -> Brought:
        brought = await make(*arguments)
        if brought.rows:
            # Told to stop while the answer is on its way: it is here when nobody is left to execute anything.
            worker.stop()
            await until(lambda: worker._closing)
        return brought

    monkeypatch.setattr(worker._exchange, "make", late)
    made = await live.enqueue("acme", TYPE)
    await asyncio.wait_for(worker.run(), 30)
    found = await fetch(live, made.id)
    assert (found.status, found.attempt, found.lease_until) == ("pending", 0, None)


async def test_stopping_hands_back_what_does_not_finish_and_the_attempt(
    holdfast_dsn: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with Holdfast(dsn=holdfast_dsn, worker_shutdown_timeout=0.1) as app:
        await app.tenants.create("acme")
        started = asyncio.Event()

        @app.handler(TYPE)
        async def work(run: Run) -> None:
            started.set()
            await forever()

        made = await app.enqueue("acme", TYPE)
        async with working(app):
            await started.wait()
        run = await fetch(app, made.id)
    assert (run.status, run.attempt, run.lease_until) == ("pending", 0, None)
    assert "no longer ours" not in caplog.text  # handed back once, not twice


async def test_what_is_claimed_while_the_slots_close_is_handed_back(
    live: Holdfast, holdfast_dsn: str, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    started = asyncio.Event()
    app = Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05, worker_shutdown_timeout=0)

    @app.handler("test.slow.v1")
    async def slow(run: Run) -> None:
        started.set()
        try:
            await forever()
        finally:
            superuser.execute("SELECT pg_advisory_unlock(77)")
            await until(claimed)
            await fetch(live, first.id)  # and the worker has been told

    @app.handler(TYPE)
    async def work(run: Run) -> None:
        await forever()

    def claimed() -> int:
        once = "SELECT FROM holdfast.workflow_run_live WHERE type = %s AND lease_epoch > 0"
        return superuser.execute(once, [TYPE]).rowcount

    first = await live.enqueue("acme", "test.slow.v1")
    async with app, working(app):
        await started.wait()
        superuser.execute(
            """CREATE FUNCTION holdfast.linger() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM pg_advisory_xact_lock(77); RETURN NEW; END $$"""
        )
        superuser.execute(
            """CREATE TRIGGER linger BEFORE UPDATE ON holdfast.workflow_run_live FOR EACH ROW
            WHEN (NEW.type = 'test.work.v1' AND NEW.status = 'leased') EXECUTE FUNCTION holdfast.linger()"""
        )
        superuser.execute("SELECT pg_advisory_lock(77)")
        made = await live.enqueue("acme", TYPE)
        await kept_waiting(superuser)
    for run_id in (first.id, made.id):
        run = await fetch(live, run_id)
        assert (run.status, run.attempt) == ("pending", 0)


@pytest.mark.every_loop
async def test_a_long_run_keeps_its_lease(live: Holdfast) -> None:
    attempts: list[int] = []

    @live.handler(TYPE, lease=1)
    async def work(run: Run) -> None:
        attempts.append(run.attempt)
        await kept(live, run.id)

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert (run.status, attempts) == ("succeeded", [1])


@pytest.mark.every_loop
async def test_a_handler_that_blocks_the_loop_keeps_its_lease_and_is_named(
    live: Holdfast, caplog: pytest.LogCaptureFixture, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    attempts: list[int] = []

    def lease_until() -> datetime:
        row = superuser.execute("SELECT lease_until FROM holdfast.workflow_run_live").fetchone()
        assert row is not None
        assert isinstance(row["lease_until"], datetime)
        return row["lease_until"]

    @live.handler(TYPE, lease=1)
    async def blocking(run: Run) -> None:
        attempts.append(run.attempt)
        first = lease_until()
        # It keeps the loop from turning meanwhile: that is the point.
        eventually(lambda: "has not turned for" in caplog.text and lease_until() >= first + timedelta(seconds=1))

    with caplog.at_level(logging.WARNING):
        async with working(live):
            (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert (run.status, attempts) == ("succeeded", [1])
    assert "has not turned for" in caplog.text
    assert TYPE in caplog.text
    assert "in blocking" in caplog.text


async def test_two_workers_never_share_a_run(live: Holdfast) -> None:
    ran: list[UUID] = []

    @live.handler(TYPE)
    async def work(run: Run) -> None:
        ran.append(run.id)
        await asyncio.sleep(0)

    ids = [made.id for made in await live.enqueue_many("acme", [NewRun(TYPE) for _ in range(1000)])]
    async with working(live, concurrency=20), working(live, concurrency=20), working(live, concurrency=20):
        await until(lambda: _ready(len(ran) >= 1000))
        await finished(live, *ids[-3:])
    assert sorted(ran) == sorted(ids)


async def test_all_events_are_kept_when_asked_for(holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn, run_events="all", worker_poll_interval=0.05) as app:
        await app.tenants.create("acme")
        app.handler(TYPE)(_nothing)
        async with working(app):
            (run,) = await finished(app, (await app.enqueue("acme", TYPE)).id)
        async with app.tenant("acme") as hold:
            told = (await hold.audit.list(object_id=run.id)).items
    assert [event.event_type for event in told] == ["run.succeeded", "run.started", "run.leased", "run.created"]
    assert told[0].data["epoch"] == told[1].data["epoch"] == told[2].data["epoch"] == 1


async def test_what_nobody_handles_is_leased_and_never_started(holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn, run_events="all", worker_poll_interval=0.05) as app:
        await app.tenants.create("acme")
        async with working(app, prefixes=["test."]):
            (run,) = await finished(app, (await app.enqueue("acme", TYPE)).id)
        async with app.tenant("acme") as hold:
            told = (await hold.audit.list(object_id=run.id)).items
    assert [event.event_type for event in told] == ["run.failed", "run.leased", "run.created"]


async def _nothing(run: Run) -> None: ...


async def _ready(value: bool) -> bool:
    return value
