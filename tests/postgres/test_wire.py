"""One statement at a time over a bare connection: answers, errors, and servers that go away."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Literal
from uuid import UUID

import psycopg
import pytest
from psycopg import AsyncConnection

from harness.resetting import ResettingRelay
from harness.waiting import until
from holdfast import Holdfast
from holdfast.errors import DatabaseUnreachable
from holdfast.postgres.connect import allow_prepared
from holdfast.postgres.wire import Wire

ECHO = "SELECT %(a)s::text, %(b)s::text, %(a)s::text"


async def connected(dsn: str) -> Wire:
    connection = await AsyncConnection.connect(dsn, autocommit=True)
    await allow_prepared(connection)
    return Wire(connection)


async def test_values_go_as_text_and_come_back_as_what_they_are(holdfast_dsn: str) -> None:
    wire = await connected(holdfast_dsn)
    at = datetime(2026, 6, 4, 12, 30, tzinfo=UTC)
    query = (
        "SELECT %(n)s::int, %(t)s::bool, %(u)s::uuid, %(at)s::timestamptz = '2026-06-04 12:30Z', "
        "%(none)s::text, %(s)s::text"
    )
    values = {"n": -12, "t": True, "u": UUID(int=5), "at": at, "none": None, "s": 'ünï "quoted" %s {}'}
    for _ in range(3):
        assert await wire.run(query, values) == [(-12, True, UUID(int=5), True, None, values["s"])]
    assert await wire.run("SELECT generate_series(1, %(n)s::int)", {"n": 3}) == [(1,), (2,), (3,)]
    assert await wire.run(ECHO, {"a": "x", "b": "y"}) == [("x", "y", "x")]
    await wire.close()


async def test_lists_arrive_member_by_member(holdfast_dsn: str) -> None:
    async with await connected(holdfast_dsn) as wire:
        odd = ['a "quoted" \\ {b,c}', "", "NULL", None, "ü\n"]
        query = "SELECT %(texts)s::text[], %(numbers)s::int[], %(spans)s::interval[], %(nothing)s::uuid[]"
        spans = [timedelta(days=-1, microseconds=3), timedelta(hours=30)]
        values = {"texts": odd, "numbers": [1, None, -3], "spans": spans, "nothing": []}
        assert await wire.run(query, values) == [(odd, [1, None, -3], spans, [])]


async def test_text_that_postgres_cannot_hold_is_refused_and_not_cut(holdfast_dsn: str) -> None:
    async with await connected(holdfast_dsn) as wire:
        for value in ("a\0b", ["a\0b"]):
            with pytest.raises(psycopg.DataError, match="NUL"):
                await wire.run("SELECT %(a)s::text", {"a": value})
        assert await wire.run("SELECT 1", {}) == [(1,)]


async def test_an_error_is_psycopgs_own_and_the_next_statement_works(holdfast_dsn: str) -> None:
    wire = await connected(holdfast_dsn)
    with pytest.raises(psycopg.errors.DivisionByZero):
        await wire.run("SELECT 1 / %(n)s::int", {"n": 0})
    with pytest.raises(psycopg.errors.UndefinedTable):
        await wire.run("SELECT * FROM nowhere", {})
    assert await wire.run("SELECT 1 / %(n)s::int", {"n": 1}) == [(1,)]
    await wire.close()


@pytest.mark.every_loop
async def test_a_large_value_is_sent_whole(holdfast_dsn: str) -> None:
    wire = await connected(holdfast_dsn)
    large = "ü" * 4_000_000
    assert await wire.run("SELECT length(%(a)s::text), %(a)s::text", {"a": large}) == [(4_000_000, large)]
    await wire.close()


@pytest.mark.every_loop
async def test_a_statement_that_was_broken_off_gives_its_answer_to_nobody(holdfast_dsn: str) -> None:
    wire = await connected(holdfast_dsn)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await wire.run("SELECT pg_sleep(0.2), 1", {})
    assert wire.closed
    with pytest.raises(psycopg.OperationalError):
        await wire.run("SELECT 2", {})


@pytest.mark.every_loop
async def test_a_server_that_never_answers_is_taken_for_gone(holdfast_dsn: str) -> None:
    async with await AsyncConnection.connect(holdfast_dsn, autocommit=True) as connection:
        wire = Wire(connection, patience=0.2)
        assert await wire.run("SELECT 1", {}) == [(1,)]
        await asyncio.sleep(0.3)  # time itself: a connection is idle for longer than its patience
        # Only while somebody waits for an answer.
        assert await wire.run("SELECT 2", {}) == [(2,)]
        with pytest.raises(psycopg.OperationalError, match="did not answer"):
            await wire.run("SELECT pg_sleep(5)", {})
        assert wire.closed


async def test_what_is_prepared_beforehand_is_prepared_once(holdfast_dsn: str) -> None:
    async with await connected(holdfast_dsn) as wire:
        await wire.prepare(ECHO)
        assert await wire.run(ECHO, {"a": "x", "b": "y"}) == [("x", "y", "x")]
        assert await wire.run("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT $1%%'", {}) == [
            (1,)
        ]


@pytest.mark.every_loop
async def test_a_server_that_goes_away_is_noticed_while_idle(
    live_app: Holdfast, superuser: psycopg.Connection[dict[str, object]]
) -> None:
    database = live_app.database
    ((first,),) = await database.quick("SELECT pg_backend_pid()", {})
    superuser.execute("SELECT pg_terminate_backend(%s)", [first])
    await until(lambda: database._wire is not None and database._wire.closed)
    ((second,),) = await database.quick("SELECT pg_backend_pid()", {})
    assert first != second


@pytest.mark.every_loop
async def test_a_server_that_goes_away_during_a_statement_is_an_error(
    live_app: Holdfast, superuser: psycopg.Connection[dict[str, object]]
) -> None:
    task = asyncio.create_task(live_app.database.quick("SELECT pg_sleep(30)", {}))
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(30)'"
    await until(lambda: superuser.execute(end).rowcount)
    with pytest.raises(DatabaseUnreachable):
        await task


@pytest.mark.every_loop
@pytest.mark.parametrize("last_words", ["warning", "error"])
@pytest.mark.parametrize("kind", ["unix", "tcp"])
async def test_a_statement_that_a_reset_interrupts_ends_at_once(
    holdfast_dsn: str, kind: Literal["unix", "tcp"], last_words: Literal["warning", "error"]
) -> None:
    """A dying server says so, and leaves unread what it was asked: uvloop tells of both with one call, its last."""
    with ResettingRelay(holdfast_dsn, kind) as relay:
        async with await connected(relay.dsn) as wire:
            assert await wire.run("SELECT 1", {}) == [(1,)]
            relay.hold()
            task = asyncio.create_task(wire.run("SELECT 1", {}))
            await asyncio.to_thread(relay.reset, last_words)
            async with asyncio.timeout(0.9):  # before anybody looks by himself
                with pytest.raises(psycopg.OperationalError, match=r"closed the connection|reset"):
                    await task
            assert wire.closed


@pytest.mark.every_loop
@pytest.mark.parametrize("kind", ["unix", "tcp"])
async def test_who_gets_the_descriptor_of_a_broken_connection_is_not_concerned(
    holdfast_dsn: str, kind: Literal["unix", "tcp"]
) -> None:
    with ResettingRelay(holdfast_dsn, kind) as relay:
        broken = await connected(relay.dsn)
        number = broken._socket
        relay.hold()
        task = asyncio.create_task(broken.run("SELECT 1", {}))
        await asyncio.to_thread(relay.reset)
        with pytest.raises(psycopg.OperationalError):
            await asyncio.wait_for(task, 10)
        again = [await connected(holdfast_dsn) for _ in range(4)]
        assert number in [wire._socket for wire in again], "one of them has the same number"
        # Closing what is broken must not make the loop deaf to those who came after it.
        await broken.close()
        for wire in again:
            assert await asyncio.wait_for(wire.run("SELECT 1", {}), 5) == [(1,)]
            await wire.close()
        async with await AsyncConnection.connect(holdfast_dsn) as plain:
            assert await (await plain.execute("SELECT 1")).fetchone() == (1,)


@pytest.mark.every_loop
async def test_a_loop_that_never_tells_of_a_broken_socket_keeps_a_statement_waiting_for_a_second_only(
    holdfast_dsn: str,
) -> None:
    with ResettingRelay(holdfast_dsn, "unix") as relay:
        async with await connected(relay.dsn) as wire:
            relay.hold()
            asyncio.get_running_loop().remove_reader(wire._socket)
            task = asyncio.create_task(wire.run("SELECT 1", {}))
            await asyncio.to_thread(relay.reset)
            with pytest.raises(psycopg.OperationalError):
                await asyncio.wait_for(task, 5)


async def test_a_wire_of_the_application_does_not_wait_for_ever(live_app: Holdfast) -> None:
    assert await live_app.database.quick("SELECT 1", {}) == [(1,)]
    wire = live_app.database._wire
    assert wire is not None
    wire._patience = 0.2
    with pytest.raises(DatabaseUnreachable, match="did not answer"):
        await asyncio.wait_for(live_app.database.quick("SELECT pg_sleep(30)", {}), 10)


async def test_many_at_once_share_the_pool(live_app: Holdfast) -> None:
    rows = await asyncio.gather(
        *[live_app.database.quick("SELECT %(n)s::int, %(none)s::text", {"n": n, "none": None}) for n in range(50)]
    )
    assert [row for (row,) in rows] == [(n, None) for n in range(50)]


async def test_behind_a_pooler_nothing_is_prepared(pgbouncer: str) -> None:
    wires = [await connected(pgbouncer) for _ in range(4)]
    for _ in range(3):
        rows = await asyncio.gather(*[wire.run(ECHO, {"a": str(n), "b": "y"}) for n, wire in enumerate(wires)])
        assert [row[0][0] for row in rows] == ["0", "1", "2", "3"]
    for wire in wires:
        await wire.close()


@pytest.fixture
async def live_app(holdfast_app: Holdfast) -> Holdfast:
    await holdfast_app.open()
    return holdfast_app
