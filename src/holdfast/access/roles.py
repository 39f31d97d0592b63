"""Roles of a tenant: the five built-in ones and its own."""

from __future__ import annotations

from collections.abc import Iterable

from psycopg import errors as pg

from holdfast.access.model import Role
from holdfast.audit import record
from holdfast.errors import Conflict, NotFound
from holdfast.kernel.actor import BUILT_IN_ROLES, check_permissions
from holdfast.kernel.names import check_name, check_text, did_you_mean
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx

__all__ = ["Roles"]

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
        # Nobody hands out more than they have: an administrator of users is not thereby one of everything.
        for permission in wanted:
            self._tx.require(permission)
        await self._tx.run(_SQL["define_role"], role=name, permissions=wanted, description=description)
        await record(self._tx, "access", self._tx.tenant.id, "role.defined", {"role": name, "permissions": wanted})
        return await self.find(name)

    async def delete(self, name: str) -> None:
        """Remove a role nobody has."""
        self._tx.require("users:write")
        role = await self.find(name)
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


def _role(row: Row) -> Role:
    built_in = row["permissions"] is None
    permissions = BUILT_IN_ROLES[row["role"]] if built_in else row["permissions"]
    return Role(row["role"], sorted(permissions), row["description"], built_in, row["users"])
