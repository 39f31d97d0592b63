"""Figures for Prometheus: right, bounded, cheap, and only for those they are meant for."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from holdfast import FakeClock, Holdfast, NewRun
from holdfast.http import build
from holdfast.metrics import Metrics, RunMetrics

Figures = dict[tuple[str, frozenset[tuple[str, str]]], float]


def read(text: str) -> Figures:
    """Every sample by its name and labels."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def figures(app: Holdfast) -> Figures:
    app.metrics._asked = float("-inf")
    return read((await app.metrics_text()).decode())


def figure(found: Figures, name: str, **labels: str) -> float:
    return found[name, frozenset(labels.items())]


async def test_the_queue_is_told_by_type_and_state(app: Holdfast, holdfast_clock: FakeClock) -> None:
    await app.enqueue_many("acme", [NewRun("billing.charge.v1", {}, priority=n) for n in range(3)])
    await app.enqueue("globex", "billing.charge.v1")
    await app.enqueue("acme", "media.thumb.v1", run_at=holdfast_clock.now() + timedelta(days=1))
    holdfast_clock.advance(90)
    found = await figures(app)
    assert figure(found, "holdfast_queue_runs", type="billing.charge.v1", state="ready") == 4
    assert figure(found, "holdfast_queue_runs", type="media.thumb.v1", state="ready") == 0
    assert figure(found, "holdfast_queue_runs", type="media.thumb.v1", state="delayed") == 1
    assert figure(found, "holdfast_queue_oldest_ready_seconds", type="billing.charge.v1") == pytest.approx(90)
    assert figure(found, "holdfast_database_up") == 1
    assert figure(found, "holdfast_pool_connections", state="max") == app.settings.pool_max
    assert not any("tenant" in dict(labels) for _, labels in found)


async def test_the_outbox_is_told(
    app: Holdfast, holdfast_clock: FakeClock, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    assert figure(await figures(app), "holdfast_outbox_oldest_due_seconds") == 0
    for tenant in ("acme", "globex"):
        async with app.tenant(tenant) as hold:
            dead = await hold.outbox.publish("invoice.paid", {}, aggregate=("invoice", "1"))
            await hold.outbox.publish("invoice.paid", {}, aggregate=("invoice", "2"))
    superuser.execute("UPDATE holdfast.outbox_event_live SET status = 'dead' WHERE id = %s", [dead])
    holdfast_clock.advance(40)
    found = await figures(app)
    assert figure(found, "holdfast_outbox_events", state="pending") == 3
    assert figure(found, "holdfast_outbox_events", state="dead") == 1
    assert figure(found, "holdfast_outbox_oldest_due_seconds") == pytest.approx(40, abs=1)


async def test_tenants_are_told_apart_only_when_asked_for(holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn, metrics_tenant_label=True) as app:
        await app.tenants.create("acme")
        await app.enqueue("acme", "billing.charge.v1")
        found = await figures(app)
        assert figure(found, "holdfast_queue_runs", tenant="acme", type="billing.charge.v1", state="ready") == 1


async def test_the_number_of_series_is_bounded(app: Holdfast) -> None:
    await app.enqueue_many("acme", [NewRun(f"type.n{number}", {}) for number in range(300)])
    for number in range(300):
        app.metrics.runs.claimed(f"type.n{number}")
    found = await figures(app)
    for name in ("holdfast_queue_runs", "holdfast_runs_claimed_total"):
        assert sum(1 for known, _ in found if known == name) == 201
    assert figure(found, "holdfast_queue_runs", type="other", state="ready") == 100
    assert figure(found, "holdfast_runs_claimed_total", type="other") == 100


async def test_what_workers_do_is_counted() -> None:
    runs = RunMetrics()
    runs.claimed("a.b", 5)
    runs.finished("a.b", "succeeded", 0.004)
    runs.finished("a.b", "succeeded", 2.0)
    runs.finished("a.b", "retried", 9999.0)
    runs.lease_lost("a.b")
    runs.loop_blocked(1.5)
    runs.occupied(7, 100)
    metrics = Metrics()
    metrics.runs = runs
    found = read(generate_latest(metrics._registry).decode())
    assert figure(found, "holdfast_runs_claimed_total", type="a.b") == 5
    assert figure(found, "holdfast_runs_finished_total", type="a.b", outcome="succeeded") == 2
    assert figure(found, "holdfast_runs_finished_total", type="a.b", outcome="retried") == 1
    assert figure(found, "holdfast_run_duration_seconds_bucket", type="a.b", le="0.005") == 1
    assert figure(found, "holdfast_run_duration_seconds_bucket", type="a.b", le="5.0") == 2
    assert figure(found, "holdfast_run_duration_seconds_bucket", type="a.b", le="+Inf") == 3
    assert figure(found, "holdfast_run_duration_seconds_count", type="a.b") == 3
    assert figure(found, "holdfast_run_duration_seconds_sum", type="a.b") == pytest.approx(10001.004)
    assert figure(found, "holdfast_leases_lost_total", type="a.b") == 1
    assert figure(found, "holdfast_event_loop_blocked_seconds_total") == 1.5
    assert figure(found, "holdfast_worker_slots", state="executing") == 7
    assert figure(found, "holdfast_database_up") == 0


async def test_late_schedules_are_told(app: Holdfast, holdfast_clock: FakeClock) -> None:
    async with app.tenant("acme") as hold:
        made = await hold.schedules.create("report", "reports.daily.v1", "@hourly")
    assert made.next_fire_at is not None
    holdfast_clock.advance(made.next_fire_at - holdfast_clock.now() + timedelta(seconds=20))
    assert figure(await figures(app), "holdfast_schedule_overdue_seconds") == pytest.approx(20)
    await app.scheduler().look()
    found = await figures(app)
    assert figure(found, "holdfast_schedule_overdue_seconds") == 0
    assert figure(found, "holdfast_schedule_lag_seconds_bucket", type="reports.daily.v1", le="15.0") == 0
    assert figure(found, "holdfast_schedule_lag_seconds_bucket", type="reports.daily.v1", le="60.0") == 1


async def test_asking_often_asks_the_database_seldom(app: Holdfast) -> None:
    await app.enqueue("acme", "a.b")
    await app.metrics_text()
    await app.enqueue("acme", "a.b")
    stale = read((await app.metrics_text()).decode())
    assert figure(stale, "holdfast_queue_runs", type="a.b", state="ready") == 1
    assert figure(await figures(app), "holdfast_queue_runs", type="a.b", state="ready") == 2


async def test_a_database_that_is_gone_is_a_figure(app: Holdfast) -> None:
    await app.database._pool.close()
    assert figure(await figures(app), "holdfast_database_up") == 0


async def test_counting_never_reads_finished_runs_nor_past_the_cap(
    app: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    superuser.execute(
        "INSERT INTO holdfast.workflow_run_live (tenant, id, type, payload, run_at, created_by) "
        "SELECT %s, gen_random_uuid(), 'a.b', '{}', now(), 'x' FROM generate_series(1, 20000) n",
        [tenant],
    )
    superuser.execute(
        "INSERT INTO holdfast.workflow_run_done (tenant, id, type, payload, run_at, created_by, status, priority, "
        "attempt, max_attempts, lease_epoch, created_at, updated_at, finished_at) "
        "SELECT %s, gen_random_uuid(), 'a.b', '{}', now(), 'x', 'succeeded', 0, 1, 3, 1, now(), now(), now() "
        "FROM generate_series(1, 20000) n",
        [tenant],
    )
    superuser.execute("INSERT INTO holdfast.workflow_lane VALUES (%s, 'a.b')", [tenant])
    superuser.execute("VACUUM ANALYZE holdfast.workflow_run_live")
    scans = "SELECT sum(seq_scan + idx_scan) AS n FROM pg_stat_xact_user_tables WHERE relname LIKE 'workflow_run_done%'"
    pages = []
    with superuser.transaction():
        for _ in range(7):
            row = superuser.execute(
                "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM holdfast.queue_depths(1000, now())"
            ).fetchone()
            assert row is not None
            plan = row["QUERY PLAN"][0]["Plan"]
            pages.append(int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"]))
        touched = superuser.execute(scans).fetchone()
    # The whole live branch has about five hundred pages.
    assert max(pages[2:]) < 150
    assert touched == {"n": 0}


@asynccontextmanager
async def client(app: Holdfast, address: str = "127.0.0.1") -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build(app), client=(address, 1234), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as made:
        yield made


async def test_without_a_token_only_this_machine_is_told(app: Holdfast) -> None:
    async with client(app) as local, client(app, "203.0.113.9") as remote:
        told = await local.get("/metrics")
        assert told.status_code == 200
        assert told.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert "holdfast_queue_runs" in told.text
        assert (await remote.get("/metrics")).json()["code"] == "forbidden"
        assert (await local.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"})).status_code == 403


async def test_with_a_token_whoever_has_it_is_told(holdfast_dsn: str) -> None:
    async with (
        Holdfast(dsn=holdfast_dsn, metrics_token="0123456789abcdef") as app,
        client(app, "203.0.113.9") as remote,
    ):
        assert (await remote.get("/metrics")).status_code == 401
        wrong = {"Authorization": "Bearer 0123456789abcdeX"}
        assert (await remote.get("/metrics", headers=wrong)).status_code == 401
        right = {"Authorization": "Bearer 0123456789abcdef"}
        assert (await remote.get("/metrics", headers=right)).status_code == 200


def test_a_worker_serves_them_on_a_port_of_its_own(holdfast_dsn: str) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
    with subprocess.Popen(
        [sys.executable, "-m", "holdfast", "worker", "--metrics-port", "0"],
        env=clean | {"HOLDFAST_DSN": holdfast_dsn},
        stderr=subprocess.PIPE,
        text=True,
    ) as worker:
        try:
            assert worker.stderr is not None
            found = None
            while found is None:
                line = worker.stderr.readline()
                assert line, "the worker ended"
                found = re.search(r"metrics are at (http://\S+)", line)
            with urllib.request.urlopen(found[1], timeout=20) as answer:
                assert "holdfast_database_up 1" in answer.read().decode()
        finally:
            worker.send_signal(signal.SIGTERM)
        worker.stderr.read()
        assert worker.wait(30) == 0
