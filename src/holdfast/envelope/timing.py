"""Durations and schedules as authors write them: `72h`, `1d12h`, and five-field cron lines.

Nothing here reads a clock: `Cron.next_after` is a function of the moment it is given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

__all__ = ["DURATION_PATTERN", "MAX_DURATION", "Cron", "format_duration", "parse_cron", "parse_duration"]

DURATION_PATTERN: Final = r"^(?:\d{1,6}w)?(?:\d{1,6}d)?(?:\d{1,6}h)?(?:\d{1,6}m)?(?:\d{1,6}s)?$"
"""Weeks, days, hours, minutes, seconds, in this order, each at most once: `90s`, `72h`, `1d12h`."""

MAX_DURATION: Final = timedelta(days=36_525)
"""A hundred years. A moment that is further away may lie beyond what a calendar can name."""

_UNITS: Final = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
_FIELDS: Final = (
    ("minute", 0, 59),
    ("hour", 0, 23),
    ("day of month", 1, 31),
    ("month", 1, 12),
    ("day of week", 0, 7),
)
_SEARCH_DAYS: Final = 8 * 366 + 1
"""29 February is at most eight years away, across a century that is no leap year."""


def parse_duration(text: str) -> timedelta:
    """Read `72h` or `1d12h`. Raises ValueError for anything else, for zero and for more than a hundred years."""
    if not re.fullmatch(DURATION_PATTERN, text, re.ASCII):
        raise ValueError(f"{text!r} is not a duration such as 90s, 72h or 1d12h")
    parts = {_UNITS[unit]: int(number) for number, unit in re.findall(r"(\d+)([wdhms])", text, re.ASCII)}
    duration = timedelta(**parts)
    if not duration:
        raise ValueError(f"{text!r} is no time at all")
    if duration > MAX_DURATION:
        raise ValueError(f"{text!r} is longer than a hundred years")
    return duration


def format_duration(duration: timedelta) -> str:
    """The shortest text that `parse_duration` reads as `duration`, in whole seconds."""
    seconds = int(duration.total_seconds())
    text = ""
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)):
        count, seconds = divmod(seconds, size)
        text += f"{count}{unit}" if count else ""
    return text or "0s"


@dataclass(frozen=True, slots=True)
class Cron:
    """A five-field cron line. When both day fields are restricted, either may match, as cron always did."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool

    def next_after(self, moment: datetime) -> datetime:
        """The first matching minute strictly after `moment`, in the moment's own time zone."""
        candidate = (moment + timedelta(minutes=1)).replace(second=0, microsecond=0)
        for _ in range(_SEARCH_DAYS):
            if self._matches_day(candidate):
                found = self._first_of_day(candidate)
                if found is not None:
                    return found
            candidate = (candidate + timedelta(days=1)).replace(hour=0, minute=0)
        raise ValueError("the schedule names no day that exists")

    def _matches_day(self, moment: datetime) -> bool:
        if moment.month not in self.months:
            return False
        by_day, by_weekday = moment.day in self.days, moment.isoweekday() % 7 in self.weekdays
        return (by_day or by_weekday) if self.either_day else (by_day and by_weekday)

    def _first_of_day(self, moment: datetime) -> datetime | None:
        for hour in sorted(hour for hour in self.hours if hour >= moment.hour):
            earliest = moment.minute if hour == moment.hour else 0
            minute = min((minute for minute in self.minutes if minute >= earliest), default=None)
            if minute is not None:
                return moment.replace(hour=hour, minute=minute)
        return None


def parse_cron(text: str) -> Cron:
    """Read `minute hour day-of-month month day-of-week`, each `*`, list, range or step. Raises ValueError."""
    fields = text.split()
    if len(fields) != len(_FIELDS):
        raise ValueError(f"{text!r} must have five fields: minute hour day-of-month month day-of-week")
    values = [_field(field, *limits) for field, limits in zip(fields, _FIELDS, strict=True)]
    cron = Cron(
        minutes=values[0],
        hours=values[1],
        days=values[2],
        months=values[3],
        weekdays=frozenset(day % 7 for day in values[4]),
        either_day=not fields[2].startswith("*") and not fields[4].startswith("*"),
    )
    if not cron.either_day and fields[2] != "*" and not any(_day_exists(cron, month) for month in cron.months):
        raise ValueError(f"{text!r} names no day that exists")
    return cron


def _day_exists(cron: Cron, month: int) -> bool:
    longest = 29 if month == 2 else 30 if month in (4, 6, 9, 11) else 31
    return min(cron.days) <= longest


def _field(text: str, name: str, low: int, high: int) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"(?:(\*)|(\d{1,2})(?:-(\d{1,2}))?)(?:/(\d{1,2}))?", part, re.ASCII)
        if match is None:
            raise ValueError(f"{part!r} is not a {name} of a cron line")
        star, first, last, step = match.groups()
        start = low if star else int(first)
        stop = high if star or (step and not last) else int(last or first)
        if not low <= start <= stop <= high:
            raise ValueError(f"{part!r} is not a {name}: it must lie between {low} and {high}")
        if step is not None and int(step) == 0:
            raise ValueError(f"{part!r} has a step of zero")
        found.update(range(start, stop + 1, int(step or 1)))
    return frozenset(found)
