"""Workers that are killed, frozen, cut off or mistaken about the time: nothing is lost, nothing counts twice."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from harness.faultproxy import FaultProxy
from harness.waiting import Gate, until
from holdfast import Holdfast
from holdfast.postgres.embedded import EmbeddedServer
from holdfast.runs import NewRun, Run
from holdfast.testing import Databases
from runs.conftest import fetch, finished, kept, working
from runs.crew import TYPE

CREW = Path(__file__).parent / "crew.py"


@pytest.fixture
async def boss(holdfast_dsn: str) -> AsyncIterator[Holdfast]:
    """The application that enqueues and looks; the crew works in processes of its own."""
    async with Holdfast(dsn=holdfast_dsn, run_events="all") as app:
        await app.tenants.create("acme")
        with psycopg.connect(holdfast_dsn) as connection:
            connection.execute("CREATE TABLE public.effects (run uuid, attempt int, worker int, what text)")
        yield app


@asynccontextmanager
async def crew(dsn: str, effects_dsn: str | None = None, *, clock_off: float = 0) -> AsyncIterator[Process]:
    """One worker process."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(CREW), dsn, effects_dsn or dsn, str(clock_off)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": f"{CREW.parents[1]}:{os.environ.get('PYTHONPATH', '')}"},
    )
    try:
        assert process.stdout is not None
        if await process.stdout.readline() != b"working\n":
            pytest.fail((await process.communicate())[1].decode())
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGCONT)
            process.terminate()
        async with asyncio.timeout(30):
            await process.communicate()


def effects(dsn: str, run: UUID) -> list[tuple[int, str]]:
    with psycopg.connect(dsn) as connection:
        rows = connection.execute("SELECT attempt, what FROM public.effects WHERE run = %s ORDER BY 1, 2 DESC", [run])
        return [(int(row[0]), str(row[1])) for row in rows]


async def started(dsn: str, run: UUID) -> None:
    async def it_has() -> bool:
        return bool(effects(dsn, run))

    await until(it_has)


async def events(app: Holdfast, run: UUID) -> list[str]:
    async with app.tenant("acme") as hold:
        return [event.event_type for event in (await hold.audit.list(object_id=run)).items][::-1]


async def test_a_killed_worker_loses_nothing(boss: Holdfast, holdfast_dsn: str, gate: Gate) -> None:
    made = await boss.enqueue("acme", TYPE, {"gate": gate.path})
    async with crew(holdfast_dsn) as first:
        await started(holdfast_dsn, made.id)
        first.kill()
    async with crew(holdfast_dsn):
        (run,) = await finished(boss, made.id)
    assert (run.status, run.attempt, run.result) == ("succeeded", 2, {"attempt": 2})
    assert effects(holdfast_dsn, made.id) == [(1, "started"), (2, "started"), (2, "finished")]
    assert await events(boss, made.id) == [
        "run.created",
        "run.leased",
        "run.started",
        "run.lease_expired",
        "run.leased",
        "run.started",
        "run.succeeded",
    ]


async def test_a_frozen_worker_comes_back_as_a_zombie_and_nothing_of_it_counts(
    boss: Holdfast, holdfast_dsn: str, gate: Gate
) -> None:
    made = await boss.enqueue("acme", TYPE, {"gate": gate.path})
    async with crew(holdfast_dsn) as zombie:
        await started(holdfast_dsn, made.id)
        zombie.send_signal(signal.SIGSTOP)
        async with crew(holdfast_dsn):
            (run,) = await finished(boss, made.id)
            assert run.result == {"attempt": 2}
            gate.open()
            zombie.send_signal(signal.SIGCONT)
            # The zombie finishes its attempt, or is stopped by its heartbeat; either way it can still do new work.
            others = [one.id for one in await boss.enqueue_many("acme", [NewRun(TYPE, {}) for _ in range(20)])]
            await finished(boss, *others)
    run = await fetch(boss, made.id)
    assert (run.status, run.result, run.attempt) == ("succeeded", {"attempt": 2}, 2)
    assert (await events(boss, made.id)).count("run.succeeded") == 1


async def test_a_run_that_kills_its_worker_fails_and_its_neighbours_do_not(boss: Holdfast, holdfast_dsn: str) -> None:
    poison = await boss.enqueue("acme", TYPE, {"kill": True})
    # Whoever runs beside it loses an attempt with each worker it kills. Pauses of different length keep them apart, but
    # not when the next worker is slow to start.
    others = [NewRun(TYPE, {}, max_attempts=10) for _ in range(30)]
    neighbours = [one.id for one in await boss.enqueue_many("acme", others)]
    for _ in range(6):
        async with crew(holdfast_dsn) as victim:

            async def over(process: Process = victim) -> bool:
                done = (await fetch(boss, poison.id)).finished_at is not None
                return done or process.returncode is not None

            await until(over)
        if (await fetch(boss, poison.id)).finished_at:
            break
    async with crew(holdfast_dsn):
        runs = await finished(boss, *neighbours)
    run = await fetch(boss, poison.id)
    assert (run.status, run.last_error, run.attempt) == ("failed", "lease_expired", 3)
    assert {one.status for one in runs} == {"succeeded"}


async def test_a_blocked_event_loop_is_not_run_twice(boss: Holdfast, holdfast_dsn: str, gate: Gate) -> None:
    made = await boss.enqueue("acme", TYPE, {"blocks": gate.path})
    async with crew(holdfast_dsn):
        await started(holdfast_dsn, made.id)
        async with crew(holdfast_dsn):
            await kept(boss, made.id)
            gate.open()
            (run,) = await finished(boss, made.id)
    assert (run.status, run.attempt) == ("succeeded", 1)
    assert effects(holdfast_dsn, made.id) == [(1, "started"), (1, "finished")]


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_connection_cut_while_settling_counts_once(boss: Holdfast, holdfast_dsn: str, when: Any) -> None:
    async with FaultProxy(holdfast_dsn) as proxy:
        ids = [one.id for one in await boss.enqueue_many("acme", [NewRun(TYPE, {}) for _ in range(40)])]
        proxy.cut(on="SELECT TRUE AS LOST", when=when, times=3)
        # The statement is sent as a Bind of a prepared one after its first uses; cut some of those as well.
        async with crew(proxy.dsn, holdfast_dsn):
            runs = await finished(boss, *ids)
    assert proxy.cuts >= 1
    assert {run.status for run in runs} == {"succeeded"}
    for run_id in ids:
        told = await events(boss, run_id)
        assert told.count("run.succeeded") == 1


@pytest.mark.every_loop
async def test_a_worker_that_stops_while_postgres_is_gone_ends_and_its_run_comes_back(
    live: Holdfast, holdfast_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.runs.worker.Worker.settling_seconds", 0.5)
    started, release = asyncio.Event(), asyncio.Event()

    async with (
        FaultProxy(holdfast_dsn) as proxy,
        Holdfast(dsn=proxy.dsn, worker_shutdown_timeout=1, connect_timeout=1) as app,
    ):

        @app.handler("lonely.work.v1", lease=1)
        async def work(run: Run) -> str:
            started.set()
            await release.wait()
            return "done"

        made = await live.enqueue("acme", "lonely.work.v1")
        worker = app.worker()
        task = asyncio.create_task(worker.run())
        await asyncio.wait_for(started.wait(), 20)
        proxy.refuse()
        proxy.drop_all()
        release.set()
        worker.stop()
        await asyncio.wait_for(task, 20)
    assert (await fetch(live, made.id)).status == "leased", "nobody could be told"

    @live.handler("lonely.work.v1")
    async def again(run: Run) -> str:
        return "done again"

    async with working(live):
        (run,) = await finished(live, made.id)
    assert run.result == "done again"


async def test_workers_survive_lost_connections(boss: Holdfast, holdfast_dsn: str, gate: Gate) -> None:
    async with FaultProxy(holdfast_dsn) as proxy, crew(proxy.dsn, holdfast_dsn):
        for number in range(3):
            own = Gate(f"{gate.path}{number}")
            (made,) = await boss.enqueue_many("acme", [NewRun(TYPE, {"gate": own.path})])
            await started(holdfast_dsn, made.id)
            proxy.drop_all()
            own.open()
            (run,) = await finished(boss, made.id)
            assert run.status == "succeeded"


@pytest.mark.skipif(bool(os.environ.get("TEST_DSN")), reason="it restarts the server")
async def test_a_restart_of_postgres_under_load_loses_nothing(
    holdfast_databases: Databases, holdfast_dsn: str, gate: Gate
) -> None:
    server = holdfast_databases.server
    assert server is not None
    async with Holdfast(dsn=holdfast_dsn, run_events="all", connect_timeout=3) as app:
        await app.tenants.create("acme")
        with psycopg.connect(holdfast_dsn) as connection:
            connection.execute("CREATE TABLE public.effects (run uuid, attempt int, worker int, what text)")
        # Some are being executed when it comes, others begin or end at that moment.
        load = [NewRun(TYPE, {"gate": gate.path} if number % 10 == 0 else {}) for number in range(200)]
        ids = [one.id for one in await app.enqueue_many("acme", load)]
        async with crew(holdfast_dsn), crew(holdfast_dsn):
            await started(holdfast_dsn, ids[0])
            restart(server)
            gate.open()

            async def done() -> bool:
                with psycopg.connect(holdfast_dsn) as connection:
                    row = connection.execute("SELECT count(*) FROM holdfast.workflow_run WHERE NOT done").fetchone()
                return row == (0,)

            await until(done, timeout=60)
        with psycopg.connect(holdfast_dsn) as connection:
            rows = connection.execute("SELECT status, count(*) FROM holdfast.workflow_run GROUP BY 1").fetchall()
    assert rows == [("succeeded", 200)]


def restart(server: EmbeddedServer) -> None:
    done = server._os.run(server.binary("pg_ctl"), "restart", "-D", server.pgdata, "-m", "immediate", "-w")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("hours", [-1, 1])
async def test_the_workers_clock_does_not_matter(boss: Holdfast, holdfast_dsn: str, hours: int, gate: Gate) -> None:
    """Leases and delays are Postgres's: a worker that is an hour off neither loses a lease nor takes one early."""
    made = await boss.enqueue("acme", TYPE, {"gate": gate.path})
    async with crew(holdfast_dsn, clock_off=hours * 3600), crew(holdfast_dsn):
        await started(holdfast_dsn, made.id)
        await kept(boss, made.id)
        gate.open()
        (run,) = await finished(boss, made.id)
    assert (run.status, run.attempt) == ("succeeded", 1)
