"""`Holdfast`: the one place that wires the parts together.

    app = Holdfast()                                      # embedded Postgres; HOLDFAST_DSN for yours
    async with app.tenant("acme", actor="ana") as hold:   # one tenant, one transaction
        await hold.users.create("ben", roles=["approver"])

Leaving the block commits; an exception undoes everything done in it. `async with app:` opens and closes explicitly;
without it the application opens on first use.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Literal, Self, TypeVar
from uuid import UUID

from psycopg import AsyncConnection

from holdfast.access import Roles, TenantInfo, Tenants, Tokens, Users, authenticate, load_actor
from holdfast.access.tenants import read_tenant, update_tenant
from holdfast.access.tokens import tenant_of
from holdfast.actions import ActionRegistry, Actions
from holdfast.actions.builtin import register_runs
from holdfast.actions.calling import drop_receipts
from holdfast.actions.tools import make_tools
from holdfast.audit import Trail
from holdfast.audit.janitor import Tidied, tidy
from holdfast.data import Keys, Links, Origin
from holdfast.data.actions import register_data
from holdfast.data.lines import Imported, OnConflict, export_lines, import_lines
from holdfast.data.model import NOWHERE
from holdfast.data.schemas import Schemas
from holdfast.data.stores.postgres import Express, InTransaction, PostgresKeys, PostgresLinks, tidy_data
from holdfast.documents import Contracts, Documents
from holdfast.documents import Rules as DocumentRules
from holdfast.documents.actions import register_documents
from holdfast.envelope.parts import NodeConfig
from holdfast.errors import ExtraMissing, SchemaOutdated
from holdfast.kernel import loops
from holdfast.kernel.actor import SYSTEM, Actor
from holdfast.kernel.clock import Clock, DatabaseClock
from holdfast.metrics import Metrics
from holdfast.outbox import Dispatcher, Outbox, Sink, Sinks, build_sinks
from holdfast.outbox.box import drop_published
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
from holdfast.processes.effects.actions import register_effects
from holdfast.processes.janitor import prune
from holdfast.processes.nodes.registered import RegisteredActions
from holdfast.processes.people import Approvals, Chains, Delegations, Inbox, OrgChart, Tending
from holdfast.processes.processes import Processes
from holdfast.processes.triggers import Triggers
from holdfast.processes.worker import EngineWorker
from holdfast.runs import Enqueued, Handlers, NewRun, Rate, Retry, Run, Runs, Scheduler, Schedules, Worker
from holdfast.runs.enqueue import enqueue_for
from holdfast.runs.inspection import Inspection, inspect_run
from holdfast.runs.queue import check_held, drop_finished
from holdfast.sessions import Definitions as SessionDefinitions
from holdfast.sessions import Graphs, Message, Sessions
from holdfast.sessions.actions import register_sessions
from holdfast.sessions.expiry import Expiry
from holdfast.sessions.follow import Bell, follow
from holdfast.sessions.history import History
from holdfast.sessions.model import EXECUTE, EXPIRE, RETAIN
from holdfast.sessions.node import SessionHandler, SessionObserver
from holdfast.sessions.retention import Retention
from holdfast.sessions.setup import is_behind, set_up
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
        self.runs = app.runs_in(tx)
        self.schedules = Schedules(tx, self.runs, payload_limit=app.settings.payload_limit)
        self.outbox = Outbox(tx, payload_limit=app.settings.payload_limit)
        self.data = app.keys_of(tx)
        self.links = app.links_of(tx)
        self.actions = Actions(app.actions, tx)
        self.sessions = Sessions(tx, app.handlers, app.history, input_limit=app.settings.payload_limit)
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

    async def inspect_run(self, run_id: UUID) -> Inspection:
        """A run with its steps and the events of its life."""
        return await inspect_run(self._tx, self.runs, run_id)

    async def info(self) -> TenantInfo:
        """The tenant's name and settings."""
        return await read_tenant(self._tx)

    async def export_data(self, namespace: str | None = None) -> AsyncIterator[str]:
        """Keys and links as JSON Lines: all of the tenant's, or one namespace's."""
        self.require("data:read")
        way = InTransaction(self._tx)
        async for line in export_lines(PostgresKeys(way), PostgresLinks(way), namespace):
            yield line

    async def import_data(self, lines: Iterable[str], *, on_conflict: OnConflict = "replace") -> Imported:
        """Write what exported lines say. Keys that are there are replaced, kept, or (`fail`) end the import."""
        self.require("data:operate")
        now = (await PostgresKeys(InTransaction(self._tx)).here()).at
        return await import_lines(self.data, self.links, lines, now=now, on_conflict=on_conflict)

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
        self.own_sinks = Sinks()
        self.metrics = Metrics(tenant_label=self.settings.metrics_tenant_label)
        self._schemas = Schemas()
        self.actions = ActionRegistry(lambda tx: Hold(self, tx))
        register_runs(self.actions)
        register_data(self.actions, self.keys_of, self.links_of)
        self.graphs = Graphs()
        self._session_keys = self.settings.session_keys.get_secret_value() if self.settings.session_keys else None
        self.history = History(self._session_keys)
        self._runner: Any = None
        self._bell: Bell | None = None
        self.assembly = Assembly(self.handlers, self.settings)
        self.assembly.nodes.add(SessionHandler(self.handlers, self.history, input_limit=self.settings.payload_limit))
        self.assembly.nodes.observe(SessionObserver(self.handlers, self.history))
        register_documents(self.actions, self.assembly.contracts)
        register_effects(self.actions)
        register_sessions(self.actions)
        self.assembly.actions.ask(RegisteredActions(self.actions))
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
        rate: Rate | None = None,
    ) -> Callable[[F], F]:
        """Register a function, `(run)` or `(run, payload)`, as the handler of a type of runs.

        An asynchronous one runs on the worker's event loop, a plain one in a thread. The payload is converted to the
        type its parameter is annotated with. `concurrency` is a limit for each worker, `rate` one for all of them.
        """

        def register(function: F) -> F:
            self.handlers.add(
                type, function, retry=retry, lease=lease, timeout=timeout, concurrency=concurrency, rate=rate
            )
            return function

        return register

    def action(
        self,
        name: str,
        *,
        input: Any = None,  # noqa: A002 - it is the input
        output: Any = None,
        permission: str,
        side_effect: bool = True,
        label: str | None = None,
        description: str | None = None,
        group: str | None = None,
    ) -> Callable[[F], F]:
        """Register an asynchronous function `(call, input)` as an action, callable from everywhere by its name.

        `input` and `output` are types pydantic knows, or JSON Schemas.
        """

        def register(function: F) -> F:
            self.actions.add(
                name,
                function,
                input=input,
                output=output,
                permission=permission,
                side_effect=side_effect,
                label=label,
                description=description,
                group=group,
            )
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

    def as_tools(self, tenant: str, *, actor: Actor | str = SYSTEM, actions: Iterable[str] | None = None) -> list[Any]:
        """Actions as tools of a LangGraph agent: all, or those named. Each call is a transaction of its own."""
        chosen = list(self.actions) if actions is None else [self.actions.find(name) for name in actions]

        async def call(name: str, given: Any, key: str | None) -> Any:
            async with self.tenant(tenant, actor=actor) as hold:
                return await hold.actions.call(name, given, key=key)

        return make_tools(chosen, call)

    @property
    def session_definitions(self) -> SessionDefinitions:
        """The definitions of sessions, of the whole installation. The application must be open."""
        return SessionDefinitions(self.database, self.clock, self.settings.allowed_registries)

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
            self.tend_sessions()
            return found

        return register if target is None else register(target)

    def tend_sessions(self) -> None:
        """Let workers of this application end overdue sessions and forget old checkpoints, of every tenant.

        An application with graphs does so by itself, and so does `holdfast worker`.
        """
        if self.handlers.find(EXPIRE) is None:
            expiry, retention = Expiry(lambda: self.database, self.clock), Retention(lambda: self.database, self.clock)
            self.handlers.add(EXPIRE, expiry.expire, retry=Retry(max_attempts=10), housekeeping=True)
            self.handlers.add(RETAIN, retention.retain, housekeeping=True)

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
        concurrency_key: str | None = None,
        concurrency_limit: int | None = None,
    ) -> Enqueued:
        """Enqueue one run in a transaction of its own: one statement, one round trip. Trusted code only.

        To enqueue together with other changes, use `hold.runs.enqueue` inside their transaction.
        """
        new = NewRun(
            type,
            {} if payload is None else payload,
            key,
            priority,
            run_at,
            max_attempts,
            trace_parent,
            concurrency_key,
            concurrency_limit,
        )
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

    def data(self, tenant: str) -> Keys:
        """The keys of a tenant, each call a transaction of its own, the common ones one round trip. Trusted code only.

        To write together with other changes, use `hold.data` inside their transaction.
        """
        way = Express(self._opened, tenant, self.clock)
        return Keys(PostgresKeys(way), SYSTEM.require, self._schemas, value_limit=self.settings.data_value_limit)

    def links(self, tenant: str) -> Links:
        """The links of a tenant, likewise."""
        way = Express(self._opened, tenant, self.clock)
        return Links(PostgresLinks(way), SYSTEM.require, value_limit=self.settings.data_value_limit)

    def keys_of(self, tx: TenantTx, origin: Origin = NOWHERE) -> Keys:
        """The keys of a transaction, written on behalf of a run or of a step; for parts of holdfast itself."""
        store = PostgresKeys(InTransaction(tx), origin)
        return Keys(store, tx.require, self._schemas, value_limit=self.settings.data_value_limit)

    def links_of(self, tx: TenantTx, origin: Origin = NOWHERE) -> Links:
        """The links of a transaction, likewise."""
        store = PostgresLinks(InTransaction(tx), origin)
        return Links(store, tx.require, value_limit=self.settings.data_value_limit)

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
            hold=self._hold_run,
            metrics=self.metrics.runs,
        )

    def run_worker(self, *, prefixes: Sequence[str] = (), concurrency: int | None = None) -> None:
        """Open, execute runs until SIGTERM or Ctrl-C, close: a whole worker program in one call.

        `holdfast worker` does the same and more: schedules, the outbox, housekeeping.
        """

        async def work() -> None:
            async with self:
                worker = self.worker(prefixes=prefixes, concurrency=concurrency)
                for name in (signal.SIGINT, signal.SIGTERM):
                    asyncio.get_running_loop().add_signal_handler(name, worker.stop)
                await worker.run()

        loops.run(work())

    @asynccontextmanager
    async def _hold_run(self, run: Run, actor: Actor | str) -> AsyncIterator[Hold]:
        async with self.database.transaction(Tenant(run.tenant, slug="", name=""), SYSTEM, self.clock) as tx:
            await check_held(tx, run)
            info = await read_tenant(tx)
            whose = await load_actor(tx, actor) if isinstance(actor, str) else actor
            yield Hold(self, TenantTx(tx.connection, Tenant(run.tenant, info.slug, info.name), whose, tx.clock))

    def sink(self, name: str, *, types: Sequence[str] = ()) -> Callable[[F], F]:
        """Register a sink of your own for outbox events: a function of one event, or a class with `send(event)`.

        It gets every event, or those whose type begins with one of `types`. See `holdfast.outbox.sinks` for what it may
        raise.
        """

        def register(target: F) -> F:
            self.own_sinks.add(name, target, types=tuple(types))
            return target

        return register

    @property
    def has_sinks(self) -> bool:
        """Whether outbox events have anywhere to go."""
        return self.settings.outbox_sinks is not None or len(self.own_sinks) > 0

    def dispatcher(
        self, *, sinks: Sequence[Sink] = (), concurrency: int | None = None, name: str | None = None
    ) -> Dispatcher:
        """A dispatcher of outbox events for the sinks given, or for those of the settings and of the application.

        The application must be open. `await dispatcher.run()` ends after stop().
        """
        wanted = list(sinks) or [*build_sinks(self.settings), *self.own_sinks.build()]
        return Dispatcher(self.database, wanted, self.clock, concurrency=concurrency, name=name)

    def scheduler(self) -> Scheduler:
        """A scheduler for every tenant's schedules. The application must be open. `await scheduler.run()`, as a worker.

        `holdfast worker` runs one. Any number may run: each fire becomes one run.
        """
        settings = self.settings
        return Scheduler(
            self.database,
            self.clock,
            self.runs_in,
            poll_interval=settings.worker_poll_interval,
            grace=settings.schedule_grace,
            on_fire=self.metrics.schedules.fired,
        )

    def runs_in(self, tx: TenantTx) -> Runs:
        """The queue as a transaction sees it; for parts of holdfast itself."""
        return Runs(
            tx,
            self.handlers,
            payload_limit=self.settings.payload_limit,
            event_level=self.settings.run_events,
            publishes=self.settings.run_publishes,
        )

    async def metrics_text(self) -> bytes:
        """The figures of this process and of the queue, as Prometheus scrapes them."""
        return await self.metrics.text(await self._opened(), self.clock)

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
        events = await drop_published(database, self.clock)
        _, changes = await tidy_data(database, self.clock)
        await drop_receipts(database, self.clock)
        await prune(database, self.clock)
        return Tidied(done.partitions_made, (*done.partitions_dropped, *runs, *events, *changes))

    async def _publish(self, database: Database) -> None:
        if not self.graphs.unpublished:
            return
        async with database.connection() as connection:
            behind = await is_behind(connection)
        if behind and (database.server is not None or self.settings.migrate == "always"):
            await set_up(database.where.admin, timeout=self.settings.connect_timeout)
        elif behind:
            raise SchemaOutdated("LangGraph's tables are older than its library", hint="run `holdfast migrate`")
        definitions = SessionDefinitions(database, self.clock, self.settings.allowed_registries)
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
