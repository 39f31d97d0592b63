"""Who receives a message: the people behind users, roles and managers, as they are when it is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from holdfast.effects.model import Recipient
from holdfast.kernel.actor import Actor
from holdfast.kernel.clock import Clock
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Tenant, TenantTx

__all__ = ["WORKER", "find_recipients", "transaction_of"]

_SQL = queries("effects")
WORKER = Actor.system("effects")


def transaction_of(database: Database, tenant: UUID, clock: Clock) -> Any:
    """A transaction of the tenant with this id, as the effects worker."""
    return database.transaction(Tenant(tenant, slug="", name=""), WORKER, clock)


async def find_recipients(tx: TenantTx, to: Sequence[Any]) -> list[Recipient]:
    """The active people meant by `to`, each once, by name."""

    def named(kind: str, field: str) -> list[str]:
        return [str(each[field]) for each in to if each.get("kind") == kind and each.get(field)]

    rows = await tx.rows(
        _SQL["addresses"], users=named("user", "user"), roles=named("role", "role"), managed=named("manager", "of")
    )
    return [Recipient(row["name"], row["email"]) for row in rows]
