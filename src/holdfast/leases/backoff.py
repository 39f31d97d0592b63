"""Exponential backoff with jitter: doubling from a base up to a cap, plus up to half as much again at random.

The jitter keeps many that failed together from all coming back together.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import timedelta

from holdfast.errors import InvalidInput

__all__ = ["Backoff"]


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait before attempt n + 1. Times are seconds."""

    base: float = 1.0
    cap: float = 300.0
    jitter: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.base <= self.cap <= 86400 * 365 or not 0 <= self.jitter <= 10:
            raise InvalidInput(
                f"base {self.base}, cap {self.cap} and jitter {self.jitter} make no sense together",
                hint="use 0 <= base <= cap, in seconds, and a jitter of about 0.5",
                field="retry",
            )

    def after(self, attempt: int) -> timedelta:
        """The pause after the given attempt, counted from 1, failed."""
        raw = min(self.cap, self.base * 2.0 ** min(attempt - 1, 60))
        return timedelta(seconds=raw + random.uniform(0, self.jitter * raw))  # noqa: S311 - spreads load, no secret

    def after_failure(
        self, attempt: int, most: int, *, final: bool = False, wanted: timedelta | None = None
    ) -> timedelta | None:
        """The pause before the next attempt; None when there is none, and it is a dead letter.

        A `final` failure will be no other next time. `wanted` is what whoever failed asked for.
        """
        if final or attempt >= most:
            return None
        return self.after(attempt) if wanted is None else wanted
