"""The words of a trace: for each part of an expression, how to say what was found there.

Everything that does not depend on the data is prepared once for each expression, because a busy engine puts
every routing decision into words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from holdfast.envelope.expressions.formatting import format_node
from holdfast.envelope.expressions.syntax import AllOf, AnyOf, Compare, Items, Literal, Node, Not, Path
from holdfast.envelope.expressions.values import Mode
from holdfast.envelope.expressions.wording import describe

__all__ = ["Narration", "Record"]

Record: TypeAlias = dict[int, Any]
"""What was found, by the node's place in the plan, in the order of evaluation. What was not evaluated is absent."""

Facts: TypeAlias = Callable[[Record], list[str]]
Shown: TypeAlias = Callable[[Record], str]

_OPPOSITE: Final = {
    "==": "!=", "!=": "==", ">": "<=", ">=": "<", "<": ">=", "<=": ">",
    "in": "is not in", "contains": "does not contain",
}  # fmt: skip
_SAID: Final = {"in": "is in"}


class Narration:
    """What the traces of one expression share: names, labels, and the functions that state the facts."""

    __slots__ = ("_modes", "_places", "facts", "labels", "names")

    def __init__(self, nodes: Sequence[Node], places: Mapping[int, int], modes: Mapping[int, Mode]) -> None:
        self._places = places
        self._modes = modes
        self.names: tuple[str | None, ...] = tuple(node.name if isinstance(node, Path) else None for node in nodes)
        """For each node the variable it reads, or None."""
        self.labels = tuple(format_node(node) for node in nodes)
        """For each node its standard form."""
        self.facts: Facts = self._facts(nodes[0])
        """What made the result what it is; an operand that did not matter is not named."""

    def _facts(self, node: Node) -> Facts:
        match node:
            case AllOf(operands=operands) | AnyOf(operands=operands):
                return self._chain(node, operands, decided=isinstance(node, AnyOf))
            case Not(operand=operand):
                return self._facts(operand)
            case Compare():
                return self._comparison(node)
            case Path(name=name):
                place = self._places[id(node)]
                return lambda record: [f"{name} is {describe(record[place])}"]
            case _:
                said = [f"it says {format_node(node)}"]
                return lambda _record: said

    def _chain(self, node: Node, operands: Sequence[Node], *, decided: bool) -> Facts:
        place = self._places[id(node)]
        parts = [(self._result(each), self._facts(each)) for each in operands]

        def state(record: Record) -> list[str]:
            found: list[str] = []
            stopped = record[place] is decided
            for result, facts in parts:
                if not stopped:
                    found += facts(record)
                elif result(record) is decided:
                    # The chain stopped here: this operand alone decided it.
                    return facts(record)
            return found

        return state

    def _result(self, node: Node) -> Callable[[Record], Any]:
        if isinstance(node, Literal):
            constant = node.value
            return lambda _record: constant
        place = self._places[id(node)]
        return lambda record: record[place]

    def _comparison(self, node: Compare) -> Facts:
        bare = self._modes[id(node)] != "any"
        left, right = self._shown(node.left, bare=bare), self._shown(node.right, bare=bare)
        place = self._places[id(node)]
        holds, fails = _SAID.get(node.operator, node.operator), _OPPOSITE[node.operator]
        return lambda record: [f"{left(record)} {holds if record[place] else fails} {right(record)}"]

    def _shown(self, node: Node, *, bare: bool) -> Shown:
        """How an operand is shown; `bare` leaves the quotes off a decimal or a date that is kept as text."""
        if isinstance(node, Literal):
            source = format_node(node)
            return lambda _record: source
        if isinstance(node, Items):
            parts = [self._shown(each, bare=bare) for each in node.items]
            return lambda record: f"[{', '.join(part(record) for part in parts)}]"
        place, name = self._places[id(node)], format_node(node)

        def show(record: Record) -> str:
            value = record[place]
            shown = describe(value)
            kind = type(value)
            if kind is int or (kind is list and shown[-1] == "]"):
                return shown
            if isinstance(value, str):
                return shown.strip('"') if bare else shown
            # A value too large for a sentence is better named than cut.
            return name if shown[-1] == "…" or isinstance(value, Mapping) else shown

        return show
