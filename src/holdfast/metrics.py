"""Figures for Prometheus: what this process did, and how its queues and all other unfinished work stand.

What is counted while runs are executed must cost next to nothing, so it is kept in plain numbers that one thread
writes, without locks, and only becomes metrics when somebody asks. How the queue stands is asked of Postgres then, at
most every few seconds, at a cost that does not grow with the backlog. The number of series is bounded: beyond so many
types, the rest are called `other`. An unreachable database is a figure (`holdfast_database_up 0`), not a failure.
"""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import psycopg
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from psycopg.rows import dict_row

from holdfast.errors import HoldfastError
from holdfast.kernel.clock import Clock
from holdfast.kernel.counts import COUNTS
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries

__all__ = ["CONTENT_TYPE", "WORK", "HttpMetrics", "Metrics", "RunMetrics", "ScheduleMetrics"]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SQL = queries("metrics")
_MOST_TYPES = 200
_COUNT_CAP = 100_000
_FRESH_SECONDS = 5.0
_OTHER = "other"
WORK = (
    *(("engine", "pending"), ("engine", "processing"), ("engine", "unknown_code"), ("engine", "dead")),
    *(("effects", "pending"), ("effects", "processing"), ("effects", "dead")),
    *(("approvals", "open"), ("approvals", "overdue"), ("processes", "running"), ("processes", "paused")),
    *(("sessions", "pending"), ("sessions", "running"), ("sessions", "waiting_for_input")),
)
"""Kinds of work, and the states it is told in."""
_METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
_DURATIONS = (0.001, 0.005, 0.025, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1800.0)
_LAGS = (0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 600.0)


class _Tally:
    """A histogram of one label: plain numbers, no lock."""

    __slots__ = ("bounds", "buckets", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.buckets = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        self.buckets[bisect_left(self.bounds, value)] += 1
        self.total += value

    def cumulated(self) -> list[tuple[str, float]]:
        told: list[tuple[str, float]] = []
        so_far = 0
        for bound, count in zip((*map(str, self.bounds), "+Inf"), list(self.buckets), strict=True):
            so_far += count
            told.append((bound, float(so_far)))
        return told


class _Types:
    """Types as labels: the first so many by name, the rest as one."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def label(self, type: str) -> str:  # noqa: A002 - it is the type
        known = self._known.get(type)
        if known is None:
            if len(self._known) >= _MOST_TYPES:
                return _OTHER
            known = self._known[type] = type
        return known


class RunMetrics:
    """What the workers of this process did. Called from the event loop's thread only."""

    def __init__(self) -> None:
        self._types = _Types()
        self._claimed: Counter[str] = Counter()
        self._finished: Counter[tuple[str, str]] = Counter()
        self._durations: dict[str, _Tally] = {}
        self._lost: Counter[str] = Counter()
        self._blocked_times = 0
        self._blocked_seconds = 0.0
        self._slots = 0
        self._executing = 0

    def claimed(self, type: str, n: int = 1) -> None:  # noqa: A002 - it is the type
        """Some runs of a type were claimed."""
        self._claimed[self._types.label(type)] += n

    def finished(self, type: str, outcome: str, seconds: float) -> None:  # noqa: A002 - it is the type
        """An attempt is over: `succeeded`, `failed`, `retried`, `snoozed`, `slept`, `released`, `cancelled`."""
        label = self._types.label(type)
        self._finished[label, outcome] += 1
        tally = self._durations.get(label)
        if tally is None:
            tally = self._durations[label] = _Tally(_DURATIONS)
        tally.add(seconds)

    def lease_lost(self, type: str) -> None:  # noqa: A002 - it is the type
        """A run was no longer ours when it finished, or at a heartbeat."""
        self._lost[self._types.label(type)] += 1

    def loop_blocked(self, seconds: float) -> None:
        """The event loop did not turn for a while. From any thread: each caller is alone in its own."""
        self._blocked_times += 1
        self._blocked_seconds += seconds

    def occupied(self, executing: int, slots: int) -> None:
        """How many of the slots of this process are in use."""
        self._executing, self._slots = executing, slots

    def collect(self) -> Iterator[Metric]:
        """The figures as Prometheus wants them."""
        claimed = CounterMetricFamily("holdfast_runs_claimed", "Runs claimed by this process.", labels=["type"])
        for kind, count in self._claimed.copy().items():
            claimed.add_metric([kind], count)
        finished = CounterMetricFamily(
            "holdfast_runs_finished", "Attempts that are over, by what became of them.", labels=["type", "outcome"]
        )
        for labels, count in self._finished.copy().items():
            finished.add_metric(labels, count)
        lost = CounterMetricFamily(
            "holdfast_leases_lost", "Runs that were taken over or cancelled while held here.", labels=["type"]
        )
        for kind, count in self._lost.copy().items():
            lost.add_metric([kind], count)
        yield claimed
        yield finished
        yield _histogram("holdfast_run_duration_seconds", "How long attempts took.", self._durations)
        yield lost
        yield CounterMetricFamily(
            "holdfast_event_loop_blocked", "Times the event loop did not turn for a second.", value=self._blocked_times
        )
        yield CounterMetricFamily(
            "holdfast_event_loop_blocked_seconds", "Seconds for which it did not.", value=self._blocked_seconds
        )
        slots = GaugeMetricFamily("holdfast_worker_slots", "Runs executed at a time, and at most.", labels=["state"])
        slots.add_metric(["executing"], self._executing)
        slots.add_metric(["total"], self._slots)
        yield slots


class ScheduleMetrics:
    """What the scheduler of this process fired, and how late."""

    def __init__(self) -> None:
        self._types = _Types()
        self._lags: dict[str, _Tally] = {}

    def fired(self, type: str, lag: float) -> None:  # noqa: A002 - it is the type
        """A schedule fired, so many seconds after its time."""
        label = self._types.label(type)
        tally = self._lags.get(label)
        if tally is None:
            tally = self._lags[label] = _Tally(_LAGS)
        tally.add(lag)

    def collect(self) -> Iterator[Metric]:
        """The figures as Prometheus wants them."""
        yield _histogram("holdfast_schedule_lag_seconds", "How late schedules fired.", self._lags)


class HttpMetrics:
    """What the server of this process answered, and whom it told to wait."""

    def __init__(self) -> None:
        self._answered: Counter[tuple[str, str]] = Counter()
        self._refused: Counter[str] = Counter()

    def answered(self, method: str, status: int) -> None:
        """A request was answered."""
        self._answered[method if method in _METHODS else _OTHER, f"{status // 100}xx"] += 1

    def refused(self, code: str) -> None:
        """Somebody was told to wait, by a limit."""
        self._refused[code] += 1

    def collect(self) -> Iterator[Metric]:
        """The figures as Prometheus wants them."""
        answered = CounterMetricFamily("holdfast_http_requests", "Requests answered.", labels=["method", "status"])
        for labels, count in sorted(self._answered.copy().items()):
            answered.add_metric(labels, count)
        yield answered
        refused = CounterMetricFamily(
            "holdfast_http_limited", "Requests answered 429, by the limit that was reached.", labels=["limit"]
        )
        for code in sorted({"rate_limited", "share_used_up", "sign_in_limited", *self._refused}):
            refused.add_metric([code], self._refused[code])
        yield refused


class _Standing(NamedTuple):
    """How the installation stands, as Postgres told it last."""

    depths: list[dict[str, Any]]
    outbox: list[dict[str, Any]]
    schedule_delay: float | None
    work: list[dict[str, Any]]
    pool: dict[str, int]
    up: bool


class Metrics(Collector):
    """All figures of one process."""

    def __init__(self, *, tenant_label: bool = False) -> None:
        self.runs = RunMetrics()
        self.schedules = ScheduleMetrics()
        self.http = HttpMetrics()
        self._tenant_label = tenant_label
        self._standing = _Standing([], [], None, [], {}, up=False)
        self._asked = float("-inf")
        self._asking = asyncio.Lock()
        self._registry = CollectorRegistry()
        self._registry.register(self)
        for part in (ProcessCollector, PlatformCollector, GCCollector):
            part(registry=self._registry)

    async def text(self, database: Database, clock: Clock) -> bytes:
        """Everything, as a scrape expects it."""
        async with self._asking:
            if time.monotonic() - self._asked > _FRESH_SECONDS:
                self._standing = await self._ask(database, clock)
                self._asked = time.monotonic()
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """The figures as Prometheus wants them; called by the registry."""
        yield from self.runs.collect()
        yield from self.schedules.collect()
        yield from self.http.collect()
        yield GaugeMetricFamily("holdfast_database_up", "Whether Postgres answered.", value=self._standing.up)
        yield from self._queue()
        yield from self._outbox()
        yield from self._work()
        yield from _counted()
        if self._standing.schedule_delay is not None:
            yield GaugeMetricFamily(
                "holdfast_schedule_overdue_seconds",
                "How late the most overdue schedule is.",
                value=self._standing.schedule_delay,
            )
        pool = GaugeMetricFamily("holdfast_pool_connections", "Connections of this process's pool.", labels=["state"])
        for state in ("size", "available", "waiting", "max"):
            pool.add_metric([state], self._standing.pool.get(state, 0))
        yield pool

    def _queue(self) -> Iterator[Metric]:
        labels = ["tenant", "type"] if self._tenant_label else ["type"]
        depth = GaugeMetricFamily(
            "holdfast_queue_runs",
            f"Unfinished runs; a lane is counted up to {_COUNT_CAP}.",
            labels=[*labels, "state"],
        )
        oldest = GaugeMetricFamily(
            "holdfast_queue_oldest_ready_seconds", "How long the oldest ready run has waited.", labels=labels
        )
        counted, waited = self._by_label()
        for (lane, state), runs in sorted(counted.items()):
            depth.add_metric([*lane, state], runs)
        for lane, seconds in sorted(waited.items()):
            oldest.add_metric(lane, seconds)
        yield depth
        yield oldest

    def _outbox(self) -> Iterator[Metric]:
        labels = ["tenant"] if self._tenant_label else []
        events = GaugeMetricFamily(
            "holdfast_outbox_events",
            f"Events that wait to be sent, and dead ones; a tenant's are counted up to {_COUNT_CAP}.",
            labels=[*labels, "state"],
        )
        oldest = GaugeMetricFamily(
            "holdfast_outbox_oldest_due_seconds", "How long the oldest event has been due.", labels=labels
        )
        counted: Counter[tuple[str, ...]] = Counter()
        waited: dict[tuple[str, ...], float] = {} if labels else {(): 0.0}
        for row in self._standing.outbox:
            label: tuple[str, ...] = (row["slug"],) if labels else ()
            for state in ("pending", "dead"):
                counted[*label, state] += row[state]
            waited[label] = max(waited.get(label, 0.0), row["oldest"] or 0.0)
        for label, count in sorted(counted.items()):
            events.add_metric(label, count)
        for label, seconds in sorted(waited.items()):
            oldest.add_metric(label, seconds)
        yield events
        yield oldest

    def _work(self) -> Iterator[Metric]:
        labels = ["tenant"] if self._tenant_label else []
        many = GaugeMetricFamily(
            "holdfast_work",
            f"Unfinished work: engine inbox, effects, approvals, processes, sessions; each counted up to {_COUNT_CAP}.",
            labels=[*labels, "work", "state"],
        )
        late = GaugeMetricFamily(
            "holdfast_work_oldest_due_seconds", "How long the oldest of it has been due.", labels=[*labels, "work"]
        )
        # What is nowhere is told as none where tenants are not told apart: an alert needs a figure to go away.
        counted: Counter[tuple[str, ...]] = Counter({} if labels else dict.fromkeys(WORK, 0))
        waited: dict[tuple[str, ...], float] = {}
        for row in self._standing.work:
            label: tuple[str, ...] = (row["slug"],) if labels else ()
            counted[*label, row["work"], row["state"]] += row["many"]
            if row["late"] is not None:
                waited[*label, row["work"]] = max(waited.get((*label, row["work"]), 0.0), row["late"])
        for label, count in sorted(counted.items()):
            many.add_metric(label, count)
        for label, seconds in sorted(waited.items()):
            late.add_metric(label, seconds)
        yield many
        yield late

    def _by_label(self) -> tuple[Counter[tuple[tuple[str, ...], str]], dict[tuple[str, ...], float]]:
        rows = self._standing.depths
        total: Counter[tuple[str, ...]] = Counter()
        for row in rows:
            total[self._lane(row)] += row["runs"]
        shown = {lane for lane, _ in total.most_common(_MOST_TYPES)}
        rest = tuple(_OTHER for _ in range(2 if self._tenant_label else 1))
        counted: Counter[tuple[tuple[str, ...], str]] = Counter()
        waited: dict[tuple[str, ...], float] = {}
        for row in rows:
            lane = self._lane(row) if self._lane(row) in shown else rest
            counted[lane, row["state"]] += row["runs"]
            if row["state"] == "ready":
                waited[lane] = max(waited.get(lane, 0.0), row["oldest"] or 0.0)
        return counted, waited

    def _lane(self, row: dict[str, Any]) -> tuple[str, ...]:
        return (row["slug"], row["type"]) if self._tenant_label else (row["type"],)

    async def _ask(self, database: Database, clock: Clock) -> _Standing:
        values = {"cap": _COUNT_CAP, "now": clock.now()}
        try:
            async with database.connection() as connection:
                rows = connection.cursor(row_factory=dict_row)
                depths = await (await rows.execute(_SQL["queue_depths"], values)).fetchall()
                outbox = await (await rows.execute(_SQL["outbox_depths"], values)).fetchall()
                work = await (await rows.execute(_SQL["work_figures"], values)).fetchall()
                late = await (await connection.execute(_SQL["schedule_delay"], values)).fetchone()
        except (HoldfastError, psycopg.Error):
            return _Standing([], [], None, [], database.pool_use(), up=False)
        return _Standing(depths, outbox, late[0] if late else None, work, database.pool_use(), up=True)


def _counted() -> Iterator[Metric]:
    for count in COUNTS:
        family = CounterMetricFamily(count.name, count.text, labels=list(count.labels))
        for labels, value in sorted(count.values().items()):
            family.add_metric(labels, value)
        yield family


def _histogram(name: str, text: str, tallies: dict[str, _Tally]) -> HistogramMetricFamily:
    family = HistogramMetricFamily(name, text, labels=["type"])
    items: Iterable[tuple[str, _Tally]] = tallies.copy().items()
    for kind, tally in items:
        family.add_metric([kind], buckets=tally.cumulated(), sum_value=tally.total)
    return family
