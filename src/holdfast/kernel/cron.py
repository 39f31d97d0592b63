"""When a cron expression fires in a time zone: pure, exact about daylight saving, and clear about what is wrong.

An expression that names its hours (`30 2 * * *`) means times of day: each fires once, on the day the clocks change too.
A time that the clocks skip fires at the moment they jump; one that they pass twice fires the first time only. An
expression for every hour (`*/15 * * * *`) means an interval and follows real time: nothing is fired for times that are
skipped, and everything again in the hour that is repeated.

`_Times` is the arithmetic of cron on plain local times; what those mean in a zone is decided by `Cron`. Nothing here
reads a clock: every answer is a function of the instant that is given.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from holdfast.errors import InvalidInput
from holdfast.kernel.names import did_you_mean

__all__ = ["Cron"]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_NICKNAMES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_ITEM = re.compile(r"(?:\*|(?P<first>\w+)(?:-(?P<last>\w+))?)(?:/(?P<step>\d+))?", re.ASCII)
_NTH = re.compile(r"(?:(?P<day>\w+)#(?P<nth>[1-5])|l(?P<last>\w+))", re.ASCII | re.IGNORECASE)
_LAST = -1
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
    times: _Times = field(compare=False, repr=False)

    @classmethod
    def parse(cls, expression: str, timezone: str = "UTC") -> Cron:
        """Check both; an error names the field that is wrong, and the fix."""
        zone = _zone(timezone)
        text = _tidied(expression)
        return cls(text, timezone, zone, _times(text))

    def next_after(self, instant: datetime) -> datetime | None:
        """The first fire later than an instant; None when there is none within thirty years."""
        # Fires are on whole seconds: later than the instant is later than the second it is in.
        after = instant.astimezone(UTC).replace(microsecond=0)
        try:
            return self._next_interval(after) if self.times.every_hour else self._next_time_of_day(after)
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
        times = self.times.after(self._wall(after))
        while True:
            fire = self._instant(next(times))
            if fire > after:
                return fire

    def _next_interval(self, after: datetime) -> datetime:
        while True:
            offset = self._offset(after)
            # As if the clocks never changed; right unless they do before then.
            fire = (next(self.times.after(self._wall(after))) - offset).replace(tzinfo=UTC)
            # The day ahead first: two changes, a year apart, can cancel out.
            change = self._change(after, min(fire, after + _DAY)) or self._change(after, fire)
            if change is None:
                return fire
            wall = self._wall(change)
            if next(self.times.after(wall - _SECOND)) == wall:
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


@dataclass(frozen=True, slots=True)
class _Times:
    """The local times that an expression names."""

    seconds: tuple[int, ...]
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    """Of the month; `_LAST` is the last, whichever that is."""
    months: frozenset[int]
    weekdays: frozenset[int]
    nths: frozenset[tuple[int, int]]
    """Weekdays with which of the month they are, `_LAST` for the last."""
    either_day: bool
    """Both days are named: one of them is enough, as in every cron."""

    @property
    def every_hour(self) -> bool:
        return len(self.hours) == 24

    def after(self, moment: datetime) -> Iterator[datetime]:
        """Those later than a local time, in order. Ends with `_NeverFires` when there is none for thirty years."""
        start = moment.replace(microsecond=0) + _SECOND
        day, earliest = start.date(), (start.hour, start.minute, start.second)
        while True:
            found = self._next_day(day)
            for at in self._times_of_day(earliest if found == day else (0, 0, 0)):
                yield datetime.combine(found, at)
            day, earliest = found + _DAY, (0, 0, 0)

    def _next_day(self, day: date) -> date:
        """The first day that fits, from one on."""
        furthest = day.year + _FAR_YEARS
        while not self._fits(day):
            # A month that is not named is passed in one go.
            day = (
                day + _DAY
                if day.month in self.months
                else day.replace(day=1) + timedelta(days=monthrange(day.year, day.month)[1])
            )
            if day.year > furthest:
                raise _NeverFires
        return day

    def _fits(self, day: date) -> bool:
        if day.month not in self.months:
            return False
        length = monthrange(day.year, day.month)[1]
        by_day = day.day in self.days or (_LAST in self.days and day.day == length)
        weekday = day.isoweekday() % 7
        by_weekday = weekday in self.weekdays or (
            bool(self.nths)
            and ((weekday, (day.day + 6) // 7) in self.nths or (day.day + 7 > length and (weekday, _LAST) in self.nths))
        )
        return (by_day or by_weekday) if self.either_day else (by_day and by_weekday)

    def _times_of_day(self, earliest: tuple[int, int, int]) -> Iterator[time]:
        for hour in self.hours:
            if hour < earliest[0]:
                continue
            for minute in self.minutes:
                if (hour, minute) < earliest[:2]:
                    continue
                for second in self.seconds:
                    if (hour, minute, second) >= earliest:
                        yield time(hour, minute, second)


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of an expression: what it is called, which values it has, and how they may be named."""

    name: str
    lowest: int
    highest: int
    said: str
    names: dict[str, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return self.highest - self.lowest + 1

    def read(self, text: str, word: str) -> frozenset[int]:
        """The values of a word of an expression."""
        return frozenset().union(*(self._item(text, word, item) for item in word.split(",")))

    def _item(self, text: str, word: str, item: str) -> range | set[int]:
        found = _ITEM.fullmatch(item)
        step = int(found["step"] or 1) if found else 0
        if found is None or step == 0:
            raise self.invalid(text, word)
        if found["first"] is None:
            self._check_step(text, item, step, self.size)
            return range(self.lowest, self.highest + 1, step)
        first = self.number(text, word, found["first"])
        if found["last"] is None:
            self._check_step(text, item, step, self.size)
            return range(first, self.highest + 1, step) if found["step"] else {self._within(first)}
        last = self.number(text, word, found["last"])
        if self._within(first) == self._within(last) and self.name == "day of week" and first != last:
            if not found["first"].isdigit() or first != 0:
                raise _refused(
                    f"cron {text!r}: the {self.name} {item!r} goes from Sunday to Sunday",
                    "write sun for Sundays, or * for every day",
                )
            self._check_step(text, item, step, self.size)
            return range(self.lowest, self.highest + 1, step)
        span = (last - first) % self.size
        if span:
            self._check_step(text, item, step, span if span < self.size - 1 else self.size)
        # A range over the end goes on from the beginning.
        return {self.lowest + (first - self.lowest + far) % self.size for far in range(0, span + 1, step)}

    def number(self, text: str, word: str, one: str) -> int:
        """What a value stands for."""
        if one.isdigit() and len(one) <= 4:
            # Sunday is 0 and 7.
            if self.lowest <= int(one) <= self.highest + (self.name == "day of week"):
                return int(one)
        elif one.lower() in self.names:
            return self.names[one.lower()]
        raise self.invalid(text, word)

    def invalid(self, text: str, word: str) -> InvalidInput:
        return _refused(
            f"cron {text!r}: the {self.name} {word!r} is not valid",
            f"the {self.name} is {self.said}; lists 1,2, ranges 1-5 and steps */5 work",
        )

    def _within(self, value: int) -> int:
        return self.lowest + (value - self.lowest) % self.size

    def _check_step(self, text: str, item: str, step: int, largest: int) -> None:
        if step > largest:
            raise _refused(
                f"cron {text!r}: the step of the {self.name} {item!r} is longer than its range",
                f"the largest step of {item.split('/')[0]} is {largest}",
            )


_SECONDS = _Field("second", 0, 59, "0 to 59")
_MINUTES = _Field("minute", 0, 59, "0 to 59")
_HOURS = _Field("hour", 0, 23, "0 to 23")
_MONTH_DAYS = _Field("day of month", 1, 31, "1 to 31, or L for the last")
_MONTHS_OF_YEAR = _Field("month", 1, 12, "1 to 12, or jan to dec", {name: n for n, name in enumerate(_MONTHS, 1)})
_WEEKDAYS = _Field(
    "day of week",
    0,
    6,
    "0 to 7, or sun to sat; 0 and 7 are Sunday; fri#2 is the second Friday, L5 the last",
    {name: n for n, name in enumerate(_DAYS)},
)


@lru_cache(maxsize=4096)
def _times(text: str) -> _Times:
    words = _NICKNAMES.get(text, text).split(" ")
    if len(words) not in (5, 6):
        raise _refused(
            f"cron {text!r} has {len(words)} fields",
            "write five (minute hour day month weekday), or six with the second first",
        )
    second = words.pop(0) if len(words) == 6 else "0"
    minute, hour, day, month, weekday = words
    seconds = _SECONDS.read(text, second)
    minutes, hours = _MINUTES.read(text, minute), _HOURS.read(text, hour)
    last = [item for item in day.split(",") if item.lower() == "l"]
    days = _some(_MONTH_DAYS, text, day, last) | ({_LAST} if last else frozenset())
    months = _MONTHS_OF_YEAR.read(text, month)
    nth = [item for item in weekday.split(",") if _NTH.fullmatch(item)]
    times = _Times(
        tuple(sorted(seconds)),
        tuple(sorted(minutes)),
        tuple(sorted(hours)),
        days,
        months,
        _some(_WEEKDAYS, text, weekday, nth),
        frozenset(_nth(text, weekday, item) for item in nth),
        either_day="*" not in day.split(",") and "*" not in weekday.split(","),
    )
    try:
        next(times.after(datetime(2000, 1, 1)))  # noqa: DTZ001 - a local time
    except _NeverFires:
        raise _refused(f"cron {text!r} never fires", "check the day of the month and the month") from None
    return times


def _some(kind: _Field, text: str, word: str, without: list[str]) -> frozenset[int]:
    """The values of a word but for items that only its own field knows."""
    rest = [item for item in word.split(",") if item not in without]
    return kind.read(text, ",".join(rest)) if rest else frozenset()


def _nth(text: str, word: str, item: str) -> tuple[int, int]:
    found = _NTH.fullmatch(item)
    assert found is not None
    day = _WEEKDAYS.number(text, word, found["day"] or found["last"]) % 7
    return day, int(found["nth"] or _LAST)


def _tidied(expression: str) -> str:
    if not isinstance(expression, str) or not expression.strip():
        raise _refused("cron is empty", "write five fields: minute hour day month weekday, such as 30 2 * * *")
    if len(expression) > 200:
        raise _refused(f"cron has {len(expression)} characters", "the limit is 200")
    text = " ".join(expression.split())
    if text.startswith("@"):
        text = text.lower()
        if text not in _NICKNAMES:
            close = did_you_mean(text, _NICKNAMES)
            raise _refused(f"cron {text!r} is unknown", close or f"use one of {', '.join(_NICKNAMES)}")
    return text


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


def _refused(message: str, hint: str) -> InvalidInput:
    return InvalidInput(message, hint=hint, field="cron")
