"""Approvals, inbox and effects over HTTP and on the command line."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import psycopg
import pytest

from harness.commands import Commands, Done
from holdfast.http import build
from holdfast.kernel.keyring import new_key
from people.office import FINANCE, Office

SECRET = "whsec_c2l4dGVlbi1vci1tb3JlLXJhbmRvbS1ieXRlcyE="


@pytest.fixture
async def client(office: Office) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build(office.app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme") as client:
        yield client


async def sign_in(office: Office, user: str) -> dict[str, str]:
    async with office.app.tenant("acme") as hold:
        secret = (await hold.tokens.create(user, f"test-{user}")).secret
    return {"Authorization": f"Bearer {secret}"}


async def test_somebody_finds_reads_and_decides_what_waits_for_them(office: Office, client: httpx.AsyncClient) -> None:
    await office.publish(FINANCE)
    document, _, request = await office.asked()
    ben, eve = await sign_in(office, "ben"), await sign_in(office, "eve")
    (item,) = (await client.get("/inbox", headers=ben)).json()["items"]
    assert (item["id"], item["how"], item["title"]) == (str(request.id), "role", request.title)
    assert (await client.get("/inbox", headers=eve)).json()["items"] == []
    pinned = (await client.get(f"/approvals/{request.id}/document", headers=ben)).json()
    assert (pinned["version"], pinned["data"]["grand_total"]) == (1, "12500.00")
    body: dict[str, Any] = {"decision": "approved", "entity_version": 1}
    answers = [
        await client.post(f"/approvals/{request.id}/decisions", headers=eve, json=body),
        await client.post(f"/approvals/{request.id}/decisions", headers=ben, json={**body, "entity_version": 2}),
        await client.post(f"/approvals/{request.id}/decisions", headers=ben, json={**body, "decision": "rejected"}),
        await client.post(f"/approvals/{request.id}/decisions", headers=ben, json={**body, "decision": "perhaps"}),
        await client.post(f"/approvals/{request.id}/decisions", headers=ben, json={"decision": "approved"}),
    ]
    assert [answer.status_code for answer in answers] == [403, 409, 422, 422, 422]
    assert answers[1].json()["code"] == "WORKFLOW_STALE_APPROVAL"
    decided = await client.post(f"/approvals/{request.id}/decisions", headers=ben, json=body)
    assert (decided.status_code, decided.json()["outcome"]) == (200, "approved")
    again = await client.post(f"/approvals/{request.id}/decisions", headers=ben, json=body)
    assert again.status_code == 409
    assert await office.status(document) == "active"
    detail = (await client.get(f"/approvals/{request.id}", headers=ben)).json()
    assert detail["decisions"][0]["applied"] is True


async def test_many_are_decided_in_one_call(office: Office, client: httpx.AsyncClient) -> None:
    await office.publish(FINANCE)
    asked = [(await office.asked(number=str(number)))[2].id for number in range(3)]
    ben = await sign_in(office, "ben")
    chosen: list[dict[str, Any]] = [{"request_id": str(each), "entity_version": 1} for each in asked]
    chosen[1]["entity_version"] = 2
    body: dict[str, Any] = {"decision": "approved", "requests": chosen}
    tried = await client.post("/approvals/decide", headers=ben, json={**body, "dry_run": True})
    done = await client.post("/approvals/decide", headers=ben, json=body)
    for answer in (tried, done):
        assert answer.status_code == 200
        outcomes = [(each["request_id"], (each["refused"] or {}).get("code")) for each in answer.json()]
        assert outcomes == [
            (str(asked[0]), None),
            (str(asked[1]), "WORKFLOW_STALE_APPROVAL"),
            (str(asked[2]), None),
        ]
    again = await client.post("/approvals/decide", headers=ben, json=body)
    assert [(each["refused"] or {}).get("code") for each in again.json()] == [
        "conflict",
        "WORKFLOW_STALE_APPROVAL",
        "conflict",
    ]


async def test_a_long_inbox_is_decided_in_one_call_and_in_bounded_transactions(
    office: Office,
    client: httpx.AsyncClient,
    superuser: psycopg.Connection[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("holdfast.http.approvals.MANY", 2)
    await office.publish(FINANCE)
    asked = [(await office.asked(number=str(number)))[2].id for number in range(5)]
    ben = await sign_in(office, "ben")
    chosen: list[dict[str, Any]] = [{"request_id": str(each), "entity_version": 1} for each in asked]
    done = await client.post("/approvals/decide", headers=ben, json={"decision": "approved", "requests": chosen})
    assert [each["request_id"] for each in done.json()] == [str(each) for each in asked]
    assert {each["decided"]["status"] for each in done.json()} == {"approved"}
    rows = superuser.execute("SELECT DISTINCT xmin::text AS by FROM holdfast.approval_decisions").fetchall()
    assert len(rows) == 3


async def test_an_inbox_comes_in_pages(office: Office, client: httpx.AsyncClient) -> None:
    await office.publish(FINANCE)
    wanted = [str((await office.asked())[2].id) for _ in range(3)]
    ben = await sign_in(office, "ben")
    found: list[str] = []
    cursor = None
    while True:
        query = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = (await client.get("/inbox", headers=ben, params=query)).json()
        found += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert found == wanted
    assert (await client.get("/inbox", headers=ben, params={"which": "mine"})).json()["items"] == []
    assert (await client.get("/inbox", headers=ben, params={"which": "all"})).status_code == 422


async def test_secrets_go_in_and_never_come_out(office: Office, client: httpx.AsyncClient) -> None:
    ana = await sign_in(office, "ana")
    kept = await client.put("/secrets/erp", headers=ana, json={"secret": SECRET, "hosts": ["erp.example"]})
    assert kept.status_code == 204
    listed = await client.get("/secrets", headers=ana)
    assert [each["name"] for each in listed.json()] == ["erp"]
    events = await client.get("/events", headers=ana)
    assert "0123456789abcdef" not in listed.text + events.text
    short = await client.put("/secrets/erp", headers=ana, json={"secret": "short-but-secret"[:9], "hosts": ["x"]})
    assert short.status_code == 422
    assert "short-but" not in short.text
    assert (await client.delete("/secrets/erp", headers=ana)).status_code == 204
    assert (await client.delete("/secrets/erp", headers=ana)).status_code == 404


async def test_chains_managers_and_delegations(office: Office, client: httpx.AsyncClient) -> None:
    ana, ben = await sign_in(office, "ana"), await sign_in(office, "ben")
    stages = [{"name": "One", "approvers": [{"kind": "user", "user": "ben"}], "due_after": "2d"}]
    made = await client.put("/approval-chains/spending", headers=ana, json={"stages": stages})
    assert made.json()["stages"][0]["due_after"] == "2d"
    assert [each["name"] for each in (await client.get("/approval-chains", headers=ben)).json()] == ["spending"]
    assert (await client.put("/approval-chains/x", headers=ben, json={"stages": stages})).status_code == 403
    assert (await client.put("/users/ben/manager", headers=ana, json={"manager": "cat"})).status_code == 204
    assert (await client.get("/users/ben/managers", headers=ana)).json() == ["cat"]
    assert (await client.put("/users/cat/manager", headers=ana, json={"manager": "ben"})).status_code == 422
    given = await client.post("/delegations", headers=ben, json={"delegate": "eve", "ends_at": "2099-01-01T00:00:00Z"})
    assert given.status_code == 201
    assert [each["delegate"] for each in (await client.get("/delegations", headers=ben)).json()] == ["eve"]
    assert (await client.delete(f"/delegations/{given.json()['id']}", headers=ben)).status_code == 204
    assert (await client.get("/delegations", headers=ben)).json() == []


async def test_the_command_line_shows_inbox_and_effects(office: Office, holdfast_dsn: str, commands: Commands) -> None:
    await office.publish(FINANCE)
    _, _, request = await office.asked()

    def run(*arguments: str) -> Done:
        return commands.run(*arguments, HOLDFAST_DSN=holdfast_dsn, HOLDFAST_KEYS=new_key())

    found = json.loads(run("inbox", "-t", "acme", "-u", "ben", "--json").stdout)
    assert [item["id"] for item in found] == [str(request.id)]
    assert "none" in run("inbox", "-t", "acme", "-u", "eve").stdout
    assert run("inbox", "-t", "acme", "-u", "nobody").returncode == 1
    assert "none" in run("effects", "list", "-t", "acme", "--status", "dead_letter").stdout
    assert run("effects", "replay", "-t", "acme", str(request.id)).returncode == 1
    assert run("effects", "set-secret", "-t", "acme", "erp", "--host", "h.example", "--secret", SECRET).returncode == 0
