"""Run the console's browser tests against a server of their own, on a temporary data directory.

It starts `holdfast up --port 0`, reads the sign-in address from its output, runs Playwright in `web/` on the system's
Chromium, stops everything and returns Playwright's exit code. Arguments are passed on to Playwright. What a machine
lacks (Node.js, the installed packages, the built console, Chromium) is named, and the tests are then skipped.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
SIGN_IN = re.compile(r"(?P<url>http://\S+)/#token=(?P<token>holdfast_\S+)")
START_TIMEOUT = 120.0
STOP_TIMEOUT = 45.0


def main(arguments: list[str]) -> int:
    """Run the tests; 0 also when this machine cannot."""
    missing = _missing()
    if missing:
        _say(f"skipped: {missing}")
        return 0
    chromium = _chromium()
    if chromium is None:
        _say("skipped: there is no Chromium; install the package chromium, or run this as root where apt-get is")
        return 0
    # Not mkdtemp's 0700: as root, Postgres runs as another user, who must be able to enter.
    with tempfile.TemporaryDirectory(prefix="holdfast-e2e-", ignore_cleanup_errors=True) as directory:
        Path(directory).chmod(0o711)
        with _server(Path(directory) / "data") as (url, token, pid):
            operator = _operator(Path(directory) / "data")
            told = {"E2E_URL": url, "E2E_TOKEN": token, "E2E_OPERATOR": operator}
            told |= {"E2E_CHROMIUM": chromium, "E2E_PID": str(pid)}
            environment = os.environ | told
            command = [_tool("npx"), "--no-install", "playwright", "test", *arguments]
            return subprocess.run(command, cwd=WEB, env=environment, check=False).returncode


def _missing() -> str | None:
    if shutil.which("npx") is None:
        return "there is no Node.js; install version 20.19 or newer"
    if not (WEB / "node_modules" / "@playwright" / "test").is_dir():
        return "the console's packages are not installed; run `npm ci` in web/"
    if not (ROOT / "src" / "holdfast" / "console" / "dist" / "index.html").is_file():
        return "the console is not built; run `npm run build` in web/"
    return None


def _chromium() -> str | None:
    """The system's Chromium; where we are root and apt-get is there, it is installed first."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is not None or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return found
    _say("installing Chromium with apt-get …")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "chromium"]):
        command = [_tool("apt-get"), *step]
        result = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
        if result.returncode != 0:
            return None
    return shutil.which("chromium")


def _operator(data: Path) -> str:
    """A token of the installation's operator, made as they make theirs."""
    command = [sys.executable, "-m", "holdfast", "installation", "add-token", "e2e"]
    environment = os.environ | {"HOLDFAST_DATA_DIR": str(data)}
    found = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return next(word for word in found.stdout.split() if word.startswith("holdfast_"))


@contextmanager
def _server(data: Path) -> Iterator[tuple[str, str, int]]:
    """A whole holdfast on a free port, until the block ends; gives its address, a token and its process."""
    settings = {"HOLDFAST_DATA_DIR": str(data), "PYTHONUNBUFFERED": "1"}
    # Settings of the caller's shell are for the caller's server.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "up", "--port", "0"],
        env=inherited | settings,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    # The pipe ends when the server does, so killing it when the time is up also ends the wait for its address.
    alarm = threading.Timer(START_TIMEOUT, process.kill)
    alarm.start()
    try:
        found = _sign_in(process.stdout)
        alarm.cancel()
        # The pipe must be read on, or the server stops when it is full.
        threading.Thread(target=_drain, args=(process.stdout,), daemon=True).start()
        yield *found, process.pid
    finally:
        alarm.cancel()
        _stop(process)


def _sign_in(output: IO[str]) -> tuple[str, str]:
    lines: list[str] = []
    for line in output:
        lines.append(line)
        match = SIGN_IN.search(line)
        if match is not None:
            return match["url"], match["token"]
    raise SystemExit("holdfast did not start:\n" + "".join(lines))


def _drain(output: IO[str]) -> None:
    for _ in output:
        pass


def _stop(process: subprocess.Popen[str]) -> None:
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        process.wait(STOP_TIMEOUT)
    except subprocess.TimeoutExpired:
        _say("the server did not stop; killing it")
        process.kill()
        process.wait()


def _tool(name: str) -> str:
    return shutil.which(name) or name


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
