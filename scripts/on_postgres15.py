"""Runs the database tests on Postgres 15, the oldest supported version, started for the occasion.

Uses the server programs of the system when they are there (Debian's postgresql-15); without them it says so and passes.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BINARIES = Path("/usr/lib/postgresql/15/bin")
TESTS = (
    *("tests/postgres", "tests/access", "tests/audit", "tests/http"),
    *("tests/outbox/test_publish.py", "tests/outbox/test_dispatch.py"),
    *(
        "tests/runs/test_schedules.py",
        "tests/runs/test_worker.py",
        "tests/runs/test_waiting.py",
        "tests/runs/test_limits.py",
    ),
    *("tests/runs/test_plans.py", "tests/runs/test_marks.py", "tests/runs/test_invariants.py", "tests/test_metrics.py"),
    # Of the layers above, what depends on the database most: schemas, plans, and the main flows.
    *("tests/sessions/test_states.py", "tests/sessions/test_plans.py", "tests/sessions/test_fence.py"),
    "tests/sessions/test_by_input.py",
    *("tests/sessions/test_history.py", "tests/sessions/test_retention.py", "tests/sessions/test_in_processes.py"),
    *("tests/data/test_plans.py", "tests/data/test_conformance.py", "tests/actions/test_flows.py"),
    *("tests/documents/test_plans.py", "tests/documents/test_stores.py"),
    *("tests/processes/test_schema.py", "tests/processes/test_plans.py", "tests/processes/test_invariants.py"),
)


def main() -> int:
    """Start, test, stop."""
    if not (BINARIES / "postgres").exists():
        print(f"skipped: there is no Postgres 15 in {BINARIES}")  # noqa: T201
        return 0
    directory = Path(tempfile.mkdtemp(prefix="holdfast-pg15-"))
    identity = {}
    if os.geteuid() == 0:
        entry = pwd.getpwnam("postgres")
        os.chown(directory, entry.pw_uid, entry.pw_gid)
        identity = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}

    def run(program: str, *arguments: str) -> None:
        subprocess.run(
            [str(BINARIES / program), *arguments],
            check=True,
            cwd="/",
            stdout=subprocess.DEVNULL,
            **identity,  # type: ignore[call-overload]  # typeshed cannot see through the mapping
        )

    data = str(directory / "data")
    options = f"-c listen_addresses='' -c unix_socket_directories={directory} -c fsync=off -c max_connections=200"
    try:
        run("initdb", "-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8")
        run("pg_ctl", "start", "-D", data, "-w", "-l", str(directory / "log"), "-o", options)
        try:
            environment = os.environ | {"TEST_DSN": f"host={directory} user=postgres dbname=postgres"}
            parallel = ("-n", "auto", "--maxprocesses", "4", "--dist", "worksteal")
            command = [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                *parallel,
                *(test for test in TESTS if Path(test).exists()),
            ]
            return subprocess.run(command, env=environment, check=False).returncode
        finally:
            run("pg_ctl", "stop", "-D", data, "-w", "-m", "immediate")
    finally:
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
