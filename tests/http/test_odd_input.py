"""Whatever is sent, in a body, a header, a path or a query: it is refused, and never a failure of ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from harness.routes import NOBODY, example, path_of, routes
from holdfast import Holdfast
from holdfast.http.operator import OperatorRoute
from holdfast.http.route import GuardedRoute

ANY = {"If-Match": "*"}
NUMBERS: list[Any] = [10**400, 10**4000, 1e308, 2**63]
TEXTS = ["9" * 5000, "²", "9" * 19, "9999-12-31T23:59:59.999999-23:59"]


def test_every_route_of_the_interface_signs_in_first(app: Holdfast) -> None:
    found = [route for route in routes(app) if route.path.startswith("/v1")]
    assert len(found) > 100
    assert [route.path for route in found if not isinstance(route, GuardedRoute)] == []


def test_routes_with_a_body_ask_for_the_permission_first(app: Holdfast) -> None:
    # These depend on what the body says: whose token, whose place, which queue.
    free = {"create_token", "reassign", "create_delegation", "read_notifications", "start_operation", "count_matching"}
    # Whoever signs in with a mailed link is nobody yet.
    free |= {"ask_for_link", "use_link"}
    # An operator's token is what those routes ask for, before the body.
    asked = [route for route in routes(app) if reads(route) and not isinstance(route, OperatorRoute)]
    assert {route.name for route in asked if not hasattr(route.endpoint, "needs")} == free


def reads(route: APIRoute) -> bool:
    return route.body_field is not None or "requestBody" in (route.openapi_extra or {}) or route.name == "import_"


async def test_numbers_of_any_size_are_no_failure_in_any_body(app: Holdfast, ana: httpx.AsyncClient) -> None:
    failed = []
    for route, path in paths(app):
        for body in bodies(app, route):
            answer = await ana.request(next(iter(route.methods or ())), path, json=body, headers=ANY)
            if answer.status_code >= 500:
                failed.append((path, str(body)[:120], answer.text[:200]))
    assert failed == []


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:12])
async def test_odd_texts_are_no_failure_in_any_header_or_query(
    app: Holdfast, ana: httpx.AsyncClient, text: str
) -> None:
    failed = []
    for route, path in paths(app):
        if route.name in ("watch", "follow_session", "follow_live", "export"):
            continue
        method = next(iter(route.methods or ()))
        known = [field.alias for field in route.dependant.query_params]
        whole = {"namespace": "n"} if "namespace" in known else {}
        asked: list[dict[str, Any]] = [{"params": whole | {name: text}, "headers": ANY} for name in known]
        asked += [{"headers": {field.alias.encode(): text.encode()}} for field in route.dependant.header_params]
        asked += [{"headers": {name: text.encode()}} for name in (b"Idempotency-Key", b"If-Match")]
        for given in asked:
            answer = await ana.request(method, path, **given)
            if answer.status_code >= 500:
                failed.append((path, given, answer.text[:200]))
    assert failed == []


async def test_if_match_of_any_length_is_refused_or_wrong(ana: httpx.AsyncClient) -> None:
    entry = "/v1/acme/data/entry?namespace=n&key=k"
    assert (await ana.put(entry, json={"value": 1})).status_code == 201
    for given in ("9" * 5000, "²", '"' + "9" * 20 + '"', "W/"):
        answer = await ana.put(entry, json={"value": 2}, headers={b"If-Match": given.encode("latin-1")})
        assert (answer.status_code, answer.json()["field"]) == (422, "If-Match")
        changed = await ana.patch(
            f"/v1/acme/documents/{NOBODY}", json={}, headers={b"If-Match": given.encode("latin-1")}
        )
        assert (changed.status_code, changed.json()["field"]) == (422, "If-Match")


async def test_times_too_far_away_are_refused(ana: httpx.AsyncClient) -> None:
    run = {"type": "demo.x.v1"}
    entry = "/v1/acme/data/entry?namespace=n&key=k"
    for seconds in (1e308, 1e300, 10**300, 1e13):
        for refused in (
            await ana.post("/v1/acme/runs", json=run | {"delay": seconds}),
            await ana.put(entry, json={"value": 1, "ttl_seconds": seconds}),
            await ana.post("/v1/acme/process-events", json={"key": "k", "keep_seconds": seconds}),
        ):
            assert refused.status_code == 422, refused.text
    for moment in ("9999-12-31T23:59:59.999999-23:59", "0001-01-01T00:00:00+23:59", 1e308, 10**300):
        answer = await ana.post("/v1/acme/runs", json=run | {"run_at": moment})
        assert answer.status_code == 422 or (await ana.get(f"/v1/acme/runs/{answer.json()['id']}")).status_code == 200


def paths(app: Holdfast) -> Iterator[tuple[APIRoute, str]]:
    for route in routes(app):
        if "{tenant}" in route.path:
            yield route, path_of(route)


def bodies(app: Holdfast, route: APIRoute) -> Iterator[Any]:
    """A body that would do, with each of its members replaced by each odd number."""
    extra = (route.openapi_extra or {}).get("requestBody", {}).get("content", {}).get("application/json", {})
    schema: dict[str, Any] = extra.get("schema", {})
    if route.body_field is not None:
        model: Any = route.body_field.field_info.annotation
        if not hasattr(model, "model_json_schema"):
            return
        schema = model.model_json_schema()
    defs = schema.get("$defs", {})
    properties = schema.get("properties", {})
    whole = {name: example(field, defs) for name, field in properties.items()}
    for name in [name for name, field in properties.items() if may_be_number(field)]:
        for number in NUMBERS:
            yield whole | {name: number}


def may_be_number(field: dict[str, Any]) -> bool:
    kinds = {one.get("type") for one in field.get("anyOf", [field]) if "$ref" not in one}
    formats = {one.get("format") for one in field.get("anyOf", [field])}
    return bool(kinds & {"integer", "number", None}) or "date-time" in formats
