"""Numbers that no float carries: what is told over HTTP has every digit, as a number, whatever slice it is from."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, get_type_hints

import httpx
import pytest
from fastapi import Response
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from holdfast import Holdfast
from holdfast.audit import record
from holdfast.http import build
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


async def test_settings_of_a_tenant(ana: httpx.AsyncClient) -> None:
    body = f'{{"settings": {{"amount": {AMOUNT}}}}}'
    changed = await ana.patch("/v1/acme", content=body, headers={"Content-Type": "application/json"})
    read = await ana.get("/v1/acme")
    for answer in (changed, read):
        assert f'"amount":{AMOUNT}' in answer.text


def test_whatever_holds_any_value_is_told_exactly() -> None:
    """What the framework writes by itself has decimals as texts; so it writes only what has no room for one."""
    routes = list(_routes(build(Holdfast()).routes))
    assert len(routes) > 200
    told_by_the_framework = []
    for route in routes:
        answer = get_type_hints(route.endpoint).get("return")
        if route.response_model is None or (isinstance(answer, type) and issubclass(answer, Response)):
            continue
        if _has_room(TypeAdapter(route.response_model).json_schema()):
            told_by_the_framework.append(f"{route.endpoint.__module__}.{route.endpoint.__name__}")
    assert told_by_the_framework == []


def _routes(routes: Any) -> Iterator[APIRoute]:
    for route in routes:
        if isinstance(route, APIRoute):
            yield route
        else:
            yield from _routes(getattr(getattr(route, "original_router", route), "routes", ()))


_SAYS_WHAT = {"type", "anyOf", "allOf", "oneOf", "$ref", "enum", "const"}


def _has_room(schema: Any) -> bool:
    """Whether a value of any kind may be somewhere in it."""
    if isinstance(schema, list):
        return any(map(_has_room, schema))
    if not isinstance(schema, dict):
        return False
    more = schema.get("additionalProperties")
    inside = [*schema.get("properties", {}).values(), schema.get("items"), more]
    if more is True or any(isinstance(each, dict) and not _SAYS_WHAT & each.keys() for each in inside):
        return True
    return any(map(_has_room, schema.values()))
