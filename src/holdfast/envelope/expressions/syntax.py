"""The shape of an expression: what the parser builds and everything else walks.

Nodes are frozen and know where in the text they stand. `&&` and `||` chains are one node with many operands,
so that a long list of conditions is wide rather than deep.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal as OneOf
from typing import TypeAlias

__all__ = [
    "ORDERINGS",
    "AllOf",
    "AnyOf",
    "Compare",
    "Expression",
    "Items",
    "Literal",
    "Node",
    "Not",
    "Operator",
    "Path",
    "Step",
    "children",
    "is_name",
    "must_escape",
    "path_name",
    "quote",
    "walk",
]

Operator: TypeAlias = OneOf["==", "!=", ">", ">=", "<", "<=", "in", "contains"]
ORDERINGS = frozenset({">", ">=", "<", "<="})


@dataclass(frozen=True, slots=True)
class Literal:
    """A value written in the text. `source` keeps how it was written, so that formatting never changes a number."""

    value: str | int | Decimal | bool | None
    source: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Step:
    """One dereference of a path: a field's name or a list position, with its place in the text."""

    key: str | int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Path:
    """A variable: a root and the steps from it, such as `entity.customer.credit_limit` or `entity.lines[0]`."""

    root: str
    steps: tuple[Step, ...]
    start: int
    end: int
    name: str = ""
    """The path as the audit trail names it."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list written in the text."""

    items: tuple[Node, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Not:
    """`!` and its operand."""

    operand: Node
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Compare:
    """Two operands and the operator between them, which stands at `at`."""

    operator: Operator
    left: Node
    right: Node
    start: int
    end: int
    at: int


@dataclass(frozen=True, slots=True)
class AllOf:
    """Operands joined by `&&`."""

    operands: tuple[Node, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Operands joined by `||`."""

    operands: tuple[Node, ...]
    start: int
    end: int


Node: TypeAlias = Literal | Path | Items | Not | Compare | AllOf | AnyOf


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression: its text and its tree. Two expressions are equal when their texts are."""

    text: str
    tree: Node = field(compare=False, repr=False)

    @property
    def paths(self) -> tuple[str, ...]:
        """The variables it may read, each once, in the order they are written."""
        return tuple(dict.fromkeys(node.name for node in walk(self.tree) if isinstance(node, Path)))

    @property
    def roots(self) -> tuple[str, ...]:
        """The roots it may read from, each once, in the order they are written."""
        return tuple(dict.fromkeys(node.root for node in walk(self.tree) if isinstance(node, Path)))

    def __str__(self) -> str:
        return self.text


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly under a node."""
    match node:
        case Items(items=nodes) | AllOf(operands=nodes) | AnyOf(operands=nodes):
            return nodes
        case Compare(left=left, right=right):
            return (left, right)
        case Not(operand=operand):
            return (operand,)
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """Every node of a tree, parents first, in the order of the text."""
    yield node
    for child in children(node):
        yield from walk(child)


def is_name(text: str) -> bool:
    """Whether a field of that name can be written after a dot; others need `["…"]`."""
    return text.isidentifier()


def path_name(root: str, keys: tuple[str | int, ...]) -> str:
    """A path as it is written: dots where possible, brackets where needed."""
    out = [root]
    for key in keys:
        if isinstance(key, int):
            out.append(f"[{key}]")
        else:
            out.append(f".{key}" if is_name(key) else f"[{quote(key)}]")
    return "".join(out)


def quote(text: str) -> str:
    """A text as it is written in an expression: double quotes, and escapes for what cannot stand as itself."""
    out = ['"']
    for character in text:
        if character in _SHORT_ESCAPES:
            out.append(_SHORT_ESCAPES[character])
        elif must_escape(character):
            out.append(f"\\u{ord(character):04x}")
        else:
            out.append(character)
    out.append('"')
    return "".join(out)


_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def must_escape(character: str) -> bool:
    """Control characters and marks that reorder text would let an expression look like another one."""
    return character < " " or "\x7f" <= character <= "\x9f" or character in _DIRECTION_MARKS
