"""How each metric is measured: the same for every subject, with clock, waiting and counting outside of it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg

from bench._harness.process import AdapterError, Command, Worker, call
from bench._harness.protocol import STEPS, Job, Schema, clock_ms
from bench._harness.server import Server, database_name
from bench._runs.subjects import Subject

__all__ = ["METRICS", "Bed", "Sizes"]

_CALL_TIMEOUT = 180.0
_CLOSE_LOOK = 0.002
_GLANCE = 1.0
"""Seconds between two looks at the database: after the worker says it has handled all, and before."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much work each metric is; the bounds keep a slow subject from stopping the benchmark."""

    n: int = 20_000
    single: int = 2_000
    paced: int = 100
    workflows: int = 500
    window: float = 30.0
    """Seconds a drain may last, twice that for workflows; what is finished by then counts."""
    patience: float = 15.0
    """Seconds after the last paced run in which stragglers are awaited."""
    large: int = 200_000


class Bed:
    """One subject on the server: its template database, a fresh clone for every figure."""

    def __init__(self, server: Server, subject: Subject, command: Command, sizes: Sizes) -> None:
        self.server = server
        self.subject = subject
        self.command = command
        self.sizes = sizes
        self.cut = False
        """Whether a drain was ended by its window, with runs left."""
        self._template = database_name(subject.name, "template")
        self._database = database_name(subject.name, "now")
        answer = self._call(Job("setup", server.create(self._template)))
        self.schema = Schema(**answer)

    def measure(self, metric: str) -> dict[str, float]:
        """One round of one metric; a drain brings its resource figures along. Empty where it does not apply."""
        self.server.left_alone(self._template)
        dsn = self.server.create(self._database, self._template)
        try:
            return METRICS[metric](self, dsn)
        finally:
            self.server.drop(self._database)

    def single(self, dsn: str) -> dict[str, float]:
        n = min(self.sizes.single, self.sizes.n)
        self.server.settle(self._database)
        answer = self._call(Job("single", dsn, n))
        return {"single_enqueue_per_s": n / float(answer["seconds"])}

    def bulk(self, dsn: str) -> dict[str, float]:
        self.server.settle(self._database)
        answer = self._call(Job("bulk", dsn, self.sizes.n))
        if answer["seconds"] is None:
            return {}
        with psycopg.connect(dsn, autocommit=True) as connection:
            self._expect(self._count(connection, self.schema.unfinished), self.sizes.n, "enqueued")
        return {"bulk_enqueue_per_s": self.sizes.n / float(answer["seconds"])}

    def drain(self, dsn: str) -> dict[str, float]:
        return self._drained(Job("work", dsn, self.sizes.n)).figures("drain_per_s")

    def drain_large(self, dsn: str) -> dict[str, float]:
        done = self._drained(Job("work", dsn, self.sizes.large))
        return {"drain_large_per_s": done.per_s}

    def steps(self, dsn: str) -> dict[str, float]:
        if self.schema.steps is None:
            return {}
        workflows = min(self.sizes.workflows, self.sizes.n)
        return {"steps_per_s": self._drained(Job("work", dsn, workflows, kind="steps")).per_s * STEPS}

    def latency(self, dsn: str) -> dict[str, float]:
        if not self.subject.paced:
            return {}
        self.server.settle(self._database)
        spool = self.server.directory / f"{self._database}.latencies"
        spool.write_text("")
        pace = Job("pace", dsn, 3)
        with self._worker(Job("work", dsn, n=0, spool=str(spool))) as worker:
            worker.go()
            self._call(pace)
            self._spooled(worker, spool, pace.n, 30.0)
            warm = len(spool.read_text().splitlines())
            if warm < pace.n:
                raise AdapterError(f"the idle worker did not take a run in 30 s: {worker.last_words()}")
            # The worker goes to sleep again, whatever it sleeps on.
            time.sleep(1.0)
            spool.write_text("")
            sent = self._call(replace(pace, n=self.sizes.paced))["sent"]
            self._spooled(worker, spool, len(sent), self.sizes.patience)
            ended = clock_ms()
        seen = dict(line.split() for line in spool.read_text().splitlines())
        # A run not taken by the end has waited at least until then.
        waits = sorted(float(seen.get(str(i), ended - at)) for i, at in enumerate(sent))
        return {
            "idle_latency_p50_ms": statistics.median(waits),
            "idle_latency_p95_ms": waits[min(len(waits) - 1, int(len(waits) * 0.95))],
        }

    def _drained(self, job: Job) -> Drained:
        self._call(replace(job, action="fill"))
        self.server.left_alone(self._database)
        self.server.settle(self._database)
        with psycopg.connect(job.dsn, autocommit=True) as connection:
            self._expect(self._count(connection, self.schema.unfinished), job.n, "prefilled")
        self.server.left_alone(self._database)
        commits = self.server.commits(self._database)
        with self._worker(job) as worker, psycopg.connect(job.dsn, autocommit=True) as connection:
            wal, cpu = self.server.wal_bytes(), worker.cpu_seconds()
            start = time.perf_counter()
            worker.go()
            window = self.sizes.window * (2 if job.kind == "steps" else 1)
            looks, left, seconds = self._await_empty(worker, connection, start, window)
            wal, cpu = self.server.wal_bytes() - wal, worker.cpu_seconds() - cpu
            done = job.n - left
            self.cut = self.cut or left > 0
            if done == 0:
                raise AdapterError(f"no run was finished in {seconds:.0f} s: {worker.last_words()}")
            if self.schema.succeeded is not None and left == 0:
                looks += 1
                self._expect(self._count(connection, self.schema.succeeded), job.n, "succeeded")
            if job.kind == "steps" and self.schema.steps is not None:
                looks += 1
                # Workflows cut short by the window have stored some of theirs: at least those of the finished ones.
                stored = self._count(connection, self.schema.steps)
                if stored < done * STEPS or (left == 0 and stored != done * STEPS):
                    raise AdapterError(f"{stored} steps are stored for {done} finished workflows of {STEPS}")
        self.server.left_alone(self._database)
        commits = self.server.commits(self._database) - commits - looks
        return Drained(done, seconds, wal, max(0, commits), cpu)

    def _await_empty(
        self, worker: Worker, connection: psycopg.Connection[Any], start: float, window: float
    ) -> tuple[int, int, float]:
        """How often we looked, how many runs are left, and after how many seconds."""
        looks, cost = 0, 0.0
        while True:
            # A look must not become part of what is measured: an expensive one is taken less often.
            remaining = start + window - time.perf_counter()
            if worker.saw("handled", wait=max(0.0, min(remaining, max(_GLANCE, 30 * cost)))):
                time.sleep(_CLOSE_LOOK)
            looked = time.perf_counter()
            left = self._count(connection, self.schema.unfinished)
            seconds = time.perf_counter() - start
            cost = seconds - (looked - start)
            looks += 1
            if left == 0 or seconds > window:
                return looks, left, seconds

    def _spooled(self, worker: Worker, spool: Path, count: int, patience: float) -> None:
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline and spool.read_text().count("\n") < count:
            worker.saw("never", wait=0.05)

    def _worker(self, job: Job) -> Worker:
        return Worker(self.command, replace(job, fast=self.subject.fast))

    def _call(self, job: Job) -> dict[str, Any]:
        return call(self.command, replace(job, fast=self.subject.fast), _CALL_TIMEOUT)

    def _count(self, connection: psycopg.Connection[Any], query: str) -> int:
        row = connection.execute(query.encode()).fetchone()
        return 0 if row is None else int(row[0])

    def _expect(self, found: int, wanted: int, what: str) -> None:
        if found != wanted:
            raise AdapterError(f"{found} of {wanted} runs {what}: the figure would be wrong")


@dataclass(frozen=True, slots=True)
class Drained:
    """What one drain took."""

    runs: int
    seconds: float
    wal_bytes: int
    commits: int
    cpu_seconds: float

    @property
    def per_s(self) -> float:
        return self.runs / self.seconds

    def figures(self, metric: str) -> dict[str, float]:
        return {
            metric: self.per_s,
            "wal_bytes_per_run": self.wal_bytes / self.runs,
            "commits_per_run": self.commits / self.runs,
            "cpu_us_per_run": self.cpu_seconds * 1e6 / self.runs,
        }


METRICS: dict[str, Callable[[Bed, str], dict[str, float]]] = {
    "single_enqueue_per_s": Bed.single,
    "bulk_enqueue_per_s": Bed.bulk,
    "drain_per_s": Bed.drain,
    "drain_large_per_s": Bed.drain_large,
    "idle_latency": Bed.latency,
    "steps_per_s": Bed.steps,
}
"""By the name used on the command line; `drain_large_per_s` only when asked for."""
