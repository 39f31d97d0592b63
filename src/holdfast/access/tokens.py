"""API tokens: random, shown once, stored as SHA-256, scoped, expiring, revocable.

A token reads `hf_‹tenant›_‹secret›`. The tenant in it makes finding it a look-up inside that tenant; the 256 random
bits make a slow hash pointless. Nothing that is stored, logged or audited holds the secret.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from holdfast.access.actors import load_actor
from holdfast.access.model import NewToken, Token
from holdfast.access.tenants import is_tenant
from holdfast.audit import record
from holdfast.errors import ActorNotFound, InvalidInput, NotFound, NotSignedIn
from holdfast.kernel.actor import Actor, check_permissions
from holdfast.kernel.ids import uuid7
from holdfast.kernel.names import check_text
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Tokens", "authenticate", "claimed_tenant", "record_refusals", "tenant_of"]

_SQL = queries("access")
_FORM = re.compile(r"hf_(?P<tenant>[0-9a-f]{32})_[A-Za-z0-9_-]{43}")
_LONGEST = timedelta(days=3660)


class Tokens:
    """The API tokens of one tenant, `hold.tokens`. Everybody may have tokens of their own."""

    def __init__(self, tx: TenantTx) -> None:
        self._tx = tx

    async def create(
        self,
        user: str,
        name: str,
        *,
        scopes: Iterable[str] | None = None,
        lifetime: timedelta | None = timedelta(days=90),
    ) -> NewToken:
        """Make a token for a user. It can do what the user may, or only the `scopes` of that; None never expires."""
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
        for permission in sorted(whole.permissions) if wanted is None else wanted:
            # A token must not be a way to more than its maker has, also not when its user is given more one day.
            self._tx.require(permission)
        owner = await self._tx.row(_SQL["load_actor"], name=user)
        assert owner is not None
        token_id = uuid7()
        secret = f"hf_{self._tx.tenant.id.hex}_{secrets.token_urlsafe(32)}"
        await self._tx.row(
            _SQL["create_token"],
            token_id=token_id,
            user_id=owner["user_id"],
            name=name,
            hash=_digest(secret),
            scopes=wanted,
            created_by=str(self._tx.actor),
            lifetime=lifetime,
        )
        await record(self._tx, "access", token_id, "token.created", {"user": user, "name": name, "scopes": wanted})
        return NewToken(await self._find(token_id), secret)

    async def list(self, *, user: str | None = None) -> list[Token]:
        """Tokens, newest first: of one user, or of all. Revoked and expired ones are there too."""
        self._require("tokens:read", user)
        return [Token(**row) for row in await self._tx.rows(_SQL["list_tokens"], user=user, token_id=None)]

    async def revoke(self, token_id: UUID) -> Token:
        """End a token at once. Revoking it again changes nothing."""
        token = await self._find(token_id)
        self._require("tokens:write", token.user)
        if await self._tx.run(_SQL["revoke_token"], token_id=token_id):
            data = {"user": token.user, "name": token.name}
            await record(self._tx, "access", token_id, "token.revoked", data)
        return await self._find(token_id)

    def _require(self, permission: str, user: str | None) -> None:
        if user is None or user != self._tx.actor.name or self._tx.actor.kind == "system":
            self._tx.require(permission)

    async def _find(self, token_id: UUID) -> Token:
        row = await self._tx.row(_SQL["list_tokens"], user=None, token_id=token_id)
        if row is None:
            raise NotFound(f"there is no token {token_id}", hint="`holdfast tokens list` shows them")
        return Token(**row)


def claimed_tenant(secret: str) -> UUID | None:
    """The tenant a token claims to be of; None for what is no token at all."""
    match = _FORM.fullmatch(secret)
    return None if match is None else UUID(match["tenant"])


def tenant_of(secret: str) -> UUID:
    """The same; raises `NotSignedIn` for what is no token."""
    claimed = claimed_tenant(secret)
    if claimed is None:
        raise _refused()
    return claimed


async def authenticate(tx: TenantTx, secret: str) -> Actor:
    """The user a token stands for, with the permissions it carries. `tx` must be of the token's tenant."""
    row = await tx.row(_SQL["find_token"], hash=_digest(secret))
    if row is None or tenant_of(secret) != tx.tenant.id:
        raise _refused()
    try:
        actor = await load_actor(tx, row["user"])
    except ActorNotFound:
        raise _refused() from None
    if row["stale"]:
        await tx.run(_SQL["touch_token"], token_id=row["token_id"])
    return actor.limited_to(row["scopes"])


async def record_refusals(tx: TenantTx, count: int, address: str) -> None:
    """Tell the trail that so many tokens of the tenant's form were refused, the last of them from an address."""
    if await is_tenant(tx):
        await record(tx, "access", tx.tenant.id, "sign_in.failed", {"count": count, "address": address})


def _refused() -> NotSignedIn:
    return NotSignedIn(
        "the token is not valid: unknown, expired or revoked",
        hint="create one with `holdfast tokens add` and send it as `Authorization: Bearer …`",
    )


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
