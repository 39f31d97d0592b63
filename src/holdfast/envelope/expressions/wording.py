"""Values as sentences show them: short, printable, and never an error whatever the value is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from decimal import Decimal
from typing import Any, Final

__all__ = ["describe", "plain_number"]

MAX_SHOWN: Final = 20
"""Elements of a list that are shown at most."""


def describe(value: Any, limit: int = 60) -> str:
    """A value as a sentence shows it, cut to about `limit` characters."""
    kind = type(value)
    if kind is str:
        text = _quoted(value, limit)
    elif kind is int and -(10**15) < value < 10**15:
        return str(value)
    elif value is True:
        return "true"
    else:
        text = _sequence(value, limit) if kind is list else _shown(value, limit)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _quoted(text: str, limit: int) -> str:
    shown = text if len(text) <= limit else text[:limit]
    return f'"{shown}"' if shown.isprintable() else f'"{"".join(_printable(each) for each in shown)}"'


def _printable(character: str) -> str:
    return character if character.isprintable() else "�"


def _sequence(value: Sequence[Any], limit: int) -> str:
    # Halving the room at each level ends the descent, whatever the value's depth.
    room = limit // 2
    if room <= 4:
        return "[…]"
    if value and type(value[0]) is str and len(value) <= MAX_SHOWN:
        # Roles and tags are the lists that conditions are about: short texts, shown without a call for each.
        try:
            joined = '", "'.join(value)
        except TypeError:
            joined = "\n"
        if len(joined) <= limit and joined.isprintable():
            return f'["{joined}"]'
    shown = ", ".join([describe(each, room) for each in value[:MAX_SHOWN]])
    return f"[{shown}]" if len(value) <= MAX_SHOWN else f"[{shown}, …"


def _shown(value: Any, limit: int) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return _quoted(value, limit)
        case int() | float() | Decimal():
            return plain_number(value)
        case date():
            return value.isoformat()
        case Mapping():
            return f"an object of {len(value)} fields"
        case list() | tuple():
            return _sequence(value, limit)
        case AbstractSet():
            return _sequence(sorted(describe(each, limit // 2).strip('"') for each in value), limit)
        case _:
            return f"a {type(value).__name__}"


def plain_number(value: Any) -> str:
    """A number as a person writes it: no exponent unless the digits would fill the page."""
    if isinstance(value, int):
        # Python refuses to print integers of more than 4300 digits.
        return str(int(value)) if value.bit_length() <= 4096 else f"an integer of {value.bit_length()} bits"
    exact = Decimal(float.__repr__(value)) if isinstance(value, float) else value
    small = exact.is_finite() and abs(exact.adjusted()) <= 60 and len(exact.as_tuple().digits) <= 120
    return format(exact, "f") if small else str(exact)
