"""Runs and schedules over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import httpx
import pytest

from holdfast import FakeClock, Holdfast
from holdfast.kernel.cursor import encode_cursor
from holdfast.runs import Run

TYPE = "billing.charge.v1"
NOBODY = "00000000-0000-0000-0000-000000000000"


async def enqueue(client: httpx.AsyncClient, **body: Any) -> str:
    answer = await client.post("/v1/acme/runs", json={"type": TYPE} | body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def test_a_concurrency_key_is_taken(ana: httpx.AsyncClient) -> None:
    keyed = {"type": TYPE, "concurrency_key": "customer-7", "concurrency_limit": 2}
    made = (await ana.post("/v1/acme/runs", json=keyed)).json()
    run = (await ana.get(f"/v1/acme/runs/{made['id']}")).json()["run"]
    assert (run["concurrency_key"], run["concurrency_limit"]) == ("customer-7", 2)
    alone = await ana.post("/v1/acme/runs", json={"type": TYPE, "concurrency_limit": 2})
    assert (alone.status_code, alone.json()["field"]) == (422, "concurrency_limit")


async def test_what_is_stored_can_be_told_however_deep_it_is(ana: httpx.AsyncClient) -> None:
    deep: list[Any] = []
    for _ in range(199):
        deep = [deep]
    run = await enqueue(ana, payload=deep)
    schedule = {"name": "deep", "type": TYPE, "cron": "@daily"}
    assert (await ana.post("/v1/acme/schedules", json=schedule | {"payload": deep})).status_code == 201
    assert (await ana.get(f"/v1/acme/runs/{run}")).json()["run"]["payload"] == deep
    assert (await ana.get("/v1/acme/schedules")).json()["items"][0]["payload"] == deep
    for levels in (3, 60, 600):
        deeper = deep
        for _ in range(levels):
            deeper = [deeper]
        refused = await ana.post("/v1/acme/runs", json={"type": TYPE, "payload": deeper})
        assert (refused.status_code, refused.json()["field"]) == (422, "payload")
        assert "nested" in refused.json()["detail"]


async def test_a_run_is_enqueued_once_for_a_key(ana: httpx.AsyncClient) -> None:
    key = {"Idempotency-Key": "invoice-42"}
    first = await ana.post("/v1/acme/runs", json={"type": TYPE, "payload": {"total": 5}}, headers=key)
    again = await ana.post("/v1/acme/runs", json={"type": TYPE, "payload": {"total": 5}}, headers=key)
    other = await ana.post("/v1/acme/runs", json={"type": TYPE, "payload": {"total": 6}}, headers=key)
    assert (first.status_code, again.status_code, other.status_code) == (201, 200, 409)
    assert first.json()["id"] == again.json()["id"]
    assert (again.json()["created"], other.json()["code"]) == (False, "conflict")


async def test_lists_are_filtered_and_paged(ana: httpx.AsyncClient) -> None:
    ids = [await enqueue(ana, type=f"{area}.work.v1") for area in ("billing", "media", "billing", "media", "billing")]
    await ana.post(f"/v1/acme/runs/{ids[0]}/cancel")
    first = (await ana.get("/v1/acme/runs", params={"prefix": "billing.", "limit": 2})).json()
    assert [run["id"] for run in first["items"]] == [ids[4], ids[2]]
    rest = {"prefix": "billing.", "limit": 2, "cursor": first["next_cursor"]}
    second = (await ana.get("/v1/acme/runs", params=rest)).json()
    assert ([run["id"] for run in second["items"]], second["next_cursor"]) == ([ids[0]], None)
    cancelled = (await ana.get("/v1/acme/runs?status=cancelled")).json()["items"]
    assert [run["id"] for run in cancelled] == [ids[0]]
    assert "payload" not in cancelled[0]
    wrong = await ana.get("/v1/acme/runs", params=rest | {"prefix": "media."})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "cursor")


async def test_one_run_is_told_with_its_steps_and_events(app: Holdfast, ana: httpx.AsyncClient) -> None:
    tried = asyncio.Event()

    @app.handler(TYPE)
    async def charge(run: Run, payload: dict[str, int]) -> None:
        await run.step("reserve", lambda: {"reserved": payload["total"]})
        tried.set()
        raise ValueError("no such card")

    run_id = await enqueue(ana, payload={"total": 5}, max_attempts=1)
    worker = app.worker()
    working = asyncio.create_task(worker.run())
    async with asyncio.timeout(20):
        await tried.wait()
        worker.stop()
        await working
    told = (await ana.get(f"/v1/acme/runs/{run_id}")).json()
    assert (told["run"]["status"], told["run"]["error"]["type"]) == ("failed", "ValueError")
    assert [(step["name"], step["result"]) for step in told["steps"]] == [("reserve", {"reserved": 5})]
    assert [event["event_type"] for event in told["events"]] == ["run.failed"]


async def test_a_run_is_told_with_those_it_started(app: Holdfast, ana: httpx.AsyncClient) -> None:
    done = asyncio.Event()

    @app.handler(TYPE)
    async def ship(run: Run, payload: dict[str, int]) -> int:
        total: int = sum([await run.child("shop.pack.v1", number) for number in range(2)])
        done.set()
        return total

    @app.handler("shop.pack.v1")
    async def pack(run: Run, number: int) -> int:
        return number

    run_id = await enqueue(ana, payload={"total": 5})
    worker = app.worker()
    working = asyncio.create_task(worker.run())
    async with asyncio.timeout(20):
        await done.wait()
        worker.stop()
        await working
    told = (await ana.get(f"/v1/acme/runs/{run_id}")).json()
    assert [(child["type"], child["status"]) for child in told["children"]] == [("shop.pack.v1", "succeeded")] * 2
    (first, _) = told["children"]
    assert (await ana.get(f"/v1/acme/runs/{first['id']}")).json()["run"]["parent_id"] == run_id


async def test_runs_are_cancelled_retried_and_deleted(ana: httpx.AsyncClient) -> None:
    run_id = await enqueue(ana, payload={"total": 5})
    early = await ana.post(f"/v1/acme/runs/{run_id}/retry")
    assert (early.status_code, early.json()["code"]) == (409, "conflict")
    cancelled = await ana.post(f"/v1/acme/runs/{run_id}/cancel", json={"reason": "wrong customer"})
    assert (cancelled.json()["status"], cancelled.json()["last_error"]) == ("cancelled", "wrong customer")
    again = await ana.post(f"/v1/acme/runs/{run_id}/retry")
    assert (again.status_code, again.json()["id"] != run_id) == (201, True)
    unreasoned = await ana.delete(f"/v1/acme/runs/{run_id}")
    assert (unreasoned.status_code, "reason" in unreasoned.text) == (422, True)
    deleted = await ana.delete(f"/v1/acme/runs/{run_id}", params={"reason": "a test"})
    assert deleted.json()["delete_reason"] == "a test"
    listed = (await ana.get("/v1/acme/runs")).json()["items"]
    assert [run["id"] for run in listed] == [again.json()["id"]]
    assert len((await ana.get("/v1/acme/runs?deleted=true")).json()["items"]) == 2
    events = (await ana.get(f"/v1/acme/runs/{run_id}")).json()["events"]
    assert [event["event_type"] for event in events] == ["run.deleted", "run.cancelled"]


async def test_types_are_counted_paused_and_resumed(ana: httpx.AsyncClient) -> None:
    await enqueue(ana)
    (counted,) = (await ana.get("/v1/acme/runs/stats")).json()
    assert (counted["type"], counted["status"], counted["runs"]) == (TYPE, "pending", 1)
    paused = await ana.post("/v1/acme/runs/pauses", json={"prefix": "billing."})
    assert [pause["prefix"] for pause in paused.json()] == ["billing."]
    assert (await ana.get("/v1/acme/runs/pauses")).json() == paused.json()
    assert (await ana.delete("/v1/acme/runs/pauses/billing.")).json() == []
    assert (await ana.delete("/v1/acme/runs/pauses/billing.")).status_code == 404


async def test_a_schedule_from_its_creation_to_its_end(
    app: Holdfast, ana: httpx.AsyncClient, holdfast_clock: FakeClock
) -> None:
    new = {"name": "nightly", "type": TYPE, "cron": "30 2 * * *", "timezone": "Europe/Berlin", "payload": {"a": 1}}
    made = await ana.post("/v1/acme/schedules", json=new)
    assert (made.status_code, made.json()["state"]) == (201, "active")
    assert (await ana.post("/v1/acme/schedules", json=new)).json()["code"] == "already_exists"
    previewed = (await ana.get("/v1/acme/schedules/nightly/preview?n=3")).json()
    assert (len(previewed), previewed[0]) == (3, made.json()["next_fire_at"])
    asked = {"cron": "30 2 * * *", "timezone": "Europe/Berlin"}
    assert (await ana.post("/v1/acme/schedules/preview?n=3", json=asked)).json() == previewed
    changed = await ana.patch("/v1/acme/schedules/nightly", json={"cron": "@hourly", "max_attempts": 4})
    assert (changed.json()["cron"], changed.json()["max_attempts"], changed.json()["payload"]) == (
        "@hourly",
        4,
        {"a": 1},
    )
    cleared = await ana.patch("/v1/acme/schedules/nightly", json={"max_attempts": None})
    assert cleared.json()["max_attempts"] is None
    assert (await ana.post("/v1/acme/schedules/nightly/pause")).json()["state"] == "paused"
    assert (await ana.post("/v1/acme/schedules/nightly/resume")).json()["state"] == "active"
    by_hand = await ana.post("/v1/acme/schedules/nightly/fire")
    assert by_hand.status_code == 201
    holdfast_clock.advance(timedelta(hours=1))
    await app.scheduler().look()
    runs = (await ana.get("/v1/acme/runs")).json()["items"]
    assert len(runs) == 2
    assert [one["name"] for one in (await ana.get("/v1/acme/schedules")).json()["items"]] == ["nightly"]
    assert (await ana.delete("/v1/acme/schedules/nightly")).status_code == 204
    assert (await ana.get("/v1/acme/schedules/nightly")).status_code == 404


@pytest.mark.parametrize("cron", ["*/90 * * * *", "0 0 * * 7-0", "0 9-17/12 * * *"])
async def test_preview_creation_and_change_refuse_the_same_expressions(ana: httpx.AsyncClient, cron: str) -> None:
    nightly = {"name": "nightly", "type": TYPE, "cron": "0 0 * * fri-5"}
    made = await ana.post("/v1/acme/schedules", json=nightly)
    shown = await ana.post("/v1/acme/schedules/preview", json={"cron": nightly["cron"]})
    assert made.json()["next_fire_at"] == shown.json()[0]
    answers = [
        await ana.post("/v1/acme/schedules/preview", json={"cron": cron}),
        await ana.post("/v1/acme/schedules", json=nightly | {"name": "other", "cron": cron}),
        await ana.patch("/v1/acme/schedules/nightly", json={"cron": cron}),
    ]
    assert {(each.status_code, each.json()["field"]) for each in answers} == {(422, "cron")}
    assert len({each.json()["hint"] for each in answers}) == 1
    assert (await ana.get("/v1/acme/schedules/nightly")).json()["cron"] == made.json()["cron"] == "0 0 * * fri-5"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "mentions"),
    [
        ("POST", "/runs", {}, 422, "type"),
        ("POST", "/runs", {"type": "a b"}, 422, "billing.invoice_charge.v1"),
        ("POST", "/runs", {"type": TYPE, "priority": 5000}, 422, "priority"),
        ("POST", "/runs", {"type": TYPE, "delay": 1, "run_at": "2030-01-01T00:00:00Z"}, 422, "delay"),
        ("POST", "/runs", {"type": TYPE, "run_at": "2030-01-01T00:00:00"}, 422, "run_at"),
        ("POST", "/runs", {"type": TYPE, "payload": "\0"}, 422, "NUL"),
        ("POST", "/runs", {"type": TYPE, "payload": "x" * 1_100_000}, 422, "limit"),
        ("POST", "/runs", {"type": TYPE, "payloda": 1}, 422, "payloda"),
        *(
            ("POST", "/runs", {"type": TYPE, "concurrency_key": "k", name: value}, 422, f"{name}: true and false")
            for name in ("priority", "max_attempts", "concurrency_limit", "delay")
            for value in (True, False)
        ),
        *(
            ("POST", "/schedules", {"name": "x", "type": TYPE, "cron": "@daily", name: True}, 422, f"{name}: true")
            for name in ("priority", "max_attempts", "missed_limit")
        ),
        ("PATCH", "/schedules/none", {"missed_limit": True}, 422, "missed_limit: true and false are not numbers"),
        (
            "POST",
            "/data/set",
            {"namespace": "n", "entries": [{"key": "k", "value": 1, "ttl_seconds": True}]},
            422,
            "entries.0.ttl_seconds: true",
        ),
        (
            "POST",
            "/links/lookup",
            {"namespace": "n", "from": {"type": "t", "id": "i"}, "limit": True},
            422,
            "limit: true",
        ),
        ("POST", "/actions/runs.enqueue", {"type": TYPE, "payload": {}, "priority": True}, 422, "priority: true"),
        (
            "PUT",
            "/approval-chains/x",
            {"stages": [{"name": "a", "approvers": [{"kind": "role", "role": "r"}], "required": True}]},
            422,
            "stages.0.required: true",
        ),
        ("GET", "/runs?status=lost", None, 422, "status"),
        ("GET", "/runs?prefix=%00", None, 422, "prefix"),
        ("GET", "/runs/7", None, 422, "run_id"),
        ("GET", f"/runs/{NOBODY}", None, 404, NOBODY),
        ("POST", f"/runs/{NOBODY}/cancel", None, 404, NOBODY),
        ("DELETE", "/runs/pauses/%00", None, 422, "prefix"),
        ("POST", "/schedules", {"name": "x", "type": TYPE, "cron": "61 * * * *"}, 422, "the minute"),
        ("POST", "/schedules", {"name": "x", "type": TYPE, "cron": "@daily", "timezone": "Berlin"}, 422, "timezone"),
        ("POST", "/schedules", {"name": "x", "type": TYPE, "cron": "@daily", "missed": "no"}, 422, "missed"),
        ("POST", "/schedules/preview", {"cron": "* * * *"}, 422, "4 fields"),
        ("GET", "/schedules/none", None, 404, "none"),
        ("GET", "/schedules/%00", None, 404, "schedule"),
        ("PATCH", "/schedules/none", {"cron": "@daily"}, 404, "none"),
        ("GET", "/schedules?cursor=x", None, 422, "cursor"),
    ],
)
async def test_problems_say_what_is_wrong(
    ana: httpx.AsyncClient, method: str, path: str, body: dict[str, Any] | None, status: int, mentions: str
) -> None:
    answer = await ana.request(method, f"/v1/acme{path}", json=body)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert mentions in answer.text
    assert (await ana.get("/v1/acme/runs")).json()["items"] == []
    assert (await ana.get("/v1/acme/schedules")).json()["items"] == []


@pytest.mark.parametrize(
    ("scopes", "method", "path", "body", "missing"),
    [
        (["runs:write"], "GET", "/runs", None, "runs:read"),
        (["runs:read"], "POST", "/runs", {"type": TYPE}, "runs:write"),
        (["runs:read", "runs:write"], "POST", f"/runs/{NOBODY}/retry", None, "runs:operate"),
        (["runs:read"], "POST", "/runs/pauses", {"prefix": "x"}, "runs:operate"),
        (["runs:read"], "GET", "/schedules", None, "schedules:read"),
        (["schedules:read"], "POST", "/schedules/x/pause", None, "schedules:write"),
        (["schedules:write"], "POST", "/schedules", {"name": "x", "type": TYPE, "cron": "@daily"}, "runs:write"),
    ],
)
async def test_each_route_asks_for_its_permission(
    ana: httpx.AsyncClient,
    token: Callable[..., Awaitable[dict[str, str]]],
    scopes: list[str],
    method: str,
    path: str,
    body: dict[str, Any] | None,
    missing: str,
) -> None:
    ana.headers.update(await token(scopes=scopes))
    answer = await ana.request(method, f"/v1/acme{path}", json=body)
    assert (answer.status_code, answer.json()["permission"]) == (403, missing)


async def test_runs_of_another_tenant_are_not_found(app: Holdfast, ana: httpx.AsyncClient) -> None:
    made = await app.enqueue("globex", TYPE)
    for method, path in (("GET", ""), ("POST", "/cancel"), ("POST", "/retry"), ("DELETE", "?reason=x")):
        answer = await ana.request(method, f"/v1/acme/runs/{made.id}{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_a_cursor_that_somebody_made_up_is_refused(ana: httpx.AsyncClient) -> None:
    asked = {"status": None, "prefix": None, "deleted": False}
    answer = await ana.get("/v1/acme/runs", params={"cursor": encode_cursor(asked, ["no id"])})
    assert (answer.status_code, answer.json()["field"]) == (422, "cursor")
    asked = {"status": None, "prefix": None, "aggregate_type": None, "aggregate_id": None}
    answer = await ana.get("/v1/acme/outbox", params={"cursor": encode_cursor(asked, ["no id"])})
    assert (answer.status_code, answer.json()["field"]) == (422, "cursor")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", True),
        ("00-00000000000000000000000000000000-b7ad6b7169203331-01", False),
        ("whatever", False),
    ],
)
async def test_a_run_carries_the_trace_of_the_request_that_enqueued_it(
    ana: httpx.AsyncClient, given: str, kept: bool
) -> None:
    answer = await ana.post("/v1/acme/runs", json={"type": TYPE}, headers={"traceparent": given})
    assert answer.status_code == 201, answer.text
    run = (await ana.get(f"/v1/acme/runs/{answer.json()['id']}")).json()["run"]
    assert run["trace_parent"] == (given if kept else None)


async def test_numbers_keep_their_digits_both_ways(app: Holdfast, ana: httpx.AsyncClient) -> None:
    text = '{"type": "test.work.v1", "payload": {"amount": 12500.10, "long": 0.12345678901234567891, "share": 0.1}}'
    said = await ana.post("/v1/acme/runs", content=text, headers={"content-type": "application/json"})
    assert said.status_code == 201
    async with app.tenant("acme") as hold:
        payload = (await hold.runs.get(UUID(said.json()["id"]))).payload
    assert payload == {"amount": Decimal("12500.10"), "long": Decimal("0.12345678901234567891"), "share": 0.1}
    shown = (await ana.get(f"/v1/acme/runs/{said.json()['id']}")).text
    assert '"long":0.12345678901234567891' in shown
    assert '"amount":12500.10' in shown


async def test_a_payload_as_deep_as_can_be_stored_is_told_again(ana: httpx.AsyncClient) -> None:
    payload: Any = [0.25]
    for _ in range(199):
        payload = [payload]
    made = await enqueue(ana, payload=payload)
    assert (await ana.get(f"/v1/acme/runs/{made}")).json()["run"]["payload"] == payload
