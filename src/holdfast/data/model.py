"""What the data store gives and takes: entries, links, changes, and who writes on whose behalf."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple
from uuid import UUID

from holdfast.kernel.json import dump

__all__ = [
    "DIRECTIONS",
    "NOWHERE",
    "VALUE_TYPES",
    "Change",
    "Changes",
    "Direction",
    "Entry",
    "Incremented",
    "Link",
    "LinkedNamespace",
    "LinkedNamespaces",
    "Match",
    "Matches",
    "NamespacePage",
    "NamespaceRules",
    "NamespaceUse",
    "Origin",
    "Put",
    "Ref",
    "Upserted",
    "ValueType",
    "Written",
]

ValueType = Literal["string", "number", "boolean", "json"]
VALUE_TYPES: tuple[ValueType, ...] = ("string", "number", "boolean", "json")
Direction = Literal["forward", "reverse", "either"]
DIRECTIONS: tuple[Direction, ...] = ("forward", "reverse", "either")
Operation = Literal["set", "deleted", "expired"]


@dataclass(frozen=True, slots=True)
class Origin:
    """On whose behalf something is written: the run or the step of a process instance, if any."""

    run_id: UUID | None = None
    instance_id: UUID | None = None
    step: str | None = None

    @property
    def creator(self) -> UUID | None:
        """What `created_by_run_id` says: the run or, where a step of a process writes, the instance."""
        return self.run_id or self.instance_id

    @property
    def facts(self) -> str:
        """What the audit trail says of it, as JSON."""
        named = {"run_id": self.run_id, "instance_id": self.instance_id}
        return dump({name: str(value) for name, value in named.items() if value is not None})


NOWHERE = Origin()


@dataclass(frozen=True, slots=True)
class Entry:
    """A key with its value, as it was when it was read.

    For example:

        entry: Entry | None = await hold.data.get("prices", "apple")
    """

    namespace: str
    key: str
    value: Any
    value_type: ValueType
    revision: int
    expires_at: datetime | None
    created_by_run_id: UUID | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Put:
    """One of many keys to be set; see `Keys.set` for what the parts mean.

    For example:

        await hold.data.set_many("prices", [Put("apple", Decimal("0.30")), Put("pear", Decimal("0.45"))])
    """

    key: str
    value: Any
    value_type: ValueType | None = None
    ttl: float | timedelta | None = None
    if_revision: int | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A key was set. `warning` is given when its namespace is getting full."""

    revision: int
    created: bool
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class Incremented:
    """A number was added to; `value` is the sum."""

    value: Any
    revision: int
    created: bool
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class NamespaceUse:
    """A namespace and how many keys it has."""

    namespace: str
    key_count: int


@dataclass(frozen=True, slots=True)
class NamespacePage:
    """Some namespaces in order, and the cursor for those after them."""

    namespaces: list[NamespaceUse]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class NamespaceRules:
    """What a namespace allows, and how much of it is used; the counts are kept only where there is a quota."""

    namespace: str
    schema: Any = None
    max_keys: int | None = None
    max_bytes: int | None = None
    keys: int | None = None
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """Something that happened to a key. `value` is there unless a later change has replaced it (`superseded`).

    For example:

        async for change in app.follow_data("acme", "prices"):
            print(change.key, change.value)
    """

    key: str
    op: Operation
    revision: int
    value: Any
    superseded: bool
    at: datetime
    position: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Changes:
    """Some changes in order, and the position after them: pass it back to go on from there."""

    items: list[Change]
    position: str
    more: bool


class Ref(NamedTuple):
    """A record by its type and id; a plain pair will do."""

    type: str
    id: str


@dataclass(frozen=True, slots=True)
class Link:
    """A typed edge between two records."""

    link_id: UUID
    namespace: str
    left_type: str
    left_id: str
    right_type: str
    right_id: str
    relation: str
    attributes: dict[str, Any]
    created_by_run_id: UUID | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Upserted:
    """A link is there; `created` says whether it is new."""

    link_id: UUID
    created: bool


@dataclass(frozen=True, slots=True)
class Match:
    """A record that the one asked for is linked with, and in which direction."""

    link_id: UUID
    type: str
    id: str
    relation: str
    attributes: dict[str, Any]
    direction: Literal["forward", "reverse"]


@dataclass(frozen=True, slots=True)
class Matches:
    """What a lookup found, in order, and the cursor for what comes after."""

    matches: list[Match]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class LinkedNamespace:
    """A namespace and how many links it has."""

    namespace: str
    link_count: int


@dataclass(frozen=True, slots=True)
class LinkedNamespaces:
    """Some namespaces in order, and the cursor for those after them."""

    namespaces: list[LinkedNamespace]
    next_cursor: str | None
