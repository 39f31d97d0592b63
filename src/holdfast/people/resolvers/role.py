"""`role`: everybody who holds a role, the next of them in turn, or the first who is available.

`everyone` asks the role itself: whoever holds it when deciding may decide, also somebody who was given it later. The
other two pick one person now. Somebody who has handed over to a delegate is not available; the least recently picked
goes first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from holdfast.people.model import ANYONE, Principal
from holdfast.people.resolvers.facts import Needs, People, Resolver, Unresolved, Value
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
        if pick == "everyone" and role == ANYONE:
            return [Principal(ANYONE)]
        if pick == "everyone":
            holding = people.some.get(role, ())
            if all(name in except_for for name in holding):
                names = ", ".join(sorted(set(holding)))
                but = f" but {names}, who made it or asks (four eyes)" if names else ""
                raise Unresolved(f"nobody holds the role {role!r}{but}")
            return [Principal.role(role)]
        holders = [name for name in people.holders.get(role, ()) if name not in except_for]
        if not holders:
            raise Unresolved(f"nobody can be picked who holds the role {role!r}")
        if pick == "first_available":
            free = [name for name in people.available.get(role, ()) if name not in except_for]
            return [Principal.user((free or holders)[0], via=f"role:{role}")]
        last = await people.tx.row(_SQL["last_turn"], role=role)
        name = next_in_turn(holders, None if last is None else last["last_name"])
        await people.tx.run(_SQL["take_turn"], role=role, name=name)
        return [Principal.user(name, via=f"role:{role}")]


def next_in_turn(names: list[str], last: str | None) -> str:
    """The first name after the last one, in their order; the first of all after the end."""
    return next((name for name in sorted(names) if last is None or name > last), min(names))


RESOLVER: Resolver = _ByRole()
