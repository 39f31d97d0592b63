"""One way of writing an expression: single spaces, double quotes, no parentheses that change nothing.

Formatting twice gives the same text, and the formatted text means what the original meant. Numbers stay as
they were written, because `1.50` may be meant as an amount.
"""

from __future__ import annotations

from holdfast.envelope.expressions.parser import MAX_LENGTH, parse
from holdfast.envelope.expressions.syntax import (
    AllOf,
    AnyOf,
    Compare,
    Items,
    Literal,
    Node,
    Not,
    Path,
    quote,
)

__all__ = ["format_expression", "format_node"]

_OR, _AND, _COMPARISON, _PREFIX, _VALUE = 1, 2, 3, 4, 5


def format_expression(text: str) -> str:
    """The expression in its standard form; raises `ExpressionError` when it does not parse.

    Spaces can make a text longer than the limit; it is then returned as it was, so that it can still be saved.
    """
    formatted = format_node(parse(text).tree)
    return formatted if len(formatted) <= MAX_LENGTH else text


def format_node(node: Node) -> str:
    """A part of an expression in its standard form."""
    match node:
        case Literal(value=str() as value):
            return quote(value)
        case Literal(source=source):
            return source.replace("E", "e")
        case Path(name=name):
            return name
        case Items(items=items):
            return f"[{', '.join(map(format_node, items))}]"
        case Not(operand=operand):
            return "!" + _inside(operand, _PREFIX)
        case Compare(operator=operator, left=left, right=right):
            return f"{_inside(left, _PREFIX)} {operator} {_inside(right, _PREFIX)}"
        case AllOf(operands=operands):
            return " && ".join(_inside(each, _COMPARISON) for each in operands)
        case AnyOf(operands=operands):
            return " || ".join(_inside(each, _AND) for each in operands)


def _inside(node: Node, needed: int) -> str:
    text = format_node(node)
    return text if _strength(node) >= needed else f"({text})"


def _strength(node: Node) -> int:
    match node:
        case AnyOf():
            return _OR
        case AllOf():
            return _AND
        case Compare():
            return _COMPARISON
        case Not():
            return _PREFIX
        case _:
            return _VALUE
