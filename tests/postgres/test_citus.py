"""With the extension citus, migrations end by distributing the data store, and the product works on it.

The extension is not to be had from PyPI or Debian. So a stand-in records what is asked of it, in which order, and what
we change of our own for its sake must keep every promise on plain Postgres too. What only a real Citus can show is
tested where `TEST_CITUS_DSN` names one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo

from harness.citus import COORDINATOR, CitusDatabases
from holdfast import FakeClock, Holdfast, Settings
from holdfast.data import Keys, Links
from holdfast.doctor import Finding, examine
from holdfast.errors import DatabaseUnsupported
from holdfast.postgres.citus import DISTRIBUTED
from holdfast.postgres.migrate import migrate
from holdfast.runs import Retry, Run
from holdfast.testing import Databases
from holdfast.testing.data import KeysConformance, LinksConformance
from runs.conftest import finished, working

plain = pytest.mark.skipif(COORDINATOR is not None, reason="the stand-in is for servers without Citus")
real = pytest.mark.skipif(COORDINATOR is None, reason="needs a real Citus: TEST_CITUS_DSN")

STAND_IN = """
SET allow_system_table_mods = on;
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  VALUES (999999, 'citus', 10, 'public'::regnamespace, false, '13.2-1');
RESET allow_system_table_mods;
CREATE TABLE public.pg_dist_partition (logicalrelid regclass, partmethod "char" DEFAULT 'h', beside text, place serial);
GRANT SELECT ON public.pg_dist_partition TO PUBLIC;
CREATE TABLE public.asked_of_nodes (command text);
CREATE FUNCTION public.run_command_on_workers(command text)
RETURNS TABLE (nodename text, nodeport integer, success boolean, result text) LANGUAGE sql AS
  $$ INSERT INTO public.asked_of_nodes VALUES (command) RETURNING 'one', 5432, true, 'DO' $$;
CREATE FUNCTION public.truncate_local_data_after_distributing_table(t regclass) RETURNS void LANGUAGE plpgsql AS
  $$ BEGIN ASSERT (SELECT count(*) FROM public.pg_dist_partition WHERE logicalrelid = t) = 1; END $$;
CREATE FUNCTION public.create_distributed_table(t regclass, col text, colocate_with text) RETURNS void LANGUAGE sql AS
  $$ INSERT INTO public.pg_dist_partition (logicalrelid, beside) SELECT t, colocate_with WHERE col = 'tenant' $$;
"""


@pytest.fixture
def standing_in(superuser: psycopg.Connection[Any]) -> Iterator[psycopg.Connection[Any]]:
    superuser.execute(STAND_IN)
    yield superuser
    superuser.execute("ALTER ROLE holdfast_owner NOLOGIN")  # roles belong to the server, which other tests use


async def _findings(dsn: str) -> dict[str, Finding]:
    return {finding.check: finding async for finding in examine(Settings.load({}, dsn=dsn))}


# ------------------------------------------------------------------------------------------------ what is asked of it


@plain
async def test_the_data_store_is_distributed_once_and_side_by_side(
    holdfast_dsn: str, standing_in: psycopg.Connection[Any]
) -> None:
    assert (await _findings(holdfast_dsn))["Citus"].verdict == "warning"
    told: list[str] = []
    for _ in range(2):
        await migrate(holdfast_dsn, on_progress=told.append)
    assert told == [f"Distributing {name} by tenant" for name in DISTRIBUTED]
    asked = standing_in.execute("SELECT logicalrelid::text AS name, beside FROM pg_dist_partition ORDER BY place")
    first, *others = DISTRIBUTED
    assert [(row["name"], row["beside"]) for row in asked] == [
        (f"holdfast.{first}", "default"),
        *((f"holdfast.{name}", f"holdfast.{first}") for name in others),
    ]
    assert (await _findings(holdfast_dsn))["Citus"].verdict == "ok"


@plain
async def test_the_nodes_know_our_roles_before_anything_belongs_to_them(
    holdfast_dsn: str, standing_in: psycopg.Connection[Any]
) -> None:
    standing_in.execute(
        "CREATE OR REPLACE FUNCTION public.run_command_on_workers(command text) "
        "RETURNS TABLE (nodename text, nodeport integer, success boolean, result text) LANGUAGE sql AS "
        "$$ SELECT 'one', 5432, false, 'no such luck' $$"
    )
    with pytest.raises(DatabaseUnsupported, match="on the Citus node one:5432: no such luck"):
        await migrate(holdfast_dsn)
    row = standing_in.execute("SELECT rolcanlogin FROM pg_roles WHERE rolname = 'holdfast_owner'").fetchone()
    assert row == {"rolcanlogin": True}


@plain
async def test_what_citus_refuses_stays_where_it_is_and_that_is_said(
    holdfast_dsn: str, standing_in: psycopg.Connection[Any]
) -> None:
    before = _functions(standing_in)
    standing_in.execute(
        "CREATE OR REPLACE FUNCTION public.create_distributed_table(t regclass, col text, colocate_with text) "
        "RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE 'not this one'; END $$"
    )
    told: list[str] = []
    assert await migrate(holdfast_dsn, on_progress=told.append) == []
    assert told[-1] == "Citus does not distribute the tables (not this one); all of them stay where they are"
    assert _functions(standing_in) == before
    async with Holdfast(dsn=holdfast_dsn) as app:
        await app.tenants.create("acme")
        async with app.tenant("acme") as hold:
            await hold.data.set("n", "k", 1)


@plain
async def test_plain_postgres_is_asked_for_nothing(holdfast_dsn: str, superuser: psycopg.Connection[Any]) -> None:
    before = _functions(superuser)
    told: list[str] = []
    await migrate(holdfast_dsn, on_progress=told.append)
    assert told == []
    assert _functions(superuser) == before
    assert "Citus" not in await _findings(holdfast_dsn)


def _functions(connection: psycopg.Connection[Any]) -> list[Any]:
    return connection.execute(
        "SELECT oid::regprocedure, prosrc, prosecdef, proconfig, proacl::text FROM pg_proc "
        "WHERE pronamespace = 'holdfast'::regnamespace ORDER BY oid"
    ).fetchall()


# ----------------------------------------------------------------------------- what is ours and another there


@pytest.fixture(scope="module")
def changed_dsn(holdfast_databases: Databases) -> Iterator[str]:
    """A database as migrations leave it on Citus: a real one, or the stand-in's."""
    with holdfast_databases.clone() as name:
        dsn = holdfast_databases.dsn(name)
        if COORDINATOR is None:
            with psycopg.connect(dsn, autocommit=True) as connection:
                connection.execute(STAND_IN)
                asyncio.run(migrate(dsn))
                connection.execute("ALTER ROLE holdfast_owner NOLOGIN")
        yield dsn


@pytest.fixture
def clock(holdfast_clock: FakeClock) -> FakeClock:
    return holdfast_clock


@pytest.fixture
async def changed(changed_dsn: str, clock: FakeClock) -> AsyncIterator[Holdfast]:
    """An application with the login it should have: one that row-level security binds."""
    async with Holdfast(dsn=make_conninfo(changed_dsn, user="holdfast_worker"), clock=clock) as app:
        yield app


@pytest.fixture
async def tenant(changed: Holdfast, request: pytest.FixtureRequest) -> str:
    """A tenant nobody else uses."""
    slug = f"tenant-{abs(hash(request.node.nodeid))}"
    await changed.tenants.create(slug)
    return slug


class TestKeys(KeysConformance):
    """Each call a transaction of its own."""

    @pytest.fixture
    def keys(self, changed: Holdfast, tenant: str) -> Keys:
        return changed.data(tenant)


class TestLinks(LinksConformance):
    @pytest.fixture
    def links(self, changed: Holdfast, tenant: str) -> Links:
        return changed.links(tenant)


class TestKeysOfOneTransaction(KeysConformance):
    @pytest.fixture
    async def keys(self, changed: Holdfast, tenant: str) -> AsyncIterator[Keys]:
        async with changed.tenant(tenant) as hold:
            yield hold.data

    # What a transaction has written it cannot follow: others could not see it yet either.
    test_changes_can_be_followed = None  # type: ignore[assignment]
    test_following_goes_on_from_every_change = None  # type: ignore[assignment]
    test_those_that_are_over_longest_are_swept_first = None  # type: ignore[assignment]
    test_expired_keys_are_swept_by_a_write_only_where_a_quota_is_full = None  # type: ignore[assignment]


async def test_a_tenant_sees_and_writes_its_own_rows_only(changed: Holdfast, tenant: str) -> None:
    other = f"{tenant}-other"
    await changed.tenants.create(other)
    await changed.data(tenant).set("n", "mine", 1)
    theirs = await changed.database.tenant(tenant)
    async with changed.tenant(other) as hold:
        await hold.data.set("n", "own", 1)
        seen = await hold.connection.execute("SELECT key FROM holdfast.workflow_data_store")
        assert await seen.fetchall() == [("own",)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            async with hold.connection.transaction():
                await hold.connection.execute(
                    "INSERT INTO holdfast.workflow_data_store "
                    "(tenant, store_id, namespace, key, value, revision, size) VALUES (%s, %s, 'n', 'k', '1', 1, 1)",
                    [theirs.id, theirs.id],
                )


async def test_a_joined_transaction_is_its_tenants_again_afterwards(changed: Holdfast, tenant: str) -> None:
    other = f"{tenant}-other"
    await changed.tenants.create(other)
    async with changed.tenant(tenant) as outer:
        await outer.data.set("n", "k", "outer")
        async with changed.tenant(other, connection=outer.connection) as inner:
            await inner.data.set("n", "k", "inner")
            entry = await inner.data.get("n", "k")
            assert entry is not None
            assert entry.value == "inner"
        entry = await outer.data.get("n", "k")
        assert entry is not None
        assert entry.value == "outer"


# ------------------------------------------------------------------------------------------------------ a real one


@real
async def test_a_new_database_is_distributed_and_later_migrations_change_nothing(
    holdfast_databases: CitusDatabases,
) -> None:
    with holdfast_databases.empty() as name:
        holdfast_databases.add_citus(name)
        dsn = holdfast_databases.dsn(name)
        told: list[str] = []
        for _ in range(2):
            await migrate(dsn, on_progress=told.append)
        assert told[-len(DISTRIBUTED) :] == [f"Distributing {table} by tenant" for table in DISTRIBUTED]
        async with await AsyncConnection.connect(dsn) as connection:
            found = await connection.execute(
                "SELECT table_name::text, distribution_column, count(*) OVER (PARTITION BY colocation_id) "
                "FROM citus_tables ORDER BY 1"
            )
            side_by_side = len(DISTRIBUTED)
            assert await found.fetchall() == [
                (f"holdfast.{table}", "tenant", side_by_side) for table in sorted(DISTRIBUTED)
            ]
        findings = await _findings(dsn)
        assert findings["Citus"].verdict == findings["row-level security"].verdict == "ok"


@real
async def test_what_was_stored_before_is_there_afterwards(holdfast_databases: CitusDatabases) -> None:
    with holdfast_databases.empty() as name:
        dsn = holdfast_databases.dsn(name)
        await migrate(dsn)
        async with Holdfast(dsn=dsn) as app:
            for slug in ("acme", "globex"):
                await app.tenants.create(slug)
                await app.data(slug).set("n", "k", slug)
        holdfast_databases.add_citus(name)
        await migrate(dsn)
        async with await AsyncConnection.connect(dsn) as connection:
            # The table in which the rows were holds none any more.
            left = await connection.execute("SELECT pg_relation_size('holdfast.workflow_data_store')")
            assert await left.fetchone() == (0,)
        async with Holdfast(dsn=dsn) as app:
            for slug in ("acme", "globex"):
                entry = await app.data(slug).get("n", "k")
                assert entry is not None
                assert entry.value == slug


@real
async def test_runs_are_claimed_retried_and_settled_and_write_to_the_data_store(holdfast_dsn: str) -> None:
    tenants = ("acme", "globex")
    async with Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05) as app:

        @app.handler("count.v1", retry=Retry(max_attempts=2, base=0.01))
        async def count(run: Run) -> None:
            await run.step("remember", lambda: run.attempt)
            if run.attempt == 1:
                raise ConnectionError
            async with run.hold() as hold:
                await hold.data.increment("counts", "runs")

        ids = []
        for slug in tenants:
            await app.tenants.create(slug)
            ids += [(slug, (await app.enqueue(slug, "count.v1")).id) for _ in range(3)]
        async with working(app):
            for slug, run_id in ids:
                (run,) = await finished(app, run_id, tenant=slug)
                assert (run.status, run.attempt) == ("succeeded", 2)
        for slug in tenants:
            entry = await app.data(slug).get("counts", "runs")
            assert entry is not None
            assert entry.value == 3
