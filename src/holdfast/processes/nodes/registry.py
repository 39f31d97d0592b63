"""The handlers of an application, by the kind of effect they answer, and the observers of steps.

    @app.node("sanctions_check", config=SanctionsConfig)
    async def check(ask: Ask) -> Answer: ...

Handlers of the user's own node types are found under `custom:‹type›`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Any

from holdfast.effects.model import goes_out
from holdfast.envelope.parts import STANDARD, NodeConfig, NodeType, NodeTypes
from holdfast.envelope.tokens import Effect
from holdfast.errors import InvalidInput
from holdfast.people.resolvers.registry import resolver_of
from holdfast.steps import Answer, Ask, NodeHandler, NotHere, Reply, StepObserver

__all__ = ["CustomHandler", "NoHandler", "Nodes"]


class CustomHandler:
    """A function as the handler of a node type of the user's own."""

    def __init__(self, node_type: str, function: Callable[[Ask], Awaitable[Any]]) -> None:
        self.kinds: tuple[str, ...] = (f"custom:{node_type}",)
        self._function = function

    async def perform(self, asks: Sequence[Ask]) -> Sequence[Reply]:
        """Call the function for each; what is not a reply is the result of a completed step."""
        replies: list[Reply] = []
        for ask in asks:
            given = await self._function(ask)
            replies.append(given if isinstance(given, Reply) else Answer(result=given))
        return replies


class NoHandler:
    """Stands in for a kind that nobody handles here: the step is left to a worker whose code does."""

    kinds: tuple[str, ...] = ()

    async def perform(self, asks: Sequence[Ask]) -> Sequence[Reply]:
        return [NotHere(_kind(ask.effect)) for ask in asks]


class Nodes:
    """Every handler and observer of one application, and the node types definitions may use."""

    def __init__(self) -> None:
        self._handlers: dict[str, NodeHandler] = {}
        self._observers: list[StepObserver] = []
        self._own: dict[str, NodeType] = {}
        self._channels: set[str] = set()
        self._known: list[Callable[[], Iterable[str]]] = []
        self._nobody = NoHandler()

    @property
    def types(self) -> NodeTypes:
        """The node types the compiler knows: the standard ones and the application's own."""
        known = STANDARD.with_channels(*self._channels) if self._channels else STANDARD
        return known.with_types(*self._own.values()) if self._own else known

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels a `notification` may name because the application sends through them."""
        return tuple(sorted(self._channels))

    def add_channel(self, name: str) -> None:
        """Let notifications go through a channel of the application's own."""
        self._channels.add(name)

    @property
    def observers(self) -> Sequence[StepObserver]:
        return self._observers

    def add(self, handler: NodeHandler) -> None:
        """Let a handler answer its kinds of effects, instead of whoever did before."""
        for kind in handler.kinds:
            self._handlers[kind] = handler

    def know(self, names: Callable[[], Iterable[str]]) -> None:
        """Also count these as known here, as they are when somebody asks: `action:‹name›`, `rule:‹name›`."""
        self._known.append(names)

    @property
    def known(self) -> list[str]:
        """Everything that steps may need and this application has the code for, as `NotHere.needs` names it."""
        return [
            name[: NotHere.LIMIT] for name in (*self._handlers, *(each for names in self._known for each in names()))
        ]

    def observe(self, observer: StepObserver) -> None:
        """Tell an observer of every step it wants to hear of."""
        self._observers.append(observer)

    def define(
        self,
        node_type: str,
        function: Callable[[Ask], Awaitable[Any]],
        *,
        config: type[NodeConfig] | None = None,
        title: str | None = None,
        description: str = "A step of this application's own.",
    ) -> None:
        """Add a node type of the application's own."""
        if node_type in STANDARD or node_type in self._own:
            raise InvalidInput(
                f"there is a node type {node_type!r} already", hint="choose another name", field="node_type"
            )
        named = title or node_type.replace("_", " ").capitalize()
        self._own[node_type] = NodeType(node_type, config or NodeConfig, named, description)
        self.add(CustomHandler(node_type, function))

    def of(self, effect: Effect) -> NodeHandler:
        """Who answers an effect."""
        kind = _kind(effect)
        found = self._handlers.get(kind)
        if found is None and goes_out(kind):
            # A channel that another process knows: it is written here and sent there.
            found = self._handlers.get("in_app")
        return found or self._nobody

    def carried(self, effect: Effect) -> str | None:
        """What a worker must know to do it, for effects that only workers do: an action, and whatever is Python code.

        None for those that are done at once, in the transaction of whoever caused them.
        """
        match effect.kind:
            case "action":
                needs = f"action:{effect.payload['action']}"
            case "custom":
                needs = _kind(effect)
            case "rule" if any(f"rule:{effect.payload['rule']}" in names() for names in self._known):
                needs = f"rule:{effect.payload['rule']}"
            case "approval" | "task":
                resolver = resolver_of(effect.payload.get("approvers") or effect.payload.get("assignees") or ())
                if resolver is None:
                    return None
                needs = f"resolver:{resolver}"
            case _:
                return None
        return needs[: NotHere.LIMIT]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._handlers))


def _kind(effect: Effect) -> str:
    return f"custom:{effect.payload['type']}" if effect.kind == "custom" else effect.kind
