"""Users of a tenant: people, and programs (`service`). They are deactivated, never deleted: the trail names them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from psycopg import errors as pg

from holdfast.access.model import User
from holdfast.access.roles import Roles
from holdfast.audit import record
from holdfast.errors import AlreadyExists, Conflict, InvalidInput, NotFound
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.names import check_name, check_text
from holdfast.kernel.page import Page
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Users"]

_SQL = queries("access")


class Users:
    """The users of one tenant, `hold.users`."""

    def __init__(self, tx: TenantTx) -> None:
        self._tx = tx

    async def create(
        self,
        name: str,
        *,
        display_name: str | None = None,
        email: str | None = None,
        kind: Literal["user", "service"] = "user",
        roles: Iterable[str] = (),
    ) -> User:
        """Add a user, with roles at once if you like."""
        self._tx.require("users:write")
        check_name("name", name)
        if kind not in ("user", "service"):
            raise InvalidInput(f"kind is {kind!r}", hint="use 'user' or 'service'", field="kind")
        if isinstance(roles, str):
            raise InvalidInput("roles is one string", hint="give a list of role names", field="roles")
        user_id = uuid7()
        shown = check_text("display_name", display_name if display_name is not None else name)
        made = await self._tx.run(
            _SQL["create_user"],
            user_id=user_id,
            name=name,
            kind=kind,
            display_name=shown,
            email=_check_email(email),
        )
        if not made:
            raise AlreadyExists(f"there is already a user {name!r}", hint="choose another name", field="name")
        await record(self._tx, "access", user_id, "user.created", {"name": name, "kind": kind})
        for role in roles:
            await self.grant(name, role)
        return await self.get(name)

    async def get(self, name: str) -> User:
        """One user by name."""
        self._tx.require("users:read")
        return await self._find(name)

    async def list(self, *, limit: int = 100, cursor: str | None = None) -> Page[User]:
        """Users by name, deactivated ones too."""
        self._tx.require("users:read")
        check_limit(limit)
        query = {"list": "users"}
        after = decode_cursor(query, cursor, (str,))[0] if cursor is not None else None
        rows = await self._tx.rows(_SQL["list_users"], name=None, after=after, limit=limit + 1)
        items = [User(**row) for row in rows[:limit]]
        more = len(rows) > limit
        return Page(items, encode_cursor(query, [items[-1].name]) if more else None)

    async def update(self, name: str, *, display_name: str | None = None, email: str | None = None) -> User:
        """Change what is shown of a user; None leaves a field as it is, an empty e-mail removes it."""
        self._tx.require("users:write")
        user = await self._find(name)
        new_name = user.display_name if display_name is None else check_text("display_name", display_name)
        new_email = user.email if email is None else _check_email(email or None)
        await self._tx.run(_SQL["update_user"], user_id=user.user_id, display_name=new_name, email=new_email)
        change = {"name": name, "display_name": new_name, "email": new_email}
        await record(self._tx, "access", user.user_id, "user.updated", change)
        return await self._find(name)

    async def deactivate(self, name: str) -> User:
        """Take away every access, at once; the tokens stop working, the history stays."""
        return await self._set_active(name, active=False)

    async def reactivate(self, name: str) -> User:
        """Give access back, with the roles the user had."""
        return await self._set_active(name, active=True)

    async def grant(self, name: str, role: str) -> User:
        """Give a user a role; granting it twice is no error."""
        self._tx.require("users:write")
        user = await self._find(name)
        for permission in (await Roles(self._tx).find(role)).permissions:
            # Nobody hands out more than they have.
            self._tx.require(permission)
        try:
            granted = await self._tx.run(
                _SQL["grant_role"], user_id=user.user_id, role=role, granted_by=str(self._tx.actor)
            )
        except pg.ForeignKeyViolation:
            raise Conflict(f"the role {role!r} was deleted just now", hint="choose another role") from None
        if granted:
            await record(self._tx, "access", user.user_id, "user.role_granted", {"name": name, "role": role})
        return await self._find(name)

    async def revoke(self, name: str, role: str) -> User:
        """Take a role from a user; the last administrator keeps it."""
        self._tx.require("users:write")
        user = await self._find(name)
        if role == "admin":
            await self._keep_an_admin(user)
        if await self._tx.run(_SQL["revoke_role"], user_id=user.user_id, role=role):
            await record(self._tx, "access", user.user_id, "user.role_revoked", {"name": name, "role": role})
        return await self._find(name)

    async def _set_active(self, name: str, *, active: bool) -> User:
        self._tx.require("users:write")
        user = await self._find(name)
        if not active:
            await self._keep_an_admin(user)
        if await self._tx.run(_SQL["set_user_active"], user_id=user.user_id, active=active):
            event = "user.reactivated" if active else "user.deactivated"
            await record(self._tx, "access", user.user_id, event, {"name": name})
        return await self._find(name)

    async def _keep_an_admin(self, user: User) -> None:
        admins = [row["user_id"] for row in await self._tx.rows(_SQL["lock_admins"])]
        if admins == [user.user_id]:
            raise Conflict(f"{user.name!r} is the tenant's last administrator", hint="make somebody else one first")

    async def _find(self, name: str) -> User:
        row = await self._tx.row(_SQL["list_users"], name=name, after=None, limit=1)
        if row is None:
            raise NotFound(f"there is no user {name!r}", hint="`holdfast users list` shows them", user=name)
        return User(**row)


def _check_email(email: str | None) -> str | None:
    if email is None:
        return None
    local, at, domain = check_text("email", email, maximum=320).rpartition("@")
    if not at or not local or "." not in domain.strip(".") or " " in email:
        raise InvalidInput(f"email {email!r} is not an address", hint="write it as name@example.org", field="email")
    return email
