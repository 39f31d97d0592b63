"""Values as they are read: what is stored can be read, also what would no longer be accepted.

A number has at most a thousand digits, those after the point included. Longer ones were stored once, as sums of
counters; no part of this program can take them as numbers, so they come back as texts, with every digit.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

from holdfast.data.checks import DIGITS, fits
from holdfast.kernel.json import decode

__all__ = ["read_value"]

_LONG = re.compile(f"[0-9.]{{{DIGITS + 1}}}")  # at worst something in a text that looks like a number


def _integer(text: str) -> int | str:
    return int(text) if len(text.lstrip("-")) <= DIGITS else text


def _fraction(text: str) -> Decimal | str:
    return found if fits(found := Decimal(text)) else text


_LENIENT = json.JSONDecoder(parse_int=_integer, parse_float=_fraction)


def read_value(text: str) -> Any:
    """The value of a JSON text from the store."""
    return decode(text) if len(text) <= DIGITS or _LONG.search(text) is None else _LENIENT.decode(text)
