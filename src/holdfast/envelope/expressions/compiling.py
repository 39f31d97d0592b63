"""Expressions ready to run: checked once, then evaluated as often as needed.

`evaluate` is the fast path; `trace` is the careful one, and records what it read and found. Both give the
same answer or the same `ExpressionError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from holdfast.envelope.expressions.checking import UNTYPED, check
from holdfast.envelope.expressions.evaluation import Run, build
from holdfast.envelope.expressions.generated import generate, generate_recording
from holdfast.envelope.expressions.kinds import Kind, Type
from holdfast.envelope.expressions.parser import parse
from holdfast.envelope.expressions.problems import Problem, failure
from holdfast.envelope.expressions.scope import Scope
from holdfast.envelope.expressions.syntax import Expression
from holdfast.envelope.expressions.tracing import Plan, Record, Traced

__all__ = ["Compiled", "compile_expression"]


class Compiled:
    """An expression that can be evaluated."""

    __slots__ = ("_plan", "_run", "evaluate", "expression", "type", "warnings")

    evaluate: Callable[[Mapping[str, Any]], Any]
    """`evaluate(roots)`: the value for these roots (`{"entity": …, "actor": …}`), or an `ExpressionError`."""

    _run: Run

    def __init__(
        self, plan: Plan, run: Run, scope: Scope, found: Type, warnings: tuple[Problem, ...], *, boolean: bool
    ) -> None:
        self.expression = plan.expression
        self.type = found
        self.warnings = warnings
        self._plan = plan

        # Generating code costs a hundred evaluations, so it waits until somebody evaluates, or traces.
        def first(roots: Mapping[str, Any]) -> Any:
            self.evaluate = generate(plan, run, scope, boolean=boolean)
            return self.evaluate(roots)

        def first_recorded(roots: Mapping[str, Any], record: Record) -> Any:
            self._run = generate_recording(plan, run, scope, boolean=boolean)
            return self._run(roots, record)

        self.evaluate = first
        self._run = first_recorded

    def trace(self, roots: Mapping[str, Any]) -> Traced:
        """The value with its reasons: every variable read, every sub-result, and a sentence."""
        record: Record = {}
        return Traced(self._plan, record, self._run(roots, record))

    def __repr__(self) -> str:
        return f"<Compiled {self.expression.text!r}>"


def compile_expression(
    expression: Expression | str, scope: Scope | None = None, *, expect: Kind | str | None = None
) -> Compiled:
    """Check and compile. Raises `ExpressionError` that lists every problem in `details["problems"]`.

    `expect="boolean"` is for conditions: an expression of another type does not compile, and data that makes an
    untyped one give something else fails the evaluation.
    """
    parsed = parse(expression) if isinstance(expression, str) else expression
    types = UNTYPED if scope is None else scope
    checked = check(parsed, types, expect=expect)
    if checked.problems:
        raise failure(checked.problems[0], checked.problems[1:])
    boolean = expect == Kind.BOOLEAN
    plan, run = build(parsed, types, boolean=boolean)
    return Compiled(plan, run, types, checked.type, checked.warnings, boolean=boolean)
