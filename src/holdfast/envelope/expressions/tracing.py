"""Why an expression came out as it did: every variable read, every sub-result, and a sentence for people.

A trace is cheap to take and is turned into words or JSON only when asked. Its JSON is what the audit trail
stores: integers stay numbers, other numbers become texts so that no reader can round them.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import date
from decimal import Decimal
from typing import Any

from holdfast.envelope.expressions.narration import Narration, Record
from holdfast.envelope.expressions.syntax import Expression, Node
from holdfast.envelope.expressions.values import Mode
from holdfast.envelope.expressions.wording import describe, plain_number
from holdfast.kernel.room import Room

__all__ = ["Plan", "Record", "Traced", "to_plain", "variables_of"]

MAX_NESTING = 64
MOST_TOLD = (200, 4000)
"""Values and characters of one variable that are told; of a larger one, only what it is."""


class Plan:
    """What a compiled expression and its traces share."""

    __slots__ = ("_narration", "expression", "modes", "nodes", "places")

    def __init__(
        self, expression: Expression, nodes: tuple[Node, ...], places: Mapping[int, int], modes: Mapping[int, Mode]
    ) -> None:
        self.expression = expression
        self.nodes = nodes
        self.places = places
        self.modes = modes
        self._narration: Narration | None = None

    @property
    def narration(self) -> Narration:
        """The words for this expression, made when the first trace is put into words."""
        if self._narration is None:
            self._narration = Narration(self.nodes, self.places, self.modes)
        return self._narration


class Traced:
    """One evaluation, with its reasons. It refers to the data it read: take `to_json()` before changing that."""

    __slots__ = ("_plan", "_record", "result")

    def __init__(self, plan: Plan, record: Record, result: Any) -> None:
        self._plan = plan
        self._record = record
        self.result = result

    @property
    def expression(self) -> str:
        """The text that was evaluated."""
        return self._plan.expression.text

    @property
    def variables(self) -> dict[str, Any]:
        """Every variable that was read, with the value it had."""
        names = self._plan.narration.names
        return {name: value for place, value in self._record.items() if (name := names[place]) is not None}

    @property
    def steps(self) -> tuple[tuple[str, bool], ...]:
        """Every condition that was decided, in that order, with its result."""
        names, labels = self._plan.narration.names, self._plan.narration.labels
        return tuple((labels[place], value) for place, value in self._record.items() if names[place] is None)

    @property
    def because(self) -> str:
        """The reason in one sentence, such as `true because 12500 > 10000`."""
        facts = self._plan.narration.facts(self._record)
        if len(facts) > 1:
            facts = list(dict.fromkeys(facts))
        return f"{describe(self.result)} because {' and '.join(facts)}"

    def to_json(self) -> dict[str, Any]:
        """The trace as plain JSON: `expression`, `variables`, `result`, `steps` and `because`."""
        narration = self._plan.narration
        names, labels = narration.names, narration.labels
        variables: dict[str, Any] = {}
        steps: list[dict[str, Any]] = []
        for place, value in self._record.items():
            name = names[place]
            if name is None:
                steps.append({"expression": labels[place], "result": value})
            else:
                variables[name] = _told(value)
        return {
            "expression": self._plan.expression.text,
            "variables": variables,
            "result": _told(self.result),
            "steps": steps,
            "because": self.because,
        }

    def __repr__(self) -> str:
        return f"<Traced {self.because}>"


def variables_of(plan: Plan, record: Record) -> dict[str, Any]:
    """The variables read so far, as plain JSON."""
    names = plan.narration.names
    return {name: _told(value) for place, value in record.items() if (name := names[place]) is not None}


def _told(value: Any) -> Any:
    """A value as a trace keeps it. A large one is where it was read, and not in every trace too."""
    kind = type(value)
    if value is None or kind is bool or kind is int or (kind is str and len(value) <= MOST_TOLD[1]):
        return to_plain(value)
    return to_plain(value) if Room(*MOST_TOLD).take(value) else {"$omitted": _size(value)}


def _size(value: Any) -> str:
    match value:
        case str():
            return f"a text of {len(value)} characters"
        case Mapping():
            return f"an object of {len(value)} fields"
        case list() | tuple() | AbstractSet():
            return f"a list of {len(value)} elements"
        case _:
            return describe(value)


def to_plain(value: Any, depth: int = 0) -> Any:
    """A value as JSON that every reader reads alike: exact numbers that are not integers become texts."""
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is str:
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if kind is int:
        return value if value.bit_length() <= 4096 else plain_number(value)
    if depth > MAX_NESTING:
        return "…"
    if kind is list:
        return [each if type(each) is str and each.isascii() else to_plain(each, depth + 1) for each in value]
    if isinstance(value, Mapping):
        return {str(key): to_plain(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(each, depth + 1) for each in value]
    if isinstance(value, AbstractSet):
        return sorted((to_plain(each, depth + 1) for each in value), key=str)
    return _plain_leaf(value)


def _plain_leaf(value: Any) -> Any:
    if isinstance(value, str):
        return to_plain(str.__str__(value))
    if isinstance(value, int):
        return to_plain(int(value))
    if isinstance(value, float | Decimal):
        return plain_number(value)
    return value.isoformat() if isinstance(value, date) else describe(value)
