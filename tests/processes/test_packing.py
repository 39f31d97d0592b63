"""What a step gave twelve months ago is kept compressed, shown as before, and found out when somebody changes it."""

from __future__ import annotations

import zlib
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from holdfast import FakeClock, Holdfast, OperationalError
from processes.shop import Shop, nodes, ways

Row = dict[str, Any]
SLOT = "slot:submitted_to_approved"
LONG = "entity.grand_total != null && entity.vendor != null && entity.number != null && entity.posted != true"


async def a_year_later(shop: Shop, clock: FakeClock, superuser: psycopg.Connection[Row]) -> Any:
    """An instance with steps that told much, thirteen months ago."""
    superuser.execute("SELECT holdfast.create_partitions(%s, 1)", [clock.now()])
    patch = {
        "nodes": nodes(("look", "condition", {"expression": LONG})),
        "edges": ways("in -> look", "look -true-> out", "look -false-> out"),
    }
    await shop.publish({SLOT: {**patch, "exit_edge_mode": "join"}})
    document = await shop.invoice(posted=False)
    instance = await shop.submit(document)
    before = await shop.steps(instance)
    clock.advance(timedelta(days=430))
    await shop.app.tidy()
    return instance, before


async def test_old_outputs_are_packed_and_shown_as_before(
    shop: Shop, holdfast_clock: FakeClock, superuser: psycopg.Connection[Row]
) -> None:
    instance, before = await a_year_later(shop, holdfast_clock, superuser)
    rows = superuser.execute(
        "SELECT node_id, output_json, output_packed, output_hash FROM holdfast.workflow_step_executions "
        "WHERE output_packed IS NOT NULL"
    ).fetchall()
    assert rows
    assert all(row["output_json"] is None for row in rows)
    assert [each.output for each in await shop.steps(instance)] == [each.output for each in before]
    async with shop.app.tenant("acme") as hold:
        assert (await hold.processes.repair.check_projection(instance)).differed == ()
        assert (await hold.processes.repair.rebuild_projection(instance)).differed == ()
    await shop.app.tidy()
    done = superuser.execute("SELECT count(*) AS n FROM holdfast.step_month_packed").fetchone()
    assert done is not None
    assert done["n"] > 0


async def test_what_is_younger_stays_as_it_is(
    shop: Shop, app: Holdfast, holdfast_clock: FakeClock, superuser: psycopg.Connection[Row]
) -> None:
    await shop.submit(await shop.invoice())
    holdfast_clock.advance(timedelta(days=300))
    await app.tidy()
    row = superuser.execute("SELECT count(output_packed) AS n FROM holdfast.workflow_step_executions").fetchone()
    assert row == {"n": 0}


@pytest.mark.parametrize(
    "change", ["output_packed = %s", "output_hash = %s", "output_json = '{}', output_packed = NULL"]
)
async def test_what_is_packed_is_not_changed(
    shop: Shop, holdfast_clock: FakeClock, superuser: psycopg.Connection[Row], change: str
) -> None:
    instance, _ = await a_year_later(shop, holdfast_clock, superuser)
    statement = f"UPDATE holdfast.workflow_step_executions SET {change} WHERE output_packed IS NOT NULL"
    values = [zlib.compress(b"{}")] if "%s" in change else []
    with pytest.raises(psycopg.Error, match="never change"):
        superuser.execute(statement, values)
    # Without the trigger, whoever reads it finds out.
    superuser.execute("ALTER TABLE holdfast.workflow_step_executions DISABLE TRIGGER USER")
    superuser.execute(statement, values)
    if "%s" in change:
        with pytest.raises(OperationalError, match="changed after"):
            await shop.steps(instance)


async def test_a_worker_packs_nothing_else_in_its_place(
    shop: Shop, holdfast_clock: FakeClock, superuser: psycopg.Connection[Row]
) -> None:
    """The digest is Postgres's, of what was there."""
    superuser.execute("SELECT holdfast.create_partitions(%s, 1)", [holdfast_clock.now()])
    instance = await shop.submit(await shop.invoice())
    holdfast_clock.advance(timedelta(days=430))
    superuser.execute(
        "SELECT holdfast.pack_steps(array_agg(tenant), array_agg(created_at), array_agg(id), array_agg(%s::bytea), %s) "
        "FROM holdfast.workflow_step_executions WHERE settled_seq IS NOT NULL AND output_json IS NOT NULL",
        [zlib.compress(b"{}"), holdfast_clock.now()],
    )
    with pytest.raises(OperationalError, match="changed after"):
        await shop.steps(instance)
