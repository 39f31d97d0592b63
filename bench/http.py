"""What a request costs over the call it makes: enqueue a run, decide on an approval, read a key.

    python -m bench.http --n 2000 --rounds 3

Eight clients (httpx, in a process of their own) send to one server; beside them the same calls in process, eight at a
time, and a bare FastAPI route that does nothing but read such a request and answer. Together the bare route and the
call allow 1 / (1 / bare + 1 / call) requests a second; `share` is how much of that ours are.

| subject | what one operation is |
|---|---|
| `http` | a request: signed in by its token, one transaction of its tenant, committed before it is answered |
| `call` | the same as `async with app.tenant(…, actor=…) as hold` in a program |
| `bare` | FastAPI and uvicorn with a route of as many fields, without a database, without signing in |

Prints one table and writes `bench/results/http.jsonl`, one line a figure.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench._harness.options import Parser
from bench._harness.results import Column, Figures, table
from bench._harness.server import Server, database_name, started
from bench._processes.ours import invoices, prepare, submits
from holdfast import Holdfast

KNOWN_PEERS = ()
OPERATIONS = ("enqueue", "decide", "get")
COLUMNS = [Column(f"{name}_per_s", f"{name}/s", 0) for name in OPERATIONS]
SHARES = [Column(f"{name}_share", f"{name} share", 2) for name in OPERATIONS]


def main() -> None:
    """Measure, print one table, write one line a figure."""
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    figures = Figures("http")
    began = time.monotonic()
    with started(options.postgres) as server:
        _measure(server, options, figures)
        postgres = server.version
    print()
    print(table(figures, ["http", "call", "bare"], COLUMNS, base="call"))
    print()
    for name in OPERATIONS:
        http, call = (figures.median(each, f"{name}_per_s") or 0 for each in ("http", "call"))
        share = figures.median("http", f"{name}_share") or 0
        over = (8 / http - 8 / call) * 1e3 if http and call else 0
        told = f"{share:.2f} of what the bare route and the call allow"
        print(f"{name}: {told}; {over:.2f} ms more than the call, of 8 at once")
    print(
        f"\n{datetime.now(UTC):%Y-%m-%d}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"Postgres {postgres}, Python {platform.python_version()}; {time.monotonic() - began:.0f} s."
    )
    print(figures.path.relative_to(Path(__file__).parents[1]))


def _measure(server: Server, options: argparse.Namespace, figures: Figures) -> None:
    dsn = server.create(database_name("holdfast", "http"))
    tokens = asyncio.run(_prepared(dsn))
    for turn in range(1, options.rounds + 1):
        for name in OPERATIONS:
            rates: dict[str, float] = {}
            for subject in ("bare", "call", "http"):
                decided = name == "decide" and subject != "bare"
                work = asyncio.run(_asked(dsn, options.n)) if decided else _numbers(name, options.n)
                rates[subject] = _rate(dsn, subject, name, work, tokens)
                figures.add(subject, f"{name}_per_s", rates[subject], turn)
            allowed = 1 / (1 / rates["bare"] + 1 / rates["call"])
            figures.add("http", f"{name}_share", rates["http"] / allowed, turn)
        print(f"round {turn}", file=sys.stderr, flush=True)


async def _prepared(dsn: str) -> dict[str, str]:
    """The tenant with its process, a hundred keys, and a token for each who acts."""
    async with Holdfast(dsn=dsn, migrate="always") as app:
        await prepare(app)
        async with app.tenant("acme") as hold:
            for n in range(100):
                await hold.data.set("bench", f"k{n}", {"seen": 12})
            return {name: (await hold.tokens.create(name, "bench")).secret for name in ("ana", "ben", "eva")}


async def _asked(dsn: str, n: int) -> list[list[str]]:
    """Requests that are open, each with who is asked; two of each invoice."""
    from bench._processes.ours import equip

    async with Holdfast(dsn=dsn, migrate="never") as app:
        equip(app)
        made = await invoices(app, (n + 1) // 2)
        await submits(app, made)
        async with app.tenant("acme") as hold:
            cursor = await hold.connection.execute(
                "SELECT r.id::text, substr(a.principal, 6) FROM holdfast.approval_requests r "
                "JOIN holdfast.approval_assignees a ON a.tenant = r.tenant AND a.request_id = r.id "
                "WHERE r.instance_id = ANY (%s) AND a.is_open",
                [[instance for instance, _ in made]],
            )
            return [list(row) for row in await cursor.fetchall()][:n]


def _numbers(name: str, n: int) -> list[Any]:
    return [["x", "ana"] for _ in range(n)] if name == "decide" else list(range(n))


def _rate(dsn: str, subject: str, name: str, work: list[Any], tokens: dict[str, str]) -> float:
    order = {"work": work, "tokens": tokens if subject == "http" else {}}
    if subject == "call":
        return _run(["call", dsn, name], order)
    with _serving(["serve", dsn] if subject == "http" else ["bare"]) as port:
        return _run(["drive", f"http://127.0.0.1:{port}", name], order)


@contextmanager
def _serving(role: list[str]) -> Iterator[int]:
    with subprocess.Popen(_command(role), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()
            process.wait(timeout=30)


def _run(role: list[str], order: dict[str, Any]) -> float:
    done = subprocess.run(_command(role), input=json.dumps(order) + "\n", capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return float(done.stdout)


def _command(role: list[str]) -> list[str]:
    return [sys.executable, "-m", "bench._http.roles", *role]


def _options() -> argparse.Namespace:
    parser = Parser(
        "bench.http",
        "What a request costs over the call it makes.",
        peers="not used",
        n="requests of each kind in a round, default 1000",
        rounds="rounds, default 3",
    )
    parser.add_argument("--postgres", default="", help="major version: 15 (Debian's) or 18 (embedded)")
    options = parser.parse_args()
    options.peers = parser.peers(options.peers, KNOWN_PEERS)
    options.n = parser.number("N", options.n, 1000, least=100)
    options.rounds = parser.number("ROUNDS", options.rounds, 3)
    options.postgres = parser.postgres(options.postgres)
    return options


if __name__ == "__main__":
    main()
