"""Who acts when a worker advances a process: the people who caused its events, as they are now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, cast

from holdfast.kernel.actor import BUILT_IN_ROLES, PERMISSIONS, Actor
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["PROCESS", "load_actors"]

_SQL = queries("processes")
PROCESS = Actor.system("process")
"""The process itself, for what nobody caused, and for steps that run as the system."""


async def load_actors(tx: TenantTx, named: Iterable[Mapping[str, str]]) -> dict[tuple[str, str], Actor]:
    """Actors by (kind, name). Somebody who was deactivated since keeps the name and the roles, but may do nothing."""
    wanted = {(each["kind"], each["name"]) for each in named}
    found = {each: Actor.system(each[1]) for each in wanted if each[0] == "system"}
    names = sorted(name for kind, name in wanted if kind != "system")
    if not names:
        return found
    for row in await tx.rows(_SQL["actors"], names=names):
        permissions = set(row["own_permissions"]) & PERMISSIONS.keys()
        for role in row["roles"]:
            permissions |= BUILT_IN_ROLES.get(role, frozenset())
        if row["deactivated"]:
            permissions = set()
        kind = cast("Literal['user', 'service']", row["kind"])
        found[kind, row["name"]] = Actor(kind, row["name"], frozenset(row["roles"]), frozenset(permissions))
    for gone in wanted - found.keys():
        found[gone] = Actor("service" if gone[0] == "service" else "user", gone[1])
    return found
