"""`user`: one named person, who must be an active user."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from holdfast.people.model import Principal
from holdfast.people.resolvers.facts import Needs, People, Resolver, Unresolved, Value

__all__ = ["RESOLVER"]


class _ByName:
    def evaluate(self, given: Value, roots: Mapping[str, Any]) -> list[Value]:
        return [given]

    def needs(self, given: Value, needs: Needs) -> None:
        needs.users.add(str(given["user"]))

    async def resolve(self, given: Value, people: People, except_for: Collection[str]) -> list[Principal]:
        name = str(given["user"])
        if name not in people.users:
            raise Unresolved(f"there is no active user {name!r}")
        return [Principal.user(name)]


RESOLVER: Resolver = _ByName()
