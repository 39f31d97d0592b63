"""What the operators do to values: the one place where equality, order and membership are decided.

Numbers are exact: integers and `Decimal` as they are, a float as the shortest decimal that denotes it, a
decimal text as that decimal. Nothing is rounded and nothing is guessed: a pair of values that an operator has
no answer for is refused, which the caller turns into an `ExpressionError` that points at the operand.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Final, Literal

from holdfast.envelope.expressions.syntax import ORDERINGS, Operator
from holdfast.envelope.expressions.wording import describe

__all__ = ["MOST_COMPARED", "Mode", "Refusal", "comparator", "comparing", "is_number_text", "is_temporal_text"]

Mode = Literal["any", "number", "temporal"]
"""How two values are compared: as the checked types demand, or (`any`) as the values themselves allow."""

Side = Literal["left", "right", "both"]

MAX_NESTING: Final = 64
MAX_EXPONENT: Final = 1000
MOST_COMPARED: Final = 10_000
"""Values that one operator compares one by one. A text is looked for in a list of any length, which is quick."""

_LEFT: ContextVar[list[int] | None] = ContextVar("holdfast-comparisons-left", default=None)


@contextmanager
def comparing(most: int) -> Iterator[None]:
    """Let all operators within together compare no more than so many values one by one."""
    before = _LEFT.set([most])
    try:
        yield
    finally:
        _LEFT.reset(before)


class _Comparisons:
    """What one operator may still compare."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MOST_COMPARED

    def take(self, count: int) -> None:
        """Raise `Refusal` when so many more are too many."""
        self._left -= count
        shared = _LEFT.get()
        if shared is not None:
            shared[0] -= count
        if self._left < 0 or (shared is not None and shared[0] < 0):
            hint = (
                f"An operator compares at most {MOST_COMPARED} values; look for a text, or keep what is asked for apart"
            )
            raise Refusal("too_large", "there are too many values to compare", "both", hint)


class Refusal(Exception):
    """An operator has no answer for its operands; `side` says which one is to blame. It never leaves this package."""

    def __init__(self, code: str, message: str, side: Side = "both", hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.side: Side = side
        self.hint = hint


def comparator(name: Operator, mode: Mode) -> Callable[[Any, Any], bool]:
    """The function behind an operator. It returns a bool or raises `Refusal`."""
    if name == "in":
        return lambda left, right: _member(right, left, mode, "right")
    if name == "contains":
        return lambda left, right: _member(left, right, mode, "left")
    if name in ORDERINGS:
        return _ordering(name, mode)
    if name == "==":
        return lambda left, right: _equal(left, right, mode)
    return lambda left, right: not _equal(left, right, mode)


def _ordering(name: str, mode: Mode) -> Callable[[Any, Any], bool]:
    holds: Callable[[Any, Any], bool] = {
        ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le,
    }[name]  # fmt: skip
    if mode == "number":
        return lambda left, right: holds(_number(left, "left"), _number(right, "right"))
    pair = _instants if mode == "temporal" else _orderable
    return lambda left, right: holds(*pair(left, right))


def _equal(left: Any, right: Any, mode: Mode) -> bool:
    if left is None or right is None:
        return left is right
    if mode == "number":
        return _number(left, "left") == _number(right, "right")
    if mode == "temporal":
        one, other = _instants(left, right)
        return bool(one == other)
    return _equal_by_value(left, right)


def _equal_by_value(left: Any, right: Any) -> bool:
    kinds = {_kind(left, "left"), _kind(right, "right")}
    if len(kinds) == 1:
        return _same(left, right, 0, _Comparisons())
    if kinds == {"number", "text"}:
        return _number(left, "left") == _number(right, "right")
    if kinds == {"date", "text"}:
        one, other = _instants(left, right)
        return bool(one == other)
    raise Refusal("type_mismatch", f"{describe(left)} cannot be compared with {describe(right)}")


def _orderable(left: Any, right: Any) -> tuple[Any, Any]:
    """Two values of unknown type, as things that have an order."""
    kinds = {_kind(left, "left"), _kind(right, "right")}
    if kinds == {"number"}:
        return _number(left, "left"), _number(right, "right")
    if kinds == {"number", "text"}:
        return _number(left, "left"), _number(right, "right")
    if "date" in kinds and kinds <= {"date", "text"}:
        return _instants(left, right)
    if kinds == {"text"}:
        if is_temporal_text(left) and is_temporal_text(right):
            return _instants(left, right)
        if is_number_text(left) and is_number_text(right):
            return _number(left, "left"), _number(right, "right")
        message = f"{describe(left)} and {describe(right)} have no order: they are texts"
        raise Refusal("not_ordered", message, "both", "Only numbers, dates and times have an order")
    if left is None or right is None:
        raise _null("left" if left is None else "right")
    raise Refusal("type_mismatch", f"{describe(left)} and {describe(right)} have no order")


def _member(container: Any, needle: Any, mode: Mode, side: Side) -> bool:
    kind = _kind(container, side)
    if kind == "list":
        if mode == "any" and isinstance(needle, str):
            # Nothing but a text equals a text, in Python too.
            return needle in container
        comparisons = _Comparisons()
        comparisons.take(len(container))
        if mode == "any":
            return any(_same(each, needle, 0, comparisons) for each in container)
        return any(_equal_or_other(each, needle, mode) for each in container)
    if kind in ("text", "object"):
        if not isinstance(needle, str):
            other: Side = "right" if side == "left" else "left"
            raise Refusal(
                "type_mismatch", f"{describe(container)} can only contain a text, not {describe(needle)}", other
            )
        return needle in container
    if kind == "null":
        raise _null(side)
    raise Refusal("not_a_list", f"{describe(container)} contains nothing: it is not a list, a text or an object", side)


def _equal_or_other(one: Any, other: Any, mode: Mode) -> bool:
    # An element of another kind is simply not the one that is looked for.
    try:
        return _equal(one, other, mode)
    except Refusal:
        return False


def _same(one: Any, other: Any, depth: int, comparisons: _Comparisons) -> bool:
    """Equality without conversions, all the way down."""
    if depth > MAX_NESTING:
        raise Refusal("too_deep", f"the values are nested more than {MAX_NESTING} levels deep")
    kind = _kind_if_known(one)
    if kind != _kind_if_known(other):
        return False
    match kind:
        case "number":
            return _number(one, "left") == _number(other, "right")
        case "date":
            first, second = _instants(one, other)
            return bool(first == second)
        case "list":
            if len(one) != len(other):
                return False
            if isinstance(one, AbstractSet) or isinstance(other, AbstractSet):
                comparisons.take(len(one) * len(other))
                return all(any(_same(each, candidate, depth + 1, comparisons) for candidate in other) for each in one)
            comparisons.take(len(one))
            return all(map(lambda a, b: _same(a, b, depth + 1, comparisons), one, other))
        case "object":
            if one.keys() != other.keys():
                return False
            comparisons.take(len(one))
            return all(_same(one[key], other[key], depth + 1, comparisons) for key in one)
        case _:
            return bool(one == other)


def _kind(value: Any, side: Side) -> str:
    kind = _kind_if_known(value)
    if kind == "":
        raise Refusal("type_mismatch", f"a value of type {type(value).__name__} is not JSON", side)
    return kind


def _kind_if_known(value: Any) -> str:
    known = _KINDS.get(type(value))
    if known is not None:
        return known
    return next((kind for base, kind in _BASES if isinstance(value, base)), "")


_KINDS: Final[dict[type, str]] = {
    type(None): "null", bool: "boolean", int: "number", Decimal: "number", float: "number", str: "text",
    datetime: "date", date: "date", list: "list", tuple: "list", frozenset: "list", set: "list", dict: "object",
}  # fmt: skip
_BASES: Final[tuple[tuple[type, str], ...]] = (
    (int, "number"), (float, "number"), (Decimal, "number"), (str, "text"), (date, "date"), (Mapping, "object"),
    (AbstractSet, "list"), (bytes, ""), (bytearray, ""), (Sequence, "list"),
)  # fmt: skip

_DECIMAL_TEXT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")


def is_number_text(text: str) -> bool:
    """Whether a text is a decimal number."""
    return len(text) <= MAX_EXPONENT and _DECIMAL_TEXT.fullmatch(text) is not None


def _number(value: Any, side: Side) -> int | Decimal:
    kind = type(value)
    if kind is int:
        return value  # type: ignore[no-any-return]  # `kind is int` does not narrow Any
    if kind is Decimal and value.is_finite():
        return value  # type: ignore[no-any-return]  # as above
    if isinstance(value, str):
        if is_number_text(value):
            return Decimal(value)
        raise Refusal("not_a_number", f"{describe(value)} is not a number", side)
    if isinstance(value, float):
        # repr() is the shortest text that denotes the float, so 0.1 in the data equals 0.1 in the expression.
        value = Decimal(float.__repr__(value))
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        if value is None:
            raise _null(side)
        raise Refusal("type_mismatch", f"{describe(value)} is not a number", side)
    if isinstance(value, Decimal) and not value.is_finite():
        raise Refusal("not_a_number", f"{value} is not a finite number", side)
    return value


_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATE_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})"
)


def is_temporal_text(text: str) -> bool:
    """Whether a text is a date or a date-time."""
    return _parse_temporal(text) is not None


def _parse_temporal(text: str) -> date | datetime | None:
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
        if _DATE_TIME.fullmatch(text):
            return datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    return None


def _temporal(value: Any, side: Side) -> date | datetime:
    if isinstance(value, str):
        found = _parse_temporal(value)
        if found is None:
            hint = "Write 2026-06-04, or 2026-06-04T10:30:00Z with its offset"
            raise Refusal("bad_date", f"{describe(value)} is not a date or a date-time", side, hint)
        return found
    if isinstance(value, datetime) and value.utcoffset() is None:
        raise Refusal("bad_date", f"{describe(value)} has no offset from UTC", side)
    if isinstance(value, date):
        return value
    if value is None:
        raise _null(side)
    raise Refusal("type_mismatch", f"{describe(value)} is not a date or a date-time", side)


def _instants(left: Any, right: Any) -> tuple[Any, Any]:
    """Two times as instants; when one of them is a date, both as days (of UTC)."""
    one, other = _temporal(left, "left"), _temporal(right, "right")
    if isinstance(one, datetime) == isinstance(other, datetime):
        return one, other
    return _day(one, "left"), _day(other, "right")


def _day(value: date | datetime, side: Side) -> date:
    if not isinstance(value, datetime):
        return value
    try:
        return value.astimezone(UTC).date()
    except OverflowError:
        raise Refusal("bad_date", f"{describe(value)} is outside the calendar in UTC", side) from None


def _null(side: Side) -> Refusal:
    hint = "null compares only with == and !=; test for it first, with … != null && …"
    return Refusal("null_value", "the value is null", side, hint)
