"""The types of the expression language, read from JSON Schema.

A `Type` says what an expression may do with a value. It is built once for each contract and is deliberately
smaller than JSON Schema: what a schema says that a condition cannot use is ignored, and what cannot be
decided (a union of kinds, a reference to itself) becomes `any`, which defers the question to the values met.
An object that lists `properties` is closed, so that a misspelt field is an error, unless it says
`additionalProperties` itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any

from holdfast.errors import ExpressionError

__all__ = ["ANY", "BOOLEAN", "INSTANT", "NULL", "NUMBER", "TEXT", "Kind", "Type", "list_of", "type_of_schema"]

MAX_SCHEMA_DEPTH = 60


class Kind(StrEnum):
    """What sort of value it is. `any` is not known before the value is met."""

    ANY = "any"
    NULL = "null"
    BOOLEAN = "boolean"
    NUMBER = "number"
    TEXT = "text"
    INSTANT = "date-time"
    DATE = "date"
    LIST = "list"
    OBJECT = "object"


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a value: its kind, and for lists and objects what is inside."""

    kind: Kind
    nullable: bool = False
    """May be null, which also holds for a field that its schema does not require."""
    values: tuple[Any, ...] = ()
    """The only values allowed (an enum); empty when any value of the kind is."""
    items: Type | None = None
    fields: Mapping[str, Type] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    """Fields that must be present; another listed field may be absent and then reads as null."""
    rest: Type | None = None
    """The type of fields that are not listed; None when there are no others."""

    def field(self, name: str) -> Type | None:
        """The type of a field, or None when there is no such field."""
        if self.kind is Kind.ANY:
            return ANY
        found = self.fields.get(name)
        if found is None:
            return self.rest
        return found if name in self.required or found.nullable else replace(found, nullable=True)

    def is_optional(self, name: str) -> bool:
        """Whether a listed field may be absent."""
        return name in self.fields and name not in self.required

    def item(self) -> Type:
        """The type of a list's items."""
        return self.items if self.items is not None else ANY

    def __str__(self) -> str:
        if self.values:
            shown = ", ".join(f'"{each}"' if isinstance(each, str) else str(each) for each in self.values[:5])
            text = f"{self.kind} ({shown}{', …' if len(self.values) > 5 else ''})"
        elif self.kind is Kind.LIST and self.items is not None and self.items.kind is not Kind.ANY:
            text = f"list of {self.items.kind}"
        else:
            text = str(self.kind)
        return f"{text} or null" if self.nullable and self.kind not in (Kind.ANY, Kind.NULL) else text


ANY = Type(Kind.ANY, nullable=True)
NULL = Type(Kind.NULL, nullable=True)
BOOLEAN = Type(Kind.BOOLEAN)
NUMBER = Type(Kind.NUMBER)
TEXT = Type(Kind.TEXT)
INSTANT = Type(Kind.INSTANT)
OPEN_OBJECT = Type(Kind.OBJECT, rest=ANY)


def list_of(items: Type) -> Type:
    """A list of that."""
    return Type(Kind.LIST, items=items)


def type_of_schema(schema: Mapping[str, Any] | bool) -> Type:
    """The type a JSON Schema describes. Local references (`#/$defs/…`) are followed."""
    return _Reader(schema).read(schema, 0)


class _Reader:
    """Reads one schema document; remembers references, so that shared definitions are read once and cycles end."""

    def __init__(self, document: Mapping[str, Any] | bool) -> None:
        self.document = document
        self.known: dict[str, Type] = {}

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
                parts.append(_union([self.read(each, depth + 1) for each in choices]))
        parts.append(self.own(schema, depth))
        found = parts[0]
        for part in parts[1:]:
            found = _both(found, part)
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
        for part in pointer[1:].split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(target, Mapping) or key not in target:
                raise ExpressionError(f"the schema refers to {pointer}, which does not exist", code="bad_schema")
            target = target[key]
        return target

    def own(self, schema: Mapping[str, Any], depth: int) -> Type:
        """What the schema says by itself, apart from what it combines."""
        if "const" in schema:
            return _of_values([schema["const"]], schema)
        if _sequence(schema.get("enum")):
            return _of_values(schema["enum"], schema)
        named = schema.get("type")
        names = [named] if isinstance(named, str) else list(_sequence(named))
        if not names:
            if not {"properties", "required", "additionalProperties"}.isdisjoint(schema):
                names = ["object"]
            elif "items" in schema:
                names = ["array"]
            else:
                return ANY
        return _union([self.simple(str(name), schema, depth) for name in names])

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


def _of_values(values: Iterable[Any], schema: Mapping[str, Any]) -> Type:
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
                return ANY
    return _union(found)


def _union(choices: Sequence[Type]) -> Type:
    """A value of one of these types."""
    nullable = any(each.nullable for each in choices)
    solid = [each for each in choices if each.kind is not Kind.NULL]
    if not solid:
        return NULL if choices else ANY
    first = solid[0]
    for each in solid[1:]:
        if each.kind is not first.kind:
            return ANY
        first = _either(first, each)
    return replace(first, nullable=True) if nullable else first


def _either(one: Type, other: Type) -> Type:
    """A value of one of two types of the same kind."""
    match one.kind:
        case Kind.LIST:
            return replace(one, items=_union([one.item(), other.item()]))
        case Kind.OBJECT:
            names = dict.fromkeys([*one.fields, *other.fields])
            fields = {
                name: _union([side.fields[name] for side in (one, other) if name in side.fields]) for name in names
            }
            required = one.required & other.required
            return replace(one, fields=fields, required=required, rest=one.rest or other.rest)
        case _ if one.values and other.values:
            return replace(one, values=tuple(dict.fromkeys([*one.values, *other.values])))
        case _:
            return replace(one, values=())


def _both(one: Type, other: Type) -> Type:
    """A value of both types, as `allOf` and words beside a `$ref` demand."""
    if one.kind is Kind.ANY:
        return other
    if other.kind is Kind.ANY:
        return one
    nullable = one.nullable and other.nullable
    if one.kind is not other.kind:
        return replace(one, nullable=nullable)
    match one.kind:
        case Kind.LIST:
            return replace(one, nullable=nullable, items=_both(one.item(), other.item()))
        case Kind.OBJECT:
            fields = dict(one.fields)
            for name, inner in other.fields.items():
                fields[name] = _both(fields[name], inner) if name in fields else inner
            required = one.required | other.required
            return Type(Kind.OBJECT, nullable, fields=fields, required=required, rest=_rest_of_both(one, other))
        case _:
            values = tuple(each for each in one.values if each in other.values) if other.values else one.values
            return replace(one, nullable=nullable, values=values or one.values or other.values)


def _rest_of_both(one: Type, other: Type) -> Type | None:
    # A part that lists nothing (`{"type": "object"}`) is open by default and must not open what the other part lists.
    if not one.fields and not other.fields:
        return one.rest if other.rest is not None else None
    listing = [each.rest for each in (one, other) if each.fields and each.rest is not None]
    return listing[0] if listing else None
