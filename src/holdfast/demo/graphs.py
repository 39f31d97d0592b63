"""Two LangGraph graphs of the demo, without any model behind them: one asks a person, one only tells.

Imported only where the extra `langgraph` is installed.
"""

from __future__ import annotations

from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

__all__ = ["spending_digest", "supplier_onboarding"]


class Onboarding(TypedDict, total=False):
    """What is known of a supplier on the way to the first order."""

    supplier: str
    country: str
    checks: list[str]
    decision: str
    note: str


class Digest(TypedDict, total=False):
    """A month's spending, and what it says."""

    month: str
    totals: dict[str, str]
    summary: str


def supplier_onboarding() -> StateGraph[Onboarding]:
    """Checks a supplier, and asks somebody before the first order goes out."""

    def check(state: Onboarding) -> Onboarding:
        return {
            "checks": ["tax number is valid", f"registered in {state['country']}", "no entry on the sanctions list"]
        }

    def ask(state: Onboarding) -> Onboarding:
        said = interrupt(
            {
                "prompt": f"All checks of {state['supplier']} are fine. Which payment terms do we offer?",
                "options": ["14 days", "30 days", "prepayment only"],
                "context": {"checks": state["checks"]},
            }
        )
        return {"decision": str(said)}

    def welcome(state: Onboarding) -> Onboarding:
        return {"note": f"{state['supplier']} is ready to order from: {state['decision']}."}

    graph = StateGraph(Onboarding)
    graph.add_node("check", check)
    graph.add_node("ask", ask)
    graph.add_node("welcome", welcome)
    graph.add_edge(START, "check")
    graph.add_edge("check", "ask")
    graph.add_edge("ask", "welcome")
    graph.add_edge("welcome", END)
    return graph


def spending_digest() -> StateGraph[Digest]:
    """Adds up a month and says it in a sentence."""

    def read(state: Digest) -> Digest:
        return {"totals": {"Shop": "8410.20", "Warehouse": "41230.85", "Head office": "2980.00"}}

    def tell(state: Digest) -> Digest:
        most = max(state["totals"], key=lambda name: float(state["totals"][name]))
        return {"summary": f"In {state['month']} most was spent by {most}: EUR {state['totals'][most]}."}

    graph = StateGraph(Digest)
    graph.add_node("read", read)
    graph.add_node("tell", tell)
    graph.add_edge(START, "read")
    graph.add_edge("read", "tell")
    graph.add_edge("tell", END)
    return graph
