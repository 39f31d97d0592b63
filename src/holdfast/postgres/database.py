"""One open database: the pool, which tenant a slug means, and transactions in it.

`Database.open` proves that the server can be reached, is new enough and has our schema before anything else runs, so
that what is wrong is said once and clearly. A transaction pooler in between is recognised by itself and server-side
prepared statements are left out there.
"""

from __future__ import annotations

import asyncio
import logging
import select
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, LiteralString, Self
from weakref import WeakKeyDictionary

import psycopg
from psycopg import AsyncConnection
from psycopg.types.json import set_json_loads
from psycopg_pool import AsyncConnectionPool

from holdfast.errors import (
    DatabaseFailed,
    DatabaseFull,
    DatabaseUnreachable,
    HoldfastError,
    OperationalError,
    TenantNotFound,
)
from holdfast.kernel.actor import Actor
from holdfast.kernel.clock import Clock
from holdfast.kernel.json import decode_sent
from holdfast.kernel.loops import being_cancelled, end
from holdfast.kernel.names import is_storable
from holdfast.kernel.traces import recording, span_of
from holdfast.postgres.citus import distributed_tables
from holdfast.postgres.connect import allow_prepared, connect_arguments, end_idle_transactions, reach
from holdfast.postgres.deferred import DeferredConnection
from holdfast.postgres.embedded import EmbeddedServer
from holdfast.postgres.failures import translated, unreachable
from holdfast.postgres.listening import Listening
from holdfast.postgres.migrate import check_schema, migrate
from holdfast.postgres.outage import Outage, is_outage, one_line
from holdfast.postgres.queries import queries
from holdfast.postgres.room import try_room
from holdfast.postgres.shares import CALLER, Shares
from holdfast.postgres.tenant import Tenant, TenantTx, begin, join
from holdfast.postgres.wire import Row, Wire
from holdfast.settings import Settings

__all__ = ["Addresses", "Database", "addresses"]

_TENANT_CACHE_SECONDS = 30.0
_TRUST_SECONDS = 5.0
_FULL_SECONDS = 60.0
_ROOM_SECONDS = 5.0
_SCHEMA_SECONDS = 5.0
_RECONNECT_SECONDS = 2.0
"""Then the pool gives up until somebody asks for a connection. By itself it would pause twice as long each time."""
_PAUSE = 0.5
_UNTRACED = nullcontext()
_SQL = queries("tenant")
_log = logging.getLogger("holdfast.database")


@dataclass(frozen=True, slots=True)
class Addresses:
    """Connection strings by what they are for. Never printed: they may hold passwords."""

    app: str
    admin: str
    listen: str

    def __repr__(self) -> str:
        return "Addresses(…)"


def addresses(settings: Settings, server: EmbeddedServer | None) -> Addresses:
    """Where to connect: the embedded server by its roles, or wherever the settings say."""
    if server is not None:
        app = server.dsn(user="holdfast_worker")
        return Addresses(app, server.dsn(), app)
    assert settings.dsn is not None
    dsn = settings.dsn.get_secret_value()
    admin = settings.admin_dsn.get_secret_value() if settings.admin_dsn else dsn
    listen = settings.listen_dsn.get_secret_value() if settings.listen_dsn else dsn
    return Addresses(dsn, admin, listen)


class Database:
    """The pool of one process and what it knows about the tenants.

    Which road to take, the first that fits:

    ============= ============================================ ============ ============== ========= ===================
    road          for whom                                     transaction  tenant         where     cost of SELECT 1
    ============= ============================================ ============ ============== ========= ===================
    transaction   everybody: the slices, through `TenantTx`    yes          entered        pool      its begin goes with
                                                                                                     the first statement
    connection    functions that look across tenants: janitors  no          an argument,   pool      10
                  workers' tending, finding a tenant                        or none
    express       one short statement of trusted code that      no          an argument    its own,  6 to 8
                  must not wait for the pool: claims, sessions,                            else
                  keys, readiness                                                          pool
    quick         one tiny statement, thousands a second:       no          an argument    its own   1 to 3
                  enqueueing one run                                                       wire, or
                                                                                           pool
    ============= ============================================ ============ ============== ========= ===================

    Costs are relative, of one caller on one machine. A worker of runs has a wire of its own besides (`own_wire`), for
    as long as it lives. Whoever wants another road measures first what it brings.
    """

    def __init__(self, settings: Settings, where: Addresses, server: EmbeddedServer | None, *, citus: bool) -> None:
        self.settings = settings
        self.where = where
        self.server = server
        self.on_citus = citus
        """Whether tables are distributed: then the nodes must be told of the tenant, which takes a transaction."""
        self._tenants: dict[str, tuple[float, Tenant]] = {}
        self._used: WeakKeyDictionary[AsyncConnection[Any], float] = WeakKeyDictionary()
        self._express: AsyncConnection[Any] | None = None
        self._express_lock = asyncio.Lock()
        self._wire: Wire | None = None
        self._wire_lock = asyncio.Lock()
        self._sweeper: asyncio.Task[None] | None = None
        self._full: tuple[float, DatabaseFull] | None = None
        self._room_seen = -_ROOM_SECONDS
        self.outage = Outage(settings.connect_timeout)
        self.listening = Listening(where.listen, partial(self.wait_out, tolerant=True))
        self.fits = True
        """Whether the schema was this code's when it was last looked at. While it is not, nobody must claim work."""
        self._fitted = time.monotonic()
        milliseconds = round(settings.statement_timeout * 1000)
        self._statement_limit = (b"SET LOCAL statement_timeout = %d" % milliseconds,) if milliseconds else ()
        # One is left for signing in, for finding tenants and for readiness.
        self.shares = Shares(max(1, settings.pool_max - 1), wait=settings.share_wait)
        """Of the pool's connections, among those whose requests are answered here."""
        self._pool: AsyncConnectionPool[DeferredConnection] = AsyncConnectionPool(
            where.app,
            connection_class=DeferredConnection,
            min_size=min(settings.pool_min, settings.pool_max),
            max_size=settings.pool_max,
            timeout=settings.connect_timeout,
            max_lifetime=settings.pool_max_lifetime,
            max_idle=settings.pool_max_idle,
            reconnect_timeout=_RECONNECT_SECONDS,
            kwargs={"autocommit": True, **connect_arguments(where.app, settings.connect_timeout)},
            configure=self._configure,
            check=self._check,
            name="holdfast",
            open=False,
        )

    @classmethod
    async def open(cls, settings: Settings, *, on_progress: Callable[[str], None] | None = None) -> Self:
        """Start or reach the server, bring or check its schema, open the pool."""
        server = None
        if settings.embedded:
            server = EmbeddedServer.start(settings.data_dir, version=settings.postgres_version, on_progress=on_progress)
        try:
            where = addresses(settings, server)
            if settings.migrate == "always" or (settings.migrate == "auto" and server is not None):
                await migrate(
                    where.admin,
                    retention=settings.audit_retention,
                    on_progress=on_progress,
                    timeout=settings.connect_timeout,
                )
            async with reach(where.app, timeout=settings.connect_timeout) as connection:
                await check_schema(connection)
                citus = bool(await distributed_tables(connection))
            database = cls(settings, where, server, citus=citus)
            with translated(where.app):
                await database._pool.open()
        except BaseException:
            if server is not None:
                server.stop()
            raise
        return database

    async def close(self) -> None:
        """Close the pool; leave the embedded server, stopping it when nobody else uses it."""
        if self._sweeper is not None:
            await end(self._sweeper)
        await self.listening.close()
        await self._pool.close()
        if self._express is not None:
            await self._express.close()
        if self._wire is not None:
            await self._wire.close()
        if self.server is not None:
            self.server.stop()

    @asynccontextmanager
    async def transaction(
        self, tenant: Tenant, actor: Actor, clock: Clock, connection: AsyncConnection[Any] | None = None
    ) -> AsyncIterator[TenantTx]:
        """A transaction of one tenant, on a pooled connection or as part of the caller's own."""
        traced = span_of("transaction", attributes={"db.system.name": "postgresql"}) if recording() else _UNTRACED
        with self._translated(for_tenant=True), traced:
            if connection is not None:
                async with join(connection, tenant, actor, citus=self.on_citus):
                    yield TenantTx(connection, tenant, actor, clock)
                return
            caller = CALLER.get()
            if caller is None or caller.places:
                async with self._lent() as pooled, begin(pooled, tenant, actor, citus=self.on_citus):
                    yield TenantTx(pooled, tenant, actor, clock)
                return
            await self.shares.take(caller.tenant, caller.token)
            caller.places += 1
            try:
                # What somebody asks for over HTTP ends, also when they do not wait for it any more.
                limit = self._statement_limit
                async with self._lent() as pooled, begin(pooled, tenant, actor, citus=self.on_citus, also=limit):
                    yield TenantTx(pooled, tenant, actor, clock)
            finally:
                caller.places -= 1
                self.shares.give_back(caller.tenant, caller.token)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AsyncConnection[Any]]:
        """A pooled connection in autocommit mode, with no tenant: for functions that look across tenants."""
        with self._translated(ours=True):
            async with self._lent() as pooled:
                yield pooled

    @asynccontextmanager
    async def express(self) -> AsyncIterator[AsyncConnection[Any]]:
        """Like `connection`, for one short statement: on a connection kept apart, without the pool's bookkeeping.

        When it is busy, the pool's will do.
        """
        if self._express_lock.locked():
            async with self.connection() as pooled:
                yield pooled
            return
        async with self._express_lock:
            with self._translated(ours=True):
                connection = await self._express_connection()
                try:
                    yield connection
                finally:
                    self._used[connection] = time.monotonic()

    async def _express_connection(self) -> AsyncConnection[Any]:
        known = self._express
        if known is not None and not known.closed:
            try:
                await self._check(known)
            except psycopg.OperationalError:
                await known.close()
        if known is None or known.closed:
            self._express = known = await self._new_connection()
        return known

    async def quick(self, query: LiteralString, values: Mapping[str, Any]) -> list[Row]:
        """One tiny statement on a wire kept for such; on one of the pool's connections when that is busy."""
        try:
            if (wire := await self._free_wire()) is not None:
                return await wire.run(query, values)
            async with self._lent() as pooled:
                return await (await pooled.execute(query, values)).fetchall()
        except (psycopg.Error, UnicodeEncodeError):
            # Only now: to enter and leave a block costs as much as to make sense of such an answer.
            with self._translated(ours=True):
                raise

    @contextmanager
    def _translated(self, *, for_tenant: bool = False, ours: bool = False) -> Iterator[None]:
        try:
            with translated(self.where.app, for_tenant=for_tenant, ours=ours):
                yield
        except DatabaseFull as error:
            self._full = time.monotonic(), error
            raise

    async def check_room(self, connection: AsyncConnection[Any]) -> None:
        """Raise `DatabaseFull` when the disk is: somebody was told so within a minute, or a trial finds no room.

        A trial writes a megabyte to a temporary file, and no more often than every few seconds.
        """
        now = time.monotonic()
        if self._full is not None and now - self._full[0] < _FULL_SECONDS:
            raise self._full[1]
        self._full = None
        if now - self._room_seen >= _ROOM_SECONDS:
            await try_room(connection)
            self._room_seen = now

    async def _free_wire(self) -> Wire | None:
        wire = self._wire
        if wire is None or wire.closed:
            if self._wire_lock.locked():
                return None
            async with self._wire_lock:
                wire = self._wire = Wire(await self._new_connection())
        return None if wire.busy else wire

    async def _new_connection(self) -> AsyncConnection[Any]:
        arguments = connect_arguments(self.where.app, self.settings.connect_timeout)
        try:
            connection = await AsyncConnection.connect(self.where.app, autocommit=True, **arguments)
        except psycopg.OperationalError as error:
            raise unreachable(self.where.app, error) from None
        try:
            await self._configure(connection)
        except BaseException:
            await connection.close()
            raise
        return connection

    async def check_schema(self, connection: AsyncConnection[Any] | None = None, *, now: bool = False) -> None:
        """Raise when the schema is no longer this code's: looked at every few seconds at most, or now.

        Somebody may migrate it while we work, for a version that is about to take our place. Who has a connection gives
        it: those of the pool may all be in use.
        """
        if not now and self.fits and time.monotonic() - self._fitted < _SCHEMA_SECONDS:
            return
        self._fitted = time.monotonic()
        try:
            if connection is not None:
                await check_schema(connection)
            else:
                async with self.connection() as pooled:
                    await check_schema(pooled)
        except OperationalError as error:
            self.fits = self.fits and isinstance(error, DatabaseUnreachable)
            raise
        self.fits = True
        self.outage.ended(schema_is_ours=True)

    async def wait_out(self, error: Exception, doing: str, *, tolerant: bool = False) -> None:
        """A loop of a worker failed and is to go on in a moment; what it was doing, for people.

        That the database is away is told once for the whole process. If a statement names what is not there, either the
        schema is no longer this code's, or it is a bug, which is raised unless the loop is tolerant.
        """
        if being_cancelled():
            raise asyncio.CancelledError from error
        try:
            with translated(self.where.app):
                if isinstance(error, psycopg.Error) and not isinstance(error, psycopg.OperationalError):
                    async with reach(self.where.app, timeout=self.settings.connect_timeout) as connection:
                        await self.check_schema(connection, now=True)
                raise error
        except OperationalError as reason:
            error = reason
        except DatabaseFailed:
            if not tolerant:
                raise
        except (HoldfastError, psycopg.OperationalError, TimeoutError):
            pass
        except psycopg.Error:
            if not tolerant:
                raise
        if is_outage(error) or (isinstance(error, HoldfastError) and not self.fits):
            self.outage.began(error)
        else:
            _log.warning("%s failed and is tried again: %s", doing, one_line(error))
        await asyncio.sleep(_PAUSE)

    async def _configure(self, connection: AsyncConnection[Any]) -> None:
        await allow_prepared(connection)
        set_json_loads(decode_sent, connection)
        if connection.prepare_threshold is not None:
            # Not behind a transaction pooler: whoever gets the server process next would have our setting.
            await end_idle_transactions(connection, self.settings.idle_transaction_timeout)
        if isinstance(connection, DeferredConnection):
            connection.keep_names()

    @property
    def closed(self) -> bool:
        """Whether it lends no connections any more."""
        return self._pool.closed

    def pool_use(self) -> dict[str, int]:
        """How many connections the pool has, has free, may have, and how many wait for one."""
        told = self._pool.get_stats()
        names = {"size": "pool_size", "available": "pool_available", "max": "pool_max", "waiting": "requests_waiting"}
        return {name: told.get(theirs, 0) for name, theirs in names.items()}

    async def _check(self, connection: AsyncConnection[Any]) -> None:
        """Before a connection is lent: ask the server whether it is alive, unless that can be seen without asking.

        A server that closed the connection has left word of it on the socket; a network that swallowed everything has
        not, so a connection that was idle for a while is asked.
        """
        used = self._used.get(connection, 0.0)
        if time.monotonic() - used > _TRUST_SECONDS or _has_news(connection):
            try:
                await AsyncConnectionPool.check_connection(connection)
            except psycopg.OperationalError:
                self._sweep()
                raise

    def _sweep(self) -> None:
        """A connection is dead: have all of them looked at now.

        After a restart of the server they all are, and the pool, which pauses longer and longer after each dead one it
        tries to lend, would find no live one in time.
        """
        if self._sweeper is None or self._sweeper.done():
            self._sweeper = asyncio.create_task(self._pool.check())

    @asynccontextmanager
    async def _lent(self) -> AsyncIterator[DeferredConnection]:
        # Noted here and not by the pool's `reset`: with one, the pool takes connections back in the background.
        async with self._pool.connection() as pooled:
            try:
                yield pooled
            finally:
                self._used[pooled] = time.monotonic()
            if self.outage.lasts:
                self.outage.ended()

    async def tenant(self, slug: str) -> Tenant:
        """The tenant of a slug, remembered for a while; raises `TenantNotFound`."""
        known = self._tenants.get(slug)
        if known is not None and time.monotonic() - known[0] < _TENANT_CACHE_SECONDS:
            return known[1]
        row = None
        # What Postgres could not compare is nobody's slug.
        if is_storable(slug):
            async with self.connection() as connection:
                row = await (await connection.execute(_SQL["find_tenant"], {"slug": slug})).fetchone()
        if row is None:
            self._tenants.pop(slug, None)
            raise TenantNotFound(f"there is no tenant {slug!r}", hint="`holdfast tenants add` creates one", tenant=slug)
        tenant = Tenant(*row)
        self._tenants[slug] = (time.monotonic(), tenant)
        return tenant

    def forget_tenant(self, slug: str) -> None:
        """Read the tenant anew next time, after a change."""
        self._tenants.pop(slug, None)


def _has_news(connection: AsyncConnection[Any]) -> bool:
    """Whether the server sent something to a connection that nobody uses: most likely its farewell."""
    watch = select.poll()
    watch.register(connection.pgconn.socket, select.POLLIN)
    return bool(watch.poll(0))
