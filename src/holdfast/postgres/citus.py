"""Citus: when the extension is there, migrations end by distributing what tenants keep, side by side, by tenant.

That is the data store: keys, links and the rules of namespaces, of which every statement names one tenant. All else
stays on the coordinator, as ordinary tables: workers lease the runs, events and effects of all tenants at once, and
Citus locks no rows across tenants. The whole data store is distributed or, when Citus refuses, nothing of it;
`holdfast migrate` says which. On plain Postgres this does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import dict_row

from holdfast.errors import DatabaseUnsupported
from holdfast.postgres.queries import queries

__all__ = ["DISTRIBUTED", "distribute_tables", "distributed_tables", "has_citus", "prepare_nodes"]

DISTRIBUTED: Final = ("workflow_data_store", "workflow_data_namespace", "workflow_entity_links")
"""What is distributed. `workflow_data_change` is not: who follows it compares with transactions of the coordinator."""

_SQL = queries("citus")
_FUNCTIONS = queries("citus_functions")
_AFTERWARDS = ("fit_functions", "grants", "avoid_short_cut")


async def has_citus(connection: AsyncConnection[Any]) -> bool:
    """Whether the database has the extension."""
    [row] = await _rows(connection, "has_citus")
    return bool(row["found"])


async def distributed_tables(connection: AsyncConnection[Any]) -> list[str]:
    """Which of our tables are distributed: none without Citus."""
    if not await has_citus(connection):
        return []
    return [row["name"] for row in await _rows(connection, "distributed_tables")]


async def prepare_nodes(connection: AsyncConnection[Any]) -> None:
    """Make our roles known on every node, before anything belongs to them."""
    if not await has_citus(connection):
        return
    await connection.execute(_SQL["admit_owner"])
    for node in await _rows(connection, "create_roles_on_nodes"):
        raise DatabaseUnsupported(
            f"our roles cannot be made on the Citus node {node['name']}: {node['result']}",
            hint="make holdfast_owner, holdfast_app and holdfast_worker there, with LOGIN",
        )


async def distribute_tables(connection: AsyncConnection[Any], tell: Callable[[str], None]) -> None:
    """Distribute what is not distributed yet, and fit to it what the migrations have brought.

    Colocated, so that a tenant's joins and transactions stay on one node.
    """
    if not await has_citus(connection):
        return
    await prepare_nodes(connection)
    try:
        async with connection.transaction():
            await connection.execute(_SQL["one_connection"])
            known = await distributed_tables(connection)
            for name in DISTRIBUTED:
                if name not in known:
                    tell(f"Distributing {name} by tenant")
                    beside = "default" if name == DISTRIBUTED[0] else f"holdfast.{DISTRIBUTED[0]}"
                    await connection.execute(_SQL["distribute_table"], {"name": name, "beside": beside})
                    await connection.execute(_SQL["empty_old_place"], {"name": name})
            for function in _FUNCTIONS.values():
                await connection.execute(function)
            for statement in _AFTERWARDS:
                await connection.execute(_SQL[statement])
    except psycopg.Error as error:
        reason = (error.diag.message_primary or str(error)).strip()
        tell(f"Citus does not distribute the tables ({reason}); all of them stay where they are")


async def _rows(connection: AsyncConnection[Any], query: str) -> list[dict[str, Any]]:
    async with connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_SQL[query])
        return await cursor.fetchall()
