"""What holds for every route: walked over all of them, so that a new one cannot forget it.

When one of these fails for a route that you added: `holdfast.http.conventions` says what to write above it.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from harness.routes import NOBODY, body_schema, path_of, routes, v1_routes, whole_body
from holdfast import Holdfast, errors
from holdfast.errors import HoldfastError
from holdfast.http import build
from holdfast.http.conventions import Conventions

CHANGES = ("POST", "PUT", "PATCH", "DELETE")
OPEN = ("document_id", "definition_id", "instance_id")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
CONTRACT: dict[str, Any] = {
    "document": {"type": "object", "properties": {"amount": {"type": "number"}}},
}
QUERY = {"before": "1", "after": "1", "version": "1", "checkpoint": NOBODY, "entity_type": "note"}
"""Values of query parameters that must be given."""

READS = {
    "POST /v1/{tenant}/audit/verify",
    "POST /v1/{tenant}/data/get",
    "POST /v1/{tenant}/expressions/check",
    "POST /v1/{tenant}/expressions/complete",
    "POST /v1/{tenant}/expressions/format",
    "POST /v1/{tenant}/expressions/try",
    "POST /v1/{tenant}/links/lookup",
    "POST /v1/{tenant}/operations/count",
    "POST /v1/{tenant}/simulations",
    "POST /v1/{tenant}/test-cases/run",
    "POST /v1/{tenant}/workflows/{entity_type}/canvas",
    "POST /v1/{tenant}/schedules/preview",
    "POST /v1/{tenant}/workflows/{entity_type}/validate",
}
"""Every POST that says of itself that it changes nothing."""
NO_KEY = {"POST /v1/{tenant}/tokens"}
"""Every change that says of itself that it takes no key."""


async def test_a_parameter_that_a_route_does_not_know_is_refused_by_name(app: Holdfast, ana: httpx.AsyncClient) -> None:
    wrong = []
    for name, route in tenant_routes(app):
        answer = await ana.request(name.split()[0], path_of(route), params={"no_such_thing": "1"})
        if (answer.status_code, answer.json().get("field")) != (422, "no_such_thing") and not lacks(answer):
            wrong.append((name, answer.status_code, answer.text[:200]))
    assert wrong == [], "make these a GuardedRoute: APIRouter(…, route_class=GuardedRoute)"


async def test_a_misspelt_parameter_is_told_its_name(ana: httpx.AsyncClient) -> None:
    answer = await ana.get("/v1/acme/runs", params={"statsu": "failed"})
    assert answer.status_code == 422
    assert "status" in answer.json()["hint"]


async def test_a_key_is_taken_or_refused_and_never_ignored(app: Holdfast, ana: httpx.AsyncClient) -> None:
    ignored = []
    for name, route in tenant_routes(app):
        held = Conventions.of(route)
        if held.refuses_key is None:
            continue
        answer = await ana.request(name.split()[0], path_of(route), headers={"Idempotency-Key": "k"})
        if (answer.status_code, answer.json().get("field")) != (422, "Idempotency-Key"):
            ignored.append((name, answer.status_code, answer.text[:200]))
    assert ignored == []


def test_which_posts_only_read_and_which_take_no_key_is_written_down(app: Holdfast) -> None:
    """A new `@reads` or `@without_key` is a decision: add its route here."""
    found = {name: Conventions.of(route) for name, route in v1_routes(app)}
    reading = {name for name, held in found.items() if name.startswith(CHANGES) and not held.changes}
    assert reading == READS
    keyless = {
        name for name, held in found.items() if held.changes and held.refuses_key is not None and "{tenant}" in name
    }
    assert keyless == NO_KEY


def test_openapi_tells_of_keys_versions_and_places(app: Holdfast) -> None:
    wrong = []
    for path, methods in build(app).openapi()["paths"].items():
        for method, operation in methods.items():
            name = f"{method.upper()} {path}"
            if not path.startswith("/v1/{tenant}") or not name.startswith(CHANGES) or name in READS:
                continue
            headers = {each["name"].lower(): each for each in operation.get("parameters", ()) if each["in"] == "header"}
            if "idempotency-key" not in headers and name not in NO_KEY:
                wrong.append(f"{name}: no Idempotency-Key")
            if any(f"{{{each}}}" in path for each in OPEN) and not headers.get("if-match", {}).get("required"):
                wrong.append(f"{name}: If-Match is not required")
            made = operation["responses"].get("201")
            if made is not None and "Location" not in made.get("headers", {}) and method != "put":
                wrong.append(f"{name}: 201 without Location; write @located above it")
    assert wrong == []


async def test_a_change_of_a_document_a_draft_or_an_instance_says_what_was_seen(
    app: Holdfast, ana: httpx.AsyncClient
) -> None:
    wrong, asked = [], 0
    for name, route in v1_routes(app):
        method = name.split()[0]
        if method in CHANGES and any(f"{{{each}}}" in name for each in OPEN) and name not in READS:
            asked += 1
            answer = await ana.request(method, path_of(route))
            if (answer.status_code, answer.json()["code"]) != (428, "version_missing"):
                wrong.append((name, answer.status_code, answer.text[:200]))
    assert asked > 15
    assert wrong == []


CREATIONS: list[tuple[str, dict[str, Any], str]] = [
    ("users", {"name": "bo"}, "users/bo"),
    ("schedules", {"name": "nightly", "type": "demo.x.v1", "cron": "0 0 * * *"}, "schedules/nightly"),
    ("definitions", {"entity_type": "note"}, "definitions/{id}"),
    ("automations", {"name": "greet"}, "definitions/{id}"),
    ("runs/pauses", {"prefix": "demo."}, "runs/pauses"),
    ("runs", {"type": "demo.x.v1"}, "runs/{id}"),
    ("documents", {"entity_type": "note", "data": {"amount": 1}}, "documents/{id}"),
]


@pytest.mark.parametrize(
    ("path", "body", "where"), CREATIONS, ids=lambda value: value if isinstance(value, str) else ""
)
async def test_what_is_made_says_where_it_is_and_a_key_makes_it_once(
    ana: httpx.AsyncClient, path: str, body: dict[str, Any], where: str
) -> None:
    await a_contract(ana)
    key = {"Idempotency-Key": "first"}
    made = await ana.post(f"/v1/acme/{path}", json=body, headers=key)
    assert made.status_code == 201, made.text
    members = made.json() if isinstance(made.json(), dict) else {}
    assert made.headers["Location"] == "/v1/acme/" + where.format(**members)
    assert (await ana.get(made.headers["Location"])).status_code == 200
    again = await ana.post(f"/v1/acme/{path}", json=dict(reversed(body.items())), headers=key)
    assert again.status_code in (200, 201), again.text
    assert members.get("id") == (again.json().get("id") if members else None)
    if path not in ("runs", "documents"):  # these two find what they made by its key
        assert (again.status_code, again.content) == (201, made.content)
        assert again.headers["Idempotent-Replayed"] == "true"
        assert again.headers["Location"] == made.headers["Location"]
    other = await ana.post(f"/v1/acme/{path}", json=body | {"name": "other", "type": "demo.y.v1"}, headers=key)
    assert other.status_code in (409, 422), other.text


async def test_two_requests_with_one_key_at_once_do_it_once(ana: httpx.AsyncClient) -> None:
    body = {"namespace": "n", "key": "k"}
    asked = [ana.post("/v1/acme/data/increment", json=body, headers={"Idempotency-Key": "k"}) for _ in range(5)]
    answers = await asyncio.gather(*asked)
    assert {answer.status_code for answer in answers} == {200}, [answer.text for answer in answers]
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 4
    assert (await ana.get("/v1/acme/data/entry", params=body)).json()["value"] == 1


async def test_what_failed_leaves_its_key_free(ana: httpx.AsyncClient) -> None:
    key = {"Idempotency-Key": "k"}
    assert (await ana.post("/v1/acme/users", json={"name": "bo", "roles": ["none"]}, headers=key)).status_code >= 400
    assert (await ana.get("/v1/acme/users/bo")).status_code == 404
    assert (await ana.post("/v1/acme/users", json={"name": "bo"}, headers=key)).status_code == 201


async def test_a_key_belongs_to_who_used_it_and_to_what_for(app: Holdfast, ana: httpx.AsyncClient) -> None:
    key = {"Idempotency-Key": "k"}
    assert (await ana.post("/v1/acme/users", json={"name": "bo", "roles": ["admin"]}, headers=key)).status_code == 201
    elsewhere = await ana.put("/v1/acme/data/entry?namespace=n&key=k", json={"value": 1}, headers=key)
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (409, "idempotency_mismatch")
    async with app.tenant("acme") as hold:
        bo = {"Authorization": f"Bearer {(await hold.tokens.create('bo', 'test')).secret}"}
    others = await ana.post("/v1/acme/users", json={"name": "bo", "roles": ["admin"]}, headers=key | bo)
    assert (others.status_code, others.json()["code"]) == (409, "idempotency_mismatch")


async def test_a_secret_is_not_kept_to_be_told_again(ana: httpx.AsyncClient) -> None:
    answer = await ana.post("/v1/acme/tokens", json={"name": "x"}, headers={"Idempotency-Key": "k"})
    assert (answer.status_code, answer.json()["field"]) == (422, "Idempotency-Key")


async def test_a_stale_version_is_409_and_a_star_is_whatever_it_is(ana: httpx.AsyncClient) -> None:
    await a_contract(ana)
    document = (await ana.post("/v1/acme/documents", json={"entity_type": "note", "data": {"amount": 1}})).json()
    draft = (await ana.post("/v1/acme/definitions", json={"entity_type": "note"})).json()
    begun = await ana.post("/v1/acme/processes", json={"workflow_id": "note", "document_id": document["id"]})
    assert begun.status_code == 201, begun.text
    process = begun.json()
    changes: list[tuple[str, str, Any]] = [
        ("PATCH", f"documents/{document['id']}", {"changes": {"amount": 2}}),
        ("PUT", f"documents/{document['id']}", {"data": {"amount": 3}}),
        ("POST", f"processes/{process['id']}/pause", {"reason": "x"}),
        ("POST", f"processes/{process['id']}/resume", None),
        ("POST", f"processes/{process['id']}/rebuild", None),
        ("POST", f"processes/{process['id']}/enqueue", None),
        ("POST", f"processes/{process['id']}/cancel", {"reason": "x"}),
        ("PUT", f"definitions/{draft['id']}", {"patches": {}}),
        ("POST", f"definitions/{draft['id']}/rebase", {}),
        ("DELETE", f"definitions/{draft['id']}", None),
    ]
    for method, path, body in changes:
        before = await ana.get("/v1/acme/events", params={"limit": 1})
        stale = await ana.request(method, f"/v1/acme/{path}", json=body, headers={"If-Match": '"77"'})
        assert (stale.status_code, stale.json()["code"]) == (409, "version_conflict"), (path, stale.text)
        assert (await ana.get("/v1/acme/events", params={"limit": 1})).json() == before.json(), path
        done = await ana.request(method, f"/v1/acme/{path}", json=body, headers={"If-Match": "*"})
        assert done.status_code < 300, (path, done.text)


def test_codes_of_errors_have_one_form() -> None:
    known = [getattr(errors, name) for name in errors.__all__]
    assert all(issubclass(each, HoldfastError) for each in known)
    # The specification's own keep the form they have there.
    assert [each.code for each in known if not re.fullmatch(r"[a-z][a-z0-9_]*|WORKFLOW_[A-Z_]+", each.code)] == []


async def test_times_have_one_form_in_every_list(app: Holdfast, ana: httpx.AsyncClient) -> None:
    await a_contract(ana)
    for path, body in (
        ("documents", {"entity_type": "note", "data": {"amount": 1}}),
        ("runs", {"type": "demo.x.v1"}),
        ("schedules", {"name": "s", "type": "demo.x.v1", "cron": "0 0 * * *"}),
    ):
        assert (await ana.post(f"/v1/acme/{path}", json=body)).status_code == 201
    seen = 0
    for name, route in tenant_routes(app):
        known = {field.alias for field in route.dependant.query_params}
        if not name.startswith("GET") or route.name in ("watch", "follow_session", "follow_live", "export"):
            continue
        given = {"namespace": "n", "entity_type": "note"}
        answer = await ana.get(path_of(route), params={name: given[name] for name in known & given.keys()})
        found = moments(answer.json()) if answer.status_code == 200 else []
        seen += len(found)
        assert [each for each in found if not MOMENT.fullmatch(each)] == [], name
    assert seen > 20


def tenant_routes(app: Holdfast) -> list[tuple[str, APIRoute]]:
    """Those that a token of a tenant opens; the operator's of the installation are of the same class."""
    return [(name, route) for name, route in v1_routes(app) if "/installation/" not in name]


def moments(value: Any) -> list[str]:
    """Every text in an answer that is a time."""
    if isinstance(value, dict):
        return [each for inner in value.values() for each in moments(inner)]
    if isinstance(value, list):
        return [each for inner in value for each in moments(inner)]
    return [value] if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\dT\d\d:", value) else []


def lacks(answer: httpx.Response) -> bool:
    """Whether it is one of the routes that are not there without a demo."""
    return answer.status_code == 404 and answer.json()["code"] == "not_found" and NOBODY not in answer.text


async def a_contract(ana: httpx.AsyncClient) -> None:
    made = await ana.put("/v1/acme/contracts/note", json=CONTRACT)
    assert made.status_code < 300, made.text


async def test_a_change_that_has_seen_nothing_is_not_one_that_takes_whatever_there_is(ana: httpx.AsyncClient) -> None:
    """What a program sends that lost the tag."""
    await a_contract(ana)
    document = (await ana.post("/v1/acme/documents", json={"entity_type": "note", "data": {"amount": 1}})).json()
    draft = (await ana.post("/v1/acme/definitions", json={"entity_type": "note"})).json()
    changes: list[tuple[str, str, Any]] = [
        ("PATCH", f"documents/{document['id']}", {"changes": {"amount": 2}}),
        ("PUT", f"definitions/{draft['id']}", {"patches": {}}),
    ]
    for method, path, body in changes:
        for nothing in ("", "  "):
            answer = await ana.request(method, f"/v1/acme/{path}", json=body, headers={"If-Match": nothing})
            assert (answer.status_code, answer.json()["field"]) == (428, "If-Match"), (path, answer.text)
        stale = await ana.request(method, f"/v1/acme/{path}", json=body, headers={"If-Match": '"0"'})
        assert (stale.status_code, stale.json()["code"]) == (409, "version_conflict"), (path, stale.text)
        for wrong in ('""', '"1', '1"', "'1'", "one", "1, 2", "-1", "1.0", "W/", "**", '"1" "2"', "٣", "1" * 10):
            header = {b"If-Match": wrong.encode()}
            answer = await ana.request(method, f"/v1/acme/{path}", json=body, headers=header)
            assert (answer.status_code, answer.json().get("field")) == (422, "If-Match"), (path, wrong, answer.text)
            assert answer.json()["hint"]
        for right in ('"1"', 'W/"1"', "1", "*"):
            answer = await ana.request(method, f"/v1/acme/{path}", json=body, headers={"If-Match": right})
            assert answer.status_code in (200, 409), (path, right, answer.text)
            assert answer.status_code == 200 or right != "*"


async def test_a_key_is_1_to_512_characters_wherever_it_is_sent(app: Holdfast, ana: httpx.AsyncClient) -> None:
    wrong = []
    for name, route in tenant_routes(app):
        if Conventions.of(route).refuses_key is not None:
            continue
        for key in ("", "k" * 513):
            headers = {"Idempotency-Key": key, "If-Match": "*"}
            answer = await ana.request(name.split()[0], path_of(route), json=whole_body(route), headers=headers)
            told = answer.json()
            if (answer.status_code, told.get("field")) != (422, "Idempotency-Key") or not told.get("hint"):
                wrong.append((name, answer.status_code, answer.text[:200]))
    assert wrong == []


async def test_what_is_refused_names_the_field_and_the_fix(app: Holdfast, ana: httpx.AsyncClient) -> None:
    wrong, asked = [], 0
    for name, route in tenant_routes(app):
        method, known = name.split()[0], {field.alias for field in route.dependant.query_params}
        tries: list[dict[str, Any]] = [{"params": {"no_such_thing": "1"}}]
        tries += [{"params": {"limit": each}} for each in ("0", "-1", "201", "many", "") if "limit" in known]
        tries += [{"params": {"cursor": each}} for each in ("x", "", "e30") if "cursor" in known]
        if body_schema(route) is not None:
            bodies: list[Any] = [{"no_such_member": 1}, [], 7, "x"]
            tries += [{"json": each} for each in bodies]
            tries += [{"content": b"{", "headers": {"Content-Type": "application/json"}}]
        needed = {each.alias: QUERY.get(each.alias, "x") for each in route.dependant.query_params}
        needed = {each: needed[each] for each in known if is_needed(route, each)}
        for given in tries:
            headers = {"If-Match": "*", **given.get("headers", {})}
            sent = {**given, "headers": headers, "params": needed | given.get("params", {})}
            answer = await ana.request(method, path_of(route), **sent)
            told = answer.json()
            if answer.status_code == 404:
                continue  # What it is about is not there, and that comes first.
            asked += 1
            named = told.get("field") in given.get("params", {told.get("field"): None}) and told.get("field")
            if answer.status_code != 422 or not named or not told.get("hint"):
                wrong.append((name, given, answer.status_code, answer.text[:200]))
    assert asked > 700, asked
    assert wrong == []


def is_needed(route: APIRoute, name: str) -> bool:
    return any(each.alias == name and each.field_info.is_required() for each in route.dependant.query_params)


async def test_what_is_not_there_says_where_to_look(ana: httpx.AsyncClient) -> None:
    for method, path in (("GET", "/v1/acme/spaceships"), ("PUT", "/v1/acme/users"), ("GET", "/auth/nowhere")):
        answer = await ana.request(method, path)
        if answer.headers["content-type"] == "application/problem+json":
            assert "/docs" in answer.json()["hint"], path


async def test_another_method_is_405_and_no_address_404_whatever_is_tried(
    app: Holdfast, ana: httpx.AsyncClient
) -> None:
    found = [route for route in routes(app) if route.path.startswith(("/v1", "/auth"))]
    wrong, asked = [], 0
    for route in found:
        path = path_of(route)
        fitting = {each for other in found if other.path_regex.match(path) for each in other.methods or ()}
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} - fitting:
            answer = await ana.request(method, path)
            asked += 1
            allowed = set(answer.headers.get("allow", "").split(", "))
            if (answer.status_code, answer.json().get("code"), allowed) != (405, "method_not_allowed", fitting):
                wrong.append((method, route.path, answer.status_code, allowed))
    assert asked > 500
    assert wrong == []
    for method in ("GET", "POST", "DELETE"):
        for path in ("/v1/acme/spaceships", "/v1", "/auth/nowhere"):
            answer = await ana.request(method, path)
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), (method, path)


async def test_a_number_is_no_time_and_no_truth(app: Holdfast, ana: httpx.AsyncClient) -> None:
    for path, name in (
        ("runs", "since"),
        ("runs", "until"),
        ("processes", "started_before"),
        ("processes", "updated_before"),
        ("inbox", "due_before"),
        ("inbox/counts", "due_before"),
    ):
        for wrong in ("0.5", "0", "1780000000", "-1", "1e3", "2026-06-04T12:00:00"):
            answer = await ana.get(f"/v1/acme/{path}", params={name: wrong})
            assert (answer.status_code, answer.json().get("field")) == (422, name), (path, wrong, answer.text)
        assert (await ana.get(f"/v1/acme/{path}", params={name: "2026-06-04T12:00:00Z"})).status_code == 200
    for body in ({"all": 0}, {"all": "yes"}, {"all": 1.0}):
        answer = await ana.post("/v1/acme/notifications/read", json=body)
        assert (answer.status_code, answer.json()["field"]) == (422, "all"), answer.text
    for run_at in (0, 1780000000.5, "1780000000"):
        answer = await ana.post("/v1/acme/runs", json={"type": "demo.x.v1", "run_at": run_at})
        assert (answer.status_code, answer.json()["field"]) == (422, "run_at"), answer.text
