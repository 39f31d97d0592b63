"""Schedules: one run for each fire, whoever fires it, whatever is killed, and nothing forgotten or made twice."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from harness.waiting import until
from holdfast import AlreadyExists, FakeClock, Forbidden, Holdfast, InvalidInput, NotFound
from holdfast.errors import DatabaseUnreachable
from holdfast.runs import RunInfo, Schedule

TYPE = "reports.daily.v1"
NOON = datetime(2030, 6, 1, 12, tzinfo=UTC)
TIMEKEEPER = Path(__file__).parent / "timekeeper.py"


@pytest.fixture
def holdfast_clock() -> FakeClock:
    return FakeClock(NOON)


async def create(app: Holdfast, name: str = "report", cron: str = "*/10 * * * *", **more: Any) -> Schedule:
    async with app.tenant("acme") as hold:
        return await hold.schedules.create(name, TYPE, cron, **more)


async def get(app: Holdfast, name: str = "report") -> Schedule:
    async with app.tenant("acme") as hold:
        return await hold.schedules.get(name)


async def runs(app: Holdfast, tenant: str = "acme") -> list[RunInfo]:
    async with app.tenant(tenant) as hold:
        return sorted((await hold.runs.list(limit=200)).items, key=lambda run: run.run_at)


async def events(app: Holdfast) -> list[str]:
    async with app.tenant("acme") as hold:
        return [event.event_type for event in (await hold.audit.list(object_kind="schedule")).items][::-1]


async def test_a_fire_becomes_a_run_of_its_time(app: Holdfast, holdfast_clock: FakeClock) -> None:
    made = await create(app, payload={"kind": "sales"}, priority=7, max_attempts=2)
    assert (made.next_fire_at, made.state) == (NOON + timedelta(minutes=10), "active")
    scheduler = app.scheduler()
    await scheduler.look()
    assert await runs(app) == []
    holdfast_clock.advance(600)
    await scheduler.look()
    (run,) = await runs(app)
    assert (run.type, run.payload, run.priority, run.max_attempts) == (TYPE, {"kind": "sales"}, 7, 2)
    assert (run.run_at, run.created_by) == (NOON + timedelta(minutes=10), "system:scheduler")
    assert run.idempotency_key == f"schedule:{made.id}:2030-06-01T12:10:00Z"
    await scheduler.look()
    assert len(await runs(app)) == 1
    after = await get(app)
    assert (after.last_fire_at, after.last_run_id) == (run.run_at, run.id)
    assert after.next_fire_at == NOON + timedelta(minutes=20)


async def test_two_schedulers_fire_once(app: Holdfast, holdfast_clock: FakeClock) -> None:
    for number in range(5):
        await create(app, f"report-{number}")
    schedulers = [app.scheduler() for _ in range(4)]
    for _ in range(5):
        holdfast_clock.advance(600)
        await asyncio.gather(*(scheduler.look() for scheduler in schedulers))
        await schedulers[0].look()
    found = await runs(app)
    assert len(found) == 25
    assert len({run.idempotency_key for run in found}) == 25


async def test_a_schedule_that_somebody_else_fires_is_skipped_not_waited_for(
    app: Holdfast, holdfast_clock: FakeClock, holdfast_dsn: str
) -> None:
    await create(app, "locked")
    await create(app, "free")
    holdfast_clock.advance(600)
    async with await psycopg.AsyncConnection.connect(holdfast_dsn) as other:
        await other.execute("SELECT FROM holdfast.workflow_schedule WHERE name = 'locked' FOR UPDATE")
        async with asyncio.timeout(10):
            await app.scheduler().look()
        assert len(await runs(app)) == 1
    await app.scheduler().look()
    assert len(await runs(app)) == 2


async def test_a_fire_and_its_run_stand_or_fall_together(
    app: Holdfast, holdfast_clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await create(app)
    holdfast_clock.advance(600)
    scheduler = app.scheduler()

    async def crash(*_: object, **__: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(scheduler, "_advance", crash)
    with pytest.raises(ConnectionError):
        await scheduler.look()
    assert await runs(app) == []
    await app.scheduler().look()
    assert len(await runs(app)) == 1


@pytest.mark.parametrize(
    ("policy", "minutes"),
    [("skip", [120]), ("once", [110, 120]), ("all", [*range(10, 130, 10)])],
)
async def test_missed_fires_follow_the_policy(
    app: Holdfast, holdfast_clock: FakeClock, policy: Any, minutes: list[int]
) -> None:
    await create(app, missed=policy)
    # The fire of 14:00 is half a minute late, which is in time; those before it were missed.
    holdfast_clock.advance(timedelta(hours=2, seconds=30))
    await app.scheduler().look()
    assert [run.run_at for run in await runs(app)] == [NOON + timedelta(minutes=minute) for minute in minutes]
    assert (await get(app)).next_fire_at == NOON + timedelta(minutes=130)
    assert "schedule.missed" in await events(app)


async def test_all_missed_fires_have_a_limit(app: Holdfast, holdfast_clock: FakeClock) -> None:
    await create(app, missed="all", missed_limit=3)
    holdfast_clock.advance(timedelta(days=30, minutes=5))
    await app.scheduler().look()
    assert [run.run_at for run in await runs(app)] == [NOON + timedelta(minutes=minute) for minute in (10, 20, 30)]
    assert (await get(app)).next_fire_at == NOON + timedelta(days=30, minutes=10)


async def test_overlapping_fires_are_left_out(app: Holdfast, holdfast_clock: FakeClock) -> None:
    await create(app, overlap="skip")
    scheduler = app.scheduler()
    for _ in range(3):
        holdfast_clock.advance(600)
        await scheduler.look()
    (run,) = await runs(app)
    assert (await events(app)).count("schedule.skipped") == 2
    async with app.tenant("acme") as hold:
        await hold.runs.cancel(run.id)
    holdfast_clock.advance(600)
    await scheduler.look()
    assert [one.run_at for one in await runs(app)] == [NOON + timedelta(minutes=10), NOON + timedelta(minutes=40)]


async def test_a_paused_schedule_does_not_fire_and_nothing_is_made_up_for(
    app: Holdfast, holdfast_clock: FakeClock
) -> None:
    await create(app, missed="all")
    async with app.tenant("acme", actor="ana") as hold:
        paused = await hold.schedules.pause("report")
        assert (paused.state, paused.paused_by, paused.next_fire_at) == ("paused", "user:ana", None)
        assert len(await hold.schedules.preview("report", 3)) == 3
    holdfast_clock.advance(3605)
    await app.scheduler().look()
    async with app.tenant("acme") as hold:
        resumed = await hold.schedules.resume("report")
    assert (resumed.state, resumed.next_fire_at) == ("active", NOON + timedelta(minutes=70))
    await app.scheduler().look()
    assert await runs(app) == []
    assert await events(app) == ["schedule.created", "schedule.paused", "schedule.resumed"]


async def test_start_and_end_bound_the_fires(app: Holdfast, holdfast_clock: FakeClock) -> None:
    begin, end = NOON + timedelta(minutes=30), NOON + timedelta(minutes=50)
    made = await create(app, starts_at=begin, ends_at=end)
    assert made.next_fire_at == begin
    async with app.tenant("acme") as hold:
        assert await hold.schedules.preview("report") == [begin, begin + timedelta(minutes=10), end]
    for _ in range(8):
        holdfast_clock.advance(600)
        await app.scheduler().look()
    assert [run.run_at for run in await runs(app)] == [begin, begin + timedelta(minutes=10), end]
    assert (await get(app)).state == "ended"
    with pytest.raises(InvalidInput, match="never fires"):
        await create(app, "late", ends_at=NOON)


async def test_a_change_counts_from_now_and_is_told(app: Holdfast, holdfast_clock: FakeClock) -> None:
    await create(app)
    holdfast_clock.advance(600)
    await app.scheduler().look()
    async with app.tenant("acme", actor="ana") as hold:
        changed = await hold.schedules.update("report", cron="0 9 * * mon-fri", timezone="Europe/Berlin", priority=3)
        assert (changed.cron, changed.priority, changed.type) == ("0 9 * * mon-fri", 3, TYPE)
        assert changed.next_fire_at == datetime(2030, 6, 3, 7, tzinfo=UTC)
        (event,) = (await hold.audit.list(object_id=changed.id, limit=1)).items
        assert (event.event_type, event.actor) == ("schedule.changed", "user:ana")
        assert event.data == {"name": "report", "cron": "0 9 * * mon-fri", "timezone": "Europe/Berlin", "priority": 3}
        with pytest.raises(InvalidInput, match="did you mean 'priority'"):
            await hold.schedules.update("report", prioriti=3)  # type: ignore[call-arg]  # that is the point


async def test_firing_by_hand_is_besides_the_clock(app: Holdfast, holdfast_clock: FakeClock) -> None:
    await create(app)
    async with app.tenant("acme", actor="ana") as hold:
        first = await hold.schedules.fire_now("report")
        second = await hold.schedules.fire_now("report")
        assert first.id != second.id
        assert (await hold.runs.get(first.id)).created_by == "user:ana"
        assert (await hold.schedules.get("report")).next_fire_at == NOON + timedelta(minutes=10)
    assert (await events(app)).count("schedule.fired_by_hand") == 2


async def test_schedules_of_other_tenants_are_not_seen_but_fired(app: Holdfast, holdfast_clock: FakeClock) -> None:
    await create(app)
    async with app.tenant("globex") as hold:
        await hold.schedules.create("report", TYPE, "*/10 * * * *")
        await hold.schedules.create("own", TYPE, "@daily")
    async with app.tenant("acme") as hold:
        assert [one.name for one in (await hold.schedules.list()).items] == ["report"]
        for action in (hold.schedules.get, hold.schedules.pause, hold.schedules.delete, hold.schedules.fire_now):
            with pytest.raises(NotFound):
                await action("own")
    holdfast_clock.advance(600)
    await app.scheduler().look()
    assert len(await runs(app)) == len(await runs(app, "globex")) == 1


async def test_deleting_and_making_anew_fires_anew(app: Holdfast, holdfast_clock: FakeClock) -> None:
    first = await create(app)
    with pytest.raises(AlreadyExists):
        await create(app)
    async with app.tenant("acme") as hold:
        await hold.schedules.delete("report")
    second = await create(app)
    assert first.id != second.id
    holdfast_clock.advance(600)
    await app.scheduler().look()
    assert len(await runs(app)) == 1
    assert await events(app) == ["schedule.created", "schedule.deleted", "schedule.created"]


async def test_lists_come_in_pages(app: Holdfast) -> None:
    for number in range(5):
        await create(app, f"s{number}")
    async with app.tenant("acme") as hold:
        first = await hold.schedules.list(limit=3)
        second = await hold.schedules.list(limit=3, cursor=first.next_cursor)
    assert [one.name for one in (*first.items, *second.items)] == ["s0", "s1", "s2", "s3", "s4"]
    assert second.next_cursor is None


async def test_who_may_not_enqueue_may_not_schedule(app: Holdfast) -> None:
    await create(app)
    async with app.tenant("acme") as hold:
        await hold.roles.define("planner", ["schedules:read", "schedules:write"])
        await hold.users.create("pia", roles=["planner"])
        await hold.users.create("vic", roles=["viewer"])
    async with app.tenant("acme", actor="vic") as hold:
        assert len((await hold.schedules.list()).items) == 1
        with pytest.raises(Forbidden, match="create, change and pause schedules"):
            await hold.schedules.pause("report")
    async with app.tenant("acme", actor="pia") as hold:
        with pytest.raises(Forbidden, match="enqueue runs"):
            await hold.schedules.create("mine", TYPE, "@daily")


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"cron": "61 * * * *"}, "cron"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"priority": 5000}, "priority"),
        ({"max_attempts": 0}, "max_attempts"),
        ({"missed": "sometimes"}, "missed"),
        ({"missed_limit": 0}, "missed_limit"),
        ({"overlap": "maybe"}, "overlap"),
        ({"payload": float("nan")}, "payload"),
        ({"payload": "x" * 2_000_000}, "payload"),
        ({"starts_at": datetime(2030, 1, 1)}, "starts_at"),  # noqa: DTZ001 - that is the point
        ({"starts_at": NOON, "ends_at": NOON}, "ends_at"),
        ({"name": "no spaces"}, "name"),
        ({"description": None}, "description"),
    ],
)
async def test_bad_input_is_refused_and_nothing_written(app: Holdfast, more: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        await create(app, **more)
    assert caught.value.details["field"] == field
    async with app.tenant("acme") as hold:
        assert (await hold.schedules.list()).items == []


async def test_what_cannot_fire_is_told_and_holds_up_nobody(
    app: Holdfast, holdfast_clock: FakeClock, superuser: psycopg.Connection[Any]
) -> None:
    await create(app, "broken")
    await create(app, "refused")
    await create(app, "well")
    superuser.execute("UPDATE holdfast.workflow_schedule SET timezone = 'Mars/Olympus' WHERE name = 'broken'")
    superuser.execute("UPDATE holdfast.workflow_schedule SET type = 'not a type' WHERE name = 'refused'")
    holdfast_clock.advance(600)
    await app.scheduler().look()
    assert len(await runs(app)) == 1
    broken, refused = await get(app, "broken"), await get(app, "refused")
    assert (broken.state, broken.next_fire_at) == ("broken", None)
    assert "Mars/Olympus" in (broken.last_error or "")
    assert (refused.state, refused.next_fire_at) == ("active", NOON + timedelta(minutes=20))
    assert "not a type" in (refused.last_error or "")
    assert (await events(app)).count("schedule.failed") == 2


async def test_trouble_does_not_end_the_scheduler(app: Holdfast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.runs.scheduler._RETRY_PAUSE", 0.001)
    scheduler = app.scheduler()
    trouble = [DatabaseUnreachable("gone"), RuntimeError("a bug")]

    async def look() -> float:
        if trouble:
            raise trouble.pop()
        scheduler.stop()
        return 0.0

    monkeypatch.setattr(scheduler, "look", look)
    async with asyncio.timeout(10):
        await scheduler.run()
    assert trouble == []


async def test_the_database_refuses_to_fire_backwards(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    await create(app)
    superuser.execute("UPDATE holdfast.workflow_schedule SET last_fire_at = '2030-06-01 13:00Z'")
    with pytest.raises(psycopg.Error, match="has already fired"):
        superuser.execute("UPDATE holdfast.workflow_schedule SET last_fire_at = '2030-06-01 12:00Z'")


async def test_a_cursor_that_was_set_back_fires_nothing_twice(
    app: Holdfast, holdfast_clock: FakeClock, superuser: psycopg.Connection[Any]
) -> None:
    await create(app, missed="all")
    for _ in range(3):
        holdfast_clock.advance(600)
        await app.scheduler().look()
    superuser.execute("UPDATE holdfast.workflow_schedule SET next_fire_at = '2030-06-01 12:10Z'")
    await app.scheduler().look()
    assert [run.run_at for run in await runs(app)] == [NOON + timedelta(minutes=minute) for minute in (10, 20, 30)]
    after = await get(app)
    assert (after.last_fire_at, after.next_fire_at) == (NOON + timedelta(minutes=30), NOON + timedelta(minutes=40))


async def test_looking_reads_no_more_than_what_is_due(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    superuser.execute(
        "INSERT INTO holdfast.workflow_schedule (tenant, id, name, type, cron, timezone, next_fire_at, created_by) "
        "SELECT %s, gen_random_uuid(), 's' || n, 'x', '@daily', 'UTC', now() + interval '1 day', 'x' "
        "FROM generate_series(1, 20000) n",
        [tenant],
    )
    superuser.execute("VACUUM ANALYZE holdfast.workflow_schedule")
    pages = []
    for _ in range(7):
        row = superuser.execute(
            "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM holdfast.due_schedules(now())"
        ).fetchone()
        assert row is not None
        found = row["QUERY PLAN"][0]["Plan"]
        pages.append(int(found["Shared Hit Blocks"]) + int(found["Shared Read Blocks"]))
    assert max(pages[2:]) < 60


@asynccontextmanager
async def timekeeper(dsn: str, *, clock_off: float = 0) -> AsyncIterator[Process]:
    """One scheduler process."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(TIMEKEEPER), dsn, str(clock_off)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        if await process.stdout.readline() != b"firing\n":
            pytest.fail((await process.communicate())[1].decode())
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        async with asyncio.timeout(30):
            await process.communicate()


async def test_processes_that_race_are_killed_and_are_wrong_about_the_time_fire_once_a_second(
    holdfast_dsn: str,
) -> None:
    async with Holdfast(dsn=holdfast_dsn) as app:
        await app.tenants.create("acme")
        await create(app, "each-second", "* * * * * *", missed="all")

        async def fired(count: int) -> None:
            async def enough() -> bool:
                return len(await runs(app)) >= count

            await until(enough)

        async with timekeeper(holdfast_dsn) as first, timekeeper(holdfast_dsn, clock_off=3600):
            await fired(2)
            first.kill()
            await first.wait()
            await fired(4)
            # Nobody is left for the next ones but somebody new.
        async with timekeeper(holdfast_dsn, clock_off=-3600):
            await fired(6)
        found = [run.run_at for run in await runs(app)]
        assert found == [found[0] + timedelta(seconds=second) for second in range(len(found))]
        assert (await get(app, "each-second")).last_fire_at == found[-1]


async def test_nothing_fires_before_it_starts_not_even_by_a_part_of_a_second(app: Holdfast) -> None:
    begin = NOON + timedelta(days=1, milliseconds=500)
    made = await create(app, cron="0 12 * * *", starts_at=begin)
    assert made.next_fire_at == NOON + timedelta(days=2)
    async with app.tenant("acme") as hold:
        assert (await hold.schedules.preview("report", 1)) == [NOON + timedelta(days=2)]
    exact = await create(app, "exact", cron="0 12 * * *", starts_at=NOON + timedelta(days=1))
    assert exact.next_fire_at == NOON + timedelta(days=1)
