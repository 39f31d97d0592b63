"""JSON Schema (draft 2020-12) for inputs and answers: schemas are checked when they come, values against them.

References lead nowhere but into the schema itself: checking a value never fetches anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable

from holdfast.errors import DefinitionError, SessionInputError

__all__ = ["check_schema", "check_value", "with_defaults"]

_NOWHERE: Registry[Any] = Registry()
_MOST_ERRORS = 20


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
    return schema


def check_value(field: str, value: Any, schema: dict[str, Any]) -> None:
    """Raise `SessionInputError` with everything the schema does not allow."""
    validator = Draft202012Validator(schema, registry=_NOWHERE, format_checker=Draft202012Validator.FORMAT_CHECKER)
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


def _told(errors: Iterable[ValidationError]) -> list[dict[str, str]]:
    found = sorted(errors, key=lambda error: [str(part) for part in error.absolute_path])
    return [
        {"field": ".".join(map(str, error.absolute_path)), "message": error.message[:500]}
        for error in found[:_MOST_ERRORS]
    ]
