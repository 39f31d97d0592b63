"""Writes JSON to be stored: every digit is kept, and what cannot be kept is refused with the reason.

That is NaN and infinities, NUL characters, lone surrogates, numbers of more than a thousand digits, values that are no
JSON, what is nested too deeply, and what is too large.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import orjson

from holdfast.errors import CanonicalError, InvalidInput
from holdfast.kernel.json.canonical import canonical_json
from holdfast.kernel.json.numbers import check_whole, digits, sent_digits
from holdfast.kernel.json.parser import MAX_DEPTH, is_deeper
from holdfast.kernel.json.plain import in_words, plain, spelled

__all__ = ["answer", "check_json", "dump", "encode", "encode_canonical", "pretty"]

# What is not plain JSON goes through in_words either way, so that both ways write the same.
_AS_GIVEN = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
_TOLD = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_SUBCLASS | orjson.OPT_SORT_KEYS | orjson.OPT_UTC_Z
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_LIMIT = 64 * 1024 * 1024
"""Bytes of one value. Far below what Postgres takes for a row, and far above what belongs into a process."""


def encode(field: str, value: Any, *, limit: int) -> str:
    """The JSON text of what somebody gave, at most `limit` bytes long. `decode_sent` gives back what was given."""
    try:
        text = orjson.dumps(value, default=_sent, option=_AS_GIVEN)
    except orjson.JSONEncodeError:
        text = _carefully(field, value)
    else:
        # orjson writes NaN as null, and Postgres 1e+23 as the integer that it is not quite.
        if b"null" in text or b"e+" in text:
            text = _carefully(field, value)
    _check_text(field, text, limit)
    return text.decode()


def encode_canonical(field: str, value: Any, *, limit: int) -> str:
    """The same as canonical text, where two ways of writing a value are to be one: 2.0 is 2. `decode` gives it back."""
    try:
        text = canonical_json(plain(value))
    except CanonicalError as error:
        raise _refused(field, error.message, "use JSON values, a dataclass or a pydantic model") from None
    _check_text(field, text, limit)
    return text.decode()


def dump(value: Any) -> str:
    """The JSON text of what is known to be storable. `decode` gives it back."""
    try:
        return orjson.dumps(value, default=_stored, option=_AS_GIVEN).decode()
    except orjson.JSONEncodeError:
        return _careful_text(value, digits).decode()


def answer(value: Any) -> bytes:
    """A value as it is told over HTTP: keys in alphabetical order, times in UTC with a Z, as pydantic writes them."""
    try:
        return orjson.dumps(value, default=_stored, option=_TOLD)
    except orjson.JSONEncodeError:
        return _careful_text(value, digits, orjson.OPT_SORT_KEYS, _in_words_of_answers)


def pretty(value: Any) -> str:
    """For people to read, and for programs: a member a line; what JSON has no word for is shown as text."""
    return orjson.dumps(
        value, default=_shown, option=_AS_GIVEN | orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS
    ).decode()


def check_json(field: str, value: Any) -> None:
    """Raise `InvalidInput` for what somebody gave if it is not JSON, or Postgres could not keep it."""
    if value is not None:
        encode(field, value, limit=_LIMIT)


def _sent(value: Any) -> Any:
    return orjson.Fragment(sent_digits(value)) if isinstance(value, Decimal) else in_words(value)


def _stored(value: Any) -> Any:
    return orjson.Fragment(digits(value)) if isinstance(value, Decimal) else in_words(value)


def _shown(value: Any) -> Any:
    try:
        return _stored(value)
    except TypeError:
        return str(value)


def _carefully(field: str, value: Any) -> bytes:
    try:
        return _careful_text(value, sent_digits)
    except CanonicalError as error:
        raise _refused(field, error.message, "use JSON values, a dataclass or a pydantic model") from None
    except RecursionError:
        raise _too_deep(field) from None
    except orjson.JSONEncodeError:
        # Everything else has been looked at.
        raise _refused(field, "it holds a lone surrogate, which is not valid Unicode", "remove it") from None


def _in_words_of_answers(value: Any) -> Any:
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else in_words(value)


def _careful_text(
    value: Any, write: Callable[[Decimal], str], option: int = 0, words: Callable[[Any], Any] = in_words
) -> bytes:
    """Slower, and for everything: integers beyond 64 bits, keys that are not texts, kinds of our users' own."""

    def number(found: Any) -> Any:
        if isinstance(found, Decimal):
            return orjson.Fragment(write(found))
        if isinstance(found, int):
            check_whole(found)
            return orjson.Fragment(int.__repr__(found))
        if found != found or found in (float("inf"), float("-inf")):
            raise CanonicalError("NaN and infinity are not JSON compliant")
        # A float so large is an integer, and that is what Postgres makes of it: so it is written as the one it is.
        return float(found) if abs(found) < 1e16 else orjson.Fragment(int.__repr__(int(found)))

    return orjson.dumps(_with_texts(spelled(value, number, words)), option=option)


def _with_texts(value: Any) -> Any:
    """The same with plain texts, and texts as keys."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, list):
        return [_with_texts(inner) for inner in value]
    if isinstance(value, dict):
        found = {_key(key): _with_texts(inner) for key, inner in value.items()}
        if len(found) != len(value):
            raise CanonicalError("two keys of an object are written alike")
        return found
    return value


def _key(key: Any) -> str:
    if isinstance(key, Enum):
        return _key(key.value)
    if isinstance(key, str | UUID):
        return str(key)
    if isinstance(key, date):
        return key.isoformat()
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    if isinstance(key, int | float):
        return type(key).__repr__(key)
    raise CanonicalError(f"keys must be texts or numbers, not {type(key).__name__}")


def _check_text(field: str, text: bytes, limit: int) -> None:
    if len(text) > limit:
        raise InvalidInput(
            f"{field} cannot be stored: it has {len(text)} bytes, the limit is {limit}",
            hint="store large data elsewhere and keep a reference to it here",
            field=field,
            limit=limit,
        )
    if b"\\u0000" in text and _NUL.search(text):
        raise _refused(field, "it holds a NUL character, which Postgres cannot store", "remove it")
    # What is stored must be told again, and what writes answers over HTTP stops soon after so many levels.
    if len(text) > 2 * MAX_DEPTH and is_deeper(text, MAX_DEPTH):
        raise _too_deep(field)


def _too_deep(field: str) -> InvalidInput:
    return _refused(field, f"it is nested more than {MAX_DEPTH} levels deep, or contains itself", "flatten it")


def _refused(field: str, why: str, hint: str) -> InvalidInput:
    return InvalidInput(f"{field} cannot be stored: {why}", hint=hint, field=field)
