"""Limits across all workers: of runs that share a key, and of a type's rate."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast, InvalidInput, NewRun, Rate, Retry, Run, Snooze
from holdfast.runs.lane_timers import LaneTimers
from holdfast.runs.marks import Lane
from holdfast.runs.registry import Handlers
from runs.conftest import TYPE, fetch, finished, passers_by, working


class Gauge:
    """How many handlers are inside, by key, and how many ever were at once."""

    def __init__(self) -> None:
        self.inside: Counter[str] = Counter()
        self.most: Counter[str] = Counter()

    async def visit(self, key: str, seconds: float = 0.005) -> None:
        self.inside[key] += 1
        self.most[key] = max(self.most[key], self.inside[key])
        await asyncio.sleep(seconds)  # time itself: a visit lasts, so that one too many would meet it
        self.inside[key] -= 1


async def test_no_more_than_the_limit_of_a_key_execute_at_once(live: Holdfast) -> None:
    gauge = Gauge()

    @live.handler(TYPE, retry=Retry(max_attempts=3, base=0.001, cap=0.01))
    async def work(run: Run, payload: dict[str, Any]) -> None:
        await gauge.visit(payload["key"])
        if payload["n"] % 7 == 0 and run.attempt == 1:
            raise ConnectionError
        if payload["n"] % 5 == 0 and run.epoch == 1:
            raise Snooze(0.001)

    limits = {"one": 1, "two": 2, "five": 5}
    async with AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(working(live, concurrency=20))
        made = await live.enqueue_many(
            "acme",
            [
                NewRun(TYPE, {"key": key, "n": n}, concurrency_key=key, concurrency_limit=limit)
                for n in range(20)
                for key, limit in limits.items()
            ],
        )
        runs = await finished(live, *[run.id for run in made])
    assert {run.status for run in runs} == {"succeeded"}
    assert {key: gauge.most[key] <= limit for key, limit in limits.items()} == dict.fromkeys(limits, True), gauge.most
    assert gauge.most["five"] > 1, "a limit is no queue of one"


async def test_keys_of_different_tenants_have_nothing_to_do_with_each_other(live: Holdfast) -> None:
    together = asyncio.Barrier(2)

    @live.handler(TYPE)
    async def work(run: Run) -> None:
        async with asyncio.timeout(10):
            await together.wait()

    async with working(live):
        first = await live.enqueue("acme", TYPE, concurrency_key="k")
        second = await live.enqueue("globex", TYPE, concurrency_key="k")
        (run,) = await finished(live, first.id)
        (other,) = await finished(live, second.id, tenant="globex")
    assert run.status == other.status == "succeeded"


async def test_runs_of_a_key_go_in_the_order_of_priority_and_time(live: Holdfast) -> None:
    order: list[int] = []

    @live.handler(TYPE)
    async def work(run: Run, number: int) -> None:
        order.append(number)

    made = await live.enqueue_many(
        "acme", [NewRun(TYPE, number, concurrency_key="k", priority=number // 3) for number in range(6)]
    )
    async with working(live):
        await finished(live, *[run.id for run in made])
    assert order == [3, 4, 5, 0, 1, 2]


@pytest.mark.parametrize("end", ["cancel", "delete"])
async def test_a_run_that_is_taken_away_gives_its_turn_to_the_next(live: Holdfast, end: str) -> None:
    started = asyncio.Event()

    @live.handler(TYPE)
    async def work(run: Run) -> None:
        started.set()

    held = await live.enqueue("acme", "elsewhere.work.v1", concurrency_key="k")
    async with working(live):

        async def admitted() -> bool:
            return (await fetch(live, held.id)).waiting_for is None

        await until(admitted)
        waiting = await live.enqueue("acme", TYPE, concurrency_key="k")
        assert (await fetch(live, waiting.id)).waiting_for == "turn:k"
        async with live.tenant("acme") as hold:
            await (hold.runs.cancel(held.id) if end == "cancel" else hold.runs.delete(held.id, reason="test"))
        await finished(live, waiting.id)
    assert started.is_set()


async def test_a_key_whose_holder_died_is_free_again(
    live: Holdfast, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    @live.handler(TYPE)
    async def work(run: Run) -> None: ...

    dead = await live.enqueue("acme", TYPE, concurrency_key="k", max_attempts=1)
    superuser.execute(
        "UPDATE holdfast.workflow_run_live SET status = 'leased', ready = true, blocked = false, attempt = 1, "
        "lease_epoch = 1, leased_by = 'the dead', lease_until = now() - interval '1 s'"
    )
    waiting = await live.enqueue("acme", TYPE, concurrency_key="k")
    async with working(live):
        gone, run = await finished(live, dead.id, waiting.id)
    assert (gone.status, gone.last_error, run.status) == ("failed", "lease_expired", "succeeded")


async def test_a_run_that_somebody_has_locked_does_not_hold_up_its_key_for_good(
    live: Holdfast, superuser: psycopg.Connection[dict[str, Any]], holdfast_dsn: str
) -> None:
    """A transaction that touches a waiting run and is then undone must not cost the key its turn."""

    @live.handler(TYPE)
    async def work(run: Run) -> None: ...

    pass_by = passers_by(live)
    run = await live.enqueue("acme", TYPE, concurrency_key="k")
    with psycopg.connect(holdfast_dsn) as other:
        other.execute("SELECT FROM holdfast.workflow_run_live FOR UPDATE")
        async with working(live):
            await pass_by()
            assert (await fetch(live, run.id)).status == "pending"
            other.rollback()
            await finished(live, run.id)


async def test_a_rate_holds_for_all_workers_together(live: Holdfast) -> None:
    starts: list[float] = []

    @live.handler(TYPE, rate=Rate(20, per=1))
    async def work(run: Run) -> None:
        starts.append(time.monotonic())

    made = await live.enqueue_many("acme", [NewRun(TYPE) for _ in range(20)])
    more = await live.enqueue_many("globex", [NewRun(TYPE) for _ in range(10)])
    async with AsyncExitStack() as stack:
        for _ in range(2):
            await stack.enter_async_context(working(live))
        await finished(live, *[run.id for run in made])
        await finished(live, *[run.id for run in more], tenant="globex")
    starts.sort()
    # Even a claim that took its time cannot make up for more than the burst: 30 starts at 20 a second take 1.35 s.
    assert starts[-1] - starts[0] > 28 / 20 - 0.15
    assert starts[-1] - starts[0] < 10, "a limit is not a stop"


async def test_what_waits_for_its_rate_waits_once(live: Holdfast) -> None:
    live.handlers.add(TYPE, lambda run: None, rate=Rate(1, per=3600))
    pass_by = passers_by(live)
    first = await live.enqueue("acme", TYPE)
    async with working(live) as worker:
        await finished(live, first.id)
        await live.enqueue("acme", TYPE)
        # It is heard of again and again, by notifications and by looking.
        timers: set[asyncio.Handle] = set()
        for _ in range(10):
            await live.enqueue("acme", TYPE)
            await pass_by()
            timers |= worker._timers.handles
        assert len([timer for timer in timers if not timer.cancelled()]) == 1


@pytest.mark.every_loop
@pytest.mark.parametrize("wait", [0.0, 0.01])
async def test_a_lane_that_waits_is_asked_again_once_and_then_forgotten(wait: float) -> None:
    """Also when it need not wait at all: what uvloop gives for a call that is due now does not tell when it is."""
    asked: list[Lane] = []
    over = asyncio.Event()

    def ask(lane: Lane) -> None:
        asked.append(lane)
        over.set()

    timers = LaneTimers(ask)
    for each in (wait + 0.01, wait, wait, wait + 5):
        timers.start(("acme", TYPE), each)
    assert len(timers) == 1
    async with asyncio.timeout(5):
        await over.wait()
    assert asked == [("acme", TYPE)]
    assert len(timers) == 0


async def test_a_rate_may_be_each_tenants_own_and_burst(live: Holdfast) -> None:
    starts: dict[str, list[float]] = {"acme": [], "globex": []}

    @live.handler(TYPE, rate=Rate(2, per=1, burst=5, per_tenant=True))
    async def work(run: Run, tenant: str) -> None:
        starts[tenant].append(time.monotonic())

    async with working(live):
        first = time.monotonic()
        for tenant in starts:
            await live.enqueue_many(tenant, [NewRun(TYPE, tenant) for _ in range(5)])

        async def all_started() -> bool:
            return all(len(times) == 5 for times in starts.values())

        await until(all_started)
    assert max(max(times) for times in starts.values()) - first < 2, "five may come together, for each of the two"


def test_a_rate_or_limit_that_makes_no_sense_is_refused_by_name() -> None:
    for arguments, field in (
        ({"limit": 0}, "limit"),
        ({"limit": 1, "per": 0}, "per"),
        ({"limit": 1, "burst": 0}, "burst"),
        ({"limit": 3_000_000}, "limit"),
        ({"limit": 1, "per": 86400, "burst": 10**9}, "burst"),
    ):
        with pytest.raises(InvalidInput) as caught:
            Rate(**arguments)  # type: ignore[arg-type]
        assert caught.value.details["field"] == field
    for concurrency in (0, 1.5, "2"):
        with pytest.raises(InvalidInput) as caught:
            Handlers().add(TYPE, lambda run: None, concurrency=concurrency)  # type: ignore[arg-type]
        assert caught.value.details["field"] == "concurrency"


@pytest.mark.parametrize(("field", "value"), [("rate", 5), ("retry", 3), ("timeout", 0), ("timeout", "x")])
def test_how_runs_are_executed_is_checked_when_the_handler_is_registered(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=field) as caught:
        Handlers().add(TYPE, lambda run: None, **{field: value})
    assert caught.value.details["field"] == field


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("concurrency_key", {"concurrency_key": ""}),
        ("concurrency_key", {"concurrency_key": "x" * 257}),
        ("concurrency_key", {"concurrency_key": "a\0b"}),
        ("concurrency_limit", {"concurrency_key": "k", "concurrency_limit": 0}),
        ("concurrency_limit", {"concurrency_limit": 2}),
    ],
)
async def test_a_bad_concurrency_key_is_refused_by_name(app: Holdfast, field: str, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as caught:
        await app.enqueue("acme", TYPE, **options)
    assert caught.value.details["field"] == field


async def test_what_was_claimed_is_executed_although_the_rest_of_its_rate_cannot_be_given_back(
    live: Holdfast, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    @live.handler(TYPE, rate=Rate(100, burst=50))
    async def work(run: Run) -> None: ...

    superuser.execute(
        """CREATE FUNCTION holdfast.go_away() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'going away' USING ERRCODE = 'admin_shutdown'; END $$"""
    )
    superuser.execute(
        """CREATE TRIGGER go_away BEFORE UPDATE ON holdfast.workflow_rate FOR EACH ROW
        WHEN (NEW.next_at < OLD.next_at) EXECUTE FUNCTION holdfast.go_away()"""
    )
    made = await live.enqueue("acme", TYPE, max_attempts=1)
    async with working(live):
        (run,) = await finished(live, made.id)
    assert (run.status, run.attempt) == ("succeeded", 1)


async def test_a_tenants_plain_functions_of_several_types_get_no_more_runs_than_there_are_threads(
    live: Holdfast, holdfast_dsn: str
) -> None:
    release = threading.Event()

    def plain(run: Run) -> None:
        release.wait(20)

    async def work(run: Run) -> None:
        await asyncio.to_thread(release.wait, 20)

    app = Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05, worker_threads=2)
    kinds = [f"test.plain{number}.v1" for number in range(4)]
    for kind in kinds:
        app.handlers.add(kind, plain)
    app.handlers.add(TYPE, work)
    made = await live.enqueue_many("acme", [NewRun(kind) for kind in [*kinds, TYPE] for _ in range(3)])

    async def leased(prefix: str) -> int:
        async with live.tenant("acme") as hold:
            return len((await hold.runs.list(status="leased", prefix=prefix)).items)

    async def all_asked() -> bool:
        return await leased(TYPE) == 3 and await leased("test.plain") >= 2

    async with app, working(app, concurrency=20):
        await until(all_asked)
        taken = await leased("test.plain")
        release.set()
        await finished(live, *[run.id for run in made])
    assert taken == 2
