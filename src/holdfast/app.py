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
from typing import Any, Literal, Self, TypeVar

from psycopg import AsyncConnection

from holdfast.access import Roles, TenantInfo, Tenants, Tokens, Users, authenticate, load_actor
from holdfast.access.tenants import read_tenant, update_tenant
from holdfast.access.tokens import tenant_of
from holdfast.audit import Trail
from holdfast.audit.janitor import Tidied, tidy
from holdfast.errors import ExtraMissing, SchemaOutdated
from holdfast.kernel.actor import SYSTEM, Actor
from holdfast.kernel.clock import Clock, DatabaseClock
from holdfast.postgres.database import Database
from holdfast.postgres.tenant import Tenant, TenantTx
from holdfast.runs import Enqueued, Handlers, NewRun, Retry, Runs, Worker
from holdfast.runs.queue import drop_finished, enqueue_for
from holdfast.sessions import Definitions, Graphs, Message, Sessions
from holdfast.sessions.expiry import Expiry
from holdfast.sessions.follow import Bell, follow
from holdfast.sessions.history import History
from holdfast.sessions.model import EXECUTE, EXPIRE
from holdfast.sessions.retention import drop_old_checkpoints
from holdfast.sessions.setup import is_behind, set_up
from holdfast.settings import Settings

__all__ = ["Hold", "Holdfast"]

F = TypeVar("F", bound=Callable[..., Any])


class Hold:
    """One tenant, one actor, one transaction, with everything that can be done in it."""

    def __init__(self, app: Holdfast, tx: TenantTx) -> None:
        self._tx = tx
        self.users = Users(tx)
        self.roles = Roles(tx)
        self.tokens = Tokens(tx)
        self.audit = Trail(tx)
        self.runs = Runs(
            tx, app.handlers, payload_limit=app.settings.payload_limit, event_level=app.settings.run_events
        )
        self.sessions = Sessions(tx, app.handlers, app.history, input_limit=app.settings.payload_limit)

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
        self.graphs = Graphs()
        self._session_keys = self.settings.session_keys.get_secret_value() if self.settings.session_keys else None
        self.history = History(self._session_keys)
        self._runner: Any = None
        self._bell: Bell | None = None
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
            bell, self._bell = self._bell, None
            if bell is not None:
                await bell.close()
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
        if self.graphs.unpublished:
            await self._publish(database)
        first = SYSTEM if isinstance(actor, str) else actor
        tenant = await database.tenant(slug)
        async with database.transaction(tenant, first, self.clock, connection) as tx:
            if isinstance(actor, str):
                tx = TenantTx(tx.connection, tx.tenant, await load_actor(tx, actor), tx.clock)
            yield Hold(self, tx)

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
    def definitions(self) -> Definitions:
        """The definitions of sessions, of the whole installation. The application must be open."""
        return Definitions(self.database, self.clock, self.settings.allowed_registries)

    def graph(
        self,
        name: str,
        target: Any = None,
        *,
        input: Any = None,  # noqa: A002 - it is the input
        display_name: str | None = None,
        description: str | None = None,
        version: str | None = None,
        tags: Sequence[str] = (),
        concurrent_input: Literal["reject", "enqueue", "interrupt"] = "reject",
        timeout: float | timedelta | None = None,
        types: Sequence[type] = (),
        durability: Literal["sync", "async", "exit"] = "sync",
        recursion_limit: int = 10_000,
        prompt_lifetime: float | timedelta | None = None,
        lease: float | timedelta = 30.0,
        max_attempts: int = 5,
        concurrency: int | None = None,
    ) -> Any:
        """Register a LangGraph graph, that sessions named after `name` execute: as a decorator, or with a `target`.

        What is decorated, or given as `target`, is a function that makes a `StateGraph`, the graph itself, or its
        `module:name`. `input` is a pydantic model, a dataclass or a JSON Schema that inputs of sessions must fit.
        """

        def register(found: Any) -> Any:
            self.graphs.add(
                name,
                found,
                input=input,
                display_name=display_name,
                description=description,
                version=version,
                tags=tags,
                concurrent_input=concurrent_input,
                timeout=timeout,
                types=types,
                durability=durability,
                recursion_limit=recursion_limit,
                prompt_lifetime=prompt_lifetime,
            )
            runner = self._session_runner()
            self.handlers.add(
                f"{EXECUTE}.{name}",
                runner.execute,
                retry=Retry(max_attempts=max_attempts),
                lease=lease,
                concurrency=concurrency,
            )
            self.expire_sessions()
            return found

        return register if target is None else register(target)

    def expire_sessions(self) -> None:
        """Let workers of this application end sessions that are overdue. An application with graphs does by itself."""
        if self.handlers.find(EXPIRE) is None:
            self.handlers.add(EXPIRE, Expiry(lambda: self.database, self.clock).expire, retry=Retry(max_attempts=10))

    def _session_runner(self) -> Any:
        if self._runner is None:
            try:
                from holdfast.sessions.runner import Runner
            except ModuleNotFoundError as error:
                raise ExtraMissing("LangGraph is not installed", hint="pip install 'holdfast[langgraph]'") from error
            self._runner = Runner(lambda: self.database, self.clock, self.graphs, self._session_keys)
        return self._runner

    async def publish_graphs(self) -> None:
        """Write the graphs of this process into the registry. Done by itself when the application opens."""
        await self._publish(await self._opened())

    async def follow_session(
        self, tenant: str, name: str, *, after: int = 0, actor: Actor | str = SYSTEM
    ) -> AsyncIterator[Message]:
        """The messages of a session as they come, after a sequence number; ends when the session has ended."""
        database = await self._opened()
        async with self.tenant(tenant, actor=actor) as hold:
            reader = hold.actor
            session = await hold.sessions.get(name)
        if self._bell is None:
            self._bell = Bell(database.where.listen)
        where = await database.tenant(tenant)

        async for message in follow(database, self._bell, where, reader, self.clock, session.id, name, after):
            yield message

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

    async def tidy(self) -> Tidied:
        """One round of housekeeping: partitions made ahead, expired ones dropped."""
        database = await self._opened()
        done = await tidy(database, self.clock)
        runs = await drop_finished(database, self.clock)
        await drop_old_checkpoints(database, self.clock)
        return Tidied(done.partitions_made, (*done.partitions_dropped, *runs))

    async def _publish(self, database: Database) -> None:
        if not self.graphs.unpublished:
            return
        async with database.connection() as connection:
            behind = await is_behind(connection)
        if behind and (database.server is not None or self.settings.migrate == "always"):
            await set_up(database.where.admin, timeout=self.settings.connect_timeout)
        elif behind:
            raise SchemaOutdated("LangGraph's tables are older than its library", hint="run `holdfast migrate`")
        definitions = Definitions(database, self.clock, self.settings.allowed_registries)
        for name in sorted(self.graphs.unpublished):
            graph = self.graphs.find(name)
            assert graph is not None
            await definitions.register(graph.spec, source="code", replace=True)
            self.graphs.unpublished.discard(name)

    async def _opened(self) -> Database:
        if self._database is None:
            async with self._opening:
                if self._database is None:
                    self._database = await Database.open(self.settings, on_progress=self._on_progress)
                    await self._publish(self._database)
        return self._database
