"""What is accepted as a namespace, a key, a record, a revision; each refusal names the field and says what to do."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any, TypeVar

from holdfast.data.model import DIRECTIONS, VALUE_TYPES, Direction, Ref, ValueType
from holdfast.errors import InvalidInput

__all__ = [
    "END",
    "check_direction",
    "check_edge",
    "check_id",
    "check_key",
    "check_label",
    "check_many",
    "check_ref",
    "check_revision",
    "check_ttl",
    "check_value_type",
    "end_of_prefix",
    "fits",
    "listed",
    "prefixed",
]

LABEL_CHARACTERS = 256
ID_CHARACTERS = 512
DIGITS = 1000
"""What a number may have, those after the point included; the database knows this too (`data_fits`)."""
INDEXED_BYTES = 2400
"""What fits into one entry of a Postgres index, with some to spare. Only texts beyond ASCII can get near it."""

END = "\U0010ffff" * (ID_CHARACTERS + 1)
"""Greater than every key, bytewise."""

T = TypeVar("T")
_LONGEST_TTL = timedelta(days=36_525)
_MOST_AT_ONCE = 1000


def check_label(field: str, value: Any) -> str:
    """A namespace, a type or a relation: 1 to 256 characters."""
    return _text(field, value, LABEL_CHARACTERS)


def check_id(field: str, value: Any) -> str:
    """An identifier: 1 to 512 characters."""
    return _text(field, value, ID_CHARACTERS)


def check_key(namespace: Any, key: Any) -> None:
    """A namespace and a key in it."""
    check_label("namespace", namespace)
    check_id("key", key)
    _fits("namespace and key", namespace, key)


def check_ref(field: str, value: Any) -> Ref:
    """A record: a pair of type and id, or a mapping with both."""
    if isinstance(value, dict) and value.keys() == {"type", "id"}:
        value = (value["type"], value["id"])
    if isinstance(value, str) or not isinstance(value, tuple | list) or len(value) != 2:
        raise InvalidInput(
            f"{field} is {value!r}, not a record", hint="give its type and id, as (type, id)", field=field
        )
    return Ref(check_label(f"{field}.type", value[0]), check_id(f"{field}.id", value[1]))


def check_edge(namespace: str, left: Ref, right: Ref, relation: str) -> None:
    """An edge as a whole fits into an index."""
    check_label("namespace", namespace)
    check_label("relation", relation)
    _fits("the link", namespace, *left, *right, relation)


def check_revision(field: str, value: Any) -> int | None:
    """A revision to compare with: a number, 0 for absent, None for whatever it is."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        raise InvalidInput(
            f"{field} is {value!r}",
            hint="give the revision you read, 0 for a key that must not be there, or leave it out",
            field=field,
        )
    return value


def check_ttl(value: float | timedelta | None) -> timedelta | None:
    """How long a key lives: seconds or a timedelta, more than none and at most a hundred years."""
    if value is None:
        return None
    hint = "give seconds or a timedelta, more than 0 and at most 100 years"
    if isinstance(value, bool) or not isinstance(value, int | float | timedelta):
        raise InvalidInput(f"ttl is {value!r}", hint=hint, field="ttl")
    try:
        span = value if isinstance(value, timedelta) else timedelta(seconds=value)
    except (OverflowError, ValueError):
        raise InvalidInput(f"ttl is {value!r}", hint=hint, field="ttl") from None
    if not timedelta(0) < span <= _LONGEST_TTL:
        raise InvalidInput(f"ttl is {value!r}", hint=hint, field="ttl")
    return span


def check_value_type(value_type: str | None, value: Any) -> ValueType:
    """What the value is called for people; by default what it is."""
    actual = _kind(value)
    if value_type is None:
        return actual
    for known in VALUE_TYPES:
        if value_type == known:
            if known not in ("json", actual):
                raise InvalidInput(
                    f"value_type is {known!r}, but the value is a {actual}",
                    hint="give a value of that type, or leave value_type out",
                    field="value_type",
                )
            return known
    raise InvalidInput(
        f"value_type {value_type!r} is unknown", hint=f"use one of {', '.join(VALUE_TYPES)}", field="value_type"
    )


def check_direction(value: str) -> Direction:
    """Which way to look."""
    for known in DIRECTIONS:
        if value == known:
            return known
    raise InvalidInput(f"direction {value!r} is unknown", hint=f"use one of {', '.join(DIRECTIONS)}", field="direction")


def check_many(field: str, count: int) -> None:
    """How many at once."""
    if count > _MOST_AT_ONCE:
        raise InvalidInput(f"{field} has {count} members", hint=f"give at most {_MOST_AT_ONCE} at a time", field=field)


def listed(field: str, values: Iterable[T]) -> list[T]:
    """Several values as a list; a text, which is several characters to Python, is one value and no list."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidInput(f"{field} is {values!r}, not a list", hint=f"write [{values!r}]", field=field)
    return list(values)


def fits(number: Decimal) -> bool:
    """Whether a number has no more digits than one may have."""
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    trailing = len(digits) - len("".join(map(str, digits)).rstrip("0"))
    after = max(0, -(exponent + trailing))
    return max(number.adjusted() + 1, 0) + after <= DIGITS if any(digits) else True


def end_of_prefix(prefix: str) -> str:
    """The least text greater than everything that begins with the prefix: what ends its range, bytewise."""
    while prefix:
        last = ord(prefix[-1])
        prefix = prefix[:-1]
        if last < 0x10FFFF:
            # The code points of surrogates are no characters: U+D7FF is followed by U+E000.
            return prefix + chr(0xE000 if last + 1 == 0xD800 else last + 1)
    return END


def prefixed(prefix: Any) -> tuple[str, str]:
    """The range of labels that begin with a prefix: from the first of them to before the second."""
    if prefix:
        check_id("prefix", prefix)
    return prefix, end_of_prefix(prefix)


def _text(field: str, value: Any, most: int) -> str:
    if value is None:
        raise InvalidInput(f"{field} is missing", hint=f"give a text of 1 to {most} characters", field=field)
    if not isinstance(value, str):
        raise InvalidInput(f"{field} is {value!r}, not a text", hint="put it in quotes", field=field)
    if not value:
        raise InvalidInput(f"{field} is empty", hint=f"give a text of 1 to {most} characters", field=field)
    if len(value) > most:
        raise InvalidInput(f"{field} has {len(value)} characters", hint=f"the limit is {most}", field=field)
    if "\0" in value or any(0xD800 <= ord(character) <= 0xDFFF for character in value):
        raise InvalidInput(
            f"{field} holds a NUL character or a lone surrogate",
            hint="Postgres cannot store it; remove it",
            field=field,
        )
    return value


def _fits(what: str, *parts: str) -> None:
    size = sum(len(part.encode()) for part in parts)
    if size > INDEXED_BYTES:
        raise InvalidInput(
            f"{what} together have {size} bytes", hint=f"the limit is {INDEXED_BYTES}; shorten them", field="key"
        )


def _kind(value: Any) -> ValueType:
    if isinstance(value, str):
        return "string"
    if isinstance(value, bool):
        return "boolean"
    return "json" if value is None or isinstance(value, dict | list) else "number"
