"""`holdfast up`: everything on one machine, one Ctrl-C, and nothing lost however a process ends."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.waiting import eventually
from holdfast.cli.up import _greet
from holdfast.kernel.addresses import authority
from holdfast.postgres.lockfile import is_defunct

pytestmark = pytest.mark.skipif(bool(os.environ.get("TEST_DSN")), reason="it is about the embedded server")


class Up:
    """A running `holdfast up`."""

    def __init__(self, directory: Path, **environment: str) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
        self.environment = clean | {"HOLDFAST_DATA_DIR": str(directory), "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
        self.environment |= environment
        self.directory = directory
        self.process = subprocess.Popen(
            [sys.executable, "-m", "holdfast", "up", "--port", "0"],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.said = ""
        self.url = self.token = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if match := re.search(r"is running at (http://\S+)", line):
                self.url = match[1]
            if match := re.search(r"(http://\S+)/#token=(\S+)", line):
                self.url, self.token = match.groups()
            if "Ctrl-C stops everything" in line:
                return
        pytest.fail(f"it did not start:\n{self.said}")

    def get(self, path: str) -> Any:
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def children(self) -> dict[str, int]:
        """The process ids of the server and the worker."""
        listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
        found = {}
        for line in listed.splitlines()[1:]:
            pid, parent, command = line.split(None, 2)
            for role in ("serve", "worker"):
                if int(parent) == self.process.pid and f"holdfast {role}" in command:
                    found[role] = int(pid)
        return found

    def end(self, number: int) -> str:
        self.process.send_signal(number)
        said, _ = self.process.communicate(timeout=60)
        return self.said + said


def postmaster(directory: Path) -> int | None:
    try:
        pid = int((directory / "pgdata" / "postmaster.pid").read_text().split()[0])
    except (FileNotFoundError, IndexError):
        return None
    return pid if alive(pid) else None


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not is_defunct(pid)


@pytest.fixture
def directory() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="holdfast-up-"))
    path.chmod(0o711)
    yield path
    eventually(lambda: postmaster(path) is None, 30, "Postgres was left running")
    shutil.rmtree(path, ignore_errors=True)


def test_it_runs_an_application_instead_of_the_demo(directory: Path, tmp_path: Path) -> None:
    (tmp_path / "bureau.py").write_text(
        "import holdfast as hf\n"
        "app = hf.Holdfast()\n"
        "@app.action('bureau.stamp', input={'type': 'object'}, output={'type': 'object'}, permission='data:read')\n"
        "async def stamp(call, given):\n"
        "    return {'run': str((await call.hold.runs.enqueue('bureau.file.v1', {})).id)}\n"
        "@app.handler('bureau.file.v1')\n"
        "async def file(run):\n"
        "    return 'filed'\n"
    )
    paths = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    up = Up(directory, HOLDFAST_APP="bureau:app", PYTHONPATH=paths)

    def command(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "holdfast", *arguments],
            env=up.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    try:
        assert json.loads(command("tenants", "list", "--json")) == []
        assert "#token" not in command("up")
        command("tenants", "add", "acme")
        command("users", "add", "-t", "acme", "ana", "-r", "admin")
        up.token = command("tokens", "add", "-t", "acme", "ana", "--name", "test")
        assert up.get("/v1/acme/actions/bureau.stamp")["name"] == "bureau.stamp"
        with pytest.raises(urllib.error.HTTPError, match="404"):
            up.get("/v1/demo/people")
        run = json.loads(command("actions", "call", "-t", "acme", "bureau.stamp"))["run"]
        eventually(lambda: up.get(f"/v1/acme/runs/{run}")["run"]["status"] == "succeeded", 30)
    finally:
        said = up.end(signal.SIGTERM)
    assert "Stopped; the data stays." in said


def test_it_serves_the_demo_prints_its_link_again_and_stops_everything(directory: Path) -> None:
    up = Up(directory)
    try:
        me = up.get("/v1/me")
        assert (me["tenant"], me["name"]) == ("northwind", "ana")
        assert len(up.get("/v1/northwind/users")["items"]) == 10
        assert "CFO" in {person["title"] for person in up.get("/v1/demo/people")}
        second = subprocess.run(
            [sys.executable, "-m", "holdfast", "up"], env=up.environment, capture_output=True, text=True, check=True
        )
        assert f"already running at {up.url}" in second.stdout
        # It prints a link that signs in, too; the first one goes on working.
        link = re.search(r"(http://\S+)/#token=(\S+)", second.stdout)
        assert link, second.stdout
        assert link[1] == up.url
        first, up.token = up.token, link[2]
        assert up.get("/v1/me")["name"] == "ana"
        up.token = first
        assert up.get("/v1/me")["name"] == "ana"
        assert set(up.children()) == {"serve", "worker"}
    finally:
        said = up.end(signal.SIGINT)
    assert "Stopped; the data stays." in said
    assert "Traceback" not in said
    assert up.process.returncode == 0
    assert postmaster(directory) is None
    again = Up(directory)
    try:
        assert len(again.get("/v1/northwind/users")["items"]) == 10
        # Each start prints a credential of its own; the one before no longer works.
        again.token, latest = up.token, again.token
        with pytest.raises(urllib.error.HTTPError, match="401"):
            again.get("/v1/me")
        again.token = latest
        assert again.get("/v1/me")["name"] == "ana"
    finally:
        again.end(signal.SIGTERM)


def test_it_is_found_at_an_ipv6_address(directory: Path) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    up = Up(directory, HOLDFAST_HOST="::1")
    try:
        assert up.url.startswith("http://[::1]:")
        assert up.get("/v1/me")["name"] == "ana"
        port = up.url.rpartition(":")[2]
        serve = [sys.executable, "-m", "holdfast", "serve", "--port", port]
        taken = subprocess.run(serve, env=up.environment, capture_output=True, text=True, check=False)
        assert (taken.returncode, f"cannot listen on [::1]:{port}" in taken.stderr) == (1, True)
    finally:
        said = up.end(signal.SIGTERM)
    assert "Stopped; the data stays." in said


def test_the_brackets_of_an_address_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    _greet(f"http://{authority('fd00::2', 8400)}", None)
    assert "at http://[fd00::2]:8400   API: http://[fd00::2]:8400/docs" in capsys.readouterr().out


def test_killed_parts_come_back(directory: Path) -> None:
    up = Up(directory)
    try:
        before = up.children()
        for pid in before.values():
            os.kill(pid, signal.SIGKILL)
        eventually(lambda: up.children().keys() == before.keys() and up.children() != before, 30)

        def serving() -> bool:
            try:
                return bool(up.get("/v1/me")["name"] == "ana")
            except OSError:
                return False

        eventually(serving, 30)
    finally:
        up.end(signal.SIGINT)


def test_killing_it_stops_the_rest_and_loses_nothing(directory: Path) -> None:
    up = Up(directory)
    children = up.children()
    up.end(signal.SIGKILL)
    eventually(lambda: not any(alive(pid) for pid in children.values()), 30)
    eventually(lambda: postmaster(directory) is None, 30)
    again = Up(directory)
    try:
        assert len(again.get("/v1/northwind/users")["items"]) == 10
    finally:
        again.end(signal.SIGINT)


def test_killing_postgres_loses_nothing(directory: Path) -> None:
    up = Up(directory)
    pid = postmaster(directory)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    up.end(signal.SIGINT)
    again = Up(directory)
    try:
        assert len(again.get("/v1/northwind/users")["items"]) == 10
    finally:
        again.end(signal.SIGINT)


def test_a_taken_port_is_one_line(directory: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        environment = os.environ | {"HOLDFAST_DATA_DIR": str(directory)}
        done = subprocess.run(
            [sys.executable, "-m", "holdfast", "up", "--port", port],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr
