"""A claim reads the runs it takes and nothing else, however long the backlog and whatever else is in flight."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest

from holdfast import Holdfast

BACKLOG = 40_000
FEW_PAGES = 400  # the backlog fills about two thousand


@pytest.fixture
async def crowded(app: Holdfast, superuser: psycopg.Connection[Any]) -> UUID:
    """A tenant with a long backlog, analysed so that the planner knows how long, and much in flight."""
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    superuser.execute(
        "INSERT INTO holdfast.workflow_run_live (tenant, id, type, payload, priority, run_at, created_by) "
        "SELECT %s, gen_random_uuid(), 'test.work.v1', jsonb_build_object('n', n), n %% 3, "
        "now() - interval '1 hour', 'x' FROM generate_series(1, %s) n",
        [tenant, BACKLOG],
    )
    superuser.execute("INSERT INTO holdfast.workflow_lane VALUES (%s, 'test.work.v1')", [tenant])
    superuser.execute("VACUUM ANALYZE holdfast.workflow_run_live")
    return tenant


def pages(superuser: psycopg.Connection[Any], statement: str, values: list[Any]) -> int:
    """How many pages a statement touches, the catalogue's included when it is planned."""
    row = superuser.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", values).fetchone()
    assert row is not None
    plan = row["QUERY PLAN"][0]["Plan"]
    return int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"])


CLAIM = "SELECT * FROM holdfast.claim_runs('w', %s, '{test.work.v1}', '{10}', '{30 s}', %s, 'exceptions', now())"
CLAIM_LANE = "SELECT * FROM holdfast.claim_lane('w', %s, 'test.work.v1', 10, '30 s', %s, now())"


@pytest.mark.parametrize("by_age", [False, True])
@pytest.mark.parametrize("lanes", ["one", "any number"])
async def test_a_claim_never_scans(crowded: UUID, superuser: psycopg.Connection[Any], lanes: str, by_age: bool) -> None:
    # What has waited longest is the least urgent, behind everything else.
    superuser.execute(
        "UPDATE holdfast.workflow_run_live SET priority = -7, run_at = run_at - interval '1 hour' "
        "WHERE (payload->>'n')::int % 400 = 0"
    )
    superuser.execute("VACUUM ANALYZE holdfast.workflow_run_live")
    claim, tenant = (CLAIM_LANE, crowded) if lanes == "one" else (CLAIM, [crowded])
    counted = [pages(superuser, claim, [tenant, by_age]) for _ in range(9)]
    # The first call also reads the catalogue; later ones are past the point at which Postgres would change the plan.
    assert max(counted[2:]) < FEW_PAGES
    taken = superuser.execute(
        "SELECT DISTINCT priority FROM holdfast.workflow_run_live WHERE status = 'leased'"
    ).fetchall()
    assert [row["priority"] for row in taken] == [-7 if by_age else 2]


@pytest.mark.parametrize(("level", "in_place"), [("exceptions", True), ("exceptions", False), ("outcomes", False)])
async def test_settling_and_heartbeats_never_scan(
    crowded: UUID, superuser: psycopg.Connection[Any], level: str, in_place: bool
) -> None:
    held = superuser.execute(CLAIM.replace("{10}", "{5000}"), [[crowded], False]).fetchall()
    assert len(held) == 5000
    beats, settlements = [], []
    for start in range(0, 90, 10):
        some = held[start : start + 10]
        ids, epochs = [row["id"] for row in some], [row["lease_epoch"] for row in some]
        beat = "SELECT * FROM holdfast.heartbeat_runs(%s, %s, %s, %s::interval[], now())"
        # A heartbeat moves a run: those that are to be settled in their addresses get none.
        beaten = [row["id"] for row in held[-10 - start :][:10]] if in_place else ids
        beats.append(pages(superuser, beat, [[crowded] * 10, beaten, epochs, ["30 s"] * 10]))
        settle = (
            "SELECT * FROM holdfast.settle_runs('w', %s, %s, %s, %s, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', "
            "%s, 'nothing', now(), %s::tid[])"
        )
        addresses = "{" + ",".join(f'"{row["address"]}"' for row in some) + "}" if in_place else "{}"
        values = [[crowded] * 10, ids, epochs, ["succeeded"] * 10, level, addresses]
        settlements.append(pages(superuser, settle, values))
    assert max(beats[2:]) < FEW_PAGES
    assert max(settlements[2:]) < FEW_PAGES


async def test_looking_for_lanes_never_scans(crowded: UUID, superuser: psycopg.Connection[Any]) -> None:
    counted = [pages(superuser, "SELECT * FROM holdfast.ready_lanes('{test.}', '{}')", []) for _ in range(5)]
    assert max(counted[2:]) < FEW_PAGES
