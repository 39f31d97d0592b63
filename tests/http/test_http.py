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


NOBODY = "00000000-0000-0000-0000-000000000000"
ROUTES = [
    ("GET", "/v1/{t}"),
    ("PATCH", "/v1/{t}"),
    ("GET", "/v1/{t}/users"),
    ("POST", "/v1/{t}/users"),
    ("GET", "/v1/{t}/users/ana"),
    ("PATCH", "/v1/{t}/users/ana"),
    ("POST", "/v1/{t}/users/ana/deactivate"),
    ("POST", "/v1/{t}/users/ana/reactivate"),
    ("PUT", "/v1/{t}/users/ana/roles/viewer"),
    ("DELETE", "/v1/{t}/users/ana/roles/admin"),
    ("GET", "/v1/{t}/roles"),
    ("PUT", "/v1/{t}/roles/mine"),
    ("PUT", "/v1/{t}/roles/mine/grantable-by"),
    ("DELETE", "/v1/{t}/roles/mine"),
    ("GET", "/v1/{t}/tokens"),
    ("POST", "/v1/{t}/tokens"),
    ("DELETE", "/v1/{t}/tokens/00000000-0000-0000-0000-000000000000"),
    ("GET", "/v1/{t}/documents?entity_type=x"),
    ("POST", "/v1/{t}/documents"),
    ("GET", f"/v1/{{t}}/documents/{NOBODY}"),
    ("PATCH", f"/v1/{{t}}/documents/{NOBODY}"),
    ("PUT", f"/v1/{{t}}/documents/{NOBODY}"),
    ("DELETE", f"/v1/{{t}}/documents/{NOBODY}"),
    ("POST", f"/v1/{{t}}/documents/{NOBODY}/amend"),
    ("POST", f"/v1/{{t}}/documents/{NOBODY}/transitions"),
    ("GET", f"/v1/{{t}}/documents/{NOBODY}/versions"),
    ("GET", f"/v1/{{t}}/documents/{NOBODY}/versions/1"),
    ("GET", f"/v1/{{t}}/documents/{NOBODY}/compare?before=1&after=2"),
    ("GET", f"/v1/{{t}}/documents/{NOBODY}/rules"),
    ("GET", "/v1/{t}/rules"),
    ("PUT", "/v1/{t}/rules/r"),
    ("DELETE", "/v1/{t}/rules/r"),
    ("GET", "/v1/{t}/contracts"),
    ("GET", "/v1/{t}/contracts/x"),
    ("PUT", "/v1/{t}/contracts/x"),
    ("GET", "/v1/{t}/definitions"),
    ("POST", "/v1/{t}/definitions"),
    ("POST", "/v1/{t}/automations"),
    ("GET", f"/v1/{{t}}/definitions/{NOBODY}"),
    ("PUT", f"/v1/{{t}}/definitions/{NOBODY}"),
    ("DELETE", f"/v1/{{t}}/definitions/{NOBODY}"),
    ("GET", f"/v1/{{t}}/definitions/{NOBODY}/review"),
    ("POST", f"/v1/{{t}}/definitions/{NOBODY}/publish"),
    ("POST", f"/v1/{{t}}/definitions/{NOBODY}/rebase"),
    ("GET", f"/v1/{{t}}/definitions/{NOBODY}/customisation"),
    ("GET", f"/v1/{{t}}/definitions/{NOBODY}/compiled"),
    ("GET", f"/v1/{{t}}/definitions/{NOBODY}/diff/{NOBODY}"),
    ("GET", "/v1/{t}/workflows/x"),
    ("POST", "/v1/{t}/workflows/x/validate"),
    ("POST", "/v1/{t}/workflows/x/rollback"),
    ("POST", "/v1/{t}/workflows/x/archive"),
    ("POST", "/v1/{t}/workflows/x/recompile"),
    ("GET", "/v1/{t}/node-types"),
    ("GET", "/v1/{t}/processes"),
    ("POST", "/v1/{t}/processes"),
    ("GET", "/v1/{t}/processes/expired"),
    ("GET", "/v1/{t}/processes/stuck"),
    ("GET", "/v1/{t}/processes/health"),
    ("GET", f"/v1/{{t}}/processes/{NOBODY}"),
    ("GET", f"/v1/{{t}}/processes/{NOBODY}/steps"),
    ("GET", f"/v1/{{t}}/processes/{NOBODY}/waits"),
    ("GET", f"/v1/{{t}}/processes/{NOBODY}/options"),
    ("GET", f"/v1/{{t}}/processes/{NOBODY}/reasons"),
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/advance"),
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/pause"),
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/resume"),
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/cancel"),
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/fail"),
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/retry"),
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/rebuild"),
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/enqueue"),
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/migrate"),
    ("POST", "/v1/{t}/process-events"),
    ("POST", f"/v1/{{t}}/process-events/{NOBODY}/replay"),
    ("GET", "/v1/{t}/triggers"),
    ("POST", "/v1/{t}/triggers"),
    ("POST", "/v1/{t}/triggers/mine/enable"),
    ("DELETE", "/v1/{t}/triggers/mine"),
    ("GET", "/v1/{t}/inbox"),
    ("GET", "/v1/{t}/inbox/counts"),
    ("GET", "/v1/{t}/inbox/views"),
    ("PUT", "/v1/{t}/inbox/views/x"),
    ("DELETE", "/v1/{t}/inbox/views/x"),
    ("GET", "/v1/{t}/live"),
    ("GET", "/v1/{t}/notifications/unread"),
    ("GET", "/v1/{t}/process-events/dead"),
    ("POST", "/v1/{t}/process-events/dead/replay"),
    ("GET", "/v1/{t}/process-events/buffered"),
    ("GET", f"/v1/{{t}}/processes/{NOBODY}/possibilities"),
    ("GET", "/v1/{t}/notifications"),
    ("POST", "/v1/{t}/notifications/read"),
    ("GET", "/v1/{t}/approvals"),
    ("GET", f"/v1/{{t}}/approvals/{NOBODY}"),
    ("GET", f"/v1/{{t}}/approvals/{NOBODY}/document"),
    ("POST", "/v1/{t}/approvals/decide"),
    ("POST", f"/v1/{{t}}/approvals/{NOBODY}/decisions"),
    ("POST", f"/v1/{{t}}/approvals/{NOBODY}/answer"),
    ("POST", f"/v1/{{t}}/approvals/{NOBODY}/claim"),
    ("POST", f"/v1/{{t}}/approvals/{NOBODY}/release"),
    ("POST", f"/v1/{{t}}/approvals/{NOBODY}/reassign"),
    ("POST", f"/v1/{{t}}/approvals/{NOBODY}/escalate"),
    ("GET", "/v1/{t}/delegations"),
    ("POST", "/v1/{t}/delegations"),
    ("DELETE", f"/v1/{{t}}/delegations/{NOBODY}"),
    ("GET", "/v1/{t}/approval-chains"),
    ("GET", "/v1/{t}/approval-chains/mine"),
    ("PUT", "/v1/{t}/approval-chains/mine"),
    ("DELETE", "/v1/{t}/approval-chains/mine"),
    ("GET", "/v1/{t}/users/ana/managers"),
    ("PUT", "/v1/{t}/users/ana/manager"),
    ("GET", "/v1/{t}/effects"),
    ("GET", f"/v1/{{t}}/effects/{NOBODY}"),
    ("POST", f"/v1/{{t}}/effects/{NOBODY}/replay"),
    ("GET", "/v1/{t}/secrets"),
    ("PUT", "/v1/{t}/secrets/mine"),
    ("DELETE", "/v1/{t}/secrets/mine"),
    ("GET", "/v1/{t}/events"),
    ("POST", "/v1/{t}/audit/verify"),
    ("GET", "/v1/{t}/outbox"),
    ("GET", "/v1/{t}/outbox/stats"),
    ("POST", "/v1/{t}/outbox/replay"),
    ("GET", "/v1/{t}/outbox/00000000-0000-0000-0000-000000000000"),
    ("POST", "/v1/{t}/outbox/00000000-0000-0000-0000-000000000000/replay"),
    ("POST", "/v1/{t}/outbox/00000000-0000-0000-0000-000000000000/skip"),
    ("GET", "/v1/{t}/runs"),
    ("POST", "/v1/{t}/runs"),
    ("GET", "/v1/{t}/runs/stats"),
    ("GET", "/v1/{t}/runs/pauses"),
    ("POST", "/v1/{t}/runs/pauses"),
    ("DELETE", "/v1/{t}/runs/pauses/demo."),
    ("GET", "/v1/{t}/runs/00000000-0000-0000-0000-000000000000"),
    ("POST", "/v1/{t}/runs/00000000-0000-0000-0000-000000000000/cancel"),
    ("POST", "/v1/{t}/runs/00000000-0000-0000-0000-000000000000/retry"),
    ("DELETE", "/v1/{t}/runs/00000000-0000-0000-0000-000000000000?reason=x"),
    ("GET", "/v1/{t}/schedules"),
    ("POST", "/v1/{t}/schedules"),
    ("POST", "/v1/{t}/schedules/preview"),
    ("GET", "/v1/{t}/schedules/mine"),
    ("PATCH", "/v1/{t}/schedules/mine"),
    ("DELETE", "/v1/{t}/schedules/mine"),
    ("GET", "/v1/{t}/schedules/mine/preview"),
    ("POST", "/v1/{t}/schedules/mine/pause"),
    ("POST", "/v1/{t}/schedules/mine/resume"),
    ("POST", "/v1/{t}/schedules/mine/fire"),
    ("GET", "/v1/{t}/data/namespaces"),
    ("GET", "/v1/{t}/data/entries?namespace=n"),
    ("GET", "/v1/{t}/data/entry?namespace=n&key=k"),
    ("PUT", "/v1/{t}/data/entry?namespace=n&key=k"),
    ("DELETE", "/v1/{t}/data/entry?namespace=n&key=k"),
    ("POST", "/v1/{t}/data/increment"),
    ("POST", "/v1/{t}/data/get"),
    ("POST", "/v1/{t}/data/set"),
    ("POST", "/v1/{t}/data/delete"),
    ("GET", "/v1/{t}/data/rules?namespace=n"),
    ("PUT", "/v1/{t}/data/rules"),
    ("GET", "/v1/{t}/data/changes?namespace=n"),
    ("GET", "/v1/{t}/data/watch?namespace=n"),
    ("GET", "/v1/{t}/data/export"),
    ("POST", "/v1/{t}/data/import"),
    ("GET", "/v1/{t}/links?namespace=n"),
    ("PUT", "/v1/{t}/links"),
    ("POST", "/v1/{t}/links/lookup"),
    ("POST", "/v1/{t}/links/delete"),
    ("GET", "/v1/{t}/links/namespaces"),
    ("GET", "/v1/{t}/actions"),
    ("GET", "/v1/{t}/actions/store.get"),
    ("POST", "/v1/{t}/actions/store.get"),
    ("GET", "/v1/{t}/suggestions/links.types"),
    ("GET", "/v1/{t}/session-definitions"),
    ("GET", "/v1/{t}/session-definitions/chain"),
    ("GET", "/v1/{t}/sessions"),
    ("POST", "/v1/{t}/sessions"),
    ("GET", "/v1/{t}/sessions/s"),
    ("DELETE", "/v1/{t}/sessions/s"),
    ("GET", "/v1/{t}/sessions/s/output"),
    ("GET", "/v1/{t}/sessions/s/messages"),
    ("GET", "/v1/{t}/sessions/s/events"),
    ("GET", "/v1/{t}/sessions/s/prompts"),
    ("POST", "/v1/{t}/sessions/s/answers"),
    ("POST", "/v1/{t}/sessions/s/inputs"),
    ("POST", "/v1/{t}/sessions/s/cancel"),
    ("GET", "/v1/{t}/sessions/s/checkpoints"),
    ("GET", "/v1/{t}/sessions/s/state"),
    ("PATCH", "/v1/{t}/sessions/s/state"),
    ("POST", "/v1/{t}/sessions/s/fork"),
    ("GET", "/v1/{t}/sessions/s/storage"),
    ("POST", "/v1/{t}/sessions/s/prune"),
]
_RECORD = {"type": "t", "id": "a"}
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("PATCH", "/v1/{t}"): {"name": "x"},
    ("POST", "/v1/{t}/users"): {"name": "new"},
    ("PATCH", "/v1/{t}/users/ana"): {"display_name": "x"},
    ("PUT", "/v1/{t}/roles/mine"): {"permissions": ["data:read"]},
    ("POST", "/v1/{t}/tokens"): {"name": "x"},
    ("POST", "/v1/{t}/outbox/replay"): {},
    ("POST", "/v1/{t}/outbox/00000000-0000-0000-0000-000000000000/skip"): {"reason": "x"},
    ("POST", "/v1/{t}/runs"): {"type": "x"},
    ("POST", "/v1/{t}/runs/pauses"): {"prefix": "x"},
    ("POST", "/v1/{t}/schedules"): {"name": "x", "type": "x", "cron": "@daily"},
    ("POST", "/v1/{t}/schedules/preview"): {"cron": "@daily"},
    ("PATCH", "/v1/{t}/schedules/mine"): {"priority": 1},
    ("PUT", "/v1/{t}/data/entry?namespace=n&key=k"): {"value": 1},
    ("POST", "/v1/{t}/data/increment"): {"namespace": "n", "key": "k"},
    ("POST", "/v1/{t}/data/get"): {"namespace": "n", "keys": ["k"]},
    ("POST", "/v1/{t}/data/set"): {"namespace": "n", "entries": []},
    ("POST", "/v1/{t}/data/delete"): {"namespace": "n", "keys": ["k"]},
    ("PUT", "/v1/{t}/data/rules"): {"namespace": "n"},
    ("PUT", "/v1/{t}/links"): {"namespace": "n", "from": _RECORD, "to": _RECORD},
    ("POST", "/v1/{t}/links/lookup"): {"namespace": "n", "from": _RECORD},
    ("POST", "/v1/{t}/links/delete"): {"namespace": "n", "from": _RECORD},
    ("POST", "/v1/{t}/actions/store.get"): {"namespace": "n", "key": "k"},
    ("POST", "/v1/{t}/sessions"): {"workflow": "chain"},
    ("POST", "/v1/{t}/sessions/s/answers"): {"value": 1},
    ("POST", "/v1/{t}/sessions/s/inputs"): {"input": {}},
    ("POST", "/v1/{t}/sessions/s/cancel"): {},
    ("PATCH", "/v1/{t}/sessions/s/state"): {"values": {"n": 1}},
    ("POST", "/v1/{t}/sessions/s/fork"): {},
    ("POST", "/v1/{t}/notifications/read"): {"ids": []},
    ("PUT", "/v1/{t}/inbox/views/x"): {"filters": {}},
    ("POST", "/v1/{t}/process-events/dead/replay"): {},
    ("POST", "/v1/{t}/processes"): {"workflow_id": "x"},
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/advance"): {"event": "x"},
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/pause"): {"reason": "x"},
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/cancel"): {"reason": "x"},
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/fail"): {"reason": "x"},
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/retry"): {},
    ("POST", f"/v1/{{t}}/processes/{NOBODY}/migrate"): {"definition_id": NOBODY, "version": 1},
    ("POST", "/v1/{t}/process-events"): {"key": "x"},
    ("POST", "/v1/{t}/triggers"): {"name": "x", "workflow_id": "x", "trigger_type": "manual"},
    ("POST", "/v1/{t}/approvals/decide"): {
        "decision": "approved",
        "requests": [{"request_id": NOBODY, "entity_version": 1}],
    },
    ("POST", f"/v1/{{t}}/approvals/{NOBODY}/decisions"): {"decision": "approved", "entity_version": 1},
    ("POST", f"/v1/{{t}}/approvals/{NOBODY}/answer"): {"data": {}},
    ("POST", f"/v1/{{t}}/approvals/{NOBODY}/reassign"): {"to": "ben", "reason": "x"},
    ("POST", f"/v1/{{t}}/approvals/{NOBODY}/escalate"): {"to": "ben", "reason": "x"},
    ("POST", "/v1/{t}/delegations"): {"delegate": "ben", "ends_at": "2099-01-01T00:00:00Z"},
    ("PUT", "/v1/{t}/approval-chains/mine"): {"stages": [{"name": "x", "approvers": [{"kind": "user", "user": "b"}]}]},
    ("PUT", "/v1/{t}/users/ana/manager"): {"manager": None},
    ("PUT", "/v1/{t}/roles/mine/grantable-by"): {"grantable_by": ["admin"]},
    ("PUT", "/v1/{t}/secrets/mine"): {"secret": "whsec_c2l4dGVlbi1vci1tb3JlLXJhbmRvbS1ieXRlcyE=", "hosts": ["a"]},
}


def test_every_route_of_a_tenant_is_in_the_list(app: Holdfast) -> None:
    paths: dict[str, dict[str, Any]] = build(app).openapi()["paths"]
    known = sum(len(methods) for path, methods in paths.items() if path.startswith("/v1/{tenant}"))
    assert known == len(ROUTES)


@pytest.mark.parametrize("authorization", [None, "Bearer holdfast_nonsense", "Basic YTpi"])
async def test_without_a_token_nobody_gets_in(client: httpx.AsyncClient, authorization: str | None) -> None:
    headers = {"Authorization": authorization} if authorization else {}
    for method, path in ROUTES:
        answer = await client.request(method, path.format(t="acme"), headers=headers, json=BODIES.get((method, path)))
        assert answer.status_code == 401, (method, path)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["code"] == "not_signed_in"
        assert "Bearer" in answer.headers["www-authenticate"]


@pytest.mark.parametrize("tenant", ["globex", "nowhere"])
async def test_another_tenant_is_not_found(app: Holdfast, client: httpx.AsyncClient, tenant: str) -> None:
    headers = await sign_in(app)
    for method, path in ROUTES:
        answer = await client.request(method, path.format(t=tenant), headers=headers, json=BODIES.get((method, path)))
        assert (answer.status_code, answer.json()["code"]) == (404, "tenant_not_found"), (method, path)
    async with app.tenant("globex") as hold:
        assert [user.name for user in (await hold.users.list()).items] == ["ana"]
        assert (await hold.users.get("ana")).roles == ["admin"]


async def test_who_am_i(app: Holdfast, client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/me", headers=await sign_in(app, scopes=["data:read"]))
    assert answer.json() == {
        "tenant": "acme",
        "kind": "user",
        "name": "ana",
        "roles": ["admin"],
        "permissions": ["data:read"],
    }


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
