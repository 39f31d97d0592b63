"""`Holdfast`: the one place that wires the parts together.

    app = Holdfast()                                      # embedded Postgres; HOLDFAST_DSN for yours
    async with app.tenant("acme", actor="ana") as hold:   # one tenant, one transaction
        await hold.users.create("ben", roles=["approver"])

Leaving the block commits; an exception undoes everything done in it. `async with app:` opens and closes explicitly;
without it the application opens on first use.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Self, TypeVar

from psycopg import AsyncConnection

from holdfast.access import Roles, TenantInfo, Tenants, Tokens, Users, authenticate, load_actor
from holdfast.access.tenants import read_tenant, update_tenant
from holdfast.access.tokens import tenant_of
from holdfast.audit import Trail
from holdfast.audit.janitor import Tidied, tidy
from holdfast.documents import Contracts, Documents
from holdfast.documents import Rules as DocumentRules
from holdfast.envelope.parts import NodeConfig
from holdfast.kernel.actor import SYSTEM, Actor
from holdfast.kernel.clock import Clock, DatabaseClock
from holdfast.postgres.database import Database
from holdfast.postgres.tenant import Tenant, TenantTx
from holdfast.processes.assembly import Assembly
from holdfast.processes.definitions import Definitions
from holdfast.processes.effects import (
    Effects,
    EffectsWorker,
    Notifications,
    Sender,
    SendingFunction,
    confirming,
    standard_senders,
)
from holdfast.processes.janitor import prune
from holdfast.processes.people import Approvals, Chains, Delegations, Inbox, OrgChart, Tending
from holdfast.processes.processes import Processes
from holdfast.processes.triggers import Triggers
from holdfast.processes.worker import EngineWorker
from holdfast.runs import Enqueued, Handlers, NewRun, Retry, Runs, Worker
from holdfast.runs.queue import drop_finished, enqueue_for
from holdfast.settings import Settings

__all__ = ["Hold", "Holdfast"]

F = TypeVar("F", bound=Callable[..., Any])


class Hold:
    """One tenant, one actor, one transaction, with everything that can be done in it."""

    def __init__(self, app: Holdfast, tx: TenantTx) -> None:
        self._tx = tx
        self.reconfigured = False
        self.users = Users(tx)
        self.roles = Roles(tx)
        self.tokens = Tokens(tx)
        self.audit = Trail(tx)
        self.runs = Runs(
            tx, app.handlers, payload_limit=app.settings.payload_limit, event_level=app.settings.run_events
        )
        self.documents = Documents(tx, app.assembly.cabinet())
        self.rules = DocumentRules(tx, app.assembly.contracts)
        self.definitions = Definitions(tx, app.assembly.library)
        self.processes = Processes(tx, app.assembly.engine)
        self.triggers = Triggers(tx)
        self.approvals = Approvals(tx, app.assembly.engine)
        self.inbox = Inbox(tx)
        self.delegations = Delegations(tx)
        self.chains = Chains(tx)
        self.org = OrgChart(tx)
        self.effects = Effects(tx)
        self.notifications = Notifications(tx)

    @property
    def tenant(self) -> Tenant:
        return self._tx.tenant

    @property
    def actor(self) -> Actor:
        return self._tx.actor

    @property
    def connection(self) -> AsyncConnection[Any]:
        """The psycopg connection of this transaction; your SQL on it sees this tenant only."""
        return self._tx.connection

    def require(self, permission: str) -> None:
        """Raise `Forbidden` unless the actor has the permission."""
        self._tx.require(permission)

    async def info(self) -> TenantInfo:
        """The tenant's name and settings."""
        return await read_tenant(self._tx)

    async def configure(self, *, name: str | None = None, settings: dict[str, Any] | None = None) -> TenantInfo:
        """Change the tenant's name or settings."""
        self.reconfigured = True
        return await update_tenant(self._tx, name=name, settings=settings)


class Holdfast:
    """The application. Settings come from `HOLDFAST_*` and, before them, from keyword arguments."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        clock: Clock | None = None,
        on_progress: Callable[[str], None] | None = None,
        **overrides: Any,
    ) -> None:
        if settings is not None and overrides:
            raise TypeError("give settings or keyword arguments, not both")
        self.settings = settings or Settings.load(**overrides)
        self.clock = clock or DatabaseClock()
        self.handlers = Handlers()
        self.assembly = Assembly(self.handlers, self.settings)
        self.senders: dict[str, Sender] = {}
        self._on_progress = on_progress
        self._database: Database | None = None
        self._opening = asyncio.Lock()

    async def open(self) -> Self:
        """Start or reach Postgres and open the pool. Opening twice is no error."""
        await self._opened()
        return self

    async def close(self) -> None:
        """Close the pool; the embedded Postgres stops when nobody else uses it."""
        async with self._opening:
            database, self._database = self._database, None
            if database is not None:
                await database.close()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def database(self) -> Database:
        """The open database; for parts of holdfast itself."""
        if self._database is None:
            raise RuntimeError("the application is not open: use `async with app:` or `await app.open()`")
        return self._database

    @property
    def tenants(self) -> Tenants:
        """All tenants of the installation. The application must be open."""
        return Tenants(self.database, self.clock)

    @asynccontextmanager
    async def tenant(
        self, slug: str, *, actor: Actor | str = SYSTEM, connection: AsyncConnection[Any] | None = None
    ) -> AsyncIterator[Hold]:
        """A transaction of one tenant.

        `actor` is the name of one of its users, or an `Actor`; the default is trusted code, `system`. With
        `connection`, the block is part of the transaction already open on that psycopg connection.
        """
        database = await self._opened()
        first = SYSTEM if isinstance(actor, str) else actor
        tenant = await database.tenant(slug)
        async with database.transaction(tenant, first, self.clock, connection) as tx:
            if isinstance(actor, str):
                tx = TenantTx(tx.connection, tx.tenant, await load_actor(tx, actor), tx.clock)
            hold = Hold(self, tx)
            yield hold
        if hold.reconfigured:
            # Processes read the tenant's settings, as `org`: from the next transaction on, the new ones.
            database.forget_tenant(slug)

    async def authenticate(self, secret: str) -> tuple[str, Actor]:
        """The tenant and the actor an API token stands for; raises `NotSignedIn`."""
        database = await self._opened()
        # The token only claims a tenant. Nothing of that tenant is seen unless the token is found in it.
        claimed = Tenant(tenant_of(secret), slug="", name="")
        async with database.transaction(claimed, SYSTEM, self.clock) as tx:
            actor = await authenticate(tx, secret)
            return (await read_tenant(tx)).slug, actor

    def handler(
        self,
        type: str,  # noqa: A002 - it is the type
        *,
        retry: Retry | None = None,
        lease: float | timedelta = 30.0,
        timeout: float | timedelta | None = None,
        concurrency: int | None = None,
    ) -> Callable[[F], F]:
        """Register a function, `(run)` or `(run, payload)`, as the handler of a type of runs.

        An asynchronous one runs on the worker's event loop, a plain one in a thread. The payload is converted to the
        type its parameter is annotated with.
        """

        def register(function: F) -> F:
            self.handlers.add(type, function, retry=retry, lease=lease, timeout=timeout, concurrency=concurrency)
            return function

        return register

    @property
    def contracts(self) -> Contracts:
        """The document types of this application."""
        return self.assembly.contracts

    def rule(self, name: str) -> Callable[[F], F]:
        """Register a function of an `Ask` as a rule that `rule` steps can ask by this name."""

        def register(function: F) -> F:
            self.assembly.rules.add(name, function)
            return function

        return register

    def node(
        self, node_type: str, *, config: type[NodeConfig] | None = None, title: str | None = None
    ) -> Callable[[F], F]:
        """Register a function of an `Ask` as a node type of your own, for definitions to use."""

        def register(function: F) -> F:
            self.assembly.nodes.define(node_type, function, config=config, title=title)
            return function

        return register

    async def enqueue(
        self,
        tenant: str,
        type: str,  # noqa: A002 - it is the type
        payload: Any = None,
        *,
        key: str | None = None,
        priority: int = 0,
        run_at: datetime | None = None,
        max_attempts: int | None = None,
        trace_parent: str | None = None,
    ) -> Enqueued:
        """Enqueue one run in a transaction of its own: one statement, one round trip. Trusted code only.

        To enqueue together with other changes, use `hold.runs.enqueue` inside their transaction.
        """
        new = NewRun(type, {} if payload is None else payload, key, priority, run_at, max_attempts, trace_parent)
        return (await self.enqueue_many(tenant, [new]))[0]

    async def enqueue_many(self, tenant: str, runs: Iterable[NewRun]) -> list[Enqueued]:
        """Enqueue many runs in a transaction of their own; all of them or none."""
        database = await self._opened()
        return await enqueue_for(
            database,
            await database.tenant(tenant),
            list(runs),
            self.handlers,
            self.clock,
        )

    def worker(
        self, *, prefixes: Sequence[str] = (), concurrency: int | None = None, name: str | None = None
    ) -> Worker:
        """A worker for the handlers of this application, which must be open. `await worker.run()` ends after stop()."""
        settings = self.settings
        return Worker(
            self.database,
            self.handlers,
            self.clock,
            prefixes=prefixes or settings.worker_type_prefixes,
            concurrency=concurrency or settings.worker_concurrency,
            threads=settings.worker_threads,
            poll_interval=settings.worker_poll_interval,
            shutdown_timeout=settings.worker_shutdown_timeout,
            name=name,
        )

    def engine_worker(
        self, *, concurrency: int = 2, batch: int = 100, lease: float = 60.0, name: str | None = None
    ) -> EngineWorker:
        """A worker that advances processes. The application must be open; `await worker.run()` ends after stop()."""
        return EngineWorker(
            self.database,
            self.assembly.engine,
            self.clock,
            concurrency=concurrency,
            batch=batch,
            lease=timedelta(seconds=lease),
            poll_interval=self.settings.worker_poll_interval,
            name=name,
        )

    def effect(self, kind: str) -> Callable[[F], F]:
        """Register a function of an `Outgoing` effect as the sender of a kind, such as `sms`.

        It returns evidence that it arrived, or raises `Undelivered`; it is called outside of any transaction.
        """

        def register(function: F) -> F:
            self.senders[kind] = SendingFunction(function)
            return function

        return register

    def effects_worker(self, *, concurrency: int | None = None, name: str | None = None) -> EffectsWorker:
        """A worker that sends effects and reminds people. The application must be open."""
        settings = self.settings
        return EffectsWorker(
            self.database,
            {**standard_senders(self.database, self.clock), **self.senders},
            self.clock,
            confirming(self.assembly.engine),
            concurrency=concurrency or settings.effects_concurrency,
            lease=timedelta(seconds=settings.effects_timeout * 2),
            poll_interval=settings.worker_poll_interval,
            shutdown_timeout=settings.worker_shutdown_timeout,
            chores=[Tending(self.database, self.clock).round],
            name=name,
        )

    async def tidy(self) -> Tidied:
        """One round of housekeeping: partitions made ahead, expired ones dropped."""
        database = await self._opened()
        done = await tidy(database, self.clock)
        runs = await drop_finished(database, self.clock)
        await prune(database, self.clock)
        return Tidied(done.partitions_made, (*done.partitions_dropped, *runs))

    async def _opened(self) -> Database:
        if self._database is None:
            async with self._opening:
                if self._database is None:
                    self._database = await Database.open(self.settings, on_progress=self._on_progress)
        return self._database
