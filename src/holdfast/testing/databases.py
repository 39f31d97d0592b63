"""Throw-away databases: one is migrated and kept as a template, each test gets a clone of it in about 0.1 s."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from holdfast.postgres.embedded import EmbeddedServer
from holdfast.postgres.migrate import migrate, migrations

__all__ = ["Databases"]


class Databases:
    """A server for tests: that of `dsn`, whose login may create databases and roles, or a private embedded one."""

    def __init__(self, dsn: str | None = None) -> None:
        self._given = dsn
        self._directory: Path | None = None
        self._server: EmbeddedServer | None = None
        mark = hashlib.sha256("".join(migration.checksum for migration in migrations()).encode()).hexdigest()
        self.template = f"holdfast_template_{mark[:16]}"

    def __enter__(self) -> Self:
        if self._given is None:
            self._directory = Path(tempfile.mkdtemp(prefix="holdfast-test-"))
            self._directory.chmod(0o711)
            self._server = EmbeddedServer.start(self._directory)
            with self._administer() as connection:
                # A crash of the machine may lose a test's data; a crash of Postgres, which tests provoke, does not.
                connection.execute("ALTER SYSTEM SET fsync = off")
                connection.execute("SELECT pg_reload_conf()")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.stop()
        if self._directory is not None:
            shutil.rmtree(self._directory, ignore_errors=True)

    @property
    def server(self) -> EmbeddedServer | None:
        """The private server, when no other was given."""
        return self._server

    def dsn(self, database: str, **parameters: Any) -> str:
        """A connection string to one of the server's databases."""
        base = self._given if self._server is None else self._server.dsn()
        return make_conninfo(base or "", dbname=database, **parameters)

    @contextmanager
    def empty(self) -> Iterator[str]:
        """The name of a database without our schema, dropped afterwards."""
        name = f"holdfast_test_{uuid4().hex[:12]}"
        with self._administer() as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield name
        finally:
            self._drop(name)

    @contextmanager
    def clone(self) -> Iterator[str]:
        """The name of a migrated database, dropped afterwards."""
        self._ensure_template()
        name = f"holdfast_test_{uuid4().hex[:12]}"
        with self._administer() as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(self.template))
            )
        try:
            yield name
        finally:
            self._drop(name)

    def _ensure_template(self) -> None:
        with self._administer() as connection:
            # Several test processes may want the template at once; a template is only marked so when it is complete.
            connection.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [self.template])
            known = connection.execute("SELECT datistemplate FROM pg_database WHERE datname = %s", [self.template])
            row = known.fetchone()
            if row is not None and row[0]:
                return
            name = sql.Identifier(self.template)
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(name))
            connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
            asyncio.run(migrate(self.dsn(self.template)))
            connection.execute(sql.SQL("ALTER DATABASE {} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false").format(name))

    def _drop(self, name: str) -> None:
        with self._administer() as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    @contextmanager
    def _administer(self) -> Iterator[psycopg.Connection[Any]]:
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            yield connection
