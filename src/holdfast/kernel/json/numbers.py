"""Numbers as JSON texts, and back, without losing a digit.

JSON has one kind of number, Python has three. A text without a fraction is an int. One with a fraction is a float when
it is the shortest text that means that float, and a `Decimal` when a float would not carry all of its digits. So that a
decimal is not taken for a float, `sent_digits` writes one zero more where it would look like one.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from math import isfinite
from typing import Any

from holdfast.errors import CanonicalError

__all__ = ["MOST_STORED", "check_whole", "digits", "exact", "read_sent", "sent_digits"]

MOST_STORED = 1000
"""Digits that a number may have that is stored or hashed, those after the point included."""
_TOO_LONG = f"is a number of more than {MOST_STORED} digits"
_MANY = 10**MOST_STORED
_INTEGERS = 1e16
"""From here on every float is an integer."""


def digits(value: Decimal, path: str = "it") -> str:
    """A decimal in plain notation, every digit kept."""
    if not value.is_finite():
        raise CanonicalError(f"{path} is {value}: JSON has no such number")
    _, figures, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    if abs(exponent) > MOST_STORED or len(figures) > MOST_STORED:
        raise CanonicalError(f"{path} {_TOO_LONG}")
    return format(value, "f")


def exact(value: Any) -> Any:
    """A value with the floats in it as the decimals they are written as: for constants, of which nothing is lost."""
    if isinstance(value, float) and isfinite(value):
        return Decimal(repr(value))
    if isinstance(value, Mapping):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [exact(item) for item in value]
    return value


def sent_digits(value: Decimal) -> str:
    """The same, told from a float: `0.1` is a float's text, `0.10` is not."""
    text = digits(value)
    return f"{text}0" if "." in text and _shortest(float(text)) == text else text


def read_sent(text: str) -> float | Decimal:
    """A number with a fraction, or an exponent, as whoever sent it had it."""
    found = float(text)
    if repr(found) == text and abs(found) < _INTEGERS:
        return found
    exact = Decimal(text)
    # As a float it would be stored as the integer that it is, and 1e23 is not quite the one that was sent.
    if abs(found) >= _INTEGERS:
        return exact
    # Postgres writes 1e-7 as 0.0000001.
    return found if _shortest(found) == format(exact, "f") else exact


def check_whole(value: int, path: str | None = None) -> None:
    """Refuse an integer of too many digits: Python would take its time to write it, and no answer could tell it."""
    if not -_MANY < value < _MANY:
        where = "it holds" if path is None else f"{path} is"
        raise CanonicalError(f"{where} a number of more than {MOST_STORED} digits")


def _shortest(value: float) -> str:
    return format(Decimal(repr(value)), "f")
