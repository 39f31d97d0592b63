"""The type check: does an expression make sense for the documents it will meet?

Every problem is reported, not only the first. Warnings are about what may fail at run time although it is
well typed: a field that may be null, compared without having been tested. `mode_of` and `optional_steps` tell
the compiler what the check has learnt, so that a decimal kept as text is compared as the number it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.envelope.expressions.kinds import ANY, BOOLEAN, INSTANT, NULL, NUMBER, TEXT, Kind, Type, list_of
from holdfast.envelope.expressions.problems import Problem, nearest
from holdfast.envelope.expressions.scope import ROOTS, Scope
from holdfast.envelope.expressions.syntax import (
    ORDERINGS,
    AllOf,
    AnyOf,
    Compare,
    Expression,
    Items,
    Literal,
    Node,
    Not,
    Path,
    Step,
    path_name,
)
from holdfast.envelope.expressions.values import Mode, is_number_text, is_temporal_text
from holdfast.envelope.expressions.wording import describe

__all__ = ["UNTYPED", "Checked", "check", "mode_of", "optional_steps", "type_of"]

UNTYPED = Scope({**dict.fromkeys(ROOTS, ANY), "now": INSTANT})
"""The scope of an expression that is compiled without one."""

_TEMPORAL = frozenset({Kind.INSTANT, Kind.DATE})
_ORDERED = frozenset({Kind.NUMBER, Kind.INSTANT, Kind.DATE, Kind.ANY})


@dataclass(frozen=True, slots=True)
class Checked:
    """What the check found: problems forbid the expression, warnings do not."""

    type: Type
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether there are no problems."""
        return not self.problems


def check(expression: Expression, scope: Scope, *, expect: Kind | str | None = None) -> Checked:
    """Check an expression against a scope; `expect` names the kind its result must have, such as `boolean`."""
    checker = _Checker(expression.text, scope)
    found = checker.infer(expression.tree, frozenset())
    if expect is not None and found.kind not in (Kind(expect), Kind.ANY):
        wanted = "a condition (true or false)" if expect == Kind.BOOLEAN else f"a {Kind(expect)}"
        tree = expression.tree
        checker.report("wrong_result", f"{wanted} is expected here, and this is {found}", tree.start, tree.end)
    order = sorted(checker.problems, key=lambda problem: problem.position)
    return Checked(found, tuple(order), tuple(checker.warnings))


def type_of(node: Node, scope: Scope) -> Type:
    """The type of a part of an expression."""
    return _Checker("", scope).infer(node, frozenset())


def optional_steps(path: Path, scope: Scope) -> tuple[bool, ...]:
    """For each step of a path, whether its schema allows the field to be absent (which then reads as null)."""
    here: Type | None = scope.roots.get(path.root, ANY)
    found: list[bool] = []
    for step in path.steps:
        found.append(isinstance(step.key, str) and here is not None and here.is_optional(step.key))
        here = _step(here, step.key) if here is not None else None
    return tuple(found)


def mode_of(node: Compare, scope: Scope) -> Mode:
    """How the two sides of a comparison are to be compared."""
    left, right = type_of(node.left, scope), type_of(node.right, scope)
    if node.operator == "in" and right.kind is Kind.LIST:
        right = right.item()
    if node.operator == "contains" and left.kind is Kind.LIST:
        left = left.item()
    kinds = {left.kind, right.kind}
    if Kind.NUMBER in kinds:
        return "number"
    return "temporal" if kinds & _TEMPORAL else "any"


def _step(here: Type, key: str | int) -> Type | None:
    if here.kind is Kind.ANY:
        return ANY
    if isinstance(key, str):
        return here.field(key) if here.kind is Kind.OBJECT else None
    return here.item() if here.kind is Kind.LIST else None


class _Checker:
    """One check. `proven` names the paths that a condition to the left has shown not to be null."""

    def __init__(self, text: str, scope: Scope) -> None:
        self.text = text
        self.scope = scope
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    def report(self, code: str, message: str, start: int, end: int, hint: str | None = None) -> None:
        self.problems.append(Problem(code, message, start, end, self.text, hint))

    def infer(self, node: Node, proven: frozenset[str]) -> Type:
        match node:
            case Literal():
                return _literal(node)
            case Path():
                return self.path(node, proven)
            case Items():
                return self.items(node, proven)
            case Not():
                self.boolean(node.operand, proven)
            case AllOf() | AnyOf():
                for operand in node.operands:
                    self.boolean(operand, proven)
                    proven |= _proves(operand, holds=isinstance(node, AllOf))
            case Compare():
                self.compare(node, proven)
        return BOOLEAN

    def path(self, node: Path, proven: frozenset[str]) -> Type:
        here = self.scope.roots.get(node.root)
        if here is None:
            hint = f"Here you can use {', '.join(self.scope.roots)}"
            end = node.start + len(node.root)
            self.report("root_unavailable", f"{node.root} does not exist here", node.start, end, hint)
            return ANY
        name = node.root
        for index, step in enumerate(node.steps):
            if here.nullable and here.kind is not Kind.ANY and name not in proven:
                self.may_be_null(name, node.start, step.start)
            inner = _step(here, step.key)
            if inner is None:
                self.no_field(name, here, step)
                return ANY
            name = path_name(node.root, tuple(each.key for each in node.steps[: index + 1]))
            here = inner
        return here

    def no_field(self, owner: str, here: Type, step: Step) -> None:
        if here.kind is Kind.OBJECT and isinstance(step.key, str):
            near = nearest(step.key, here.fields)
            known = ", ".join(sorted(here.fields)[:8]) + (", …" if len(here.fields) > 8 else "")
            hint = f"Did you mean {near}?" if near else f"It has {known}" if known else None
            self.report("unknown_field", f"{owner} has no field {step.key!r}", step.start, step.end, hint)
        elif here.kind is Kind.LIST:
            hint = "Test a list with contains, take one element with [0], or go through it with for_each"
            self.report("unknown_field", f"{owner} is a list and has no fields", step.start, step.end, hint)
        else:
            what = "fields" if isinstance(step.key, str) else "elements"
            self.report("unknown_field", f"{owner} is a {here.kind} and has no {what}", step.start, step.end)

    def items(self, node: Items, proven: frozenset[str]) -> Type:
        types = [self.infer(each, proven) for each in node.items]
        solid = [(each, found) for each, found in zip(node.items, types, strict=True) if found.kind not in _OPEN]
        for each, found in solid[1:]:
            if found.kind is not solid[0][1].kind:
                message = f"a list holds values of one kind: {solid[0][1].kind} and {found.kind} are mixed"
                self.report("mixed_list", message, each.start, each.end)
                return list_of(ANY)
        if not solid or len(solid) < sum(found.kind is not Kind.NULL for found in types):
            return list_of(ANY)
        return list_of(Type(solid[0][1].kind, nullable=len(solid) < len(types)))

    def boolean(self, node: Node, proven: frozenset[str]) -> None:
        found = self.infer(node, proven)
        if found.kind not in (Kind.BOOLEAN, Kind.ANY):
            hint = None
            if isinstance(node, Path | Literal):
                hint = "Compare it with something; ! binds tighter than ==, so write !(a == b)"
            self.report("not_boolean", f"true or false is expected, and this is {found}", node.start, node.end, hint)
        self.warn_null(node, found, proven)

    def compare(self, node: Compare, proven: frozenset[str]) -> None:
        before = len(self.problems)
        left, right = self.infer(node.left, proven), self.infer(node.right, proven)
        if len(self.problems) > before:
            return  # What is wrong with an operand would be said again of the comparison.
        if node.operator == "in":
            self.membership(node.right, right, node.left, left, proven)
        elif node.operator == "contains":
            self.membership(node.left, left, node.right, right, proven)
        elif node.operator in ORDERINGS:
            self.ordering(node, left, right, proven)
        else:
            self.comparable(node.left, left, node.right, right)

    def ordering(self, node: Compare, left: Type, right: Type, proven: frozenset[str]) -> None:
        for side, found, other in ((node.left, left, right), (node.right, right, left)):
            if found.kind is Kind.NULL:
                hint = "null compares only with == and !="
                self.report(
                    "null_value", f"null has no order, so {node.operator} cannot be used", side.start, side.end, hint
                )
                return
            if found.kind in _ORDERED:
                self.warn_null(side, found, proven)
                continue
            dated = found.kind is Kind.TEXT and isinstance(side, Literal)
            if dated and (other.kind in _ORDERED - {Kind.ANY} or _has_order(side)):
                continue
            hint = "Only numbers, dates and times have an order"
            if found.kind is Kind.TEXT and isinstance(side, Path):
                hint += "; give the field the format decimal, date or date-time in the schema"
            self.report(
                "not_ordered",
                f"a {found.kind} has no order, so {node.operator} cannot be used",
                side.start,
                side.end,
                hint,
            )
            return
        self.comparable(node.left, left, node.right, right)

    def membership(self, holder: Node, held: Type, needle: Node, found: Type, proven: frozenset[str]) -> None:
        self.warn_null(holder, held, proven)
        match held.kind:
            case Kind.ANY:
                return
            case Kind.LIST if isinstance(holder, Items):
                for each in holder.items:
                    self.comparable(each, type_of(each, self.scope), needle, found)
            case Kind.LIST:
                self.comparable(holder, held.item(), needle, found)
            case Kind.TEXT | Kind.OBJECT:
                if found.kind not in (Kind.TEXT, Kind.ANY):
                    message = f"a {held.kind} can only contain a text, and this is {found}"
                    self.report("type_mismatch", message, needle.start, needle.end)
                elif held.kind is Kind.OBJECT and isinstance(needle, Literal) and held.field(str(needle.value)) is None:
                    self.no_field(
                        self.text[holder.start : holder.end], held, Step(str(needle.value), needle.start, needle.end)
                    )
            case _:
                message = f"a list, a text or an object is expected, and this is {held}"
                self.report("not_a_list", message, holder.start, holder.end)

    def comparable(self, one: Node, first: Type, other: Node, second: Type) -> None:
        """Report why two operands cannot be equal, if they cannot."""
        kinds = {first.kind, second.kind}
        if kinds & _OPEN:
            return
        for node, found, opposite in ((one, first, second), (other, second, first)):
            if found.kind is Kind.TEXT and opposite.kind in _TEMPORAL and isinstance(node, Literal):
                if not is_temporal_text(str(node.value)):
                    hint = "Write 2026-06-04, or 2026-06-04T10:30:00Z with its offset"
                    self.report("bad_date", f"{describe(node.value)} is not a date", node.start, node.end, hint)
                return
        if len(kinds) > 1 and not kinds <= _TEMPORAL:
            self.mismatch(one, first, other, second)
            return
        self.allowed(one, first, second)
        self.allowed(other, second, first)

    def mismatch(self, one: Node, first: Type, other: Node, second: Type) -> None:
        blamed = one if isinstance(one, Literal) and not isinstance(other, Literal) else other
        hint = None
        if isinstance(blamed, Literal) and {first.kind, second.kind} == {Kind.NUMBER, Kind.TEXT}:
            quoted = isinstance(blamed.value, str)
            if quoted and is_number_text(str(blamed.value)):
                hint = f"Write {blamed.value} without quotes"
            elif not quoted:
                hint = f'Write "{blamed.source}" with quotes, or give the field the format decimal in the schema'
        message = f"{first} cannot be compared with {second}"
        self.report("type_mismatch", message, blamed.start, blamed.end, hint)

    def allowed(self, node: Node, found: Type, other: Type) -> None:
        """A literal that is compared with an enum must be one of its values."""
        if (
            not isinstance(node, Literal)
            or not other.values
            or node.value in other.values
            or found.kind is Kind.BOOLEAN
        ):
            return
        texts = [each for each in other.values if isinstance(each, str)]
        near = nearest(str(node.value), texts)
        hint = f'Did you mean "{near}"?' if near else f"It can be {', '.join(map(describe, other.values[:8]))}"
        self.report("not_in_enum", f"{describe(node.value)} is not a possible value", node.start, node.end, hint)

    def warn_null(self, node: Node, found: Type, proven: frozenset[str]) -> None:
        if isinstance(node, Path) and found.nullable and found.kind is not Kind.ANY and node.name not in proven:
            self.may_be_null(node.name, node.start, node.end)

    def may_be_null(self, name: str, start: int, end: int) -> None:
        hint = f"Test it first: {name} != null && …"
        self.warnings.append(
            Problem("may_be_null", f"{name} may be null, which would fail here", start, end, self.text, hint)
        )


_OPEN = frozenset({Kind.ANY, Kind.NULL})


def _literal(node: Literal) -> Type:
    match node.value:
        case None:
            return NULL
        case bool():
            return BOOLEAN
        case str():
            return TEXT
        case _:
            return NUMBER


def _has_order(node: Node) -> bool:
    text = node.value if isinstance(node, Literal) else None
    return isinstance(text, str) and (is_temporal_text(text) or is_number_text(text))


def _proves(node: Node, *, holds: bool) -> frozenset[str]:
    """The paths that are not null when `node` is true (or false, when `holds` is not)."""
    match node:
        case Not():
            return _proves(node.operand, holds=not holds)
        case AllOf() if holds:
            return frozenset().union(*(_proves(each, holds=True) for each in node.operands))
        case AnyOf() if not holds:
            return frozenset().union(*(_proves(each, holds=False) for each in node.operands))
        case Compare(operator="!=" | "==" as operator, left=left, right=right) if holds == (operator == "!="):
            for path, other in ((left, right), (right, left)):
                if isinstance(path, Path) and isinstance(other, Literal) and other.value is None:
                    return frozenset({path.name})
    return frozenset()
