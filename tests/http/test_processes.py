"""Processes over HTTP: with the version you saw, and exact numbers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from holdfast import Holdfast
from holdfast.envelope import Contract
from holdfast.http import build

ORDER = Contract(
    entity_type="order",
    document={"type": "object", "properties": {"total": {"type": "number"}}},
)
PATCH = {
    "slot:submitted_to_approved": {
        "nodes": [
            {"id": "paid", "type": "wait_event", "config": {"event_key": "paid", "save_as": "paid", "timeout": "72h"}},
            {"id": "pass", "type": "action", "config": {"action": "process.approve"}},
        ],
        "edges": [
            {"source": "in", "target": "paid"},
            {"source": "paid", "target": "pass", "outcome": "completed"},
            {"source": "paid", "target": "pass", "outcome": "timeout"},
            {"source": "pass", "target": "out"},
        ],
    }
}


@pytest.fixture
async def client(app: Holdfast) -> AsyncIterator[httpx.AsyncClient]:
    app.contracts.add(ORDER)
    async with app.tenant("acme", actor="ana") as hold:
        await hold.definitions.register(ORDER)
        draft = await hold.definitions.create_draft("order", PATCH)
        await hold.definitions.publish(draft.id)
        secret = (await hold.tokens.create("ana", "test")).secret
    transport = httpx.ASGITransport(build(app), raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {secret}", "If-Match": "*"}
    async with httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme", headers=headers) as client:
        yield client


async def started(app: Holdfast, client: httpx.AsyncClient) -> dict[str, Any]:
    async with app.tenant("acme", actor="ana") as hold:
        document = await hold.documents.create("order", {"total": 12})
    await app.engine_worker().drain()
    answer = await client.get("/processes", params={"document_id": str(document.id)})
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()["items"][0]
    return found


async def test_an_order_goes_its_way(app: Holdfast, client: httpx.AsyncClient) -> None:
    order = await started(app, client)
    path = f"/processes/{order['id']}"
    seen = await client.get(path)
    assert seen.headers["etag"] == f'"{order["version"]}"'
    choices = [each["outcome"] for each in (await client.get(f"{path}/options")).json()]
    assert "submit" in choices
    done = await client.post(f"{path}/advance", json={"event": "submit"}, headers={"If-Match": seen.headers["etag"]})
    assert done.status_code == 200
    assert done.json()["result"] == "advanced"
    [waiting] = (await client.get(f"{path}/waits")).json()
    assert waiting["text"].startswith("the event paid")
    told = await client.post("/process-events", content=b'{"key": "paid", "payload": {"amount": 12.10}}')
    assert told.status_code == 202
    assert told.json()["waiting"] == [order["id"]]
    await app.engine_worker().drain()
    after = await client.get(path)
    assert after.json()["status"] == "completed"
    assert b'"amount":12.1' in after.content
    steps = (await client.get(f"{path}/steps")).json()["items"]
    assert [step["node_id"] for step in steps][-1] == "sys:end"
    assert (await client.get(f"{path}/reasons")).json()


async def test_a_stale_version_is_409_and_writes_nothing(app: Holdfast, client: httpx.AsyncClient) -> None:
    order = await started(app, client)
    path = f"/processes/{order['id']}"
    late = await client.post(f"{path}/advance", json={"event": "submit"}, headers={"If-Match": '"99"'})
    assert late.status_code == 409
    assert late.json()["code"] == "version_conflict"
    assert (await client.get(path)).json()["version"] == order["version"]
    bad = await client.post(f"{path}/advance", json={"event": "submit"}, headers={"If-Match": "yesterday"})
    assert bad.status_code == 422


async def test_operators_stop_and_resume(app: Holdfast, client: httpx.AsyncClient) -> None:
    order = await started(app, client)
    path = f"/processes/{order['id']}"
    assert (await client.post(f"{path}/pause", json={"reason": "audit"})).json()["status"] == "paused"
    assert (await client.post(f"{path}/advance", json={"event": "submit"})).status_code == 409
    assert (await client.post(f"{path}/resume")).json()["status"] == "running"
    assert (await client.post(f"{path}/rebuild")).json()["differed"] == []
    assert (await client.post(f"{path}/enqueue")).status_code == 202
    assert (await client.post(f"{path}/cancel", json={"reason": "twice"})).json()["reason"] == "twice"
    assert (await client.get("/processes", params={"active": True})).json()["items"] == []
    assert (await client.get("/processes/health")).json()["pending"] == 1
    assert (await client.get("/processes/stuck")).json() == []
    assert (await client.get("/processes/expired")).json() == []


async def test_triggers(client: httpx.AsyncClient) -> None:
    new = {"name": "nightly", "workflow_id": "report", "trigger_type": "on_timer", "cron": "0 2 * * *"}
    assert (await client.post("/triggers", json=new)).status_code == 201
    assert (await client.post("/triggers", json=new)).status_code == 409
    assert (await client.post("/triggers", json={**new, "name": "x", "cron": "never"})).status_code == 422
    assert (await client.post("/triggers/nightly/enable", params={"enabled": False})).json()["enabled"] is False
    assert [each["name"] for each in (await client.get("/triggers")).json()] == ["nightly"]
    assert (await client.delete("/triggers/nightly")).status_code == 204
