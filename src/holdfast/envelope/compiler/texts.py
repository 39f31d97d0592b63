"""Expressions, templates and payloads: every one that a definition holds, checked against the contract.

The fields themselves say what they hold (`x-holds`, `x-type`), so a node type somebody adds is checked like
the product's own. `item` can be read only inside the body of a `for_each`, with the type of the list's items;
`payload` only where something has arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from pydantic import BaseModel

from holdfast.envelope.compiler.intake import Region
from holdfast.envelope.expressions import Checked, Kind, Payload, Scope, Template, Type, check, parse
from holdfast.envelope.expressions import Problem as TextProblem
from holdfast.envelope.expressions.kinds import with_errors
from holdfast.envelope.parts.flow import ScriptConfig, WaitEventConfig
from holdfast.envelope.parts.graph import BodyPatch
from holdfast.envelope.parts.work import ForEachConfig
from holdfast.envelope.problems import Path, Problems, Severity
from holdfast.errors import ExpressionError
from holdfast.kernel.schemas import BadSchema, json_schema

__all__ = ["check_texts", "with_saved_variables"]

_ANY: Final = Type(Kind.ANY, nullable=True)
_KINDS: Final[dict[str, frozenset[Kind]]] = {
    "boolean": frozenset({Kind.BOOLEAN}),
    "list": frozenset({Kind.LIST}),
    "text": frozenset({Kind.TEXT}),
    "date-time": frozenset({Kind.INSTANT, Kind.DATE}),
    "people": frozenset({Kind.TEXT, Kind.LIST}),
    "any": frozenset(Kind),
}


def with_saved_variables(scope: Scope, regions: Iterable[Region]) -> Scope:
    """The scope in which `context` also has what the nodes of a definition save there."""
    saved: set[str] = set()
    results: set[str] = set()
    for region in regions:
        for inner in region.walk():
            for node in inner.nodes.values():
                if isinstance(node.config, ScriptConfig):
                    saved.update(node.config.assign)
                elif name := getattr(node.config, "save_as", None):
                    results.add(name)
    scope = scope.having("context", with_errors(scope.roots["context"], results))
    context = scope.roots["context"]
    if context.rest is not None or context.kind is Kind.ANY:
        return scope
    missing = sorted((saved | results) - context.fields.keys())
    return scope.having("context", replace(context, fields={**dict.fromkeys(missing, _ANY), **context.fields}))


def check_texts(region: Region, scope: Scope, problems: Problems) -> None:
    """Check every expression, template and payload of a region and of the bodies inside it."""
    for edge in region.edges.values():
        if edge.edge.condition is not None:
            _check_expression(edge.edge.condition, scope, "boolean", edge.path.field("condition"), problems)
    for node in region.nodes.values():
        config = node.config
        if config is None:
            continue
        path = node.path.field("config")
        for steps, holds, gives, value in _texts(config):
            here = scope
            if isinstance(config, WaitEventConfig) and steps == ("accepts",):
                here = scope.having("payload", None)
            _check_text(holds, gives, value, here, path.below(steps), problems)
        if isinstance(config, ForEachConfig) and node.id in region.bodies:
            item = _item_type(config.items, scope)
            check_texts(region.bodies[node.id], scope.having("item", item), problems)


def _texts(model: BaseModel) -> Iterator[tuple[tuple[str | int, ...], str, str, Any]]:
    """Every marked value of a configuration: its place, what it holds, the type it must give, and itself."""
    for name, info in type(model).model_fields.items():
        value = getattr(model, name)
        if value is None or isinstance(value, BodyPatch):
            continue
        marks = info.json_schema_extra
        holds = marks.get("x-holds") if isinstance(marks, Mapping) else None
        if isinstance(holds, str) and isinstance(marks, Mapping):
            gives = str(marks.get("x-type", "any"))
            if holds in ("expression", "template") and isinstance(value, Mapping):
                for key, item in value.items():
                    yield (name, key), holds, gives, item
            else:
                yield (name,), holds, gives, value
        elif isinstance(value, BaseModel):
            for steps, *rest in _texts(value):
                yield ((name, *steps), rest[0], rest[1], rest[2])
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, BaseModel):
                    for steps, *rest in _texts(item):
                        yield ((name, index, *steps), rest[0], rest[1], rest[2])


def _check_text(holds: str, gives: str, value: Any, scope: Scope, path: Path, problems: Problems) -> None:
    match holds:
        case "expression":
            _check_expression(value, scope, gives, path, problems)
        case "template" | "payload":
            try:
                parsed = Template.parse(value) if holds == "template" else Payload.parse(value)
            except ExpressionError as error:
                _report_error(error, path, problems)
            else:
                _report(parsed.inspect(scope), path, problems)
        case "schema":
            try:
                json_schema(value)
            except BadSchema as error:
                problems.add("config.invalid", path.below(error.path), f"bad JSON Schema: {error.why}", error.hint)


def _check_expression(text: str, scope: Scope, gives: str, path: Path, problems: Problems) -> None:
    try:
        checked = check(parse(text), scope)
    except ExpressionError as error:
        _report_error(error, path, problems)
        return
    _report(checked, path, problems)
    if checked.ok and gives != "any" and checked.type.may_be_null:
        message = "this may be null, and then the step fails"
        problems.add("expression.nullable", path, message, "Compare it, such as … == true", severity="warning")
    if checked.ok and checked.type.kind is not Kind.ANY and checked.type.kind not in _KINDS[gives]:
        wanted = {"boolean": "true or false", "people": "a person or a list of people"}.get(gives, f"a {gives}")
        problems.add("expression.type", path, f"this gives a {checked.type}, and {wanted} is needed here")


def _item_type(items: str, scope: Scope) -> Type:
    try:
        return check(parse(items), scope).type.item()
    except ExpressionError:
        return _ANY


def _report(checked: Checked, path: Path, problems: Problems) -> None:
    for each in checked.problems:
        _note(each, "expression.invalid", path, problems)
    for each in checked.warnings:
        _note(each, "expression.nullable", path, problems, severity="warning")


def _note(each: TextProblem, code: str, path: Path, problems: Problems, *, severity: Severity = "error") -> None:
    place = Path(f"{path}{each.path.removeprefix('$')}") if each.path else path
    message = f"{each.message}, at character {each.position + 1}\n{each.excerpt}" if each.text else each.message
    problems.add(code, place, message, each.hint or "", severity=severity)


def _report_error(error: ExpressionError, path: Path, problems: Problems) -> None:
    """What does not even parse: one problem, or for a payload one for each place."""
    found = error.details.get("problems")
    if found is None:
        problems.add("expression.invalid", path, error.message, error.hint or "")
        return
    for each in found:
        _note(TextProblem.of_json(each), "expression.invalid", path, problems)
