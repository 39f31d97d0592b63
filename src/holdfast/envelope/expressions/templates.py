"""Texts with expressions in braces, such as `delivery:pod:{entity.shipment_id}`.

`{{` and `}}` stand for the braces themselves. What a brace holds is an expression with the same limits,
checks and errors as anywhere else; an error points into the whole template. A null, a list or an object is
refused rather than printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any, Final

from holdfast.envelope.expressions.checking import Checked, check
from holdfast.envelope.expressions.compiling import Compiled, compile_expression
from holdfast.envelope.expressions.kinds import TEXT, Kind
from holdfast.envelope.expressions.parser import parse
from holdfast.envelope.expressions.problems import Problem, failure
from holdfast.envelope.expressions.scope import Scope
from holdfast.envelope.expressions.syntax import Expression
from holdfast.envelope.expressions.wording import describe, plain_number
from holdfast.errors import ExpressionError

__all__ = ["MAX_RENDERED", "MAX_TEMPLATE_LENGTH", "CompiledTemplate", "Template"]

MAX_TEMPLATE_LENGTH: Final = 4000
"""Characters a template may have; each of its expressions has the limits of any expression."""

MAX_RENDERED: Final = 1_000_000
"""Characters of the text that it may give: a long text may be named hundreds of times."""


@dataclass(frozen=True, slots=True)
class Hole:
    """An expression in a template, and where in the template it begins."""

    expression: Expression
    offset: int


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template: texts and expressions in turn."""

    text: str
    parts: tuple[str | Hole, ...]

    @classmethod
    def parse(cls, text: str) -> Template:
        """Read a template. Raises `ExpressionError` that points at the offending character."""
        if not isinstance(text, str):
            raise ExpressionError(f"a template is a text, not {type(text).__name__}", code="not_a_text")
        if len(text) > MAX_TEMPLATE_LENGTH:
            message = f"the template has {len(text)} characters; at most {MAX_TEMPLATE_LENGTH} are allowed"
            raise failure(Problem("too_long", message, MAX_TEMPLATE_LENGTH, len(text), text))
        return cls(text, tuple(_parts(text)))

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions in the braces, in order."""
        return tuple(part.expression for part in self.parts if isinstance(part, Hole))

    def inspect(self, scope: Scope) -> Checked:
        """Every problem and every warning of every expression, placed in the template."""
        problems: list[Problem] = []
        warnings: list[Problem] = []
        for part in self.parts:
            if isinstance(part, Hole):
                checked = check(part.expression, scope)
                found, doubts, text, tree = (
                    [*checked.problems],
                    [*checked.warnings],
                    part.expression.text,
                    part.expression.tree,
                )
                if not found and checked.type.kind in (Kind.LIST, Kind.OBJECT, Kind.NULL):
                    message = f"a {checked.type.kind} cannot be part of a text"
                    found.append(Problem("not_printable", message, tree.start, tree.end, text))
                elif checked.type.may_be_null:
                    message = f"{text.strip()} may be null, which cannot be part of a text"
                    doubts.append(Problem("may_be_null", message, tree.start, tree.end, text))
                problems.extend(_moved(problem, self.text, part.offset) for problem in found)
                warnings.extend(_moved(problem, self.text, part.offset) for problem in doubts)
        return Checked(TEXT, tuple(problems), tuple(warnings))

    def check(self, scope: Scope) -> tuple[Problem, ...]:
        """Every problem of every expression, placed in the template."""
        return self.inspect(scope).problems

    def compile(self, scope: Scope | None = None) -> CompiledTemplate:
        """Check and compile. Raises `ExpressionError` that lists every problem."""
        problems = self.check(scope) if scope is not None else ()
        if problems:
            raise failure(problems[0], problems[1:])
        parts: list[str | tuple[Compiled, int]] = []
        for part in self.parts:
            if isinstance(part, str):
                parts.append(part)
                continue
            try:
                parts.append((compile_expression(part.expression, scope), part.offset))
            except ExpressionError as error:
                raise _placed(error, self.text, part.offset) from None
        return CompiledTemplate(self, tuple(parts))

    def render(self, roots: Mapping[str, Any], scope: Scope | None = None) -> str:
        """Compile and render at once, for a template that is used once."""
        return self.compile(scope).render(roots)


@dataclass(frozen=True, slots=True)
class CompiledTemplate:
    """A template that can be rendered."""

    template: Template
    parts: tuple[str | tuple[Compiled, int], ...]

    def render(self, roots: Mapping[str, Any]) -> str:
        """The text with every expression replaced by its value."""
        rendered: list[str] = []
        room = MAX_RENDERED
        for part in self.parts:
            text = part if isinstance(part, str) else self._fill(*part, roots)
            room -= len(text)
            if room < 0:
                message = f"the text that the template gives has more than {MAX_RENDERED} characters"
                raise failure(Problem("too_long", message, 0, len(self.template.text), self.template.text))
            rendered.append(text)
        return "".join(rendered)

    def _fill(self, compiled: Compiled, offset: int, roots: Mapping[str, Any]) -> str:
        try:
            value = compiled.evaluate(roots)
        except ExpressionError as error:
            raise _placed(error, self.template.text, offset) from None
        match value:
            case str():
                return value
            case bool():
                return "true" if value else "false"
            case int() | float() | Decimal():
                return plain_number(value)
            case date():
                return value.isoformat()
        tree = compiled.expression.tree
        message = f"{compiled.expression.text} is {describe(value)}, which cannot be part of a text"
        code = "null_value" if value is None else "not_printable"
        raise failure(Problem(code, message, tree.start + offset, tree.end + offset, self.template.text))


def _parts(text: str) -> list[str | Hole]:
    parts: list[str | Hole] = []
    plain: list[str] = []
    at = 0
    while at < len(text):
        character = text[at]
        if character in "{}" and text[at + 1 : at + 2] == character:
            plain.append(character)
            at += 2
        elif character == "{":
            end = _closing(text, at)
            if plain:
                parts.append("".join(plain))
                plain = []
            parts.append(_hole(text, at + 1, end))
            at = end + 1
        elif character == "}":
            raise failure(Problem("unexpected_token", "} closes nothing", at, at + 1, text, "Write }} for a brace"))
        else:
            plain.append(character)
            at += 1
    if plain:
        parts.append("".join(plain))
    return parts


def _closing(text: str, opening: int) -> int:
    """Where the expression that a brace opens ends; a brace within quotes does not end it."""
    quoted = ""
    at = opening + 1
    while at < len(text):
        character = text[at]
        if quoted and character == "\\":
            at += 1
        elif quoted:
            quoted = "" if character == quoted else quoted
        elif character in "\"'":
            quoted = character
        elif character == "}":
            return at
        at += 1
    hint = "Write {{ for a brace"
    raise failure(Problem("unclosed", "{ is not closed with }", opening, opening + 1, text, hint))


def _hole(text: str, start: int, end: int) -> Hole:
    try:
        return Hole(parse(text[start:end]), start)
    except ExpressionError as error:
        raise _placed(error, text, start) from None


def _moved(problem: Problem, text: str, offset: int) -> Problem:
    return replace(problem, text=text, position=problem.position + offset, end=problem.end + offset)


def _placed(error: ExpressionError, text: str, offset: int) -> ExpressionError:
    """The same error, pointing into the template instead of into the expression alone."""
    problems = [_moved(Problem.of_json(each), text, offset) for each in error.details["problems"]]
    extra = {"variables": error.details["variables"]} if "variables" in error.details else {}
    return failure(problems[0], problems[1:], **extra)
