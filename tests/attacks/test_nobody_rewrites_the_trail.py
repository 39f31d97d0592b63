"""The trail: nobody shortens it before its time, dates an event back or fills a gap, or `audit verify` says so."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from psycopg import AsyncConnection, sql
from psycopg.conninfo import make_conninfo

from holdfast import FakeClock, Holdfast, Settings
from holdfast.audit.janitor import tidy
from holdfast.kernel.keyring import Keyring, new_key
from holdfast.postgres.told_time import TOLD_TIME_LOCK, told_time

Row = dict[str, Any]
MONTHS = timedelta(days=70)


@pytest.fixture
async def worker(holdfast_dsn: str, superuser: psycopg.Connection[Row]) -> AsyncIterator[AsyncConnection[Any]]:
    """The login of workers, writing SQL of its own, on a database that is not one for tests."""
    superuser.execute("UPDATE holdfast.installation SET is_test = false")
    async with await AsyncConnection.connect(holdfast_dsn, autocommit=True) as connection:
        await connection.execute("SET SESSION AUTHORIZATION holdfast_worker")
        yield connection


async def broken(app: Holdfast, slug: str = "acme") -> list[str]:
    async with app.tenant(slug) as hold:
        return [str(link) for link in (await hold.audit.verify()).breaks]


async def events(app: Holdfast, slug: str = "acme") -> int:
    async with app.tenant(slug) as hold:
        return (await hold.audit.verify()).events


@pytest.mark.parametrize("branch", ["workflow_event_chained", "workflow_event_plain"])
@pytest.mark.parametrize("before", ["now()", "now() + interval '10 years'", "now() - interval '1 day'"])
async def test_the_current_month_is_never_dropped(
    app: Holdfast, worker: AsyncConnection[Any], superuser: psycopg.Connection[Row], branch: str, before: str
) -> None:
    kept = await events(app)
    superuser.execute("SELECT holdfast.set_retention(%s, 1)", [branch])
    with contextlib.suppress(psycopg.Error):
        await worker.execute(f"SELECT * FROM holdfast.drop_partitions('{branch}', {before})")
    assert await events(app) == kept > 0
    assert await broken(app) == []
    month = "SELECT to_regclass(format('holdfast.%%I', %s || to_char(now() AT TIME ZONE 'UTC', '_YYYY_MM'))) AS it"
    row = superuser.execute(month, [branch]).fetchone()
    assert row is not None
    assert row["it"] is not None


async def test_the_policy_is_the_databases_and_not_the_callers(
    app: Holdfast, worker: AsyncConnection[Any], superuser: psycopg.Connection[Row]
) -> None:
    superuser.execute("SELECT holdfast.create_partitions(now() - interval '100 days', 3)")
    for branch in ("workflow_event_chained", "workflow_event_plain", "workflow_step_execution", "entities", "nothing"):
        with pytest.raises(psycopg.Error, match=r"kept|nobody drops") as caught:
            await worker.execute("SELECT holdfast.drop_partitions(%s, now() - interval '60 days')", [branch])
        assert caught.value.sqlstate == "HF002"
    for attempt in (
        "SELECT holdfast.set_retention('workflow_event_plain', 1)",
        "INSERT INTO holdfast.retention (branch, days, set_by) VALUES ('workflow_event_plain', 1, 'me')",
        "UPDATE holdfast.retention SET days = 1",
        "UPDATE holdfast.installation SET is_test = true",
        "DELETE FROM holdfast.audit_tombstone",
        "UPDATE holdfast.audit_tombstone_range SET last_seq = 99",
        "DELETE FROM holdfast.audit_anchor",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await worker.execute(attempt)
    # Another time than the database's, to make what is kept look expired.
    with pytest.raises(psycopg.Error, match="when it happens") as caught:
        await worker.execute(
            "SELECT holdfast.drop_partitions('workflow_event_plain', now(), now() + interval '10 years')"
        )
    assert caught.value.sqlstate == "HF002"
    assert await broken(app) == []


@pytest.mark.parametrize("table", ["workflow_event_chained", "workflow_event_plain"])
@pytest.mark.parametrize("off", ["-1 second", "-40 days", "1 second", "1 year"])
async def test_nobody_dates_an_event(app: Holdfast, worker: AsyncConnection[Any], table: str, off: str) -> None:
    kind = "access" if table.endswith("chained") else "run"
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    await worker.execute(sql.SQL("SET holdfast.tenant = {}").format(str(tenant)))
    insert = (
        f"INSERT INTO holdfast.{table} (tenant, object_kind, object_id, event_type, actor, created_at) "
        "VALUES (%s, %s, %s, 'forged', 'user:ana', now() + %s::interval)"
    )
    with pytest.raises(psycopg.Error, match="when it happens") as caught:
        await worker.execute(insert, [tenant, kind, tenant, off])
    assert caught.value.sqlstate == "HF002"
    # In time, it is written, and where it stands is not for the writer to say.
    await worker.execute(insert, [tenant, kind, tenant, "0 s"])
    chosen = {"id": "1", "seq": "1", "prev_hash": "'x'", "hash": "'x'"}
    for column in chosen if kind == "access" else ("id",):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await worker.execute(
                f"INSERT INTO holdfast.{table} (tenant, object_kind, object_id, event_type, actor, {column}) "
                f"VALUES (%s, %s, %s, 'forged', 'user:ana', {chosen[column]})",
                [tenant, kind, tenant],
            )


@pytest.fixture
async def shortened(holdfast_dsn: str, holdfast_clock: FakeClock) -> AsyncIterator[Holdfast]:
    """An installation that keeps chains for 30 days, and dropped a month of them: of ben's two events one is left."""
    settings = Settings.load(
        {}, dsn=holdfast_dsn, keys=new_key(), audit_retention={"chained": 30, "plain": 30}, migrate="always"
    )
    async with Holdfast(settings, clock=holdfast_clock) as app:
        await app.tenants.create("acme")
        async with app.tenant("acme") as hold:
            await hold.users.create("ben")
            await hold.users.create("gone")
        holdfast_clock.advance(MONTHS)
        dropped = (await app.tidy()).partitions_dropped
        assert [name for name in dropped if name.startswith("workflow_event_chained")]
        async with app.tenant("acme") as hold:
            await hold.users.update("ben", display_name="Ben")
        assert await broken(app) == []
        yield app


async def test_what_retention_drops_leaves_a_tombstone(shortened: Holdfast, superuser: psycopg.Connection[Row]) -> None:
    [stone] = superuser.execute(
        "SELECT * FROM holdfast.audit_tombstone WHERE branch = 'workflow_event_chained'"
    ).fetchall()
    assert (stone["chains"], stone["events"], stone["days"]) == (3, 3, 30)
    assert stone["signature"] is not None
    assert stone["dropped_by"]
    async with shortened.tenant("acme") as hold:
        verdict = await hold.audit.verify()
    assert (verdict.events, verdict.dropped) == (1, 3)


@pytest.mark.parametrize(
    ("attack", "said"),
    [
        ("DELETE FROM holdfast.audit_tombstone_range", "the ranges it names were changed"),
        ("UPDATE holdfast.audit_tombstone_range SET last_seq = last_seq + 1", "the ranges it names were changed"),
        ("UPDATE holdfast.audit_tombstone_range SET last_hash = sha256('x')", "the ranges it names were changed"),
        ("UPDATE holdfast.audit_tombstone SET events = events + 1", "the ranges it names were changed"),
        ("UPDATE holdfast.audit_tombstone SET dropped_by = 'x'", "its content does not match its hash"),
        ("UPDATE holdfast.audit_tombstone SET signature = sha256('x')", "its signature is not ours"),
        ("UPDATE holdfast.audit_tombstone SET signature = NULL, key_id = NULL", "it is not signed"),
        ("DELETE FROM holdfast.audit_tombstone_range; DELETE FROM holdfast.audit_tombstone", "are missing"),
        ("DELETE FROM holdfast.workflow_event_chained WHERE event_type = 'user.updated'", "events were removed"),
    ],
)
async def test_a_gap_that_no_tombstone_vouches_for_is_found(
    shortened: Holdfast, superuser: psycopg.Connection[Row], attack: str, said: str
) -> None:
    superuser.execute(attack)
    found = await broken(shortened)
    assert any(said in line for line in found), found


async def test_a_drop_without_the_keys_is_found(
    app: Holdfast, holdfast_clock: FakeClock, holdfast_dsn: str, superuser: psycopg.Connection[Row]
) -> None:
    """Whoever has the worker's login alone may drop what has expired, as a worker may, but not sign for it."""
    superuser.execute("SELECT holdfast.set_retention('workflow_event_chained', 30)")
    holdfast_clock.advance(MONTHS)
    async with await AsyncConnection.connect(holdfast_dsn, autocommit=True) as connection:
        await connection.execute("SET SESSION AUTHORIZATION holdfast_worker")
        at = holdfast_clock.now()
        await connection.execute(
            "SELECT holdfast.drop_partitions('workflow_event_chained', %s - interval '30 days', %s)", [at, at]
        )
        [stone] = superuser.execute(
            "SELECT tenant, seq FROM holdfast.audit_tombstone ORDER BY tenant LIMIT 1"
        ).fetchall()
        with pytest.raises(psycopg.Error, match="not left by this transaction"):
            await connection.execute("SELECT holdfast.sign_tombstone(%(tenant)s, %(seq)s, 'k', sha256('x'))", stone)
    await app.tidy()  # a janitor does not sign what others dropped
    assert any("it is not signed" in line for line in await broken(app))


async def test_a_tombstone_that_the_policy_did_not_allow_is_found(
    shortened: Holdfast, superuser: psycopg.Connection[Row]
) -> None:
    superuser.execute("UPDATE holdfast.retention SET days = 3650 WHERE branch = 'workflow_event_chained'")
    assert any("the policy kept" in line for line in await broken(shortened))


async def test_without_keys_nothing_is_dropped(
    app: Holdfast, holdfast_clock: FakeClock, superuser: psycopg.Connection[Row], caplog: pytest.LogCaptureFixture
) -> None:
    superuser.execute("SELECT holdfast.set_retention('workflow_event_plain', 30)")
    holdfast_clock.advance(timedelta(days=800))
    with caplog.at_level("INFO", logger="holdfast.audit.janitor"):
        done = await tidy(app.database, app.clock, Keyring())
    assert not done.partitions_dropped
    assert "HOLDFAST_KEYS" in caplog.text


async def test_only_the_owner_lets_a_past_be_told_and_only_while_it_does(
    app: Holdfast, worker: AsyncConnection[Any], holdfast_dsn: str
) -> None:
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    await worker.execute(sql.SQL("SET holdfast.tenant = {}").format(str(tenant)))
    insert = (
        "INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, created_at) "
        "VALUES (%s, 'run', %s, 'told', 'user:ana', now() - interval '40 days')"
    )
    # The lock by itself says nothing: any role can take one.
    login = make_conninfo(holdfast_dsn, user="holdfast_worker")
    async with await AsyncConnection.connect(login, autocommit=True) as intruder:
        await intruder.execute("SELECT pg_advisory_lock(%s, %s)", TOLD_TIME_LOCK)
        with pytest.raises(psycopg.Error, match="when it happens"):
            await worker.execute(insert, [tenant, tenant])
    async with told_time(holdfast_dsn):
        await worker.execute(insert, [tenant, tenant])
    with pytest.raises(psycopg.Error, match="when it happens"):
        await worker.execute(insert, [tenant, tenant])
    assert await broken(app) == []
