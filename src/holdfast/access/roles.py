"""Roles of a tenant: the six built-in ones and its own.

Each role says who may grant it: those who have one of its `grantable_by` roles, administrators unless said otherwise.
Only administrators say so, and only administrators make administrators.
"""

from __future__ import annotations

from collections.abc import Iterable

from psycopg import errors as pg

from holdfast.access.model import Role
from holdfast.audit import record
from holdfast.errors import Conflict, Forbidden, InvalidInput, NotFound
from holdfast.kernel.actor import BUILT_IN_ROLES, Actor, check_permissions
from holdfast.kernel.names import check_name, check_text, did_you_mean
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx

__all__ = ["Roles", "is_administrator"]

_SQL = queries("access")


class Roles:
    """The roles of one tenant, `hold.roles`."""

    def __init__(self, tx: TenantTx) -> None:
        self._tx = tx

    async def list(self) -> list[Role]:
        """Every role, built-in ones first."""
        self._tx.require("users:read")
        return [_role(row) for row in await self._tx.rows(_SQL["list_roles"], role=None)]

    async def define(self, name: str, permissions: Iterable[str], *, description: str = "") -> Role:
        """Add a role of the tenant's own, or change what it may do."""
        self._tx.require("users:write")
        check_name("name", name)
        wanted = sorted(check_permissions("permissions", permissions))
        if description:
            check_text("description", description, maximum=1000)
        if name in BUILT_IN_ROLES:
            raise Conflict(f"the role {name!r} is built in", hint="choose another name", field="name")
        if await self._tx.row(_SQL["list_roles"], role=name) is not None:
            # Whoever has it gets what it is now: to change it is to grant it.
            await self.may_grant(name)
        # Nobody hands out more than they have: an administrator of users is not thereby one of everything.
        for permission in wanted:
            self._tx.actor.require_giving(permission)
        await self._tx.run(_SQL["define_role"], role=name, permissions=wanted, description=description)
        await record(self._tx, "access", self._tx.tenant.id, "role.defined", {"role": name, "permissions": wanted})
        return await self.find(name)

    async def let_grant(self, name: str, grantable_by: Iterable[str]) -> Role:
        """Say who may grant a role: everybody with one of these roles. For administrators."""
        self._tx.require("users:write")
        if isinstance(grantable_by, str):
            raise InvalidInput("grantable_by is one string", hint="give a list of role names", field="grantable_by")
        granting = sorted({(await self.find(each)).name for each in grantable_by})
        await self.find(name)
        if not is_administrator(self._tx.actor):
            raise Forbidden(
                f"{self._tx.actor} may not say who grants roles", hint="ask an administrator", permission="users:write"
            )
        if name == "admin" and granting != ["admin"]:
            raise Conflict("only administrators make administrators", hint="leave it as it is", field="grantable_by")
        await self._tx.run(_SQL["set_role_grantable"], role=name, grantable_by=granting)
        data = {"role": name, "grantable_by": granting}
        await record(self._tx, "access", self._tx.tenant.id, "role.grantable_by_changed", data)
        return await self.find(name)

    async def may_grant(self, name: str) -> Role:
        """The role, if the actor may grant it; `Forbidden` otherwise."""
        role = await self.find(name)
        if self._tx.actor.kind != "system" and not self._tx.actor.roles & set(role.grantable_by):
            granting = ", ".join(role.grantable_by) or "nobody"
            raise Forbidden(
                f"{self._tx.actor} may not grant the role {name!r}",
                hint=f"granted by whoever has one of the roles: {granting}",
                permission="users:write",
                roles=role.grantable_by,
            )
        return role

    async def delete(self, name: str) -> None:
        """Remove a role nobody has."""
        self._tx.require("users:write")
        role = await self.may_grant(name)
        if role.built_in:
            raise Conflict(f"the role {name!r} is built in", hint="it stays; revoke it from users instead")
        try:
            await self._tx.run(_SQL["delete_role"], role=name)
        except pg.ForeignKeyViolation:
            raise Conflict(
                f"the role {name!r} is still granted to {role.users} users", hint="revoke it from them first"
            ) from None
        await record(self._tx, "access", self._tx.tenant.id, "role.deleted", {"role": name})

    async def find(self, name: str) -> Role:
        """One role by name."""
        rows = await self._tx.rows(_SQL["list_roles"], role=None)
        for row in rows:
            if row["role"] == name:
                return _role(row)
        hint = did_you_mean(name, [row["role"] for row in rows])
        raise NotFound(f"there is no role {name!r}", hint=hint or "`holdfast roles list` shows them", role=name)


def is_administrator(actor: Actor) -> bool:
    """Whether somebody is an administrator, or trusted code."""
    return actor.kind == "system" or "admin" in actor.roles


def _role(row: Row) -> Role:
    built_in = row["permissions"] is None
    permissions = BUILT_IN_ROLES[row["role"]] if built_in else row["permissions"]
    return Role(row["role"], sorted(permissions), row["description"], built_in, row["users"], row["grantable_by"])
