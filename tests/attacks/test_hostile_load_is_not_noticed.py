"""A tenant attacks with all it has: another's requests take at most twice as long as beside harmless ones.

The attacker is a process of its own, bound to one core: `harness.hostile`. It is measured against the same number of
requests of the same tenant that do nothing wrong, on a server of its own. The two take turns, so that whatever else the
machine does for some seconds is in both; and all requests of one kind are compared with all of the other, so that a
standstill is seen wherever in the minute it is.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest

from harness.hostile import A_SECOND, KINDS, NO_CONNECTION, Orders
from harness.served import Serve, Served
from holdfast import Holdfast

TESTS = Path(__file__).parents[1]
EVERY = 0.05
"""Seconds between two requests of the bystander: a person's console, not a benchmark."""
ROUNDS = 4
"""Turns of each kind, a quarter of a minute each."""


def hostile(server: Served, *, seconds: float, harmless: bool) -> subprocess.Popen[str]:
    orders = Orders(server.port, server.tokens["acme"], seconds, harmless)
    process = subprocess.Popen(
        [sys.executable, "-m", "harness.hostile"], cwd=TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(asdict(orders)) + "\n")
    process.stdin.flush()
    return process


def measured(server: Served, *, seconds: float, harmless: bool) -> tuple[list[float], Counter[str]]:
    """How long the requests of the other tenant took, in seconds; and what the attacker got.

    Each counts from when it was to be sent: one that was held up holds up those behind it, as it would a person's.
    """
    took: list[float] = []
    with server.client("globex", timeout=20) as client:
        client.get("/v1/globex/data/entry?namespace=n&key=k")
        attacker = hostile(server, seconds=seconds, harmless=harmless)
        try:
            due = time.perf_counter()
            while attacker.poll() is None:
                answer = client.get("/v1/globex/data/entry?namespace=n&key=k")
                took.append(time.perf_counter() - due)
                assert answer.status_code == 200, answer.text
                due += EVERY
                time.sleep(max(0.0, due - time.perf_counter()))  # time itself: a load has a rate
            assert attacker.stdout is not None
            return took, Counter(json.loads(attacker.stdout.read()))
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
    servers = {True: serve(), False: serve()}
    took: dict[bool, list[float]] = {True: [], False: []}
    sent: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for turn in range(2 * ROUNDS):
        harmless = turn % 4 in (0, 3)  # first and last alike, whichever way the machine drifts
        found, ends = measured(servers[harmless], seconds=60 / ROUNDS, harmless=harmless)
        took[harmless] += found
        sent[harmless] += ends
    beside, compared = p95(took[False]), p95(took[True])
    figures = f"p95 {beside * 1000:.1f} ms beside it, {compared * 1000:.1f} ms beside harmless requests"
    middle = (
        f"in the middle {statistics.median(took[False]) * 1000:.1f} and {statistics.median(took[True]) * 1000:.1f} ms"
    )
    counts = f"{len(took[False])} and {len(took[True])} requests, load {os.getloadavg()[0]:.1f}"
    sys.stderr.write(f"\n{figures}; {middle}; {counts}\nattack: {dict(sent[False])}\nharmless: {dict(sent[True])}\n")
    for ends in sent.values():
        assert ends.total() == 60 * A_SECOND * len(KINDS)
        unsent = sum(count for end, count in ends.items() if NO_CONNECTION in end)
        assert unsent < ends.total() / 20, ends
        assert not [each for each in ends if ": 5" in each], ends
    assert beside <= 2 * compared, figures
