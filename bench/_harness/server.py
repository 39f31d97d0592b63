"""A Postgres for one benchmark: made from nothing in a temporary directory, default durability, gone afterwards.

Everybody reaches it over TCP on 127.0.0.1. fsync, synchronous_commit and full_page_writes stay on; nothing is tuned but
the number of connections. Databases are clones of one template per subject, so each figure starts from the same state.
"""

from __future__ import annotations

import re
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

from holdfast.postgres.binaries import OsUser, reachable_binaries, server_user

__all__ = ["Server", "default_version", "started"]

_DEBIAN = Path("/usr/lib/postgresql/15/bin")
_SETTINGS = (
    "listen_addresses=127.0.0.1",
    "fsync=on",
    "synchronous_commit=on",
    "full_page_writes=on",
    "max_connections=200",
    "timezone=UTC",
    "min_wal_size=512MB",
)
_WAL_FILES = 32


def default_version() -> int:
    """15 where Debian's server programs are, the embedded 18 otherwise."""
    return 15 if (_DEBIAN / "postgres").exists() else 18


class Server:
    """The running server: databases by name, one administrator's connection."""

    def __init__(self, port: int, binaries: Path, directory: Path) -> None:
        self.port = port
        self.binaries = binaries
        self.directory = directory
        self.admin = psycopg.connect(self.dsn("postgres"), autocommit=True)
        self.version = self._one("SHOW server_version").split()[0]

    def wear_in(self) -> None:
        """Have what a server that has been used has: otherwise who comes first makes it.

        Files for the WAL to come: filling a new one with zeros takes longer than writing a thousand runs. Used ones are
        kept (`min_wal_size`). And its buffers: the system hands out memory when it is first written to.
        """
        for _ in range(_WAL_FILES):
            self.admin.execute("SELECT pg_logical_emit_message(false, 'bench', '')")
            self.admin.execute("SELECT pg_switch_wal()")
        self.admin.execute("CREATE UNLOGGED TABLE filler (text text)")
        # Four rows fill a page.
        self.admin.execute(
            "INSERT INTO filler SELECT repeat('x', 1900) FROM generate_series(1, 4 * "
            "(SELECT setting::int FROM pg_settings WHERE name = 'shared_buffers'))"
        )
        self.admin.execute("DROP TABLE filler")
        self.admin.execute("CHECKPOINT")

    def dsn(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def create(self, database: str, template: str = "template0") -> str:
        """A fresh database, whatever was there before; its connection string."""
        self.drop(database)
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        self.admin.execute(statement.format(sql.Identifier(database), sql.Identifier(template)))
        return self.dsn(database)

    def drop(self, database: str) -> None:
        self.admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(database)))

    def settle(self, database: str) -> None:
        """Statistics as after a quiet night, and nothing left to write: before every clock."""
        with psycopg.connect(self.dsn(database), autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        self.admin.execute("CHECKPOINT")

    def left_alone(self, database: str, patience: float = 5.0) -> None:
        """Wait until nobody is connected, so that every backend has handed in its statistics."""
        deadline = time.monotonic() + patience
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'"
        while time.monotonic() < deadline:
            row = self.admin.execute(query, (database,)).fetchone()
            if row is None or row[0] == 0:
                return
            time.sleep(0.02)

    def commits(self, database: str) -> int:
        row = self.admin.execute("SELECT xact_commit FROM pg_stat_database WHERE datname = %s", (database,)).fetchone()
        return 0 if row is None else int(row[0])

    def wal_bytes(self) -> int:
        return int(self._one("SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text"))

    def durable_commits_per_s(self, seconds: float = 0.5) -> float:
        """The probe: single-row inserts, one commit each, on one connection."""
        self.admin.execute("CREATE TABLE IF NOT EXISTS probe (at timestamptz)")
        count, start = 0, time.perf_counter()
        while (passed := time.perf_counter() - start) < seconds:
            self.admin.execute("INSERT INTO probe VALUES (now())")
            count += 1
        self.admin.execute("TRUNCATE probe")
        return count / passed

    def _one(self, query: str) -> str:
        row = self.admin.execute(query).fetchone()
        assert row is not None
        return str(row[0])


@contextmanager
def started(version: int) -> Iterator[Server]:
    """A server of this major version for the length of the block."""
    directory = Path(tempfile.mkdtemp(prefix="holdfast-bench-"))
    directory.chmod(0o711)
    try:
        system = server_user(directory)
        binaries = _DEBIAN if version == 15 else reachable_binaries(directory, version, system, print)
        data = directory / "data"
        data.mkdir(mode=0o700)
        log = directory / "log"
        log.touch()
        if system.user is not None:
            shutil.chown(data, system.uid, system.gid)
            shutil.chown(log, system.uid, system.gid)
        _run(system, binaries / "initdb", "-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C")
        port = _free_port()
        options = " ".join(
            f"-c {setting}" for setting in (*_SETTINGS, f"port={port}", f"unix_socket_directories={data}")
        )
        _run(system, binaries / "pg_ctl", "start", "-D", data, "-w", "-t", "60", "-l", log, "-o", options)
        try:
            server = Server(port, binaries, directory)
            server.wear_in()
            yield server
            server.admin.close()
        finally:
            _run(system, binaries / "pg_ctl", "stop", "-D", data, "-w", "-t", "60", "-m", "immediate")
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def database_name(subject: str, suffix: str) -> str:
    """A database name for a subject, in the letters that every peer's URL parser accepts."""
    return re.sub(r"[^a-z0-9]+", "_", f"bench_{subject}_{suffix}".lower())


def _run(system: OsUser, *command: str | Path) -> None:
    done = system.run(*command)
    if done.returncode != 0:
        raise RuntimeError(f"{Path(command[0]).name} failed: {done.stdout.strip()[-2000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
