"""Busy workers, as users run them, while Postgres is restarted at once and its processes are killed: all live on."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast, NewRun
from holdfast.errors import HoldfastError
from holdfast.testing import Databases
from runs.restless import TYPE
from runs.test_faults import restart

PROGRAM = Path(__file__).parent / "restless.py"
SUCCEEDED = "SELECT count(*) FROM holdfast.workflow_run WHERE status = 'succeeded'"
KILL = (
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND random() < %s"
)
pytestmark = pytest.mark.skipif(bool(os.environ.get("TEST_DSN")), reason="it restarts the server")


class Load:
    """Runs, enqueued again and again under keys of their own, so that one whose fate is unknown is enqueued again."""

    def __init__(self, app: Holdfast, dsn: str) -> None:
        self.app = app
        self.dsn = dsn
        self.keys = 0
        self._enough = asyncio.Event()
        self._task = asyncio.create_task(self._enqueue())

    async def _enqueue(self) -> None:
        while not self._enough.is_set():
            batch = [NewRun(TYPE, {}, key=f"{self.keys + number}") for number in range(200)]
            with suppress(HoldfastError):
                await self.app.enqueue_many("acme", batch)
                self.keys += len(batch)
            # Not more than they can do: what waits is to be done at the end.
            await until(self._few_are_left, 60)

    async def _few_are_left(self) -> bool:
        if self._enough.is_set():
            return True
        try:
            return await asyncio.to_thread(count, self.dsn, SUCCEEDED) > self.keys - 400
        except psycopg.OperationalError:
            return False

    async def stop(self) -> int:
        self._enough.set()
        await self._task
        return self.keys


async def worker(dsn: str) -> Process:
    process = await asyncio.create_subprocess_exec(sys.executable, str(PROGRAM), dsn, stdout=PIPE, stderr=PIPE)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"working\n"
    return process


async def stopped(process: Process) -> tuple[float, list[str]]:
    """How long its longest statement took, and what it said."""
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    said, told = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, told.decode()
    return float(said.decode().split()[-1]), told.decode().splitlines()


def end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()


def count(dsn: str, query: str, *values: object) -> int:
    with psycopg.connect(dsn) as connection:
        row = connection.execute(query, values).fetchone()
    assert row is not None
    return int(row[0])


async def outlive(databases: Databases, dsn: str, *, workers: int, restarts: int) -> list[tuple[float, list[str]]]:
    server = databases.server
    assert server is not None
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(Holdfast(dsn=dsn, connect_timeout=3))
        await app.tenants.create("acme")
        crew = [await worker(dsn) for _ in range(workers)]
        for process in crew:
            stack.callback(end, process)
        load = Load(app, dsn)
        for _ in range(restarts):
            for share in (0.3, 1.0):
                before = await asyncio.to_thread(count, dsn, SUCCEEDED)

                async def goes_on(than: int = before) -> bool:
                    return await asyncio.to_thread(count, dsn, SUCCEEDED) > than + 200

                await until(goes_on, timeout=5)
                with suppress(psycopg.OperationalError):  # it kills itself, too
                    await asyncio.to_thread(count, dsn, KILL, share)
                await asyncio.sleep(random.uniform(0, 0.3))  # time itself: any moment at which they come back from it
            await asyncio.to_thread(restart, server)
            assert [process.returncode for process in crew] == [None] * workers
        made = await asyncio.wait_for(load.stop(), 20)
        began = time.monotonic()

        async def done() -> bool:
            return await asyncio.to_thread(count, dsn, SUCCEEDED) == made

        await until(done, timeout=60)
        print(f"{made} runs, {time.monotonic() - began:.1f} s for the rest")  # noqa: T201 - for who runs it with -s
        told = await asyncio.gather(*(stopped(process) for process in crew))
    assert count(dsn, "SELECT count(*) FROM holdfast.workflow_run") == made, "nothing is lost, nothing is there twice"
    ended = "FROM holdfast.workflow_event WHERE event_type = 'run.succeeded'"
    assert count(dsn, f"SELECT count(*) {ended}") == made, "each is settled"
    assert count(dsn, f"SELECT count(DISTINCT object_id) {ended}") == made, "and once"
    return told


def check(told: list[tuple[float, list[str]]], restarts: int) -> None:
    for longest, lines in told:
        assert longest < 5, "a statement that is lost is known to be at once"
        assert not [line for line in lines if "Traceback" in line or "SELECT" in line]
        # One line for each outage, and one for its end. Every restart and every killing is one, unless nobody noticed.
        assert len([line for line in lines if "holdfast.database" in line]) <= 2 * 3 * restarts


async def test_workers_outlive_restarts_of_postgres(holdfast_databases: Databases, holdfast_dsn: str) -> None:
    told = await outlive(holdfast_databases, holdfast_dsn, workers=2, restarts=2)
    check(told, 2)


@pytest.mark.soak
@pytest.mark.parametrize("again", range(4))
async def test_many_workers_outlive_many_restarts_of_postgres(
    holdfast_databases: Databases, holdfast_dsn: str, again: int
) -> None:
    told = await outlive(holdfast_databases, holdfast_dsn, workers=4, restarts=4)
    print(f"round {again}: longest statement {max(longest for longest, _ in told):.2f} s")  # noqa: T201
    check(told, 4)
