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
from holdfast import Holdfast

CREW = Path(__file__).with_name("crew.py")
EFFECTS = 60


async def hire(dsn: str) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(sys.executable, str(CREW), dsn, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    await process.stdout.readline()
    return process


async def test_wf11_every_effect_arrives_although_workers_are_killed(
    holdfast_dsn: str, superuser: psycopg.Connection[dict[str, object]]
) -> None:
    accepted: Counter[str] = Counter()

    async def slowly(request: Received, writer: asyncio.StreamWriter) -> None:
        accepted[request.headers["idempotency-key"]] += 1
        await asyncio.sleep(random.uniform(0.02, 0.15))
        await answer(writer, 200)

    async with HttpReceiver(slowly) as receiver, Holdfast(dsn=holdfast_dsn) as app:
        await app.tenants.create("acme")
        new = [effect(n, url=f"{receiver.url}/{n}", awaited=False, max_attempts=20) for n in range(EFFECTS)]
        await put(app, *new)
        crew = [await hire(holdfast_dsn) for _ in range(2)]
        try:
            for _ in range(3):
                await asyncio.sleep(random.uniform(0.1, 0.4))
                crew.pop(0).send_signal(signal.SIGKILL)
                crew.append(await hire(holdfast_dsn))
            async with asyncio.timeout(120):
                while _open(superuser):  # noqa: ASYNC110 - rows set no event
                    await asyncio.sleep(0.1)
        finally:
            for process in crew:
                process.terminate()
                await process.wait()
    assert set(accepted) == {each.effect.key for each in new}
    rows = superuser.execute(
        "SELECT status, count(*) AS n FROM holdfast.workflow_side_effects_outbox GROUP BY status"
    ).fetchall()
    assert rows == [{"status": "completed", "n": EFFECTS}]


def _open(superuser: psycopg.Connection[dict[str, object]]) -> int:
    row = superuser.execute(
        "SELECT count(*) AS n FROM holdfast.workflow_side_effects_outbox WHERE status <> 'completed'"
    ).fetchone()
    assert row is not None
    return int(str(row["n"]))
