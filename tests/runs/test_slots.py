"""Slots: how quickly runs are over here decides how many more of them a worker takes than it has places."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any, cast

import pytest

from holdfast.runs import Run
from holdfast.runs.model import RunPort
from holdfast.runs.registry import Handlers
from holdfast.runs.slots import Slots
from runs.conftest import TYPE


async def pace_after(count: int, seconds: float) -> float:
    """The pace of slots after so many runs that took so long each."""
    handlers, ended = Handlers(), asyncio.Event()

    async def work(run: Run, payload: Any) -> None:
        await asyncio.sleep(seconds)

    def on_end(*_: object) -> None:
        if slots.executed == count:
            ended.set()

    handlers.add(TYPE, work)
    slots = Slots(handlers, str, on_end, count=1, threads=1)
    slots.start()
    for number in range(count):
        nobody = "00000000-0000-0000-0000-000000000000"
        run = Run(nobody, str(number), TYPE, 1, 1, 1, None, None, "(0,1)", timedelta(seconds=30), cast("RunPort", None))
        slots.put(run, "{}")
    slots.wake()
    async with asyncio.timeout(20):
        await ended.wait()
    await slots.close()
    return slots.pace


@pytest.mark.parametrize(("count", "seconds", "quick"), [(19, 0, False), (40, 0, True), (40, 0.005, False)])
async def test_slots_are_slow_until_some_runs_have_proven_to_be_quick(count: int, seconds: float, quick: bool) -> None:
    assert (await pace_after(count, seconds) < 0.001) == quick
