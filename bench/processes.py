"""Processes side by side: the same invoice, approved by two people, on one Postgres, in interleaved rounds.

    python -m bench.processes --peers spiffworkflow,dbos --n 200 --rounds 3

`approvals_per_s` is what a user gets, end to end: four people's calls at once decide on invoices in one shuffled order,
and the clock runs from the first call until the last process is at its end. For holdfast one engine worker, in the same
Python process as the callers, takes the processes there; for SpiffWorkflow, which has no worker, every call loads, runs
and saves the workflow itself, in four threads of one Python process. holdfast's calls also check who decides and what
about, and keep an audit trail; SpiffWorkflow's program does none of that.

`bulk_approvals_per_s` is the same when everybody decides on a hundred requests in a call, which SpiffWorkflow has not.
`long_approvals_per_s` is another shape: sixty nodes, twelve approvals one after the other.

`advance_p95_ms` is what one of four people who submit at once waits, from BEGIN to COMMIT: condition, split, two
questions asked. `steps_per_s` counts durable steps taken in a row, by one worker. pgbench is the limit: the bare
statements of one step, one transaction each, and of one approval. Every program warms up first, and tables have
statistics. A subject that cannot be installed or fails is named under the table. `docs/benchmarks.md` describes the
method.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from bench._harness.options import Parser
from bench._harness.peers import PEERS, InstallError, installed
from bench._harness.results import Column, Figures, table
from bench._harness.server import Server, database_name, started

HERE = Path(__file__).parent / "_processes"
COLUMNS = [
    Column("probe_commits_per_s", "probe/s"),
    Column("steps_per_s", "steps/s"),
    Column("approvals_per_s", "approvals/s"),
    Column("bulk_approvals_per_s", "in bulk/s"),
    Column("long_approvals_per_s", "60 nodes: approvals/s"),
    Column("advance_p95_ms", "advance p95 ms", 1),
]
SUBJECTS = {
    "holdfast": ("ours.py", None),
    "pgbench": ("pgbench.py", None),
    "spiffworkflow": ("spiff.py", "spiffworkflow"),
    "dbos": ("dbos_steps.py", "dbos"),
}
KNOWN_PEERS = tuple(SUBJECTS)


def main() -> None:
    """Measure, print one table, write one line a figure."""
    parser = Parser(
        "bench.processes",
        "Processes side by side.",
        peers="comma-separated; default all; none for none",
        n="invoices, default 200",
        rounds="rounds, default 3",
    )
    parser.add_argument("--postgres", default="", help="major version: 15 (Debian's) or 18 (embedded)")
    found = parser.parse_args()
    named = parser.peers(found.peers, KNOWN_PEERS)
    subjects = [name for name in SUBJECTS if not named or name in ("holdfast", "pgbench", *named)]
    n, rounds = parser.number("N", found.n, 200), parser.number("ROUNDS", found.rounds, 3)
    postgres = parser.postgres(found.postgres)
    figures = Figures("processes")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    began = time.monotonic()
    with started(postgres) as server:
        os.environ["BENCH_PGBENCH"] = str(server.binaries / "pgbench")
        for turn in range(1, rounds + 1):
            for name in subjects:
                _measure(server, name, n, turn, figures)
        version = server.version
    print()
    print(table(figures, subjects, COLUMNS, base="holdfast"))
    print(
        f"\nMedian of {rounds} rounds. {n} invoices. Postgres {version}, {(time.monotonic() - began) / 60:.1f} minutes."
    )
    for (subject, _), reason in figures.troubles.items():
        print(f"failed: {subject}: {reason}")


def _measure(server: Server, name: str, n: int, turn: int, figures: Figures) -> None:
    program, peer = SUBJECTS[name]
    try:
        python = [sys.executable] if peer is None else installed(PEERS[peer])
        dsn = server.create(database_name(name, "processes"))
        figures.add(name, "probe_commits_per_s", server.durable_commits_per_s(), turn)
        line = [*python, str(HERE / program), dsn, str(n)]
        done = subprocess.run(line, capture_output=True, text=True, timeout=1800, check=False, cwd=HERE.parents[1])
        server.drop(database_name(name, "processes"))
        if done.returncode != 0:
            raise InstallError(" ".join(done.stderr.strip().splitlines()[-1:])[:300])
    except (InstallError, subprocess.TimeoutExpired) as error:
        figures.trouble(name, "", str(error))
        print(f"round {turn} {name}: {error}", file=sys.stderr, flush=True)
        return
    for metric, value in json.loads(done.stdout.strip().splitlines()[-1]).items():
        figures.add(name, metric, value, turn)
        print(f"round {turn} {name}: {metric} {value:,.1f}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
