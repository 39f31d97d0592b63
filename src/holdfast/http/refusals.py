"""Large bodies that are refused: so many a tenant may send in a while.

To read a body of a hundred thousand values only to find it wrong costs as much as to do what a right one asks for, and
nothing but the bandwidth of whoever sends it. So what was refused is counted, by its values, and a tenant that has used
up its measure is told to wait (429) before the next large body is read. Small bodies are always read.
"""

from __future__ import annotations

import time
from math import ceil
from typing import Final

from holdfast.errors import ShareUsedUp

__all__ = ["RefusedBodies"]

SMALL: Final = 16 * 1024
"""Bytes up to which a body is nobody's burden."""
_AT_ONCE: Final = 200_000
_A_SECOND: Final = 5000
_MOST: Final = 300_000
"""Values that may be refused at once, that are forgotten in a second, and that are remembered at most."""
_TENANTS: Final = 4096


class RefusedBodies:
    """What each tenant has sent in vain of late; two that meet in one row of the table share their measure."""

    def __init__(self) -> None:
        self._levels = [0.0] * _TENANTS
        self._at = [0.0] * _TENANTS

    def check(self, tenant: str, size: int) -> None:
        """Raise `ShareUsedUp` for a tenant whose large bodies are not read for a while."""
        if size <= SMALL:
            return
        over = self._left(hash(tenant) % _TENANTS) - _AT_ONCE
        if over >= 0:
            seconds = max(1, ceil(over / _A_SECOND))
            raise ShareUsedUp(
                "too many large requests of this tenant were refused of late",
                hint=f"try again in {seconds} s; mend what the last answers say first",
                retry_after=seconds,
            )

    def refused(self, tenant: str, body: bytes) -> None:
        """A body was read in vain."""
        if len(body) > SMALL:
            row = hash(tenant) % _TENANTS
            self._levels[row] = min(self._left(row) + body.count(b",") + 1000, _MOST)
            self._at[row] = time.monotonic()

    def _left(self, row: int) -> float:
        return max(0.0, self._levels[row] - (time.monotonic() - self._at[row]) * _A_SECOND)
