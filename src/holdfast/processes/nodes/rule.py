"""`rule`: a rule registered under a name decides: `matched` or `not_matched`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from holdfast.errors import InvalidInput
from holdfast.steps import Answer, Ask, NotHere, Reply

__all__ = ["RuleHandler", "RulePort", "RuleRegistry"]

RuleFunction = Callable[[Ask], Awaitable[bool] | bool]


class RulePort(Protocol):
    """Somebody else who knows rules, such as the rules kept with documents. None when there is none of that name."""

    async def decide(self, ask: Ask, name: str) -> tuple[bool, Mapping[str, Any]] | None: ...


class RuleRegistry:
    """Rules registered as functions, and whoever else knows some."""

    def __init__(self) -> None:
        self._functions: dict[str, RuleFunction] = {}
        self._ports: list[RulePort] = []

    def add(self, name: str, function: RuleFunction) -> None:
        """Register a function under a name."""
        if name in self._functions:
            raise InvalidInput(f"the rule {name!r} is registered already", hint="choose another name", field="name")
        self._functions[name] = function

    def ask(self, port: RulePort) -> None:
        """Also ask somebody else."""
        self._ports.append(port)

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    async def decide(self, ask: Ask) -> tuple[bool, Mapping[str, Any]] | None:
        """Whether the rule of a step holds, and the evidence; None when nobody here knows the rule."""
        name = ask.effect.payload["rule"]
        function = self._functions.get(name)
        if function is not None:
            given = function(ask)
            return bool(given if isinstance(given, bool) else await given), {"rule": name}
        for port in self._ports:
            found = await port.decide(ask, name)
            if found is not None:
                return found
        return None


class RuleHandler:
    """Answers `rule` effects."""

    kinds: tuple[str, ...] = ("rule",)

    def __init__(self, rules: RuleRegistry) -> None:
        self._rules = rules

    async def perform(self, asks: Sequence[Ask]) -> Sequence[Reply]:
        replies: list[Reply] = []
        for ask in asks:
            found = await self._rules.decide(ask)
            if found is None:
                replies.append(NotHere(f"rule:{ask.effect.payload['rule']}"))
                continue
            holds, evidence = found
            replies.append(Answer("matched" if holds else "not_matched", result=dict(evidence)))
        return replies
