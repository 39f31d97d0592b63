"""`action`: calls a registered action in the process's own transaction (WF-09).

An action is a function of an `ActionCall`. What it returns is the step's result; a holdfast error it raises gives the
step the outcome `error`; any other exception undoes the whole advance, which is then tried again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar
from uuid import UUID

from holdfast.errors import InvalidInput
from holdfast.kernel.json import check_json
from holdfast.kernel.names import did_you_mean
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.steps import Answer, Ask, DocumentRef, InstanceRef, NotHere, Reply

__all__ = ["ActionCall", "ActionHandler", "ActionPort", "Actions"]

_SQL = queries("processes")
F = TypeVar("F", bound=Callable[[Any], Awaitable[Any]])


@dataclass(frozen=True, slots=True)
class ActionCall:
    """One call of an action by a step. `key` is the same whenever this very step is done again."""

    tx: TenantTx
    name: str
    input: Mapping[str, Any]
    key: str
    instance: InstanceRef
    document: DocumentRef
    entity: Mapping[str, Any]
    step_id: UUID


class ActionPort(Protocol):
    """Somebody who can call actions by name."""

    def __contains__(self, name: object) -> bool: ...

    def __iter__(self) -> Iterator[str]: ...

    async def call(self, call: ActionCall) -> Any: ...


class Actions:
    """Actions registered as functions, and whoever else can call some."""

    def __init__(self) -> None:
        self._functions: dict[str, Callable[[ActionCall], Awaitable[Any]]] = {}
        self._ports: list[ActionPort] = []

    def add(self, name: str, function: Callable[[ActionCall], Awaitable[Any]]) -> None:
        """Register a function under a name such as `invoice.post`."""
        if name in self._functions or name.startswith("process."):
            taken = "belongs to the process itself" if name.startswith("process.") else "is registered already"
            raise InvalidInput(f"the action {name!r} {taken}", hint="choose another name", field="name")
        self._functions[name] = function

    def register(self, name: str) -> Callable[[F], F]:
        """The same as a decorator."""

        def added(function: F) -> F:
            self.add(name, function)
            return function

        return added

    def ask(self, port: ActionPort) -> None:
        """Also call the actions that somebody else knows."""
        self._ports.append(port)

    def __contains__(self, name: object) -> bool:
        return name in self._functions or any(name in port for port in self._ports)

    def __iter__(self) -> Iterator[str]:
        yield from self._functions
        for port in self._ports:
            yield from port

    async def call(self, call: ActionCall) -> Any:
        """Call an action by its name."""
        function = self._functions.get(call.name)
        if function is not None:
            return await function(call)
        for port in self._ports:
            if call.name in port:
                return await port.call(call)
        raise InvalidInput(
            f"there is no action {call.name!r}",
            hint=did_you_mean(call.name, self) or "name the application that registers it: --app or HOLDFAST_APP",
            field="action",
        )


class ActionHandler:
    """Answers `action` effects."""

    kinds: tuple[str, ...] = ("action",)

    def __init__(self, actions: Actions) -> None:
        self._actions = actions

    async def perform(self, asks: Sequence[Ask]) -> Sequence[Reply]:
        known = [ask for ask in asks if ask.effect.payload["action"] in self._actions]
        results = {ask.effect.step: await self._actions.call(_call(ask)) for ask in known}
        for result in results.values():
            check_json("the action's result", result)
        versions = await _versions(known)
        return [
            Answer(result=results[ask.effect.step], entity_version=_changed(ask, versions))
            if ask.effect.step in results
            else NotHere(f"action:{ask.effect.payload['action']}")
            for ask in asks
        ]


def _call(ask: Ask) -> ActionCall:
    payload = ask.effect.payload
    return ActionCall(
        tx=ask.tx,
        name=payload["action"],
        input=payload["input"],
        key=payload["key"] or ask.effect.step,
        instance=ask.instance,
        document=ask.document,
        entity=ask.facts.entity,
        step_id=ask.step_id,
    )


async def _versions(asks: Sequence[Ask]) -> dict[UUID, int]:
    """What the documents have become: an action may have written them, which is no drift."""
    ids = [ask.instance.entity_id for ask in asks if ask.instance.entity_id is not None]
    if not ids:
        return {}
    rows = await asks[0].tx.all(_SQL["document_versions"], ids=ids)
    return {row["id"]: row["entity_version"] for row in rows}


def _changed(ask: Ask, versions: Mapping[UUID, int]) -> int | None:
    if ask.instance.entity_id is None:
        return None
    now = versions.get(ask.instance.entity_id)
    return now if now is not None and now > ask.document.entity_version else None
