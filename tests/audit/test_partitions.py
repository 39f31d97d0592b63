"""Monthly partitions: made ahead, never missed, dropped whole by retention."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from psycopg import errors as pg

from holdfast import FakeClock, Holdfast, Settings
from holdfast.audit import record
from holdfast.kernel.keyring import new_key

Row = dict[str, Any]


def partitions(superuser: psycopg.Connection[Row], branch: str) -> list[str]:
    rows = superuser.execute(
        "SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
        "WHERE i.inhparent = %s::regclass AND c.relname !~ 'default' ORDER BY 1",
        [f"holdfast.{branch}"],
    ).fetchall()
    return [row["name"].removeprefix(branch + "_") for row in rows]


@pytest.fixture
def clock(holdfast_clock: FakeClock) -> FakeClock:
    return holdfast_clock


async def test_they_are_made_ahead(app: Holdfast, clock: FakeClock, superuser: psycopg.Connection[Row]) -> None:
    year = clock.now().year
    clock.advance(datetime(year + 2, 1, 15, tzinfo=UTC) - clock.now())
    cut = superuser.execute(
        "SELECT count(*) AS tables FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid "
        "WHERE c.relnamespace = 'holdfast'::regnamespace AND p.partstrat = 'r'"
    ).fetchone()
    assert cut is not None
    assert cut["tables"] >= 9
    assert (await app.tidy()).partitions_made == cut["tables"] * 4  # this month and the three after it
    assert (await app.tidy()).partitions_made == 0
    for branch in ("workflow_event_plain", "workflow_event_chained"):
        names = partitions(superuser, branch)
        assert {f"{year + 2}_01", f"{year + 2}_02", f"{year + 2}_03", f"{year + 2}_04"} <= set(names)


async def test_an_event_no_month_covers_is_kept_and_moved_when_the_month_is_made(
    app: Holdfast, clock: FakeClock, superuser: psycopg.Connection[Row]
) -> None:
    clock.advance(timedelta(days=800))
    async with app.tenant("acme") as hold:
        await hold.users.create("late")
    waiting = "SELECT count(*) AS n FROM ONLY holdfast.workflow_event_chained_default"
    assert superuser.execute(waiting).fetchone() == {"n": 1}
    await app.tidy()
    assert superuser.execute(waiting).fetchone() == {"n": 0}
    async with app.tenant("acme") as hold:
        assert (await hold.audit.list()).items[0].event_type == "user.created"
        assert (await hold.audit.verify()).ok


async def test_retention_drops_whole_months_of_its_class_only(
    app: Holdfast, clock: FakeClock, superuser: psycopg.Connection[Row]
) -> None:
    await app.tidy()
    async with app.tenant("acme") as hold:
        await record(hold._tx, "run", hold.tenant.id, "run.created")
    kept = partitions(superuser, "workflow_event_chained")
    clock.advance(timedelta(days=364))
    assert not [name for name in (await app.tidy()).partitions_dropped if name.startswith("workflow_event")]
    clock.advance(timedelta(days=40))
    dropped = (await app.tidy()).partitions_dropped
    assert {name[:-8] for name in dropped if name.startswith("workflow_event")} == {"workflow_event_plain"}
    assert set(kept) <= set(partitions(superuser, "workflow_event_chained"))
    async with app.tenant("acme") as hold:
        assert (await hold.audit.list(object_kind="run")).items == []
        assert (await hold.audit.verify()).ok


async def test_a_chain_may_begin_late_only_when_retention_dropped_its_beginning(
    holdfast_dsn: str, superuser: psycopg.Connection[Row]
) -> None:
    clock = FakeClock(datetime.now(UTC))
    settings = Settings.load({}, dsn=holdfast_dsn, audit_retention={"chained": 30}, migrate="always", keys=new_key())
    async with Holdfast(settings, clock=clock) as app:
        await app.tenants.create("acme")
        async with app.tenant("acme") as hold:
            ben = (await hold.users.create("ben")).user_id
        clock.advance(timedelta(days=70))
        await app.tidy()
        async with app.tenant("acme") as hold:
            await hold.users.update("ben", display_name="Ben")
            assert (await hold.audit.verify()).ok
            assert [event.seq for event in (await hold.audit.list(object_id=ben)).items] == [2]
        superuser.execute("DELETE FROM holdfast.audit_tombstone")
        async with app.tenant("acme") as hold:
            assert not (await hold.audit.verify()).ok


async def test_a_new_partition_is_as_closed_as_the_others(
    app: Holdfast, clock: FakeClock, superuser: psycopg.Connection[Row]
) -> None:
    clock.advance(timedelta(days=400))
    await app.tidy()
    loose = superuser.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace AND relkind = 'r' "
        "AND relname ~ '_\\d{4}_\\d{2}$' AND NOT (relrowsecurity AND relforcerowsecurity)"
    ).fetchall()
    assert loose == []
    name = partitions(superuser, "workflow_event_chained")[-1]
    with pytest.raises(pg.InsufficientPrivilege):
        async with app.tenant("acme") as hold:
            await hold.connection.execute(f"SELECT * FROM holdfast.workflow_event_chained_{name}")
