"""Slots: how quickly runs are over here decides how many more of them a worker takes than it has places."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta
from typing import Any, cast

import pytest

from holdfast.runs import Run
from holdfast.runs.model import RunPort
from holdfast.runs.outcomes import Outcome
from holdfast.runs.registry import Handlers
from holdfast.runs.slots import Slots
from runs.conftest import TYPE


def claimed(number: int, kind: str = TYPE) -> Run:
    nobody, lease = "00000000-0000-0000-0000-000000000000", timedelta(seconds=30)
    return Run(nobody, str(number), kind, 1, 1, 1, None, None, "(0,1)", lease, cast("RunPort", None))


async def pace_after(count: int, seconds: float) -> float:
    """The pace of slots after so many runs that took so long each."""
    handlers, ended = Handlers(), asyncio.Event()

    async def work(run: Run, payload: Any) -> None:
        await asyncio.sleep(seconds)  # time itself: how long runs take is what slots go by

    def on_end(*_: object) -> None:
        if slots.executed == count:
            ended.set()

    handlers.add(TYPE, work)
    slots = Slots(handlers, str, on_end, count=1, threads=1)
    slots.start()
    for number in range(count):
        slots.put(claimed(number), "{}")
    slots.wake()
    async with asyncio.timeout(20):
        await ended.wait()
    await slots.close()
    return slots.pace


@pytest.mark.parametrize(("count", "seconds", "quick"), [(19, 0, False), (40, 0, True), (40, 0.005, False)])
async def test_slots_are_slow_until_some_runs_have_proven_to_be_quick(count: int, seconds: float, quick: bool) -> None:
    assert (await pace_after(count, seconds) < 0.001) == quick


async def test_waiting_for_a_thread_is_no_part_of_the_timeout() -> None:
    """A worker claims no more plain functions than it has threads, but slots do not rely on that."""
    handlers, release = Handlers(), threading.Event()
    outcomes: asyncio.Queue[tuple[str, str | None]] = asyncio.Queue()

    def on_end(run: Run, outcome: Outcome | None, _: float) -> None:
        outcomes.put_nowait((run.type, outcome and outcome.name))

    handlers.add("test.holds.v1", lambda run: bool(release.wait(20)))
    handlers.add("test.waits.v1", lambda run: None, timeout=0.2)
    slots = Slots(handlers, str, on_end, count=2, threads=1)
    slots.start()
    slots.put(claimed(1, "test.holds.v1"), "{}")
    slots.put(claimed(2, "test.waits.v1"), "{}")
    slots.wake()
    await asyncio.sleep(0.4)  # time itself: it waits for the thread for longer than it may take
    release.set()
    async with asyncio.timeout(20):
        ended = [await outcomes.get() for _ in range(2)]
    await slots.close()
    assert ended == [("test.holds.v1", "succeeded"), ("test.waits.v1", "succeeded")]
