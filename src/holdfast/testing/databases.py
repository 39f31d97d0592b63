"""Throw-away databases: one is migrated and kept as a template, each test gets a clone of it in about 0.1 s."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from holdfast.postgres.embedded import EmbeddedServer
from holdfast.postgres.migrate import migrate
from holdfast.postgres.schema_files import fingerprint, migrations, repeatables

__all__ = ["Databases"]

_AHEAD = 3
_MEMORY = Path("/dev/shm")  # noqa: S108  # not a file of ours: where Linux keeps files in memory
_MEMORY_NEEDED = 8 * 2**30
_COPY_PAGES = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
_COPY_FILES = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")


class Databases:
    """A server for tests: that of `dsn`, whose login may create databases and roles, or a private embedded one."""

    def __init__(self, dsn: str | None = None) -> None:
        self._given = dsn
        self._directory: Path | None = None
        self._server: EmbeddedServer | None = None
        self._maker = ThreadPoolExecutor(1, thread_name_prefix="holdfast-databases")
        self._ahead: deque[Future[str]] = deque()
        self._template_is_there = False
        mark = fingerprint(migrations(), repeatables())
        self.template = f"holdfast_template_{mark[:16]}"

    def __enter__(self) -> Self:
        if self._given is None:
            self._directory = Path(tempfile.mkdtemp(prefix="holdfast-test-", dir=_memory()))
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
        self._maker.shutdown(wait=True, cancel_futures=True)
        for ready in self._ahead:
            if self._given is not None and not ready.cancelled() and ready.exception() is None:
                self._drop(ready.result())
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
        """The name of a migrated database, dropped afterwards.

        While a test works with one, the next ones are made: most tests then find theirs ready.
        """
        ready = self._ahead.popleft() if self._ahead else self._maker.submit(self._make)
        try:
            name = ready.result()
        except psycopg.Error:
            # A test stopped the server while the database was being made.
            name = self._make()
        while len(self._ahead) < _AHEAD:
            self._ahead.append(self._maker.submit(self._make))
        try:
            yield name
        finally:
            self._drop(name)

    def _make(self) -> str:
        if not self._template_is_there:
            self._ensure_template()
            self._template_is_there = True
        name = f"holdfast_test_{uuid4().hex[:12]}"
        with self._administer() as connection:
            # Copying files needs a checkpoint before and after, which costs little when nothing has to reach the disk.
            row = connection.execute("SHOW fsync").fetchone()
            copying = _COPY_FILES if row == ("off",) else _COPY_PAGES
            connection.execute(copying.format(sql.Identifier(name), sql.Identifier(self.template)))
        return name

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
            with psycopg.connect(self.dsn(self.template), autocommit=True) as template:
                # Tests have clocks of their own; elsewhere the database refuses any time but its own for an event.
                template.execute("UPDATE holdfast.installation SET is_test = true")
            self._trim()
            connection.execute(sql.SQL("ALTER DATABASE {} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false").format(name))

    def _trim(self) -> None:
        """Make the template small, because a clone is a copy of every file of it.

        The partitions of months to come are a third of them; and migrating leaves the catalogues full of holes.
        """
        with psycopg.connect(self.dsn(self.template), autocommit=True) as connection:
            ahead = connection.execute(
                "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
                "WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind = 'r' "
                "AND c.relname ~ '_[0-9]{4}_[0-9]{2}$' "
                "AND right(c.relname, 7) > to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM')"
            ).fetchall()
            for (name,) in ahead:
                connection.execute(sql.SQL("DROP TABLE {}").format(sql.Identifier("holdfast", name)))
            connection.execute("VACUUM FULL")

    def _drop(self, name: str) -> None:
        with self._administer() as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    @contextmanager
    def _administer(self) -> Iterator[psycopg.Connection[Any]]:
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            yield connection


def _memory() -> Path | None:
    """Where files stay in memory, if it has room: a clone is a thousand new files, which a disk takes long over."""
    if "TMPDIR" in os.environ or not _MEMORY.is_dir() or not os.access(_MEMORY, os.W_OK | os.X_OK):
        return None
    return _MEMORY if shutil.disk_usage(_MEMORY).free >= _MEMORY_NEEDED else None
