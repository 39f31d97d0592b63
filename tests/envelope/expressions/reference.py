"""The language written down a second time, as plainly as possible, to test the real one against.

Slow and without types, positions or messages: numbers are fractions, and everything without an answer is `NoAnswer`.
It leaves out dates, which have their own table of cases.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from holdfast.envelope.expressions.syntax import AllOf, AnyOf, Compare, Items, Literal, Node, Not, Path


class NoAnswer(Exception):
    """What the real language answers with an error."""


def interpret(node: Node, roots: dict[str, Any]) -> Any:
    """The value of a tree."""
    if isinstance(node, Literal):
        return node.value
    if isinstance(node, Path):
        here: Any = roots
        for key in (node.root, *(step.key for step in node.steps)):
            found = key in here if isinstance(key, str) and isinstance(here, dict) else False
            if isinstance(key, int) and isinstance(here, list):
                found = key < len(here)
            if not found:
                raise NoAnswer
            here = here[key]
        return here
    if isinstance(node, Items):
        return [interpret(each, roots) for each in node.items]
    if isinstance(node, Not):
        return not condition(node.operand, roots)
    if isinstance(node, AllOf):
        return all(condition(each, roots) for each in node.operands)
    if isinstance(node, AnyOf):
        return any(condition(each, roots) for each in node.operands)
    return compare(node, interpret(node.left, roots), interpret(node.right, roots))


def condition(node: Node, roots: dict[str, Any]) -> bool:
    found = interpret(node, roots)
    if not isinstance(found, bool):
        raise NoAnswer
    return found


def compare(node: Compare, left: Any, right: Any) -> bool:
    if node.operator == "==":
        return equal(left, right)
    if node.operator == "!=":
        return not equal(left, right)
    if node.operator == "in":
        return member(left, right, by_number=about_numbers(node.left, node.right))
    if node.operator == "contains":
        return member(right, left, by_number=about_numbers(node.right, node.left))
    one, other = number(left), number(right)
    return {">": one > other, ">=": one >= other, "<": one < other, "<=": one <= other}[node.operator]


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def number(value: Any) -> Fraction:
    if is_number(value):
        return Fraction(str(value))
    if isinstance(value, str) and re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", value, re.ASCII):
        return Fraction(Decimal(value))
    raise NoAnswer


def equal(left: Any, right: Any) -> bool:
    if left is None or right is None:
        return left is right
    for kind in (bool, str, list, dict):
        if isinstance(left, kind) and isinstance(right, kind):
            return alike(left, right)
    if (is_number(left) or is_number(right)) and not isinstance(left, bool) and not isinstance(right, bool):
        return number(left) == number(right)
    raise NoAnswer


def alike(one: Any, other: Any) -> bool:
    """Equality without conversions."""
    if is_number(one) and is_number(other):
        return number(one) == number(other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(alike(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    return type(one) is type(other) and bool(one == other)


def about_numbers(needle: Node, holder: Node) -> bool:
    """Whether the text itself says that numbers are looked for."""
    if isinstance(needle, Literal) and is_number(needle.value):
        return True
    if not isinstance(holder, Items):
        return False
    values = [each.value if isinstance(each, Literal) else "unknown" for each in holder.items]
    return any(is_number(each) for each in values) and all(each is None or is_number(each) for each in values)


def member(needle: Any, holder: Any, *, by_number: bool) -> bool:
    if isinstance(holder, list):
        return any(equal_number(needle, each) if by_number else alike(needle, each) for each in holder)
    if isinstance(holder, str | dict) and isinstance(needle, str):
        return needle in holder
    raise NoAnswer


def equal_number(one: Any, other: Any) -> bool:
    try:
        return equal(one, other) if one is None or other is None else number(one) == number(other)
    except NoAnswer:
        return False
