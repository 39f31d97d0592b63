"""Retention: a run of the tenant's own schedule forgets old checkpoints, once a fire, and nothing that is needed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, timedelta
from typing import Any

import psycopg
import pytest

from harness.waiting import until
from holdfast import Conflict, FakeClock, Holdfast, InvalidInput
from holdfast.runs.schedule import Schedule
from holdfast.sessions.retention import drop_old_checkpoints
from sessions.conftest import asking, chain, ended, reply, settled, working

NAME = "holdfast.checkpoint-retention"
TYPE = "session.retain.v1"
Row = dict[str, Any]


@pytest.fixture
async def app(holdfast_dsn: str, holdfast_clock: FakeClock) -> AsyncIterator[Holdfast]:
    async with Holdfast(dsn=holdfast_dsn, clock=holdfast_clock, worker_poll_interval=0.05) as app:
        app.graph("chain", lambda: chain(3))
        app.graph("asking", asking)
        await app.publish_graphs()
        await app.tenants.create("acme")
        await app.tenants.create("globex")
        yield app


async def begin(app: Holdfast, tenant: str = "acme") -> None:
    """A session that has ended, and one that waits."""
    async with working(app):
        async with app.tenant(tenant) as hold:
            await hold.sessions.start("chain", {"n": 0}, name="done")
            await hold.sessions.start("asking", {"n": 0}, name="waits")
        await ended(app, "done", tenant=tenant)
        await settled(app, "waits", "waiting_for_input", tenant=tenant)


async def schedules(app: Holdfast, tenant: str = "acme") -> list[Schedule]:
    async with app.tenant(tenant) as hold:
        return (await hold.schedules.list()).items


async def counts(app: Holdfast, tenant: str = "acme") -> tuple[int, int]:
    """How many checkpoints the two sessions have."""
    async with app.tenant(tenant) as hold:
        done, waits = await hold.sessions.checkpoints("done"), await hold.sessions.checkpoints("waits")
    return len(done), len(waits)


async def retained(app: Holdfast, number: int) -> list[Any]:
    """The results of the tenant's runs of retention, when so many are done."""

    async def done() -> bool:
        async with app.tenant("acme") as hold:
            return len((await hold.runs.list(prefix=TYPE, status="succeeded")).items) >= number

    async with working(app):
        await until(done)
    async with app.tenant("acme") as hold:
        found = (await hold.runs.list(prefix=TYPE)).items
        return [(await hold.runs.get(one.id)).result for one in found]


async def test_the_first_session_brings_the_schedule_and_later_ones_no_other(
    app: Holdfast, holdfast_clock: FakeClock
) -> None:
    assert await schedules(app) == []
    async with app.tenant("acme") as hold:
        await hold.sessions.start("chain", {"n": 0}, name="a")
        await hold.sessions.start("chain", {"n": 0}, name="b")

    async def another(name: str) -> None:
        async with app.tenant("globex") as hold:
            await hold.sessions.start("chain", {"n": 0}, name=name)

    await asyncio.gather(*(another(f"s{number}") for number in range(5)))
    (made,) = await schedules(app)
    assert (made.name, made.type, made.created_by) == (NAME, TYPE, "system:sessions")
    assert (made.state, made.overlap, made.missed, made.timezone) == ("active", "skip", "once", "UTC")
    assert made.description == "Forgets old checkpoints of sessions"
    async with app.tenant("acme") as hold:
        # The fire that the database wrote is the one that the expression says.
        assert [made.next_fire_at] == await hold.schedules.preview(NAME, 1)
        (created,) = (await hold.audit.list(object_id=made.id)).items
    assert (created.event_type, created.actor) == ("schedule.created", "system:sessions")
    now = holdfast_clock.now()
    assert now is not None
    assert made.next_fire_at is not None
    assert now < made.next_fire_at <= now + timedelta(days=1)
    assert 1 <= made.next_fire_at.astimezone(UTC).hour < 5
    assert [one.name for one in await schedules(app, "globex")] == [NAME]


async def test_at_every_hour_the_first_fire_is_the_next_one(app: Holdfast, holdfast_clock: FakeClock) -> None:
    for hour in range(24):
        holdfast_clock.advance(timedelta(hours=1))
        slug = f"at-{hour}"
        await app.tenants.create(slug)
        async with app.tenant(slug) as hold:
            await hold.sessions.start("chain", {"n": 0})
            (made,) = (await hold.schedules.list()).items
            assert [made.next_fire_at] == await hold.schedules.preview(NAME, 1)


async def test_a_run_a_day_forgets_what_ended_long_ago_and_keeps_what_is_needed(
    app: Holdfast, holdfast_clock: FakeClock
) -> None:
    await begin(app)
    before = await counts(app)
    assert before == (5, 3)
    holdfast_clock.advance(timedelta(days=29))
    # Several servers, each with a scheduler: one run for the fires that were missed.
    await asyncio.gather(*(app.scheduler().look() for _ in range(4)))
    assert await retained(app, 1) == [{"sessions": 0, "checkpoints": 0, "days": 30}]
    assert await counts(app) == before
    await app.tidy()
    holdfast_clock.advance(timedelta(days=2))
    await app.tidy()  # the janitor has nothing to do with it
    assert await counts(app) == before
    await asyncio.gather(*(app.scheduler().look() for _ in range(4)))
    found = await retained(app, 2)
    assert len(found) == 2
    assert {"sessions": 1, "checkpoints": 2, "days": 30} in found
    assert await counts(app) == (0, 1)
    async with app.tenant("acme") as hold:
        assert (await hold.sessions.get("done")).output_data["n"] == 3
        await reply(hold, "waits", "yes")
    async with working(app):
        assert (await ended(app, "waits")).output_data["n"] == 11


async def test_only_the_tenant_of_the_run_is_touched(app: Holdfast, holdfast_clock: FakeClock) -> None:
    await begin(app)
    await begin(app, "globex")
    holdfast_clock.advance(timedelta(days=31))
    async with app.tenant("acme") as hold:
        await hold.schedules.fire_now(NAME)
        await hold.schedules.pause(NAME)
    assert await retained(app, 1) == [{"sessions": 1, "checkpoints": 2, "days": 30}]
    assert await counts(app) == (0, 1)
    assert await counts(app, "globex") == (5, 3)


async def test_many_are_forgotten_a_few_at_a_time_and_again_changes_nothing(
    app: Holdfast, holdfast_clock: FakeClock
) -> None:
    async with working(app):
        async with app.tenant("acme") as hold:
            tenant = hold.tenant.id
            for number in range(7):
                await hold.sessions.start("chain", {"n": 0}, name=f"c{number}")
                await hold.sessions.start("asking", {"n": 0}, name=f"a{number}")
        for number in range(7):
            await ended(app, f"c{number}")
            await settled(app, f"a{number}", "waiting_for_input")
    holdfast_clock.advance(timedelta(days=31))
    assert await drop_old_checkpoints(app.database, app.clock, tenant, batch=2) == (7, 14)
    assert await drop_old_checkpoints(app.database, app.clock, tenant) == (0, 0)


async def test_what_is_just_being_forked_is_left_for_the_next_round(app: Holdfast, holdfast_clock: FakeClock) -> None:
    await begin(app)
    holdfast_clock.advance(timedelta(days=31))
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
        await hold.sessions.fork("done", new_name="forked")
        assert (await drop_old_checkpoints(app.database, app.clock, tenant)).sessions == 0
    assert (await drop_old_checkpoints(app.database, app.clock, tenant)).sessions == 1
    async with working(app):
        assert (await ended(app, "forked")).output_data["n"] == 3


async def test_the_schedule_is_holdfasts_own(app: Holdfast, superuser: psycopg.Connection[Row]) -> None:
    async with app.tenant("acme") as hold:
        with pytest.raises(InvalidInput, match="reserved"):
            await hold.schedules.create("holdfast.mine", "x.v1", "@daily")
    async with app.tenant("acme") as hold:
        await hold.sessions.start("chain", {"n": 0})
        with pytest.raises(Conflict, match="holdfast's own"):
            await hold.schedules.delete(NAME)
        with pytest.raises(Conflict, match="holdfast's own"):
            await hold.schedules.update(NAME, type="x.v1")
        moved = await hold.schedules.update(NAME, cron="0 12 * * *", timezone="Europe/Berlin")
        assert (moved.cron, moved.type) == ("0 12 * * *", TYPE)
        assert (await hold.schedules.pause(NAME)).state == "paused"
    async with app.tenant("acme") as hold:
        # What an administrator decided stays decided.
        await hold.sessions.start("chain", {"n": 0})
        assert [one.state for one in (await hold.schedules.list()).items] == ["paused"]
    with pytest.raises(psycopg.errors.CheckViolation):
        superuser.execute("UPDATE holdfast.workflow_schedule SET type = 'x.v1' WHERE name = %s", [NAME])


async def test_a_worker_without_handlers_tends_sessions_too(app: Holdfast, holdfast_dsn: str) -> None:
    bare = Holdfast(dsn=holdfast_dsn)
    bare.tend_sessions()
    async with bare:
        assert bare.worker().executes == "session.discard.v1, session.expire.v1, session.retain.v1, default.*"


async def test_a_malformed_checkpoint_of_another_tenant_disturbs_nobody(
    app: Holdfast, holdfast_clock: FakeClock, superuser: psycopg.Connection[Row]
) -> None:
    await begin(app)
    await begin(app, "globex")
    superuser.execute(
        "UPDATE holdfast_langgraph.checkpoints SET checkpoint = jsonb_set(checkpoint, '{ts}', '\"some day\"') "
        "WHERE thread_id LIKE 'project-globex:%'"
    )
    holdfast_clock.advance(timedelta(days=31))
    async with app.tenant("acme") as hold:
        own = hold.tenant.id
    async with app.tenant("globex") as hold:
        other = hold.tenant.id
    assert await drop_old_checkpoints(app.database, app.clock, own) == (1, 2)
    # Whose they are: what ended is forgotten all the same, what waits keeps what has no age.
    assert await drop_old_checkpoints(app.database, app.clock, other) == (1, 0)
    assert await counts(app) == (0, 1)


async def test_only_threads_of_the_tenant_are_read(
    app: Holdfast, holdfast_clock: FakeClock, superuser: psycopg.Connection[Row]
) -> None:
    await begin(app)
    superuser.execute(
        "INSERT INTO holdfast_langgraph.checkpoints (thread_id, checkpoint_id, checkpoint) "
        "SELECT 'project-globex:session-' || n, n::text, '{}' FROM generate_series(1, 20000) n"
    )
    superuser.execute("VACUUM ANALYZE holdfast_langgraph.checkpoints")
    holdfast_clock.advance(timedelta(days=31))
    superuser.execute("SELECT pg_stat_reset()")
    async with app.tenant("acme") as hold:
        own = hold.tenant.id
        await hold.sessions.storage("waits")
    assert await drop_old_checkpoints(app.database, app.clock, own) == (1, 2)
    async with app.tenant("acme") as hold:
        await hold.sessions.delete("done")

    async def told() -> bool:
        superuser.execute("SELECT pg_stat_clear_snapshot()")
        found = superuser.execute(
            "SELECT n_tup_del FROM pg_stat_all_tables WHERE relname = 'checkpoints' AND n_tup_del > 0"
        )
        return found.rowcount == 1

    await until(told)
    rows = superuser.execute("SELECT seq_tup_read FROM pg_stat_all_tables WHERE relname = 'checkpoints'").fetchone()
    assert rows is not None
    assert rows["seq_tup_read"] < 20000
