"""Bring a database to the schema of this code: the files of `schema_files`, by whoever comes first.

Any number of processes may call `migrate` on one database at once: an advisory lock lets one work while the others
wait. All that is missing is applied in one transaction, together with the notes that it was: the functions that tables
need (`functions/kernel`), then new migrations, then every other file of `functions/` whose text changed. A migration
whose first line is `-- holdfast: no-transaction` runs by itself, statement by statement (for CREATE INDEX
CONCURRENTLY), and must be safe to run again. A migration that was edited after it was applied, and a database that is
newer than the code, are refused.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg import errors as pg
from psycopg.rows import dict_row

from holdfast.errors import DatabaseUnsupported, MigrationError, SchemaOutdated, SchemaTooNew
from holdfast.postgres.citus import distribute_tables, prepare_nodes
from holdfast.postgres.connect import reach
from holdfast.postgres.queries import queries
from holdfast.postgres.schema_files import Migration, Repeatable, fingerprint, migrations, repeatables

__all__ = ["Status", "changed_repeatables", "check_schema", "migrate", "migration_lock", "status"]

_SQL = queries("install")
_LOCK_POLL = 0.1
_LOCK_TIMEOUT = 600.0
_NEEDED_BY_TABLES = "kernel"
_REDEFINED = (pg.InvalidFunctionDefinition, pg.InvalidTableDefinition)
"""What Postgres says to a replacement that answers with something else than what it replaces."""


@dataclass(frozen=True, slots=True)
class Status:
    """A migration and when it was applied, if it was."""

    migration: Migration
    applied_at: datetime | None
    duration_ms: int | None


async def migrate(
    conninfo: str,
    *,
    retention: Mapping[str, int] | None = None,
    on_progress: Callable[[str], None] | None = None,
    timeout: float = 10.0,
) -> list[Migration]:
    """Bring the database up to date; the migrations that this call applied.

    `retention` is how many days events are kept, by class; a class it does not name is kept for ever. None leaves it.
    """
    tell = on_progress or (lambda _: None)
    async with (
        reach(conninfo, timeout=timeout) as locking,
        migration_lock(locking),
        reach(conninfo, timeout=timeout) as connection,
    ):
        await _create_roles_and_schema(connection)
        pending = await _pending(connection)
        for portion in _portions(pending):
            if portion and not portion[0].in_transaction:
                await _apply_by_itself(connection, portion[0], tell)
            else:
                await _apply_together(connection, portion, tell)
        await distribute_tables(connection, tell)
        if retention is not None:
            await _set_retention(connection, retention)
    return pending


async def _set_retention(connection: AsyncConnection[Any], retention: Mapping[str, int]) -> None:
    """Tell the database how long it keeps events: workers ask it for what may go, and cannot tell it."""
    for kind in ("chained", "plain"):
        values = {"branch": f"workflow_event_{kind}", "days": retention.get(kind)}
        row = await (await connection.execute(_SQL["current_retention"], values)).fetchone()
        if row is None or row[0] != values["days"]:
            async with connection.transaction():
                await connection.execute(_SQL["set_local_owner"])
                await connection.execute(_SQL["set_retention"], values)


async def status(connection: AsyncConnection[Any]) -> list[Status]:
    """Every migration of this code with when it was applied. Refuses like `migrate` does."""
    done = {row["version"]: row for row in await _applied(connection)}
    _refuse_mismatch(list(done.values()))
    return [
        Status(
            migration,
            done[migration.version]["applied_at"] if migration.version in done else None,
            done[migration.version]["duration_ms"] if migration.version in done else None,
        )
        for migration in migrations()
    ]


async def check_schema(connection: AsyncConnection[Any]) -> None:
    """Raise unless the database has exactly the schema of this code."""
    if await _fits(connection):
        return
    pending = [entry.migration for entry in await status(connection) if entry.applied_at is None]
    if pending:
        raise SchemaOutdated(
            f"the database lacks {len(pending)} migration{'s' if len(pending) > 1 else ''}, from {pending[0]}",
            hint="run `holdfast migrate`",
        )
    if changed := await changed_repeatables(connection):
        raise SchemaOutdated(
            f"the database has another definition of {changed[0]} than this version"
            + (f", and {len(changed) - 1} more like it" if len(changed) > 1 else ""),
            hint="run `holdfast migrate` with the version that is to be used from now on",
        )


async def _fits(connection: AsyncConnection[Any]) -> bool:
    """Whether it is known at a glance; a database that cannot say so is looked at more closely."""
    try:
        cursor = await connection.execute(_SQL["fingerprint"])
    except (pg.UndefinedTable, pg.InvalidSchemaName, pg.InsufficientPrivilege):
        return False
    row = await cursor.fetchone()
    return row is not None and row[0] == fingerprint(migrations(), repeatables())


async def changed_repeatables(connection: AsyncConnection[Any]) -> list[Repeatable]:
    """Files of `functions/` that the database does not have as this version of the code does."""
    known = await _applied_repeatables(connection)
    return [file for file in repeatables() if known.get(file.path) != file.checksum]


@asynccontextmanager
async def migration_lock(connection: AsyncConnection[Any]) -> AsyncIterator[None]:
    """Hold the lock in a transaction, so that it works through a transaction pooler and ends with the connection."""
    deadline = time.monotonic() + _LOCK_TIMEOUT
    while True:
        async with connection.transaction():
            cursor = await connection.execute(_SQL["try_migration_lock"])
            row = await cursor.fetchone()
            if row is not None and row[0]:
                yield
                return
        if time.monotonic() > deadline:
            raise MigrationError(
                f"another process has been migrating this database for {_LOCK_TIMEOUT:.0f} s",
                hint="see pg_stat_activity for what it waits for",
            )
        await asyncio.sleep(_LOCK_POLL)


async def _create_roles_and_schema(connection: AsyncConnection[Any]) -> None:
    cursor = await connection.execute(_SQL["is_prepared"])
    row = await cursor.fetchone()
    if row is not None and row[0]:
        return
    for attempt in range(20):
        try:
            await connection.execute(_SQL["create_roles"])
            await prepare_nodes(connection)
            await connection.execute(_SQL["create_schema"])
        except pg.InternalError_:
            # "tuple concurrently updated": another database of this server grants the same roles right now.
            if attempt == 19:
                raise
            await asyncio.sleep(0.05 * (attempt + 1))
        except pg.InsufficientPrivilege as error:
            raise DatabaseUnsupported(
                f"the login may not prepare the database: {error.diag.message_primary}",
                hint="set HOLDFAST_ADMIN_DSN to a login that may create roles and, in this database, schemas",
            ) from error
        else:
            return


async def _applied(connection: AsyncConnection[Any]) -> list[dict[str, Any]]:
    async with connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_SQL["has_schema"])
        row = await cursor.fetchone()
        if row is None or not row["found"]:
            return []
        try:
            await cursor.execute(_SQL["applied_migrations"])
        except pg.InsufficientPrivilege as error:
            raise DatabaseUnsupported(
                "the login may not read the schema holdfast",
                hint="as an administrator: GRANT holdfast_app, holdfast_worker TO the login of HOLDFAST_DSN",
            ) from error
        return await cursor.fetchall()


async def _pending(connection: AsyncConnection[Any]) -> list[Migration]:
    return [entry.migration for entry in await status(connection) if entry.applied_at is None]


async def _applied_repeatables(connection: AsyncConnection[Any]) -> dict[str, str]:
    async with connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_SQL["has_repeatables"])
        row = await cursor.fetchone()
        if row is None or not row["found"]:
            return {}
        await cursor.execute(_SQL["applied_repeatables"])
        return {row["path"]: row["checksum"] async for row in cursor}


def _refuse_mismatch(applied: list[dict[str, Any]]) -> None:
    known = {migration.version: migration for migration in migrations()}
    for row in applied:
        migration = known.get(row["version"])
        if migration is None:
            raise SchemaTooNew(
                f"the database has the migration {row['version']:04}_{row['name']}, which this version does not know",
                hint="upgrade holdfast to the version that last ran here",
            )
        if migration.checksum != row["checksum"]:
            raise MigrationError(
                f"the database was made with another {migration} than this version's",
                hint="before 0.1.0 tables change without an upgrade: begin with a new database, or with another "
                "HOLDFAST_DATA_DIR; the version that made the old one can still read it",
            )


def _portions(pending: Sequence[Migration]) -> list[list[Migration]]:
    """What is applied together, in order. There is always a last portion, if only for what can be repeated."""
    portions: list[list[Migration]] = [[]]
    for migration in pending:
        if not migration.in_transaction:
            portions += [[migration], []]
        else:
            portions[-1].append(migration)
    return [*(portion for portion in portions[:-1] if portion), portions[-1]]


async def _apply_together(
    connection: AsyncConnection[Any], pending: Sequence[Migration], tell: Callable[[str], None]
) -> None:
    changed = await changed_repeatables(connection)
    gone = set(await _applied_repeatables(connection)) - {file.path for file in repeatables()}
    if not pending and not changed and not gone:
        return
    current: Migration | Repeatable | None = None
    try:
        async with connection.transaction():
            await connection.execute(_SQL["become_owner_here"])
            for current in changed:
                if current.slice == _NEEDED_BY_TABLES and current.table is None:
                    await _define(connection, current)
            for current in pending:
                tell(f"Applying migration {current}")
                started = time.monotonic()
                await connection.execute(current.sql)
                await _record(connection, current, started)
            if changed or gone:
                tell(f"Applying {len(changed)} functions, views and triggers")
            for path in sorted(gone):
                await _drop(connection, path)
                await connection.execute(_SQL["forget_repeatable"], {"path": path})
            for current in changed:
                if current.slice != _NEEDED_BY_TABLES or current.table is not None:
                    await _define(connection, current)
            current = None
            await connection.execute(_SQL["close_tables"])
    except psycopg.Error as error:
        raise MigrationError(
            f"{current or 'protecting the tables'} failed and was undone: {error.diag.message_primary or error}",
            hint=error.diag.message_hint,
        ) from error


async def _apply_by_itself(connection: AsyncConnection[Any], migration: Migration, tell: Callable[[str], None]) -> None:
    tell(f"Applying migration {migration}")
    started = time.monotonic()
    try:
        await connection.execute(_SQL["become_owner"])
        for statement in migration.sql.split(";\n"):
            if any(line.strip() and not line.startswith("--") for line in statement.splitlines()):
                await connection.execute(statement)
        await _record(connection, migration, started)
        await connection.execute(_SQL["reset_role"])
    except psycopg.Error as error:
        raise MigrationError(
            f"the migration {migration} failed; what it did so far stays, and it can be run again: {error}",
            hint=error.diag.message_hint,
        ) from error


async def _define(connection: AsyncConnection[Any], file: Repeatable) -> None:
    """Apply a file of `functions/` over what its name meant before."""
    if file.table is not None:
        await _drop(connection, file.path)
        await connection.execute(file.sql)
    else:
        name = file.path.partition("/")[2]
        cursor = await connection.execute(_SQL["functions_called"], {"name": name})
        before = [row[0] for row in await cursor.fetchall()]
        try:
            async with connection.transaction():
                await connection.execute(file.sql)
        except _REDEFINED:
            await _drop(connection, file.path)
            await connection.execute(file.sql)
        else:
            # One with other arguments does not replace the one before it: a name means one function.
            await _carry_out(connection, "drops_of", {"name": name, "besides": before})
    await connection.execute(_SQL["record_repeatable"], {"path": file.path, "checksum": file.checksum})


async def _drop(connection: AsyncConnection[Any], path: str) -> None:
    """Take away what a file of `functions/` defined."""
    name = path.partition("/")[2]
    if name.startswith("on_"):
        await _carry_out(connection, "drops_of_triggers", {"table": name.removeprefix("on_")})
    else:
        await _carry_out(connection, "drops_of", {"name": name, "besides": None})


async def _carry_out(connection: AsyncConnection[Any], query: str, values: dict[str, Any]) -> None:
    """Execute the statements that a query answers with."""
    for (statement,) in await (await connection.execute(_SQL[query], values)).fetchall():
        await connection.execute(statement)


async def _record(connection: AsyncConnection[Any], migration: Migration, started: float) -> None:
    values = {
        "version": migration.version,
        "name": migration.name,
        "checksum": migration.checksum,
        "duration_ms": round((time.monotonic() - started) * 1000),
    }
    await connection.execute(_SQL["record_migration"], values)
