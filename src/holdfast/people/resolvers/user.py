"""`user`: one named person, who must be an active user."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from holdfast.envelope.people import Principal, by_name
from holdfast.people.resolvers.facts import Needs, People, Resolver, Value

__all__ = ["RESOLVER"]


class _ByName:
    def evaluate(self, given: Value, roots: Mapping[str, Any]) -> list[Value]:
        return [given]

    def needs(self, given: Value, needs: Needs) -> None:
        needs.users.add(str(given["user"]))

    async def resolve(self, given: Value, people: People, except_for: Collection[str]) -> list[Principal]:
        return [by_name(str(given["user"]), people.users)]


RESOLVER: Resolver = _ByName()
