"""Actions as tools of graphs: a node executed again does not write again; one that comes by once more does."""

from __future__ import annotations

import asyncio
import operator
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import RetryPolicy, interrupt

from holdfast import Holdfast
from sessions.conftest import ended, reply, settled, working


class State(TypedDict, total=False):
    rounds: int
    log: Annotated[list[str], operator.add]


async def value(app: Holdfast, key: str) -> Any:
    entry = await app.data("acme").get("tools", key)
    return entry and entry.value


def increment(app: Holdfast) -> Any:
    (tool,) = app.as_tools("acme", actions=["store.increment"])
    return tool


async def test_node_that_asks_is_executed_twice_and_writes_once(live: Holdfast) -> None:
    executed: list[str] = []
    tool = increment(live)

    async def node(state: State) -> State:
        executed.append("node")
        await tool.ainvoke({"namespace": "tools", "key": "before"})
        # Twice the same call, one after the other and at once: two calls each, however often the node is executed.
        await tool.ainvoke({"namespace": "tools", "key": "twice"})
        await tool.ainvoke({"namespace": "tools", "key": "twice"})
        await asyncio.gather(*(tool.ainvoke({"namespace": "tools", "key": "at-once"}) for _ in range(3)))
        said = interrupt("Go on?")
        await tool.ainvoke({"namespace": "tools", "key": "after"})
        return {"log": [said]}

    graph = StateGraph(State)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    graph.add_edge("node", END)
    live.graph("tools-asking", graph)
    await live.publish_graphs()
    async with working(live):
        for name in ("one", "two"):  # another session is another thread
            async with live.tenant("acme") as hold:
                await hold.sessions.start("tools-asking", name=name)
            await settled(live, name, "waiting_for_input")
            async with live.tenant("acme") as hold:
                await reply(hold, name, "yes")
            assert (await ended(live, name)).status == "completed"
    assert len(executed) == 4
    assert [await value(live, key) for key in ("before", "twice", "at-once", "after")] == [2, 4, 6, 2]


async def test_node_that_is_tried_again_writes_once_and_a_loop_writes_each_time(live: Holdfast) -> None:
    attempts: list[int] = []
    tool = increment(live)

    async def node(state: State) -> State:
        attempts.append(state.get("rounds", 0))
        await tool.ainvoke({"namespace": "tools", "key": "tried"})
        if len(attempts) % 2:
            raise ConnectionError("again, please")
        return {"rounds": state.get("rounds", 0) + 1}

    graph = StateGraph(State)
    graph.add_node("node", node, retry_policy=RetryPolicy(initial_interval=0.01, jitter=False))
    graph.add_edge(START, "node")
    graph.add_conditional_edges("node", lambda state: END if state["rounds"] == 3 else "node", ["node", END])
    live.graph("tools-trying", graph)
    await live.publish_graphs()
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("tools-trying", name="try")
        assert (await ended(live, "try")).status == "completed"
    assert attempts == [0, 0, 1, 1, 2, 2]
    assert await value(live, "tried") == 3


async def test_calls_of_a_model_are_told_apart_although_it_repeats_its_ids(live: Holdfast) -> None:
    """Small models number their calls anew in each message: in another round `call-0` is another call."""
    rounds: list[int] = []

    def model(state: MessagesState) -> dict[str, Any]:
        rounds.append(1)
        if len(rounds) == 3:
            return {"messages": [AIMessage("done")]}
        wanted = {"name": "store_increment", "id": "call-0", "args": {"namespace": "tools", "key": "model"}}
        return {"messages": [AIMessage("", tool_calls=[wanted])]}

    graph = StateGraph(MessagesState)
    graph.add_node("model", model)
    graph.add_node("tools", ToolNode([increment(live)]))
    graph.add_edge(START, "model")
    graph.add_conditional_edges(
        "model", lambda state: "tools" if state["messages"][-1].tool_calls else END, ["tools", END]
    )
    graph.add_edge("tools", "model")
    live.graph("tools-model", graph)
    await live.publish_graphs()
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("tools-model", {"messages": []}, name="model")
        found = await ended(live, "model")
    assert (found.status, found.error_message) == ("completed", None)
    assert await value(live, "model") == 2
