"""Happenings: what can befall a process instance, and the facts that hold when it does.

A happening names what just happened; `Facts` say what the world looks like at that moment: the time, the document and
its version, who acts. Both are plain values, so the same advance can be computed today, in a simulation, or in ten
years.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from holdfast.errors import InvalidInput

__all__ = [
    "Abandoned",
    "Cancelled",
    "Edited",
    "EventArrived",
    "Facts",
    "Happening",
    "Interrupted",
    "Retried",
    "Settled",
    "Started",
    "TimePassed",
    "happening_from_json",
    "happening_to_json",
]

SYSTEM: Mapping[str, Any] = {"user_id": "system", "roles": []}


@dataclass(frozen=True, slots=True)
class Facts:
    """The world at the moment of a happening. `now` must carry its offset from UTC."""

    now: datetime
    entity: Mapping[str, Any] = field(default_factory=dict)
    entity_version: int = 1
    actor: Mapping[str, Any] = field(default_factory=lambda: SYSTEM)
    org: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.now.utcoffset() is None:
            raise InvalidInput(f"{self.now.isoformat()} has no offset from UTC", hint="Give now a time zone")


@dataclass(frozen=True, slots=True)
class Started:
    """The instance begins. `how` is `created`, or the state in which an amended document begins."""

    kind: ClassVar[str] = "started"
    how: str = "created"
    payload: Any = None
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settled:
    """What the token's open step waited for has come: a decision, an answer, a result, a confirmation, a choice.

    With `key`, the step must be that very one; a late answer to an earlier step is ignored. `entity_version` is given
    when the step itself changed the document, which then is no drift.
    """

    kind: ClassVar[str] = "settled"
    token: str
    outcome: str
    result: Any = None
    error: Mapping[str, Any] | None = None
    reason: str | None = None
    key: str | None = None
    entity_version: int | None = None


@dataclass(frozen=True, slots=True)
class EventArrived:
    """An event with a key. Every token that waits for it and accepts its payload goes on; or `token` alone."""

    kind: ClassVar[str] = "event_arrived"
    key: str
    payload: Any = None
    token: str | None = None


@dataclass(frozen=True, slots=True)
class TimePassed:
    """Time has come to `Facts.now`: timers and timeouts that are due fire, the earliest first."""

    kind: ClassVar[str] = "time_passed"


@dataclass(frozen=True, slots=True)
class Edited:
    """The document is being changed to `Facts.entity_version` by somebody else than the process."""

    kind: ClassVar[str] = "edited"
    changed: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A person performs a transition that may happen wherever the process stands, such as cancelling."""

    kind: ClassVar[str] = "interrupted"
    transition: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The instance is stopped."""

    kind: ClassVar[str] = "cancelled"
    reason: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """An operator gives up a paused or stuck instance: it is `failed` for good."""

    kind: ClassVar[str] = "abandoned"
    reason: str


@dataclass(frozen=True, slots=True)
class Retried:
    """An operator lets a failed step be tried again, with a new token."""

    kind: ClassVar[str] = "retried"
    token: str


Happening = Started | Settled | EventArrived | TimePassed | Edited | Interrupted | Cancelled | Abandoned | Retried

_KINDS: Mapping[str, type[Happening]] = {
    each.kind: each
    for each in (
        Started,
        Settled,
        EventArrived,
        TimePassed,
        Edited,
        Interrupted,
        Cancelled,
        Abandoned,
        Retried,
    )
}


def happening_to_json(happening: Happening) -> dict[str, Any]:
    """The happening as a JSON object with its `kind`."""
    values = {name: getattr(happening, name) for name in happening.__slots__}
    return {"kind": happening.kind, **values}


def happening_from_json(data: Mapping[str, Any]) -> Happening:
    """Read what `happening_to_json` gave."""
    values = dict(data)
    kind = _KINDS.get(values.pop("kind", ""))
    if kind is None:
        raise InvalidInput(f"there is no happening {data.get('kind')!r}", hint=f"Known are {', '.join(_KINDS)}")
    try:
        return kind(**values)
    except TypeError as error:
        raise InvalidInput(f"this is not a {kind.kind} happening: {error}") from None
