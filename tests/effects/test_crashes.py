"""Workers die at any moment: every effect arrives, and a receiver that knows keys takes each once (WF-11)."""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from collections import Counter
from pathlib import Path

import psycopg

from effects.test_worker import effect, put
from harness.receivers import HttpReceiver, Received, answer
from harness.waiting import until
from holdfast import Holdfast

CREW = Path(__file__).with_name("crew.py")
ROUNDS, EFFECTS = 3, 20


async def hire(dsn: str) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(sys.executable, str(CREW), dsn, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    await process.stdout.readline()
    return process


async def test_wf11_every_effect_arrives_although_workers_are_killed(
    holdfast_dsn: str, superuser: psycopg.Connection[dict[str, object]]
) -> None:
    """Each is killed while receivers have taken something of which it will never know whether they did."""
    accepted: Counter[str] = Counter()
    answering = asyncio.Event()

    async def late(request: Received, writer: asyncio.StreamWriter) -> None:
        accepted[request.headers["idempotency-key"]] += 1
        await answering.wait()
        await answer(writer, 200)

    new = []
    async with HttpReceiver(late) as receiver, Holdfast(dsn=holdfast_dsn) as app:
        await app.tenants.create("acme")
        crew = [await hire(holdfast_dsn) for _ in range(2)]
        try:
            for turn in range(ROUNDS):
                answering.clear()
                numbers = range(turn * EFFECTS, (turn + 1) * EFFECTS)
                part = [effect(n, url=f"{receiver.url}/{n}", awaited=False, max_attempts=20) for n in numbers]
                new += part
                await put(app, *part)

                def reached(enough: int = accepted.total() + random.randrange(1, EFFECTS // 2)) -> bool:
                    return accepted.total() >= enough

                await until(reached)
                crew.pop(0).send_signal(signal.SIGKILL)
                answering.set()
                crew.append(await hire(holdfast_dsn))
            await until(lambda: not _open(superuser), 120)
        finally:
            for process in crew:
                process.terminate()
                await process.wait()
    assert set(accepted) == {each.effect.key for each in new}
    rows = superuser.execute(
        "SELECT status, count(*) AS n FROM holdfast.workflow_side_effects_outbox GROUP BY status"
    ).fetchall()
    assert rows == [{"status": "completed", "n": ROUNDS * EFFECTS}]


def _open(superuser: psycopg.Connection[dict[str, object]]) -> int:
    row = superuser.execute(
        "SELECT count(*) AS n FROM holdfast.workflow_side_effects_outbox WHERE status <> 'completed'"
    ).fetchone()
    assert row is not None
    return int(str(row["n"]))
