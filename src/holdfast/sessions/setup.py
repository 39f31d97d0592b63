"""Brings LangGraph's tables up to what the installed library wants: safe however many processes try at once.

Our migrations make the tables as version 3.2 of langgraph-checkpoint-postgres does. A newer library may bring
migrations of its own; they are applied here, by an administrator's login, one process at a time, and the tables are
protected anew.
"""

from __future__ import annotations

from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import dict_row

from holdfast.errors import ExtraMissing
from holdfast.postgres.connect import reach
from holdfast.postgres.migrate import migration_lock
from holdfast.postgres.queries import queries

__all__ = ["is_behind", "set_up"]

_SQL = queries("sessions")
_ADMIN = queries("install")


async def is_behind(connection: AsyncConnection[Any]) -> bool:
    """Whether the installed library has migrations that the tables lack. False without the library."""
    try:
        saver = _saver()
    except ExtraMissing:
        return False
    return await _version(connection) < len(saver.MIGRATIONS) - 1


async def set_up(conninfo: str, *, timeout: float = 10.0) -> bool:
    """Apply what is missing, as the owner of the tables; whether anything was."""
    saver = _saver()
    async with (
        reach(conninfo, timeout=timeout) as locking,
        migration_lock(locking),
        reach(conninfo, timeout=timeout) as connection,
    ):
        if await _version(connection) >= len(saver.MIGRATIONS) - 1:
            return False
        await connection.execute(_ADMIN["become_owner"])
        await connection.execute(_SQL["setup_path"])
        connection.row_factory = dict_row
        await saver(connection).setup()
        await connection.execute(_SQL["protect_threads"])
        return True


async def _version(connection: AsyncConnection[Any]) -> int:
    async with connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_SQL["langgraph_tables"])
        there = await cursor.fetchone()
        if there is None or not there["it"]:
            return -1
        await cursor.execute(_SQL["langgraph_version"])
        row = await cursor.fetchone()
        return -1 if row is None else int(row["version"])


def _saver() -> Any:
    try:
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    except ModuleNotFoundError as error:
        raise ExtraMissing("LangGraph is not installed", hint="pip install 'holdfast[langgraph]'") from error
    return AsyncPostgresSaver
