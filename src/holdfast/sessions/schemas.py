"""JSON Schema (draft 2020-12) for inputs and answers: schemas are checked when they come, values against them.

References lead nowhere but into the schema itself: checking a value never fetches anything, and a schema that would
need it is refused before anybody relies on it.
"""

from __future__ import annotations

from typing import Any

from holdfast.errors import DefinitionError, SessionInputError
from holdfast.kernel.aside import aside
from holdfast.kernel.schemas import FORMATS, BadSchema, json_schema

__all__ = ["check_schema", "check_value", "with_defaults"]


def check_schema(field: str, schema: Any) -> dict[str, Any]:
    """The schema itself, or `DefinitionError` with what is wrong with it, and where."""
    if not isinstance(schema, dict):
        raise DefinitionError(f"{field} is not a JSON object", hint="give a JSON Schema", field=field)
    try:
        json_schema(schema, FORMATS)
    except BadSchema as error:
        place = ".".join(map(str, (field, *error.path)))
        raise DefinitionError(
            f"{field} is not a JSON Schema (draft 2020-12) that can be used: {place}: {error.why}",
            hint=error.hint,
            field=field,
            place=place,
        ) from None
    return schema


async def check_value(field: str, value: Any, schema: dict[str, Any]) -> None:
    """Raise `SessionInputError` with everything the schema does not allow."""
    await aside(lambda: _check_value(field, value, schema), value)


def _check_value(field: str, value: Any, schema: dict[str, Any]) -> None:
    try:
        found = json_schema(schema, FORMATS).problems(value)
    except BadSchema as error:
        raise SessionInputError(f"{field} cannot be checked: its schema: {error.why}", field=field) from None
    if found:
        problems = [{"field": each.dotted, "message": each.message} for each in found]
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
