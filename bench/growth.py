"""Does the queue stay as quick as it was? A drain of an empty table beside one with millions of rows around it.

    python -m bench.growth --n 20000 --rounds 3

One worker process drains n no-op runs: from a table that holds nothing else, beside two million finished runs, and from
the head of a backlog of one million pending ones. Then all of that million, and all of it while somebody's transaction
stays open. Prints one table and writes `bench/results/growth.jsonl`.
"""

from __future__ import annotations

import signal
import sys
import time

import psycopg

from bench._harness.options import Parser
from bench._harness.process import Command, Worker, call
from bench._harness.protocol import Job
from bench._harness.results import Column, Figures, table
from bench._harness.server import Server, default_version, started
from bench._runs.subjects import ROOT

KNOWN_PEERS: tuple[str, ...] = ()  # this measures holdfast against itself
FINISHED = 2_000_000
PENDING = 1_000_000
COMMAND = Command([sys.executable, "-m", "bench._runs.holdfast"], ROOT)
DONE = b"SELECT count(*) FROM holdfast.workflow_run_done WHERE finished_at > now() - interval '1 hour'"

FILL_FINISHED = f"""
    INSERT INTO holdfast.workflow_run_done
      (tenant, id, type, status, priority, payload, attempt, max_attempts, run_at, lease_epoch, created_by, created_at,
       updated_at, finished_at)
    SELECT t.tenant, gen_random_uuid(), 'bench.noop.v1', 'succeeded', 0, '{{"i": 1}}', 1, 3, now(), 1, 'bench', now(),
           now(), now() - interval '1 day' - n * interval '1 s'
    FROM holdfast.tenants t, generate_series(1, {FINISHED}) n""".encode()
TEMPLATES = {"empty": "empty", "finished": "finished", "pending": "pending", "all": "pending", "read": "pending"}
"""What each subject drains, and what it starts from."""


def main() -> None:
    """Measure, print one table, write one line a figure."""
    parser = Parser(
        "bench.growth", "A drain beside millions of rows.", n="runs a drain, default 20000", rounds="rounds, default 3"
    )
    found = parser.parse_args()
    n, rounds = parser.number("N", found.n, 20_000), parser.number("ROUNDS", found.rounds, 3)
    parser.peers(found.peers, KNOWN_PEERS)
    figures = Figures("growth")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    with started(default_version()) as server:
        call(COMMAND, Job("setup", server.create("template_empty")), 60)
        for name in ("finished", "pending"):
            server.left_alone("template_empty")
            _fill(server, name)
        for turn in range(1, rounds + 1):
            for name in TEMPLATES:
                rate = _drain(server, name, n)
                figures.add(name, "drain_per_s", rate, turn)
                print(f"round {turn} {name}: drain_per_s {rate:,.0f}", file=sys.stderr, flush=True)
    print(table(figures, list(TEMPLATES), [Column("drain_per_s", "drain/s")], base="empty"))
    print(
        f"\nn = {n}; finished: beside {FINISHED:,} finished runs; pending: with {PENDING:,} more waiting behind; "
        "all: all of those; read: all of those while a transaction stays open that is older."
    )


def _fill(server: Server, name: str) -> None:
    dsn = server.create(f"template_{name}", "template_empty")
    if name == "pending":
        call(COMMAND, Job("fill", dsn, PENDING), 300)
    with psycopg.connect(dsn, autocommit=True) as connection:
        if name == "finished":
            connection.execute(FILL_FINISHED)
        connection.execute("VACUUM ANALYZE")


def _drain(server: Server, name: str, n: int) -> float:
    template = f"template_{TEMPLATES[name]}"
    server.left_alone(template)
    dsn = server.create("growth_now", template)
    if TEMPLATES[name] != "pending":
        call(COMMAND, Job("fill", dsn, n), 120)
    elif name != "pending":
        n = PENDING
    server.left_alone("growth_now")
    server.settle("growth_now")
    with (
        Worker(COMMAND, Job("work", dsn, n)) as worker,
        psycopg.connect(dsn, autocommit=True) as connection,
        psycopg.connect(dsn) as reader,
    ):
        if name == "read":
            # As long as it reads, nothing of what is finished meanwhile can be cleaned up.
            reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            reader.execute("SELECT count(*) FROM holdfast.tenants")
        start = time.perf_counter()
        worker.go()
        if not worker.saw("handled", wait=120):
            raise SystemExit(f"{name}: {n} runs were not handled within two minutes: {worker.last_words()}")
        while True:
            # The last ones are handled, but perhaps not settled yet. From a backlog, more than n may be by then.
            row = connection.execute(DONE).fetchone()
            seconds = time.perf_counter() - start
            if row is not None and row[0] >= n:
                return float(row[0]) / seconds
            time.sleep(0.002)


if __name__ == "__main__":
    main()
