"""JSON Schemas of namespaces: what a value must look like to be stored there.

A schema is checked here, in Python; the database only knows its version. A write says which version it was checked
against, and is refused when that is not the one in force: then it is checked anew. So a write needs no question
before it, and none passes unchecked.

What checks them takes long to import, and few namespaces have a schema: it is imported where one is met.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.errors import InvalidInput, SchemaViolation
from holdfast.kernel.aside import aside
from holdfast.kernel.json import decode

if TYPE_CHECKING:
    from holdfast.kernel.schemas import Budget, JsonSchema

__all__ = ["Schemas", "check_schema"]

_REMEMBERED = 1000


def check_schema(schema: Any) -> None:
    """A JSON Schema (draft 2020-12), on its own: it refers to nothing elsewhere."""
    if not isinstance(schema, dict):
        raise InvalidInput("schema is not an object", hint="give a JSON Schema, or None", field="schema")
    from holdfast.kernel.schemas import BadSchema, json_schema

    try:
        json_schema(schema)
    except BadSchema as error:
        where = "/".join(map(str, error.path)) or "its top"
        raise InvalidInput(
            f"schema is not a JSON Schema: {error.why} at {where}", hint=error.hint, field="schema"
        ) from None


class Schemas:
    """The schemas this process has seen, by namespace; shared by all transactions."""

    def __init__(self) -> None:
        self._known: dict[tuple[Hashable, str], tuple[int, JsonSchema | None]] = {}

    def check(self, scope: Hashable, namespace: str, texts: Iterable[tuple[str, str]]) -> int:
        """Check keys and their values (as JSON) against what is known of the namespace; the version that was."""
        version, schema = self._known.get((scope, namespace), (0, None))
        if schema is not None:
            steps = schema.budget()  # of all of them together
            for key, text in texts:
                _validate(schema, steps, namespace, key, decode(text))
        return version

    async def checked(self, scope: Hashable, namespace: str, texts: Sequence[tuple[str, str]]) -> int:
        """The same; beside the event loop when it takes long."""
        if not self.has_schema(scope, namespace):
            return self.check(scope, namespace, texts)
        return await aside(lambda: self.check(scope, namespace, texts), texts)

    def has_schema(self, scope: Hashable, namespace: str) -> bool:
        return self._known.get((scope, namespace), (0, None))[1] is not None

    async def learn(self, scope: Hashable, namespace: str, version: int, text: str | None) -> None:
        """Remember the schema in force."""
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        found = None if text is None else await aside(lambda: _json_schema(text))
        self._known[scope, namespace] = (version, found)


def _json_schema(text: str) -> JsonSchema:
    from holdfast.kernel.schemas import json_schema

    return json_schema(decode(text))


def _validate(schema: JsonSchema, steps: Budget, namespace: str, key: str, value: Any) -> None:
    found = schema.problem(value, steps)
    if found is not None:
        path = "/".join(map(str, found.path))
        raise SchemaViolation(
            f"the value of {key!r} does not match the schema of the namespace {namespace!r}: {found.message}"
            + (f" at {path}" if path else ""),
            hint="`holdfast data rules` shows the schema",
            field="value",
            path=path,
        )
