"""The HTTP interface: signed in or not, in one tenant or nowhere, and problems that say what to do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import psycopg
import pytest

from holdfast import Holdfast
from holdfast.http import build
from holdfast.http.failures import FailedSignIns
from holdfast.kernel.keyring import Keyring


@pytest.fixture
async def client(app: Holdfast) -> AsyncIterator[httpx.AsyncClient]:
    site = build(app)
    # Every route is tried with a wrong token.
    site.state.failed_sign_ins = FailedSignIns(100_000)
    transport = httpx.ASGITransport(site, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


async def sign_in(app: Holdfast, user: str = "ana", tenant: str = "acme", **arguments: Any) -> dict[str, str]:
    async with app.tenant(tenant) as hold:
        secret = (await hold.tokens.create(user, "test", **arguments)).secret
    return {"Authorization": f"Bearer {secret}"}


async def test_who_am_i(app: Holdfast, client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/me", headers=await sign_in(app, scopes=["data:read"]))
    assert answer.json() == {
        "tenant": "acme",
        "kind": "user",
        "name": "ana",
        "roles": ["admin"],
        "permissions": ["data:read"],
        "trace_url": None,
    }


async def test_what_is_kept_and_taken_is_told(app: Holdfast, client: httpx.AsyncClient) -> None:
    told = (await client.get("/v1/acme/limits", headers=await sign_in(app, scopes=["tenant:read"]))).json()
    found = {each["setting"]: (each["value"], each["unit"]) for each in told}
    assert found["run_retention"] == (app.settings.run_retention, "days")
    assert found["data_value_limit"] == (app.settings.data_value_limit, "bytes")
    assert (found["audit_retention_plain"], found["audit_retention_chained"]) == ((365, "days"), (None, "days"))


async def test_a_day_in_the_life_of_an_administrator(app: Holdfast, client: httpx.AsyncClient) -> None:
    client.headers.update(await sign_in(app))
    assert (await client.post("/v1/acme/users", json={"name": "ben", "roles": ["viewer"]})).status_code == 201
    assert (await client.put("/v1/acme/roles/finance", json={"permissions": ["audit:read"]})).status_code == 200
    assert (await client.put("/v1/acme/users/ben/roles/finance")).json()["roles"] == ["finance", "viewer"]
    assert (await client.patch("/v1/acme/users/ben", json={"display_name": "Ben"})).json()["display_name"] == "Ben"
    service = {"name": "erp", "kind": "service", "roles": ["viewer"]}
    assert (await client.post("/v1/acme/users", json=service)).status_code == 201
    made = await client.post("/v1/acme/tokens", json={"name": "its", "user": "erp", "days": 1})
    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    its = {"Authorization": f"Bearer {made.json()['secret']}"}
    assert (await client.get("/v1/me", headers=its)).json()["name"] == "erp"
    refused = await client.post("/v1/acme/users", json={"name": "x"}, headers=its)
    assert (refused.status_code, refused.json()["permission"]) == (403, "users:write")
    assert "secret" not in (await client.get("/v1/acme/tokens")).text
    assert (await client.delete(f"/v1/acme/tokens/{made.json()['token']['token_id']}")).json()["revoked_at"]
    assert (await client.get("/v1/me", headers=its)).status_code == 401
    assert (await client.delete("/v1/acme/users/ben/roles/finance")).json()["roles"] == ["viewer"]
    assert (await client.delete("/v1/acme/roles/finance")).status_code == 204
    assert (await client.patch("/v1/acme", json={"name": "Acme Ltd"})).json()["name"] == "Acme Ltd"
    assert (await client.get("/v1/acme")).json()["name"] == "Acme Ltd"
    events = (await client.get("/v1/acme/events?limit=3")).json()
    assert [event["event_type"] for event in events["items"]] == ["tenant.updated", "role.deleted", "user.role_revoked"]
    following = await client.get("/v1/acme/events", params={"limit": 3, "cursor": events["next_cursor"]})
    assert [event["event_type"] for event in following.json()["items"][:2]] == ["sign_in.failed", "token.revoked"]
    verdict = (await client.post("/v1/acme/audit/verify")).json()
    assert verdict["ok"]
    assert verdict["events"] > 10


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code", "mentions"),
    [
        ("POST", "/v1/acme/users", {}, 422, "invalid_input", "name"),
        ("POST", "/v1/acme/users", {"name": "a b"}, 422, "invalid_input", "name"),
        ("POST", "/v1/acme/users", {"name": "ben", "nmae": 1}, 422, "invalid_input", "nmae"),
        ("POST", "/v1/acme/users", {"name": "ana"}, 409, "already_exists", "ana"),
        ("POST", "/v1/acme/users", {"name": "ben", "roles": ["king"]}, 404, "not_found", "king"),
        ("GET", "/v1/acme/users/zoe", None, 404, "not_found", "zoe"),
        ("GET", "/v1/acme/users?limit=201", None, 422, "invalid_input", "limit"),
        ("GET", "/v1/acme/users?cursor=x", None, 422, "invalid_input", "cursor"),
        ("GET", "/v1/acme/events?object_id=7", None, 422, "invalid_input", "object_id"),
        ("DELETE", "/v1/acme/users/ana/roles/admin", None, 409, "conflict", "last administrator"),
        ("POST", "/v1/acme/tokens", {"name": "x", "days": 0}, 422, "invalid_input", "days"),
        ("DELETE", "/v1/acme/tokens/nonsense", None, 422, "invalid_input", "token_id"),
        ("GET", "/v1/acme/spaceships", None, 404, "not_found", "spaceships"),
        ("GET", "/v1/acme/users/%00", None, 422, "invalid_input", "NUL"),
        ("GET", "/v1/acme/sessions/%00", None, 422, "invalid_input", "NUL"),
        ("GET", "/v1/acme/session-definitions?tag=%00", None, 422, "invalid_input", "NUL"),
        ("GET", "/v1/acme/contracts/x?version=99999999999", None, 422, "invalid_input", "too large"),
        ("POST", "/v1/acme/sessions", {"workflow": "\0"}, 422, "invalid_input", "NUL"),
        ("PUT", "/v1/acme/users", None, 405, "method_not_allowed", ""),
    ],
)
async def test_problems_say_what_is_wrong(
    app: Holdfast,
    client: httpx.AsyncClient,
    method: str,
    path: str,
    body: dict[str, Any] | None,
    status: int,
    code: str,
    mentions: str,
) -> None:
    answer = await client.request(method, path, json=body, headers=await sign_in(app))
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert (answer.status_code, told["code"], told["status"]) == (status, code, status)
    assert mentions in answer.text
    assert status != 405 or set(answer.headers["allow"].split(", ")) <= {"GET", "POST"}
    async with app.tenant("acme") as hold:
        assert [user.name for user in (await hold.users.list()).items] == ["ana"]


async def test_broken_json_and_giants_are_refused(app: Holdfast, client: httpx.AsyncClient) -> None:
    headers = await sign_in(app) | {"Content-Type": "application/json"}
    broken = (await client.post("/v1/acme/users", content=b'{"name": ana}', headers=headers)).json()
    assert (broken["status"], broken["detail"]) == (422, "body: it is not JSON: Expecting value at character 9")
    assert (await client.post("/v1/acme/users", content=b'{"name": "\\u0000"}', headers=headers)).status_code == 422
    for unreadable in ('{"name": "josé"}'.encode("latin-1"), b"[" * 100_000, b"9" * 5_000):
        told = (await client.post("/v1/acme/users", content=unreadable, headers=headers)).json()
        assert (told["status"], told["code"]) == (422, "invalid_input")
        assert told["hint"]
    giant = headers | {"Content-Length": str(10**9)}
    assert (await client.post("/v1/acme/users", content=b"", headers=giant)).status_code == 413


async def test_a_giant_that_does_not_say_its_size_is_refused_before_it_is_all_there(
    app: Holdfast, client: httpx.AsyncClient
) -> None:
    sent = 0

    async def chunks() -> AsyncIterator[bytes]:
        nonlocal sent
        yield b'{"name": "'
        while sent < 40:
            sent += 1
            yield b"x" * 1_000_000
        yield b'"}'

    headers = await sign_in(app) | {"Content-Type": "application/json"}
    answer = await client.post("/v1/acme/users", content=chunks(), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert sent == 17


async def test_health_tells_alive_from_ready(app: Holdfast, client: httpx.AsyncClient) -> None:
    assert (await client.get("/healthz")).json()["status"] == "ok"
    assert (await client.get("/readyz")).status_code == 200
    await app.database._pool.close()
    assert (await client.get("/healthz")).status_code == 200
    assert (await client.get("/readyz")).status_code == 503


async def test_ready_without_keys_is_ready_with_a_warning(app: Holdfast, client: httpx.AsyncClient) -> None:
    assert (await client.get("/readyz")).json() == {"status": "ok"}
    app.keyring = Keyring()
    answer = await client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")
    assert "HOLDFAST_KEYS" in answer.json()["warnings"][0]


async def test_a_server_older_than_the_schema_is_not_ready_and_says_why(
    app: Holdfast, client: httpx.AsyncClient, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    superuser.execute("INSERT INTO holdfast.schema_migrations VALUES (9999, 'from_the_future', 'x', now(), 1)")
    answer = await client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["code"] == "schema_too_new"
    assert "9999_from_the_future" in answer.json()["detail"]
    assert "upgrade" in answer.json()["hint"]
    superuser.execute("DELETE FROM holdfast.schema_migrations WHERE version = 9999")
    assert (await client.get("/readyz")).status_code == 200


async def test_the_console_or_a_notice_is_served(client: httpx.AsyncClient) -> None:
    for path in ("/", "/users", "/any/page"):
        answer = await client.get(path)
        assert answer.status_code == 200
        assert "holdfast" in answer.text
    for path in ("/../pyproject.toml", "/%2e%2e/%2e%2e/__init__.py", "/assets/../../../app.py"):
        answer = await client.get(path)
        assert "import" not in answer.text.split("</head>")[-1]
        assert "requires-python" not in answer.text


async def test_the_reference_shows_every_route_and_loads_nothing_from_elsewhere(client: httpx.AsyncClient) -> None:
    page = await client.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "://" not in page.text
    assert "<script" not in page.text
    for path, methods in (await client.get("/openapi.json")).json()["paths"].items():
        for method in methods:
            assert f"<b>{method.upper()}</b><code>{path}</code>" in page.text


async def test_a_body_that_is_not_said_to_be_json_is_told_how_to_be(app: Holdfast, client: httpx.AsyncClient) -> None:
    headers = await sign_in(app) | {"Content-Type": "application/x-www-form-urlencoded"}
    answer = await client.post("/v1/acme/users", headers=headers, content='{"name": "ben"}')
    assert answer.status_code == 422
    assert "Content-Type: application/json" in answer.json()["hint"]
