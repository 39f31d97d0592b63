"""The world of a simulation: who the people are, and how the systems around the process answer.

Nothing in it is real and everything in it is data, so a simulation can be stored beside the definition it tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from holdfast.errors import InvalidInput

__all__ = ["Answers", "Person", "ScriptedAnswer", "World"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who acts."""

    name: str
    roles: tuple[str, ...] = ()
    manager: str | None = None
    permissions: tuple[str, ...] = ()
    active: bool = True
    """Whether they are there to be asked; somebody who has left is not."""

    def as_actor(self) -> dict[str, Any]:
        """The person as expressions see the acting one."""
        return {
            "user_id": self.name,
            "name": self.name,
            "roles": list(self.roles),
            "permissions": list(self.permissions),
        }


@dataclass(frozen=True, slots=True)
class ScriptedAnswer:
    """What an action, rule, policy check or custom node comes back with. `set` changes the document."""

    outcome: str = "completed"
    result: Any = None
    message: str | None = None
    set: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class World:
    """People by name, the organisation's settings and approval chains, and answers by the name of what is called.

    An answer that is a list is used up one by one, its last entry staying. What has no answer succeeds: an action gives
    `completed`, a rule `matched`; a policy check asks the acting person's permissions. With `confirms`, everything that
    is sent or enqueued is confirmed at once; otherwise the script says when.
    """

    people: Mapping[str, Person] = field(default_factory=dict)
    org: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, Sequence[ScriptedAnswer]] = field(default_factory=dict)
    start: datetime = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
    requester: str | None = None
    confirms: bool = False
    chains: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """Approval chains by name: stages with `approvers` and, if need be, `required` and `condition`."""

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> World:
        """Read `people`, `org`, `answers`, `start`, `requester`, `confirms` and `chains` from JSON values."""
        try:
            people = {name: _person(name, each or {}) for name, each in data.get("people", {}).items()}
            answers = {name: _answers(each) for name, each in data.get("answers", {}).items()}
            known = {key: data[key] for key in ("org", "requester", "confirms", "chains") if key in data}
            if "start" in data:
                known["start"] = datetime.fromisoformat(data["start"])
            return cls(people=people, answers=answers, **known)
        except (TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(f"this is not a world for a simulation: {error}") from None

    def person(self, name: str | None) -> Person:
        """Somebody by name; a name that is not listed is a person without roles."""
        if name is None:
            return Person("system")
        return self.people.get(name, Person(name))

    def holders(self, role: str) -> list[str]:
        """Who holds a role and is there to be asked, sorted."""
        return sorted(name for name, who in self.people.items() if role in who.roles and who.active)


class Answers:
    """The answers of a world, used up as a simulation goes on."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._used: Counter[str] = Counter()

    def to(self, kind: str, payload: Mapping[str, Any], actor: Person | None) -> ScriptedAnswer:
        """The answer to one call; without an actor it is the system that calls, which may do everything."""
        name = str(payload.get({"policy": "permission", "custom": "type"}.get(kind, kind), kind))
        given = self._world.answers.get(name)
        if given:
            answer = given[min(self._used[name], len(given) - 1)]
            self._used[name] += 1
            return answer
        if kind == "policy":
            return ScriptedAnswer("completed" if actor is None or name in actor.permissions else "denied")
        return ScriptedAnswer("matched" if kind == "rule" else "completed")


def _person(name: str, data: Mapping[str, Any]) -> Person:
    return Person(
        name=name,
        roles=tuple(data.get("roles", ())),
        manager=data.get("manager"),
        permissions=tuple(data.get("permissions", ())),
        active=bool(data.get("active", True)),
    )


def _answers(data: Any) -> tuple[ScriptedAnswer, ...]:
    listed = data if isinstance(data, list) else [data]
    return tuple(ScriptedAnswer(**each) if isinstance(each, Mapping) else ScriptedAnswer(str(each)) for each in listed)
