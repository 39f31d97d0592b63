"""Health: figures that equal what is in the tables, over time too, and that cost those who finish something nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from harness.waiting import until
from holdfast import FakeClock, Holdfast
from holdfast.errors import Forbidden, InvalidInput
from holdfast.operate.incidents import alike
from holdfast.operate.minutes import LATENCY_BOUNDS, percentile
from operate.crew import TYPE, failed_runs, working

NOON = datetime(2026, 6, 4, 12, 0, 30, tzinfo=UTC)


def test_bounds_are_those_of_the_database(superuser: psycopg.Connection[dict[str, Any]]) -> None:
    for place, bound in enumerate(LATENCY_BOUNDS):
        row = superuser.execute(
            "SELECT holdfast.latency_bucket(%s) AS at, holdfast.latency_bucket(%s) AS below", [bound, bound * 0.999]
        ).fetchone()
        assert row == {"at": place + 1, "below": place}


def test_percentiles_are_in_proportion_between_bounds() -> None:
    assert percentile({}, 0.5) is None
    assert percentile({10: 100}, 0.5) == 1.5
    assert percentile({0: 95, 12: 5}, 0.95) == 0.001
    assert percentile({23: 1}, 0.5) == LATENCY_BOUNDS[-1]


async def test_health_tells_what_waits_what_failed_and_how_long_it_took(app: Holdfast) -> None:
    await failed_runs(app, 3)
    async with app.tenant("acme") as hold:
        await hold.runs.enqueue("nobody.handles.v1")
        await hold.runs.enqueue("nobody.handles.v1", delay=60)
        await hold.outbox.publish("order.paid", {"order": 1})
        found = {each.queue: each for each in (await hold.operate.health()).queues}
    runs, outbox = found["runs"], found["outbox"]
    assert (runs.pending, runs.waiting, runs.dead, runs.finished, runs.errors) == (1, 1, 3, 3, 3)
    assert runs.p95_seconds is not None
    assert 0 < runs.p95_seconds < 60
    assert (outbox.pending, outbox.stuck, outbox.dead) == (1, 0, 0)
    async with app.tenant("globex") as hold:
        other = {each.queue: each for each in (await hold.operate.health()).queues}
    assert (other["runs"].finished, other["runs"].pending, other["outbox"].pending) == (0, 0, 0)


async def test_health_shows_the_queues_one_may_see(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("ben", roles=["approver"])
    async with app.tenant("acme", actor="ben") as hold:
        assert {each.queue for each in (await hold.operate.health()).queues} == {"engine", "sessions"}
        with pytest.raises(Forbidden):
            await hold.operate.series("runs")
        with pytest.raises(InvalidInput):
            await hold.operate.series("trains")


def insert_done(superuser: psycopg.Connection[Any], at: datetime, seconds: float, status: str = "succeeded") -> None:
    superuser.execute(
        """INSERT INTO holdfast.workflow_run_done
             (tenant, id, type, status, priority, payload, attempt, max_attempts, run_at, lease_epoch, created_by,
              created_at, updated_at, finished_at)
           SELECT tenant, holdfast.time_ordered_id(%(at)s), 'a.b.v1', %(status)s, 0, '{}', 1, 1, %(begun)s, 1,
              'system:test', %(begun)s, %(at)s, %(at)s FROM holdfast.tenants WHERE slug = 'acme'""",
        {"at": at, "begun": at - timedelta(seconds=seconds), "status": status},
    )


async def test_a_series_is_the_same_before_and_after_its_minutes_are_counted(
    app: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    app.clock = clock = FakeClock(NOON)
    for minutes in range(0, 120, 3):
        insert_done(
            superuser, NOON - timedelta(minutes=minutes, seconds=7), 0.3, "failed" if minutes % 9 else "succeeded"
        )

    async def look() -> list[Any]:
        async with app.tenant("acme") as hold:
            return [await hold.operate.series("runs", span) for span in ("5m", "1h", "24h")]

    before = await look()
    assert [sum(point.finished for point in each.points) for each in before] == [2, 20, 40]
    assert [len(each.points) for each in before] == [30, 60, 144]
    assert before[2].points[-1].p50_seconds == pytest.approx(0.35)
    assert await app.roll_up() == 24 * 60
    assert await app.roll_up() == 0
    counted = superuser.execute("SELECT count(*) AS n FROM holdfast.queue_minute").fetchone()
    assert counted is not None
    assert counted["n"] == 39
    after = await look()
    for one, other in zip(before, after, strict=True):
        told = [(each.at, each.finished, each.errors, each.p50_seconds) for each in one.points]
        assert told == [(each.at, each.finished, each.errors, each.p50_seconds) for each in other.points]
    clock.advance(timedelta(minutes=1))
    assert await app.roll_up() == 1


async def test_how_much_waited_is_noted_minute_by_minute(app: Holdfast) -> None:
    app.clock = clock = FakeClock(NOON)
    async with app.tenant("acme") as hold:
        await hold.runs.enqueue("nobody.handles.v1")
    await app.roll_up()
    clock.advance(timedelta(minutes=1))
    async with app.tenant("acme") as hold:
        await hold.runs.enqueue("nobody.handles.v1")
    await app.roll_up()
    clock.advance(timedelta(minutes=1))
    async with app.tenant("acme") as hold:
        points = (await hold.operate.series("runs", "1h")).points
    assert [each.pending for each in points[-3:]] == [1, 2, None]
    clock.advance(timedelta(hours=30))
    await app.tidy()
    async with app.tenant("acme") as hold:
        assert not await hold.operate.rows("SELECT FROM holdfast.queue_depth")


async def test_a_type_that_no_worker_handles_is_said_so_and_a_pause_shown(app: Holdfast) -> None:
    await failed_runs(app, 1)
    async with app.tenant("acme") as hold:
        await hold.runs.enqueue("nobody.handles.v1")
        await hold.runs.pause("nobody.")
    async with working(app):

        async def announced() -> bool:
            async with app.tenant("acme") as hold:
                return any(each.handled for each in await hold.operate.types())

        await until(announced)
        async with app.tenant("acme") as hold:
            types = {each.type: each for each in await hold.operate.types()}
            (worker,) = await hold.operate.workers()
    assert (types["nobody.handles.v1"].handled, types["nobody.handles.v1"].paused_by_prefix) == (False, "nobody.")
    assert (types["nobody.handles.v1"].ready, types[TYPE].handled) == (1, True)
    assert (worker.name, worker.alive, TYPE in worker.types) == ("crew", True, True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("run 0198c5a1-0000-7000-8000-000000000001 failed", "run 0198c5a1-0000-7000-8000-0000000000ff failed"),
        ("no card 17 of 'ana'", "no card 4711 of 'ben'"),
        ("timed out after 1.5 s\n  at 10:00:01", "timed out after 30 s at 11:12:13"),
    ],
)
def test_errors_are_alike_whatever_they_are_about(one: str, other: str) -> None:
    assert alike(one) == alike(other)


def test_errors_that_differ_stay_apart() -> None:
    assert alike("no such card") != alike("no such account")


async def test_failures_of_one_cause_are_one_incident(app: Holdfast) -> None:
    ids = await failed_runs(app, 12)
    async with app.tenant("acme") as hold:
        (incident,) = await hold.operate.incidents()
    assert (incident.queue, incident.what, incident.count) == ("runs", TYPE, 12)
    assert (incident.error, incident.example in ids) == ("Fail: no such card ‹n›", True)
