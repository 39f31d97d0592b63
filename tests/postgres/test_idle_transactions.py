"""A transaction that is forgotten does not stay: Postgres ends it, and the pool has a connection for others again."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast
from holdfast.errors import DatabaseUnreachable

OPEN = "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in trans%'"


async def test_postgres_ends_a_transaction_in_which_nothing_happens(
    holdfast_dsn: str, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    async with Holdfast(dsn=holdfast_dsn, pool_max=1, idle_transaction_timeout=0.3) as app:
        await app.tenants.create("acme")
        with pytest.raises(DatabaseUnreachable):
            async with app.tenant("acme") as hold:
                await hold.data.set("n", "k", 1)
                await until(lambda: superuser.execute(OPEN).fetchone() == {"n": 0})
                await hold.data.set("n", "l", 1)
        async with app.tenant("acme") as hold:
            assert await hold.data.get("n", "k") is None


async def test_without_a_limit_it_stays(holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn, idle_transaction_timeout=0) as app, app.database.connection() as connection:
        row = await (await connection.execute("SHOW idle_in_transaction_session_timeout")).fetchone()
        assert row == ("0",)


async def test_behind_a_transaction_pooler_nobody_else_gets_our_setting(pgbouncer: str, holdfast_dsn: str) -> None:
    async with Holdfast(dsn=pgbouncer, admin_dsn=holdfast_dsn) as app, app.database.connection() as connection:
        row = await (await connection.execute("SHOW idle_in_transaction_session_timeout")).fetchone()
        assert row == ("0",)
