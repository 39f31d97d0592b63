"""Settling: what became of runs is written for those that are still held, and the others are named."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest

from holdfast import Holdfast, NewRun

CLAIM = "SELECT * FROM holdfast.claim_runs('w', %s, '{test.work.v1}', '{10}', '{30 s}', false, 'exceptions', now())"
SETTLE = """SELECT lost_id FROM holdfast.settle_runs(
  'w', %(tenants)s, %(ids)s, %(epochs)s, %(statuses)s, %(results)s, '{}', '{}', '{}', '{}', '{}', '{}', '{}',
  %(level)s, 'nothing', now())"""


@pytest.fixture
async def held(app: Holdfast, superuser: psycopg.Connection[Any]) -> list[dict[str, Any]]:
    """Three claimed runs."""
    await app.enqueue_many("acme", [NewRun("test.work.v1", {"n": n}) for n in range(3)])
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    return superuser.execute(CLAIM, [[tenant]]).fetchall()


def settle(
    superuser: psycopg.Connection[Any], runs: list[dict[str, Any]], statuses: list[str], level: str
) -> set[UUID]:
    values = {
        "tenants": [run["tenant"] for run in runs],
        "ids": [run["id"] for run in runs],
        "epochs": [run["lease_epoch"] for run in runs],
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
    assert settle(superuser, held, statuses, "exceptions") == set()
    found = kept(superuser)
    assert [found[run["id"]][0] for run in held] == statuses
    events = superuser.execute("SELECT object_id, event_type FROM holdfast.workflow_event WHERE object_kind = 'run'")
    assert [(row["object_id"], row["event_type"]) for row in events] == [(held[1]["id"], "run.failed")]
