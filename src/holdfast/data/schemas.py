"""JSON Schemas of namespaces: what a value must look like to be stored there.

A schema is checked here, in Python; the database only knows its version. A write says which version it was checked
against, and is refused when that is not the one in force: then it is checked anew. So a write needs no question
before it, and none passes unchecked.

jsonschema takes long to import, and few namespaces have a schema: it is imported where one is met.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

from holdfast.errors import InvalidInput, SchemaViolation
from holdfast.kernel.json import decode

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

__all__ = ["Schemas", "check_schema"]

_REMEMBERED = 1000


def check_schema(schema: Any) -> None:
    """A JSON Schema (draft 2020-12), on its own: it refers to nothing elsewhere."""
    if not isinstance(schema, dict):
        raise InvalidInput("schema is not an object", hint="give a JSON Schema, or None", field="schema")
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        where = "/".join(map(str, error.absolute_path)) or "its top"
        raise InvalidInput(f"schema is not a JSON Schema: {error.message} at {where}", field="schema") from None


class Schemas:
    """The schemas this process has seen, by namespace; shared by all transactions."""

    def __init__(self) -> None:
        self._known: dict[tuple[Hashable, str], tuple[int, Draft202012Validator | None]] = {}

    def check(self, scope: Hashable, namespace: str, texts: Iterable[tuple[str, str]]) -> int:
        """Check keys and their values (as JSON) against what is known of the namespace; the version that was."""
        version, validator = self._known.get((scope, namespace), (0, None))
        if validator is not None:
            for key, text in texts:
                _validate(validator, namespace, key, decode(text))
        return version

    def has_schema(self, scope: Hashable, namespace: str) -> bool:
        return self._known.get((scope, namespace), (0, None))[1] is not None

    def learn(self, scope: Hashable, namespace: str, version: int, text: str | None) -> None:
        """Remember the schema in force."""
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[scope, namespace] = (version, None if text is None else _validator(text))


def _validator(text: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator
    from referencing import Registry

    # An empty registry: a reference to somewhere else must not make us fetch it.
    return Draft202012Validator(decode(text), registry=Registry())


def _validate(validator: Draft202012Validator, namespace: str, key: str, value: Any) -> None:
    from jsonschema.exceptions import best_match
    from referencing.exceptions import Unresolvable

    try:
        error = best_match(validator.iter_errors(value))
    except Unresolvable as missing:
        raise SchemaViolation(
            f"the schema of the namespace {namespace!r} refers to {missing.ref!r}, which it does not hold",
            hint="put the definition into the schema itself, under $defs",
            field="value",
        ) from None
    if error is not None:
        path = "/".join(map(str, error.absolute_path))
        raise SchemaViolation(
            f"the value of {key!r} does not match the schema of the namespace {namespace!r}: {error.message}"
            + (f" at {path}" if path else ""),
            hint="`holdfast data rules` shows the schema",
            field="value",
            path=path,
        )
