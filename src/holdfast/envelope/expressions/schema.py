"""Types read from JSON Schema.

A type is read once for each contract. What cannot be decided (a union of kinds, a reference to itself) becomes `any`,
which defers the question to the values met. An object that lists `properties` is closed, so that a misspelt field is
an error, unless it says `additionalProperties` itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final
from urllib.parse import unquote

from holdfast.envelope.expressions.combining import Combination
from holdfast.envelope.expressions.kinds import ANY, BOOLEAN, INSTANT, NULL, NUMBER, TEXT, Kind, Type, list_of
from holdfast.errors import ExpressionError

__all__ = ["type_of_schema"]

MAX_SCHEMA_DEPTH: Final = 60


def type_of_schema(schema: Mapping[str, Any] | bool) -> Type:
    """The type a JSON Schema describes. Local references (`#/$defs/…`) are followed."""
    return _Reader(schema).read(schema, 0)


class _Reader:
    """Reads one schema document; remembers references, so that shared definitions are read once and cycles end."""

    def __init__(self, document: Mapping[str, Any] | bool) -> None:
        self.document = document
        self.known: dict[str, Type] = {}
        self.combination = Combination()

    def read(self, schema: Any, depth: int) -> Type:
        if depth > MAX_SCHEMA_DEPTH:
            raise ExpressionError("the schema is nested too deeply", code="bad_schema")
        if isinstance(schema, bool):
            return ANY
        if not isinstance(schema, Mapping):
            raise ExpressionError(f"a schema must be an object, not {schema!r:.60}", code="bad_schema")
        parts: list[Type] = []
        if isinstance(schema.get("$ref"), str):
            parts.append(self.reference(schema["$ref"], depth))
        parts.extend(self.read(each, depth + 1) for each in _sequence(schema.get("allOf")))
        for word in ("anyOf", "oneOf"):
            choices = _sequence(schema.get(word))
            if choices:
                parts.append(self.combination.union([self.read(each, depth + 1) for each in choices]))
        parts.append(self.own(schema, depth))
        found = parts[0]
        for part in parts[1:]:
            found = self.combination.both(found, part)
        return replace(found, nullable=True) if schema.get("nullable") is True else found

    def reference(self, pointer: str, depth: int) -> Type:
        if pointer not in self.known:
            target = self.resolve(pointer)
            self.known[pointer] = ANY  # What a cycle sees of itself.
            self.known[pointer] = self.read(target, depth + 1)
        return self.known[pointer]

    def resolve(self, pointer: str) -> Any:
        target: Any = self.document
        if not pointer.startswith("#"):
            raise ExpressionError(f"the schema refers to another document: {pointer}", code="bad_schema")
        if pointer != "#" and not pointer.startswith("#/"):
            return next(self.anchored(self.document, pointer[1:], 0), True)
        for part in unquote(pointer[1:]).split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(target, Mapping) or key not in target:
                raise ExpressionError(f"the schema refers to {pointer}, which does not exist", code="bad_schema")
            target = target[key]
        return target

    def anchored(self, schema: Any, name: str, depth: int) -> Iterator[Any]:
        """The part of the document that calls itself so."""
        if isinstance(schema, Mapping) and depth <= MAX_SCHEMA_DEPTH:
            if name in (schema.get("$anchor"), schema.get("$dynamicAnchor")):
                yield schema
            for inner in schema.values():
                yield from self.anchored(inner, name, depth + 1)
        elif isinstance(schema, list | tuple):
            for inner in schema:
                yield from self.anchored(inner, name, depth + 1)

    def own(self, schema: Mapping[str, Any], depth: int) -> Type:
        """What the schema says by itself, apart from what it combines."""
        if "const" in schema:
            return self.combination.union(_of_values([schema["const"]], schema))
        if _sequence(schema.get("enum")):
            return self.combination.union(_of_values(schema["enum"], schema))
        named = schema.get("type")
        names = [named] if isinstance(named, str) else list(_sequence(named))
        if not names:
            if not {"properties", "required", "additionalProperties"}.isdisjoint(schema):
                names = ["object"]
            elif "items" in schema:
                names = ["array"]
            else:
                return ANY
        return self.combination.union([self.simple(str(name), schema, depth) for name in names])

    def simple(self, name: str, schema: Mapping[str, Any], depth: int) -> Type:
        match name:
            case "null":
                return NULL
            case "boolean":
                return BOOLEAN
            case "number" | "integer":
                return NUMBER
            case "string":
                return _text(schema)
            case "array":
                regular = "items" in schema and "prefixItems" not in schema
                return list_of(self.read(schema["items"], depth + 1) if regular else ANY)
            case "object":
                return self.object(schema, depth)
            case _:
                raise ExpressionError(f"the schema has the unknown type {name!r:.40}", code="bad_schema")

    def object(self, schema: Mapping[str, Any], depth: int) -> Type:
        properties = schema.get("properties")
        fields: dict[str, Type] = {}
        if isinstance(properties, Mapping):
            fields = {str(name): self.read(inner, depth + 1) for name, inner in properties.items()}
        required = frozenset(name for name in _sequence(schema.get("required")) if isinstance(name, str))
        return Type(Kind.OBJECT, fields=fields, required=required, rest=self.others(schema, fields, depth))

    def others(self, schema: Mapping[str, Any], fields: Mapping[str, Type], depth: int) -> Type | None:
        additional = schema.get("additionalProperties")
        if additional is True or schema.get("patternProperties"):
            return ANY
        if isinstance(additional, Mapping):
            return self.read(additional, depth + 1)
        return ANY if not fields and additional is not False else None


def _sequence(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


_DECIMAL_PATTERN = re.compile(r"[\^$\\d0-9\[\]()?*+\-.{},:|!=eE]+")
_DECIMAL_POINT = re.compile(r"\\\.|\[\.\]")
_REPEATED_POINT = re.compile(r"(?:\\\.|\[\.\])\)[{*+]")


def _text(schema: Mapping[str, Any]) -> Type:
    match schema.get("format"):
        case "date-time":
            return INSTANT
        case "date":
            return Type(Kind.DATE)
        case "decimal" | "number":
            return NUMBER
    pattern = schema.get("pattern")
    # A pattern of digits with one decimal point is an amount; digits alone may be a postal code, whose zeros count.
    if (
        isinstance(pattern, str)
        and _DECIMAL_PATTERN.fullmatch(pattern)
        and len(_DECIMAL_POINT.findall(pattern)) == 1
        and not _REPEATED_POINT.search(pattern)
    ):
        return NUMBER
    return TEXT


def _of_values(values: Iterable[Any], schema: Mapping[str, Any]) -> list[Type]:
    found: list[Type] = []
    for value in values:
        match value:
            case None:
                found.append(NULL)
            case bool():
                found.append(BOOLEAN)
            case float():
                # As everywhere: a float is the decimal it prints as.
                found.append(Type(Kind.NUMBER, values=(Decimal(repr(value)),)))
            case int() | Decimal():
                found.append(Type(Kind.NUMBER, values=(value,)))
            case str():
                text = _text(schema)
                found.append(replace(text, values=(value,)) if text.kind is Kind.TEXT else text)
            case _:
                return [ANY]
    return found
