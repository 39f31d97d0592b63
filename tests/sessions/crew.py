"""A worker process for tests that kill and freeze it: `python crew.py DSN EFFECTS_DSN`.

Its graphs write down every node they execute, in a table outside of holdfast. `ten` has ten nodes, the seventh of which
waits at the gate that its input names; `ask` asks, and then executes one more; `count` calls an action as a tool and,
the first time, never comes to the end of its node.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import Any, TypedDict

import psycopg
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from harness.waiting import Gate, forever
from holdfast import Holdfast
from holdfast.kernel import loops

LEASE = 2.0


class Work(TypedDict, total=False):
    session: str
    gate: str
    done: int


def ten(effects: str) -> StateGraph[Any]:
    graph = StateGraph(Work)
    before = START
    for place in range(10):

        async def node(state: Work, place: int = place) -> Work:
            await note(effects, state["session"], f"n{place}")
            if place == 6 and state["gate"]:
                await Gate(state["gate"]).passed()
                await note(effects, state["session"], "n6 done")
            return {"done": state["done"] + 1}

        graph.add_node(f"n{place}", node)
        graph.add_edge(before, f"n{place}")
        before = f"n{place}"
    graph.add_edge(before, END)
    return graph


def ask(effects: str) -> StateGraph[Any]:
    graph = StateGraph(Work)

    def question(state: Work) -> Work:
        return {"done": interrupt("how many?")}

    async def after(state: Work) -> Work:
        await note(effects, state["session"], "after")
        return {}

    graph.add_node("question", question)
    graph.add_node("after", after)
    graph.add_edge(START, "question")
    graph.add_edge("question", "after")
    graph.add_edge("after", END)
    return graph


def count(app: Holdfast, effects: str) -> StateGraph[Any]:
    graph = StateGraph(Work)

    async def node(state: Work) -> Work:
        (tool,) = app.as_tools("acme", actions=["store.increment"])
        said = await tool.ainvoke({"namespace": "crew", "key": state["session"]})
        await note(effects, state["session"], f"counted {json.loads(said)['value']}")
        async with await psycopg.AsyncConnection.connect(effects, autocommit=True) as connection:
            cursor = await connection.execute("SELECT FROM public.effects WHERE session = %s", [state["session"]])
        if cursor.rowcount == 1:
            await forever()
        return {}

    graph.add_node("node", node)
    graph.add_edge(START, "node")
    graph.add_edge("node", END)
    return graph


async def note(dsn: str, session: str, what: str) -> None:
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
        await connection.execute("INSERT INTO public.effects VALUES (%s, %s, %s)", [session, what, os.getpid()])


def application(dsn: str, effects: str, *, lease: float = LEASE, **settings: Any) -> Holdfast:
    app = Holdfast(dsn=dsn, worker_poll_interval=0.05, worker_shutdown_timeout=1, connect_timeout=3, **settings)
    app.graph("ten", lambda: ten(effects), lease=lease)
    app.graph("ask", lambda: ask(effects), lease=lease)
    app.graph("count", lambda: count(app, effects), lease=lease)
    return app


async def main() -> None:
    async with application(*sys.argv[1:3]) as app:
        worker = app.worker(concurrency=20)
        for name in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(name, worker.stop)
        sys.stdout.write("working\n")
        sys.stdout.flush()
        await worker.run()


if __name__ == "__main__":
    loops.run(main())
