"""Time is Postgres's. A clock only exists so that tests can say what time it is instead of sleeping.

Every query that compares with now takes `%(now)s`; the `DatabaseClock` leaves it NULL, and the query falls back to
Postgres's `now()`. No promise of ours ever depends on the clock of the machine that runs the Python.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol

from holdfast.errors import InvalidInput

__all__ = ["Clock", "DatabaseClock", "FakeClock", "check_instant"]


class Clock(Protocol):
    """What time queries should take it to be; None means the database's own."""

    def now(self) -> datetime | None: ...


class DatabaseClock:
    """The default: let Postgres say."""

    def now(self) -> None:
        return None


class FakeClock:
    """A clock for tests that stands still until it is told to move.

    For example:

        clock = FakeClock()
        app = Holdfast(clock=clock)
        clock.advance(timedelta(hours=72))
    """

    def __init__(self, start: datetime) -> None:
        if start.tzinfo is None:
            raise ValueError("a clock needs a time zone: datetime(..., tzinfo=UTC)")
        self._now = start

    def now(self) -> datetime:
        return self._now

    def advance(self, by: timedelta | float) -> datetime:
        """Move forward by a timedelta, or by seconds; returns the new time."""
        step = by if isinstance(by, timedelta) else timedelta(seconds=by)
        if step < timedelta(0):
            raise ValueError("time only moves forward")
        self._now += step
        return self._now


def check_instant(field: str, value: datetime) -> datetime:
    """A datetime that means one moment, and that can be read back once it is stored: of the years 1 to 9999 in UTC."""
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise InvalidInput(f"{field} is {value!r}", hint="use a datetime with a time zone", field=field)
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(f"{field} is {value}", hint="use a year from 1 to 9999", field=field) from None
