"""A claim reads the lanes and events it takes and nothing else, whatever is waiting, failing or long since sent."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest

from holdfast import Holdfast
from holdfast.kernel.json import dump

EACH = 200_000
FEW_PAGES = 1000  # what is there fills some ten thousand
NOBODY = UUID(int=0)


@pytest.fixture
async def crowded(app: Holdfast, superuser: psycopg.Connection[Any]) -> UUID:
    """200 000 published and 200 000 pending events, half of these in one lane; 50 000 lanes wait for a retry."""
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    event = (
        "SELECT %s, gen_random_uuid(), nextval('holdfast.outbox_event_seq'), 'x.v1', 'thing', "
        "CASE WHEN n %% 2 = 0 THEN '0' ELSE n::text END, '{}', 'x'"
    )
    columns = "tenant, id, seq, event_type, aggregate_type, aggregate_id, payload, created_by"
    superuser.execute(
        f"INSERT INTO holdfast.outbox_event_done ({columns}, attempts, delivered, created_at, published_at) "
        f"{event}, 1, '{{}}', '2026-01-01', '2026-01-01' FROM generate_series(1, %s) n",
        [tenant, EACH],
    )
    superuser.execute(
        f"INSERT INTO holdfast.outbox_event_live ({columns}) {event} FROM generate_series(1, %s) n", [tenant, EACH]
    )
    superuser.execute(
        "INSERT INTO holdfast.outbox_lane (tenant, aggregate_type, aggregate_id, due_at) "
        "SELECT DISTINCT tenant, aggregate_type, aggregate_id, "
        "now() + CASE WHEN aggregate_id::int %% 4 = 1 THEN interval '1 hour' ELSE interval '-1 hour' END "
        "FROM holdfast.outbox_event_live WHERE tenant = %s",
        [tenant],
    )
    for table in ("outbox_event_live", "outbox_event_done", "outbox_lane"):
        superuser.execute(f"VACUUM ANALYZE holdfast.{table}")
    return tenant


def pages(superuser: psycopg.Connection[Any], statement: str, values: list[Any]) -> int:
    """How many pages a statement touches, the catalogue's included when it is planned."""
    row = superuser.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", values).fetchone()
    assert row is not None
    plan = row["QUERY PLAN"][0]["Plan"]
    return int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"])


async def test_claiming_settling_and_tending_never_scan(crowded: UUID, superuser: psycopg.Connection[Any]) -> None:
    claim = "SELECT * FROM holdfast.claim_outbox('w', 10, 10, '30 s', %s, now())"
    settle = (
        "SELECT * FROM holdfast.settle_outbox('w', %s, %s, %s, %s, %s, '{}', '{}', '{}', '{}', '{}', %s, %s, %s, true, "
        "now())"
    )
    beat = "SELECT * FROM holdfast.heartbeat_outbox(%s, %s, %s, %s::interval[], now())"
    publish = (
        "SELECT holdfast.publish_events_for(%s, ARRAY[gen_random_uuid()], '{x.v1}', '{1}', '{thing}', '{0}', '{}', "
        "'{}', 'x', now())"
    )
    counted: dict[str, list[int]] = {"claim": [], "settle": [], "heartbeat": [], "tend": [], "publish": []}
    for _ in range(9):
        counted["claim"].append(pages(superuser, claim, [NOBODY]))
        held = superuser.execute(claim, [NOBODY]).fetchall()
        lanes = list({row["lease_epoch"]: row for row in held}.values())
        assert len(lanes) == 10
        tenants = [crowded] * len(lanes)
        types = [row["aggregate_type"] for row in lanes]
        ids = [row["aggregate_id"] for row in lanes]
        epochs = [row["lease_epoch"] for row in lanes]
        beats = [f"{kind}/{one}" for kind, one in zip(types, ids, strict=True)]
        counted["heartbeat"].append(pages(superuser, beat, [tenants, beats, epochs, ["30 s"] * len(lanes)]))
        places = [epochs.index(row["lease_epoch"]) + 1 for row in held]
        sent = [row["id"] for row in held]
        values = [tenants, types, ids, epochs, [0] * len(lanes), places, sent, [1] * len(held)]
        counted["settle"].append(pages(superuser, settle, values))
        counted["tend"].append(pages(superuser, "SELECT holdfast.tend_outbox(3, true, now())", []))
        counted["publish"].append(pages(superuser, publish, [[crowded]]))
    # The first calls also read the catalogue; later ones are past the point at which Postgres would change the plan.
    for name, found in counted.items():
        assert max(found[2:]) < FEW_PAGES, (name, found)


async def test_a_claim_behind_a_mark_does_not_pass_by_what_was_claimed_before(
    crowded: UUID, superuser: psycopg.Connection[Any]
) -> None:
    """Entries of claimed lanes stay in the index until vacuum takes them away, which a reader may keep it from."""
    claim = "SELECT * FROM holdfast.claim_outbox('w', 1000, 1, '30 s', %s, now(), %s::jsonb)"
    with psycopg.connect(superuser.info.dsn, autocommit=False) as reader:
        reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        reader.execute("SELECT count(*) FROM holdfast.tenants")
        marks = None
        for _ in range(30):
            lanes = superuser.execute(claim, [NOBODY, marks]).fetchall()
            last = max(lanes, key=lambda lane: (lane["due"], lane["aggregate_type"], lane["aggregate_id"]))
            marks = dump([{name: last[name] for name in ("tenant", "due", "aggregate_type", "aggregate_id")}])
        one = "SELECT * FROM holdfast.claim_outbox('w', 1, 1, '30 s', %s, now(), %s::jsonb)"
        behind = [pages(superuser, one, [NOBODY, marks]) for _ in range(3)]
        from_head = [pages(superuser, one, [NOBODY, None]) for _ in range(3)]
    assert min(behind) * 3 < min(from_head), (behind, from_head)
