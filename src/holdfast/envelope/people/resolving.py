"""Resolving: from what a definition says (`role: finance_manager`, `manager of entity.owner`) to who is asked.

`everyone` of a role asks the role itself: whoever holds it when deciding may decide, also somebody who was given it
later. The other two pick one person now. Somebody who has handed over to a delegate is not available; the least
recently picked goes first. Whoever may not decide (`barred`) is neither picked nor counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

__all__ = [
    "ANYONE",
    "Directory",
    "Principal",
    "Unresolved",
    "by_manager",
    "by_name",
    "by_role",
    "find_people",
    "is_asked",
    "next_in_turn",
    "picked",
    "too_few",
    "voters",
]

ANYONE: Final = "anyone"


class Unresolved(Exception):
    """What a definition says leads to nobody; the message says why."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody who is asked, and through what they came to be asked."""

    name: str
    via: str | None = None

    @classmethod
    def user(cls, name: str, via: str | None = None) -> Principal:
        return cls(f"user:{name}", via)

    @classmethod
    def role(cls, name: str) -> Principal:
        return cls(f"role:{name}")


class Directory(Protocol):
    """Who there is."""

    def is_user(self, name: str) -> bool:
        """Whether somebody of that name is there to be asked."""
        ...

    def manager_of(self, name: str) -> str | None:
        """The manager of somebody."""
        ...

    def holders(self, role: str) -> Sequence[str]:
        """Who holds a role, sorted."""
        ...

    def last_turn(self, role: str) -> str | None:
        """Who was picked last of those who hold a role."""
        ...


def by_name(name: str, users: Collection[str]) -> Principal:
    """One named person, who must be there."""
    if name not in users:
        raise Unresolved(f"there is no active user {name!r}")
    return Principal.user(name)


def by_manager(of: str, manager: str | None) -> Principal:
    """The manager of somebody."""
    if manager is None:
        raise Unresolved(f"nobody is the manager of {of!r}")
    return Principal.user(manager, via=f"manager of {of}")


def by_role(role: str, holders: Collection[str], barred: Collection[str]) -> Principal:
    """Everybody who holds a role; `holders` are enough of them to tell whether anybody does who may decide."""
    if role == ANYONE:
        return Principal(ANYONE)
    if not any(name not in barred for name in holders):
        but = f" but {', '.join(sorted(holders))}, who asks (four eyes)" if holders else ""
        raise Unresolved(f"nobody holds the role {role!r}{but}")
    return Principal.role(role)


def picked(
    role: str, pick: str, holders: Sequence[str], available: Collection[str], last: str | None, barred: Collection[str]
) -> Principal:
    """One of those who hold a role: the first who is available, or the next in turn after `last`."""
    able = [name for name in holders if name not in barred]
    if not able:
        raise Unresolved(f"nobody can be picked who holds the role {role!r}")
    if pick == "first_available":
        free = [name for name in able if name in available]
        return Principal.user((free or able)[0], via=f"role:{role}")
    return Principal.user(next_in_turn(able, last), via=f"role:{role}")


def next_in_turn(names: Sequence[str], last: str | None) -> str:
    """The first name after the last one, in their order; the first of all after the end."""
    return next((name for name in sorted(names) if last is None or name > last), min(names))


def find_people(
    given: Iterable[Mapping[str, Any]], directory: Directory, barred: Collection[str]
) -> tuple[list[Principal], list[str]]:
    """Who is asked out of a directory, and for each that leads to nobody, why."""
    found: dict[str, Principal] = {}
    problems: list[str] = []
    for each in given:
        try:
            principal = _one(each, directory, barred)
            found.setdefault(principal.name, principal)
        except Unresolved as problem:
            problems.append(str(problem))
    return list(found.values()), problems


def _one(given: Mapping[str, Any], directory: Directory, barred: Collection[str]) -> Principal:
    match given["kind"]:
        case "user":
            name = str(given["user"])
            return by_name(name, [name] if directory.is_user(name) else [])
        case "manager":
            return by_manager(str(given["of"]), directory.manager_of(str(given["of"])))
        case "role":
            role, pick = str(given["role"]), str(given.get("pick", "everyone"))
            holders = directory.holders(role) if role != ANYONE else ()
            if pick == "everyone":
                return by_role(role, holders, barred)
            return picked(role, pick, holders, holders, directory.last_turn(role), barred)
    raise Unresolved(f"there is no way to find {given['kind']!r}")


def too_few(
    required: str, principals: Iterable[Principal], problems: Sequence[str], barred: Collection[str]
) -> str | None:
    """Why nobody is asked at all: those who are left could never decide it. None when they can.

    A role may be given to somebody later, so it counts as enough.
    """
    others = [each.name for each in principals if each.name.removeprefix("user:") not in barred]
    if problems and (not others or required != "any"):
        return "; ".join(problems)
    if not others:
        return f"only {', '.join(sorted(barred))} could decide, who asks for it (four eyes)"
    needed = int(required) if required.isdigit() else 1
    if len(others) < needed and all(name.startswith("user:") for name in others):
        return f"{needed} people must agree, and only {len(others)} are asked"
    return None


def voters(principals: Iterable[str], required: str, holders: Collection[str], barred: Collection[str]) -> set[str]:
    """The people whose votes count, by name. Where one vote decides, nobody needs to count those behind a role."""
    names: set[str] = set()
    for each in principals:
        if each.startswith("user:"):
            names.add(each.removeprefix("user:"))
        elif each == ANYONE or required == "any":
            names.add("\0others")
        else:
            names.update(holders)
    return names - set(barred)


def is_asked(principals: Collection[str], name: str, roles: Iterable[str]) -> bool:
    """Whether somebody with these roles is among those who are asked."""
    return ANYONE in principals or f"user:{name}" in principals or any(f"role:{role}" in principals for role in roles)
