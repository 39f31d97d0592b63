"""When a cron expression fires in a time zone: pure, exact about daylight saving, and clear about what is wrong.

An expression that names its hours (`30 2 * * *`) means times of day: each fires once, on the day the clocks change too.
A time that the clocks skip fires at the moment they jump; one that they pass twice fires the first time only. An
expression for every hour (`*/15 * * * *`) means an interval and follows real time: nothing is fired for times that are
skipped, and everything again in the hour that is repeated.

croniter does the arithmetic of cron on plain local times; what those mean in a zone is decided here. It is imported
with the first expression: few programs that hold runs have schedules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from holdfast.errors import InvalidInput
from holdfast.kernel.names import did_you_mean

__all__ = ["Cron"]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELDS = ("minute", "hour", "day of month", "month", "day of week")
_RANGES = {
    "second": "0 to 59",
    "minute": "0 to 59",
    "hour": "0 to 23",
    "day of month": "1 to 31, or L for the last",
    "month": "1 to 12, or jan to dec",
    "day of week": "0 to 7, or sun to sat; 0 and 7 are Sunday",
}
_BOUNDS = {
    "second": (0, 59),
    "minute": (0, 59),
    "hour": (0, 23),
    "day of month": (1, 31),
    "month": (1, 12),
    "day of week": (0, 6),
}
_NAMES = {
    "day of month": {"l": 31},
    "month": {name: number for number, name in enumerate(_MONTHS, 1)},
    "day of week": {name: number for number, name in enumerate(_DAYS)},
}
_ITEM = re.compile(r"(?:\*|(?P<first>\w+)(?:-(?P<last>\w+))?)(?:/(?P<step>\d+))?", re.ASCII)
_NICKNAMES = ("@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly", "@annually")
_FAR_YEARS = 30
_SECOND = timedelta(seconds=1)
_DAY = timedelta(days=1)
_WINDOWS = (timedelta(minutes=1), timedelta(hours=1), _DAY, timedelta(days=32), timedelta(days=367))


@dataclass(frozen=True, slots=True)
class Cron:
    """A valid expression in a valid time zone; `Cron.parse` makes one."""

    expression: str
    timezone: str
    zone: ZoneInfo = field(compare=False, repr=False)
    every_hour: bool = field(compare=False, repr=False)

    @classmethod
    def parse(cls, expression: str, timezone: str = "UTC") -> Cron:
        """Check both; an error names the field that is wrong, and the fix."""
        zone = _zone(timezone)
        text = _check_expression(expression)
        hours = _expand(text)[1]
        return cls(text, timezone, zone, hours == ["*"])

    def next_after(self, instant: datetime) -> datetime | None:
        """The first fire later than an instant; None when there is none within thirty years."""
        # Fires are on whole seconds: later than the instant is later than the second it is in.
        after = instant.astimezone(UTC).replace(microsecond=0)
        try:
            return self._next_interval(after) if self.every_hour else self._next_time_of_day(after)
        except (_NeverFires, OverflowError):
            return None

    def fires(self, after: datetime, until: datetime | None = None) -> Iterator[datetime]:
        """The fires later than one instant and not later than another."""
        fire = self.next_after(after)
        while fire is not None and (until is None or fire <= until):
            yield fire
            fire = self.next_after(fire)

    def latest(self, not_before: datetime, until: datetime) -> datetime | None:
        """The last fire of a span, without going through all of them: a span may hold millions."""
        for window in _WINDOWS:
            start = max(not_before - _SECOND, until - window)
            found = None
            for found in self.fires(start, until):  # noqa: B007 - the last one is wanted
                pass
            if found is not None or start < not_before:
                return found
        return max(self.fires(not_before - _SECOND, until), default=None)

    def _next_time_of_day(self, after: datetime) -> datetime:
        times = _wall_times(self.expression, self._wall(after))
        while True:
            fire = self._instant(next(times))
            if fire > after:
                return fire

    def _next_interval(self, after: datetime) -> datetime:
        while True:
            offset = self._offset(after)
            # As if the clocks never changed; right unless they do before then.
            fire = (next(_wall_times(self.expression, self._wall(after))) - offset).replace(tzinfo=UTC)
            # The day ahead first: two changes, a year apart, can cancel out.
            change = self._change(after, min(fire, after + _DAY)) or self._change(after, fire)
            if change is None:
                return fire
            wall = self._wall(change)
            if next(_wall_times(self.expression, wall - _SECOND)) == wall:
                return change
            after = change

    def _wall(self, instant: datetime) -> datetime:
        return instant.astimezone(self.zone).replace(tzinfo=None)

    def _offset(self, instant: datetime) -> timedelta:
        return instant.astimezone(self.zone).utcoffset() or timedelta(0)

    def _instant(self, wall: datetime) -> datetime:
        """What a local time means: the first of two, or for one that is skipped the moment of the jump."""
        instant = wall.replace(tzinfo=self.zone, fold=0).astimezone(UTC)
        if self._wall(instant) == wall:
            return instant
        change = self._change(instant - _DAY, instant + _DAY)
        return instant if change is None else change

    def _change(self, low: datetime, high: datetime) -> datetime | None:
        """The second at which the clocks change between two instants, if they differ at both ends."""
        before = self._offset(low)
        if self._offset(high) == before:
            return None
        while high - low > _SECOND:
            middle = (low + (high - low) / 2).replace(microsecond=0)
            if self._offset(middle) == before:
                low = middle
            else:
                high = middle
        return high


class _NeverFires(Exception):
    """There is no time that fits."""


def _wall_times(expression: str, after: datetime) -> Iterator[datetime]:
    from croniter import CroniterError, croniter

    try:
        walker: Any = croniter(
            expression, after, ret_type=datetime, max_years_between_matches=_FAR_YEARS, second_at_beginning=True
        )
        while True:
            found: datetime = walker.get_next()
            yield found
    except CroniterError as error:
        raise _NeverFires from error


@lru_cache(maxsize=4096)
def _expand(expression: str) -> tuple[list[Any], list[Any]]:
    """The minutes and the hours of an expression, as croniter reads it; what it cannot read is a `ValueError`."""
    from croniter import croniter

    expanded: list[list[Any]] = croniter.expand(expression, second_at_beginning=True)[0]
    return expanded[0], expanded[1]


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    # Not a zone, but whichever one the machine is set to: others would fire at other times.
    return frozenset(available_timezones() - {"localtime"})


def _zone(timezone: str) -> ZoneInfo:
    known = _zones()
    if not isinstance(timezone, str) or timezone not in known:
        raise InvalidInput(
            f"timezone {timezone!r} is unknown",
            hint=did_you_mean(str(timezone), known) or "use an IANA name, such as Europe/Berlin or UTC",
            field="timezone",
        )
    return ZoneInfo(timezone)


def _check_expression(expression: str) -> str:
    if not isinstance(expression, str) or not expression.strip():
        raise _refused("cron is empty", "write five fields: minute hour day month weekday, such as 30 2 * * *")
    if len(expression) > 200:
        raise _refused(f"cron has {len(expression)} characters", "the limit is 200")
    text = " ".join(expression.split())
    if text.startswith("@"):
        if text.lower() not in _NICKNAMES:
            close = did_you_mean(text.lower(), _NICKNAMES)
            raise _refused(f"cron {text!r} is unknown", close or f"use one of {', '.join(_NICKNAMES)}")
        return text.lower()
    text = _meant(text)
    _check_fields(text)
    try:
        next(_wall_times(text, datetime(2000, 1, 1)))  # noqa: DTZ001 - a local time
    except _NeverFires:
        raise _refused(f"cron {text!r} never fires", "check the day of the month and the month") from None
    return text


def _named(text: str) -> list[tuple[str, str]]:
    """The fields of an expression, each with its name."""
    words = text.split(" ")
    names = _FIELDS if len(words) == 5 else ("second", *_FIELDS)
    if len(words) != len(names):
        raise _refused(
            f"cron {text!r} has {len(words)} fields",
            "write five (minute hour day month weekday), or six with the second first",
        )
    return list(zip(names, words, strict=True))


def _meant(text: str) -> str:
    """The same with the ranges written so that croniter reads them as people do; what nobody means is refused."""
    return " ".join(",".join(_item(text, name, item) for item in word.split(",")) for name, word in _named(text))


def _item(text: str, name: str, item: str) -> str:
    found = _ITEM.fullmatch(item)
    if found is None or (found["step"] is not None and int(found["step"]) == 0):
        return item  # a form of croniter's own, such as 15W or fri#2, or nothing valid: it says so itself
    lowest, highest = _BOUNDS[name]
    size, step = highest - lowest + 1, int(found["step"] or 1)
    if found["last"] is None:
        _check_step(text, name, item, step, size)
        return item
    first, last = _number(name, found["first"]), _number(name, found["last"])
    if first is None or last is None:
        return item
    if first == last:
        # croniter takes a range from a value to itself for all the way round: 9-9 would be every hour.
        return found["first"].lstrip("0") or "0"
    if {first, last} == {0, 7} and name == "day of week" and not (first == 0 and found["first"].isdigit()):
        raise _refused(
            f"cron {text!r}: the {name} {item!r} goes from Sunday to Sunday",
            "write sun for Sundays, or * for every day",
        )
    span = (last - first) % size or size
    _check_step(text, name, item, step, span if span < size - 1 else size)
    if step == 1 or first < last <= highest:
        return item
    # croniter loses count where a range with steps goes over the end: 50-10/7 would go on with 5 after 57.
    return ",".join(str(lowest + (first - lowest + far) % size) for far in range(0, min(span + 1, size), step))


def _check_step(text: str, name: str, item: str, step: int, largest: int) -> None:
    if step > largest:
        raise _refused(
            f"cron {text!r}: the step of the {name} {item!r} is longer than its range",
            f"the largest step of {item.split('/')[0]} is {largest}",
        )


def _number(name: str, word: str) -> int | None:
    """What a word stands for in a field; none when it is no value of it."""
    if not word.isdigit():
        return _NAMES.get(name, {}).get(word.lower())
    lowest, highest = _BOUNDS[name]
    return int(word) if lowest <= int(word) <= highest + (name == "day of week") else None


def _check_fields(text: str) -> None:
    named = _named(text)
    for number, (name, word) in enumerate(named):
        alone = ["*"] * len(named)
        alone[number] = word
        try:
            # R (at random) and H (by a hash) would be other times in every process.
            if word[0] in "hHrR":
                raise ValueError
            _expand(" ".join(alone))
        except (ValueError, KeyError, IndexError):
            raise _refused(
                f"cron {text!r}: the {name} {word!r} is not valid",
                f"the {name} is {_RANGES[name]}; lists 1,2, ranges 1-5 and steps */5 work",
            ) from None
    try:
        _expand(text)
    except (ValueError, KeyError, IndexError) as error:
        raise _refused(
            f"cron {text!r} is not valid: {error}", "see docs/schedules.md for what can be written"
        ) from None


def _refused(message: str, hint: str) -> InvalidInput:
    return InvalidInput(message, hint=hint, field="cron")
