"""JSON Schema (draft 2020-12) for inputs and answers: schemas are checked when they come, values against them.

References lead nowhere but into the schema itself: checking a value never fetches anything, and a schema that would
need it is refused before anybody relies on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from holdfast.errors import DefinitionError, SessionInputError
from holdfast.sessions.formats import FORMATS

__all__ = ["check_schema", "check_value", "with_defaults"]

_NOWHERE: Registry[Any] = Registry()
_KNOWN: Registry[Any] = _NOWHERE.with_resource(
    Draft202012Validator.META_SCHEMA["$id"], DRAFT202012.create_resource(Draft202012Validator.META_SCHEMA)
)
_MOST_ERRORS = 20
_REFERENCES = ("$ref", "$dynamicRef")
_NAMED = ("$defs", "definitions", "dependentSchemas", "patternProperties", "properties")
_LISTED = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLE = (
    *("additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then"),
    *("unevaluatedItems", "unevaluatedProperties"),
)
_SAMPLES: tuple[Any, ...] = ({}, [], "", 0, None)


def check_schema(field: str, schema: Any) -> dict[str, Any]:
    """The schema itself, or `DefinitionError` with everything that is wrong with it."""
    if not isinstance(schema, dict):
        raise DefinitionError(f"{field} is not a JSON object", hint="give a JSON Schema", field=field)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        problems = _told(Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema))
        raise DefinitionError(
            f"{field} is not valid JSON Schema (draft 2020-12): {error.message}",
            hint="see https://json-schema.org/draft/2020-12",
            field=field,
            errors=problems,
        ) from None
    _check_references(field, schema)
    return schema


def check_value(field: str, value: Any, schema: dict[str, Any]) -> None:
    """Raise `SessionInputError` with everything the schema does not allow."""
    validator = Draft202012Validator(schema, registry=_NOWHERE, format_checker=FORMATS)
    try:
        problems = _told(validator.iter_errors(value))
    except Unresolvable as error:
        raise SessionInputError(
            f"{field} cannot be checked: its schema refers to {error.ref!r}, which is not in it",
            hint="write schemas without references to other documents",
            field=field,
        ) from None
    except RecursionError:
        raise SessionInputError(f"{field} is nested too deeply", hint="flatten it", field=field) from None
    if problems:
        first = problems[0]
        where = f"{field}.{first['field']}" if first["field"] else field
        raise SessionInputError(f"{where}: {first['message']}", field=where, errors=problems)


def with_defaults(value: Any, schema: dict[str, Any]) -> Any:
    """The value with the defaults of members it leaves out."""
    if not isinstance(value, dict):
        return value
    members = schema.get("properties")
    known = members.items() if isinstance(members, dict) else ()
    missing = {
        name: member["default"]
        for name, member in known
        if name not in value and isinstance(member, dict) and "default" in member
    }
    return missing | value


def _check_references(field: str, schema: dict[str, Any]) -> None:
    """Every reference leads somewhere, and not only back to itself: or no value could ever be checked."""
    root = DRAFT202012.create_resource(schema)
    resolver = _KNOWN.with_resource(root.id() or "", root).resolver(root.id() or "")
    for place, target, known in _references(schema, field, resolver):
        try:
            known.lookup(target)
        except Unresolvable:
            raise DefinitionError(
                f"{place} refers to {target!r}, which is not in the schema",
                hint="put what it refers to under $defs; other documents are never fetched",
                field=field,
                place=place,
            ) from None
    validator = Draft202012Validator(schema, registry=_NOWHERE)
    for sample in _SAMPLES:
        try:
            validator.is_valid(sample)
        except RecursionError:
            raise DefinitionError(
                f"{field} refers to itself without end",
                hint="let a reference lead into a member or an element, not back to the same place",
                field=field,
                place=field,
            ) from None


def _references(schema: Any, place: str, resolver: Any) -> Iterator[tuple[str, str, Any]]:
    """Every reference in a schema: where it stands, where it leads, and who knows the way from there."""
    waiting = [(schema, place, resolver)]
    while waiting:
        one, here, known = waiting.pop()
        if not isinstance(one, dict):
            continue
        inside = known if one is schema else known.in_subresource(DRAFT202012.create_resource(one))
        for keyword in _REFERENCES:
            if isinstance(one.get(keyword), str):
                yield f"{here}.{keyword}", one[keyword], inside
        for keyword in _NAMED:
            members = one.get(keyword)
            if isinstance(members, dict):
                waiting += [(inner, f"{here}.{keyword}.{name}", inside) for name, inner in members.items()]
        for keyword in _LISTED:
            if isinstance(elements := one.get(keyword), list):
                waiting += [(inner, f"{here}.{keyword}.{n}", inside) for n, inner in enumerate(elements)]
        waiting += [(one[keyword], f"{here}.{keyword}", inside) for keyword in _SINGLE if keyword in one]


def _told(errors: Iterable[ValidationError]) -> list[dict[str, str]]:
    found = sorted(errors, key=lambda error: [str(part) for part in error.absolute_path])
    return [
        {"field": ".".join(map(str, error.absolute_path)), "message": error.message[:500]}
        for error in found[:_MOST_ERRORS]
    ]
