"""A tenant attacks with all it has: another's requests take at most twice as long as beside harmless ones.

The attacker is a process of its own, bound to one core: `harness.hostile`. It is measured against the same number of
requests of the same tenant that do nothing wrong, on a server of its own, one after the other.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from harness.hostile import A_SECOND, KINDS, Orders
from harness.served import Serve, Served
from holdfast import Holdfast

TESTS = Path(__file__).parents[1]
EVERY = 0.02
"""Seconds between two requests of the bystander: a person's console, not a benchmark."""


def hostile(server: Served, *, seconds: float, harmless: bool) -> subprocess.Popen[str]:
    orders = Orders(server.port, server.tokens["acme"], seconds, harmless)
    process = subprocess.Popen(
        [sys.executable, "-m", "harness.hostile"], cwd=TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(asdict(orders)) + "\n")
    process.stdin.flush()
    return process


def measured(server: Served, *, seconds: float, harmless: bool) -> tuple[list[float], dict[str, int]]:
    """How long each request of the other tenant took, in seconds; and what the attacker got."""
    took: list[float] = []
    with server.client("globex", timeout=20) as client:
        client.get("/v1/globex/data/entry?namespace=n&key=k")
        attacker = hostile(server, seconds=seconds, harmless=harmless)
        try:
            while attacker.poll() is None:
                began = time.perf_counter()
                answer = client.get("/v1/globex/data/entry?namespace=n&key=k")
                took.append(time.perf_counter() - began)
                assert answer.status_code == 200, answer.text
                time.sleep(EVERY)  # time itself: a load has a rate
            assert attacker.stdout is not None
            return took, json.loads(attacker.stdout.read())
        finally:
            attacker.kill()
            attacker.wait(timeout=30)
            for pipe in (attacker.stdin, attacker.stdout):
                if pipe is not None:
                    pipe.close()


def p95(took: list[float]) -> float:
    return statistics.quantiles(took, n=20)[-1]


async def fill(app: Holdfast) -> None:
    """Something that a slow reader can be slow about."""
    for number in range(40):
        async with app.tenant("acme") as hold:
            await hold.data.set("large", f"k{number}", "x" * 250_000)


async def test_a_few_seconds_of_hostile_load_fail_nobody(app: Holdfast, serve: Serve) -> None:
    await fill(app)
    server = serve()
    took, done = measured(server, seconds=5, harmless=False)
    assert len(took) > 20
    assert {kind for kind in KINDS if any(each.startswith(kind) for each in done)} == set(KINDS), done
    assert not [each for each in done if ": 5" in each], done
    assert p95(took) < 1


@pytest.mark.soak
@pytest.mark.timeout(600)
async def test_a_minute_of_hostile_load_doubles_nobodys_time(app: Holdfast, serve: Serve) -> None:
    await fill(app)
    harmless, sent = measured(serve(), seconds=60, harmless=True)
    beside, done = measured(serve(), seconds=60, harmless=False)
    figures = f"p95 {p95(beside) * 1000:.1f} ms beside it, {p95(harmless) * 1000:.1f} ms beside harmless requests"
    sys.stderr.write(f"\n{figures}; {len(beside)} and {len(harmless)} requests\nattack: {done}\nharmless: {sent}\n")
    assert sum(done.values()) == sum(sent.values()) == 60 * A_SECOND * len(KINDS)
    assert not [each for each in done if ": 5" in each], done
    assert p95(beside) <= 2 * p95(harmless), figures
