"""`role`: everybody who holds a role, the next of them in turn, or the first who is available.

`envelope.people.resolving` says which of them; whose turn it was last is kept here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from holdfast.envelope.people import ANYONE, Principal, by_role, picked
from holdfast.people.resolvers.facts import Needs, People, Resolver, Value
from holdfast.postgres.queries import queries

__all__ = ["RESOLVER"]

_SQL = queries("people")


class _ByRole:
    def evaluate(self, given: Value, roots: Mapping[str, Any]) -> list[Value]:
        return [given]

    def needs(self, given: Value, needs: Needs) -> None:
        if given.get("pick", "everyone") != "everyone":
            needs.picked.add(str(given["role"]))
        elif given["role"] != ANYONE:
            needs.asked.add(str(given["role"]))

    async def resolve(self, given: Value, people: People, except_for: Collection[str]) -> list[Principal]:
        role, pick = str(given["role"]), given.get("pick", "everyone")
        if pick == "everyone":
            return [by_role(role, people.some.get(role, ()), except_for)]
        last = await people.tx.row(_SQL["last_turn"], role=role) if pick == "round_robin" else None
        turn = None if last is None else last["last_name"]
        found = picked(role, pick, people.holders.get(role, ()), people.available.get(role, ()), turn, except_for)
        if pick == "round_robin":
            await people.tx.run(_SQL["take_turn"], role=role, name=found.name.removeprefix("user:"))
        return [found]


RESOLVER: Resolver = _ByRole()
