"""The tenant transaction: one tenant, one actor, one transaction, and no way to see past it.

It begins with `SET LOCAL ROLE holdfast_app` and `SET LOCAL holdfast.tenant`, sent together with BEGIN and the first
statement in one round trip. Both are local to the transaction, so they survive transaction-pooling and never leak into
the next user of the connection. Row-level security does the rest: a statement that forgets its WHERE still sees one
tenant only.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import count
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row
from psycopg.types.json import set_json_loads

from holdfast.errors import HoldfastError, InvalidInput
from holdfast.kernel.actor import Actor
from holdfast.kernel.clock import Clock
from holdfast.kernel.json import decode_sent, dump
from holdfast.postgres.deferred import DeferredConnection
from holdfast.postgres.failures import half_a_character, in_our_words, undone
from holdfast.postgres.queries import queries

__all__ = ["Row", "Tenant", "TenantTx", "begin", "claimed_tenant", "join", "told_parties"]

_SQL = queries("tenant")
_numbers = count()
_PARTY = sql.SQL("SET LOCAL holdfast.party = {}")

Row = dict[str, Any]


@dataclass(frozen=True)
class Tenant:
    """A tenant as a transaction needs to know it."""

    id: UUID
    slug: str
    name: str
    settings: dict[str, Any] = field(default_factory=dict, compare=False)

    @cached_property
    def entry(self) -> sql.Composed:
        """Makes this tenant, and the role that cannot see past it, those of the current transaction."""
        return sql.SQL("SET LOCAL ROLE holdfast_app; SET LOCAL holdfast.tenant = {}").format(str(self.id))

    @cached_property
    def entry_on_citus(self) -> sql.Composed:
        """The same for the nodes of a Citus as well."""
        return sql.SQL("SET LOCAL ROLE holdfast_app; SELECT holdfast.enter_tenant({})").format(str(self.id))

    @cached_property
    def opening(self) -> tuple[bytes, ...]:
        """The commands that begin a transaction of this tenant, as they go over the wire."""
        return b"BEGIN", *self.entry.as_bytes().split(b"; ")

    @cached_property
    def opening_on_citus(self) -> tuple[bytes, ...]:
        """The same for the nodes of a Citus as well."""
        return b"BEGIN", *self.entry_on_citus.as_bytes().split(b"; ")


@lru_cache(maxsize=1024)
def claimed_tenant(tenant_id: UUID) -> Tenant:
    """One of which no more is known than an id that somebody gave. Every sign-in begins with one: made once, kept."""
    return Tenant(tenant_id, slug="", name="")


@dataclass(frozen=True)
class TenantTx:
    """A transaction of one tenant; the slices (`access`, `runs`, `data` …) work through it."""

    connection: AsyncConnection[Any]
    tenant: Tenant
    actor: Actor
    clock: Clock
    instance: UUID | None = None
    """The process whose step is being done; only the engine makes such a transaction."""
    by_run: UUID | None = None
    """The run that writes; only a run's own `hold` makes such a transaction."""

    @property
    def now(self) -> datetime | None:
        """What to bind as `%(now)s`."""
        return self.clock.now()

    def require(self, permission: str) -> None:
        """Raise `Forbidden` unless the actor has the permission."""
        self.actor.require(permission)

    async def run(self, query: LiteralString, **values: Any) -> int:
        """Execute a statement; how many rows it touched."""
        bound = values | {"tenant": self.tenant.id, "now": self.now}
        try:
            if isinstance(self.connection, DeferredConnection) and self.connection.takes_statements:
                return (await self.connection.answer(query, bound))[1]
            async with self.connection.cursor() as cursor:
                await cursor.execute(query, bound)
                return cursor.rowcount
        except UnicodeEncodeError:
            raise half_a_character() from None
        except psycopg.Error as error:
            # Here, not only at the end of the transaction: whoever asked may want to know, and to do something else.
            raise _ours(error) from error.__cause__ or error

    async def row(self, query: LiteralString, **values: Any) -> Row | None:
        """The first row of a query, or None."""
        rows = await self.rows(query, **values)
        return rows[0] if rows else None

    async def rows(self, query: LiteralString, **values: Any) -> list[Row]:
        """Every row of a query."""
        bound = values | {"tenant": self.tenant.id, "now": self.now}
        try:
            if isinstance(self.connection, DeferredConnection) and self.connection.takes_statements:
                return (await self.connection.answer(query, bound))[0]
            async with self.connection.cursor(row_factory=dict_row) as cursor:
                if not isinstance(self.connection, DeferredConnection):
                    # The caller's own: what they read with it themselves is not our business.
                    set_json_loads(decode_sent, cursor)
                await cursor.execute(query, bound)
                return await cursor.fetchall()
        except UnicodeEncodeError:
            raise half_a_character() from None
        except psycopg.Error as error:
            # Here, not only at the end of the transaction: whoever asked may want to know, and to do something else.
            raise _ours(error) from error.__cause__ or error

    async def stream(
        self, query: LiteralString, *, rows: Any = dict_row, size: int = 1000, **values: Any
    ) -> AsyncIterator[Any]:
        """The rows of a query that may have more than fit into memory, `size` at a time."""
        bound = values | {"tenant": self.tenant.id, "now": self.now}
        try:
            async with self.connection.cursor(name=f"stream_{next(_numbers)}", row_factory=rows) as cursor:
                cursor.itersize = size
                await cursor.execute(query, bound)
                async for row in cursor:
                    yield row
        except UnicodeEncodeError:
            raise half_a_character() from None
        except psycopg.Error as error:
            raise _ours(error) from error.__cause__ or error


@asynccontextmanager
async def begin(
    connection: DeferredConnection, tenant: Tenant, actor: Actor, *, citus: bool = False, also: tuple[bytes, ...] = ()
) -> AsyncIterator[None]:
    """A transaction of our own on an idle autocommit connection: committed at the end, undone when the block raises."""
    opening = (*(tenant.opening_on_citus if citus else tenant.opening), *also)
    said = told_parties([actor])
    connection.defer((*opening, _PARTY.format(said).as_bytes()) if said else opening)
    try:
        yield
    except BaseException:
        # A connection that is already gone has rolled back by itself; the block's own error is the one to report.
        if not connection.closed:
            await _roll_back(connection)
        raise
    if connection.pgconn.transaction_status == TransactionStatus.INERROR:
        # Somebody swallowed an error. Postgres would take a COMMIT for a ROLLBACK, and say nothing.
        await _roll_back(connection)
        raise undone()
    try:
        await connection.finish(b"COMMIT")
    except psycopg.Error as error:
        raise _ours(error) from error


@asynccontextmanager
async def join(
    connection: AsyncConnection[Any], tenant: Tenant, actor: Actor, *, citus: bool = False
) -> AsyncIterator[None]:
    """A part of the caller's own transaction. Its role and settings are the caller's again afterwards.

    A savepoint around the block keeps the caller's transaction usable when the block fails, and undoes the block.
    """
    if not isinstance(connection, AsyncConnection):
        raise InvalidInput(
            f"the connection is a {type(connection).__module__}.{type(connection).__qualname__}",
            hint="give a psycopg.AsyncConnection, of psycopg 3",
            field="connection",
        )
    if connection.closed:
        raise InvalidInput("the connection is closed", hint="open one", field="connection")
    if isinstance(connection, DeferredConnection):
        await connection.begin()
    if connection.autocommit and connection.info.transaction_status is TransactionStatus.IDLE:
        raise InvalidInput(
            "the connection is in autocommit mode and has no open transaction to join",
            hint="wrap the call in `async with connection.transaction():`",
            field="connection",
        )
    cursor = connection.cursor(row_factory=dict_row)
    await cursor.execute(_SQL["current_identity"])
    before = await cursor.fetchone()
    assert before is not None
    async with connection.transaction():
        try:
            await connection.execute(tenant.entry_on_citus if citus else tenant.entry)
        except (psycopg.errors.InvalidParameterValue, psycopg.errors.UndefinedFunction) as error:
            raise InvalidInput(
                f"the connection leads to a database without holdfast: {connection.info.dbname}",
                hint="connect to the database of HOLDFAST_DSN",
                field="connection",
            ) from error
        await connection.execute(_PARTY.format(told_parties([actor])))
        yield
        if connection.info.transaction_status is TransactionStatus.INERROR:
            # As above; raised here, it takes back this block and leaves the rest of the transaction as it was.
            raise undone()
    role = sql.SQL("NONE") if before["role"] == "none" else sql.Identifier(before["role"])
    await connection.execute(
        sql.SQL("SET LOCAL ROLE {}; SET LOCAL holdfast.tenant = {}").format(role, before["tenant"])
    )
    await connection.execute(_PARTY.format(before["party"]))
    if citus and before["tenant"]:
        await connection.execute(_SQL["enter_tenant"], {"tenant": before["tenant"]})


def told_parties(actors: Iterable[Actor]) -> str:
    """What the audit trail is told of those who act in a transaction beside their names, by their names; or nothing.

    Of somebody who acts through two tokens at once nothing is told, rather than the wrong thing.
    """
    told: dict[str, Any] = {}
    for actor in actors:
        party = actor.party
        if party is not None:
            told[str(actor)] = party if told.get(str(actor), party) == party else None
    known = {name: party for name, party in told.items() if party is not None}
    return dump(known) if known else ""


def _ours(error: psycopg.Error) -> HoldfastError:
    """What a statement of ours met, in our words."""
    said = in_our_words(error, values=True, whole=True)
    assert said is not None
    return said


async def _roll_back(connection: DeferredConnection) -> None:
    try:
        await connection.finish(b"ROLLBACK")
    except psycopg.Error:
        await connection.close()
