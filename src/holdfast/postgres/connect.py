"""One connection apart from the pool: for migrations, checks and whatever must not wait for a pool."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict

from holdfast.errors import DatabaseUnsupported
from holdfast.postgres.failures import translated, unreachable
from holdfast.postgres.queries import queries

__all__ = [
    "MINIMUM_VERSION",
    "allow_prepared",
    "check_version",
    "connect_arguments",
    "end_idle_transactions",
    "reach",
    "version_of",
]

MINIMUM_VERSION = 150000

# A peer that vanished without a word is noticed within half a minute instead of the operating system's two hours.
KEEPALIVE: dict[str, Any] = {
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
_SQL = queries("install")


def connect_arguments(conninfo: str, timeout: float) -> dict[str, Any]:
    """What to connect with besides the connection string, which wins."""
    wanted = KEEPALIVE | {"connect_timeout": max(1, round(timeout))}
    given = conninfo_to_dict(conninfo)
    return {name: value for name, value in wanted.items() if name not in given}


@asynccontextmanager
async def reach(conninfo: str, *, timeout: float = 10.0) -> AsyncIterator[AsyncConnection[Any]]:
    """One connection apart from the pool, to a server that is new enough; autocommit, closed afterwards."""
    try:
        connection = await AsyncConnection.connect(
            conninfo, autocommit=True, prepare_threshold=None, **connect_arguments(conninfo, timeout)
        )
    except psycopg.OperationalError as error:
        raise unreachable(conninfo, error) from None
    async with connection:
        # The server said so when it greeted us: asking would be the first statement of a new server process.
        check_version(connection.info.server_version, version_of(connection))
        with translated(conninfo):
            yield connection


async def allow_prepared(connection: AsyncConnection[Any], *, after: int = 5) -> None:
    """Let statements be prepared on the server after some uses, unless a transaction pooler is in between.

    A pooler hands out a process id of its own making. Behind one, the next transaction may run on another server
    process, which does not know the statements prepared on this one.
    """
    cursor = await connection.execute(_SQL["backend"])
    row = await cursor.fetchone()
    direct = row is not None and row[0] == connection.info.backend_pid
    connection.prepare_threshold = after if direct else None


async def end_idle_transactions(connection: AsyncConnection[Any], seconds: float) -> None:
    """Let Postgres end a transaction in which nothing was done for so long; 0: never. It ends the connection too."""
    await connection.execute(_SQL["end_idle_transactions"], {"timeout": f"{round(seconds * 1000)}ms"})


def version_of(connection: AsyncConnection[Any]) -> str:
    """The server's version as people know it."""
    return connection.info.parameter_status("server_version") or str(connection.info.server_version)


def check_version(number: int, text: str) -> None:
    """Refuse a server that lacks what we rely on."""
    if number < MINIMUM_VERSION:
        raise DatabaseUnsupported(
            f"the server is Postgres {text}; holdfast needs {MINIMUM_VERSION // 10000} or newer",
            hint="upgrade the server, or leave HOLDFAST_DSN unset to use the embedded Postgres",
        )
