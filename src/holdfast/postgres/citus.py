"""Citus: when the extension is there, migrations end by distributing the tenant tables by tenant, side by side.

`tenants` is small and is referred to by all: it becomes a reference table. Tables without a tenant stay on the
coordinator. On plain Postgres this does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from psycopg import AsyncConnection
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
        await cursor.execute(_SQL["tables_to_distribute"])
        tables = await cursor.fetchall()
        first: str | None = None
        for table in tables:
            if not table["has_tenant"]:
                continue
            await cursor.execute(_SQL["is_distributed"], {"name": table["name"]})
            known = await cursor.fetchone()
            if known is None or not known["found"]:
                tell(f"Distributing {table['name']}")
                if table["is_tenants"]:
                    await cursor.execute(_SQL["make_reference_table"], {"name": table["name"]})
                else:
                    await cursor.execute(
                        _SQL["distribute_table"], {"name": table["name"], "beside": first or "default"}
                    )
            if not table["is_tenants"]:
                first = first or table["name"]
