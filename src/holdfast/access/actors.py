"""Turns the name of a user into an `Actor` with the permissions of its roles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, cast

from holdfast.errors import ActorNotFound
from holdfast.kernel.actor import BUILT_IN_ROLES, SYSTEM, Actor, is_permission
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx, told_parties

__all__ = ["acting_for", "actor_as_now", "load_actor", "load_carried"]

_SQL = queries("access")
_TENANT = queries("tenant")


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
    return actor_as_now(row)


async def load_carried(tx: TenantTx, told: Mapping[str, Any]) -> Actor:
    """As whom somebody acts now who was carried along (`Actor.to_json`): with the rights they had then and still have.

    Somebody who is deactivated, or gone, keeps the name and may do nothing.
    """
    then = Actor.from_json(told)
    if then.kind == "system":
        return then
    row = await tx.row(_SQL["load_actor"], name=then.name)
    if row is None or row["deactivated"] or row["kind"] != then.kind:
        return Actor(then.kind, then.name).limited_to_then(then)
    return actor_as_now(row).limited_to_then(then)


async def acting_for(tx: TenantTx, actor: Actor | str | None, told: Mapping[str, Any] | None) -> TenantTx:
    """The same transaction as whoever goes on with what was asked for, of whom the audit trail is told.

    That is who was carried along or, where nobody was, trusted code; or the actor that is named, on their behalf.
    """
    if actor is None:
        acting = SYSTEM if told is None else await load_carried(tx, told)
    else:
        acting = (await load_actor(tx, actor) if isinstance(actor, str) else actor).for_somebody(told)
    party = told_parties([acting])
    if party:
        await tx.run(_TENANT["name_parties"], parties=party)
    return replace(tx, actor=acting)


def actor_as_now(row: Row) -> Actor:
    """The user of a row, with what their roles allow."""
    permissions = {each for each in row["own_permissions"] if is_permission(each)}
    for role in row["roles"]:
        permissions |= BUILT_IN_ROLES.get(role, frozenset())
    kind = cast("Literal['user', 'service']", row["kind"])
    return Actor(kind, row["name"], frozenset(row["roles"]), frozenset(permissions))
