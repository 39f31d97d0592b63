"""Values as exact JSON: what is stored is what comes back, to the last digit.

A value is written in its canonical form (sorted keys, plain numbers without trailing zeros), so that two ways of
writing one value are one value. Integers of any size and `Decimal` are exact; a float is taken at its shortest
decimal form, as JSON would write it. Numbers with a fraction come back as `Decimal`. What JSON or Postgres cannot
hold is refused with the reason: NaN, infinities, NUL characters, lone surrogates, numbers of more than a thousand
digits, and what is too large.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Context, Decimal, Inexact
from enum import Enum
from typing import Any
from uuid import UUID

import orjson
from pydantic import BaseModel

from holdfast.errors import CanonicalError, InvalidInput
from holdfast.kernel.json.canonical import MAX_DEPTH, canonical_json

__all__ = ["add", "decode", "encode", "exact", "number", "plain"]

_MANY_DIGITS = 10**1000
_DECODER = json.JSONDecoder(parse_float=Decimal)  # json.loads() would make one for every value
_NOT_SMALL = re.compile(r"[0-9](?:[.eE]|[0-9]{15})")
"""Finds every number that is not a small integer, and at worst something in a text that looks like one."""
_EXACT = Context(prec=20_000, traps=[Inexact])


def encode(field: str, value: Any, *, limit: int) -> str:
    """The canonical JSON text of a value, at most `limit` bytes long."""
    try:
        packed = canonical_json(plain(value))
    except CanonicalError as error:
        raise _refused(field, error.message, "use JSON values, a dataclass or a pydantic model") from None
    if len(packed) > limit:
        raise InvalidInput(
            f"{field} has {len(packed)} bytes, the limit is {limit}",
            hint="store large data elsewhere and keep a reference to it here",
            field=field,
            limit=limit,
        )
    if b"\\u0000" in packed and "\0" in _texts(plain(value)):
        raise _refused(field, "it holds a NUL character, which Postgres cannot store", "remove it")
    return packed.decode()


def decode(text: str) -> Any:
    """The value of a JSON text we stored; numbers with a fraction become `Decimal`."""
    if _NOT_SMALL.search(text) is None:
        # orjson is several times as fast, and exact as far as this goes.
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError:
            pass
    return _DECODER.decode(text)


def number(field: str, value: Any) -> Decimal:
    """An exact number: an int, a Decimal or a finite float; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal | float):
        raise InvalidInput(
            f"{field} is {value!r}, not a number", hint="give an integer or a decimal number", field=field
        )
    try:
        return Decimal(canonical_json(plain(value)).decode())
    except CanonicalError as error:
        raise _refused(field, error.message, "give a finite number of at most 1000 digits") from None


def add(one: Decimal, other: Decimal) -> Decimal:
    """The exact sum; the default context of `decimal` would round it to 28 digits."""
    return _EXACT.add(one, other)


def exact(value: Decimal) -> int | Decimal:
    """A number as it is stored: an integer where it is one."""
    return int(value) if value == value.to_integral_value() else value


def plain(value: Any, depth: int = 0) -> Any:
    """A value in JSON's own types, numbers exact; raises `CanonicalError`."""
    if value is None or isinstance(value, str | bool):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, int):
        if not -_MANY_DIGITS < value < _MANY_DIGITS:
            raise CanonicalError("it holds a number of more than 1000 digits")
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, float):
        # repr() is the shortest text that means this float: 0.1 is stored as 0.1.
        return Decimal(repr(value))
    if isinstance(value, Decimal):
        return value
    if depth > MAX_DEPTH:
        raise CanonicalError(f"it is nested more than {MAX_DEPTH} levels deep, or contains itself")
    if isinstance(value, BaseModel):
        # Not mode="json", which would turn decimals into texts.
        return plain(value.model_dump(by_alias=True), depth + 1)
    if isinstance(value, Mapping):
        return {key: plain(inner, depth + 1) for key, inner in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {entry.name: plain(getattr(value, entry.name), depth + 1) for entry in dataclasses.fields(value)}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [plain(inner, depth + 1) for inner in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Enum):
        return plain(value.value, depth + 1)
    if isinstance(value, set | frozenset):
        return sorted(plain(inner, depth + 1) for inner in value)
    raise CanonicalError(f"a {type(value).__name__} is not JSON")


def _texts(value: Any) -> str:
    """Every text in a value, one after the other; only asked for when something looks like a NUL."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "".join(map(_texts, (*value.keys(), *value.values())))
    return "".join(map(_texts, value)) if isinstance(value, list) else ""


def _refused(field: str, why: str, hint: str) -> InvalidInput:
    return InvalidInput(f"{field} cannot be stored: {why}", hint=hint, field=field)
