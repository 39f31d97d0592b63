"""Documents and definitions over HTTP: exact numbers, versions in `ETag`, problems that name the field."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from holdfast import Holdfast
from holdfast.http import build

INVOICE = {
    "type": "object",
    "required": ["number"],
    "properties": {"number": {"type": "string"}, "total": {"type": "number"}},
}
SLOT = "slot:submitted_to_approved"
PASS = {
    SLOT: {
        "nodes": [{"id": "pass", "type": "action", "config": {"action": "process.approve"}}],
        "edges": [{"source": "pass", "target": "out"}, {"source": "pass", "target": "out", "outcome": "error"}],
        "exit_edge_mode": "join",
    }
}


@pytest.fixture
async def client(app: Holdfast) -> AsyncIterator[httpx.AsyncClient]:
    async with app.tenant("acme") as hold:
        secret = (await hold.tokens.create("ana", "test")).secret
    transport = httpx.ASGITransport(build(app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme") as client:
        client.headers.update({"Authorization": f"Bearer {secret}", "If-Match": "*"})
        assert (await client.put("/contracts/invoice", json={"document": INVOICE})).status_code == 200
        yield client


async def create(client: httpx.AsyncClient, **data: Any) -> dict[str, Any]:
    answer = await client.post("/documents", json={"entity_type": "invoice", "data": {"number": "1", **data}})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def test_numbers_stay_exact_on_the_way_in_and_out(client: httpx.AsyncClient) -> None:
    exact = "12345678901234567890.123456789"
    body = f'{{"entity_type": "invoice", "data": {{"number": "1", "total": {exact}}}}}'
    made = await client.post("/documents", content=body, headers={"Content-Type": "application/json"})
    assert made.status_code == 201
    assert f'"total":{exact}' in made.text
    assert f'"total":{exact}' in (await client.get(f"/documents/{made.json()['id']}")).text


async def test_a_document_from_its_creation_to_its_end(client: httpx.AsyncClient) -> None:
    made = await create(client, total=5)
    path = f"/documents/{made['id']}"
    seen = await client.get(path)
    assert seen.headers["etag"] == '"1"'
    changed = await client.patch(path, json={"changes": {"total": 6}}, headers={"If-Match": '"1"'})
    assert (changed.status_code, changed.headers["etag"]) == (200, '"2"')
    stale = await client.patch(path, json={"changes": {"total": 7}}, headers={"If-Match": '"1"'})
    assert (stale.status_code, stale.json()["code"]) == (409, "version_conflict")
    whole = await client.put(path, json={"data": {"number": "2"}}, headers={"If-Match": '"2"'})
    assert whole.json()["data"] == {"number": "2"}
    versions = (await client.get(f"{path}/versions", params={"limit": 2})).json()
    assert [each["version"] for each in versions["items"]] == [3, 2]
    rest = await client.get(f"{path}/versions", params={"limit": 2, "cursor": versions["next_cursor"]})
    assert [each["version"] for each in rest.json()["items"]] == [1]
    assert (await client.get(f"{path}/versions/1")).json()["data"] == {"number": "1", "total": 5}
    assert (await client.get(f"{path}/compare", params={"before": 1, "after": 2})).json() == [
        {"field": "total", "before": 5, "after": 6, "masked": False}
    ]
    moved = await client.post(f"{path}/transitions", json={"transition": "submit", "reason": "ready"})
    assert moved.json()["doc_status"] == "submitted"
    amended = await client.post(f"{path}/amend", json={"changes": {"total": 1}})
    assert (amended.status_code, amended.json()["amended_from_id"]) == (201, made["id"])
    locked = await client.patch(path, json={"changes": {"total": 2}})
    assert (locked.status_code, locked.json()["code"]) == (409, "WORKFLOW_EDIT_LOCKED")
    assert locked.json()["amended_to"] == amended.json()["id"]
    gone = await client.delete(f"/documents/{amended.json()['id']}", params={"reason": "no longer needed"})
    assert gone.status_code == 200
    assert (await client.get(f"/documents/{amended.json()['id']}")).status_code == 404
    listed = (await client.get("/documents", params={"entity_type": "invoice", "doc_status": "amended"})).json()
    assert [each["id"] for each in listed["items"]] == [made["id"]]


async def test_the_same_key_makes_a_document_once(client: httpx.AsyncClient) -> None:
    body = {"entity_type": "invoice", "data": {"number": "1"}}
    headers = {"Idempotency-Key": "order-7"}
    first = await client.post("/documents", json=body, headers=headers)
    again = await client.post("/documents", json=body, headers=headers)
    assert first.json()["id"] == again.json()["id"]
    other = await client.post("/documents", json={**body, "data": {"number": "2"}}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (409, "already_exists")
    assert len((await client.get("/documents", params={"entity_type": "invoice"})).json()["items"]) == 1


async def test_problems_say_what_is_wrong(client: httpx.AsyncClient) -> None:
    made = await create(client)
    path = f"/documents/{made['id']}"
    cases: list[tuple[str, str, Any, dict[str, str], int, str, str]] = [
        ("POST", "/documents", {"entity_type": "invoice", "data": {}}, {}, 422, "invalid_document", "number"),
        ("POST", "/documents", {"entity_type": "invoice"}, {}, 422, "invalid_input", "data"),
        ("POST", "/documents", {"entity_type": "nothing", "data": {}}, {}, 404, "not_found", "nothing"),
        ("POST", "/documents", {"entity_type": "invoice", "data": {}, "x": 1}, {}, 422, "invalid_input", "x"),
        ("POST", "/documents", [], {}, 422, "invalid_input", "body"),
        ("GET", "/documents", None, {}, 422, "invalid_input", "entity_type"),
        ("GET", f"/documents/{uuid4()}", None, {}, 404, "not_found", "document"),
        ("GET", "/documents/7", None, {}, 422, "invalid_input", "document_id"),
        ("PATCH", path, {"changes": {"total": "x"}}, {}, 422, "invalid_document", "total"),
        ("PATCH", path, {"changes": {}}, {"If-Match": "x"}, 422, "invalid_input", "If-Match"),
        ("POST", f"{path}/transitions", {"transition": "fly"}, {}, 409, "conflict", "fly"),
        ("POST", f"{path}/transitions", {}, {}, 422, "invalid_input", "transition"),
        ("GET", f"{path}/versions/9", None, {}, 404, "not_found", "9"),
        ("PUT", "/contracts/other", {"document": {"type": "array"}}, {}, 422, "invalid_contract", "document"),
        ("PUT", "/contracts/a", {"entity_type": "b", "document": INVOICE}, {}, 422, "invalid_input", "another type"),
        (
            "PUT",
            "/rules/r",
            {"entity_type": "invoice", "timing": "before", "effect": "fly"},
            {},
            422,
            "invalid_input",
            "effect",
        ),
        (
            "PUT",
            "/rules/r",
            {"entity_type": "invoice", "timing": "before", "effect": "reject", "condition": "entity.nothing"},
            {},
            422,
            "invalid_expression",
            "nothing",
        ),
        ("DELETE", "/rules/none", None, {}, 404, "not_found", "none"),
        ("POST", "/definitions", {"entity_type": "nothing"}, {}, 404, "not_found", "nothing"),
        ("POST", "/definitions", {"entity_type": "invoice", "patches": {SLOT: 3}}, {}, 422, "compile_failed", SLOT),
        ("POST", "/automations", {"name": "A B"}, {}, 422, "invalid_input", "name"),
        ("POST", "/workflows/invoice/rollback", {"version": 0}, {}, 422, "invalid_input", "version"),
        ("POST", "/workflows/invoice/rollback", {"version": 99}, {}, 404, "not_found", "99"),
        ("POST", "/workflows/invoice/archive", None, {}, 409, "conflict", "skeleton"),
        ("GET", "/workflows/nothing", None, {}, 404, "not_found", "nothing"),
        ("GET", f"/definitions/{uuid4()}", None, {}, 404, "not_found", "definition"),
    ]
    for method, target, body, headers, status, code, mentions in cases:
        answer = await client.request(method, target, json=body, headers=headers)
        told = answer.json()
        assert (answer.status_code, told.get("code")) == (status, code), (method, target, answer.text)
        assert mentions in answer.text, (method, target, answer.text)
    broken = await client.post("/documents", content=b"{", headers={"Content-Type": "application/json"})
    assert (broken.status_code, broken.json()["code"]) == (422, "invalid_input")
    assert (await client.post("/documents", content=b'"\xff"')).status_code == 422


async def test_a_document_of_ten_megabytes_is_refused_with_the_limit(client: httpx.AsyncClient) -> None:
    body = json.dumps({"entity_type": "invoice", "data": {"number": "x" * 10_000_000}})
    answer = await client.post("/documents", content=body)
    assert (answer.status_code, answer.json()["code"]) == (413, "document_too_large")
    assert answer.json()["limit"] == 8 * 1024 * 1024


async def test_rules_over_http(client: httpx.AsyncClient) -> None:
    rule = {
        "entity_type": "invoice",
        "timing": "before",
        "effect": "reject",
        "condition": "entity.total > 100.5",
        "config": {"message": "too much"},
    }
    assert (await client.put("/rules/limit", json=rule)).json()["priority"] == 0
    made = await create(client, total=100)
    refused = await client.patch(f"/documents/{made['id']}", json={"changes": {"total": 101}})
    assert (refused.status_code, refused.json()["code"], refused.json()["rule"]) == (422, "rule_rejected", "limit")
    assert [each["name"] for each in (await client.get("/rules")).json()] == ["limit"]
    found = (await client.get(f"/documents/{made['id']}/rules")).json()
    assert [(each["rule_name"], each["matched"]) for each in found] == [("limit", False)]
    assert (await client.delete("/rules/limit")).status_code == 204


async def test_a_definition_from_draft_to_rollback(client: httpx.AsyncClient) -> None:
    draft = await client.post("/definitions", json={"entity_type": "invoice", "patches": {}})
    assert (draft.status_code, draft.headers["etag"]) == (201, '"1"')
    path = f"/definitions/{draft.json()['id']}"
    written = await client.put(path, json={"patches": PASS, "note": "fast"}, headers={"If-Match": '"1"'})
    assert (written.status_code, written.headers["etag"]) == (200, '"2"')
    assert (await client.get(f"{path}/review")).json()["ok"]
    published = await client.post(f"{path}/publish", headers={"If-Match": '"2"'})
    assert (published.status_code, published.json()["version"]) == (201, 2)
    current = (await client.get("/workflows/invoice")).json()
    assert current["id"] == published.json()["id"]
    compiled = (await client.get(f"/definitions/{current['id']}/compiled")).json()
    assert compiled["hash"] == current["compiled_hash"]
    shown = (await client.get(f"/definitions/{current['id']}/customisation")).json()
    assert "usr:slot:submitted_to_approved:pass" in shown["text"]
    first = (await client.get("/workflows/invoice", params={"version": 1})).json()
    assert (await client.get(f"/definitions/{first['id']}/diff/{current['id']}")).json()["slots"]
    back = await client.post("/workflows/invoice/rollback", json={"version": 1})
    assert back.json()["version"] == 3
    assert (await client.post("/workflows/invoice/recompile")).json()["version"] == 3
    again = await client.post("/workflows/invoice/rollback", json={"version": 2})
    archived = await client.post("/workflows/invoice/archive")
    assert archived.json()["version"] == again.json()["version"] + 1
    unknown = {"patches": {SLOT: {"nodes": [{"id": "a", "type": "fly", "config": {}}]}}}
    review = (await client.post("/workflows/invoice/validate", json=unknown)).json()
    assert "node.unknown_type" in {problem["code"] for problem in review["problems"]}
    page = (await client.get("/definitions", params={"entity_type": "invoice", "kind": "effective"})).json()
    assert [each["version"] for each in page["items"]] == [5, 4, 3, 2, 1]
    assert any(each["type"] == "approval" for each in (await client.get("/node-types")).json())


async def test_an_organisation_rebases_onto_a_new_contract(client: httpx.AsyncClient) -> None:
    draft = (await client.post("/definitions", json={"entity_type": "invoice", "patches": PASS})).json()
    await client.post(f"/definitions/{draft['id']}/publish")
    newer = {"version": 2, "title": "newer", "document": INVOICE}
    assert (await client.put("/contracts/invoice", json=newer)).json()["version"] == 2
    assert [each["version"] for each in (await client.get("/contracts")).json()] == [2, 1]
    assert (await client.get("/contracts/invoice", params={"version": 1})).json()["version"] == 1
    moved = await client.post(f"/definitions/{draft['id']}/rebase", json={})
    assert (moved.status_code, moved.json()["conflicts"]) == (201, [])
    assert moved.json()["draft"]["base_version"] == 2
    thrown = await client.delete(f"/definitions/{moved.json()['draft']['id']}")
    assert thrown.status_code == 204


async def test_an_automation_over_http(client: httpx.AsyncClient) -> None:
    patch = {"nodes": [{"id": "s", "type": "script", "config": {"assign": {"n": "payload.n"}}}]}
    made = await client.post("/automations", json={"name": "mirror", "patch": patch})
    assert made.status_code == 201
    assert (await client.post(f"/definitions/{made.json()['id']}/publish")).json()["automation"]


async def test_what_postgres_cannot_hold_is_refused_wherever_it_stands(ana: httpx.AsyncClient) -> None:
    """No name or number is so odd that it is our mistake."""
    for path in (
        "/documents?entity_type=%00",
        "/rules?entity_type=a%00b",
        "/contracts/%00",
        "/definitions?entity_type=%00",
        "/processes?workflow_id=%00",
        "/approval-chains/a%00b",
        "/users/%00/managers",
        "/contracts/bill?version=99999999999999999999",
    ):
        answer = await ana.get(f"/v1/acme{path}")
        assert answer.status_code == 422, path
    for path, body in (
        ("/documents", {"entity_type": "\0", "data": {}}),
        ("/definitions", {"entity_type": "\0"}),
        ("/processes", {"workflow_id": "\0"}),
        ("/processes", {"workflow_id": "\ud800"}),
        ("/process-events", {"key": "key", "payload": {"text": "\0"}}),
        ("/process-events", {"key": "key", "payload": {"text": "\ud800"}}),
    ):
        answer = await ana.post(
            f"/v1/acme{path}", content=json.dumps(body), headers={"content-type": "application/json"}
        )
        assert answer.status_code in (400, 422), (path, answer.text)


async def test_an_edit_that_became_an_amendment_says_so(client: httpx.AsyncClient) -> None:
    made = await create(client, total=5)
    path = f"/documents/{made['id']}"
    plain = await client.patch(path, json={"changes": {"total": 6}})
    assert (plain.status_code, plain.json()["amended"], "location" in plain.headers) == (200, False, False)
    edits: list[tuple[str, dict[str, Any]]] = [
        ("PATCH", {"changes": {"total": 7}}),
        ("PUT", {"data": {"number": "1", "total": 8}}),
    ]
    for verb, body in edits:
        made = await create(client, total=5)
        path = f"/documents/{made['id']}"
        moved = await client.post(f"{path}/transitions", json={"transition": "submit"})
        assert moved.json()["doc_status"] == "submitted"
        unchanged = await client.request(verb, path, json={"data": made["data"]} if verb == "PUT" else {"changes": {}})
        assert (unchanged.status_code, unchanged.json()["amended"]) == (200, False)
        amended = await client.request(verb, path, json=body)
        new = amended.json()
        assert amended.status_code == 201
        assert (new["amended"], new["amended_from_id"]) == (True, made["id"])
        assert new["id"] != made["id"]
        assert amended.headers["location"] == f"/v1/acme/documents/{new['id']}"
        found = await client.get(f"http://test{amended.headers['location']}")
        assert (found.json()["data"], found.json()["amended"]) == (new["data"], False)
