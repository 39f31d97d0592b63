"""Who may do what: every route, for strangers and for each role, from one declaration.

A route that is not in `NEEDS` fails here: write down which permission it asks for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from harness.routes import path_of, v1_routes, whole_body
from holdfast import Holdfast
from holdfast.http import build
from holdfast.http.failures import FailedSignIns
from holdfast.kernel.actor import BUILT_IN_ROLES
from holdfast.kernel.clock import FakeClock

OPERATOR = "the installation's operator"
NEEDS: dict[str, str | None] = {
    "GET /v1/me": None,
    "GET /v1/permissions": None,
    "GET /v1/{tenant}": "tenant:read",
    "PATCH /v1/{tenant}": "tenant:write",
    "GET /v1/{tenant}/limits": "tenant:read",
    "GET /v1/{tenant}/users": "users:read",
    "POST /v1/{tenant}/users": "users:write",
    "GET /v1/{tenant}/users/{name}": "users:read",
    "PATCH /v1/{tenant}/users/{name}": "users:write",
    "POST /v1/{tenant}/users/{name}/deactivate": "users:write",
    "POST /v1/{tenant}/users/{name}/reactivate": "users:write",
    "PUT /v1/{tenant}/users/{name}/roles/{role}": "users:write",
    "DELETE /v1/{tenant}/users/{name}/roles/{role}": "users:write",
    "GET /v1/{tenant}/roles": "users:read",
    "PUT /v1/{tenant}/roles/{name}": "users:write",
    "PUT /v1/{tenant}/roles/{name}/grantable-by": "users:write",
    "DELETE /v1/{tenant}/roles/{name}": "users:write",
    "GET /v1/{tenant}/tokens": "tokens:read",
    "POST /v1/{tenant}/tokens": "tokens:own",
    "DELETE /v1/{tenant}/tokens/{token_id}": None,
    "GET /v1/{tenant}/sign-ins": None,
    "DELETE /v1/{tenant}/sign-ins/{sign_in_id}": None,
    "GET /v1/{tenant}/events": "audit:read",
    "POST /v1/{tenant}/audit/verify": "audit:read",
    "GET /v1/{tenant}/runs": "runs:read",
    "POST /v1/{tenant}/runs": "runs:write",
    "GET /v1/{tenant}/runs/stats": "runs:read",
    "GET /v1/{tenant}/runs/pauses": "runs:read",
    "POST /v1/{tenant}/runs/pauses": "runs:operate",
    "DELETE /v1/{tenant}/runs/pauses/{prefix}": "runs:operate",
    "GET /v1/{tenant}/runs/{run_id}": "runs:read",
    "POST /v1/{tenant}/runs/{run_id}/cancel": "runs:operate",
    "POST /v1/{tenant}/runs/{run_id}/retry": "runs:operate",
    "DELETE /v1/{tenant}/runs/{run_id}": "runs:operate",
    "GET /v1/{tenant}/schedules": "schedules:read",
    "POST /v1/{tenant}/schedules": "schedules:write",
    "POST /v1/{tenant}/schedules/preview": "schedules:read",
    "GET /v1/{tenant}/schedules/{name}": "schedules:read",
    "PATCH /v1/{tenant}/schedules/{name}": "schedules:write",
    "DELETE /v1/{tenant}/schedules/{name}": "schedules:write",
    "GET /v1/{tenant}/schedules/{name}/preview": "schedules:read",
    "POST /v1/{tenant}/schedules/{name}/pause": "schedules:write",
    "POST /v1/{tenant}/schedules/{name}/resume": "schedules:write",
    "POST /v1/{tenant}/schedules/{name}/fire": "schedules:write",
    "GET /v1/{tenant}/outbox": "outbox:read",
    "GET /v1/{tenant}/outbox/stats": "outbox:read",
    "POST /v1/{tenant}/outbox/replay": "outbox:operate",
    "GET /v1/{tenant}/outbox/{event_id}": "outbox:read",
    "POST /v1/{tenant}/outbox/{event_id}/replay": "outbox:operate",
    "POST /v1/{tenant}/outbox/{event_id}/skip": "outbox:operate",
    "GET /v1/{tenant}/data/namespaces": "data:read",
    "GET /v1/{tenant}/data/entries": "data:read",
    "GET /v1/{tenant}/data/entry": "data:read",
    "PUT /v1/{tenant}/data/entry": "data:write",
    "DELETE /v1/{tenant}/data/entry": "data:write",
    "GET /v1/{tenant}/data/history": "data:read",
    "POST /v1/{tenant}/data/increment": "data:write",
    "POST /v1/{tenant}/data/get": "data:read",
    "POST /v1/{tenant}/data/set": "data:write",
    "POST /v1/{tenant}/data/delete": "data:write",
    "GET /v1/{tenant}/data/rules": "data:read",
    "PUT /v1/{tenant}/data/rules": "data:operate",
    "GET /v1/{tenant}/data/changes": "data:read",
    "GET /v1/{tenant}/data/watch": "data:read",
    "GET /v1/{tenant}/data/export": "data:read",
    "POST /v1/{tenant}/data/import": "data:operate",
    "GET /v1/{tenant}/links": "data:read",
    "PUT /v1/{tenant}/links": "data:write",
    "POST /v1/{tenant}/links/lookup": "data:read",
    "POST /v1/{tenant}/links/delete": "data:write",
    "GET /v1/{tenant}/links/namespaces": "data:read",
    "GET /v1/{tenant}/actions": "actions:call",
    "GET /v1/{tenant}/actions/{name}": "actions:call",
    "POST /v1/{tenant}/actions/{name}": "actions:call",
    "GET /v1/{tenant}/suggestions/{source}": None,
    "GET /v1/{tenant}/session-definitions": "sessions:read",
    "GET /v1/{tenant}/session-definitions/{name}": "sessions:read",
    "GET /v1/{tenant}/sessions": "sessions:read",
    "POST /v1/{tenant}/sessions": "sessions:write",
    "GET /v1/{tenant}/sessions/{name}": "sessions:read",
    "GET /v1/{tenant}/sessions/{name}/output": "sessions:read",
    "DELETE /v1/{tenant}/sessions/{name}": "sessions:operate",
    "GET /v1/{tenant}/sessions/{name}/messages": "sessions:read",
    "GET /v1/{tenant}/sessions/{name}/events": "sessions:read",
    "GET /v1/{tenant}/sessions/{name}/prompts": "sessions:read",
    "POST /v1/{tenant}/sessions/{name}/answers": "sessions:write",
    "POST /v1/{tenant}/sessions/{name}/inputs": "sessions:write",
    "POST /v1/{tenant}/sessions/{name}/cancel": "sessions:write",
    "GET /v1/{tenant}/sessions/{name}/checkpoints": "sessions:read",
    "GET /v1/{tenant}/sessions/{name}/state": "sessions:read",
    "GET /v1/{tenant}/sessions/{name}/state/changes": "sessions:read",
    "GET /v1/{tenant}/sessions/{name}/graph": "sessions:read",
    "PATCH /v1/{tenant}/sessions/{name}/state": "sessions:operate",
    "POST /v1/{tenant}/sessions/{name}/fork": "sessions:operate",
    "GET /v1/{tenant}/sessions/{name}/storage": "sessions:read",
    "POST /v1/{tenant}/sessions/{name}/prune": "sessions:operate",
    "GET /v1/{tenant}/documents": "documents:read or documents:write",
    "POST /v1/{tenant}/documents": "documents:write",
    "GET /v1/{tenant}/documents/{document_id}": "documents:read or documents:write",
    "PATCH /v1/{tenant}/documents/{document_id}": "documents:write",
    "PUT /v1/{tenant}/documents/{document_id}": "documents:write",
    "DELETE /v1/{tenant}/documents/{document_id}": "documents:write",
    "POST /v1/{tenant}/documents/{document_id}/amend": "documents:write",
    "POST /v1/{tenant}/documents/{document_id}/transitions": "documents:write",
    "GET /v1/{tenant}/documents/{document_id}/versions": "documents:read or documents:write",
    "GET /v1/{tenant}/documents/{document_id}/versions/{version}": "documents:read or documents:write",
    "GET /v1/{tenant}/documents/{document_id}/compare": "documents:read or documents:write",
    "GET /v1/{tenant}/documents/{document_id}/rules": "documents:read or documents:write",
    "GET /v1/{tenant}/rules": "processes:read",
    "PUT /v1/{tenant}/rules/{name}": "processes:publish",
    "DELETE /v1/{tenant}/rules/{name}": "processes:publish",
    "GET /v1/{tenant}/contracts": "processes:read",
    "GET /v1/{tenant}/contracts/{entity_type}": "processes:read",
    "PUT /v1/{tenant}/contracts/{entity_type}": "processes:publish",
    "GET /v1/{tenant}/definitions": "processes:read",
    "POST /v1/{tenant}/definitions": "processes:design",
    "POST /v1/{tenant}/automations": "processes:design",
    "GET /v1/{tenant}/definitions/{definition_id}": "processes:read",
    "PUT /v1/{tenant}/definitions/{definition_id}": "processes:design",
    "DELETE /v1/{tenant}/definitions/{definition_id}": "processes:design",
    "GET /v1/{tenant}/definitions/{definition_id}/review": "processes:read",
    "POST /v1/{tenant}/definitions/{definition_id}/propose": "processes:design",
    "POST /v1/{tenant}/definitions/{definition_id}/publish": "processes:publish",
    "POST /v1/{tenant}/definitions/{definition_id}/rebase": "processes:design",
    "GET /v1/{tenant}/definitions/{definition_id}/customisation": "processes:read",
    "GET /v1/{tenant}/definitions/{definition_id}/compiled": "processes:read",
    "GET /v1/{tenant}/definitions/{before}/diff/{after}": "processes:read",
    "GET /v1/{tenant}/workflows/{entity_type}": "processes:read",
    "POST /v1/{tenant}/workflows/{entity_type}/validate": "processes:read",
    "POST /v1/{tenant}/workflows/{entity_type}/rollback": "processes:publish",
    "POST /v1/{tenant}/workflows/{entity_type}/archive": "processes:publish",
    "POST /v1/{tenant}/workflows/{entity_type}/recompile": "processes:operate",
    "GET /v1/{tenant}/node-types": "processes:read",
    "GET /v1/{tenant}/documents/{document_id}/amended": "documents:read or documents:write",
    "GET /v1/{tenant}/contracts/{entity_type}/skeleton": "processes:read",
    "GET /v1/{tenant}/palette": "processes:read",
    "GET /v1/{tenant}/workflows": "processes:read",
    "GET /v1/{tenant}/workflows/{entity_type}/figures": "processes:read",
    "GET /v1/{tenant}/org-chart": "users:read",
    "GET /v1/{tenant}/definitions/{definition_id}/canvas": "processes:read",
    "POST /v1/{tenant}/workflows/{entity_type}/canvas": "processes:read",
    "GET /v1/{tenant}/definitions/{draft_id}/editing": "processes:read",
    "PUT /v1/{tenant}/definitions/{draft_id}/editing": "processes:design",
    "DELETE /v1/{tenant}/definitions/{draft_id}/editing": "processes:design",
    "GET /v1/{tenant}/definitions/{definition_id}/changes": "processes:read",
    "GET /v1/{tenant}/workflows/{entity_type}/diff": "processes:read",
    "GET /v1/{tenant}/definitions/{definition_id}/upgrade": "processes:read",
    "POST /v1/{tenant}/definitions/{definition_id}/held-back/{slot}/resolve": "processes:design",
    "GET /v1/{tenant}/used-by": "processes:read",
    "GET /v1/{tenant}/templates": "processes:read",
    "GET /v1/{tenant}/templates/{name}": "processes:read",
    "POST /v1/{tenant}/templates/{name}/instantiate": "processes:design",
    "POST /v1/{tenant}/simulations": "processes:read",
    "GET /v1/{tenant}/workflows/{entity_type}/test-cases": "processes:read",
    "GET /v1/{tenant}/workflows/{entity_type}/test-cases/{name}": "processes:read",
    "PUT /v1/{tenant}/workflows/{entity_type}/test-cases/{name}": "processes:design",
    "DELETE /v1/{tenant}/workflows/{entity_type}/test-cases/{name}": "processes:design",
    "POST /v1/{tenant}/test-cases/run": "processes:read",
    "POST /v1/{tenant}/expressions/check": "processes:read",
    "POST /v1/{tenant}/expressions/complete": "processes:read",
    "POST /v1/{tenant}/expressions/format": "processes:read",
    "POST /v1/{tenant}/expressions/try": "processes:read",
    "POST /v1/{tenant}/what-ifs": "processes:design",
    "GET /v1/{tenant}/what-ifs": "processes:read",
    "GET /v1/{tenant}/what-ifs/{what_if_id}": "processes:read",
    "POST /v1/{tenant}/what-ifs/{what_if_id}/cancel": "processes:design",
    "DELETE /v1/{tenant}/what-ifs/{what_if_id}": "processes:design",
    "GET /v1/{tenant}/what-ifs/{what_if_id}/groups": "processes:read",
    "GET /v1/{tenant}/what-ifs/{what_if_id}/groups/{group_id}/documents": "processes:read",
    "GET /v1/{tenant}/what-ifs/{what_if_id}/documents/{replayed_id}": "processes:read",
    "GET /v1/{tenant}/processes/{instance_id}/projection": "processes:read",
    "GET /v1/{tenant}/triggers/{name}": "processes:read",
    "PATCH /v1/{tenant}/triggers/{name}": "processes:publish",
    "GET /v1/{tenant}/triggers/{name}/consequences": "processes:read",
    "GET /v1/{tenant}/processes": "processes:read",
    "POST /v1/{tenant}/processes": "processes:start",
    "GET /v1/{tenant}/processes/expired": "processes:read",
    "GET /v1/{tenant}/processes/stuck": "processes:read",
    "GET /v1/{tenant}/processes/health": "processes:read",
    "GET /v1/{tenant}/processes/{instance_id}": "processes:read",
    "GET /v1/{tenant}/processes/{instance_id}/steps": "processes:read",
    "GET /v1/{tenant}/processes/{instance_id}/waits": "processes:read",
    "GET /v1/{tenant}/processes/{instance_id}/options": "processes:read",
    "GET /v1/{tenant}/processes/{instance_id}/possibilities": "processes:read",
    "GET /v1/{tenant}/processes/{instance_id}/reasons": "processes:read",
    "POST /v1/{tenant}/processes/{instance_id}/advance": "processes:start",
    "POST /v1/{tenant}/processes/{instance_id}/pause": "processes:operate",
    "POST /v1/{tenant}/processes/{instance_id}/resume": "processes:operate",
    "POST /v1/{tenant}/processes/{instance_id}/cancel": "processes:operate",
    "POST /v1/{tenant}/processes/{instance_id}/fail": "processes:operate",
    "POST /v1/{tenant}/processes/{instance_id}/retry": "processes:operate",
    "POST /v1/{tenant}/processes/{instance_id}/rebuild": "processes:operate",
    "POST /v1/{tenant}/processes/{instance_id}/enqueue": "processes:operate",
    "POST /v1/{tenant}/processes/{instance_id}/migrate": "processes:operate",
    "POST /v1/{tenant}/process-events": "processes:start",
    "GET /v1/{tenant}/process-events/dead": "processes:read",
    "POST /v1/{tenant}/process-events/dead/replay": "processes:operate",
    "GET /v1/{tenant}/process-events/buffered": "processes:read",
    "POST /v1/{tenant}/process-events/{event_id}/replay": "processes:operate",
    "POST /v1/{tenant}/process-events/{event_id}/skip": "processes:operate",
    "GET /v1/{tenant}/triggers": "processes:read",
    "POST /v1/{tenant}/triggers": "processes:publish",
    "POST /v1/{tenant}/triggers/{name}/enable": "processes:publish",
    "DELETE /v1/{tenant}/triggers/{name}": "processes:publish",
    "GET /v1/{tenant}/inbox": "processes:read",
    "GET /v1/{tenant}/inbox/counts": "processes:read",
    "GET /v1/{tenant}/document-views": None,
    "PUT /v1/{tenant}/document-views/{name}": "documents:read",
    "DELETE /v1/{tenant}/document-views/{name}": None,
    "GET /v1/{tenant}/inbox/views": None,
    "PUT /v1/{tenant}/inbox/views/{name}": "processes:read",
    "DELETE /v1/{tenant}/inbox/views/{name}": None,
    "GET /v1/{tenant}/notifications": None,
    "GET /v1/{tenant}/notifications/unread": None,
    "POST /v1/{tenant}/notifications/read": None,
    "GET /v1/{tenant}/approvals": "processes:read",
    "GET /v1/{tenant}/approvals/{request_id}": "processes:read",
    "GET /v1/{tenant}/approvals/{request_id}/document": "processes:read",
    "POST /v1/{tenant}/approvals/{request_id}/decisions": "processes:approve",
    "POST /v1/{tenant}/approvals/decide": "processes:approve",
    "POST /v1/{tenant}/approvals/{request_id}/answer": "processes:approve",
    "POST /v1/{tenant}/approvals/{request_id}/claim": "processes:approve",
    "POST /v1/{tenant}/approvals/{request_id}/release": None,
    "POST /v1/{tenant}/approvals/{request_id}/reassign": None,
    "POST /v1/{tenant}/approvals/{request_id}/escalate": "processes:operate",
    "GET /v1/{tenant}/delegations": "processes:read",
    "POST /v1/{tenant}/delegations": "processes:approve",
    "DELETE /v1/{tenant}/delegations/{delegation_id}": None,
    "GET /v1/{tenant}/approval-chains": "processes:read",
    "GET /v1/{tenant}/approval-chains/{name}": "processes:read",
    "PUT /v1/{tenant}/approval-chains/{name}": "processes:publish",
    "DELETE /v1/{tenant}/approval-chains/{name}": "processes:publish",
    "GET /v1/{tenant}/users/{name}/managers": "users:read",
    "PUT /v1/{tenant}/users/{name}/manager": "users:write",
    "GET /v1/{tenant}/effects": "effects:read",
    "GET /v1/{tenant}/effects/{effect_id}": "effects:read",
    "POST /v1/{tenant}/effects/{effect_id}/replay": "effects:operate",
    "POST /v1/{tenant}/effects/{effect_id}/skip": "effects:operate",
    "GET /v1/{tenant}/secrets": "secrets:read",
    "PUT /v1/{tenant}/secrets/{name}": "secrets:write",
    "DELETE /v1/{tenant}/secrets/{name}": "secrets:write",
    "GET /v1/{tenant}/live": "processes:read",
    "GET /v1/{tenant}/health": None,
    "GET /v1/{tenant}/health/series": "runs:read",
    "GET /v1/{tenant}/health/incidents": None,
    "GET /v1/{tenant}/workers": "runs:read",
    "GET /v1/{tenant}/run-types": "runs:read",
    "POST /v1/{tenant}/operations/count": "runs:operate",
    "POST /v1/{tenant}/operations": "runs:operate",
    "GET /v1/{tenant}/operations": None,
    "GET /v1/{tenant}/operations/{operation_id}": None,
    "GET /v1/{tenant}/operations/{operation_id}/items": None,
    "POST /v1/{tenant}/operations/{operation_id}/cancel": None,
    "GET /v1/installation/tenants": OPERATOR,
    "POST /v1/installation/tenants": OPERATOR,
    "GET /v1/installation/workers": OPERATOR,
    "GET /v1/installation/health": OPERATOR,
    "GET /v1/installation/session-definitions": OPERATOR,
    "POST /v1/installation/session-definitions": OPERATOR,
    "GET /v1/installation/session-definitions/{name}": OPERATOR,
    "PUT /v1/installation/session-definitions/{name}": OPERATOR,
    "DELETE /v1/installation/session-definitions/{name}": OPERATOR,
    "GET /v1/installation/session-definitions/{name}/versions": OPERATOR,
    "POST /v1/installation/session-definitions/{name}/deprecate": OPERATOR,
    "POST /v1/installation/session-definitions/{name}/activate": OPERATOR,
}
"""The permission that a route asks for, whatever it is about. None: it depends on the object, or is everybody's own."""

OTHERWISE: dict[str, set[str]] = {"GET /v1/{tenant}/live": {"documents:read", "runs:read", "sessions:read"}}
"""Other permissions that will do."""
BODIES: dict[str, Any] = {"PUT /v1/{tenant}/roles/{name}/grantable-by": {"grantable_by": ["admin"]}}
"""Where the example of the schema would stand in the way of what follows."""
QUERY = {
    "namespace": "n",
    "queue": "runs",
    "kind": "action",
    "name": "x",
    "client": "x",
    "key": "k",
    "entity_type": "note",
    "before": "1",
    "after": "1",
    "reason": "x",
    "version": "1",
}
STREAMS = {"watch", "follow_live", "follow_session", "export"}


@pytest.fixture
async def client(app: Holdfast) -> AsyncIterator[httpx.AsyncClient]:
    site = build(app)
    # Every route is tried with a wrong token.
    site.state.failed_sign_ins = FailedSignIns(100_000)
    transport = httpx.ASGITransport(site, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


def test_every_route_is_in_the_declaration(app: Holdfast) -> None:
    known = {name for name, _ in v1_routes(app)}
    assert known - NEEDS.keys() == set(), "write into NEEDS which permission each of these asks for"
    assert NEEDS.keys() - known == set(), "these are not there any more: take them out of NEEDS"
    assert OTHERWISE.keys() <= NEEDS.keys()


# One server and one database for each of these: to make them takes longer than all the requests.


async def test_who_is_not_signed_in_gets_nowhere(app: Holdfast, client: httpx.AsyncClient) -> None:
    wrong = []
    for who in ("anonymous", "nonsense", "revoked", "deactivated", "expired"):
        # The clock goes on for the last one only: each is refused for what it is.
        secret = await secret_of(app, who)
        for name, route in v1_routes(app):
            answer = await ask(client, name, route, secret)
            if answer.status_code != 401 or answer.json()["code"] != "not_signed_in":
                wrong.append((who, name, answer.status_code, answer.text[:100]))
                continue
            assert answer.headers["content-type"] == "application/problem+json"
            assert "Bearer" in answer.headers["www-authenticate"]
    assert wrong == []


async def test_another_tenant_is_not_found(app: Holdfast, client: httpx.AsyncClient) -> None:
    secret = await secret_of(app, "admin")
    wrong = []
    for name, route in v1_routes(app):
        for tenant in ("globex", "nowhere") if "{tenant}" in name else ():
            answer = await ask(client, name, route, secret, tenant)
            if (answer.status_code, answer.json()["code"]) != (404, "tenant_not_found"):
                wrong.append((tenant, name, answer.status_code, answer.text[:100]))
    assert wrong == []
    async with app.tenant("globex") as hold:
        assert [user.name for user in (await hold.users.list()).items] == ["ana"]
        assert (await hold.users.get("ana")).roles == ["admin"]


async def test_a_role_may_what_its_permissions_say_and_nothing_else(app: Holdfast, client: httpx.AsyncClient) -> None:
    wrong = []
    for role in (*BUILT_IN_ROLES, "nobody"):
        wrong += [(role, *each) for each in await wrongly_answered(app, client, role)]
    assert wrong == []


async def wrongly_answered(app: Holdfast, client: httpx.AsyncClient, role: str) -> list[tuple[str, int, str]]:
    """The routes that let somebody of a role in who may not, or the other way round, or fail."""
    secret = await secret_of(app, role)
    held = BUILT_IN_ROLES.get(role, frozenset())
    wrong = []
    for name, route in v1_routes(app):
        needed = NEEDS.get(name)
        if needed == OPERATOR:
            if (await ask(client, name, route, secret)).status_code != 401:
                wrong.append((name, 0, "opened by a token of a tenant"))
            continue
        wanted = set() if needed is None else set(needed.split(" or ")) | OTHERWISE.get(name, set())
        if route.name in STREAMS and held & wanted:
            continue  # They would go on for ever; other tests read them.
        answer = await ask(client, name, route, secret)
        refused = answer.status_code == 403
        if (
            answer.status_code in (401, 428)
            or answer.status_code >= 500
            or refused != (bool(wanted) and not held & wanted)
        ):
            wrong.append((name, answer.status_code, answer.text[:200]))
    return wrong


async def secret_of(app: Holdfast, who: str) -> str | None:
    """A token of somebody in one of these roles, or one that is no good."""
    if who == "anonymous":
        return None
    if who == "nonsense":
        return "holdfast_nonsense"
    async with app.tenant("acme") as hold:
        name = f"some-{who}"
        await hold.users.create(name, roles=[who] if who in BUILT_IN_ROLES else [] if who == "nobody" else ["admin"])
        made = await hold.tokens.create(name, "test")
        if who == "revoked":
            await hold.tokens.revoke(made.token.token_id)
        if who == "deactivated":
            await hold.users.deactivate(name)
    if who == "expired":
        assert isinstance(app.clock, FakeClock)
        app.clock.advance(timedelta(days=91))
    return made.secret


async def ask(
    client: httpx.AsyncClient, name: str, route: APIRoute, secret: str | None, tenant: str = "acme"
) -> httpx.Response:
    """A request for a route that is well formed and finds nothing."""
    known = {field.alias for field in route.dependant.query_params if field.field_info.is_required()}
    headers = ({"If-Match": "*"} if "_id}" in name else {}) | (
        {} if secret is None else {"Authorization": f"Bearer {secret}"}
    )
    return await client.request(
        name.split()[0],
        path_of(route, tenant),
        params={each: QUERY[each] for each in known},
        json=BODIES.get(name, whole_body(route)),
        headers=headers,
    )
