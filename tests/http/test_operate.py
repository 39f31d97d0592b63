"""Operating over HTTP and on the command line: health, incidents, workers, operations, filters of runs."""

from __future__ import annotations

import json

import httpx

from harness.commands import Commands
from holdfast import Holdfast
from operate.crew import TYPE, ended, failed_runs, working


async def test_failed_runs_are_counted_retried_and_followed_to_the_outcome_of_each(
    app: Holdfast, ana: httpx.AsyncClient
) -> None:
    ids = await failed_runs(app, 5)
    wanted = {"kind": "runs.retry", "filter": {"type": TYPE, "status": "failed"}}
    assert (await ana.post("/v1/acme/operations/count", json=wanted)).json() == {"count": 5, "capped": False}
    made = await ana.post("/v1/acme/operations", json=wanted)
    assert (made.status_code, made.json()["status"], made.json()["total"]) == (201, "pending", 5)
    assert made.headers["Location"] == f"/v1/acme/operations/{made.json()['id']}"
    async with working(app):
        await ended(app, made.json()["id"])
    done = (await ana.get(made.headers["Location"])).json()
    assert (done["status"], done["succeeded"], done["failed"]) == ("completed", 5, 0)
    items = (await ana.get(f"{made.headers['Location']}/items?outcome=succeeded")).json()["items"]
    assert sorted(each["item"] for each in items) == sorted(map(str, ids))
    assert [each["id"] for each in (await ana.get("/v1/acme/operations")).json()["items"]] == [made.json()["id"]]
    late = await ana.post(f"{made.headers['Location']}/cancel")
    assert (late.status_code, late.json()["code"]) == (409, "conflict")


async def test_an_operation_that_waits_is_cancelled(ana: httpx.AsyncClient) -> None:
    wanted = {"kind": "runs.delete", "filter": {"prefix": "x."}, "reason": "a test"}
    made = (await ana.post("/v1/acme/operations", json=wanted)).json()
    cancelled = (await ana.post(f"/v1/acme/operations/{made['id']}/cancel")).json()
    assert (cancelled["status"], cancelled["cancelled_by"]) == ("cancelled", "user:ana")


async def test_wrong_operations_are_refused_by_field(ana: httpx.AsyncClient) -> None:
    for body, field in (
        ({"kind": "runs.explode"}, "kind"),
        ({"kind": "runs.retry", "filter": {}}, "filter"),
        ({"kind": "runs.retry", "filter": {"colour": 1}}, "filter.colour"),
        ({"kind": "runs.cancel", "filter": {"type": TYPE}}, "reason"),
    ):
        answer = await ana.post("/v1/acme/operations", json=body)
        assert (answer.status_code, field in answer.text) == (422, True), answer.text


async def test_health_series_incidents_types_and_workers_are_told(app: Holdfast, ana: httpx.AsyncClient) -> None:
    await failed_runs(app, 2)
    health = (await ana.get("/v1/acme/health")).json()
    runs = next(each for each in health["queues"] if each["queue"] == "runs")
    assert (runs["finished"], runs["errors"], runs["dead"]) == (2, 2, 2)
    for span, points in (("5m", 30), ("1h", 60), ("24h", 144)):
        series = (await ana.get("/v1/acme/health/series", params={"queue": "runs", "span": span})).json()
        assert (len(series["points"]), sum(each["errors"] for each in series["points"])) == (points, 2)
    (incident,) = (await ana.get("/v1/acme/health/incidents")).json()
    assert (incident["count"], incident["what"]) == (2, TYPE)
    (kind,) = (await ana.get("/v1/acme/run-types")).json()
    assert (kind["type"], kind["handled"]) == (TYPE, False)
    assert (await ana.get("/v1/acme/workers")).json() == []
    assert (await ana.get("/v1/acme/health/series?queue=trains")).status_code == 422


async def test_runs_are_found_by_key_error_payload_and_time(app: Holdfast, ana: httpx.AsyncClient) -> None:
    ids = await failed_runs(app, 4)

    async def found(**asked: str) -> list[str]:
        answer = await ana.get("/v1/acme/runs", params=asked)
        assert answer.status_code == 200, answer.text
        return [each["id"] for each in answer.json()["items"]]

    assert await found(key="charge-2") == [str(ids[2])]
    assert await found(error="CARD 3") == [str(ids[3])]
    assert await found(payload='{"n": 1}') == [str(ids[1])]
    assert len(await found(type=TYPE, since="2020-01-01T00:00:00Z", until="2100-01-01T00:00:00Z")) == 4
    assert await found(until="2020-01-01T00:00:00Z") == []
    assert await found(since="2100-01-01T00:00:00Z") == []
    assert await found(type="billing") == []
    first = (await ana.get("/v1/acme/runs", params={"error": "card", "limit": 3})).json()
    assert len(first["items"]) == 3
    rest = (await ana.get("/v1/acme/runs", params={"error": "card", "cursor": first["next_cursor"]})).json()
    assert [each["id"] for each in rest["items"]] == [str(ids[0])]
    other = await ana.get("/v1/acme/runs", params={"error": "account", "cursor": first["next_cursor"]})
    assert (other.status_code, other.json()["field"]) == (422, "cursor")
    wrong = await ana.get("/v1/acme/runs", params={"payload": "[1"})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "payload")


async def test_the_command_line_does_the_same(app: Holdfast, commands: Commands, holdfast_dsn: str) -> None:
    await failed_runs(app, 3)

    def holdfast(*words: str) -> str:
        done = commands.run(*words, HOLDFAST_DSN=holdfast_dsn)
        assert done.returncode == 0, done
        return done.stdout

    health = json.loads(holdfast("health", "-t", "acme", "--json"))
    assert next(each for each in health if each["queue"] == "runs")["errors"] == 3
    assert len(json.loads(holdfast("health", "-t", "acme", "--queue", "runs", "--span", "5m", "--json"))) == 30
    assert json.loads(holdfast("incidents", "-t", "acme", "--json"))[0]["count"] == 3
    assert json.loads(holdfast("workers", "-t", "acme", "--json")) == []
    assert json.loads(holdfast("runs", "types", "-t", "acme", "--json"))[0]["type"] == TYPE
    assert len(json.loads(holdfast("runs", "list", "-t", "acme", "--error", "card 1", "--json"))) == 1
    assert "3 match" in holdfast("operations", "start", "-t", "acme", "runs.retry", '{"prefix": "b"}', "--dry-run")
    made = holdfast("operations", "start", "-t", "acme", "runs.retry", '{"prefix": "b"}').strip()
    assert json.loads(holdfast("operations", "list", "-t", "acme", "--json"))[0]["id"] == made
    assert "cancelled" in holdfast("operations", "cancel", "-t", "acme", made)
    shown = json.loads(holdfast("operations", "show", "-t", "acme", made, "--json"))
    assert (shown["operation"]["status"], shown["items"]) == ("cancelled", [])
