"""Canonical JSON: one text, and so one SHA-256, for every way of writing the same value.

The rules are those of RFC 8785 where it is about order and strings: object keys sorted by UTF-16 code units, no white
space, minimal escapes, UTF-8. Numbers are stricter than the RFC: binary floats are refused (the freeze rule), because
two programs that compute "the same" float may not agree on its last digit and a hash must never depend on that.
Integers and `Decimal` are exact and written in plain notation without trailing zeros, so `Decimal("1.50")`, and `1.5`
read from JSON text with `parse_json`, hash alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from json.encoder import encode_basestring as _quote
from typing import Any

from holdfast.errors import CanonicalError
from holdfast.kernel.json.numbers import check_whole, digits
from holdfast.kernel.json.parser import MAX_DEPTH

__all__ = ["canonical_hash", "canonical_json"]

_LONGEST_PATH = 1000


def canonical_json(value: Any) -> bytes:
    """The canonical UTF-8 text of a JSON value. Raises `CanonicalError`, naming the path, for anything else."""
    out: list[str] = []
    _write(value, out.append, "$", 0)
    return "".join(out).encode()


def canonical_hash(value: Any) -> str:
    """SHA-256 of the canonical text, as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def _write(value: Any, emit: Callable[[str], None], path: str, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise CanonicalError(f"{path} is nested more than {MAX_DEPTH} levels deep")
    if len(path) > _LONGEST_PATH:
        # Every member's path is a copy of this one: under a name of a megabyte a long list would take hours.
        path = f"{path[:_LONGEST_PATH]}…"
    if value is None:
        emit("null")
    elif value is True:
        emit("true")
    elif value is False:
        emit("false")
    elif isinstance(value, str):
        emit(_string(value, path))
    elif isinstance(value, int):
        check_whole(value, path)
        emit(int.__repr__(value))
    elif isinstance(value, Decimal):
        emit(_number(value, path))
    elif isinstance(value, float):
        raise CanonicalError(
            f"{path} is the float {value!r}, which cannot be hashed: "
            "use an integer of minor units, a Decimal or a string"
        )
    elif isinstance(value, Mapping):
        _write_object(value, emit, path, depth)
    elif isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        emit("[")
        for index, item in enumerate(value):
            if index:
                emit(",")
            _write(item, emit, f"{path}[{index}]", depth + 1)
        emit("]")
    else:
        raise CanonicalError(f"{path} is a {type(value).__name__}, which is not a JSON value")


def _write_object(value: Mapping[Any, Any], emit: Callable[[str], None], path: str, depth: int) -> None:
    for key in value:
        if not isinstance(key, str):
            raise CanonicalError(f"{path} has the key {key!r}: object keys must be strings")
    emit("{")
    for index, key in enumerate(sorted(value, key=_utf16_order)):
        if index:
            emit(",")
        emit(_string(key, path))
        emit(":")
        _write(value[key], emit, f"{path}.{key}", depth + 1)
    emit("}")


def _utf16_order(key: str) -> bytes:
    # Sorting str would use code points, which order characters beyond U+FFFF differently from RFC 8785.
    return key.encode("utf-16-be", "surrogatepass")


def _string(value: str, path: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise CanonicalError(f"{path} holds a lone surrogate, which is not valid Unicode text") from None
    return _quote(value)


def _number(value: Decimal, path: str) -> str:
    text = digits(value, path)
    if not value:
        return "0"
    return text.rstrip("0").rstrip(".") if "." in text else text
