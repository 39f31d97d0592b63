"""What an application is made of, each part made once.

What every program needs is made at once. The rest (actions, documents, processes, sessions, metrics) is made, and
its code imported, when it is first asked for: that is half a second a command or a plain worker need not spend.
"""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.app.hold import Hold
from holdfast.data import Keys, Links, Origin
from holdfast.data.schemas import Schemas
from holdfast.data.stores.postgres import InTransaction, PostgresKeys, PostgresLinks
from holdfast.errors import ExtraMissing
from holdfast.kernel import loops
from holdfast.kernel.clock import Clock, DatabaseClock
from holdfast.kernel.sealing import Sealing
from holdfast.postgres.database import Database
from holdfast.postgres.schema_files import migrations, repeatables
from holdfast.postgres.tenant import TenantTx
from holdfast.runs import Handlers, Runs
from holdfast.settings import Settings

if TYPE_CHECKING:
    from holdfast.actions import ActionRegistry
    from holdfast.documents import Contracts
    from holdfast.effects import Sender
    from holdfast.kernel.keyring import Keyring
    from holdfast.metrics import Metrics
    from holdfast.operations import OperationKinds
    from holdfast.outbox import Sinks
    from holdfast.processes.assembly import Assembly
    from holdfast.sessions import Graphs
    from holdfast.sessions.history import History
    from holdfast.sessions.outputs import Outputs
    from holdfast.sessions.runner import Runner

__all__ = ["Parts"]


class Parts:
    """The parts of an application, as the rest of it finds them."""

    def __init__(self, settings: Settings, clock: Clock | None) -> None:
        self.settings = settings
        self.clock = clock or DatabaseClock()
        self.handlers = Handlers(Sealing(lambda: self.keyring, encrypt=settings.encrypt_payloads))
        self.senders: dict[str, Sender] = {}
        self._schemas = Schemas()
        self._database: Database | None = None
        self._opening = asyncio.Lock()

    @property
    def database(self) -> Database:
        """The open database; for parts of holdfast itself."""
        if self._database is None:
            raise RuntimeError("the application is not open: use `async with app:` or `await app.open()`")
        return self._database

    def load(self) -> None:
        """Make every part now: for a server or a worker, whose first request or run should not wait for it."""
        loops.load()
        _ = migrations(), repeatables()
        _ = self.actions, self.metrics, self.own_sinks, self.graphs, self.history

    @cached_property
    def keyring(self) -> Keyring:
        """The keys of the installation."""
        from holdfast.app.keys import load_keyring

        return load_keyring(self.settings)

    @cached_property
    def metrics(self) -> Metrics:
        """The figures of this process."""
        from holdfast.metrics import Metrics

        return Metrics(tenant_label=self.settings.metrics_tenant_label)

    @cached_property
    def own_sinks(self) -> Sinks:
        """The application's own sinks of outbox events."""
        from holdfast.outbox import Sinks

        return Sinks()

    @property
    def actions(self) -> ActionRegistry:
        """The actions: holdfast's own and the application's."""
        return self._verbs[0]

    @property
    def assembly(self) -> Assembly:
        """Documents and processes, put together."""
        return self._verbs[1]

    @property
    def contracts(self) -> Contracts:
        """The document types of this application."""
        return self.assembly.contracts

    @cached_property
    def _verbs(self) -> tuple[ActionRegistry, Assembly]:
        """Actions and processes know each other: an action writes documents, and a step of a process is an action."""
        from holdfast.actions import ActionRegistry
        from holdfast.actions.builtin import register_runs
        from holdfast.data.actions import register_data
        from holdfast.documents.actions import register_documents
        from holdfast.effects.actions import register_effects
        from holdfast.processes.assembly import Assembly
        from holdfast.processes.suggestions import register_suggestions
        from holdfast.sessions.actions import register_sessions
        from holdfast.sessions.node import SessionHandler, SessionObserver

        actions = ActionRegistry(lambda tx: Hold(self, tx), self.handlers.sealing)
        assembly = Assembly(actions, self.handlers, self.settings)
        assembly.nodes.add(SessionHandler(self.handlers, self.history, input_limit=self.settings.payload_limit))
        assembly.nodes.observe(SessionObserver(self.handlers, self.history))
        register_runs(actions)
        register_data(actions, self.keys_of, self.links_of)
        register_documents(actions, assembly.contracts)
        register_effects(
            actions,
            lambda: sorted({"email", "in_app", *assembly.nodes.channels}),
            max_attempts=self.settings.effects_max_attempts,
            sealing=self.handlers.sealing,
        )
        register_sessions(actions)
        actions.close_own()
        register_suggestions(actions, assembly)
        return actions, assembly

    @cached_property
    def operation_kinds(self) -> OperationKinds:
        """What can be done to many things at once."""
        from holdfast.operate.bulk import register_bulk
        from holdfast.operations import OperationKinds

        kinds = OperationKinds()
        register_bulk(kinds)
        return kinds

    @cached_property
    def graphs(self) -> Graphs:
        """The LangGraph graphs of this process."""
        from holdfast.sessions import Graphs

        return Graphs()

    @property
    def has_unpublished_graphs(self) -> bool:
        """Whether a graph was registered that the registry does not know yet; asks without loading sessions."""
        return "graphs" in vars(self) and bool(self.graphs.unpublished)

    @cached_property
    def history(self) -> History:
        """Reads checkpoints of sessions."""
        from holdfast.sessions.history import History

        return History(lambda: self.keyring)

    @cached_property
    def session_runner(self) -> Runner:
        """Executes sessions; needs LangGraph."""
        try:
            from holdfast.sessions.runner import Runner
        except ModuleNotFoundError as error:
            raise ExtraMissing("LangGraph is not installed", hint="pip install 'holdfast[langgraph]'") from error
        return Runner(
            lambda: self.database,
            self.clock,
            self.graphs,
            lambda: self.keyring,
            self.handlers.sealing,
            outputs=lambda: self.session_outputs,
        )

    @cached_property
    def session_outputs(self) -> Outputs | None:
        """Where outputs of sessions are that are too large for the database."""
        from holdfast.sessions.outputs import open_outputs

        key = self.settings.session_outputs_key
        return open_outputs(self.settings.session_outputs, key.get_secret_value() if key else None)

    def keys_of(self, tx: TenantTx, origin: Origin | None = None) -> Keys:
        """The keys of a transaction, written on behalf of a run or of a step; for parts of holdfast itself."""
        store = PostgresKeys(InTransaction(tx), origin or Origin(tx.by_run, tx.instance))
        return Keys(store, tx.require, self._schemas, value_limit=self.settings.data_value_limit)

    def links_of(self, tx: TenantTx, origin: Origin | None = None) -> Links:
        """The links of a transaction, likewise."""
        store = PostgresLinks(InTransaction(tx), origin or Origin(tx.by_run, tx.instance))
        return Links(store, tx.require, value_limit=self.settings.data_value_limit)

    def runs_in(self, tx: TenantTx) -> Runs:
        """The queue as a transaction sees it; for parts of holdfast itself."""
        return Runs(
            tx,
            self.handlers,
            payload_limit=self.settings.payload_limit,
            event_level=self.settings.run_events,
            publishes=self.settings.run_publishes,
        )
