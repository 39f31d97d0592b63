"""Works through many parts in a loop, one checkpoint each, and tells how far it is.

Kill its worker at any time: the next one goes on with the part that was under way.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any, TypedDict

from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel, Field

__all__ = ["Work", "build"]


class Work(BaseModel):
    """How much there is to do."""

    parts: int = Field(10, ge=1, le=1000)
    seconds: float = Field(0.05, ge=0, le=60, description="how long a part takes")


class State(TypedDict, total=False):
    """How far it is."""

    parts: int
    seconds: float
    done: int
    digest: str


async def work(state: State) -> State:
    """One part."""
    done = state.get("done", 0)
    await asyncio.sleep(state["seconds"])
    digest = hashlib.sha256(f"{state.get('digest', '')}{done}".encode()).hexdigest()
    share = (done + 1) / state["parts"]
    get_stream_writer()({"step": "work", "progress": share, "message": f"{done + 1} of {state['parts']} parts"})
    return {"done": done + 1, "digest": digest}


def build() -> StateGraph[Any]:
    """work, again and again."""
    graph = StateGraph(State)
    graph.add_node("work", work)
    graph.add_edge(START, "work")
    graph.add_conditional_edges("work", lambda state: "work" if state["done"] < state["parts"] else END, ["work", END])
    return graph
