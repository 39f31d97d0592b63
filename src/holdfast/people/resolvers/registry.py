"""Resolvers of an application: functions that say who is asked, registered under a name.

    @app.resolver("on_call")
    async def on_call(ask: Ask) -> list[str]: ...

They are code of the application, so only a worker that has it calls them, as it does actions and rules. A name is that
of a user, or `role:‹name›` for whoever holds a role.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from holdfast.errors import InvalidInput
from holdfast.kernel.names import check_name
from holdfast.steps import Ask, NotHere

__all__ = ["ResolverFunction", "ResolverRegistry", "resolver_of"]

ResolverFunction = Callable[[Ask], Awaitable[Sequence[str]] | Sequence[str]]
_MOST: Final = 50


def resolver_of(given: Sequence[Mapping[str, Any]]) -> str | None:
    """The first resolver that some approvers or assignees name, if they name one."""
    return next((str(each["resolver"]) for each in given if each["kind"] == "resolver"), None)


class ResolverRegistry:
    """Functions that say who is asked, by name."""

    def __init__(self) -> None:
        self._functions: dict[str, ResolverFunction] = {}

    def add(self, name: str, function: ResolverFunction) -> None:
        """Register a function under a name."""
        check_name("name", name)
        if name in self._functions:
            raise InvalidInput(f"the resolver {name!r} is registered already", hint="choose another name", field="name")
        self._functions[name] = function

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    async def people(self, ask: Ask, given: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]] | NotHere:
        """The same people without resolvers: each is called, and names users and roles."""
        found: list[Mapping[str, Any]] = []
        for each in given:
            if each["kind"] != "resolver":
                found.append(each)
                continue
            name = str(each["resolver"])
            function = self._functions.get(name)
            if function is None:
                return NotHere(f"resolver:{name}")
            named = function(ask)
            found += [_asked(name, who) for who in (await named if isinstance(named, Awaitable) else named)]
        if len(found) > _MOST:
            raise InvalidInput(f"{len(found)} people and roles are to be asked", hint=f"name at most {_MOST}")
        return found


def _asked(resolver: str, who: object) -> Mapping[str, Any]:
    if not isinstance(who, str) or not who:
        raise InvalidInput(f"the resolver {resolver!r} names {who!r}", hint="give names of users, or role:‹name›")
    kind, _, name = who.rpartition(":")
    return (
        {"kind": "role", "role": name} if kind == "role" else {"kind": "user", "user": name if kind == "user" else who}
    )
