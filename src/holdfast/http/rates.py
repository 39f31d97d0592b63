"""Requests a second: so many of one credential, so many of one tenant, and a moment's worth more at once.

Each has a measure that fills by itself; whoever has used theirs up is answered 429 with `Retry-After`, before anything
is read or looked up. What is remembered is one number for each, in a table of a fixed size; two that meet in one row of
it share its measure.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from math import ceil
from typing import Final

from holdfast.errors import RateLimited

__all__ = ["Rates"]

_ROWS: Final = 16_384
_AT_ONCE: Final = 2.0
"""Seconds' worth that may come at once."""


class Rates:
    """The rates of one server; 0 is any."""

    def __init__(self, token: float, tenant: float) -> None:
        self._seconds = {"token": 1 / token if token else 0.0, "tenant": 1 / tenant if tenant else 0.0}
        # For each row, when its measure will be full again.
        self._full_at = {kind: [0.0] * _ROWS for kind in self._seconds}

    def take(self, kind: str, whose: Hashable) -> None:
        """One request of a `token` or a `tenant`; raises `RateLimited`, and then it does not count."""
        seconds = self._seconds[kind]
        if not seconds:
            return
        rows, row, now = self._full_at[kind], hash((kind, whose)) % _ROWS, time.monotonic()
        used = max(rows[row] - now, 0.0) + seconds
        at_once = max(_AT_ONCE, seconds)
        if used > at_once:
            wait = max(1, ceil(used - at_once))
            raise RateLimited(
                f"this {kind} makes more requests than {1 / seconds:g} a second",
                hint=f"try again in {wait} s, and ask for many things at a time",
                retry_after=wait,
            )
        rows[row] = now + used
