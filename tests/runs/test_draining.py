"""`drain(app)` does at once what workers would do: also runs, what they enqueue, their next attempts, and schedules."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import holdfast as hf
from holdfast.testing import FakeClock, drain


async def test_runs_and_what_they_enqueue_are_executed(app: hf.Holdfast) -> None:
    seen: list[int] = []

    @app.handler("family.member.v1")
    async def member(run: hf.Run, generation: int) -> None:
        await asyncio.sleep(0)
        seen.append(generation)
        if generation < 3:
            async with run.hold() as hold:
                await hold.runs.enqueue("family.member.v1", generation + 1)

    async with app.tenant("acme", actor="ana") as hold:
        await hold.runs.enqueue("family.member.v1", 1)
        await hold.runs.enqueue("family.member.v1", 1, delay=timedelta(minutes=1))
        await hold.runs.enqueue("stranger.v1", 1)
    assert await drain(app) == 3
    assert seen == [1, 2, 3]
    assert await drain(app) == 0


async def test_the_next_attempt_is_made_when_the_clock_has_moved(app: hf.Holdfast, holdfast_clock: FakeClock) -> None:
    attempts: list[int] = []

    @app.handler("bank.ask.v1", retry=hf.Retry(max_attempts=2, base=60))
    async def ask(run: hf.Run, account: str) -> None:
        attempts.append(run.attempt)
        raise OSError("no answer")

    async with app.tenant("acme", actor="ana") as hold:
        enqueued = await hold.runs.enqueue("bank.ask.v1", "DE1")
    await drain(app)
    await drain(app)
    assert attempts == [1]
    holdfast_clock.advance(120)
    await drain(app)
    assert attempts == [1, 2]
    async with app.tenant("acme", actor="ana") as hold:
        assert (await hold.runs.get(enqueued.id)).status == "failed"


async def test_a_schedule_fires_once_for_each_time_that_has_come(app: hf.Holdfast, holdfast_clock: FakeClock) -> None:
    fired: list[str] = []

    @app.handler("report.make.v1")
    async def make(run: hf.Run, kind: str) -> None:
        fired.append(kind)

    async with app.tenant("acme", actor="ana") as hold:
        await hold.schedules.create("report", "report.make.v1", cron="0 * * * *", payload="sales")
    await drain(app)
    assert fired == []
    holdfast_clock.advance(3600)
    await drain(app)
    await drain(app)
    assert fired == ["sales"]


async def test_what_a_limit_keeps_back_stays(app: hf.Holdfast) -> None:
    executed: list[int] = []

    @app.handler("bank.pay.v1", rate=hf.Rate(1, per=3600))
    async def pay(run: hf.Run, amount: int) -> None:
        executed.append(amount)

    async with app.tenant("acme", actor="ana") as hold:
        for amount in (1, 2):
            await hold.runs.enqueue("bank.pay.v1", amount)
    assert await drain(app) == 1
    assert executed == [1]
