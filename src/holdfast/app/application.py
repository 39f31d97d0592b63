"""`Holdfast`: the application object.

    app = Holdfast()                                      # embedded Postgres; HOLDFAST_DSN for yours
    async with app.tenant("acme", actor="ana") as hold:   # one tenant, one transaction
        await hold.users.create("ben", roles=["approver"])

Leaving the block commits; an exception undoes everything done in it. `async with app:` opens and closes explicitly;
without it the application opens on first use.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self
from uuid import UUID

from psycopg import AsyncConnection

from holdfast.access import SignIns, Tenants, acting_for, authenticate, load_actor
from holdfast.access.tenants import read_tenant
from holdfast.access.tokens import record_refusals, tenant_of
from holdfast.app.hold import Hold
from holdfast.app.registering import Registering
from holdfast.app.working import Working
from holdfast.data import Keys, Links
from holdfast.data.stores.postgres import Express, PostgresKeys, PostgresLinks
from holdfast.errors import HoldfastError, SettingsError
from holdfast.kernel import loops
from holdfast.kernel.actor import SYSTEM, Actor
from holdfast.kernel.clock import Clock
from holdfast.postgres.database import Database
from holdfast.postgres.listening import Bell, Channel
from holdfast.postgres.outage import Outage, is_outage
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx, claimed_tenant
from holdfast.runs import Enqueued, NewRun
from holdfast.runs.enqueue import enqueue_for, enqueue_one_for
from holdfast.settings import Settings

if TYPE_CHECKING:
    from holdfast.audit.anchors import Anchors
    from holdfast.audit.model import Tidied
    from holdfast.data import Change, Changes
    from holdfast.data.changes import After
    from holdfast.live import Live, LiveEvent
    from holdfast.operate.installation import Installation
    from holdfast.sessions import Definitions as SessionDefinitions
    from holdfast.sessions import Message

__all__ = ["Holdfast"]

_ACCESS = queries("access")
_OPEN_PAUSE = 0.5


class Holdfast(Registering, Working):
    """The application. Settings come from `HOLDFAST_*` and, before them, from keyword arguments.

    For example:

        app = Holdfast()

        @app.handler("billing.charge.v1")
        async def charge(run: Run, order: Order) -> None: ...

        async with app, app.tenant("acme") as hold:
            await hold.runs.enqueue("billing.charge.v1", {"order": 7})
    """

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
        super().__init__(settings or Settings.load(**overrides), clock)
        self._bells: dict[Channel, Bell] = {}
        self._live: Live | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beside: set[asyncio.Task[None]] = set()
        self._on_progress = on_progress

    async def open(self, *, wait: bool = False) -> Self:
        """Start or reach Postgres and open the pool. Opening twice is no error.

        With `wait`, as a program that runs for long wants it, a Postgres that cannot be reached, or whose schema is not
        this version's, is waited for, and a line of the log says why.
        """
        outage = Outage()
        while True:
            try:
                await self._publish(await self._opened())
            except HoldfastError as error:
                if not wait or not is_outage(error):
                    raise
                outage.began(error)
                await asyncio.sleep(_OPEN_PAUSE)
            else:
                outage.ended(schema_is_ours=True)
                return self

    def do_beside(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something that nobody waits for; it ends when the application is closed, done or not."""
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)
        return task

    async def close(self) -> None:
        """Close the pool; the embedded Postgres stops when nobody else uses it."""
        # First: what still uses the application would open it again.
        await loops.end(*self._beside)
        async with self._opening:
            database, self._database = self._database, None
            self._bells.clear()
            live, self._live = self._live, None
            if live is not None:
                await live.close()
            if database is not None:
                await database.close()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def tenants(self) -> Tenants:
        """All tenants of the installation. The application must be open."""
        return Tenants(self.database, self.clock)

    @property
    def installation(self) -> Installation:
        """The whole installation, for who operates it. The application must be open."""
        from holdfast.operate.installation import Installation

        return Installation(self.database, self.clock, self.tenants)

    async def installation_operator(self, secret: str) -> str:
        """The name of the installation's operator whose token it is; raises `NotSignedIn`."""
        from holdfast.access.installation import operator_of

        return await operator_of(await self._opened(), self.clock, secret)

    @asynccontextmanager
    async def tenant(
        self, slug: str, *, actor: Actor | str = SYSTEM, connection: AsyncConnection[Any] | None = None
    ) -> AsyncIterator[Hold]:
        """A transaction of one tenant.

        `actor` is the name of one of its users, or an `Actor`; the default is trusted code, `system`. With
        `connection`, the block is part of the transaction already open on that psycopg connection.
        """
        database = await self._opened()
        if self.has_unpublished_graphs:
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

    async def authenticate(self, secret: str, kind: Literal["api", "browser"] = "api") -> tuple[str, Actor]:
        """The tenant and the actor an API token, or what a browser keeps, stands for; raises `NotSignedIn`."""
        # The token only claims a tenant. Nothing of that tenant is seen unless the token is found in it.
        claimed = claimed_tenant(tenant_of(secret))
        database = await self._opened()
        async with database.transaction(claimed, SYSTEM, self.clock) as tx:
            return await authenticate(tx, secret, kind)

    async def use_sign_in_link(self, secret: str) -> tuple[str, str]:
        """The tenant and the user whose mailed link it is, which counts once; raises `NotSignedIn`."""
        claimed = claimed_tenant(tenant_of(secret))
        async with (await self._opened()).transaction(claimed, Actor.system("sign-in"), self.clock) as tx:
            user = await SignIns(tx).use_link(secret)
            return (await read_tenant(tx)).slug, user

    async def record_failed_sign_ins(self, tenant: UUID, count: int, address: str) -> None:
        """Tell a tenant's trail of tokens that claimed to be of it and were refused, if there is such a tenant."""
        database = await self._opened()
        async with database.transaction(claimed_tenant(tenant), SYSTEM, self.clock) as tx:
            await record_refusals(tx, count, address)

    async def ended_tokens(self, credentials: Iterable[tuple[UUID, UUID]]) -> set[UUID]:
        """Which of some tokens, each with its tenant, no longer let anybody in."""
        asked = list(credentials)
        values = {
            "tenants": [each[0] for each in asked],
            "tokens": [each[1] for each in asked],
            "now": self.clock.now(),
        }
        async with (await self._opened()).connection() as connection:
            cursor = await connection.execute(_ACCESS["ended_tokens"], values)
            return {row[0] for row in await cursor.fetchall()}

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
        if not new.plain:
            return (await self.enqueue_many(tenant, [new]))[0]
        database = await self._opened()
        return await enqueue_one_for(database, await database.tenant(tenant), new, self.handlers, self.clock)

    async def enqueue_many(self, tenant: str, runs: Iterable[NewRun]) -> list[Enqueued]:
        """Enqueue many runs in a transaction of their own; all of them or none.

        Postgres writes while `runs` goes on giving them: a generator of a million need not have made them all before.
        """
        database = await self._opened()
        return await enqueue_for(database, await database.tenant(tenant), runs, self.handlers, self.clock)

    def data(self, tenant: str) -> Keys:
        """The keys of a tenant, each call a transaction of its own, the common ones one round trip. Trusted code only.

        To write together with other changes, use `hold.data` inside their transaction.
        """
        way = Express(self._opened, tenant, self.clock)
        return Keys(
            PostgresKeys(way),
            SYSTEM.require,
            self._schemas,
            value_limit=self.settings.data_value_limit,
            heard=lambda namespace: self._data_news(tenant, namespace),
        )

    def links(self, tenant: str) -> Links:
        """The links of a tenant, likewise."""
        way = Express(self._opened, tenant, self.clock)
        return Links(PostgresLinks(way), SYSTEM.require, value_limit=self.settings.data_value_limit)

    async def follow_data(
        self, tenant: str, namespace: str, *, after: After = None, actor: Actor | str = SYSTEM
    ) -> AsyncGenerator[Change, None]:
        """The changes of a namespace as they come, as somebody may see them; nothing is held between two looks."""
        from holdfast.data.changes import follow

        async def read(position: After) -> Changes:
            async with self.tenant(tenant, actor=actor) as hold:
                return await hold.data.changes(namespace, after=position)

        async with aclosing(follow(read, after, self._data_news(tenant, namespace))) as changes:
            async for change in changes:
                yield change

    async def export_data(
        self, tenant: str, namespace: str | None = None, *, actor: Actor | str = SYSTEM
    ) -> AsyncGenerator[str, None]:
        """Keys and links as JSON Lines: all of the tenant's, or one namespace's.

        Each page is a transaction of its own, so that nobody waits for who reads the lines slowly, or no more.
        """
        from holdfast.data.lines import export_lines

        async def begin() -> datetime:
            async with self.tenant(tenant, actor=actor) as hold:
                hold.require("data:read")
            return (await keys.here()).at

        way = Express(self._opened, tenant, self.clock)
        keys = PostgresKeys(way)
        async for line in export_lines(keys, PostgresLinks(way), namespace, at=await loops.unbroken(begin())):
            yield line

    @asynccontextmanager
    async def _data_news(self, tenant: str, namespace: str) -> AsyncIterator[asyncio.Event]:
        """An event that is set when a namespace may have changed."""
        from holdfast.data.news import NEWS

        database = await self._opened()
        async with self._bell(database, NEWS).heard(f"{(await database.tenant(tenant)).id}:{namespace}") as event:
            yield event

    def _bell(self, database: Database, channel: Channel) -> Bell:
        return self._bells.setdefault(channel, Bell(database.listening, channel))

    def run_worker(self, *, prefixes: Sequence[str] = (), concurrency: int | None = None) -> None:
        """Open, execute runs until SIGTERM or Ctrl-C, close: a whole worker program in one call.

        `holdfast worker` does the same and more: schedules, the outbox, housekeeping.
        """

        async def work() -> None:
            await self.open(wait=True)
            async with self:
                worker = self.worker(prefixes=prefixes, concurrency=concurrency)
                for name in (signal.SIGINT, signal.SIGTERM):
                    asyncio.get_running_loop().add_signal_handler(name, worker.stop)
                await worker.run()

        loops.run(work())

    def as_tools(
        self, tenant: str | None = None, *, actor: Actor | str | None = None, actions: Iterable[str] | None = None
    ) -> list[Any]:
        """Actions as tools of a LangGraph agent: all, or those named. Each call is a transaction of its own.

        In a session they act in its tenant as who started it, with the rights they had then and still have. With
        `actor` they act as who you say, and the trail tells on whose behalf. Elsewhere they act as trusted code, in the
        tenant that is named.
        """
        from holdfast.actions.tools import make_tools, tenant_of_tools
        from holdfast.sessions.acting import IN_SESSION

        chosen = list(self.actions) if actions is None else [self.actions.find(name) for name in actions]

        async def call(name: str, given: Any, key: str | None) -> Any:
            inside = IN_SESSION.get()
            where = tenant_of_tools(tenant, inside and inside.tenant)
            async with self.tenant(where) as hold:
                acting = await acting_for(hold.transaction, actor, inside and inside.party)
                return await Hold(self, acting).actions.call(name, given, key=key)

        return make_tools(chosen, call)

    @property
    def session_definitions(self) -> SessionDefinitions:
        """The definitions of sessions, of the whole installation. The application must be open."""
        from holdfast.sessions import Definitions as SessionDefinitions

        return SessionDefinitions(self.database, self.clock, self.settings.allowed_registries)

    async def publish_graphs(self) -> None:
        """Write the graphs of this process into the registry. Done by itself when the application opens."""
        await self._publish(await self._opened())

    async def follow_session(
        self, tenant: str, name: str, *, after: int = 0, actor: Actor | str = SYSTEM
    ) -> AsyncIterator[Message]:
        """The messages of a session as they come, after a sequence number; ends when the session has ended."""
        from holdfast.sessions.follow import NEWS, follow

        database = await self._opened()
        async with self.tenant(tenant, actor=actor) as hold:
            reader = hold.actor
            session = await hold.sessions.get(name)
        where = await database.tenant(tenant)
        bell = self._bell(database, NEWS)

        sealing = self.handlers.sealing
        async for message in follow(database, bell, where, reader, self.clock, session.id, name, after, sealing):
            yield message

    async def follow_live(
        self,
        tenant: str,
        topics: Iterable[str] | None = None,
        *,
        after: str | None = None,
        actor: Actor | str = SYSTEM,
    ) -> AsyncGenerator[LiveEvent, None]:
        """What happens in a tenant as it happens, of some topics, as somebody may see it; after an event, by its id.

        A user is looked up anew every few seconds, and when their rights may have changed.
        """
        from holdfast.live.model import check_topics

        async def who() -> Actor:
            async with self.tenant(tenant, actor=actor) as hold:
                return hold.actor

        async with aclosing(self.live_batches(tenant, check_topics(topics), after, who)) as batches:
            async for events in batches:
                for event in events:
                    yield event

    async def live_batches(
        self, tenant: str, topics: tuple[str, ...], after: str | None, who: Callable[[], Awaitable[Actor]]
    ) -> AsyncGenerator[list[LiveEvent], None]:
        """The same as it comes, several at a time; for parts of holdfast itself."""
        from holdfast.live.api import Live
        from holdfast.live.feed import NEWS

        database = await self._opened()
        where = await database.tenant(tenant)
        if self._live is None:
            self._live = Live(database, self._bell(database, NEWS), self.clock, self.assembly.contracts)
        async with aclosing(self._live.follow(where, topics, after, who)) as batches:
            async for events in batches:
                yield events

    async def metrics_text(self) -> bytes:
        """The figures of this process and of the queue, as Prometheus scrapes them."""
        return await self.metrics.text(await self._opened(), self.clock)

    async def tidy(self) -> Tidied:
        """One round of housekeeping: partitions made ahead, expired ones dropped."""
        from holdfast.app.housekeeping import keep_house

        return await keep_house(await self._opened(), self.clock, self.keyring)

    async def roll_up(self) -> int:
        """Count the minutes that are over, of every tenant's queues, for series over time; how many. Workers do it."""
        from holdfast.operate.minutes import roll_up

        return await roll_up(await self._opened(), self.clock)

    async def rotate_keys(self) -> int:
        """Put every secret under the current key, which the embedded Postgres's directory gets first; how many."""
        from holdfast.app.keys import add_key, load_keyring
        from holdfast.effects import rewrap_secrets

        if self.settings.embedded and self.settings.keys is None:
            add_key(self.settings)
            self.keyring = load_keyring(self.settings)
        return await rewrap_secrets(await self._opened(), self.keyring)

    async def anchor(self) -> dict[str, int]:
        """Send the heads of the audit chains to every place of the settings now; how many, by place."""
        from holdfast.audit.anchors import anchor, places

        database, keyring = await self._opened(), self.keyring
        if not (wanted := places(self.settings)):
            raise SettingsError(
                "there is nowhere to anchor the audit trail",
                hint="set HOLDFAST_AUDIT_ANCHORS, such as file:///mnt/other/anchors.jsonl",
                setting="HOLDFAST_AUDIT_ANCHORS",
            )
        return {place.name: await anchor(database, self.clock, keyring, place) or 0 for place in wanted}

    async def read_anchors(self, where: str) -> Anchors:
        """What was anchored at a place, checked as far as it can be without the chains; `verify` does the rest."""
        from holdfast.audit.anchors import read_anchors

        return await read_anchors(await self._opened(), self.keyring, where)

    async def _publish(self, database: Database) -> None:
        if self.has_unpublished_graphs:
            from holdfast.app.publishing import publish

            await publish(database, self.clock, self.settings, self.graphs)

    async def _opened(self) -> Database:
        if self._database is None:
            async with self._opening:
                if self._database is None:
                    self._database = await Database.open(self.settings, on_progress=self._on_progress)
                    self._loop = asyncio.get_running_loop()
                    await self._publish(self._database)
        if self._loop is not asyncio.get_running_loop():
            raise RuntimeError(
                "the application was opened on another event loop: use `async with app:` in each asyncio.run(), "
                "and a Holdfast of its own for each loop that runs at the same time"
            )
        return self._database
