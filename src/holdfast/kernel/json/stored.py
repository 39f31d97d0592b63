"""Reads the JSON that we stored: Postgres has checked it, so it is read quickly.

Texts and small integers go through orjson, which is several times as fast and exact as far as they go.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

import orjson

from holdfast.kernel.json.numbers import MOST_STORED, read_sent

__all__ = ["decode", "decode_anything", "decode_sent", "is_simple"]

# json.loads() would make one for every value.
_EXACT = json.JSONDecoder(parse_float=Decimal)
_AS_SENT = json.JSONDecoder(parse_float=read_sent)
# Each finds every number that orjson might not read as wanted, and at worst something in a text that looks like one.
_find_not_small = re.compile(r"[0-9](?:[.eE]|[0-9]{15})").search
_find_long = re.compile(r"[0-9][0-9.]{15}").search
_find_too_long = re.compile(f"[0-9.]{{{MOST_STORED + 1}}}").search
_find_zero = re.compile(r"\.[0-9]+0(?![0-9])").search


def decode(text: str | bytes | None) -> Any:
    """The value; numbers with a fraction are `Decimal`. What is not there is None."""
    if text is None:
        return None
    if not isinstance(text, str):
        text = text.decode()
    if _find_not_small(text) is None:
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError:
            pass  # deeper than orjson goes
    return _EXACT.decode(text)


def decode_anything(text: str) -> Any:
    """The same of what somebody else may have written: a number too long for this program comes back as its text."""
    return decode(text) if len(text) <= MOST_STORED or _find_too_long(text) is None else _LENIENT.decode(text)


def decode_sent(text: str | bytes) -> Any:
    """The value as it was sent: a number with a fraction is a float if that carries all its digits, else `Decimal`."""
    if not isinstance(text, str):
        text = text.decode()
    if _find_long(text) is None and ("." not in text or _find_zero(text) is None):
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError:
            pass
    return _AS_SENT.decode(text)


def is_simple(text: str) -> bool:
    """Whether reading floats for fractions loses nothing: a float carries any fifteen digits that end in no zero."""
    return _find_long(text) is None and ("." not in text or _find_zero(text) is None)


def _integer(text: str) -> int | str:
    return int(text) if len(text) <= MOST_STORED + len("-") else text


def _fraction(text: str) -> Decimal | str:
    return Decimal(text) if len(text) <= MOST_STORED + len("-.") else text


_LENIENT = json.JSONDecoder(parse_int=_integer, parse_float=_fraction)
