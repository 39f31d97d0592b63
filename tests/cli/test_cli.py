"""The command line: what it prints, and one clear line with an exit code when something is wrong."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

import holdfast as hf
from harness.commands import Commands

Run = Callable[..., subprocess.CompletedProcess[str]]


def holdfast(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
    return subprocess.run(
        [sys.executable, "-m", "holdfast", *arguments],
        env=clean | {"COLUMNS": "200"} | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def run(holdfast_dsn: str, commands: Commands) -> Run:
    def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return commands.run(*arguments, **({"HOLDFAST_DSN": holdfast_dsn} | environment))

    return command


def test_a_tenant_from_nothing_to_a_token(run: Run) -> None:
    assert "holdfast users add -t acme" in run("tenants", "add", "acme", "--name", "Acme").stdout
    assert "admin" in run("users", "add", "-t", "acme", "ana", "-r", "admin").stdout
    assert run("users", "add", "-t", "acme", "ben").returncode == 0
    assert "approver" in run("users", "grant", "-t", "acme", "ben", "approver").stdout
    assert "approver" not in run("users", "revoke", "-t", "acme", "ben", "approver").stdout
    assert run("users", "deactivate", "-t", "acme", "ben").returncode == 0
    assert run("users", "reactivate", "-t", "acme", "ben").returncode == 0
    assert run("roles", "define", "-t", "acme", "auditor", "-p", "audit:read").returncode == 0
    assert "auditor" in run("roles", "list", "-t", "acme").stdout
    assert run("roles", "delete", "-t", "acme", "auditor").returncode == 0
    secret = run("tokens", "add", "-t", "acme", "ana", "--name", "cli").stdout.strip()
    assert secret.startswith("holdfast_")
    listed = json.loads(run("tokens", "list", "-t", "acme", "--json").stdout)
    assert [token["name"] for token in listed] == ["cli"]
    assert secret not in json.dumps(listed)
    assert "Revoked" in run("tokens", "revoke", "-t", "acme", listed[0]["token_id"]).stdout
    users = json.loads(run("users", "list", "-t", "acme", "--json").stdout)
    assert [user["name"] for user in users] == ["ana", "ben"]
    assert [tenant["slug"] for tenant in json.loads(run("tenants", "list", "--json").stdout)] == ["acme"]
    events = json.loads(run("audit", "list", "-t", "acme", "--json").stdout)
    assert events[0]["event_type"] == "token.revoked"
    assert "holds" in run("audit", "verify").stdout


def test_a_schedule_from_its_creation_to_its_end(run: Run) -> None:
    run("tenants", "add", "acme")
    bad = run("schedules", "create", "-t", "acme", "nightly", "reports.daily.v1", "61 2 * * *")
    assert bad.returncode == 1
    assert "the minute '61' is not valid" in bad.stderr
    arguments = ["nightly", "reports.daily.v1", "30 2 * * *", "--timezone", "Europe/Berlin", "--payload", '{"a": 1}']
    assert "active" in run("schedules", "create", "-t", "acme", *arguments).stdout
    assert "30 2 * * *" in run("schedules", "list", "-t", "acme").stdout
    shown = json.loads(run("schedules", "show", "-t", "acme", "nightly", "--json").stdout)
    assert (shown[0]["payload"], shown[0]["missed"]) == ({"a": 1}, "once")
    assert run("schedules", "preview", "-t", "acme", "nightly", "-n", "3").stdout.count("02:30:00") >= 3
    changed = run("schedules", "update", "-t", "acme", "nightly", "--cron", "45 3 * * *", "--payload", '{"kind": "x"}')
    assert "45 3 * * *" in changed.stdout
    after = json.loads(run("schedules", "show", "-t", "acme", "nightly", "--json").stdout)
    assert (after[0]["timezone"], after[0]["type"]) == ("Europe/Berlin", "reports.daily.v1")
    assert after[0]["payload"] == {"kind": "x"}
    assert "nothing is to be changed" in run("schedules", "update", "-t", "acme", "nightly").stderr
    assert run("schedules", "update", "-t", "acme", "nightly", "--payload", "null").returncode == 0
    (emptied,) = json.loads(run("schedules", "show", "-t", "acme", "nightly", "--json").stdout)
    assert emptied["payload"] is None
    assert "Paused nightly" in run("schedules", "pause", "-t", "acme", "nightly").stdout
    assert "active" in run("schedules", "resume", "-t", "acme", "nightly").stdout
    made = run("schedules", "fire", "-t", "acme", "nightly").stdout.strip()
    assert made in run("runs", "list", "-t", "acme").stdout
    assert "Deleted nightly" in run("schedules", "delete", "-t", "acme", "nightly").stdout
    gone = run("schedules", "pause", "-t", "acme", "nightly")
    assert (gone.returncode, "there is no schedule 'nightly'" in gone.stderr) == (1, True)


def test_programs_can_read_what_is_known_of_a_run(run: Run) -> None:
    run("tenants", "add", "acme")
    made = run("runs", "enqueue", "-t", "acme", "a.b.v1", '{"n": 1}').stdout.strip()
    told = json.loads(run("runs", "show", "-t", "acme", made, "--json").stdout)
    assert (told["run"]["id"], told["run"]["payload"], told["steps"], told["events"]) == (made, {"n": 1}, [], [])
    assert "T" in told["run"]["created_at"]
    assert datetime.fromisoformat(told["run"]["created_at"]).tzinfo is not None
    (listed,) = json.loads(run("runs", "list", "-t", "acme", "--json").stdout)
    assert listed == told["run"]


async def test_a_run_that_no_running_worker_handles_is_told_of(run: Run, holdfast_dsn: str) -> None:
    run("tenants", "add", "acme")
    lonely = run("runs", "enqueue", "-t", "acme", "billing.charge.v1")
    assert lonely.returncode == 0
    assert "no worker that is running handles billing.charge.v1" in lonely.stderr
    (counted,) = json.loads(run("runs", "stats", "-t", "acme", "--json").stdout)
    assert (counted["status"], counted["runs"], counted["worker"]) == ("pending", 1, "none")
    assert "none" in run("runs", "stats", "-t", "acme").stdout
    app = hf.Holdfast(dsn=holdfast_dsn)
    app.handler("billing.charge.v1", retry=hf.Retry(max_attempts=5))(lambda run: None)
    async with app:
        worker = app.worker()
        working = asyncio.create_task(worker.run())
        async with asyncio.timeout(20):
            while True:
                async with app.tenant("acme") as hold:
                    if await hold.runs.handled(["billing.charge.v1"]):
                        break
        enqueue = ("runs", "enqueue", "-t", "acme", "billing.charge.v1", "--delay", "3600")
        made = await asyncio.to_thread(run, *enqueue)
        assert (made.returncode, made.stderr) == (0, "")
        # As often as the handler says, although the command does not know the handler.
        shown = await asyncio.to_thread(run, "runs", "show", "-t", "acme", made.stdout.strip(), "--json")
        assert json.loads(shown.stdout)["run"]["max_attempts"] == 5
        given = await asyncio.to_thread(run, *enqueue, "--max-attempts", "2")
        shown = await asyncio.to_thread(run, "runs", "show", "-t", "acme", given.stdout.strip(), "--json")
        assert json.loads(shown.stdout)["run"]["max_attempts"] == 2
        counted = json.loads((await asyncio.to_thread(run, "runs", "stats", "-t", "acme", "--json")).stdout)
        assert [each["worker"] for each in counted if each["status"] == "pending"] == ["running"]
        worker.stop()
        await working


def test_programs_of_postgres_are_for_the_embedded_one(run: Run) -> None:
    refused = run("postgres", "psql", "-c", "SELECT 1")
    assert refused.returncode == 1
    assert "HOLDFAST_DSN names a Postgres of your own" in refused.stderr


def test_a_broken_chain_is_an_exit_code(run: Run, superuser: psycopg.Connection[Any]) -> None:
    run("tenants", "add", "acme")
    superuser.execute("UPDATE holdfast.workflow_event_chained SET actor = 'x'")
    done = run("audit", "verify")
    assert done.returncode == 1
    assert "1 broken" in done.stdout
    assert "acme: access" in done.stderr


def test_migrate_tells_before_it_does(run: Run, superuser: psycopg.Connection[Any]) -> None:
    assert "0 to apply; nothing was changed" in run("migrate", "--dry-run").stdout
    assert "0001_access" in run("migrate", "--status").stdout
    assert "0 applied, the database is up to date" in run("migrate").stdout


def test_what_there_is_can_be_listed(run: Run) -> None:
    assert "HOLDFAST_DSN" in run("settings").stdout
    assert "runs:read" in run("permissions").stdout
    assert run("version").stdout.startswith("holdfast 0.")
    for command in ("", "tenants", "users", "roles", "tokens", "audit"):
        assert "Usage" in run(*([command] if command else []), "--help").stdout
    assert run("doctor").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (
            ["tenants", "list"],
            {"HOLDFAST_DSN": "host=127.0.0.1 port=1 password=pass-word"},
            "no connection to Postgres",
        ),
        (["tenants", "list"], {"HOLDFAST_DSN": "mysql://pass-word@x"}, "HOLDFAST_DSN is not valid"),
        (["tenants", "list"], {"HOLDFAST_DNS": "x"}, "did you mean 'HOLDFAST_DSN'"),
        (["tenants", "list"], {"HOLDFAST_DATA_DIR": "/proc/holdfast"}, "the data directory /proc/holdfast"),
        (["migrate"], {"HOLDFAST_DSN": "host=127.0.0.1 port=1"}, "no connection to Postgres"),
    ],
)
def test_a_bad_installation_is_one_line(arguments: list[str], environment: dict[str, str], said: str) -> None:
    done = holdfast(*arguments, **environment)
    assert done.returncode == 1
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "pass-word" not in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["users", "list", "-t", "nowhere"], "there is no tenant 'nowhere'"),
        (["tenants", "add", "Not A Slug"], "not a valid slug"),
        (["tokens", "revoke", "-t", "acme", "x"], "Invalid value"),
        (["users", "frobnicate"], "No such command"),
    ],
)
def test_bad_arguments_change_nothing(run: Run, arguments: list[str], said: str) -> None:
    done = run(*arguments)
    assert done.returncode != 0
    assert said in done.stderr


def test_a_newer_database_is_one_line(run: Run, superuser: psycopg.Connection[Any]) -> None:
    superuser.execute("INSERT INTO holdfast.schema_migrations VALUES (9999, 'future', 'x', now(), 1)")
    for command in (["tenants", "list"], ["migrate"], ["migrate", "--status"]):
        done = run(*command)
        assert done.returncode == 1
        assert "9999_future" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


def test_a_file_is_no_data_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    done = holdfast("tenants", "list", HOLDFAST_DATA_DIR=str(tmp_path / "file"))
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["data", "export", "-t", "acme", "--to", "{tmp}/nowhere/keys"], "No such file or directory"),
        (["data", "import", "-t", "acme", "{tmp}/bytes"], "is not text in UTF-8"),
        (["documents", "create", "-t", "acme", "bill", "@{tmp}/bytes"], "is not text in UTF-8"),
        (["sessions", "start", "-t", "acme", "refund", "@{tmp}/bytes"], "is not text in UTF-8"),
        (["session-definitions", "register", "{tmp}/nothing"], "No such file or directory"),
        (["runs", "enqueue", "-t", "acme", "a.b.v1", "[" * 20_000], "payload is not JSON"),
        (["tokens", "add", "-t", "acme", "ana", "--days", "1e20"], "--days"),
        (["processes", "stuck", "-t", "acme", "--minutes", "1e300"], "--minutes"),
        (["worker", "--app", ".work:app"], "write it as module:name"),
        (["worker", "--app", "json:dumps"], "'json:dumps' is a function, not a Holdfast"),
        (["worker", "--app", "json:nothing"], "'json' has no 'nothing'"),
        (["runs", "list", "-t", "\udcff"], "there is no tenant"),
        (["serve", "--host", "192.0.2.1", "--port", "0"], "set HOLDFAST_HOST to an address of this machine"),
    ],
)
def test_a_slip_is_no_traceback(run: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    run("tenants", "add", "acme")
    done = run(*(argument.replace("{tmp}", str(tmp_path)) for argument in arguments))
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_what_looks_like_markup_is_printed_as_it_is(run: Run) -> None:
    assert "Created the tenant acme ([/red])" in run("tenants", "add", "acme", "--name", "[/red]").stdout
    assert "Paused [/]" in run("runs", "pause", "-t", "acme", "[/]").stdout


def test_a_pause_of_types_that_nobody_has_enqueued_yet_says_so(run: Run) -> None:
    run("tenants", "add", "acme")
    run("tenants", "add", "globex")
    run("runs", "enqueue", "-t", "acme", "billing.charge.v1")
    known = run("runs", "pause", "-t", "acme", "billing.")
    assert (known.returncode, "known here" in known.stdout) == (0, False)
    for tenant, prefix in (("acme", "biling."), ("acme", "billing.charge.v1."), ("globex", "billing.")):
        paused = run("runs", "pause", "-t", tenant, prefix)
        assert paused.returncode == 0
        assert f"Paused {prefix};" in paused.stdout
        assert "No run of such a type is known here yet." in paused.stdout
        assert prefix in run("runs", "pauses", "-t", tenant).stdout


def test_an_id_stays_whole_in_a_pipe_and_on_a_narrow_terminal_and_a_poor_one_gets_question_marks(
    run: Run, holdfast_dsn: str
) -> None:
    run("tenants", "add", "acme")
    made = run("runs", "enqueue", "-t", "acme", "billing.invoice_charge_with_a_long_name.v1").stdout.strip()
    plain = {"HOLDFAST_DSN": holdfast_dsn, "COLUMNS": ""}
    assert made in holdfast("runs", "list", "-t", "acme", **plain).stdout
    narrow = run("runs", "list", "-t", "acme", COLUMNS="60").stdout
    assert made in narrow
    assert "billing.invoice_charge_with_a_long_name.v1" in narrow
    assert max(map(len, narrow.splitlines())) <= 60
    poor = holdfast("doctor", **plain, PYTHONIOENCODING="ascii")
    assert (poor.returncode, poor.stderr) == (0, "")
    assert "? connection" in poor.stdout


def test_a_full_disk_is_one_line(run: Run, holdfast_dsn: str) -> None:
    with Path("/dev/full").open("w") as full:
        environment = os.environ | {"HOLDFAST_DSN": holdfast_dsn}
        command = [sys.executable, "-m", "holdfast", "tenants", "list"]
        done = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "holdfast: No space left on device\n")


def test_a_login_without_our_roles_is_told_which_to_ask_for(
    run: Run, holdfast_dsn: str, superuser: psycopg.Connection[Any]
) -> None:
    superuser.execute("CREATE ROLE holdfast_test_stranger LOGIN")
    try:
        for command in (["tenants", "list"], ["worker"], ["migrate", "--status"]):
            done = run(*command, HOLDFAST_DSN=make_conninfo(holdfast_dsn, user="holdfast_test_stranger"))
            assert done.returncode == 1
            assert "GRANT holdfast_app, holdfast_worker" in done.stderr
            assert "Traceback" not in done.stderr
    finally:
        superuser.execute("DROP ROLE holdfast_test_stranger")
