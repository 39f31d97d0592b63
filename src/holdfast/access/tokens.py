"""API tokens: random, shown once, stored as SHA-256, scoped, expiring, revocable.

A token acts as its user. Nobody makes one that acts as another person: people make their own, programs have service
accounts, and code that acts as the system (such as the command line, which has the database's login) is named as the
maker wherever the token is used. A token made with a token is no more than that one, and ends with it. Nothing that is
stored, logged or audited holds the secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Literal
from uuid import UUID

from holdfast.access.actors import actor_as_now, load_actor
from holdfast.access.model import NewToken, Token
from holdfast.access.tenants import is_tenant
from holdfast.access.token_form import digest_of, make_secret, tenant_in
from holdfast.audit import record
from holdfast.errors import Forbidden, InvalidInput, NotFound, NotSignedIn
from holdfast.kernel.actor import Actor, UsedToken, check_permissions
from holdfast.kernel.ids import uuid7
from holdfast.kernel.names import check_text
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Tokens", "authenticate", "claimed_tenant", "record_refusals", "tenant_of"]

_SQL = queries("access")
_LONGEST = timedelta(days=3660)


class Tokens:
    """The API tokens of one tenant, `hold.tokens`."""

    def __init__(self, tx: TenantTx) -> None:
        self._tx = tx

    async def create(
        self,
        user: str,
        name: str,
        *,
        scopes: Iterable[str] | None = None,
        lifetime: timedelta | None = timedelta(days=90),
        ends_with: UUID | None = None,
    ) -> NewToken:
        """Make a token of one's own, or for a service account.

        It can do what its user may, or only the `scopes` of that; without a lifetime it never expires. Made with a
        token, it carries no more than that one and ends with it; `ends_with` names another to end with, for trusted
        code.
        """
        self._require("tokens:write", user)
        check_text("name", name)
        wanted = None if scopes is None else sorted(check_permissions("scopes", scopes))
        if lifetime is not None and not timedelta(0) < lifetime <= _LONGEST:
            raise InvalidInput(
                f"lifetime is {lifetime}",
                hint=f"use something up to {_LONGEST.days} days, or none",
                field="lifetime",
            )
        whole = await load_actor(self._tx, user)
        self._check_person(whole)
        parent = self._tx.actor.token
        if wanted is None and parent is not None and parent.scopes is not None:
            wanted = sorted(self._tx.actor.permissions)
        for permission in sorted(whole.permissions) if wanted is None else wanted:
            # A token must not be a way to more than its maker has, also not when its user is given more one day.
            self._tx.require(permission)
        owner = await self._tx.row(_SQL["load_actor"], name=user)
        assert owner is not None
        token_id, secret = uuid7(), make_secret(self._tx.tenant.id)
        await self._tx.run(
            _SQL["create_token"],
            token_id=token_id,
            user_id=owner["user_id"],
            name=name,
            hash=digest_of(secret),
            scopes=wanted,
            created_by=str(self._tx.actor),
            lifetime=lifetime,
            parent_id=ends_with if parent is None else parent.id,
        )
        made = await self._find(token_id)
        data = {"user": user, "name": name, "scopes": wanted, "made_with": made.parent_id}
        await record(self._tx, "access", token_id, "token.created", data)
        return NewToken(made, secret)

    async def list(self, *, user: str | None = None) -> list[Token]:
        """Tokens, newest first: of one user, or of all. Revoked and expired ones are there too."""
        self._require("tokens:read", user)
        return [Token(**row) for row in await self._tx.rows(_SQL["list_tokens"], user=user, token_id=None)]

    async def revoke(self, token_id: UUID) -> Token:
        """End a token, and all that were made with it, at once. Revoking it again changes nothing."""
        token = await self._find(token_id)
        used = self._tx.actor.token
        if used is None or used.id != token_id:
            # Whoever has a token may end that one: it is what one does with a token that leaked.
            self._require("tokens:write", token.user)
        if await self._tx.run(_SQL["revoke_token"], token_id=token_id):
            data = {"user": token.user, "name": token.name}
            await record(self._tx, "access", token_id, "token.revoked", data)
        return await self._find(token_id)

    def _require(self, permission: str, user: str | None) -> None:
        own = user is not None and user == self._tx.actor.name and self._tx.actor.kind != "system"
        self._tx.require("tokens:own" if own else permission)

    def _check_person(self, owner: Actor) -> None:
        me = self._tx.actor
        if owner.kind == "user" and me.kind != "system" and (me.kind, me.name) != (owner.kind, owner.name):
            raise Forbidden(
                f"{me} may not make a token that acts as {owner.name}",
                hint="people make their own; a program gets a service account; `holdfast tokens add` is for operators",
                permission="tokens:write",
            )

    async def _find(self, token_id: UUID) -> Token:
        row = await self._tx.row(_SQL["list_tokens"], user=None, token_id=token_id)
        if row is None:
            raise NotFound(f"there is no token {token_id}", hint="`holdfast tokens list` shows them")
        return Token(**row)


def claimed_tenant(secret: str) -> UUID | None:
    """The tenant a token claims to be of; None for what is no token at all, or a mistyped one."""
    return tenant_in(secret)


def tenant_of(secret: str) -> UUID:
    """The same; raises `NotSignedIn` for what is no token."""
    claimed = claimed_tenant(secret)
    if claimed is None:
        raise _refused()
    return claimed


async def authenticate(tx: TenantTx, secret: str, kind: Literal["api", "browser"] = "api") -> tuple[str, Actor]:
    """The tenant and the user a token stands for, with the permissions it carries. `tx` must be of the token's tenant.

    What a browser keeps in its cookie is no API token, and the other way round.
    """
    if tenant_of(secret) != tx.tenant.id:
        raise _refused()
    row = await tx.row(_SQL["sign_in"], hash=digest_of(secret), kind=kind)
    if row is None or row["deactivated"]:
        raise _refused()
    if row["stale"]:
        await tx.run(_SQL["touch_token"], token_id=row["token_id"])
    scopes = None if row["scopes"] is None else frozenset(row["scopes"])
    token = UsedToken(row["token_id"], row["created_by"], scopes)
    return row["slug"], replace(actor_as_now(row).limited_to(scopes), token=token, since=row["at"])


async def record_refusals(tx: TenantTx, count: int, address: str) -> None:
    """Tell the trail that so many tokens of the tenant's form were refused, the last of them from an address."""
    if await is_tenant(tx):
        await record(tx, "access", tx.tenant.id, "sign_in.failed", {"count": count, "address": address})


def _refused() -> NotSignedIn:
    return NotSignedIn(
        "the token is not valid: unknown, expired or revoked",
        hint="create one with `holdfast tokens add` and send it as `Authorization: Bearer …`",
    )
