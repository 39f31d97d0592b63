"""Resolvers: from what a definition says (`role: finance_manager`, `manager of entity.owner`) to who is asked.

Each strategy is a file of its own. A strategy first says which facts it needs, so that one query can fetch those of all
strategies and all steps of a transaction; then it says who is meant, or why nobody is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from holdfast.errors import InvalidInput
from holdfast.people.model import Principal
from holdfast.people.resolvers import manager, role, rule, user
from holdfast.people.resolvers.facts import Needs, People, Resolver, Unresolved
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["People", "Unresolved", "evaluate", "look_up", "resolve"]

_SQL = queries("people")
_RESOLVERS: Mapping[str, Resolver] = {
    "user": user.RESOLVER,
    "role": role.RESOLVER,
    "manager": manager.RESOLVER,
    "rule": rule.RESOLVER,
}


def evaluate(given: Sequence[Mapping[str, Any]], roots: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Replace every expression by what it gives for this document, so that nothing is left but names."""
    return [each for one in given for each in _of(one).evaluate(one, roots)]


async def look_up(
    tx: TenantTx, given: Iterable[Mapping[str, Any]], instances: Sequence[UUID] = (), except_for: Collection[str] = ()
) -> People:
    """Everything that resolving these needs to know, and who asks and who made it in each of the instances.

    In one query, or in none. `except_for` are those who will not be asked, as far as they are known.
    """
    needs = Needs()
    for each in given:
        _of(each).needs(each, needs)
    if not needs and not instances:
        return People(tx)
    rows = await tx.rows(
        _SQL["resolve"],
        users=sorted(needs.users),
        managed=sorted(needs.managed),
        picked=sorted(needs.picked),
        asked=sorted(needs.asked),
        instances=sorted(set(instances)),
        except_for=sorted(except_for),
    )
    return People.of(tx, rows)


async def resolve(
    given: Sequence[Mapping[str, Any]], people: People, *, except_for: Collection[str] = ()
) -> tuple[list[Principal], list[str]]:
    """Who is asked, and for each that leads to nobody, why. `except_for` must not be picked: those who made it."""
    found: dict[str, Principal] = {}
    problems: list[str] = []
    for each in given:
        try:
            for principal in await _of(each).resolve(each, people, except_for):
                found.setdefault(principal.name, principal)
        except Unresolved as problem:
            problems.append(str(problem))
    return list(found.values()), problems


def _of(given: Mapping[str, Any]) -> Resolver:
    known = _RESOLVERS.get(str(given.get("kind")))
    if known is None:
        raise InvalidInput(
            f"there is no way to find {given.get('kind')!r}", hint=f"use one of {', '.join(_RESOLVERS)}", field="kind"
        )
    return known
