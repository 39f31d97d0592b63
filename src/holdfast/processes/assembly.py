"""The parts of processes, put together once for an application."""

from __future__ import annotations

from holdfast.actions import ActionRegistry
from holdfast.documents import Cabinet, Contracts, DocumentListener
from holdfast.people import PeopleObserver, Voiding
from holdfast.people.resolvers.registry import ResolverRegistry
from holdfast.processes.consequences import Consequences
from holdfast.processes.definitions.library import Library
from holdfast.processes.definitions.surroundings import ApplicationCode
from holdfast.processes.engine import Engine
from holdfast.processes.listening import DocumentProcesses
from holdfast.processes.nodes import ActionHandler, Nodes, PolicyHandler, RuleHandler, RuleRegistry, RunHandler
from holdfast.processes.nodes.approval import ApprovalHandler
from holdfast.processes.nodes.effects import EffectHandler
from holdfast.processes.nodes.task import TaskHandler
from holdfast.processes.stored_rules import StoredRules
from holdfast.runs import Handlers
from holdfast.settings import Settings

__all__ = ["Assembly"]


class Assembly:
    """Contracts, node handlers, compiled definitions, the engine, and how documents reach it."""

    def __init__(self, actions: ActionRegistry, handlers: Handlers, settings: Settings) -> None:
        self.contracts = Contracts()
        self.nodes = Nodes()
        self.rules = RuleRegistry()
        self.resolvers = ResolverRegistry()
        self.code = ApplicationCode(actions, self.rules)
        self.library = Library(self.contracts, lambda: self.nodes.types, code=self.code)
        self.engine = Engine(self.library, self.nodes, handlers.sealing)
        self.port = DocumentProcesses(self.engine)
        self.consequences = Consequences(self.engine)
        self.listeners: list[DocumentListener] = []
        self._limit = settings.document_limit
        self.nodes.add(ActionHandler(actions))
        self.rules.ask(StoredRules(self.contracts))
        self.nodes.add(RuleHandler(self.rules))
        self.nodes.know(lambda: (f"action:{action.name}" for action in actions))
        self.nodes.know(lambda: (f"rule:{name}" for name in self.rules))
        self.nodes.know(lambda: (f"resolver:{name}" for name in self.resolvers))
        self.nodes.add(PolicyHandler())
        self.nodes.add(RunHandler(handlers, payload_limit=settings.payload_limit, event_level=settings.run_events))
        self.nodes.add(ApprovalHandler(self.resolvers))
        self.nodes.add(TaskHandler(self.resolvers))
        self.nodes.add(EffectHandler(settings.effects_max_attempts, handlers.sealing))
        self.nodes.observe(PeopleObserver())
        self.listeners.append(Voiding())

    def cabinet(self) -> Cabinet:
        """What documents need to know."""
        return Cabinet(self.contracts, self._limit, self.port, tuple(self.listeners))
