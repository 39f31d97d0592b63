"""What resolvers share: which facts they ask for, and the facts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from holdfast.envelope.people import Principal, Unresolved
from holdfast.postgres.tenant import Row, TenantTx

__all__ = ["Needs", "People", "Resolver", "Unresolved", "Value"]

Value = Mapping[str, Any]


@dataclass(slots=True)
class Needs:
    """The names to be looked up."""

    users: set[str] = field(default_factory=set)
    managed: set[str] = field(default_factory=set)
    picked: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    """Roles that are asked as such: whether anybody holds them."""

    def __bool__(self) -> bool:
        return bool(self.users or self.managed or self.picked or self.asked)


@dataclass(frozen=True, slots=True)
class People:
    """Who there is: active users, managers, and holders of the roles of which one is picked."""

    tx: TenantTx
    users: frozenset[str] = frozenset()
    managers: Mapping[str, str] = field(default_factory=dict)
    holders: Mapping[str, list[str]] = field(default_factory=dict)
    available: Mapping[str, list[str]] = field(default_factory=dict)
    requesters: Mapping[str, str] = field(default_factory=dict)
    some: Mapping[str, list[str]] = field(default_factory=dict)
    """Of each role that is asked, a few who hold it: enough to tell whether anybody does but those who made it."""
    makers: Mapping[str, set[str]] = field(default_factory=dict)
    """Who made what each instance is about: wrote its document, or chose a transition of it."""

    @classmethod
    def of(cls, tx: TenantTx, rows: Sequence[Row]) -> People:
        """From the rows of the query `resolve`."""
        holders: dict[str, list[str]] = {}
        available: dict[str, list[str]] = {}
        some: dict[str, list[str]] = {}
        makers: dict[str, set[str]] = {}
        for row in rows:
            if row["kind"] == "maker":
                makers.setdefault(row["of"], set()).add(row["name"])
            if row["kind"] == "some":
                some.setdefault(row["of"], []).append(row["name"])
            if row["kind"] == "holder":
                holders.setdefault(row["of"], []).append(row["name"])
                if row["available"]:
                    available.setdefault(row["of"], []).append(row["name"])
        return cls(
            tx,
            frozenset(row["name"] for row in rows if row["kind"] == "user"),
            {row["of"]: row["name"] for row in rows if row["kind"] == "manager"},
            holders,
            available,
            {row["of"]: row["name"] for row in rows if row["kind"] == "requester"},
            some,
            makers,
        )


class Resolver(Protocol):
    """One way to say who is asked."""

    def evaluate(self, given: Value, roots: Mapping[str, Any]) -> list[Value]:
        """The same without expressions."""
        ...

    def needs(self, given: Value, needs: Needs) -> None:
        """Add what must be looked up."""
        ...

    async def resolve(self, given: Value, people: People, except_for: Collection[str]) -> list[Principal]:
        """Who is meant; raises `Unresolved`."""
        ...
