"""What a store of keys and links must do; `stores/` holds the two there are, Postgres and memory.

A store takes texts and numbers that were checked, and JSON that was encoded. What a caller must expect to happen is
told by an `Outcome`, not raised: in Postgres an exception would end the caller's transaction. The rules every store
keeps:

- a revision is never given twice, not even to a key that was deleted and made again;
- a key whose time is over is absent for every method; only `sweep` and writing over it remove it;
- reading writes nothing;
- texts are ordered by their UTF-8 bytes;
- `set_many` and `delete` do everything or, answering with the first conflict, nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Literal, NamedTuple, Protocol
from uuid import UUID

from holdfast.data.model import Ref

__all__ = ["EDGE", "Following", "Here", "KeyStore", "Known", "LinkStore", "Outcome", "RawAdd", "RawPut", "Row"]

Row = dict[str, Any]
EDGE = ("namespace", "left_type", "left_id", "right_type", "right_id", "relation")
"""What identifies a link, in the order of lists and exports."""
Status = Literal["done", "conflict", "schema", "keys", "bytes", "not_a_number", "too_long"]


class RawPut(NamedTuple):
    """A key to be set; `value` is JSON text."""

    key: str
    value: str
    value_type: str
    ttl: timedelta | None
    if_revision: int | None


class RawAdd(NamedTuple):
    """A number to be added to. `allowed` is the only sum that may be written, where the namespace has a schema."""

    key: str
    by: Decimal
    initial: Decimal
    ttl: timedelta | None
    allowed: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a write. When nothing was written, `status` says why:

    conflict: the key has the revision `known`, 0 for none. schema: the namespace's schema is version `known`, and
    `note` its text. keys, bytes: the quota `note` stands in the way. not_a_number: the key holds a `note`.
    too_long: the sum has too many digits.
    """

    key: str
    status: Status
    revision: int = 0
    created: bool = False
    known: int = 0
    note: str | None = None
    value: str | None = None


class Here(NamedTuple):
    """A moment in the history of changes: who had committed by then, when it was, and in which database."""

    snapshot: str
    at: datetime
    origin: int
    dropped_until: datetime | None
    """Changes before this time may be gone."""


class Known(NamedTuple):
    """What is sure to be known to who has seen a revision, and what is kept.

    What the snapshot `seen` can see, and the transaction that wrote the revision (`by`, "0" for none), are known up to
    it. What others wrote may have become visible only later, however small its revision is.
    """

    oldest: int | None
    seen: str
    by: str


class Following(NamedTuple):
    """Which changes are wanted: those `since` could not see and `upto` can, with greater numbers than these.

    A smaller revision is wanted too where it may not be known, as `Known` says.
    """

    since: str
    upto: str
    after: int
    above: int
    seen: str
    by: str


class KeyStore(Protocol):
    """Keys of one tenant."""

    @property
    def scope(self) -> Hashable:
        """What tells this tenant's namespaces from others'."""

    @property
    def beginning(self) -> str:
        """The snapshot that sees nothing."""

    async def get(self, namespace: str, key: str) -> Row | None: ...

    async def get_many(self, namespace: str, keys: Sequence[str]) -> list[Row]: ...

    async def set(self, namespace: str, put: RawPut, checked: int) -> Outcome: ...

    async def set_many(self, namespace: str, puts: Sequence[RawPut], checked: int) -> list[Outcome]: ...

    async def increment(self, namespace: str, add: RawAdd, checked: int) -> Outcome: ...

    async def delete(self, namespace: str, keys: Sequence[str], if_revision: int | None) -> list[Outcome]: ...

    async def page(self, namespace: str, low: str, high: str, after: str, limit: int) -> list[Row]: ...

    async def namespaces(self, after: str, limit: int) -> list[Row]: ...

    async def namespace_names(self, low: str, high: str, limit: int) -> list[str]: ...

    async def sweep(self, limit: int) -> int: ...

    async def configure(
        self, namespace: str, schema: str | None, max_keys: int | None, max_bytes: int | None
    ) -> None: ...

    async def rules(self, namespace: str) -> Row | None: ...

    async def here(self) -> Here: ...

    async def known_until(self, namespace: str, revision: int) -> Known: ...

    async def changes(self, namespace: str, wanted: Following, limit: int) -> list[Row]: ...

    async def export(self, after: Sequence[str], upto: str, limit: int, most_bytes: int) -> list[Row]:
        """Keys after a namespace and a key, up to a namespace: at most so many, and after so many bytes no more."""


class LinkStore(Protocol):
    """Links of one tenant."""

    async def upsert(
        self, namespace: str, left: Ref, right: Ref, relation: str, attributes: str | None
    ) -> tuple[UUID, bool]: ...

    async def lookup(
        self,
        namespace: str,
        of: Ref,
        ways: tuple[bool, bool],
        relation: str | None,
        other_type: str | None,
        after: tuple[str, str, str, UUID] | None,
        limit: int,
    ) -> list[Row]: ...

    async def delete(self, namespace: str, left: Ref | None, right: Ref | None, relation: str | None) -> int: ...

    async def page(
        self,
        namespace: str,
        left_type: str | None,
        right_type: str | None,
        relation: str | None,
        after: Sequence[str],
        limit: int,
    ) -> list[Row]: ...

    async def namespaces(self, after: str, limit: int) -> list[Row]: ...

    async def namespace_names(self, low: str, high: str, limit: int) -> list[str]: ...

    async def types_in_use(self, namespace: str, low: str, high: str, limit: int) -> list[str]: ...

    async def relations_in_use(self, namespace: str, low: str, high: str, limit: int) -> list[str]: ...

    async def export(self, after: Sequence[str], upto: str, limit: int, most_bytes: int) -> list[Row]:
        """Links after an edge, up to a namespace: at most so many, and after so many bytes no more."""
