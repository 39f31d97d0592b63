"""Many at once: sums are exact, one of many creators wins, and who follows misses nothing that commits late."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from psycopg import AsyncConnection

from harness.waiting import kept_waiting, until
from holdfast import FakeClock, Holdfast, InvalidInput
from holdfast.errors import PositionLost, QuotaExceeded, RevisionMismatch
from holdfast.testing import Databases

_INCREMENTS = """
DO $$
BEGIN
  FOR turn IN 1 .. 1000 LOOP
    PERFORM set_config('holdfast.tenant', '{tenant}', true);
    PERFORM holdfast.data_increment(
      '{tenant}', 'n', 'counter', gen_random_uuid(), 0.1, 0, NULL, 0, NULL, 'test', '{{}}', NULL, now());
    COMMIT;
  END LOOP;
END
$$
"""


async def test_64_writers_of_1000_increments_each_lose_none(shared: Holdfast, tenant: str, shared_dsn: str) -> None:
    async with shared.tenant(tenant) as hold:
        statement = _INCREMENTS.format(tenant=hold.tenant.id)

    async def write() -> None:
        async with await AsyncConnection.connect(shared_dsn, autocommit=True) as connection:
            await connection.execute("SET SESSION AUTHORIZATION holdfast_worker")
            await connection.execute(statement)

    await asyncio.gather(*(write() for _ in range(64)))
    entry = await shared.data(tenant).get("n", "counter")
    assert entry is not None
    assert entry.value * 10 == 64_000


async def test_64_callers_at_once_lose_no_increment(shared: Holdfast, tenant: str) -> None:
    keys = shared.data(tenant)

    async def call() -> None:
        for _ in range(10):
            await keys.increment("n", "counter")

    await asyncio.gather(*(call() for _ in range(64)))
    entry = await keys.get("n", "counter")
    assert entry is not None
    assert entry.value == 640


@pytest.mark.soak
async def test_64_callers_of_1000_increments_each_lose_none(shared: Holdfast, tenant: str) -> None:
    keys = shared.data(tenant)

    async def call() -> None:
        for _ in range(1000):
            await keys.increment("n", "counter")

    await asyncio.gather(*(call() for _ in range(64)))
    entry = await keys.get("n", "counter")
    assert entry is not None
    assert entry.value == 64_000


@pytest.mark.parametrize("expired", [False, True])
async def test_one_of_50_creators_wins(shared: Holdfast, tenant: str, clock: FakeClock, expired: bool) -> None:
    keys = shared.data(tenant)
    if expired:
        await keys.set("sent", "invoice-1", "old", ttl=1)
        clock.advance(1)

    async def create(number: int) -> int | None:
        try:
            await keys.set("sent", "invoice-1", number, if_revision=0)
        except RevisionMismatch:
            return None
        return number

    won = [number for number in await asyncio.gather(*map(create, range(50))) if number is not None]
    entry = await keys.get("sent", "invoice-1")
    assert entry is not None
    assert won == [entry.value]


async def test_a_creator_waits_for_another_and_sees_what_became_of_it(
    shared: Holdfast, tenant: str, root: psycopg.Connection[dict[str, Any]]
) -> None:
    keys = shared.data(tenant)
    for undone in (False, True):
        async with AsyncExitStack() as stack:
            first = await stack.enter_async_context(_undoing(shared, tenant, undone))
            await first.data.set("n", f"k{undone}", "first", if_revision=0)
            second = asyncio.create_task(keys.set("n", f"k{undone}", "second", if_revision=0))
            await kept_waiting(root)
        if undone:
            assert (await second).created
        else:
            with pytest.raises(RevisionMismatch):
                await second


async def test_a_change_that_commits_late_is_not_missed(shared: Holdfast, tenant: str) -> None:
    keys = shared.data(tenant)
    start = (await keys.changes("n")).position
    async with shared.tenant(tenant) as late:
        low = await late.data.set("n", "late", 1)
        high = await keys.set("n", "early", 2)
        assert low.revision < high.revision
        # An unfinished transaction holds nobody up.
        first = await keys.changes("n", after=start)
        assert [change.key for change in first.items] == ["early"]
        # Its own writes it does not see as changes either: they are not there for anybody yet.
        assert [change.key for change in (await late.data.changes("n", after=start)).items] == ["early"]
    second = await keys.changes("n", after=first.position)
    assert [(change.key, change.revision) for change in second.items] == [("late", low.revision)]
    assert (await keys.changes("n", after=second.position)).items == []
    # Whoever stopped at the last change they handled, instead of the end of the page, goes on as well.
    assert [change.key for change in (await keys.changes("n", after=first.items[0].position)).items] == ["late"]


async def test_a_change_that_commits_late_is_not_missed_after_a_revision(shared: Holdfast, tenant: str) -> None:
    keys = shared.data(tenant)
    await keys.set("n", "early", 0)
    async with shared.tenant(tenant) as hold:
        await hold.data.set("n", "late", 1)
        seen = (await keys.set("n", "quick", 2)).revision
        assert [change.key for change in (await keys.changes("n", after=seen)).items] == []
    assert "late" in [change.key for change in (await keys.changes("n", after=seen, limit=1)).items]
    # In pages too, and from a revision that another namespace has.
    other = (await keys.set("m", "other", 3)).revision
    found, more = [], await keys.changes("n", after=seen, limit=1)
    while True:
        found += [change.key for change in more.items]
        if not more.more:
            break
        more = await keys.changes("n", after=more.position, limit=1)
    assert "late" in found
    assert "early" not in found
    assert "quick" not in found
    assert {"late", "quick"} >= {change.key for change in (await keys.changes("n", after=other)).items}


async def test_nothing_comes_twice_after_a_revision_when_nobody_wrote_at_the_same_time(
    shared: Holdfast, tenant: str
) -> None:
    keys = shared.data(tenant)
    revisions = [(await keys.set("n", key, 1)).revision for key in "abc"]
    for number, revision in enumerate(revisions):
        told = (await keys.changes("n", after=revision)).items
        assert [change.key for change in told] == list("abc"[number + 1 :])


async def test_what_a_savepoint_undid_never_happened(shared: Holdfast, tenant: str) -> None:
    keys = shared.data(tenant)
    async with shared.tenant(tenant) as hold:
        await hold.data.set("n", "kept", 1)
        with pytest.raises(ZeroDivisionError):
            async with hold.connection.transaction():
                await hold.data.set("n", "undone", 1)
                raise ZeroDivisionError
        async with hold.connection.transaction():
            await hold.data.set("n", "inner", 1)
    assert [change.key for change in (await keys.changes("n", after=0)).items] == ["kept", "inner"]


async def test_followers_among_many_writers_see_each_change_once(shared: Holdfast, tenant: str) -> None:
    keys = shared.data(tenant)
    seen: list[tuple[str, int]] = []
    position = (await keys.changes("n")).position
    writing = asyncio.gather(*(_write_slowly(shared, tenant, writer) for writer in range(6)))
    while True:
        done = writing.done()
        page = await keys.changes("n", after=position, limit=7)
        seen += [(change.key, change.revision) for change in page.items]
        position = page.position
        if done and not page.items and not page.more:
            break
    written = await writing
    assert sorted(seen) == sorted(one for some in written for one in some)
    for key in {key for key, _ in seen}:
        revisions = [revision for name, revision in seen if name == key]
        assert revisions == sorted(revisions)


async def _write_slowly(app: Holdfast, tenant: str, writer: int) -> list[tuple[str, int]]:
    wrote = []
    for number in range(8):
        async with app.tenant(tenant) as hold:
            # In an order that all share, so that nobody waits for somebody who waits for them.
            for key in sorted({f"shared-{number % 3}", f"own-{writer}"}, reverse=True):
                wrote.append((key, (await hold.data.set("n", key, number)).revision))
                await asyncio.sleep(0)
    return wrote


async def test_watching_is_live(shared: Holdfast, tenant: str) -> None:
    keys = shared.data(tenant)
    made = await keys.set("n", "before", 0)
    watching = keys.watch("n", after=made.revision)

    async def write() -> None:
        await keys.set("n", "a", 1)
        await keys.delete("n", "a")

    async with asyncio.timeout(20):
        writing = asyncio.create_task(write())
        found = [(await anext(watching)).op for _ in range(2)]
        await writing
    assert found == ["set", "deleted"]
    await watching.aclose()  # type: ignore[attr-defined]  # it is a generator


async def test_who_watches_is_woken(shared: Holdfast, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No look by itself comes within the test: what arrives was told of."""
    monkeypatch.setattr("holdfast.data.changes._LOOK_SECONDS", 1000.0)
    keys = shared.data(tenant)
    start = (await keys.changes("n")).position
    changes = keys.watch("n", after=start)
    async with asyncio.timeout(20):
        waiting = asyncio.ensure_future(anext(changes))
        await until(lambda: _followed(shared))
        await keys.set("other", "k", 1)
        await keys.set("n", "k", 1)
        assert (await waiting).key == "k"
        waiting = asyncio.ensure_future(anext(changes))
        async with shared.tenant(tenant) as hold:
            await hold.data.delete("n", "k")
        assert (await waiting).op == "deleted"
        await changes.aclose()  # type: ignore[attr-defined]  # it is a generator
        await until(lambda: _left_alone(shared))


async def _followed(app: Holdfast) -> bool:
    """Whether somebody has let it be known that they wait for changes."""
    async with app.database.connection() as connection:
        row = await (
            await connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'")
        ).fetchone()
    return row is not None and row[0] > 0


async def _left_alone(app: Holdfast) -> bool:
    return not await _followed(app)


async def test_changes_are_dropped_by_the_month_and_a_lost_position_is_told(app: Holdfast, clock: FakeClock) -> None:
    keys = app.data("acme")
    first = await keys.set("n", "a", 1)
    old = (await keys.changes("n")).position
    await keys.set("n", "a", 2)
    clock.advance(timedelta(days=70))
    await app.tidy()
    for after in (old, first.revision):
        with pytest.raises(PositionLost, match="no longer kept"):
            await keys.changes("n", after=after)
    here = (await keys.changes("n")).position
    made = await keys.set("n", "a", 3)
    assert [change.revision for change in (await keys.changes("n", after=here)).items] == [made.revision]
    assert (await keys.changes("n", after=made.revision)).items == []
    with pytest.raises(InvalidInput):
        await keys.changes("n", after=-1)


async def test_a_position_of_another_database_is_refused(
    shared: Holdfast, tenant: str, holdfast_databases: Databases
) -> None:
    position = (await shared.data(tenant).changes("n")).position
    with holdfast_databases.clone() as other:
        async with Holdfast(dsn=holdfast_databases.dsn(other)) as app:
            await app.tenants.create("acme")
            with pytest.raises(PositionLost):
                await app.data("acme").changes("n", after=position)


async def test_a_quota_is_exact_with_many_writers(shared: Holdfast, tenant: str) -> None:
    keys = shared.data(tenant)
    await keys.configure("n", max_keys=10)

    async def create(number: int) -> bool:
        try:
            await keys.set("n", f"k{number}", 1)
        except QuotaExceeded:
            return False
        return True

    assert sum(await asyncio.gather(*map(create, range(30)))) == 10
    assert (await keys.rules("n")).keys == len((await keys.list("n")).items) == 10


async def test_batches_that_share_keys_do_not_deadlock(shared: Holdfast, tenant: str) -> None:
    keys = shared.data(tenant)
    names = [f"k{number}" for number in range(20)]
    await asyncio.gather(
        *(keys.set_many("n", dict.fromkeys(names if turn % 2 else reversed(names), turn)) for turn in range(12)),
        *(keys.delete_many("n", names if turn % 2 else reversed(names)) for turn in range(6)),
    )


async def test_the_janitor_sweeps_every_tenant_and_counts_quotas_anew(
    shared: Holdfast, tenant: str, clock: FakeClock, root: psycopg.Connection[Any]
) -> None:
    await shared.tenants.create(f"{tenant}-b")
    for slug in (tenant, f"{tenant}-b"):
        await shared.data(slug).set("n", "k", 1, ttl=60)
        await shared.data(slug).set("n", "stays", 1)
    await shared.data(tenant).configure("n", max_keys=10)
    root.execute("UPDATE holdfast.workflow_data_namespace SET keys = 9 WHERE namespace = 'n'")
    clock.advance(60)
    await shared.tidy()
    left = root.execute(
        "SELECT key FROM holdfast.workflow_data_store s JOIN holdfast.tenants t USING (tenant) "
        "WHERE starts_with(t.slug, %s)",
        [tenant],
    ).fetchall()
    assert [row["key"] for row in left] == ["stays", "stays"]
    assert (await shared.data(tenant).rules("n")).keys == 1


async def test_a_reader_never_writes(shared: Holdfast, tenant: str, clock: FakeClock, shared_dsn: str) -> None:
    """Reading works in a read-only transaction, also over keys whose time is over."""
    await shared.data(tenant).set("n", "k", 1, ttl=1)
    await shared.links(tenant).upsert("n", ("t", "a"), ("t", "b"))
    clock.advance(1)
    async with await AsyncConnection.connect(shared_dsn) as connection:
        await connection.execute("SET TRANSACTION READ ONLY")
        async with shared.tenant(tenant, connection=connection) as hold:
            assert await hold.data.get("n", "k") is None
            assert await hold.data.get_many("n", ["k"]) == {}
            assert (await hold.data.list("n")).items == []
            assert (await hold.data.list_namespaces()).namespaces == []
            assert len((await hold.data.changes("n", after=0)).items) == 1
            assert len((await hold.links.lookup("n", ("t", "a"))).matches) == 1
            assert len((await hold.links.list("n")).items) == 1


def _undoing(app: Holdfast, tenant: str, undone: bool) -> Any:
    @asynccontextmanager
    async def block() -> Any:
        try:
            async with app.tenant(tenant) as hold:
                yield hold
                if undone:
                    raise ZeroDivisionError
        except ZeroDivisionError:
            pass

    return block()
