"""Migrations: numbered `.sql` files, applied in order, once, by whoever comes first.

Any number of processes may call `migrate` on one database at once: an advisory lock lets one work while the others
wait. Each file runs in a transaction of its own, together with the note that it was applied; a file whose first line
is `-- holdfast: no-transaction` runs statement by statement outside of one (for CREATE INDEX CONCURRENTLY) and must be
safe to run again. A file that was edited after it was applied, and a database that is newer than the code, are refused.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any, LiteralString

import psycopg
from psycopg import AsyncConnection
from psycopg import errors as pg
from psycopg.rows import dict_row

from holdfast.errors import DatabaseUnsupported, MigrationError, SchemaOutdated, SchemaTooNew
from holdfast.postgres.citus import distribute_tables, prepare_nodes
from holdfast.postgres.connect import reach
from holdfast.postgres.queries import queries

__all__ = ["Migration", "Status", "check_schema", "migrate", "migration_lock", "migrations", "status"]

_SQL = queries("install")
_FILE = re.compile(r"(?P<version>\d{4})_(?P<name>[a-z0-9_]+)\.sql")
_NO_TRANSACTION = "-- holdfast: no-transaction"
_LOCK_POLL = 0.1
_LOCK_TIMEOUT = 600.0


@dataclass(frozen=True, slots=True)
class Migration:
    """One file."""

    version: int
    name: str
    sql: LiteralString
    checksum: str
    in_transaction: bool

    def __str__(self) -> str:
        return f"{self.version:04}_{self.name}"


@dataclass(frozen=True, slots=True)
class Status:
    """A file and when it was applied, if it was."""

    migration: Migration
    applied_at: datetime | None
    duration_ms: int | None


@cache
def migrations() -> tuple[Migration, ...]:
    """The files this version of the code brings, in order."""
    found = []
    for entry in (files("holdfast.postgres") / "migrations").iterdir():
        match = _FILE.fullmatch(entry.name)
        if match is None:
            continue
        text = entry.read_text(encoding="utf-8")
        checksum = hashlib.sha256(text.encode()).hexdigest()
        in_transaction = not text.startswith(_NO_TRANSACTION)
        found.append(Migration(int(match["version"]), match["name"], text, checksum, in_transaction))
    found.sort(key=lambda migration: migration.version)
    versions = [migration.version for migration in found]
    if versions != list(range(1, len(versions) + 1)):
        raise MigrationError(f"the migration files are not numbered without gaps: {versions}")
    return tuple(found)


async def migrate(
    conninfo: str, *, on_progress: Callable[[str], None] | None = None, timeout: float = 10.0
) -> list[Migration]:
    """Bring the database up to date; the migrations that this call applied."""
    tell = on_progress or (lambda _: None)
    applied: list[Migration] = []
    async with (
        reach(conninfo, timeout=timeout) as locking,
        migration_lock(locking),
        reach(conninfo, timeout=timeout) as connection,
    ):
        await _create_roles_and_schema(connection)
        for migration in await _pending(connection):
            tell(f"Applying migration {migration}")
            await _apply(connection, migration)
            applied.append(migration)
        await distribute_tables(connection, tell)
    return applied


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
    """Raise unless the database has exactly the migrations of this code."""
    pending = [entry.migration for entry in await status(connection) if entry.applied_at is None]
    if pending:
        raise SchemaOutdated(
            f"the database lacks {len(pending)} migration{'s' if len(pending) > 1 else ''}, from {pending[0]}",
            hint="run `holdfast migrate`",
        )


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
                f"the migration {migration} was changed after it had been applied",
                hint="restore the file; put changes into a new migration",
            )


async def _apply(connection: AsyncConnection[Any], migration: Migration) -> None:
    started = time.monotonic()
    try:
        await connection.execute(_SQL["become_owner"])
        if migration.in_transaction:
            async with connection.transaction():
                await connection.execute(migration.sql)
                await _record(connection, migration, started)
        else:
            for statement in migration.sql.split(";\n"):
                if any(line.strip() and not line.startswith("--") for line in statement.splitlines()):
                    await connection.execute(statement)
            await _record(connection, migration, started)
        await connection.execute(_SQL["reset_role"])
    except psycopg.Error as error:
        raise MigrationError(
            f"the migration {migration} failed and was undone: {error.diag.message_primary or error}"
            if migration.in_transaction
            else f"the migration {migration} failed; what it did so far stays, and it can be run again: {error}",
            hint=error.diag.message_hint,
        ) from error


async def _record(connection: AsyncConnection[Any], migration: Migration, started: float) -> None:
    values = {
        "version": migration.version,
        "name": migration.name,
        "checksum": migration.checksum,
        "duration_ms": round((time.monotonic() - started) * 1000),
    }
    await connection.execute(_SQL["record_migration"], values)
