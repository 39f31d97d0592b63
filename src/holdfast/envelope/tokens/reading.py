"""Reading: evaluating what a definition's conditions, templates and payloads say about the document at hand.

`Reader` compiles each expression of a workflow once and keeps it. Everything it evaluates for a decision is traced, so
that a step can tell why it went the way it did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import Any

from holdfast.envelope.compiled import CompiledEdge, CompiledNode, CompiledWorkflow
from holdfast.envelope.expressions import (
    Compiled,
    CompiledPayload,
    CompiledTemplate,
    Kind,
    Payload,
    Scope,
    Template,
    compile_expression,
)
from holdfast.envelope.expressions.kinds import ANY, with_errors
from holdfast.envelope.expressions.wording import describe
from holdfast.errors import ExpressionError

__all__ = ["Choice", "Reader", "people"]

Roots = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """The edges a step takes, and the traces of every condition that was looked at."""

    edges: tuple[CompiledEdge, ...]
    expressions: tuple[Mapping[str, Any], ...]


class Reader:
    """The expressions of one workflow, compiled on first use. Nothing else is remembered between calls."""

    def __init__(self, workflow: CompiledWorkflow, scope: Scope | None = None) -> None:
        self._workflow = workflow
        base = scope if scope is not None else Scope.of()
        # Where an expression may stand was checked by the compiler; a result may be read wherever there is one.
        base = base if "payload" in base.roots else base.having("payload", None)
        results = {node.config["save_as"] for node in workflow.nodes_by_id.values() if node.config.get("save_as")}
        context = with_errors(base.roots.get("context", ANY), results)
        base = base.having("context", context)
        if context.kind is Kind.OBJECT and context.rest is None:
            # Steps may save variables that the contract does not list.
            base = base.having("context", replace(context, rest=ANY))
        self._scopes: dict[str | None, Scope] = {None: base}
        self._compiled: dict[tuple[str, str | None, bool], Compiled] = {}
        self._templates: dict[tuple[str, str | None], CompiledTemplate] = {}
        self._payloads: dict[tuple[str, str], CompiledPayload] = {}

    def choose(self, node: CompiledNode, outcome: str, roots: Roots, code: str | None = None) -> Choice:
        """The edges that leave a node with this outcome: the first that matches, or all of them from a split.

        An error has a code.
        """
        every = node.type == "parallel_split"
        chosen: list[CompiledEdge] = []
        traces: list[Mapping[str, Any]] = []
        for edge in self._workflow.outgoing(node.id):
            if not edge.takes(outcome, code):
                continue
            if edge.condition is not None:
                found = self._expression(edge.condition, node.parent, boolean=True).trace(roots)
                traces.append({"edge": edge.id, **found.to_json()})
                if not found.result:
                    continue
            chosen.append(edge)
            if not every:
                break
        return Choice(tuple(chosen), tuple(traces))

    def holds(self, node: CompiledNode, text: str, roots: Roots) -> tuple[bool, Mapping[str, Any]]:
        """Whether a condition of a node holds, with its trace."""
        found = self._expression(text, node.parent, boolean=True).trace(roots)
        return bool(found.result), found.to_json()

    def accepts(self, node: CompiledNode, text: str, roots: Roots) -> bool:
        """Whether an event's payload, of which nothing is known beforehand, is the one a node waits for."""
        key = (text, f"{node.id} event", True)
        found = self._compiled.get(key)
        if found is None:
            found = compile_expression(text, self._scope_in(node.parent).having("payload", None), expect="boolean")
            self._compiled[key] = found
        return bool(found.evaluate(roots))

    def value(self, node: CompiledNode, text: str, roots: Roots) -> Any:
        """The value of an expression of a node."""
        return self._expression(text, node.parent).evaluate(roots)

    def text(self, node: CompiledNode, template: str, roots: Roots) -> str:
        """A template string of a node, rendered."""
        key = (template, node.parent)
        found = self._templates.get(key)
        if found is None:
            found = Template.parse(template).compile(self._scope_in(node.parent))
            self._templates[key] = found
        return found.render(roots)

    def payload(self, node: CompiledNode, field: str, template: Any, roots: Roots) -> Any:
        """A payload template of a node's field, rendered."""
        key = (node.id, field)
        found = self._payloads.get(key)
        if found is None:
            found = Payload.parse(template).compile(self._scope_in(node.parent))
            self._payloads[key] = found
        return found.render(roots)

    def moment(self, node: CompiledNode, text: str, roots: Roots) -> datetime:
        """The moment an expression of a node gives; a date is its midnight in UTC."""
        value = self.value(node, text, roots)
        try:
            found = datetime.fromisoformat(value) if isinstance(value, str) else value
        except ValueError:
            found = None
        if isinstance(found, date) and not isinstance(found, datetime):
            found = datetime.combine(found, time(), UTC)
        if not isinstance(found, datetime):
            raise ExpressionError(f"{text} gives {describe(value)}, which is not a moment", expression=text)
        try:
            return found.astimezone(UTC) if found.utcoffset() is not None else found.replace(tzinfo=UTC)
        except OverflowError:
            message = f"{text} gives {describe(value)}, which lies outside the calendar in UTC"
            raise ExpressionError(message, expression=text) from None

    def _expression(self, text: str, parent: str | None, *, boolean: bool = False) -> Compiled:
        key = (text, parent, boolean)
        found = self._compiled.get(key)
        if found is None:
            scope = self._scope_in(parent)
            found = compile_expression(text, scope, expect="boolean" if boolean else None)
            self._compiled[key] = found
        return found

    def _scope_in(self, parent: str | None) -> Scope:
        """What can be read in a body: there, `item` has the type of the list's elements."""
        found = self._scopes.get(parent)
        if found is None:
            assert parent is not None
            loop = self._workflow.nodes_by_id[parent]
            listed = self._expression(loop.config["items"], loop.parent).type
            found = self._scope_in(loop.parent).having("item", listed.item())
            self._scopes[parent] = found
        return found


def people(given: Sequence[Mapping[str, Any]], value: Callable[[str], Any]) -> list[Any]:
    """Who is meant, as far as the definition and the document say: users, roles, managers of users."""
    found: list[Any] = []
    for each in given:
        match each["kind"]:
            case "manager":
                found.append({"kind": "manager", "of": value(each["of"])})
            case "rule":
                named = value(each["expression"])
                names = [named] if isinstance(named, str) else list(named)
                found.extend({"kind": "user", "user": name} for name in names)
            case _:
                found.append(dict(each))
    return found
