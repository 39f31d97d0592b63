"""A transaction begins with its first statement, in one round trip, and nothing on its connection gets ahead of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg import errors as pg
from psycopg.pq import TransactionStatus
from psycopg.types.json import Jsonb

from harness.waiting import until
from holdfast import Hold, Holdfast, HoldfastError
from holdfast.postgres.deferred import DeferredConnection

WHO = "SELECT current_user::text AS who, current_setting('holdfast.tenant') AS tenant"


@pytest.fixture
async def one(holdfast_dsn: str, app: Holdfast) -> Any:
    """An application with a single connection, so that transactions follow each other on it."""
    async with Holdfast(dsn=holdfast_dsn, pool_max=1) as single:
        yield single


def held(hold: Hold) -> DeferredConnection:
    assert isinstance(hold.connection, DeferredConnection)
    return hold.connection


async def test_a_transaction_in_which_nothing_is_done_never_reaches_the_server(
    one: Holdfast, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    async with one.tenant("acme") as hold:
        await hold.info()
        pid = held(hold).info.backend_pid
    asked = "SELECT state_change FROM pg_stat_activity WHERE pid = %s"
    before = superuser.execute(asked, (pid,)).fetchone()
    async with one.tenant("acme") as hold:
        assert held(hold).info.backend_pid == pid
        assert held(hold).info.transaction_status is TransactionStatus.IDLE
    with pytest.raises(ZeroDivisionError):
        async with one.tenant("acme") as hold:
            raise ZeroDivisionError
    assert superuser.execute(asked, (pid,)).fetchone() == before


async def test_the_first_statement_takes_the_beginning_along(one: Holdfast, monkeypatch: pytest.MonkeyPatch) -> None:
    trips: list[Any] = []
    wait = AsyncConnection.wait

    async def counted(self: Any, generator: Any, *arguments: Any, **options: Any) -> Any:
        trips.append(generator)
        return await wait(self, generator, *arguments, **options)

    async with one.tenant("acme") as hold:
        monkeypatch.setattr(AsyncConnection, "wait", counted)
        await hold.data.get("cursors", "erp")
        assert len(trips) == 1
        assert held(hold).info.transaction_status is TransactionStatus.INTRANS
        await held(hold).begin()
        assert len(trips) == 1


async def executed(connection: AsyncConnection[Any]) -> Any:
    return await (await connection.execute(WHO)).fetchone()


async def in_a_savepoint(connection: AsyncConnection[Any]) -> Any:
    async with connection.transaction():
        return await (await connection.execute(WHO)).fetchone()


async def in_a_pipeline(connection: AsyncConnection[Any]) -> Any:
    async with connection.pipeline():
        cursor = await connection.execute(WHO)
    return await cursor.fetchone()


async def copied(connection: AsyncConnection[Any]) -> Any:
    async with connection.cursor() as cursor, cursor.copy(f"COPY ({WHO}) TO STDOUT") as copy:
        (row,) = [row async for row in copy.rows()]
    return row


async def streamed(connection: AsyncConnection[Any]) -> Any:
    async with connection.cursor() as cursor:
        (row,) = [row async for row in cursor.stream(WHO)]
    return row


async def by_a_server_side_cursor(connection: AsyncConnection[Any]) -> Any:
    async with connection.cursor(name="mine") as cursor:
        await cursor.execute(WHO)
        return await cursor.fetchone()


@pytest.mark.parametrize(
    "way",
    [executed, in_a_savepoint, in_a_pipeline, copied, streamed, by_a_server_side_cursor],
    ids=lambda w: w.__name__,
)
async def test_your_own_sql_is_in_the_tenants_transaction_however_it_comes(
    one: Holdfast, way: Callable[[AsyncConnection[Any]], Awaitable[Any]]
) -> None:
    async with one.tenant("acme") as hold:
        assert tuple(await way(hold.connection)) == ("holdfast_app", str(hold.tenant.id))
        assert held(hold).info.transaction_status is TransactionStatus.INTRANS
    async with one.database.connection() as connection:
        cursor = await connection.execute(
            "SELECT current_user <> 'holdfast_app', current_setting('holdfast.tenant', true)"
        )
        assert tuple(await cursor.fetchone() or ()) in ((True, ""), (True, None))


async def test_calls_can_be_made_inside_a_pipeline_of_the_callers(one: Holdfast) -> None:
    async with one.tenant("acme") as hold, held(hold).pipeline():
        await hold.data.set("cursors", "erp", 1)
        assert (await hold.data.get("cursors", "erp")) is not None


async def test_a_statement_that_the_server_forgot_fails_once_inside_of_a_transaction(one: Holdfast) -> None:
    async with one.tenant("acme") as hold:
        for _ in range(10):
            await hold.data.get("cursors", "erp")
    with pytest.raises(HoldfastError):
        async with one.tenant("acme") as hold:
            await hold.connection.execute("DEALLOCATE ALL")
            await hold.data.get("cursors", "erp")
    async with one.tenant("acme") as hold:
        await hold.connection.execute("SELECT 1")
        assert (await hold.data.get("cursors", "erp")) is None


async def test_a_fresh_transaction_can_be_joined(one: Holdfast) -> None:
    async with one.tenant("acme") as outer, one.tenant("acme", connection=outer.connection) as inner:
        await inner.data.set("cursors", "erp", 1)
    async with one.tenant("acme") as hold:
        assert (await hold.data.get("cursors", "erp")) is not None


VALUES: list[Any] = [
    None,
    True,
    7,
    2**40,
    1.5,
    Decimal("12500.00"),
    "a % and a $1",
    b"\x00\xff",
    UUID(int=7),
    datetime(2026, 6, 4, tzinfo=UTC),
    ["a", "b,c", '"d"'],
    Jsonb({"seen": [1, None]}),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
async def test_values_are_those_of_any_other_statement(one: Holdfast, value: Any) -> None:
    query = "SELECT %(value)s AS given, %(value)s::text AS told, '%%' AS sign"
    if isinstance(value, Jsonb | None):
        query = "SELECT %(value)s::jsonb AS given, %(value)s::text AS told, '%%' AS sign"
    for _ in range(7):  # by its text, then by a name
        async with one.tenant("acme") as hold:
            first = await hold._tx.rows(query, value=value)
            assert await hold._tx.rows(query, value=value) == first
            assert first[0]["sign"] == "%"


async def test_how_many_rows_are_touched(one: Holdfast) -> None:
    for _ in range(7):
        async with one.tenant("acme") as hold:
            assert await hold._tx.run("SELECT n FROM generate_series(1, %(many)s::int) n", many=3) == 3


async def test_large_values_both_ways(one: Holdfast) -> None:
    text = "x" * 4_000_000
    async with one.tenant("acme") as hold:
        rows = await hold._tx.rows("SELECT %(text)s::text AS text FROM generate_series(1, 3)", text=text)
    assert [row["text"] == text for row in rows] == [True] * 3


async def test_a_first_statement_that_fails_leaves_nothing_behind(one: Holdfast) -> None:
    for _ in range(20):
        with pytest.raises(pg.DivisionByZero):
            async with one.tenant("acme") as hold:
                await hold._tx.rows("SELECT 1 / %(zero)s::int", zero=0)
    async with one.tenant("acme") as hold:
        names = (
            "SELECT count(*) AS n FROM pg_prepared_statements"
            " WHERE name LIKE 'deferred%%' AND statement LIKE '%%1 / $1%%'"
        )
        assert await hold._tx.row(names) == {"n": 1}


async def test_statements_that_the_server_forgot_are_told_again(one: Holdfast) -> None:
    for turn in range(8):
        async with one.tenant("acme") as hold:
            assert await hold._tx.row("SELECT %(turn)s::int AS turn", turn=turn) == {"turn": turn}
    async with one.database.connection() as connection:
        await connection.execute("DEALLOCATE ALL")
    for turn in range(8):
        async with one.tenant("acme") as hold:
            assert await hold._tx.row("SELECT %(turn)s::int AS turn", turn=turn) == {"turn": turn}


async def test_a_table_that_changed_is_read_as_it_is_now(
    one: Holdfast, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    superuser.execute("CREATE TABLE public.thing (a int); GRANT SELECT ON public.thing TO holdfast_app")
    superuser.execute("INSERT INTO public.thing VALUES (1)")
    for _ in range(8):
        async with one.tenant("acme") as hold:
            assert await hold._tx.row("SELECT * FROM public.thing") == {"a": 1}
    superuser.execute("ALTER TABLE public.thing ADD b int")
    async with one.tenant("acme") as hold:
        assert await hold._tx.row("SELECT * FROM public.thing") == {"a": 1, "b": None}


async def test_a_first_statement_that_is_broken_off_gives_the_connection_back(
    one: Holdfast, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    async def wait_long() -> None:
        async with one.tenant("acme") as hold:
            await hold._tx.rows("SELECT pg_sleep(60)")

    task = asyncio.create_task(wait_long())
    asleep = "SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()"
    await until(lambda: superuser.execute(asleep).rowcount)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(20), one.tenant("acme") as hold:
        assert (await hold.info()).slug == "acme"


async def test_a_connection_that_is_lost_is_an_error_and_then_replaced(
    one: Holdfast, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    async with one.tenant("acme") as hold:
        await hold.info()
        pid = held(hold).info.backend_pid
    with pytest.raises((HoldfastError, psycopg.Error)):
        async with one.tenant("acme") as hold:
            superuser.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
            await hold.info()
    async with one.tenant("acme") as hold:
        assert (await hold.info()).slug == "acme"


async def test_what_is_undone_in_a_transaction_leaves_its_statements_known(one: Holdfast) -> None:
    """psycopg lets the server forget every name when a savepoint is undone, if it gave one itself."""
    for _ in range(8):
        async with one.tenant("acme") as hold:
            await hold.data.get("cursors", "erp")
            await executed(hold.connection)
    async with one.tenant("acme") as hold:
        await hold.info()
        with pytest.raises(ZeroDivisionError):
            async with hold.connection.transaction():
                await hold.data.set("cursors", "erp", 1)
                raise ZeroDivisionError
        assert await hold.data.get("cursors", "erp") is None
