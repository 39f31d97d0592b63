"""Settling: what became of runs is written for those that are still held, and the others are named."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast, NewRun, Retry, Run
from runs.conftest import working

CLAIM = "SELECT * FROM holdfast.claim_runs('w', %s, '{test.work.v1}', '{10}', '{30 s}', false, 'exceptions', now())"
SETTLE = """SELECT lost_id FROM holdfast.settle_runs(
  'w', %(tenants)s, %(ids)s, %(epochs)s, %(statuses)s, %(results)s, '{}', '{}', '{}', '{}', '{}', '{}', '{}',
  %(level)s, 'nothing', now(), %(addresses)s::tid[])"""


@pytest.fixture
async def held(app: Holdfast, superuser: psycopg.Connection[Any]) -> list[dict[str, Any]]:
    """Three claimed runs."""
    await app.enqueue_many("acme", [NewRun("test.work.v1", {"n": n}) for n in range(3)])
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    return superuser.execute(CLAIM, [[tenant]]).fetchall()


def where(runs: list[dict[str, Any]]) -> str:
    """Their addresses, as Postgres writes an array."""
    return "{" + ",".join(f'"{run["address"]}"' for run in runs) + "}"


def settle(
    superuser: psycopg.Connection[Any],
    runs: list[dict[str, Any]],
    statuses: list[str],
    level: str = "exceptions",
    *,
    addresses: bool = True,
) -> set[UUID]:
    values = {
        "tenants": [run["tenant"] for run in runs],
        "ids": [run["id"] for run in runs],
        "epochs": [run["lease_epoch"] for run in runs],
        "addresses": where(runs) if addresses else "{}",
        "statuses": statuses,
        "results": [f'{{"of": {place}}}' for place in range(len(runs))],
        "level": level,
    }
    return {row["lost_id"] for row in superuser.execute(SETTLE, values)}


def kept(superuser: psycopg.Connection[Any]) -> dict[UUID, tuple[str, Any]]:
    rows = superuser.execute("SELECT id, status, result FROM holdfast.workflow_run")
    return {row["id"]: (row["status"], row["result"]) for row in rows}


@pytest.mark.parametrize("level", ["exceptions", "outcomes"])
async def test_only_what_was_lost_is_named(
    held: list[dict[str, Any]], superuser: psycopg.Connection[Any], level: str
) -> None:
    stale = held[1] | {"lease_epoch": held[1]["lease_epoch"] - 1}
    assert settle(superuser, [held[0], stale, held[2]], ["succeeded"] * 3, level) == {held[1]["id"]}
    assert kept(superuser) == {
        held[0]["id"]: ("succeeded", {"of": 0}),
        held[1]["id"]: ("leased", None),
        held[2]["id"]: ("succeeded", {"of": 2}),
    }


@pytest.mark.parametrize("level", ["exceptions", "outcomes"])
async def test_settling_again_changes_nothing_and_says_so(
    held: list[dict[str, Any]], superuser: psycopg.Connection[Any], level: str
) -> None:
    assert settle(superuser, held, ["succeeded"] * 3, level) == set()
    before = kept(superuser)
    assert settle(superuser, held, ["succeeded"] * 3, level) == {run["id"] for run in held}
    assert kept(superuser) == before


async def test_successes_among_failures_are_kept_each_as_what_it_was(
    held: list[dict[str, Any]], superuser: psycopg.Connection[Any]
) -> None:
    statuses = ["succeeded", "failed", "succeeded"]
    assert settle(superuser, held, statuses) == set()
    found = kept(superuser)
    assert [found[run["id"]][0] for run in held] == statuses
    events = superuser.execute("SELECT object_id, event_type FROM holdfast.workflow_event WHERE object_kind = 'run'")
    assert [(row["object_id"], row["event_type"]) for row in events] == [(held[1]["id"], "run.failed")]


async def test_what_a_heartbeat_moved_is_found_elsewhere(
    held: list[dict[str, Any]], superuser: psycopg.Connection[Any]
) -> None:
    beat = "SELECT * FROM holdfast.heartbeat_runs(%s, %s, %s, '{60 s}', now())"
    moved = held[1]
    superuser.execute(beat, [[moved["tenant"]], [moved["id"]], [moved["lease_epoch"]]])
    assert settle(superuser, held, ["succeeded"] * 3) == set()
    assert kept(superuser) == {run["id"]: ("succeeded", {"of": place}) for place, run in enumerate(held)}


async def test_another_run_in_the_same_place_is_left_alone(
    held: list[dict[str, Any]], superuser: psycopg.Connection[Any]
) -> None:
    mistaken = held[0] | {"address": held[1]["address"]}
    assert settle(superuser, [mistaken], ["succeeded"]) == set()
    assert {run: status for run, (status, _) in kept(superuser).items()} == {
        held[0]["id"]: "succeeded",
        held[1]["id"]: "leased",
        held[2]["id"]: "leased",
    }


async def test_a_worker_that_names_no_places_is_served_all_the_same(
    held: list[dict[str, Any]], superuser: psycopg.Connection[Any]
) -> None:
    assert settle(superuser, held, ["succeeded"] * 3, addresses=False) == set()
    assert kept(superuser) == {run["id"]: ("succeeded", {"of": place}) for place, run in enumerate(held)}


@pytest.mark.parametrize("status", ["succeeded", "failed"])
async def test_one_value_stands_for_all_runs_of_a_call(
    held: list[dict[str, Any]], superuser: psycopg.Connection[Any], status: str
) -> None:
    values = {
        "tenants": [held[0]["tenant"]],
        "ids": [run["id"] for run in held],
        "epochs": [held[0]["lease_epoch"]],
        "addresses": where(held),
        "statuses": [status],
        "results": [],
        "level": "exceptions",
    }
    assert superuser.execute(SETTLE, values).fetchall() == []
    assert {found for found, _ in kept(superuser).values()} == {status}


async def test_runs_of_several_tenants_and_epochs_are_settled_together(
    live: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    @live.handler("test.mixed.v1", retry=Retry(base=0.01))
    async def mixed(run: Run, payload: dict[str, int]) -> dict[str, int]:
        if payload["n"] % 2 and run.attempt == 1:
            raise ValueError("only the second attempt succeeds")
        return payload

    for slug in ("acme", "globex"):
        await live.enqueue_many(slug, [NewRun("test.mixed.v1", {"n": n}) for n in range(4)])

    async def all_succeeded() -> bool:
        return {status for status, _ in kept(superuser).values()} == {"succeeded"}

    async with working(live):
        await until(all_succeeded)
    rows = superuser.execute("SELECT tenant, lease_epoch, result FROM holdfast.workflow_run").fetchall()
    epochs = sorted((row["result"]["n"], row["lease_epoch"]) for row in rows)
    assert epochs == [(0, 1), (0, 1), (1, 2), (1, 2), (2, 1), (2, 1), (3, 2), (3, 2)]
    assert len({row["tenant"] for row in rows}) == 2


async def test_a_lane_is_claimed_in_order_wherever_its_runs_lie(
    app: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    priorities = [3, 9, 3, 7, 9, 1]
    await app.enqueue_many("acme", [NewRun("test.work.v1", place, priority=p) for place, p in enumerate(priorities)])
    claim = "SELECT payload, address FROM holdfast.claim_lane('w', %s, 'test.work.v1', %s, '30 s', false, now())"
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    first = superuser.execute(claim, [tenant, 4]).fetchall()
    assert [int(row["payload"]) for row in first] == [1, 4, 3, 0]
    assert [int(row["payload"]) for row in superuser.execute(claim, [tenant, 1])] == [2]
    # Each says where it lies now.
    for row in first:
        assert superuser.execute(
            "SELECT payload, status FROM holdfast.workflow_run_live WHERE ctid = %s::tid", [row["address"]]
        ).fetchone() == {"payload": int(row["payload"]), "status": "leased"}
    async with app.tenant("acme") as hold:
        await hold.runs.pause("test.")
    assert superuser.execute(claim, [tenant, 4]).fetchall() == []
