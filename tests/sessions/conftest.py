"""Graphs and fixtures for tests of sessions."""

from __future__ import annotations

import operator
from collections.abc import AsyncIterator
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send, interrupt

from harness.waiting import until
from holdfast import Holdfast
from holdfast.app.hold import Hold
from holdfast.sessions import Message, SessionInfo
from runs.conftest import working

__all__ = ["ended", "fetch", "messages", "reply", "settled", "working"]

INPUT = {
    "type": "object",
    "required": ["n"],
    "properties": {"n": {"type": "integer", "minimum": 0}, "note": {"type": "string", "default": "none"}},
}


class Count(TypedDict, total=False):
    n: int
    note: str
    log: Annotated[list[str], operator.add]


def chain(length: int) -> StateGraph[Any]:
    """Nodes that count, one after the other."""
    graph = StateGraph(Count)
    before = START
    for place in range(length):

        async def step(state: Count, place: int = place) -> Count:
            get_stream_writer()({"step": f"n{place}", "progress": (place + 1) / length})
            return {"n": state["n"] + 1, "log": [f"n{place}"]}

        graph.add_node(f"n{place}", step)
        graph.add_edge(before, f"n{place}")
        before = f"n{place}"
    graph.add_edge(before, END)
    return graph


def asking() -> StateGraph[Any]:
    """Counts, asks whether to go on, counts again."""
    graph = StateGraph(Count)
    graph.add_node("first", lambda state: {"n": state["n"] + 1, "log": ["first"]})

    def ask(state: Count) -> Count:
        said = interrupt({"prompt": f"Is {state['n']} right?", "options": ["yes", "no"], "counted": state["n"]})
        return {"log": [f"asked:{said}"]}

    graph.add_node("ask", ask)
    graph.add_node("last", lambda state: {"n": state["n"] + 10, "log": ["last"]})
    graph.add_edge(START, "first")
    graph.add_edge("first", "ask")
    graph.add_edge("ask", "last")
    graph.add_edge("last", END)
    return graph


def asking_twice() -> StateGraph[Any]:
    """Two questions at once, from two branches, with schemas for their answers."""
    graph = StateGraph(Count)

    def ask(which: str) -> Any:
        def node(state: Count) -> Count:
            said = interrupt({"prompt": which, "response_schema": {"type": "integer"}})
            return {"log": [f"{which}={said}"]}

        return node

    graph.add_node("left", ask("left"))
    graph.add_node("right", ask("right"))
    graph.add_node("join", lambda state: {"log": ["join"]})
    graph.add_edge(START, "left")
    graph.add_edge(START, "right")
    graph.add_edge(["left", "right"], "join")
    graph.add_edge("join", END)
    return graph


def failing() -> StateGraph[Any]:
    graph = StateGraph(Count)

    def divide(state: Count) -> Count:
        return {"n": state["n"] // 0}

    graph.add_node("divide", divide)
    graph.add_edge(START, "divide")
    return graph


def spreading() -> StateGraph[Any]:
    """As many tasks at once as its input says."""
    graph = StateGraph(Count)
    graph.add_node("one", lambda state: {"log": [f"one{state['n']}"]})
    graph.add_conditional_edges(START, lambda state: [Send("one", {"n": n}) for n in range(state["n"])], ["one"])
    graph.add_edge("one", END)
    return graph


@pytest.fixture
async def live(holdfast_dsn: str) -> AsyncIterator[Holdfast]:
    """An application on the database's own clock with the tenants `acme` and `globex`, and some graphs."""
    app = Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05, worker_shutdown_timeout=5)
    app.graph("chain", lambda: chain(3), input=INPUT)
    app.graph("asking", asking, input=INPUT, tags=["people"])
    app.graph("asking-twice", asking_twice, input=INPUT)
    app.graph("failing", failing, input=INPUT)
    app.graph("spreading", spreading, input=INPUT)
    async with app:
        await app.tenants.create("acme")
        await app.tenants.create("globex")
        yield app


async def fetch(app: Holdfast, name: str, tenant: str = "acme") -> SessionInfo:
    async with app.tenant(tenant) as hold:
        return await hold.sessions.get(name)


async def settled(app: Holdfast, name: str, *statuses: str, tenant: str = "acme", timeout: float = 30) -> SessionInfo:
    """Wait until a session is in one of the statuses."""

    async def it_is() -> bool:
        return (await fetch(app, name, tenant)).status in statuses

    await until(it_is, timeout)
    return await fetch(app, name, tenant)


async def ended(app: Holdfast, name: str, tenant: str = "acme", timeout: float = 30) -> SessionInfo:
    return await settled(app, name, "completed", "failed", tenant=tenant, timeout=timeout)


async def reply(hold: Hold, name: str, value: Any) -> SessionInfo:
    """Answer the one prompt that is open."""
    waiting = await hold.sessions.prompts(name)
    return await hold.sessions.answer(name, value, prompt_id=waiting[0].prompt_id if len(waiting) == 1 else None)


async def messages(app: Holdfast, name: str, tenant: str = "acme") -> list[Message]:
    async with app.tenant(tenant) as hold:
        return await hold.sessions.messages(name, limit=1000)
