"""Numbers that no float carries: what is told over HTTP has every digit, as a number, whatever slice it is from."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import httpx
import pytest

from holdfast import Holdfast
from holdfast.audit import record
from holdfast.kernel.ids import uuid7

AMOUNT = "12345678901234567890.12"


@pytest.fixture
def asks(app: Holdfast) -> str:
    """A graph's name."""
    pytest.importorskip("langgraph")
    from langgraph.graph import START, StateGraph

    async def node(state: dict[str, Any]) -> dict[str, Any]:
        return state

    graph: Any = StateGraph(dict)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    app.graph("asks", graph)
    return "asks"


async def test_sessions(ana: httpx.AsyncClient, asks: str) -> None:
    body = f'{{"workflow": "{asks}", "name": "s", "input": {{"amount": {AMOUNT}}}}}'
    headers = {"Content-Type": "application/json"}
    made = await ana.post("/v1/acme/sessions", content=body, headers=headers)
    assert made.status_code == 201, made.text
    assert made.headers["Location"] == "/v1/acme/sessions/s"
    read = await ana.get("/v1/acme/sessions/s")
    for answer in (made, read):
        assert f'"amount":{AMOUNT}' in answer.text


async def test_the_trail(app: Holdfast, ana: httpx.AsyncClient) -> None:
    about = uuid7()
    async with app.tenant("acme") as hold:
        await record(hold._tx, "document", about, "document.updated", {"amount": Decimal(AMOUNT)})
    answer = await ana.get(f"/v1/acme/events?object_id={about}")
    assert f'"amount":{AMOUNT}' in answer.text
