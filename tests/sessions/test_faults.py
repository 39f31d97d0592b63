"""Workers killed, frozen, drained or cut off, a server restarted: history has one line, no step runs in vain."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from harness.faultproxy import FaultProxy
from harness.waiting import Gate, until
from holdfast import Holdfast
from holdfast.errors import PromptClosed
from holdfast.testing import Databases
from runs.test_faults import restart
from sessions.conftest import ended, fetch, messages, reply, settled, working
from sessions.crew import application

CREW = Path(__file__).parent / "crew.py"
ALL = [f"n{place}" for place in range(10)]


@pytest.fixture
async def boss(holdfast_dsn: str) -> AsyncIterator[Holdfast]:
    """The application that starts sessions and looks; the crew works in processes of its own."""
    with psycopg.connect(holdfast_dsn) as connection:
        connection.execute("CREATE TABLE public.effects (session text, what text, pid int)")
    async with application(holdfast_dsn, holdfast_dsn) as app:
        await app.tenants.create("acme")
        yield app


@asynccontextmanager
async def crew(dsn: str, effects_dsn: str | None = None) -> AsyncIterator[Process]:
    environment = os.environ | {"PYTHONPATH": f"{CREW.parents[1]}:{os.environ.get('PYTHONPATH', '')}"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(CREW), dsn, effects_dsn or dsn),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment,
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


def effects(dsn: str, session: str = "s") -> list[str]:
    with psycopg.connect(dsn) as connection:
        return [row[0] for row in connection.execute("SELECT what FROM public.effects WHERE session = %s", [session])]


async def start(app: Holdfast, workflow: str = "ten", name: str = "s", gate: Gate | None = None) -> None:
    async with app.tenant("acme") as hold:
        given = {"session": name, "gate": gate.path if gate else "", "done": 0}
        await hold.sessions.start(workflow, given, name=name)


async def reached(dsn: str, what: str, session: str = "s") -> None:
    async def it_has() -> bool:
        return what in effects(dsn, session)

    await until(it_has, 30)


async def one_line_of_history(app: Holdfast, dsn: str, name: str = "s") -> None:
    """Every checkpoint has one child at most, messages are numbered without gaps, each step is told of once."""
    told = await messages(app, name)
    assert [one.sequence_number for one in told] == list(range(1, len(told) + 1))
    steps = Counter(one.content["step"] for one in told if "checkpoint" in one.content)
    assert steps == Counter(ALL)
    with psycopg.connect(dsn) as connection:
        rows = connection.execute(
            "SELECT parent_checkpoint_id, count(*) FROM holdfast_langgraph.checkpoints "
            "WHERE thread_id = %s AND checkpoint_ns = '' GROUP BY 1",
            [f"project-acme:session-{name}"],
        ).fetchall()
    assert {count for _, count in rows} == {1}
    assert len(rows) == 12


async def until_twice(dsn: str, what: str) -> None:
    async def it_has() -> bool:
        return effects(dsn).count(what) == 2

    await until(it_has, 30)


async def test_a_worker_killed_in_node_six_costs_one_node(boss: Holdfast, holdfast_dsn: str, gate: Gate) -> None:
    await start(boss, gate=gate)
    async with crew(holdfast_dsn) as victim:
        await reached(holdfast_dsn, "n6")
        victim.kill()
    gate.open()
    async with crew(holdfast_dsn):
        done = await ended(boss, "s")
    assert (done.status, done.output_data["done"]) == ("completed", 10)
    counted = Counter(effects(holdfast_dsn))
    assert {name: counted[name] for name in ALL} == dict.fromkeys(ALL, 1) | {"n6": 2}
    await one_line_of_history(boss, holdfast_dsn)


async def test_a_frozen_worker_comes_back_as_a_zombie_and_writes_nothing(
    boss: Holdfast, holdfast_dsn: str, gate: Gate
) -> None:
    await start(boss, gate=gate)
    async with crew(holdfast_dsn) as zombie:
        await reached(holdfast_dsn, "n6")
        zombie.send_signal(signal.SIGSTOP)
        async with crew(holdfast_dsn):
            await until_twice(holdfast_dsn, "n6")
            gate.open()
            zombie.send_signal(signal.SIGCONT)
            done = await ended(boss, "s")
            # The zombie still can do new work, and its attempt at the old has been refused by now.
            await start(boss, name="next")
            await ended(boss, "next")
    assert (done.status, done.output_data["done"]) == ("completed", 10)
    await one_line_of_history(boss, holdfast_dsn)


async def test_two_answers_at_once_a_hundred_times(boss: Holdfast, holdfast_dsn: str) -> None:
    count = 100
    async with boss.tenant("acme") as hold:
        for number in range(count):
            await hold.sessions.start("ask", {"session": f"s{number}", "gate": "", "done": 0}, name=f"s{number}")

    async def give(number: int, value: int) -> bool:
        try:
            async with boss.tenant("acme") as hold:
                await reply(hold, f"s{number}", value)
        except PromptClosed:
            return False
        return True

    async with working(boss, concurrency=20):
        for number in range(count):
            await settled(boss, f"s{number}", "waiting_for_input")
        given = [await asyncio.gather(give(number, 1), give(number, 2)) for number in range(count)]
        for number in range(count):
            done = await ended(boss, f"s{number}")
            assert done.output_data["done"] == (1 if given[number][0] else 2)
    assert all(sorted(pair) == [False, True] for pair in given)
    with psycopg.connect(holdfast_dsn) as connection:
        rows = connection.execute("SELECT session, count(*) FROM public.effects GROUP BY 1").fetchall()
    assert (len(rows), {times for _, times in rows}) == (count, {1})


async def test_a_drained_worker_hands_over_between_two_nodes(boss: Holdfast, holdfast_dsn: str, gate: Gate) -> None:
    await start(boss, gate=gate)
    async with crew(holdfast_dsn) as first:
        await reached(holdfast_dsn, "n6")
        first.terminate()
        gate.open()
        await first.wait()
        assert (await fetch(boss, "s")).status == "running"
        async with crew(holdfast_dsn):
            done = await ended(boss, "s")
    assert done.status == "completed"
    assert Counter(effects(holdfast_dsn)) == Counter([*ALL, "n6 done"])
    await one_line_of_history(boss, holdfast_dsn)
    assert done.run_id is not None
    async with boss.tenant("acme") as hold:
        assert (await hold.runs.get(done.run_id)).attempt == 1


async def test_a_worker_drained_while_a_session_waits_is_not_missed(boss: Holdfast, holdfast_dsn: str) -> None:
    await start(boss, "ask")
    async with crew(holdfast_dsn):
        await settled(boss, "s", "waiting_for_input")
    async with boss.tenant("acme") as hold:
        await reply(hold, "s", 7)
    async with crew(holdfast_dsn):
        done = await ended(boss, "s")
    assert (done.status, done.output_data["done"]) == ("completed", 7)
    assert effects(holdfast_dsn) == ["after"]


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_connection_cut_while_saving_saves_once(boss: Holdfast, holdfast_dsn: str, when: str) -> None:
    async with FaultProxy(holdfast_dsn) as proxy:
        proxy.cut(on="SELECT PLACE, VERDICT", when=when, times=3)  # type: ignore[arg-type]
        async with application(proxy.dsn, holdfast_dsn) as app, working(app, concurrency=4):
            await start(boss)
            done = await ended(boss, "s")
    assert proxy.cuts == 3
    assert (done.status, done.output_data["done"]) == ("completed", 10)
    assert Counter(effects(holdfast_dsn)) == Counter(ALL)
    await one_line_of_history(boss, holdfast_dsn)


async def test_lost_connections_cost_nothing(boss: Holdfast, holdfast_dsn: str, gate: Gate) -> None:
    async with (
        FaultProxy(holdfast_dsn) as proxy,
        # Connecting anew takes a moment, on a busy machine several: the lease is not what is tried here.
        application(proxy.dsn, holdfast_dsn, lease=30) as app,
        working(app, concurrency=4),
    ):
        await start(boss, gate=gate)
        await reached(holdfast_dsn, "n6")
        proxy.drop_all()
        gate.open()
        done = await ended(boss, "s")
    assert done.status == "completed"
    assert Counter(effects(holdfast_dsn)) == Counter([*ALL, "n6 done"])
    await one_line_of_history(boss, holdfast_dsn)


@pytest.mark.skipif(bool(os.environ.get("TEST_DSN")), reason="it restarts the server")
async def test_a_restart_of_postgres_costs_one_node_at_most(
    boss: Holdfast, holdfast_databases: Databases, holdfast_dsn: str, gate: Gate
) -> None:
    server = holdfast_databases.server
    assert server is not None
    await start(boss, gate=gate)
    async with crew(holdfast_dsn):
        await reached(holdfast_dsn, "n6")
        await asyncio.to_thread(restart, server)
        gate.open()

        async def it_ended() -> bool:
            with psycopg.connect(holdfast_dsn) as connection:
                row = connection.execute("SELECT status FROM holdfast.workflow_sessions").fetchone()
            return row is not None and row[0] in ("completed", "failed")

        await until(it_ended, 60)
    counted = Counter(effects(holdfast_dsn))
    assert sum(counted[name] for name in ALL) <= len(ALL) + 1
    async with application(holdfast_dsn, holdfast_dsn) as app:
        assert (await fetch(app, "s")).status == "completed"
        await one_line_of_history(app, holdfast_dsn)


async def test_behind_a_transaction_pooler(
    boss: Holdfast,
    pgbouncer: str,
    holdfast_dsn: str,
) -> None:
    settings: dict[str, Any] = {"listen_dsn": holdfast_dsn, "admin_dsn": holdfast_dsn, "pool_max": 8}
    async with application(pgbouncer, holdfast_dsn, **settings) as app, working(app, concurrency=4):
        for number in range(4):
            await start(boss, name=f"s{number}")
        await start(boss, "ask", name="asked")
        await settled(app, "asked", "waiting_for_input")
        async with app.tenant("acme") as hold:
            await reply(hold, "asked", 1)
        for name in ("s0", "s1", "s2", "s3", "asked"):
            assert (await ended(app, name)).status == "completed"
    await one_line_of_history(boss, holdfast_dsn, "s3")


async def test_a_run_that_keeps_killing_its_worker_ends_its_session(boss: Holdfast, holdfast_dsn: str) -> None:
    await start(boss, "ask")
    with psycopg.connect(holdfast_dsn) as connection:
        connection.execute(
            "UPDATE holdfast.workflow_run_live SET status = 'leased', lease_epoch = 5, attempt = max_attempts, "
            "lease_until = now() - interval '1 s', leased_by = 'dead'"
        )
    async with working(boss):
        done = await ended(boss, "s")
    assert (done.status, done.error_message) == ("failed", "lease_expired")


async def test_action_that_a_killed_worker_called_as_a_tool_is_not_done_again(
    boss: Holdfast, holdfast_dsn: str
) -> None:
    async with crew(holdfast_dsn) as first:
        await start(boss, "count")
        await reached(holdfast_dsn, "counted 1")
        first.kill()
        await first.wait()
        async with crew(holdfast_dsn):
            assert (await ended(boss, "s")).status == "completed"
    assert effects(holdfast_dsn) == ["counted 1", "counted 1"]
    entry = await boss.data("acme").get("crew", "s")
    assert entry is not None
    assert entry.value == 1
