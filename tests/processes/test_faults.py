"""Workers that are killed in the middle of anything: every process ends, every step is done once."""

from __future__ import annotations

import asyncio
import random
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast
from processes.crew import CONTRACT, PATCHES, equip

CREW = Path(__file__).parent / "crew.py"


@pytest.fixture
async def boss(holdfast_dsn: str) -> AsyncIterator[Holdfast]:
    """The application that starts processes and looks at them; the crew works in processes of its own."""
    async with equip(Holdfast(dsn=holdfast_dsn)) as app:
        await app.tenants.create("acme")
        async with app.tenant("acme") as hold:
            await hold.users.create("ana", roles=["admin"])
            await hold.definitions.register(CONTRACT)
            draft = await hold.definitions.create_draft("parcel", PATCHES)
            await hold.definitions.publish(draft.id)
        with psycopg.connect(holdfast_dsn) as connection:
            connection.execute("CREATE TABLE public.work (instance uuid, step uuid)")
            connection.execute("GRANT INSERT ON public.work TO holdfast_app")
        yield app


async def hire(dsn: str) -> Process:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(CREW), dsn), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"working\n"
    return process


async def run_under_fire(boss: Holdfast, dsn: str, *, parcels: int, workers: int, kills: int, seconds: float) -> None:
    """Start processes, kill workers at random while they work, and check what is left when everything has ended.

    Work is handed out in as many parts as workers are killed: however long it takes to start another one, every kill
    comes while there is something to do.
    """
    dice = random.Random(parcels)
    async with boss.tenant("acme", actor="ana") as hold:
        for number in range(parcels):
            made = await hold.documents.create("parcel", {"number": str(number), "owner": "ana"})
            await hold.documents.transition(made.id, "submit")
    crew = [await hire(dsn) for _ in range(workers)]
    try:
        for turn in range(kills):
            async with boss.tenant("acme", actor="ana") as hold:
                for number in range(turn, parcels, kills):
                    await hold.processes.tell(f"go:{number}", {"number": number})
            so_far = await steps(dsn)

            async def some_done(more: int = dice.randrange(4 * parcels // kills), than: int = so_far) -> bool:
                return await steps(dsn) > than + more

            await until(some_done, seconds)
            victim = crew.pop(dice.randrange(len(crew)))
            victim.kill()
            await victim.wait()
            crew.append(await hire(dsn))
        await until(lambda: all_over(dsn), seconds)
    finally:
        for process in crew:
            process.terminate()
            await process.wait()
    await check(boss, dsn, parcels)


async def steps(dsn: str) -> int:
    return await count(dsn, "SELECT count(*) FROM holdfast.workflow_step_executions")


async def all_over(dsn: str) -> bool:
    return await count(dsn, "SELECT count(*) FROM holdfast.workflow_instances WHERE status <> 'completed'") == 0


async def count(dsn: str, query: LiteralString) -> int:
    async with await psycopg.AsyncConnection.connect(dsn) as connection:
        row = await (await connection.execute(query)).fetchone()
        assert row is not None
        return int(row[0])


async def check(boss: Holdfast, dsn: str, parcels: int) -> None:
    with psycopg.connect(dsn) as connection:

        def one(query: str) -> object:
            row = connection.execute(query).fetchone()
            assert row is not None
            return row[0]

        # Every action was done once, and what it did stands in the same transaction as its step.
        assert one("SELECT count(*) FROM public.work") == 2 * parcels
        assert one("SELECT count(DISTINCT step) FROM public.work") == 2 * parcels
        # No receipt without its step, no step without its receipt, no step twice.
        steps = one("SELECT count(*) FROM holdfast.workflow_step_executions")
        assert steps == one("SELECT count(DISTINCT idempotency_key) FROM holdfast.workflow_step_executions")
        assert steps == one(
            "SELECT count(*) FROM holdfast.workflow_step_executions s JOIN holdfast.workflow_step_receipts r "
            "ON r.tenant = s.tenant AND r.instance_id = s.instance_id AND r.idempotency_key = s.idempotency_key "
            "AND r.step_execution_id = s.id"
        )
        joins = one("SELECT count(*) FROM holdfast.workflow_step_executions WHERE join_key IS NOT NULL")
        assert joins == parcels
        assert one("SELECT count(*) FROM holdfast.workflow_step_receipts") == steps + parcels  # type: ignore[operator]
        # Every effect was delivered, and accepted once.
        assert one("SELECT count(*) FROM holdfast.workflow_side_effects_outbox WHERE status = 'completed'") == parcels
        assert one("SELECT count(*) FROM holdfast.workflow_notifications") == parcels
        assert one("SELECT count(*) FROM holdfast.workflow_events_outbox WHERE status = 'dead_letter'") == 0
    async with boss.tenant("acme") as hold:
        cursor = None
        while True:
            page = await hold.processes.list(workflow_id="parcel", limit=200, cursor=cursor)
            for instance in page.items:
                assert (await hold.processes.repair.check_projection(instance.id)).differed == ()
            cursor = page.next_cursor
            if cursor is None:
                return


async def test_killed_workers_lose_and_repeat_nothing(boss: Holdfast, holdfast_dsn: str) -> None:
    await run_under_fire(boss, holdfast_dsn, parcels=12, workers=2, kills=2, seconds=60)


@pytest.mark.soak
@pytest.mark.timeout(1200)
async def test_killed_workers_lose_and_repeat_nothing_at_length(boss: Holdfast, holdfast_dsn: str) -> None:
    await run_under_fire(boss, holdfast_dsn, parcels=200, workers=8, kills=16, seconds=600)
