"""The installation's operator: an identity of its own, that sees every tenant's figures and no tenant's content."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import psycopg
import pytest
from psycopg import AsyncConnection

from harness.commands import Commands
from holdfast import Holdfast
from holdfast.access.installation import InstallationTokens
from holdfast.http import build

IMAGE = {"displayName": "Helper", "containerImage": "quay.io/acme/helper:v1.0.0", "inputSchema": {"type": "object"}}


@pytest.fixture
async def root(app: Holdfast, holdfast_dsn: str) -> AsyncIterator[httpx.AsyncClient]:
    """The operator of the installation, signed in."""
    async with await AsyncConnection.connect(holdfast_dsn, autocommit=True) as connection:
        secret = (await InstallationTokens(connection).create("root", by="system:test")).secret
    transport = httpx.ASGITransport(build(app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        client.headers["Authorization"] = f"Bearer {secret}"
        yield client


def paths(app: Holdfast) -> list[tuple[str, str]]:
    described = build(app).openapi()["paths"]
    return [
        (method.upper(), path.replace("{name}", "helper"))
        for path, methods in described.items()
        if path.startswith("/v1/installation")
        for method in methods
    ]


async def test_no_tenants_token_opens_the_installation_and_the_operators_opens_no_tenant(
    app: Holdfast, ana: httpx.AsyncClient, root: httpx.AsyncClient
) -> None:
    asked = paths(app)
    assert len(asked) >= 10
    for method, path in asked:
        refused = await ana.request(method, path, json={})
        assert refused.status_code == 401, (method, path)
    for path in ("/v1/me", "/v1/acme", "/v1/acme/runs", "/v1/acme/health", "/v1/acme/users"):
        assert (await root.get(path)).status_code == 401, path


async def test_tenants_workers_and_health_of_all_are_told_without_content(
    app: Holdfast, root: httpx.AsyncClient
) -> None:
    async with app.tenant("acme") as hold:
        await hold.runs.enqueue("secret.plan.v1", {"what": "content"})
        await hold.configure(settings={"motto": "content"})
    made = await root.post("/v1/installation/tenants", json={"slug": "initech", "name": "Initech"})
    assert (made.status_code, made.headers["Location"]) == (201, "/v1/initech")
    tenants = await root.get("/v1/installation/tenants")
    assert [each["slug"] for each in tenants.json()] == ["acme", "globex", "initech"]
    health = await root.get("/v1/installation/health", params={"limit": 2})
    first = health.json()["items"][0]
    runs = next(each for each in first["queues"] if each["queue"] == "runs")
    assert (first["tenant"], runs["pending"]) == ("acme", 1)
    rest = await root.get("/v1/installation/health", params={"cursor": health.json()["next_cursor"]})
    assert [each["tenant"] for each in rest.json()["items"]] == ["initech"]
    workers = await root.get("/v1/installation/workers")
    assert workers.json() == []
    for answer in (tenants, health, rest, workers):
        assert "content" not in answer.text


async def test_the_registry_is_written_with_its_400_and_409(app: Holdfast, root: httpx.AsyncClient) -> None:
    app.settings = app.settings.model_copy(update={"allowed_registries": ("quay.io",)})
    where = "/v1/installation/session-definitions"
    made = await root.post(where, json=IMAGE | {"name": "helper"})
    assert (made.status_code, made.json()["revision"]) == (201, 1)
    assert made.headers["Location"] == f"{where}/helper"
    again = await root.post(where, json=IMAGE | {"name": "helper", "displayName": "Other"})
    assert (again.status_code, again.json()["code"]) == (409, "already_exists")
    for member, value in (("containerImage", "evil.example/x:v1"), ("inputSchema", {"type": "nonsense"})):
        wrong = await root.post(where, json=IMAGE | {"name": "wrong", member: value})
        assert (wrong.status_code, wrong.json()["field"].startswith(member)) == (400, True), wrong.text
    changed = await root.put(f"{where}/helper", json=IMAGE | {"displayName": "Better"})
    assert (changed.json()["revision"], changed.json()["display_name"]) == (2, "Better")
    assert (await root.put(f"{where}/nobody", json=IMAGE)).status_code == 404
    assert len((await root.get(f"{where}/helper/versions")).json()) == 2
    assert (await root.post(f"{where}/helper/deprecate", json={"reason": "old"})).json()["phase"] == "Deprecated"
    assert (await root.post(f"{where}/helper/activate")).json()["phase"] == "Active"
    async with app.tenant("acme") as hold:
        await hold.sessions.start("helper", {})
    busy = await root.delete(f"{where}/helper")
    assert (busy.status_code, "active sessions" in busy.json()["detail"]) == (409, True)
    async with app.tenant("acme") as hold:
        (session,) = (await hold.sessions.list()).items
        await hold.sessions.cancel(session.session_name)
    assert (await root.delete(f"{where}/helper")).status_code == 204
    assert (await root.get(f"{where}/helper")).status_code == 404


async def test_a_token_is_made_and_ended_on_the_command_line_alone(
    app: Holdfast, commands: Commands, holdfast_dsn: str, superuser: psycopg.Connection[Any]
) -> None:
    def holdfast(*words: str) -> str:
        done = commands.run(*words, HOLDFAST_DSN=holdfast_dsn)
        assert done.returncode == 0, done
        return done.stdout

    secret = holdfast("installation", "add-token", "root").strip()
    assert await app.installation_operator(secret) == "root"
    stored = superuser.execute("SELECT * FROM holdfast.installation_token").fetchall()
    assert secret not in str(stored)
    (listed,) = json.loads(holdfast("installation", "tokens", "--json"))
    assert "root" in holdfast("installation", "revoke-token", listed["token_id"])
    transport = httpx.ASGITransport(build(app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        ended = await client.get("/v1/installation/tenants", headers={"Authorization": f"Bearer {secret}"})
    assert ended.status_code == 401
    # The login of a server or a worker cannot make one, whatever code it runs.
    for role in ("holdfast_app", "holdfast_worker"):
        for right in ("SELECT", "INSERT", "UPDATE", "DELETE"):
            row = superuser.execute(
                "SELECT has_table_privilege(%s, 'holdfast.installation_token', %s) AS may", [role, right]
            ).fetchone()
            assert row == {"may": False}, (role, right)


async def test_no_tenant_is_called_installation(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    with pytest.raises(Exception, match="reserved"):
        await app.tenants.create("installation")
    with pytest.raises(psycopg.errors.CheckViolation):
        superuser.execute(
            "INSERT INTO holdfast.tenants (tenant, slug, name) VALUES (gen_random_uuid(), 'installation', 'x')"
        )
