"""Reads JSON that comes from outside: exactly, and never at a cost that its writer chooses.

A number may be a few characters long and mean more digits than a machine can write: `1e999999999` is read in no time
and turned into an integer never. So a number of more than `MOST_DIGITS` digits is refused while it is read, by the name
of its field, wherever JSON comes in. Python's own limit for integers is the same, so whatever passes here can be
converted and written again.

How many values a text has and how deep they lie is counted before it is read, where the text is somebody's request:
`check_extent`.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from holdfast.errors import CanonicalError
from holdfast.kernel.json.numbers import read_sent

__all__ = ["MAX_DEPTH", "MAX_VALUES", "MOST_DIGITS", "check_extent", "is_deeper", "is_too_long", "parse_json"]

MAX_DEPTH = 200
"""Deeper values are refused with an error instead of exhausting the interpreter's stack."""
MAX_VALUES = 100_000
"""Members and elements that a request may have in all."""
_DEEPEST = MAX_DEPTH + 50
"""Levels that a request may have: a value as deep as can be stored, and what is around it."""
MOST_DIGITS = 4300
"""Digits that a number may have, written without an exponent."""
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class _Overlong(ValueError):
    """A number of too many digits."""


class _Mark:
    """Stands where such a number stood."""


def parse_json(text: str | bytes, *, exact: bool = True) -> Any:
    """Read JSON: NaN, Infinity, repeated keys and numbers too long are errors.

    Numbers with a fraction become `Decimal`; where they need not be `exact`, floats if those carry all their digits.
    """
    try:
        return json.loads(
            text,
            parse_float=_decimal if exact else _sent,
            parse_int=_integer,
            parse_constant=_refuse_constant,
            object_pairs_hook=_unique_keys,
        )
    except _Overlong:
        field = _overlong_field(text)
        raise CanonicalError(
            f"{field} is a number of more than {MOST_DIGITS} digits", hint="give a shorter one", field=field
        ) from None
    except RecursionError:
        raise CanonicalError("the JSON text is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise CanonicalError(f"not valid JSON: {error}", problem=error.msg, position=error.pos) from None
    except ValueError as error:
        raise CanonicalError(f"not valid JSON: {error}") from None


def check_extent(text: bytes) -> None:
    """Refuse a text of too many values, or nested too deeply. Takes time and memory in proportion to its bytes."""
    if len(text) <= _DEEPEST:
        return
    openings = text.count(b"[") + text.count(b"{")
    # Each value but the first of its container follows a comma. A text that holds commas is counted as several values.
    if openings <= _DEEPEST and (len(text) <= 2 * MAX_VALUES or text.count(b",") + openings < MAX_VALUES):
        return
    unescaped = _unescaped(text)
    if unescaped.count(b'"') > 4 * MAX_VALUES:  # each member has two texts at most
        raise _too_many()
    structure = b"".join(unescaped.split(b'"')[::2])
    brackets = structure.translate(None, _NOT_BRACKETS)
    if structure.count(b",") + brackets.count(b"[") + brackets.count(b"{") > MAX_VALUES:
        raise _too_many()
    if _nested(brackets, _DEEPEST):
        raise _too_deep(text)


def is_deeper(text: bytes, most: int) -> bool:
    """Whether a JSON text is nested in more than so many levels."""
    if text.count(b"[") + text.count(b"{") <= most:
        return False
    structure = b"".join(_unescaped(text).split(b'"')[::2])
    return _nested(structure.translate(None, _NOT_BRACKETS), most)


def _unescaped(text: bytes) -> bytes:
    return text.replace(b"\\\\", b"").replace(b'\\"', b"")


def _nested(brackets: bytes, most: int) -> bool:
    depth = 0
    for bracket in brackets:
        depth += 1 if bracket in b"[{" else -1
        if depth > most:
            return True
    return False


def _too_many() -> CanonicalError:
    return CanonicalError(f"the JSON text has more than {MAX_VALUES} values", hint="send it in several requests")


def _too_deep(text: bytes) -> CanonicalError:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    members = found.items() if isinstance(found, dict) else ()
    field = next((name for name, value in members if _depth(value) >= _DEEPEST), "body")
    return CanonicalError(f"{field} is nested more than {_DEEPEST} levels deep", hint="flatten it", field=field)


def _depth(value: Any) -> int:
    layer, depth = [value], 0
    while layer := [each for each in layer if isinstance(each, dict | list)]:
        layer = [inner for each in layer for inner in (each.values() if isinstance(each, dict) else each)]
        depth += 1
    return depth


def is_too_long(number: str) -> bool:
    """Whether a number, written without an exponent, would have too many digits. What is no number is not judged."""
    if len(number) > MOST_DIGITS:
        return True
    digits, mark, power = number.lower().partition("e")
    power = power.lstrip("+-0")
    # Its length first: a power may itself be a number of many digits.
    return bool(mark) and power.isdigit() and (len(power) > 5 or len(digits) + int(power) > MOST_DIGITS)


def _decimal(text: str) -> Decimal:
    if is_too_long(text):
        raise _Overlong
    return Decimal(text)


def _sent(text: str) -> float | Decimal:
    if is_too_long(text):
        raise _Overlong
    return read_sent(text)


def _integer(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise _Overlong
    return int(text)


def _overlong_field(text: str | bytes) -> str:
    """Where the number is. The text is read once more for it: telling is not what should take time when all is well."""
    found = json.loads(text, parse_float=_marked(_decimal), parse_int=_marked(_integer))
    return _path(found, "") or "the value"


def _marked(read: Any) -> Any:
    def marking(text: str) -> Any:
        try:
            return read(text)
        except _Overlong:
            return _Mark()

    return marking


def _path(value: Any, path: str) -> str | None:
    if isinstance(value, _Mark):
        return path.removeprefix(".")
    inner: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        inner = [(f"{path}.{key}", item) for key, item in value.items()]
    elif isinstance(value, list):
        inner = [(f"{path}[{index}]", item) for index, item in enumerate(value)]
    for where, item in inner:
        if (found := _path(item, where)) is not None:
            return found
    return None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        repeated = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]  # it adds
        raise ValueError(f"the key {repeated!r} stands twice in one object")
    return found
