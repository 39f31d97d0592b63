"""Upgrades: what an older compiler published is compiled anew when a worker of a newer version starts (WF-07).

Only ever by a newer one: two versions of the product side by side do not undo each other's work. What this program
cannot compile, for want of a node type or because its compiler refuses it, stays as it is and stays listed as stale.
"""

from __future__ import annotations

import logging

from psycopg.rows import dict_row

from holdfast.envelope import CURRENT_COMPILER_VERSION
from holdfast.errors import DatabaseUnreachable, HoldfastError
from holdfast.kernel.actor import Actor
from holdfast.kernel.clock import Clock
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Tenant
from holdfast.processes.definitions.api import Definitions
from holdfast.processes.definitions.library import Library

__all__ = ["recompile_stale"]

_SQL = queries("definitions")
_TENANTS = queries("tenant")
_log = logging.getLogger(__name__)


async def recompile_stale(database: Database, library: Library, clock: Clock) -> int:
    """Compile anew what an older compiler published, in every tenant; how many workflows it was."""
    async with database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_SQL["stale_workflows"], {"compiler_version": CURRENT_COMPILER_VERSION})
        stale = await cursor.fetchall()
        if not stale:
            return 0
        rows = await (await connection.execute(_TENANTS["list_tenants"])).fetchall()
    tenants = {row[0]: Tenant(*row[:4]) for row in rows}
    done = 0
    for each in stale:
        tenant = tenants.get(each["tenant"])
        if tenant is None:
            continue
        try:
            async with database.transaction(tenant, Actor.system("upgrade"), clock) as tx:
                await Definitions(tx, library).recompile(each["entity_type"])
        except DatabaseUnreachable:
            raise
        except HoldfastError as error:
            _log.warning("%s of %s stays with its old compiler: %s", each["entity_type"], tenant.slug, error)
        else:
            done += 1
            _log.info("%s of %s was compiled anew by %s", each["entity_type"], tenant.slug, CURRENT_COMPILER_VERSION)
    return done
