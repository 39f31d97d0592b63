"""The fast path: an expression as one Python function.

The source of that function is made of templates and of names like `K3` only; the expression's own words and
values reach it as objects in its namespace, so no text of a user is ever compiled. The function answers the
common kinds of values itself and leaves everything else, and every failure, to the careful evaluation, whose
answer is the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from sys import intern
from types import CodeType, FunctionType
from typing import Any, Final, TypeAlias, cast

from holdfast.envelope.expressions.checking import optional_steps
from holdfast.envelope.expressions.evaluation import Run, always_boolean
from holdfast.envelope.expressions.scope import Scope
from holdfast.envelope.expressions.syntax import AllOf, AnyOf, Compare, Items, Literal, Node, Not, Path
from holdfast.envelope.expressions.tracing import Plan
from holdfast.envelope.expressions.values import Refusal, comparator

__all__ = ["Evaluate", "generate", "generate_recording"]

Evaluate: TypeAlias = Callable[[Mapping[str, Any]], Any]

_PLAIN: Final = frozenset({list, tuple, set, frozenset, dict, str})
_UNEXPECTED: Final = (Refusal, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


def generate(plan: Plan, run: Run, scope: Scope, *, boolean: bool) -> Evaluate:
    """The function that evaluates a plan. It returns what `run` returns and raises what `run` raises."""

    def careful(roots: Mapping[str, Any]) -> Any:
        return run(roots, {})

    return cast("Evaluate", _function(_Writer(plan, scope, "careful(roots)"), "roots", boolean, careful))


def generate_recording(plan: Plan, run: Run, scope: Scope, *, boolean: bool) -> Run:
    """The same for tracing: it also leaves in the record what `run` would leave there."""
    # What was recorded before handing over is what the careful evaluation records again.
    writer = _Recorder(plan, scope, "careful(roots, record)")
    return cast("Run", _function(writer, "roots, record", boolean, run))


def _function(writer: _Writer, parameters: str, boolean: bool, careful: Callable[..., Any]) -> FunctionType:
    tree = writer.plan.expression.tree
    result = writer.condition(tree, 2) if boolean else writer.operand(tree, 2)
    source = "\n".join([
        f"def evaluate({parameters}):",
        "    try:",
        *writer.lines,
        f"        return {result}",
        "    except UNEXPECTED:",
        f"        return {writer.careful}",
    ])  # fmt: skip
    module = compile(source, "<expression>", "exec")
    code = next(each for each in module.co_consts if isinstance(each, CodeType))
    names = {
        "__builtins__": {}, "type": type, "int": int, "str": str, "list": list, "Decimal": Decimal, "PLAIN": _PLAIN,
        "UNEXPECTED": _UNEXPECTED, "careful": careful, **writer.names,
    }  # fmt: skip
    return FunctionType(code, names, "evaluate")


class _Writer:
    """Writes the statements of one expression; `operand` answers with the name that holds a node's value."""

    def __init__(self, plan: Plan, scope: Scope, careful: str) -> None:
        self.plan = plan
        self.scope = scope
        self.careful = careful
        self.lines: list[str] = []
        self.names: dict[str, Any] = {}
        self.variables = 0

    def emit(self, indent: int, line: str) -> None:
        self.lines.append("    " * indent + line)

    def constant(self, value: Any) -> str:
        name = f"K{len(self.names)}"
        # Interned keys are found in a document by identity, without comparing their characters.
        self.names[name] = intern(value) if type(value) is str else value
        return name

    def variable(self) -> str:
        self.variables += 1
        return f"v{self.variables}"

    def operand(self, node: Node, indent: int) -> str:
        """Write what finds a node's value; the name that holds it."""
        match node:
            case Literal(value=value):
                return self.constant(value)
            case Path():
                return self.path(node, indent)
            case Items(items=items):
                parts = [self.operand(each, indent) for each in items]
                return self.assign(indent, f"[{', '.join(parts)}]")
            case Not(operand=operand):
                return self.assign(indent, f"not {self.condition(operand, indent)}")
            case Compare():
                return self.assign(indent, self.comparison(node, indent))
            case AllOf(operands=operands):
                return self.chain(operands, indent, "not ")
            case AnyOf(operands=operands):
                return self.chain(operands, indent, "")

    def assign(self, indent: int, value: str) -> str:
        name = self.variable()
        self.emit(indent, f"{name} = {value}")
        return name

    def path(self, node: Path, indent: int) -> str:
        if any(isinstance(step.key, int) for step in node.steps):
            self.emit(indent, f"return {self.careful}")
            return "None"
        text = f"roots[{self.constant(node.root)}]"
        for step, optional in zip(node.steps, optional_steps(node, self.scope), strict=True):
            key = self.constant(step.key)
            text += f".get({key})" if optional else f"[{key}]"
        return self.assign(indent, text)

    def condition(self, node: Node, indent: int) -> str:
        name = self.operand(node, indent)
        if not always_boolean(node):
            self.emit(indent, f"if {name} is not True and {name} is not False: return {self.careful}")
        return name

    def chain(self, operands: tuple[Node, ...], indent: int, negate: str) -> str:
        # A loop that is left by its first turn: the operands stand below each other instead of inside each other.
        name = self.variable()
        self.emit(indent, "while True:")
        for operand in operands[:-1]:
            found = self.condition(operand, indent + 1)
            self.emit(indent + 1, f"if {negate}{found}:")
            self.emit(indent + 2, f"{name} = {not negate}")
            self.emit(indent + 2, "break")
        self.emit(indent + 1, f"{name} = {self.condition(operands[-1], indent + 1)}")
        self.emit(indent + 1, "break")
        return name

    def comparison(self, node: Compare, indent: int) -> str:
        mode = self.plan.modes[id(node)]
        if node.operator in ("==", "!=") and _null(node.right):
            return f"{self.operand(node.left, indent)} is {'not ' if node.operator == '!=' else ''}None"
        left, right = self.operand(node.left, indent), self.operand(node.right, indent)
        slow = f"{self.constant(comparator(node.operator, mode))}({left}, {right})"
        if node.operator in ("in", "contains"):
            if mode != "any":
                return slow
            sides = (node.left, left, node.right, right)
            needle, sought, holder, held = sides if node.operator == "in" else (*sides[2:], *sides[:2])
            return self.membership(needle, sought, holder, held, slow)
        guards = [
            guard
            for operand, name in ((node.left, left), (node.right, right))
            if (guard := self.guard(operand, name, node.operator, mode, indent))
        ]
        if "False" in guards:
            return slow
        return f"{left} {node.operator} {right} if {' and '.join(guards) or 'True'} else {slow}"

    def guard(self, node: Node, name: str, operator: str, mode: str, indent: int) -> str:
        """When Python's own operator does what ours does; empty for always, `False` for never."""
        if mode == "number":
            if isinstance(node, Literal):
                return "" if isinstance(node.value, int | Decimal) and not isinstance(node.value, bool) else "False"
            kind = self.assign(indent, f"type({name})")
            return f"({kind} is int or {kind} is Decimal and {name}.is_finite())"
        if mode == "temporal" or operator not in ("==", "!="):
            return "False"
        if isinstance(node, Literal):
            return "" if isinstance(node.value, str) else "False"
        return f"type({name}) is str"

    def membership(self, needle: Node, sought: str, holder: Node, held: str, slow: str) -> str:
        guards: list[str] = []
        if isinstance(holder, Items):
            values = [each.value for each in holder.items if isinstance(each, Literal) and isinstance(each.value, str)]
            if len(values) < len(holder.items):
                return slow
            held = self.constant(frozenset(values))
        else:
            guards.append(f"(type({held}) is list or type({held}) in PLAIN)")
        if not isinstance(needle, Literal):
            guards.append(f"type({sought}) is str")
        elif not isinstance(needle.value, str):
            return slow
        return f"{sought} in {held} if {' and '.join(guards) or 'True'} else {slow}"


class _Recorder(_Writer):
    """Also writes down the value of every path and every condition."""

    def operand(self, node: Node, indent: int) -> str:
        name = super().operand(node, indent)
        if not isinstance(node, Literal | Items):
            self.emit(indent, f"record[{self.plan.places[id(node)]}] = {name}")
        return name


def _null(node: Node) -> bool:
    return isinstance(node, Literal) and node.value is None
