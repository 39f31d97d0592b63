"""Migrations are applied once, by one, completely or not at all, and never by code that does not know them."""

from __future__ import annotations

import asyncio
import hashlib
import multiprocessing
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from holdfast import Holdfast
from holdfast.errors import DatabaseUnsupported, MigrationError, SchemaOutdated, SchemaTooNew
from holdfast.postgres import migrate as module
from holdfast.postgres.connect import check_version, reach
from holdfast.postgres.migrate import migrate, status
from holdfast.postgres.schema_files import Migration, migrations
from holdfast.testing import Databases


@pytest.fixture
def empty_dsn(holdfast_databases: Databases) -> Iterator[str]:
    with holdfast_databases.empty() as name:
        yield holdfast_databases.dsn(name)


def read(dsn: str, query: str) -> list[dict[str, Any]]:
    with psycopg.connect(dsn, row_factory=dict_row) as connection:
        return connection.execute(query).fetchall()


def extra(sql: str, *, version: int | None = None) -> Migration:
    number = version or len(migrations()) + 1
    checksum = hashlib.sha256(sql.encode()).hexdigest()
    return Migration(number, "extra", sql, checksum, not sql.startswith("-- holdfast: no-transaction"))


@pytest.fixture
def with_extra(monkeypatch: pytest.MonkeyPatch) -> Any:
    known = migrations()

    def add(*more: Migration) -> None:
        monkeypatch.setattr(module, "migrations", lambda: (*known, *more))

    return add


def _migrate_in_process(dsn: str, barrier: Any, results: Any) -> None:
    barrier.wait()
    try:
        results.put([str(migration) for migration in asyncio.run(migrate(dsn))])
    except BaseException as error:
        results.put(repr(error))


def test_eight_processes_at_once_apply_each_migration_once(empty_dsn: str) -> None:
    # Forked from one process that has everything imported: eight that import it all take half a minute.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["pytest", __name__])
    barrier, results = context.Barrier(8), context.Queue()
    processes = [context.Process(target=_migrate_in_process, args=(empty_dsn, barrier, results)) for _ in range(8)]
    for process in processes:
        process.start()
    outcomes = [results.get(timeout=120) for _ in processes]
    for process in processes:
        process.join()
    assert all(isinstance(outcome, list) for outcome in outcomes), outcomes
    applied = [name for outcome in outcomes for name in outcome]
    assert sorted(applied) == [str(migration) for migration in migrations()]
    rows = read(empty_dsn, "SELECT version FROM holdfast.schema_migrations ORDER BY version")
    assert [row["version"] for row in rows] == [migration.version for migration in migrations()]


async def test_two_databases_of_one_server_can_be_migrated_at_once(holdfast_databases: Databases) -> None:
    with holdfast_databases.empty() as one, holdfast_databases.empty() as other:
        done = await asyncio.gather(*(migrate(holdfast_databases.dsn(name)) for name in (one, other)))
    assert [len(applied) for applied in done] == [len(migrations())] * 2


async def test_migrating_again_changes_nothing(holdfast_dsn: str) -> None:
    before = read(holdfast_dsn, "SELECT * FROM holdfast.schema_migrations")
    assert await migrate(holdfast_dsn) == []
    assert read(holdfast_dsn, "SELECT * FROM holdfast.schema_migrations") == before


async def test_status_tells_what_is_applied(empty_dsn: str) -> None:
    async with reach(empty_dsn) as connection:
        assert {entry.applied_at for entry in await status(connection)} == {None}
    await migrate(empty_dsn)
    async with reach(empty_dsn) as connection:
        assert None not in {entry.applied_at for entry in await status(connection)}


async def test_an_empty_database_of_ones_own_is_not_migrated_unasked(empty_dsn: str) -> None:
    with pytest.raises(SchemaOutdated, match="holdfast migrate"):
        await Holdfast(dsn=empty_dsn).open()
    assert read(empty_dsn, "SELECT to_regnamespace('holdfast') AS it") == [{"it": None}]


async def test_a_newer_database_is_refused(holdfast_dsn: str) -> None:
    with psycopg.connect(holdfast_dsn) as connection:
        connection.execute("INSERT INTO holdfast.schema_migrations VALUES (9999, 'from_the_future', 'x', now(), 1)")
    with pytest.raises(SchemaTooNew, match="9999_from_the_future"):
        await migrate(holdfast_dsn)
    with pytest.raises(SchemaTooNew, match="upgrade holdfast"):
        await Holdfast(dsn=holdfast_dsn).open()


async def test_an_applied_file_that_was_edited_is_refused(holdfast_dsn: str) -> None:
    with psycopg.connect(holdfast_dsn) as connection:
        connection.execute("UPDATE holdfast.schema_migrations SET checksum = 'other' WHERE version = 1")
    with pytest.raises(MigrationError, match="made with another 0001_access than this version"):
        await migrate(holdfast_dsn)


async def test_a_failing_migration_leaves_nothing(holdfast_dsn: str, with_extra: Any) -> None:
    with_extra(extra("CREATE TABLE holdfast.half (x int); SELECT 1 / 0;"))
    with pytest.raises(MigrationError, match="failed and was undone: division by zero"):
        await migrate(holdfast_dsn)
    assert read(holdfast_dsn, "SELECT to_regclass('holdfast.half') AS it") == [{"it": None}]
    assert len(read(holdfast_dsn, "SELECT * FROM holdfast.schema_migrations")) == len(migrations())


async def test_a_file_may_run_outside_a_transaction(holdfast_dsn: str, with_extra: Any) -> None:
    with_extra(
        extra(
            "-- holdfast: no-transaction\n"
            "CREATE INDEX CONCURRENTLY IF NOT EXISTS users_email ON holdfast.users (tenant, email);\n"
            "-- a comment alone is no statement\n"
        )
    )
    # Several at once: those that wait for the lock must not keep CREATE INDEX CONCURRENTLY waiting for them.
    applied = await asyncio.wait_for(asyncio.gather(*(migrate(holdfast_dsn) for _ in range(4))), 30)
    assert sum(len(names) for names in applied) == 1
    assert read(
        holdfast_dsn, "SELECT indisvalid FROM pg_index WHERE indexrelid = 'holdfast.users_email'::regclass"
    ) == [{"indisvalid": True}]


async def test_everything_belongs_to_the_owner(holdfast_dsn: str) -> None:
    rows = read(
        holdfast_dsn,
        "SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class "
        "WHERE relnamespace = 'holdfast'::regnamespace "
        "UNION SELECT pg_get_userbyid(proowner) FROM pg_proc WHERE pronamespace = 'holdfast'::regnamespace",
    )
    assert rows == [{"owner": "holdfast_owner"}]


async def test_definer_functions_pin_their_search_path(holdfast_dsn: str) -> None:
    loose = read(
        holdfast_dsn,
        "SELECT proname FROM pg_proc WHERE pronamespace = 'holdfast'::regnamespace AND prosecdef "
        "AND NOT coalesce(proconfig::text LIKE '%search_path=pg_catalog, pg_temp%', false)",
    )
    assert loose == []


async def test_a_login_that_may_not_migrate_is_told_so(holdfast_databases: Databases) -> None:
    with holdfast_databases.empty() as name:
        dsn = holdfast_databases.dsn(name)
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("DROP ROLE IF EXISTS powerless")
            connection.execute("CREATE ROLE powerless LOGIN")
        try:
            with pytest.raises(DatabaseUnsupported, match="HOLDFAST_ADMIN_DSN"):
                await migrate(holdfast_databases.dsn(name, user="powerless"))
        finally:
            with psycopg.connect(dsn, autocommit=True) as connection:
                connection.execute("DROP ROLE powerless")


async def test_an_administrator_without_superuser_can_migrate_and_serve(holdfast_databases: Databases) -> None:
    """As on managed Postgres: the login may create roles and owns the database, nothing more."""
    with holdfast_databases.empty() as name:
        dsn = holdfast_databases.dsn(name)
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("CREATE ROLE managed LOGIN CREATEROLE CREATEDB")
            for role in ("holdfast_owner", "holdfast_app", "holdfast_worker"):
                # The roles exist already on this server; whoever made them hands them on.
                connection.execute(f"GRANT {role} TO managed WITH ADMIN OPTION")
            connection.execute(f"ALTER DATABASE {name} OWNER TO managed")
        try:
            async with Holdfast(dsn=holdfast_databases.dsn(name, user="managed"), migrate="always") as app:
                await app.tenants.create("acme")
                await app.tenants.create("globex")
                async with app.tenant("acme") as hold:
                    await hold.users.create("ana", roles=["admin"])
                    rows = await (await hold.connection.execute("SELECT slug FROM holdfast.tenants")).fetchall()
                    assert rows == [("acme",)]
        finally:
            with psycopg.connect(dsn, autocommit=True) as connection:
                connection.execute(f"ALTER DATABASE {name} OWNER TO CURRENT_USER")
                connection.execute("DROP OWNED BY managed")
                connection.execute("DROP ROLE managed")


def test_an_old_server_is_refused() -> None:
    check_version(150000, "15.0")
    with pytest.raises(DatabaseUnsupported, match=r"Postgres 14\.12; holdfast needs 15"):
        check_version(140012, "14.12")
