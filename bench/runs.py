"""Run queues side by side: the same work on one Postgres, in interleaved rounds, with a bare pgbench as the limit.

    python -m bench.runs --peers pgqueuer,graphile-worker --n 20000 --rounds 3

Every subject runs in its own environment (installed on first use), in its default and its fastest documented
configuration, with full durability; `docs/benchmarks.md` describes the method. A subject that cannot be installed or
fails is named under the table and stops nobody else. Prints one table and writes `bench/results/runs.jsonl`, one line a
figure.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import signal
import sys
import time
from collections import deque
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from bench._harness.options import Parser, listed
from bench._harness.peers import InstallError
from bench._harness.process import AdapterError
from bench._harness.results import Column, Figures, table
from bench._harness.server import Server, started
from bench._runs.measure import METRICS, Bed, Sizes
from bench._runs.subjects import KNOWN as KNOWN_PEERS
from bench._runs.subjects import Subject, chosen

COLUMNS = [
    Column("probe_commits_per_s", "probe/s"),
    Column("single_enqueue_per_s", "single enqueue/s"),
    Column("bulk_enqueue_per_s", "bulk enqueue/s"),
    Column("drain_per_s", "drain/s"),
    Column("drain_large_per_s", "large drain/s"),
    Column("idle_latency_p50_ms", "p50 ms", 2),
    Column("idle_latency_p95_ms", "p95 ms", 2),
    Column("steps_per_s", "steps/s"),
    Column("wal_bytes_per_run", "WAL B/run"),
    Column("commits_per_run", "commits/run", 3),
    Column("cpu_us_per_run", "CPU µs/run"),
]
QUICK = Sizes(n=2_000, single=500, paced=40, workflows=100, window=15.0, patience=5.0, large=20_000)


@dataclass(frozen=True, slots=True)
class Options:
    """The command line, understood."""

    subjects: list[Subject]
    metrics: list[str]
    sizes: Sizes
    rounds: int
    postgres: int


def main() -> None:
    """Measure, print one table, write one line a figure."""
    options = _options()
    figures = Figures("runs")
    began = time.monotonic()
    # A server and workers must not outlive us: an ordinary exit runs every `finally`.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    with started(options.postgres) as server:
        os.environ["BENCH_PGBENCH"] = str(server.binaries / "pgbench")
        beds = {subject.name: bed for subject in options.subjects if (bed := _bed(server, subject, options, figures))}
        versions = {bed.subject.product: bed.schema.version for bed in beds.values()}
        order = deque(beds.values())
        for turn in range(1, options.rounds + 1):
            for bed in order:
                _round(bed, options, figures, turn)
            # The next round begins with another subject: whatever the first one meets, it is not always the same.
            order.rotate(-1)
        postgres = server.version
    columns = [c for c in COLUMNS if any(metric == c.metric for _, metric in (*figures.values, *figures.troubles))]
    print()
    print(table(figures, [subject.name for subject in options.subjects], columns, base="holdfast"))
    print(f"\nMedian of {options.rounds} rounds ±half the spread, and the ratio to holdfast. n = {options.sizes.n}.")
    print(_surroundings(postgres, versions, time.monotonic() - began))
    if forgetful := [name for name, bed in beds.items() if bed.schema.succeeded is None]:
        print(f"Finished runs are not kept by {', '.join(forgetful)}.")
    if cut := [name for name, bed in beds.items() if bed.cut]:
        print(f"Ended by the window of {options.sizes.window:.0f} s with runs left: {', '.join(cut)}.")
    for subject, reason in dict.fromkeys((subject, reason) for (subject, _), reason in figures.troubles.items()):
        print(f"failed: {subject}: {reason}")
    print(figures.path.relative_to(Path(__file__).parents[1]))


def _bed(server: Server, subject: Subject, options: Options, figures: Figures) -> Bed | None:
    try:
        if importlib.util.find_spec("bench._runs.holdfast") is None and subject.product == "holdfast":
            raise InstallError("there is no adapter for it")
        return Bed(server, subject, subject.command(), options.sizes)
    except (InstallError, AdapterError, psycopg.Error, OSError) as error:
        _tell(f"{subject.name}: not measured: {error}")
        figures.trouble(subject.name, "", str(error))
        return None


def _round(bed: Bed, options: Options, figures: Figures, turn: int) -> None:
    """One subject's part of a round: the probe, then every metric in its own fresh database."""
    name = bed.subject.name
    probe = bed.server.durable_commits_per_s()
    figures.add(name, "probe_commits_per_s", probe, turn)
    _tell(f"round {turn} {name}: probe {probe:,.0f} durable commits/s")
    for metric in options.metrics:
        try:
            found = bed.measure(metric)
        except (AdapterError, psycopg.Error, OSError) as error:
            _tell(f"round {turn} {name}: {metric} failed: {error}")
            for column in COLUMNS:
                if column.metric.startswith(metric) or (metric == "drain_per_s" and column.metric.endswith("_per_run")):
                    figures.trouble(name, column.metric, str(error))
            continue
        for key, value in found.items():
            figures.add(name, key, value, turn)
        if found:
            _tell(f"round {turn} {name}: " + ", ".join(f"{key} {value:,.2f}" for key, value in found.items()))


def _options() -> Options:
    parser = Parser(
        "bench.runs",
        "Run queues side by side.",
        peers="comma-separated products or subjects; default all; none for none",
        n="runs a drain, default 20000",
        rounds="rounds, default 3",
    )
    parser.add_argument(
        "--metrics", default="", help=f"comma-separated, of {', '.join(METRICS)}; default all but large"
    )
    parser.add_argument("--large", action="store_true", help="also drain 200000 runs")
    parser.add_argument("--quick", action="store_true", help="small sizes and one round: does everything work?")
    parser.add_argument("--alone", action="store_true", help="only the named peers, without holdfast and pgbench")
    parser.add_argument("--postgres", default="", help="major version: 15 (Debian's) or 18 (embedded)")
    found = parser.parse_args()
    metrics = listed(found.metrics) or [metric for metric in METRICS if metric != "drain_large_per_s"]
    if found.large and "drain_large_per_s" not in metrics:
        metrics.append("drain_large_per_s")
    if unknown := [metric for metric in metrics if metric not in METRICS]:
        parser.error(f"unknown metric {', '.join(unknown)}: choose from {', '.join(METRICS)}")
    sizes = QUICK if found.quick else Sizes()
    sizes = replace(sizes, n=parser.number("N", found.n, sizes.n))
    rounds = parser.number("ROUNDS", found.rounds, 1 if found.quick else 3)
    postgres = parser.postgres(found.postgres)
    names = parser.peers(found.peers, KNOWN_PEERS)
    subjects = chosen([] if names == ["none"] else names, found.alone)
    if names == ["none"]:
        subjects = [subject for subject in subjects if subject.product in ("holdfast", "pgbench")]
    return Options(subjects, metrics, sizes, rounds, postgres)


def _surroundings(postgres: str, versions: dict[str, str], seconds: float) -> str:
    cores = os.cpu_count()
    peers = ", ".join(f"{product} {version}" for product, version in versions.items())
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.system()} {platform.machine()}, {cores} cores, Postgres {postgres}, "
        f"Python {platform.python_version()}; {peers}; {seconds / 60:.1f} minutes."
    )


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
