"""Arithmetic on the numbers that keys hold: exact, with as many digits as it takes."""

from __future__ import annotations

from decimal import Context, Decimal, Inexact
from typing import Any

from holdfast.errors import CanonicalError, InvalidInput
from holdfast.kernel.json import canonical_json, plain

__all__ = ["add", "number", "stored_number"]

_EXACT = Context(prec=20_000, traps=[Inexact])


def number(field: str, value: Any) -> Decimal:
    """An exact number: an int, a Decimal or a finite float; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal | float):
        raise InvalidInput(
            f"{field} is {value!r}, not a number", hint="give an integer or a decimal number", field=field
        )
    try:
        return Decimal(canonical_json(plain(value)).decode())
    except CanonicalError as error:
        raise InvalidInput(
            f"{field} cannot be stored: {error.message}",
            hint="give a finite number of at most 1000 digits",
            field=field,
        ) from None


def add(one: Decimal, other: Decimal) -> Decimal:
    """The exact sum; the default context of `decimal` would round it to 28 digits."""
    return _EXACT.add(one, other)


def stored_number(value: Decimal) -> int | Decimal:
    """A number as it is stored: an integer where it is one."""
    return int(value) if value == value.to_integral_value() else value
