"""Turns the name of a user into an `Actor` with the permissions of its roles."""

from __future__ import annotations

from typing import Literal, cast

from holdfast.errors import ActorNotFound
from holdfast.kernel.actor import BUILT_IN_ROLES, Actor, is_permission
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["load_actor"]

_SQL = queries("access")


async def load_actor(tx: TenantTx, name: str) -> Actor:
    """The user of that name as it is now; a deactivated one cannot act."""
    row = await tx.row(_SQL["load_actor"], name=name)
    if row is None or row["deactivated"]:
        state = "is deactivated" if row else "does not exist"
        raise ActorNotFound(
            f"the user {name!r} {state} in the tenant {tx.tenant.slug!r}",
            hint="add it with `hold.users.create(...)` or `holdfast users add`; trusted code may act as Actor.system()",
            actor=name,
        )
    permissions = {each for each in row["own_permissions"] if is_permission(each)}
    for role in row["roles"]:
        permissions |= BUILT_IN_ROLES.get(role, frozenset())
    kind = cast("Literal['user', 'service']", row["kind"])
    return Actor(kind, row["name"], frozenset(row["roles"]), frozenset(permissions))
