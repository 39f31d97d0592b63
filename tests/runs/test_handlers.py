"""Handlers that do what handlers should not: whatever they raise or return, the run ends and the worker goes on."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from harness.waiting import forever, until
from holdfast import Holdfast
from holdfast.errors import InvalidInput
from holdfast.runs import NewRun, Retry, Run
from runs.conftest import TYPE, fetch, finished, passers_by, working

if TYPE_CHECKING:
    from runs.test_enqueue import Nothing  # type: ignore[attr-defined]  # it is never looked for

ONCE = Retry(max_attempts=1)


class Speechless(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")

    @property
    def code(self) -> str:
        raise ValueError("no code either")


class Strange(Exception):
    code = "nul\x00" + "x" * 2_000_000


class Outside(BaseException):
    pass


def raising(error: BaseException) -> Callable[[Run], Any]:
    async def handler(run: Run) -> None:
        raise error

    return handler


async def awaits_what_was_cancelled(run: Run) -> None:
    task = asyncio.create_task(forever())
    task.cancel()
    await task


async def cancels_itself(run: Run) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await forever()


def exits(run: Run) -> None:
    sys.exit(3)


def stops_an_iteration(run: Run) -> Any:
    return next(iter([]))


@pytest.mark.parametrize(
    ("handler", "said"),
    [
        (raising(Speechless()), "Speechless"),
        (raising(Strange("odd")), "Strange: odd"),
        (raising(Outside("far")), "Outside: far"),
        (raising(SystemExit(3)), "SystemExit: 3"),
        (raising(asyncio.CancelledError()), "CancelledError"),
        (raising(BaseExceptionGroup("several", [Outside(), ValueError()])), "BaseExceptionGroup: several"),
        (awaits_what_was_cancelled, "CancelledError"),
        (cancels_itself, "CancelledError"),
        (exits, "SystemExit: 3"),
        (stops_an_iteration, "RuntimeError: the handler raised StopIteration"),
    ],
)
async def test_whatever_a_handler_raises_is_a_failure_and_the_worker_goes_on(
    live: Holdfast, handler: Callable[[Run], Any], said: str
) -> None:
    live.handlers.add(TYPE, handler, retry=ONCE)

    @live.handler("test.fine.v1")
    async def fine(run: Run) -> str:
        async with asyncio.timeout(5):
            await asyncio.sleep(0)
        return "fine"

    # More of them than there are slots: none may be lost for good.
    made = await live.enqueue_many("acme", [NewRun(TYPE) for _ in range(3)])
    async with working(live, concurrency=2):
        failed = await finished(live, *(one.id for one in made))
        assert {run.status for run in failed} == {"failed"}
        assert all((run.last_error or "").startswith(said) for run in failed), failed[0].last_error
        (after,) = await finished(live, (await live.enqueue("acme", "test.fine.v1")).id)
    assert after.result == "fine"


async def test_a_small_limit_for_payloads_does_not_keep_a_run_from_failing(holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05, payload_limit=1024) as app:
        await app.tenants.create("acme")
        app.handlers.add(TYPE, raising(ValueError("x" * 3000)), retry=ONCE)
        made = await app.enqueue("acme", TYPE)
        async with working(app):
            (run,) = await finished(app, made.id)
    assert run.status == "failed"


async def test_a_swallowed_cancellation_does_not_meet_the_next_run(live: Holdfast) -> None:
    started = asyncio.Event()

    @live.handler("test.stubborn.v1", lease=1)
    async def stubborn(run: Run) -> None:
        started.set()
        try:
            await forever()
        except asyncio.CancelledError:
            return

    @live.handler(TYPE, retry=ONCE)
    async def grouped(run: Run) -> str:
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(raising(ValueError())(run))
                await forever()
        except ExceptionGroup:
            return "seen"

    async with working(live, concurrency=1):
        first = await live.enqueue("acme", "test.stubborn.v1")
        await started.wait()
        async with live.tenant("acme") as hold:
            await hold.runs.cancel(first.id)
        (second,) = await finished(live, (await live.enqueue("acme", TYPE)).id)
    assert (second.status, second.result) == ("succeeded", "seen")


async def test_a_handler_that_ignores_its_cancellation_does_not_keep_the_worker(holdfast_dsn: str) -> None:
    release = asyncio.Event()

    async with Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05, worker_shutdown_timeout=0.1) as app:
        await app.tenants.create("acme")

        @app.handler(TYPE, lease=30)
        async def ignorant(run: Run) -> None:
            while not release.is_set():
                try:
                    await release.wait()
                except asyncio.CancelledError:
                    continue

        made = await app.enqueue("acme", TYPE)
        worker = app.worker()
        task = asyncio.create_task(worker.run())

        async def leased() -> bool:
            return (await fetch(app, made.id)).status == "leased"

        await until(leased)
        worker.stop()
        await asyncio.wait_for(task, 20)
        # It still executes, so nobody else may have it before its lease is over.
        assert (await fetch(app, made.id)).status == "leased"
        release.set()


async def test_sleeping_in_a_task_group_leaves_the_handler(live: Holdfast) -> None:
    @live.handler(TYPE, retry=ONCE)
    async def handler(run: Run) -> list[int]:
        async with asyncio.TaskGroup() as group:
            group.create_task(run.sleep(0.01))
            group.create_task(run.sleep(0.02))
        return [await run.step("a", lambda: 1), await run.step("a#2", lambda: 2), await run.step("a", lambda: 3)]

    made = await live.enqueue("acme", TYPE)
    async with working(live):
        (run,) = await finished(live, made.id)
    assert (run.status, run.result, run.attempt) == ("succeeded", [1, 2, 3], 1)


# ------------------------------------------------------------------------------------------------------------- threads


async def test_a_thread_that_timed_out_is_told_and_its_place_is_not_given_away(
    holdfast_dsn: str,
) -> None:
    gate = threading.Event()
    told: list[bool] = []

    async with Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05, worker_threads=2) as app:
        await app.tenants.create("acme")

        @app.handler("test.hangs.v1", timeout=0.1, retry=ONCE)
        def hangs(run: Run) -> None:
            gate.wait(20)
            told.append(run.cancelled)

        @app.handler("test.quick.v1", timeout=10, retry=ONCE)
        def quick(run: Run) -> str:
            return "quick"

        pass_by = passers_by(app)
        hanging = await app.enqueue_many("acme", [NewRun("test.hangs.v1")] * 2)
        async with working(app):
            assert {run.status for run in await finished(app, *(one.id for one in hanging))} == {"failed"}
            made = await app.enqueue("acme", "test.quick.v1")
            await pass_by()
            assert (await fetch(app, made.id)).attempt == 0
            gate.set()
            (run,) = await finished(app, made.id)
    assert run.result == "quick"
    assert told == [True, True]


HANGS = f"""
import sys, time
from holdfast import Holdfast
app = Holdfast(dsn=sys.argv[1], worker_poll_interval=0.05, worker_shutdown_timeout=0.2)

@app.handler("{TYPE}")
def hangs(run):
    print("started", flush=True)
    time.sleep(300)

app.run_worker()
"""


async def test_a_thread_that_hangs_does_not_keep_the_process(live: Holdfast, holdfast_dsn: str) -> None:
    made = await live.enqueue("acme", TYPE)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HANGS, holdfast_dsn, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"started\n"
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 30) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert (await fetch(live, made.id)).status == "leased"


async def test_a_plain_function_sees_the_context_and_may_hand_on_an_asynchronous_one(live: Holdfast) -> None:
    said: contextvars.ContextVar[str] = contextvars.ContextVar("said", default="nothing")

    async def behind(run: Run) -> str:
        return "behind"

    live.handlers.add("test.context.v1", lambda run: said.get())
    live.handlers.add("test.behind.v1", lambda run: behind(run))
    said.set("something")
    made = await live.enqueue_many("acme", [NewRun("test.context.v1"), NewRun("test.behind.v1")])
    async with working(live):
        runs = await finished(live, *(one.id for one in made))
    assert [run.result for run in runs] == ["something", "behind"]


async def test_a_type_keeps_to_its_concurrency_whatever_the_number_of_tenants(live: Holdfast) -> None:
    now = most = 0
    go_on = asyncio.Event()
    pass_by = passers_by(live)

    @live.handler(TYPE, concurrency=2)
    async def handler(run: Run) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await go_on.wait()
        now -= 1

    for number in range(6):
        await live.tenants.create(f"t{number}")
        await live.enqueue_many(f"t{number}", [NewRun(TYPE) for _ in range(4)])
    async with working(live) as worker:

        async def all_done() -> bool:
            return worker.executed == 24 + 3

        await until(lambda: now >= 2)
        await pass_by()
        go_on.set()
        await until(all_done)
    assert most == 2


# -------------------------------------------------------------------------------------------------------- registration


@dataclass
class Order:
    number: int


class Callee:
    async def __call__(self, run: Run, order: Order) -> None: ...

    async def method(self, run: Run, order: Order) -> None: ...


async def for_the_type_checker(run: Nothing, order: Order) -> Nothing: ...


async def with_more(more: int, run: Run, order: Order) -> None: ...


@pytest.mark.parametrize(
    "function",
    [Callee(), Callee().method, for_the_type_checker, functools.partial(with_more, 1)],
    ids=["an object", "a method", "an annotation nobody has", "a partial"],
)
def test_what_can_be_called_can_be_a_handler(function: Any) -> None:
    handler = Holdfast(dsn="postgresql://nowhere").handlers.add(TYPE, function)
    assert handler.asynchronous
    assert handler.payload is not None
    assert handler.payload.validate_python({"number": 1}) == Order(1)


def test_a_generator_is_no_handler() -> None:
    app = Holdfast(dsn="postgresql://nowhere")

    def plain(run: Run) -> Any:
        yield 1

    async def asynchronous(run: Run) -> Any:
        yield 1

    for function in (plain, asynchronous):
        with pytest.raises(InvalidInput, match="is a generator"):
            app.handlers.add(TYPE, function)


async def test_a_deep_payload_reaches_a_handler_that_wants_a_type(live: Holdfast) -> None:
    @live.handler(TYPE, retry=ONCE)
    async def handler(run: Run, payload: dict[str, Any]) -> bool:
        return "a" in payload

    deep: dict[str, Any] = {}
    for _ in range(199):
        deep = {"a": deep}
    made = await live.enqueue("acme", TYPE, deep)
    async with working(live):
        (run,) = await finished(live, made.id)
    assert run.result is True


async def test_what_can_only_be_given_by_name_is_refused_when_it_is_registered(live: Holdfast) -> None:
    async def by_name(run: Run, *, payload: Any = None) -> None: ...

    with pytest.raises(InvalidInput, match="by name only"):
        live.handler(TYPE)(by_name)

    @live.handler(TYPE)
    async def more(run: Run, **_: Any) -> str:
        return "fine"

    @live.handler("test.wrapped.v1")
    async def wrapped(*given: Any, **_: Any) -> int:
        return len(given)

    async with working(live):
        ids = [(await live.enqueue("acme", kind, {})).id for kind in (TYPE, "test.wrapped.v1")]
        assert [run.result for run in await finished(live, *ids)] == ["fine", 2]


@pytest.mark.parametrize("oddity", [KeyboardInterrupt, GeneratorExit])
async def test_what_a_thread_raises_ends_its_attempt_and_not_the_worker(
    live: Holdfast, oddity: type[BaseException]
) -> None:
    @live.handler(TYPE, retry=Retry(max_attempts=1), lease=1)
    def work(_: Run, odd: bool) -> str:
        if odd:
            raise oddity
        return "fine"

    async with working(live, concurrency=1):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE, True)).id)
        assert (run.status, run.last_error) == ("failed", f"RuntimeError: the handler raised {oddity.__name__}")
        (run,) = await finished(live, (await live.enqueue("acme", TYPE, False)).id)
        assert run.result == "fine"
