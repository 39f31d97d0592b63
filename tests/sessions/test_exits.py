"""A node that calls `sys.exit()`, or raises what would end a program, ends its session and not the worker."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest
from langgraph.graph import START, StateGraph

from harness.waiting import until
from holdfast import Holdfast
from holdfast.runs import Run
from sessions.conftest import Count, chain, ended, working


def only(node: Any) -> StateGraph[Any]:
    graph = StateGraph(Count)
    graph.add_node("only", node)
    graph.add_edge(START, "only")
    return graph


def in_a_subgraph(node: Any) -> StateGraph[Any]:
    return only(only(node).compile())


def plainly(error: type[BaseException]) -> Any:
    def leave(state: Count) -> Count:
        raise error(3)

    return leave


def asynchronously(error: type[BaseException]) -> Any:
    async def leave(state: Count) -> Count:
        raise error(3)

    return leave


def in_tasks_of_its_own(error: type[BaseException]) -> Any:
    async def one() -> None:
        raise error(3)

    async def leave(state: Count) -> Count:
        await asyncio.gather(one(), asyncio.sleep(0))
        return {}

    return leave


@pytest.mark.every_loop
@pytest.mark.parametrize("how", [plainly, asynchronously, in_tasks_of_its_own])
@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt])
async def test_whoever_wants_to_leave_ends_the_session_alone(
    holdfast_dsn: str, how: Any, error: type[BaseException]
) -> None:
    async with Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05) as app:
        app.graph("flat", only(how(error)))
        app.graph("deep", in_a_subgraph(how(error)))
        app.graph("chain", lambda: chain(2))
        await app.publish_graphs()
        await app.tenants.create("acme")
        async with working(app):
            for name in ("flat", "deep"):
                async with app.tenant("acme") as hold:
                    await hold.sessions.start(name, {"n": 0}, name=name)
                done = await ended(app, name)
                assert done.status == "failed"
                assert done.error_message == f"{error.__name__}: 3"
            async with app.tenant("acme") as hold:
                await hold.sessions.start("chain", {"n": 0}, name="next")
            assert (await ended(app, "next")).status == "completed"


async def test_a_handler_that_raises_keyboard_interrupt_fails_its_attempt_and_not_the_worker(live: Holdfast) -> None:
    @live.handler("test.leave.v1")
    async def leave(run: Run) -> None:
        raise KeyboardInterrupt

    @live.handler("test.exit.v1")
    async def quit_it(run: Run) -> None:
        sys.exit(4)

    async with live.tenant("acme") as hold:
        left = await hold.runs.enqueue("test.leave.v1", max_attempts=1)
        quitted = await hold.runs.enqueue("test.exit.v1", max_attempts=1)

    async def both_failed() -> bool:
        async with live.tenant("acme") as hold:
            return [(await hold.runs.get(one.id)).status for one in (left, quitted)] == ["failed", "failed"]

    async with working(live):
        await until(both_failed)
        async with live.tenant("acme") as hold:
            await hold.sessions.start("chain", {"n": 0}, name="next")
        assert (await ended(live, "next")).status == "completed"
