"""What happens when the connection, the pooler or the server fails half-way."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from harness.faultproxy import FaultProxy
from harness.waiting import until
from holdfast import Holdfast
from holdfast.errors import DatabaseUnreachable, DatabaseUnsupported
from holdfast.postgres.connect import reach
from holdfast.testing import Databases


async def names(app: Holdfast) -> list[str]:
    async with app.tenant("acme") as hold:
        return [user.name for user in (await hold.users.list()).items]


async def test_cut_before_commit_nothing_happened(holdfast_dsn: str) -> None:
    async with FaultProxy(holdfast_dsn) as proxy, Holdfast(dsn=proxy.dsn) as app:
        await app.tenants.create("acme")
        proxy.cut(on="COMMIT", when="before")
        with pytest.raises(DatabaseUnreachable, match="lost"):
            async with app.tenant("acme") as hold:
                await hold.users.create("ben")
        assert proxy.cuts == 1
        assert await names(app) == []


async def test_cut_after_commit_the_work_stands_though_the_caller_cannot_know(holdfast_dsn: str) -> None:
    async with FaultProxy(holdfast_dsn) as proxy, Holdfast(dsn=proxy.dsn) as app:
        await app.tenants.create("acme")
        proxy.cut(on="COMMIT", when="after")
        with pytest.raises(DatabaseUnreachable):
            async with app.tenant("acme") as hold:
                await hold.users.create("ben")
        assert await names(app) == ["ben"]
        async with app.tenant("acme") as hold:
            assert (await hold.audit.verify()).ok


async def until_cut(proxy: FaultProxy) -> None:
    while proxy.open:  # noqa: ASYNC110 - its tasks set no event
        await asyncio.sleep(0)


@pytest.mark.every_loop
async def test_dropped_connections_are_replaced_unnoticed(holdfast_dsn: str) -> None:
    async with FaultProxy(holdfast_dsn) as proxy, Holdfast(dsn=proxy.dsn, pool_min=3) as app:
        await app.tenants.create("acme")
        before = proxy.connections
        proxy.drop_all()
        # uvloop cuts in its next round; before that, nobody could know.
        await until_cut(proxy)
        assert await names(app) == []
        assert proxy.connections > before


@pytest.mark.every_loop
async def test_a_server_that_is_down_is_an_error_and_its_return_heals(holdfast_dsn: str) -> None:
    async with FaultProxy(holdfast_dsn) as proxy, Holdfast(dsn=proxy.dsn, connect_timeout=1.0) as app:
        await app.tenants.create("acme")
        proxy.refuse()
        proxy.drop_all()
        for _ in range(2):  # The second finds no connection left that could tell what happened to it.
            with pytest.raises(DatabaseUnreachable) as caught:
                await names(app)
        assert "that the server runs" in (caught.value.hint or "")
        proxy.refuse(False)
        for _ in range(50):
            try:
                assert await names(app) == []
                break
            except DatabaseUnreachable:
                continue
        else:
            pytest.fail("the pool did not recover")


async def test_a_slow_network_only_makes_it_slow(holdfast_dsn: str) -> None:
    async with FaultProxy(holdfast_dsn) as proxy, Holdfast(dsn=proxy.dsn) as app:
        proxy.delay = 0.02
        await app.tenants.create("acme")
        assert await names(app) == []


@pytest.mark.every_loop
async def test_a_cancelled_block_is_undone_and_its_connection_goes_on(holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn, pool_min=1, pool_max=1) as app:
        await app.tenants.create("acme")
        inside = asyncio.Event()

        async def work() -> None:
            async with app.tenant("acme") as hold:
                await hold.users.create("ben")
                inside.set()
                await hold.connection.execute("SELECT pg_sleep(60)")

        task = asyncio.create_task(work())
        await inside.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.wait_for(names(app), 10) == []


@pytest.mark.every_loop
async def test_a_connection_lost_while_its_statement_is_cancelled_does_not_hide_the_cancellation(
    holdfast_dsn: str, superuser: psycopg.Connection[dict[str, object]]
) -> None:
    async with FaultProxy(holdfast_dsn) as proxy:

        async def work() -> None:
            async with reach(proxy.dsn, timeout=1) as connection:
                await connection.execute("SELECT pg_sleep(60)")

        task = asyncio.create_task(work())
        asked = "SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)' AND state = 'active'"
        await until(lambda: superuser.execute(asked).rowcount)
        proxy.refuse()
        proxy.drop_all()
        task.cancel()
        await asyncio.wait([task], timeout=20)
        assert task.cancelled()


@pytest.mark.parametrize(
    ("dsn", "said"),
    [
        ("postgresql://u:pass-word@127.0.0.1:1/db", "127.0.0.1:1/db"),
        ("host=/nowhere dbname=x password=pass-word", "/nowhere"),
    ],
)
async def test_an_unreachable_server_is_named_without_the_password(dsn: str, said: str) -> None:
    with pytest.raises(DatabaseUnreachable) as caught:
        await Holdfast(dsn=dsn, connect_timeout=2).open()
    assert said in str(caught.value)
    assert "pass-word" not in str(caught.value)
    assert "HOLDFAST_DSN" in str(caught.value)


async def test_a_server_that_is_too_old_is_refused_before_anything_is_changed(
    holdfast_databases: Databases,
) -> None:
    """The proxy makes the server look like version 14; everything else about it is real."""
    with holdfast_databases.empty() as name:
        dsn = holdfast_databases.dsn(name)
        with psycopg.connect(dsn) as connection:
            version = connection.info.parameter_status("server_version") or ""
        async with FaultProxy(dsn) as proxy:
            proxy.rewrites[f"server_version\0{version}".encode()] = f"server_version\x0014{version[2:]}".encode()
            with pytest.raises(DatabaseUnsupported, match="holdfast needs 15 or newer"):
                await Holdfast(dsn=proxy.dsn, migrate="always").open()
        with psycopg.connect(dsn) as connection:
            assert connection.execute("SELECT to_regnamespace('holdfast')").fetchone() == (None,)


async def test_an_unknown_database_or_role_is_named(holdfast_dsn: str) -> None:
    for wrong in ({"dbname": "no_such_db"}, {"user": "no_such_role"}):
        with pytest.raises(DatabaseUnreachable, match="no_such"):
            await Holdfast(dsn=psycopg.conninfo.make_conninfo(holdfast_dsn, **wrong)).open()


async def test_everything_works_through_a_transaction_pooler(pgbouncer: str, holdfast_dsn: str) -> None:
    async with Holdfast(dsn=pgbouncer, listen_dsn=holdfast_dsn, admin_dsn=holdfast_dsn, pool_max=8) as app:
        for slug in ("acme", "globex"):
            await app.tenants.create(slug)
            async with app.tenant(slug) as hold:
                await hold.users.create("ana", roles=["admin"])

        async def mixed(number: int) -> None:
            # Eight clients over two server connections: statements of both tenants land on the same ones.
            slug = "acme" if number % 2 else "globex"
            for _ in range(15):
                async with app.tenant(slug, actor="ana") as hold:
                    rows = await (
                        await hold.connection.execute("SELECT DISTINCT tenant FROM holdfast.users")
                    ).fetchall()
                    assert rows == [(hold.tenant.id,)]
                    await hold.users.update("ana", display_name=f"Ana {number}")

        await asyncio.gather(*(mixed(number) for number in range(8)))
        for slug in ("acme", "globex"):
            async with app.tenant(slug) as hold:
                assert (await hold.audit.verify()).ok


async def test_migrating_works_through_a_transaction_pooler(pgbouncer: str) -> None:
    async with Holdfast(dsn=pgbouncer, migrate="always") as app:
        await app.tenants.create("acme")


@pytest.mark.every_loop
async def test_a_full_pool_survives_a_restart_of_the_server(holdfast_dsn: str) -> None:
    """Every connection is dead at once: whoever comes next does not wait for them one after another."""
    async with FaultProxy(holdfast_dsn) as proxy, Holdfast(dsn=proxy.dsn, pool_max=8, connect_timeout=5.0) as app:
        await app.tenants.create("acme")
        everybody = asyncio.Barrier(8)

        async def look() -> None:
            async with app.tenant("acme") as hold:
                await hold.users.list()
                await everybody.wait()

        for _ in range(2):
            await asyncio.gather(*(look() for _ in range(8)))
            assert app.database.pool_use()["size"] == 8
            proxy.drop_all()
            try:
                await names(app)
            except DatabaseUnreachable as error:
                assert "lost" in error.message  # noqa: PT017 - word of the end may come while the connection is in use
            assert await names(app) == []
