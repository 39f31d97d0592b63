"""Citus: when the extension is there, migrations end by distributing the tenant tables by tenant, side by side.

`tenants` is small and is referred to by all: it becomes a reference table. Tables without a tenant stay on the
coordinator. All of them are distributed or none: a version of Citus that refuses one (13.2 refuses partitions of
partitions) keeps them on the coordinator, as ordinary tables, and `holdfast migrate` says so. On plain Postgres this
does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import dict_row

from holdfast.postgres.queries import queries

__all__ = ["distribute_tables"]

_SQL = queries("citus")


async def distribute_tables(connection: AsyncConnection[Any], tell: Callable[[str], None]) -> None:
    """Distribute what is not distributed yet. Colocated, so that a tenant's joins and transactions stay on one node."""
    async with connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_SQL["has_citus"])
        row = await cursor.fetchone()
        if row is None or not row["found"]:
            return
        try:
            async with connection.transaction():
                await _distribute(cursor, tell)
        except psycopg.Error as error:
            reason = (error.diag.message_primary or str(error)).strip()
            tell(f"Citus does not distribute the tables ({reason}); all of them stay on the coordinator")


async def _distribute(cursor: AsyncCursor[dict[str, Any]], tell: Callable[[str], None]) -> None:
    await cursor.execute(_SQL["allow_triggers"])
    await cursor.execute(_SQL["tables_to_distribute"])
    first: str | None = None
    for table in await cursor.fetchall():
        if not table["has_tenant"]:
            continue
        await cursor.execute(_SQL["is_distributed"], {"name": table["name"]})
        known = await cursor.fetchone()
        if known is None or not known["found"]:
            tell(f"Distributing {table['name']}")
            if table["is_tenants"]:
                await cursor.execute(_SQL["make_reference_table"], {"name": table["name"]})
            else:
                await cursor.execute(_SQL["distribute_table"], {"name": table["name"], "beside": first or "default"})
        if not table["is_tenants"]:
            first = first or table["name"]
