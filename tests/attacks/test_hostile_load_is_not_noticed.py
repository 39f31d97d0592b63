"""A tenant attacks with all it has: another's requests take at most twice as long as beside harmless ones.

The attacker is a process of its own, bound to one core: `harness.hostile`. It is measured against the same number of
requests of the same tenant that do nothing wrong, on a server of its own: half of them before the attack and half after
it. What else the machine does for some seconds is in one window of the many, and the window in the middle is compared.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from harness.hostile import A_SECOND, KINDS, Orders
from harness.served import Serve, Served
from holdfast import Holdfast

TESTS = Path(__file__).parents[1]
EVERY = 0.02
"""Seconds between two requests of the bystander: a person's console, not a benchmark."""
WINDOW = 5.0


def hostile(server: Served, *, seconds: float, harmless: bool) -> subprocess.Popen[str]:
    orders = Orders(server.port, server.tokens["acme"], seconds, harmless)
    process = subprocess.Popen(
        [sys.executable, "-m", "harness.hostile"], cwd=TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(asdict(orders)) + "\n")
    process.stdin.flush()
    return process


@dataclass(frozen=True, slots=True)
class Request:
    """One of the other tenant: when it was sent, since the attack began, and how long it took, in seconds."""

    at: float
    took: float


def measured(server: Served, *, seconds: float, harmless: bool) -> tuple[list[Request], Counter[str]]:
    """The requests of the other tenant; and what the attacker got."""
    took: list[Request] = []
    with server.client("globex", timeout=20) as client:
        client.get("/v1/globex/data/entry?namespace=n&key=k")
        attacker = hostile(server, seconds=seconds, harmless=harmless)
        start = time.perf_counter()
        try:
            while attacker.poll() is None:
                began = time.perf_counter()
                answer = client.get("/v1/globex/data/entry?namespace=n&key=k")
                took.append(Request(began - start, time.perf_counter() - began))
                assert answer.status_code == 200, answer.text
                time.sleep(EVERY)  # time itself: a load has a rate
            assert attacker.stdout is not None
            return took, Counter(json.loads(attacker.stdout.read()))
        finally:
            attacker.kill()
            attacker.wait(timeout=30)
            for pipe in (attacker.stdin, attacker.stdout):
                if pipe is not None:
                    pipe.close()


def p95(requests: list[Request]) -> float:
    return statistics.quantiles([each.took for each in requests], n=20)[-1]


def usual_p95(*measures: list[Request]) -> float:
    """The median of what windows of some seconds have."""
    windows: dict[tuple[int, int], list[Request]] = {}
    for number, requests in enumerate(measures):
        for each in requests:
            windows.setdefault((number, int(each.at / WINDOW)), []).append(each)
    return statistics.median(p95(window) for window in windows.values() if len(window) >= 20)


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
    with_care = serve()
    before, sent = measured(with_care, seconds=30, harmless=True)
    beside, done = measured(serve(), seconds=60, harmless=False)
    after, sent_after = measured(with_care, seconds=30, harmless=True)
    sent += sent_after
    usual, compared = usual_p95(beside), usual_p95(before, after)
    figures = f"p95 {usual * 1000:.1f} ms beside it, {compared * 1000:.1f} ms beside harmless requests"
    whole = f"over all {p95(beside) * 1000:.1f} ms and {p95(before + after) * 1000:.1f} ms"
    counts = f"{len(beside)} and {len(before + after)} requests, load {os.getloadavg()[0]:.1f}"
    sys.stderr.write(f"\n{figures}; {whole}; {counts}\nattack: {dict(done)}\nharmless: {dict(sent)}\n")
    assert done.total() == sent.total() == 60 * A_SECOND * len(KINDS)
    assert not [each for each in done if ": 5" in each], done
    assert usual <= 2 * compared, figures
