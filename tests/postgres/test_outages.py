"""Commands that run for long, and a Postgres that is away, comes back, or is no longer theirs: they wait, and say why.

Once for each outage and process, in a line without a statement or a traceback; and once when it is over.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import pytest

from harness.faultproxy import FaultProxy
from harness.waiting import until
from holdfast import Holdfast
from holdfast.errors import DatabaseUnreachable, SchemaTooNew
from holdfast.postgres.outage import Outage, one_line
from holdfast.runs import Run
from runs.conftest import finished

COMMANDS = (["worker"], ["serve", "--port", "0"], ["outbox", "dispatch"])
NEWER = "INSERT INTO holdfast.schema_migrations VALUES (9999, 'from_the_future', 'x', now(), 1)"
AS_BEFORE = "DELETE FROM holdfast.schema_migrations WHERE version = 9999"


class Program:
    """A command of ours as a process, and the lines it has written."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.lines: list[str] = []
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self.process.stderr is not None
        async for line in self.process.stderr:
            self.lines.append(line.decode())

    async def says(self, what: str, times: int = 1) -> None:
        async def it_did() -> bool:
            assert self.process.returncode is None, "".join(self.lines)
            return len(self.matching(what)) >= times

        await until(it_did, timeout=30)

    def matching(self, what: str) -> list[str]:
        return [line for line in self.lines if re.search(what, line)]

    async def stop(self) -> int:
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(self._reading, 40)
        return await self.process.wait()


@asynccontextmanager
async def program(dsn: str, *arguments: str, **environment: str) -> AsyncIterator[Program]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
    own = {"HOLDFAST_DSN": dsn, "HOLDFAST_CONNECT_TIMEOUT": "2", "HOLDFAST_OUTBOX_SINKS": "stdout"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "holdfast", *arguments),
        env=clean | own | {"HOLDFAST_WORKER_SHUTDOWN_TIMEOUT": "1"} | environment,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    running = Program(process)
    try:
        yield running
    finally:
        await running.stop()


def started(arguments: list[str]) -> str:
    return {"worker": "advances processes", "serve": "listening on", "outbox": "sending events"}[arguments[0]]


@pytest.mark.parametrize("arguments", COMMANDS)
async def test_a_command_that_runs_for_long_waits_for_its_database(holdfast_dsn: str, arguments: list[str]) -> None:
    async with FaultProxy(holdfast_dsn) as proxy:
        proxy.refuse()
        async with program(proxy.dsn, *arguments) as running:
            await running.says("waiting for the database: no connection to Postgres at 127.0.0.1")
            seen = proxy.refused
            await until(lambda: proxy.refused >= seen + 3)
            assert len(running.lines) == 1
            proxy.refuse(False)
            await running.says(started(arguments))
            assert len(running.matching("can be worked with again")) == 1
            assert "Traceback" not in "".join(running.lines)


async def test_a_command_waits_for_a_schema_of_its_own(
    holdfast_dsn: str, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    superuser.execute(NEWER)
    async with program(holdfast_dsn, "worker") as running:
        await running.says("waiting for the database: the database has the migration 9999_from_the_future.*upgrade")
        superuser.execute(AS_BEFORE)
        await running.says("advances processes")


@pytest.fixture
def claims(superuser: psycopg.Connection[dict[str, Any]]) -> list[str]:
    """The functions that claim, of every kind of worker."""
    rows = superuser.execute(
        "SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 'holdfast'::regnamespace "
        "AND proname ~ '^(claim|turn|tend|ready|dispatch|lease|due)_'"
    ).fetchall()
    return [str(row["proname"]) for row in rows]


async def test_a_worker_whose_functions_a_migration_took_away_waits_and_says_so_once(
    holdfast_dsn: str, superuser: psycopg.Connection[dict[str, Any]], claims: list[str]
) -> None:
    async with program(holdfast_dsn, "worker", HOLDFAST_LOG_LEVEL="debug") as running:
        await running.says("advances processes")
        with superuser.transaction():
            superuser.execute(NEWER)
            for name in claims:
                superuser.execute(
                    "DO $$ DECLARE f regprocedure; BEGIN FOR f IN SELECT oid FROM pg_proc "
                    f"WHERE pronamespace = 'holdfast'::regnamespace AND proname = '{name}' "
                    "LOOP EXECUTE 'ALTER FUNCTION ' || f || ' RENAME TO former_' || md5(f::text); END LOOP; END $$"
                )
        await running.says("9999_from_the_future")
        # Every loop of every worker has found out, and tried again: there are about ten.
        await running.says("DEBUG .*9999_from_the_future", times=25)
        assert len(running.matching("WARNING .*9999_from_the_future")) == 1, "".join(running.lines)
        assert len(running.matching("WARNING|ERROR")) == 1, "".join(running.lines)
        assert await running.stop() == 0


async def test_an_old_worker_beside_a_newer_schema_takes_nothing_more(
    holdfast_dsn: str, superuser: psycopg.Connection[dict[str, Any]], caplog: pytest.LogCaptureFixture
) -> None:
    """The functions are all still there; but what they do is no longer what this code thinks."""
    caplog.set_level(logging.DEBUG, "holdfast.database")

    def told(level: int) -> int:
        return len([line for line in caplog.records if line.levelno == level and "9999_from" in line.getMessage()])

    async with Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05) as app:
        await app.tenants.create("acme")

        @app.handler("test.work.v1")
        async def work(run: Run) -> None:
            pass

        worker = app.worker()
        task = asyncio.create_task(worker.run())
        await finished(app, (await app.enqueue("acme", "test.work.v1")).id)
        superuser.execute(NEWER)
        app.database._fitted = 0.0  # as if some seconds had passed

        async def noticed() -> bool:
            return not app.database.fits

        await until(noticed)
        made = await app.enqueue("acme", "test.work.v1")
        looks = told(logging.DEBUG)
        await until(lambda: told(logging.DEBUG) >= looks + 2)
        async with app.tenant("acme") as hold:
            assert (await hold.runs.get(made.id)).status == "pending"
        assert told(logging.WARNING) == 1
        superuser.execute(AS_BEFORE)
        await finished(app, made.id)
        worker.stop()
        await asyncio.wait_for(task, 20)


@pytest.mark.skipif(bool(os.environ.get("TEST_DSN")), reason="it cuts connections of a private server")
async def test_an_outage_is_one_line_for_a_worker_and_for_a_server_and_so_is_its_end(holdfast_dsn: str) -> None:
    async with (
        FaultProxy(holdfast_dsn) as proxy,
        program(proxy.dsn, "worker", HOLDFAST_WORKER_POLL_INTERVAL="0.1") as worker,
        program(proxy.dsn, "serve", "--port", "0") as server,
    ):
        await worker.says("advances processes")
        await server.says("listening on")
        address = re.search(r"http://\S+:(\d+)", server.matching("listening on")[0])
        assert address is not None
        port = int(address[1])

        async def ready() -> bool:
            return await asked(port) == 200

        for outage in (1, 2):
            proxy.refuse()
            proxy.drop_all()
            for _ in range(5):
                assert await asked(port) == 503
            await worker.says("waiting for the database", outage)
            await server.says("waiting for the database", outage)
            proxy.refuse(False)
            await worker.says("can be worked with again", outage)
            await until(ready)
            await server.says("can be worked with again", outage)
            for each in (worker, server):
                assert len(each.matching("WARNING|ERROR")) == 2 * outage, "".join(each.lines)
        for line in worker.lines + server.lines:
            assert not re.search(r"Traceback|SELECT|UPDATE|INSERT", line)


async def asked(port: int) -> int:
    """What the server answers to whether it is ready."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /readyz HTTP/1.0\r\n\r\n")
    status = int((await reader.readline()).split()[1])
    writer.close()
    await writer.wait_closed()
    return status


def test_one_outage_is_told_once_and_what_it_left_behind_not_at_all(caplog: pytest.LogCaptureFixture) -> None:
    outage = Outage()
    lost = DatabaseUnreachable("the connection was lost")
    lost.__cause__ = psycopg.OperationalError("gone")
    outage.ended()
    for _ in range(3):
        outage.began(lost)
        outage.began(DatabaseUnreachable("refused"))
    outage.ended()
    outage.ended()
    outage.began(lost)
    assert [line.split(":")[0].split(",")[0] for line in caplog.messages] == [
        "waiting for the database",
        "the database can be worked with again",
    ]
    outage.began(DatabaseUnreachable("refused"))
    outage.began(SchemaTooNew("it is newer", hint="upgrade"))
    outage.ended()
    assert outage.lasts, "that it answers does not make it ours"
    outage.ended(schema_is_ours=True)
    assert len(caplog.messages) == 5
    assert caplog.messages[3] == "waiting for the database: it is newer; upgrade"


async def test_connections_of_the_pool_have_a_lifetime(holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn, pool_max_lifetime=1, pool_max_idle=1, pool_min=1) as app:
        seen = set()

        async def another() -> bool:
            async with app.database.connection() as connection:
                seen.add(connection.info.backend_pid)
            return len(seen) > 1

        await until(another)


def test_what_postgres_was_doing_is_not_told() -> None:
    said = (
        'terminating connection due to administrator command\nCONTEXT:  SQL statement "SELECT secret FROM x"\nPL/pgSQL'
    )
    assert one_line(psycopg.OperationalError(said)) == "terminating connection due to administrator command"
