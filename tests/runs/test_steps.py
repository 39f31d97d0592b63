"""Durable steps: done once, replayed after a crash, refused to those who lost the run."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import date
from typing import Any

import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast
from holdfast.errors import LeaseLost
from holdfast.runs import NewRun, Retry, Run
from runs.conftest import TYPE, fetch, finished, working


async def test_a_step_is_done_once_and_its_result_replayed(live: Holdfast) -> None:
    calls: list[str] = []

    async def charge(amount: int) -> dict[str, int]:
        calls.append("charge")
        return {"charged": amount}

    @live.handler(TYPE, retry=Retry(max_attempts=3, base=0.01))
    async def work(run: Run) -> Any:
        receipt = await run.step("charge", charge, 12)
        done = await run.step("note", lambda: calls.append("note"))
        if run.attempt < 3:
            raise ConnectionError
        return [receipt, done, run.attempt]

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert run.result == [{"charged": 12}, None, 3]
    assert calls == ["charge", "note"]


async def test_the_same_name_again_is_another_step(live: Holdfast) -> None:
    calls: list[int] = []

    @live.handler(TYPE, retry=Retry(max_attempts=2, base=0.01))
    async def work(run: Run) -> Any:
        def note(number: int) -> int:
            calls.append(number)
            return number

        results = [await run.step("item", note, number) for number in range(3)]
        if run.attempt == 1:
            raise ConnectionError
        return results

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert run.result == [0, 1, 2]
    assert calls == [0, 1, 2]


async def test_a_failed_step_stores_nothing_and_is_tried_again(live: Holdfast) -> None:
    calls: list[int] = []

    @live.handler(TYPE, retry=Retry(max_attempts=3, base=0.01))
    async def work(run: Run) -> Any:
        def flaky() -> str:
            calls.append(run.attempt)
            if run.attempt < 3:
                raise ConnectionError
            return "at last"

        return await run.step("flaky", flaky)

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert (run.result, calls) == ("at last", [1, 2, 3])


async def test_sleeping_frees_the_worker_and_counts_no_attempt(live: Holdfast) -> None:
    calls: list[str] = []
    slept = asyncio.Event()

    @live.handler(TYPE)
    async def work(run: Run, kind: str) -> Any:
        if kind == "quick":
            return "quick"
        await run.step("before", lambda: calls.append("before"))
        slept.set()
        await run.sleep(0.5)
        await run.step("after", lambda: calls.append("after"))
        return run.attempt

    async with working(live, concurrency=1):
        sleeper = await live.enqueue("acme", TYPE, "sleep")
        await slept.wait()
        (quick,) = await finished(live, (await live.enqueue("acme", TYPE, "quick")).id)
        assert quick.result == "quick"
        (run,) = await finished(live, sleeper.id)
    assert (run.result, run.attempt, calls) == (1, 1, ["before", "after"])
    assert run.finished_at is not None
    assert (run.finished_at - run.created_at).total_seconds() >= 0.5


async def test_many_runs_with_many_steps(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def work(run: Run, number: int) -> int:
        total = 0
        for index in range(10):
            total += await run.step(f"step-{index}", lambda: number)
        return total

    ids = [made.id for made in await live.enqueue_many("acme", [NewRun(TYPE, n) for n in range(100)])]
    async with working(live):
        runs = await finished(live, *ids)
    assert [run.result for run in runs] == [10 * n for n in range(100)]


async def test_a_worker_that_lost_the_run_stores_no_step(live: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    raised: list[BaseException] = []

    @live.handler(TYPE)
    async def work(run: Run) -> None:
        # Somebody else takes the run over, as after a freeze that outlived the lease.
        superuser.execute("UPDATE holdfast.workflow_run_live SET lease_epoch = lease_epoch + 1 WHERE id = %s", [run.id])
        try:
            await run.step("late", lambda: "too late")
        except LeaseLost as error:
            raised.append(error)
            raise

    made = await live.enqueue("acme", TYPE)
    async with working(live):
        await until(lambda: _true(bool(raised)))
    steps = superuser.execute("SELECT * FROM holdfast.workflow_run_step").fetchall()
    assert steps == []
    assert (await fetch(live, made.id)).result is None


@pytest.mark.parametrize("result", [object(), float("nan"), "nul\x00"])
async def test_a_result_that_cannot_be_stored_fails_the_attempt(live: Holdfast, result: Any) -> None:
    @live.handler(TYPE, retry=Retry(max_attempts=1))
    async def work(run: Run) -> None:
        await run.step("odd", lambda: result)

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert run.status == "failed"
    assert "cannot be stored" in (run.last_error or "")


@pytest.mark.parametrize("name", ["", "x" * 201, "nul\x00", 7])
async def test_bad_names_are_refused(live: Holdfast, name: Any) -> None:
    @live.handler(TYPE, retry=Retry(max_attempts=1))
    async def work(run: Run) -> None:
        await run.step(name, lambda: 1)

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert "1 to 200 characters" in (run.last_error or "")


async def _true(value: bool) -> bool:
    return value


@dataclass
class Receipt:
    total: int


async def test_a_handler_gets_the_same_from_a_step_the_first_time_and_later(live: Holdfast) -> None:
    seen: list[list[Any]] = []
    results: list[Any] = [Receipt(12), (1, 2), {1: "one"}, date(2030, 1, 2), 5, 0.5, True, None, "text", [1]]

    @live.handler(TYPE, retry=Retry(max_attempts=2, base=0.01))
    async def work(run: Run) -> None:
        seen.append([await run.step("item", lambda result=result: result) for result in results])
        if run.attempt == 1:
            raise ConnectionError

    async with working(live):
        await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert seen == [[{"total": 12}, [1, 2], {"1": "one"}, "2030-01-02", 5, 0.5, True, None, "text", [1]]] * 2


async def test_a_step_may_be_named_like_the_note_of_a_wait(live: Holdfast) -> None:
    @live.handler(TYPE)
    async def work(run: Run) -> Any:
        await run.wait_event("paid")
        return await run.step("event paid since", lambda: "called")

    async with working(live):
        made = (await live.enqueue("acme", TYPE)).id

        async def waits() -> bool:
            return (await fetch(live, made)).waiting_for is not None

        await until(waits)
        async with live.tenant("acme") as hold:
            await hold.runs.emit("paid")
        (run,) = await finished(live, made)
    assert run.result == "called"


@pytest.mark.parametrize("fault", ["a name that no text can have", "a step that is there"])
async def test_what_one_run_cannot_store_is_no_concern_of_the_others(
    live: Holdfast, superuser: psycopg.Connection[Any], fault: str
) -> None:
    together = asyncio.Barrier(20)

    @live.handler(TYPE, retry=Retry(max_attempts=1))
    async def work(run: Run, good: bool) -> None:
        if not good and fault == "a step that is there":
            superuser.execute(
                "INSERT INTO holdfast.workflow_run_step (tenant, run_id, name) VALUES (%s, %s, 'step')",
                [run.tenant, run.id],
            )
        await together.wait()
        await run.step("step" if good or fault == "a step that is there" else "step \ud800", lambda: 1)

    made = await live.enqueue_many("acme", [NewRun(TYPE, place % 2 == 0) for place in range(20)])
    async with working(live, concurrency=20):
        runs = await finished(live, *[run.id for run in made])
    assert {(run.payload, run.status) for run in runs} == {(True, "succeeded"), (False, "failed")}
