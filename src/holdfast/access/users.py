"""Users of a tenant: people, and programs (`service`). They are deactivated, never deleted: the trail names them.

Nobody grants themselves a role. Each role says who may grant it. An administrator is changed by administrators only,
and the last one stays. Where the tenant's setting `four_eyes_on_grants` is true, a role is granted when two people have
asked for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from psycopg import errors as pg

from holdfast.access.model import User
from holdfast.access.roles import Roles, is_administrator
from holdfast.audit import record
from holdfast.errors import AlreadyExists, Conflict, Forbidden, InvalidInput, NotFound
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.names import check_name, check_text
from holdfast.kernel.page import Page
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["FOUR_EYES", "FOUR_EYES_ON_PUBLISHING", "Users"]

_SQL = queries("access")
FOUR_EYES = "four_eyes_on_grants"
FOUR_EYES_ON_PUBLISHING = "four_eyes_on_publishing"
"""The tenant's setting that asks for two people to grant a role."""


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
        """Change what is shown of a user; None leaves a field as it is, an empty e-mail removes it.

        To an address that another person has changed no link to sign in is mailed: it would be a way to be them.
        """
        self._tx.require("users:write")
        user = await self._changeable(name)
        new_name = user.display_name if display_name is None else check_text("display_name", display_name)
        new_email = user.email if email is None else _check_email(email or None)
        me = self._tx.actor
        own = me.kind == "system" or (me.kind, me.name) == (user.kind, user.name)
        set_by = None if own else str(me)
        await self._tx.run(
            _SQL["update_user"], user_id=user.user_id, display_name=new_name, email=new_email, set_by=set_by
        )
        change: dict[str, object] = {"name": name, "display_name": new_name, "email": new_email}
        if new_email != user.email:
            # Where their messages went until now: whoever redirects somebody's post leaves a trace of it.
            change |= {"email_before": user.email, "links": own}
        await record(self._tx, "access", user.user_id, "user.updated", change)
        return await self._find(name)

    async def deactivate(self, name: str) -> User:
        """Take away every access, at once; the tokens stop working, the history stays."""
        return await self._set_active(name, active=False)

    async def reactivate(self, name: str) -> User:
        """Give access back, with the roles the user had."""
        return await self._set_active(name, active=True)

    async def grant(self, name: str, role: str) -> User:
        """Give somebody else a role; granting it twice is no error.

        With four eyes on grants, the first who asks for it leads to a request (`requested_roles`), the second to the
        role.
        """
        self._tx.require("users:write")
        user = await self._changeable(name)
        known = await Roles(self._tx).may_grant(role)
        if (user.kind, user.name) == (self._tx.actor.kind, self._tx.actor.name):
            raise Forbidden("nobody grants themselves a role", hint="somebody else has to", permission="users:write")
        if self._tx.actor.token is not None and self._tx.actor.token.scopes is not None:
            for permission in known.permissions:
                # A token that carries less than its user is no way for them to hand out more.
                self._tx.require(permission)
        if known.name in user.roles:
            return user
        asked_by = await self._asked_by(user, role)
        if asked_by == str(self._tx.actor):
            return await self._find(name)
        try:
            await self._tx.run(_SQL["grant_role"], user_id=user.user_id, role=role, granted_by=str(self._tx.actor))
        except pg.ForeignKeyViolation:
            raise Conflict(f"the role {role!r} was deleted just now", hint="choose another role") from None
        await self._tx.run(_SQL["drop_role_request"], user_id=user.user_id, role=role)
        data = {"name": name, "role": role} | ({"requested_by": asked_by} if asked_by else {})
        await record(self._tx, "access", user.user_id, "user.role_granted", data)
        return await self._find(name)

    async def revoke(self, name: str, role: str) -> User:
        """Take a role from a user, or what was asked of it; the last administrator keeps it."""
        self._tx.require("users:write")
        user = await self._changeable(name)
        await Roles(self._tx).may_grant(role)
        if role == "admin":
            await self._keep_an_admin(user)
        if await self._tx.run(_SQL["drop_role_request"], user_id=user.user_id, role=role):
            await record(self._tx, "access", user.user_id, "user.role_not_granted", {"name": name, "role": role})
        if await self._tx.run(_SQL["revoke_role"], user_id=user.user_id, role=role):
            await record(self._tx, "access", user.user_id, "user.role_revoked", {"name": name, "role": role})
        return await self._find(name)

    async def _set_active(self, name: str, *, active: bool) -> User:
        self._tx.require("users:write")
        user = await self._changeable(name)
        if not active:
            await self._keep_an_admin(user)
        if await self._tx.run(_SQL["set_user_active"], user_id=user.user_id, active=active):
            event = "user.reactivated" if active else "user.deactivated"
            await record(self._tx, "access", user.user_id, event, {"name": name})
        return await self._find(name)

    async def _keep_an_admin(self, user: User) -> None:
        """Raise when a user is the last administrator. Postgres refuses it too; this says it without an undone hold."""
        if "admin" not in user.roles or not user.active:
            return
        await self._tx.rows(_SQL["lock_admins"])
        if await self._tx.row(_SQL["other_admins"], user_id=user.user_id) is None:
            raise Conflict(f"{user.name!r} is the tenant's last administrator", hint="make somebody else one first")

    async def _asked_by(self, user: User, role: str) -> str | None:
        """Who asked for a grant that needs two; the actor themselves when nobody else did. None: one is enough."""
        me = str(self._tx.actor)
        if self._tx.actor.kind == "system" or not await self._wants_four_eyes():
            return None
        asked = {"user_id": user.user_id, "role": role}
        if await self._tx.run(_SQL["request_role"], **asked, requested_by=me):
            data = {"name": user.name, "role": role}
            await record(self._tx, "access", user.user_id, "user.role_requested", data)
            return me
        row = await self._tx.row(_SQL["role_request"], **asked)
        return me if row is None else str(row["requested_by"])

    async def _wants_four_eyes(self) -> bool:
        row = await self._tx.row(_SQL["read_tenant"])
        return row is not None and row["settings"].get(FOUR_EYES) is True

    async def _changeable(self, name: str) -> User:
        """A user whom the actor may change: an administrator is changed by administrators."""
        user = await self._find(name)
        if "admin" in user.roles and not is_administrator(self._tx.actor):
            raise Forbidden(
                f"{self._tx.actor} may not change the administrator {name}",
                hint="ask an administrator",
                permission="users:write",
            )
        return user

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
