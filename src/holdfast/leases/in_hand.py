"""What a worker has in hand: the rows that it has leased, and since when."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from holdfast.leases.heart import Lease

__all__ = ["InHand"]

T = TypeVar("T")


class InHand(dict[T, float]):
    """Leased rows, each with the moment (monotonic) its lease was taken; a dictionary, for runs come and go quickly."""

    def __init__(self, lease_of: Callable[[T], Lease]) -> None:
        super().__init__()
        self._lease_of = lease_of

    def leases(self) -> list[tuple[Lease, float]]:
        """For the heart, which asks from its own thread."""
        # copy() is one step under the interpreter's lock.
        return [(self._lease_of(row), taken) for row, taken in self.copy().items()]

    def find(self, lease: Lease) -> T | None:
        """The row of a lease, if it is in hand under the same epoch."""
        for row in list(self):
            known = self._lease_of(row)
            if (known.id, known.epoch, known.tenant) == (lease.id, lease.epoch, lease.tenant):
                return row
        return None
