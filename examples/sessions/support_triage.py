"""Triages a support ticket: two people are asked at once, and both answers are needed to go on."""

from __future__ import annotations

import operator
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt
from pydantic import BaseModel

__all__ = ["Ticket", "build"]

_WORDS = {"outage": 40, "down": 30, "refund": 20, "invoice": 15, "slow": 10, "question": -10}


class Ticket(BaseModel):
    """What a customer wrote."""

    customer: str
    text: str


class State(TypedDict, total=False):
    """The ticket and what was decided about it."""

    customer: str
    text: str
    score: int
    decisions: Annotated[list[dict[str, Any]], operator.add]
    summary: str


def read(state: State) -> State:
    """A first guess, from the words in it."""
    text = state["text"].lower()
    return {"score": max(0, min(100, 30 + sum(weight for word, weight in _WORDS.items() if word in text)))}


def urgency(state: State) -> State:
    """How urgent is it? Ask the lead."""
    said = interrupt(
        {
            "prompt": f"How urgent is the ticket of {state['customer']}? We guess {state['score']} of 100.",
            "for": "support lead",
            "response_schema": {"type": "integer", "minimum": 0, "maximum": 100},
        }
    )
    return {"decisions": [{"urgency": said}]}


def team(state: State) -> State:
    """Who takes it? Ask the dispatcher."""
    said = interrupt({"prompt": "Who takes it?", "for": "dispatcher", "options": ["billing", "platform", "success"]})
    return {"decisions": [{"team": said}]}


def assign(state: State) -> State:
    """Both have answered."""
    made = {name: value for decision in state["decisions"] for name, value in decision.items()}
    return {"summary": f"{state['customer']}: urgency {made['urgency']}, for {made['team']}"}


def build() -> StateGraph[Any]:
    """read → (urgency, team) → assign."""
    graph = StateGraph(State)
    for node in (read, urgency, team, assign):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "read")
    graph.add_edge("read", "urgency")
    graph.add_edge("read", "team")
    graph.add_edge(["urgency", "team"], "assign")
    graph.add_edge("assign", END)
    return graph
