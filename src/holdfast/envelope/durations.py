"""Durations as authors write them: `72h`, `1d12h`."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

__all__ = ["DURATION_PATTERN", "MAX_DURATION", "format_duration", "parse_duration"]

DURATION_PATTERN: Final = r"^(?:\d{1,6}w)?(?:\d{1,6}d)?(?:\d{1,6}h)?(?:\d{1,6}m)?(?:\d{1,6}s)?$"
"""Weeks, days, hours, minutes, seconds, in this order, each at most once: `90s`, `72h`, `1d12h`."""

MAX_DURATION: Final = timedelta(days=36_525)
"""A hundred years. A moment that is further away may lie beyond what a calendar can name."""

_UNITS: Final = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes", "s": "seconds"}


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
