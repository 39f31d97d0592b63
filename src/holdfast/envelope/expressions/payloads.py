"""JSON with expressions in it: what an action, a webhook or a session is given.

An object with the only key `$expr` is replaced by that expression's value, one with the only key `$template`
by that template's text, and one with the only key `$literal` by what it holds, untouched. Everything else
stands for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final, TypeAlias

from holdfast.envelope.expressions.checking import Checked, check
from holdfast.envelope.expressions.compiling import compile_expression
from holdfast.envelope.expressions.kinds import ANY
from holdfast.envelope.expressions.parser import parse
from holdfast.envelope.expressions.problems import Problem, failure
from holdfast.envelope.expressions.scope import Scope
from holdfast.envelope.expressions.syntax import Expression
from holdfast.envelope.expressions.templates import Template
from holdfast.errors import ExpressionError
from holdfast.kernel.room import Room

__all__ = ["CompiledPayload", "Payload", "check_payload", "render_payload", "unknown_places"]

MAX_PAYLOAD_DEPTH: Final = 40
MOST_VALUES: Final = 200_000
MOST_CHARACTERS: Final = 16 * 1024 * 1024
"""What the expressions of a payload may give together: one that is named twenty times counts twenty times."""
_MARKERS: Final = ("$expr", "$template", "$literal")

Render: TypeAlias = Callable[[Mapping[str, Any], Room], Any]


@dataclass(frozen=True, slots=True)
class Payload:
    """A parsed payload template: plain JSON in which `Expression` and `Template` stand for the marked objects."""

    tree: Any

    @classmethod
    def parse(cls, template: Any) -> Payload:
        """Read a payload template. Raises `ExpressionError` that lists the problems of all its expressions."""
        problems: list[Problem] = []
        tree = _read(template, "$", 0, problems)
        if problems:
            raise failure(problems[0], problems[1:])
        return cls(tree)

    @property
    def expressions(self) -> tuple[tuple[str, Expression], ...]:
        """Every expression with its path in the payload."""
        found: list[tuple[str, Expression]] = []
        for path, part in _marked(self.tree, "$"):
            found.extend((path, each) for each in (part.expressions if isinstance(part, Template) else (part,)))
        return tuple(found)

    def inspect(self, scope: Scope) -> Checked:
        """Every problem and every warning of every expression; `Problem.path` says where in the payload."""
        problems: list[Problem] = []
        warnings: list[Problem] = []
        for path, part in _marked(self.tree, "$"):
            checked = part.inspect(scope) if isinstance(part, Template) else check(part, scope)
            problems.extend(replace(problem, path=path) for problem in checked.problems)
            warnings.extend(replace(problem, path=path) for problem in checked.warnings)
        return Checked(ANY, tuple(problems), tuple(warnings))

    def check(self, scope: Scope) -> tuple[Problem, ...]:
        """Every problem of every expression; `Problem.path` says where in the payload."""
        return self.inspect(scope).problems

    def compile(self, scope: Scope | None = None) -> CompiledPayload:
        """Check and compile. Raises `ExpressionError` that lists every problem."""
        problems = self.check(scope) if scope is not None else ()
        if problems:
            raise failure(problems[0], problems[1:])
        return CompiledPayload(self, _compile(self.tree, scope, "$"))

    def render(self, roots: Mapping[str, Any], scope: Scope | None = None) -> Any:
        """Compile and render at once, for a payload that is used once."""
        return self.compile(scope).render(roots)


@dataclass(frozen=True, slots=True)
class CompiledPayload:
    """A payload template that can be rendered."""

    payload: Payload
    _render: Render

    def render(self, roots: Mapping[str, Any]) -> Any:
        """The payload with every expression replaced by its value. Times become texts, sets become lists."""
        return self._render(roots, Room(MOST_VALUES, MOST_CHARACTERS))


def check_payload(template: Any, scope: Scope) -> tuple[Problem, ...]:
    """Every problem of a payload template, those of its syntax included."""
    try:
        return Payload.parse(template).check(scope)
    except ExpressionError as error:
        return tuple(Problem.of_json(each) for each in error.details["problems"])


def render_payload(template: Any, roots: Mapping[str, Any], scope: Scope | None = None) -> Any:
    """Render a payload template at once."""
    return Payload.parse(template).render(roots, scope)


@dataclass(frozen=True, slots=True)
class Verbatim:
    """What `$literal` holds: never looked into."""

    value: Any


def _read(value: Any, path: str, depth: int, problems: list[Problem]) -> Any:
    if depth > MAX_PAYLOAD_DEPTH:
        message = f"the payload is nested more than {MAX_PAYLOAD_DEPTH} levels deep"
        problems.append(Problem("too_deep", message, 0, 0, "", path=path))
        return None
    if isinstance(value, Mapping):
        marker = next((name for name in _MARKERS if name in value), None)
        if marker is not None:
            return _marker(marker, value, path, problems)
        return {key: _read(each, f"{path}.{key}", depth + 1, problems) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_read(each, f"{path}[{index}]", depth + 1, problems) for index, each in enumerate(value)]
    return value


def _marker(marker: str, value: Mapping[str, Any], path: str, problems: list[Problem]) -> Any:
    if len(value) > 1:
        hint = 'Put it in an object of its own; {"$literal": …} keeps an object as it is'
        problems.append(Problem("bad_payload", f"{marker} stands beside other keys", 0, 0, "", hint, path))
        return None
    inner = value[marker]
    if marker == "$literal":
        return Verbatim(inner)
    try:
        return parse(inner) if marker == "$expr" else Template.parse(inner)
    except ExpressionError as error:
        found = error.details.get("problems")
        if found is None:
            problems.append(Problem(error.details["code"], error.message, 0, 0, "", error.hint, path))
        else:
            problems.extend(replace(Problem.of_json(each), path=path) for each in found)
        return None


def unknown_places(tree: Any) -> tuple[Any, set[tuple[str | int, ...]]]:
    """A parsed payload as plain values, null where expressions stand, and the places of those."""
    unknown: set[tuple[str | int, ...]] = set()

    def plain(value: Any, here: tuple[str | int, ...]) -> Any:
        match value:
            case Expression() | Template():
                unknown.add(here)
                return None
            case Verbatim():
                return value.value
            case dict():
                return {key: plain(each, (*here, key)) for key, each in value.items()}
            case list():
                return [plain(each, (*here, index)) for index, each in enumerate(value)]
        return value

    return plain(tree, ()), unknown


def _marked(tree: Any, path: str) -> list[tuple[str, Expression | Template]]:
    if isinstance(tree, Expression | Template):
        return [(path, tree)]
    if isinstance(tree, dict):
        return [each for key, inner in tree.items() for each in _marked(inner, f"{path}.{key}")]
    if isinstance(tree, list):
        return [each for index, inner in enumerate(tree) for each in _marked(inner, f"{path}[{index}]")]
    return []


def _compile(tree: Any, scope: Scope | None, path: str) -> Render:
    match tree:
        case Expression():
            compiled = compile_expression(tree, scope)
            return _located(lambda roots: _json_value(compiled.evaluate(roots)), tree, path)
        case Template():
            return _located(tree.compile(scope).render, tree, path)
        case Verbatim(value=value):
            return lambda _roots, _room: value
        case dict():
            fields = {key: _compile(each, scope, f"{path}.{key}") for key, each in tree.items()}
            return lambda roots, room: {key: render(roots, room) for key, render in fields.items()}
        case list():
            items = [_compile(each, scope, f"{path}[{index}]") for index, each in enumerate(tree)]
            return lambda roots, room: [render(roots, room) for render in items]
        case _:
            return lambda _roots, _room: tree


def _located(render: Callable[[Mapping[str, Any]], Any], marked: Expression | Template, path: str) -> Render:
    """The same, as long as there is room for it, with errors that also say where in the payload they happened."""

    def run(roots: Mapping[str, Any], room: Room) -> Any:
        try:
            value = render(roots)
            if not room.take(value):
                message = "the expressions of the payload give more than it may hold"
                hint = f"At most {MOST_VALUES} values and {MOST_CHARACTERS} characters"
                raise failure(Problem("too_large", message, 0, len(marked.text), marked.text, hint))
        except ExpressionError as error:
            error.details["path"] = path
            raise
        return value

    return run


def _json_value(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    return sorted(value, key=str) if isinstance(value, AbstractSet) else value
