"""The formats of JSON Schema that inputs and answers are checked for.

jsonschema checks `date`, `email`, `ipv4`, `ipv6` and `uuid` by itself, and would need a handful of libraries for the
rest. Those that people's inputs have, `uri`, `date-time` and `time`, are checked here, and `regex` is what our own
patterns may be. Any other is an annotation. Documents are checked for the plain ones only.
"""

from __future__ import annotations

import re
from datetime import datetime
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator, FormatChecker

from holdfast.kernel.schemas.patterns import BadPattern, pattern

__all__ = ["FORMATS", "PLAIN_FORMATS"]

_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = r"(?P<time>[0-9]{2}:[0-9]{2}):(?P<seconds>[0-9]{2})(\.[0-9]+)?(?P<zone>[Zz]|[+-][0-9]{2}:[0-9]{2})"
_CLOCK = re.compile(_TIME)
_INSTANT = re.compile(f"(?P<day>{_DAY})[Tt]{_TIME}")
# RFC 3986: a scheme, then only its reserved and unreserved characters, and whole escapes.
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")

PLAIN_FORMATS = FormatChecker()
PLAIN_FORMATS.checkers = dict(Draft202012Validator.FORMAT_CHECKER.checkers)
FORMATS = FormatChecker()


@PLAIN_FORMATS.checks("regex", raises=BadPattern)
def is_pattern(value: object) -> bool:
    """A pattern that a schema could hold."""
    return not isinstance(value, str) or bool(pattern(value))


FORMATS.checkers = dict(PLAIN_FORMATS.checkers)


@FORMATS.checks("date-time", raises=ValueError)
def is_instant(value: object) -> bool:
    """A day, a time of it and a zone, as RFC 3339 writes them."""
    return not isinstance(value, str) or _exists(_INSTANT.fullmatch(value))


@FORMATS.checks("time", raises=ValueError)
def is_time(value: object) -> bool:
    """A time of day with its zone."""
    return not isinstance(value, str) or _exists(_CLOCK.fullmatch(value))


@FORMATS.checks("uri", raises=ValueError)
def is_uri(value: object) -> bool:
    """An address with its scheme."""
    if not isinstance(value, str):
        return True
    if not _URI.fullmatch(value):
        return False
    parts = urlsplit(value)
    return parts.port is None or bool(parts.hostname)


def _exists(match: re.Match[str] | None) -> bool:
    """Whether there is such a time; a leap second is one."""
    if match is None:
        return False
    found = match.groupdict()
    seconds = "59" if found["seconds"] == "60" else found["seconds"]
    zone = found["zone"].upper().replace("Z", "+00:00")
    datetime.fromisoformat(f"{found.get('day', '2000-01-01')}T{found['time']}:{seconds}{zone}")
    return True
