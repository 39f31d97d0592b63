"""The values of operations, and what a kind of operation is: a name, a permission, and how one batch is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from holdfast.errors import InvalidInput
from holdfast.kernel.names import did_you_mean

__all__ = ["Item", "Operation", "OperationItem", "OperationKind", "OperationKinds", "Progress"]

Outcome = Literal["succeeded", "skipped", "failed"]


@dataclass(frozen=True, slots=True)
class Operation:
    """Something asked for over many things, and how far it has come.

    `completed` says that it came to its end. What became of the things is in the counts, and in its items.
    """

    id: UUID
    kind: str
    input: dict[str, Any]
    status: Literal["pending", "running", "completed", "failed", "cancelled"]
    total: int | None
    """How many things there were to do when it was asked for, if somebody counted."""
    succeeded: int
    skipped: int
    failed: int
    result: Any
    error: str | None
    run_id: UUID
    """The run that executes it."""
    created_by: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    cancelled_by: str | None

    @property
    def done(self) -> int:
        """How many things were dealt with, however that went."""
        return self.succeeded + self.skipped + self.failed


@dataclass(frozen=True, slots=True)
class Item:
    """What became of one thing: done, not applicable any more (`skipped`), or failed; with the error's code."""

    item: str
    outcome: Outcome
    code: str | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class OperationItem(Item):
    """The same, with its number."""

    seq: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """What one batch did. `position` is where the next one begins; None ends the operation."""

    items: Sequence[Item] = ()
    position: Any = None
    total: int | None = None
    result: Any = None


Batch = Callable[[Any, Operation, Any], Awaitable[Progress]]
"""Does one batch: given the `Hold` of whoever asked, the operation, and the position (None for the first)."""


@dataclass(frozen=True, slots=True)
class OperationKind:
    """A kind of operation. `batch` is called again and again, each time in a transaction of its own."""

    name: str
    permission: str
    batch: Batch


class OperationKinds:
    """The kinds that an application knows."""

    def __init__(self) -> None:
        self._known: dict[str, OperationKind] = {}

    def add(self, kind: OperationKind) -> None:
        """Know one more."""
        assert kind.name not in self._known, kind.name
        self._known[kind.name] = kind

    def find(self, name: str) -> OperationKind:
        """The kind of that name."""
        kind = self._known.get(name)
        if kind is None:
            hint = did_you_mean(name, self._known) or f"use one of {', '.join(sorted(self._known))}"
            raise InvalidInput(f"there is no kind of operation {name!r}", hint=hint, field="kind")
        return kind

    def __iter__(self) -> Iterator[OperationKind]:
        return iter(self._known.values())
