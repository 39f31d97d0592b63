"""`rule`: whoever an expression names, one person or several. Once evaluated, they are named persons like any other."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from holdfast.envelope.expressions import compile_expression
from holdfast.errors import InvalidInput
from holdfast.people.model import Principal
from holdfast.people.resolvers.facts import Needs, People, Resolver, Unresolved, Value

__all__ = ["RESOLVER"]


class _ByExpression:
    def evaluate(self, given: Value, roots: Mapping[str, Any]) -> list[Value]:
        text = str(given["expression"])
        named = compile_expression(text).evaluate(roots)
        names = [named] if isinstance(named, str) else named
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise InvalidInput(f"{text} does not name people", hint="it must give one user or a list of users")
        return [{"kind": "user", "user": name} for name in names]

    def needs(self, given: Value, needs: Needs) -> None:
        """Nothing: what is left of a rule are named persons."""

    async def resolve(self, given: Value, people: People, except_for: Collection[str]) -> list[Principal]:
        raise Unresolved(f"{given['expression']} was not evaluated")


RESOLVER: Resolver = _ByExpression()
