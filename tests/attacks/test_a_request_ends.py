"""A statement that a request asks for ends after a while, whoever waits for it; those of workers take their time."""

from __future__ import annotations

import pytest
from psycopg.rows import tuple_row

from holdfast import Hold, Holdfast
from holdfast.errors import DatabaseOverloaded
from holdfast.postgres.shares import CALLER, Caller


async def limit_of(hold: Hold) -> str:
    async with hold.connection.cursor(row_factory=tuple_row) as cursor:
        await cursor.execute("SHOW statement_timeout")
        row = await cursor.fetchone()
    assert row is not None
    return str(row[0])


async def test_a_statement_of_a_request_ends_and_that_of_a_worker_does_not(app: Holdfast, holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn, statement_timeout=0.1) as site:
        nobody = CALLER.set(Caller("acme", "token"))
        try:
            with pytest.raises(DatabaseOverloaded, match="statement timeout"):
                async with site.tenant("acme") as hold:
                    await hold.connection.execute("SELECT pg_sleep(20)")
            # The next one has the whole time again, and so has whoever gets the connection after it.
            async with site.tenant("acme") as hold:
                await hold.users.get("ana")
        finally:
            CALLER.reset(nobody)
        for _ in range(3):
            async with site.tenant("acme") as hold:
                assert await limit_of(hold) == "0"


async def test_it_can_be_left_to_postgres(app: Holdfast, holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn, statement_timeout=0) as site:
        nobody = CALLER.set(Caller("acme", "token"))
        try:
            async with site.tenant("acme") as hold:
                assert await limit_of(hold) == "0"
        finally:
            CALLER.reset(nobody)
