"""Whether Postgres has room on its disk: found out by writing a little, which leaves nothing behind.

More than fits into the memory it may use makes a sort write a temporary file, beside the data: no row, no log, no
catalogue is touched, and any login may do it.
"""

from __future__ import annotations

from typing import Any

from psycopg import AsyncConnection

from holdfast.errors import DatabaseOverloaded
from holdfast.postgres.failures import translated
from holdfast.postgres.queries import queries

__all__ = ["try_room"]

_SQL = queries("install")


async def try_room(connection: AsyncConnection[Any]) -> None:
    """Raise `DatabaseFull` when a megabyte cannot be written. Limits of the operator's are no full disk."""
    try:
        with translated(ours=True):
            async with connection.transaction():
                await connection.execute(_SQL["little_memory"])
                await connection.execute(_SQL["write_a_megabyte"])
    except DatabaseOverloaded:
        return
