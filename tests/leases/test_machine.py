"""What every worker on a leased table can rely on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from datetime import timedelta
from typing import Any, ClassVar

import pytest

from holdfast import Holdfast
from holdfast.errors import DatabaseUnreachable
from holdfast.leases import Backoff, InHand, Lease, LeasedTable, LockedOut, RowTasks, Service, pause_until
from holdfast.postgres.listening import Channel


def lease(name: str, epoch: int = 1) -> Lease:
    return Lease("acme", name, epoch, timedelta(seconds=30), "row")


async def forever() -> None:
    await asyncio.Event().wait()


class Worker(Service[str]):
    """A worker whose loops and hands are given to it."""

    table: ClassVar[LeasedTable] = LeasedTable("rows", Channel("test_rows"), "SELECT 1")

    def __init__(
        self, app: Holdfast, hand: Callable[[], Awaitable[None]], loop: Callable[[], Awaitable[None]] = forever
    ) -> None:
        super().__init__(app.database, app.clock, lease)
        self.hand, self.loop = hand, loop
        self.past: list[str] = []

    def _loops(self) -> Iterable[Coroutine[Any, Any, None]]:
        return [self._persist("looping", self.loop)]

    def _hands(self) -> Iterable[Coroutine[Any, Any, None]]:
        return [self._persist("working", self.hand)]

    def _lost(self, lease: Lease, status: str | None) -> None: ...

    async def _finish(self) -> None:
        self.past.append("finish")

    async def _break_off(self) -> None:
        self.past.append("break off")

    async def _close(self) -> None:
        self.past.append("close")

    async def until_stopped(self) -> None:
        await self._stopping.wait()


async def test_a_worker_that_is_told_to_stop_finishes_breaks_off_and_closes(app: Holdfast) -> None:
    worker = Worker(app, forever)
    worker.hand = worker.until_stopped
    running = asyncio.create_task(worker.run())
    worker.stop()
    async with asyncio.timeout(10):
        await running
    assert worker.past == ["finish", "break off", "close"]


async def test_a_task_that_ends_by_itself_ends_its_worker_with_an_error(app: Holdfast) -> None:
    async def ends() -> None: ...

    worker = Worker(app, forever, ends)
    worker.hand = worker.until_stopped
    with pytest.raises(RuntimeError, match="the worker of rows ended by itself"):
        await worker.run()
    assert worker.past == ["break off", "close"]


async def test_what_a_hand_raises_ends_its_worker(app: Holdfast) -> None:
    async def breaks() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await Worker(app, breaks).run()


async def test_work_goes_on_when_the_database_was_away(app: Holdfast) -> None:
    tries = 0

    async def works_the_second_time() -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise DatabaseUnreachable("away")
        worker.stop()

    worker = Worker(app, works_the_second_time)
    async with asyncio.timeout(20):
        await worker.run()
    assert tries == 2


async def test_whoever_gave_a_task_is_told_of_its_end_even_if_it_never_began() -> None:
    ended: list[tuple[str, bool]] = []
    tasks: RowTasks[str] = RowTasks(lambda row, task: ended.append((row, task.cancelled())))
    tasks.begin("never begun", forever())
    tasks.cancel("never begun")
    tasks.begin("done", asyncio.sleep(0))
    await tasks.finish(10)
    assert sorted(ended) == [("done", False), ("never begun", True)]
    tasks.begin("broken off", forever())
    await tasks.break_off()
    assert ended[-1] == ("broken off", True)
    assert not tasks


async def test_what_is_locked_is_tried_again_after_pauses_that_double() -> None:
    due = asyncio.Event()
    locked: LockedOut[str] = LockedOut(due.set)
    locked.add("row", 0.01)
    assert locked.take() is None
    async with asyncio.timeout(10):
        await due.wait()
    assert locked.take() == ("row", 0.02)
    assert not locked
    locked.add("row", 25)
    assert locked.clear() == ["row"]


def test_a_row_is_found_by_its_lease_of_the_same_epoch() -> None:
    held: InHand[str] = InHand(lease)
    held["a"] = 5.0
    assert held.find(lease("a")) == "a"
    assert held.find(lease("a", epoch=2)) is None
    assert held.find(lease("b")) is None
    assert held.leases() == [(lease("a"), 5.0)]


def test_a_failure_is_tried_again_until_it_is_the_last_or_final() -> None:
    backoff = Backoff(base=2, cap=60, jitter=0)
    assert backoff.after_failure(1, 3) == timedelta(seconds=2)
    assert backoff.after_failure(2, 3) == timedelta(seconds=4)
    assert backoff.after_failure(2, 3, wanted=timedelta(0)) == timedelta(0)
    assert backoff.after_failure(3, 3) is None
    assert backoff.after_failure(1, 3, final=True) is None


def test_a_pause_ends_when_something_is_due_and_not_too_soon() -> None:
    assert [pause_until(due, 1.0) for due in (None, 0.5, 7.0, -3.0)] == [1.0, 0.5, 1.0, 0.005]
