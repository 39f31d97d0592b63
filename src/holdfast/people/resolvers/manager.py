"""`manager`: the manager, by the organisation chart, of whoever an expression names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from holdfast.envelope.expressions import compile_expression
from holdfast.envelope.people import Principal, by_manager
from holdfast.people.resolvers.facts import Needs, People, Resolver, Value

__all__ = ["RESOLVER"]


class _ByChart:
    def evaluate(self, given: Value, roots: Mapping[str, Any]) -> list[Value]:
        return [{"kind": "manager", "of": compile_expression(str(given["of"])).evaluate(roots)}]

    def needs(self, given: Value, needs: Needs) -> None:
        needs.managed.add(str(given["of"]))

    async def resolve(self, given: Value, people: People, except_for: Collection[str]) -> list[Principal]:
        name = str(given["of"])
        return [by_manager(name, people.managers.get(name))]


RESOLVER: Resolver = _ByChart()
