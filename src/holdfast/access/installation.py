"""Tokens of the installation's operator: an identity of its own, that no tenant's is.

They have the form of other tokens with the tenant of zeros, are stored as SHA-256, and are made on the command line
only: with the login that owns the schema, which neither a server nor a worker has.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, LiteralString
from uuid import UUID

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import dict_row

from holdfast.access.token_form import digest_of, make_secret, tenant_in
from holdfast.errors import Forbidden, InvalidInput, NotFound, NotSignedIn
from holdfast.kernel.clock import Clock
from holdfast.kernel.ids import uuid7
from holdfast.kernel.names import check_name
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries

__all__ = ["InstallationToken", "InstallationTokens", "NewInstallationToken", "operator_of"]

_SQL = queries("installation")
_NOBODY: Final = UUID(int=0)
_LONGEST = timedelta(days=3660)


@dataclass(frozen=True, slots=True)
class InstallationToken:
    """What is known of a token of the installation's operator; never its secret."""

    token_id: UUID
    name: str
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewInstallationToken:
    """A new one, with its secret, this once."""

    token: InstallationToken
    secret: str


class InstallationTokens:
    """The tokens, over a connection of the schema's owner."""

    def __init__(self, connection: AsyncConnection[Any]) -> None:
        self._connection = connection

    async def create(
        self, name: str, *, by: str, lifetime: timedelta | None = timedelta(days=90)
    ) -> NewInstallationToken:
        """Make a token; `name` is what the trail shows of who acts with it."""
        check_name("name", name)
        if lifetime is not None and not timedelta(0) < lifetime <= _LONGEST:
            hint = f"use something up to {_LONGEST.days} days, or none"
            raise InvalidInput(f"lifetime is {lifetime}", hint=hint, field="lifetime")
        secret = make_secret(_NOBODY)
        values = {"token_id": uuid7(), "name": name, "hash": digest_of(secret), "actor": by, "lifetime": lifetime}
        (made,) = await self._rows(_SQL["create_token"], values)
        return NewInstallationToken(made, secret)

    async def list(self) -> list[InstallationToken]:
        """All of them, newest first; also those that have ended."""
        return [*await self._rows(_SQL["list_tokens"], {})]

    async def revoke(self, token_id: UUID) -> InstallationToken:
        """End a token at once."""
        found = await self._rows(_SQL["revoke_token"], {"token_id": token_id})
        if not found:
            raise NotFound(f"there is no token {token_id}", hint="`holdfast installation tokens` shows them")
        return found[0]

    async def _rows(self, query: LiteralString, values: dict[str, Any]) -> tuple[InstallationToken, ...]:
        try:
            async with self._connection.transaction():
                await self._connection.execute(_SQL["as_owner"])
                cursor = self._connection.cursor(row_factory=dict_row)
                await cursor.execute(query, values)
                found = tuple(InstallationToken(**row) for row in await cursor.fetchall())
                await self._connection.execute("RESET ROLE")
                return found
        except psycopg.errors.InsufficientPrivilege as error:
            raise Forbidden(
                "this login does not own the schema", hint="set HOLDFAST_ADMIN_DSN to the login that migrates"
            ) from error


async def operator_of(database: Database, clock: Clock, secret: str) -> str:
    """The name of the operator whose token it is; raises `NotSignedIn`."""
    if tenant_in(secret) != _NOBODY:
        raise _refused()
    async with database.connection() as connection:
        cursor = await connection.execute(_SQL["use_token"], {"hash": digest_of(secret), "now": clock.now()})
        row = await cursor.fetchone()
    if row is None:
        raise _refused()
    return str(row[1])


def _refused() -> NotSignedIn:
    return NotSignedIn(
        "the token is not one of the installation's operator: unknown, expired or revoked",
        hint="make one with `holdfast installation add-token`, on the machine that migrates",
    )
