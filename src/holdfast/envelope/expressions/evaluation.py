"""Careful evaluation: each part of the tree as a closure that records what it found and can say where it
failed.

This is what the language means. The fast path in `generated.py` must agree with it wherever it answers, and
hands over to it wherever it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

from holdfast.envelope.expressions.checking import mode_of, optional_steps
from holdfast.envelope.expressions.problems import Problem, failure
from holdfast.envelope.expressions.scope import Scope
from holdfast.envelope.expressions.syntax import (
    AllOf,
    AnyOf,
    Compare,
    Expression,
    Items,
    Literal,
    Node,
    Not,
    Path,
    path_name,
    walk,
)
from holdfast.envelope.expressions.tracing import Plan, Record, variables_of
from holdfast.envelope.expressions.values import Mode, Refusal, comparator
from holdfast.envelope.expressions.wording import describe

__all__ = ["Run", "always_boolean", "build"]

Roots: TypeAlias = Mapping[str, Any]
Run: TypeAlias = Callable[[Roots, Record], Any]


def build(expression: Expression, scope: Scope, *, boolean: bool) -> tuple[Plan, Run]:
    """The plan of an expression and the closure that runs it; `boolean` refuses any other result."""
    nodes = tuple(walk(expression.tree))
    modes = {id(node): mode_of(node, scope) for node in nodes if isinstance(node, Compare)}
    plan = Plan(expression, nodes, {id(node): index for index, node in enumerate(nodes)}, modes)
    builder = _Builder(plan, scope)
    run = builder.boolean(expression.tree) if boolean else builder.value(expression.tree)
    return plan, run


def always_boolean(node: Node) -> bool:
    """Whether a node can only be true or false, whatever the data."""
    return isinstance(node, Compare | Not | AllOf | AnyOf) or (
        isinstance(node, Literal) and isinstance(node.value, bool)
    )


@dataclass(frozen=True, slots=True)
class _Builder:
    """Builds the closures of one plan."""

    plan: Plan
    scope: Scope

    def value(self, node: Node) -> Run:
        match node:
            case Literal(value=constant):
                return lambda _roots, _record: constant
            case Path():
                return self.path(node)
            case Items(items=items):
                runs = [self.value(each) for each in items]
                return lambda roots, record: [run(roots, record) for run in runs]
            case Not():
                return self.negation(node)
            case Compare():
                return self.comparison(node)
            case AllOf() | AnyOf():
                return self.chain(node, node.operands, stop=isinstance(node, AnyOf))

    def boolean(self, node: Node) -> Run:
        """The node's value, refused unless it is true or false."""
        run = self.value(node)
        if always_boolean(node):
            return run
        plan = self.plan

        def check(roots: Roots, record: Record) -> Any:
            found = run(roots, record)
            if found is not True and found is not False:
                name = f"{node.name} is {describe(found)}" if isinstance(node, Path) else f"this is {describe(found)}"
                hint = "Compare it with something, such as … == true or … != null"
                _fail(plan, record, "not_boolean", f"true or false is needed, and {name}", node, hint)
            return found

        return check

    def path(self, node: Path) -> Run:
        plan, index, root = self.plan, self.plan.places[id(node)], node.root
        optional = optional_steps(node, self.scope)
        keys = tuple(step.key for step in node.steps)
        # A text answers to a number in brackets too, so positions are always read the careful way.
        plain = all(isinstance(key, str) for key in keys)

        def run(roots: Roots, record: Record) -> Any:
            try:
                here = roots[root]
                for key in keys:
                    here = here[key]
                if not plain:
                    here = _read(plan, record, roots, node, optional)
            except (LookupError, TypeError):
                here = _read(plan, record, roots, node, optional)
            record[index] = here
            return here

        return run

    def negation(self, node: Not) -> Run:
        operand, index = self.boolean(node.operand), self.plan.places[id(node)]

        def run(roots: Roots, record: Record) -> bool:
            found = not operand(roots, record)
            record[index] = found
            return found

        return run

    def chain(self, node: Node, operands: Sequence[Node], *, stop: bool) -> Run:
        """`&&` (which stops at false) or `||` (which stops at true)."""
        runs = [self.boolean(each) for each in operands]
        index = self.plan.places[id(node)]

        def run(roots: Roots, record: Record) -> bool:
            found = not stop
            for each in runs:
                if each(roots, record) is stop:
                    found = stop
                    break
            record[index] = found
            return found

        return run

    def comparison(self, node: Compare) -> Run:
        plan, index = self.plan, self.plan.places[id(node)]
        left, right = self.value(node.left), self.value(node.right)
        mode: Mode = plan.modes[id(node)]
        holds = comparator(node.operator, mode)

        def run(roots: Roots, record: Record) -> bool:
            one, other = left(roots, record), right(roots, record)
            try:
                found = holds(one, other)
            except Refusal as refusal:
                _refuse(plan, record, node, refusal)
            record[index] = found
            return found

        return run


def _read(plan: Plan, record: Record, roots: Roots, node: Path, optional: Sequence[bool]) -> Any:
    """Follow a path step by step, saying exactly where it ends."""
    if node.root not in roots:
        _fail(plan, record, "missing_data", f"there is no {node.root} to read from", node)
    here = roots[node.root]
    for position, step in enumerate(node.steps):
        owner = path_name(node.root, tuple(each.key for each in node.steps[:position]))
        if isinstance(step.key, str) and isinstance(here, Mapping):
            if step.key not in here and not optional[position]:
                hint = f"Test for it first, with {owner} contains {describe(step.key)} && …"
                _fail(plan, record, "missing_data", f"{owner} has no {step.key!r} in this data", step, hint)
            here = here.get(step.key)
        elif isinstance(step.key, int) and isinstance(here, list | tuple):
            if step.key >= len(here):
                message = f"{owner} has {len(here)} elements and so no element {step.key}"
                _fail(plan, record, "missing_data", message, step)
            here = here[step.key]
        elif here is None:
            hint = f"Test for it first, with {owner} != null && …"
            _fail(plan, record, "null_value", f"{owner} is null and so has no {step.key!r}", step, hint)
        else:
            _fail(plan, record, "type_mismatch", f"{owner} is {describe(here)} and has no {step.key!r}", step)
    return here


def _refuse(plan: Plan, record: Record, node: Compare, refusal: Refusal) -> NoReturn:
    blamed = {"left": node.left, "right": node.right, "both": None}[refusal.side]
    message = refusal.message
    if isinstance(blamed, Path):
        message = f"{blamed.name} is null" if refusal.code == "null_value" else f"{message} ({blamed.name})"
    start = node.at if blamed is None else blamed.start
    end = node.at + len(node.operator) if blamed is None else blamed.end
    problem = Problem(refusal.code, message, start, end, plan.expression.text, refusal.hint)
    raise failure(problem, variables=variables_of(plan, record)) from None


def _fail(plan: Plan, record: Record, code: str, message: str, place: Any, hint: str | None = None) -> NoReturn:
    problem = Problem(code, message, place.start, place.end, plan.expression.text, hint)
    raise failure(problem, variables=variables_of(plan, record)) from None
