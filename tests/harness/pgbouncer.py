"""PgBouncer in transaction mode, before a test's database."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from harness.waiting import eventually

__all__ = ["pooled"]


@contextmanager
def pooled(dsn: str, *, connections: int = 2) -> Iterator[str]:
    """A connection string that leads through PgBouncer; it has so few server connections that everybody shares them."""
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip("pgbouncer is not installed")
    known = conninfo_to_dict(dsn)
    directory = Path(tempfile.mkdtemp(prefix="holdfast-bouncer-"))
    (directory / "users.txt").write_text('"postgres" ""\n')
    (directory / "pgbouncer.ini").write_text(
        f"[databases]\n* = host={known['host']} port={known.get('port', 5432)}\n"
        f"[pgbouncer]\nlisten_addr =\nunix_socket_dir = {directory}\nlisten_port = 6432\nauth_type = trust\n"
        f"auth_file = {directory}/users.txt\npool_mode = transaction\ndefault_pool_size = {connections}\n"
        f"max_client_conn = 100\nlogfile = {directory}/log\nserver_reset_query =\n"
    )
    # It refuses to run as root; whoever the database's socket directory belongs to may use the socket.
    owner = Path(str(known["host"])).stat().st_uid if os.geteuid() == 0 else os.geteuid()
    if os.geteuid() == 0:
        for path in (directory, *directory.iterdir()):
            os.chown(path, owner, pwd.getpwuid(owner).pw_gid)
    process = subprocess.Popen(
        [program, "-q", str(directory / "pgbouncer.ini")],
        user=owner if os.geteuid() == 0 else None,
        cwd="/",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    through = psycopg.conninfo.make_conninfo(dsn, host=str(directory), port=6432)
    try:
        eventually(lambda: process.poll() is not None or _answers(through))
        if process.returncode is not None:
            log = directory / "log"
            pytest.fail(f"pgbouncer did not start: {log.read_text() if log.exists() else process.returncode}")
        yield through
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(directory, ignore_errors=True)


def _answers(dsn: str) -> bool:
    try:
        psycopg.connect(dsn).close()
    except psycopg.OperationalError:
        return False
    return True
