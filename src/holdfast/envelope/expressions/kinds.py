"""The types of the expression language: what an expression may do with a value.

A `Type` is deliberately smaller than JSON Schema: what a schema says that a condition cannot use is ignored, and
what cannot be decided before the value is met is `any`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

__all__ = [
    "ANY",
    "BOOLEAN",
    "INSTANT",
    "NULL",
    "NUMBER",
    "OPEN_OBJECT",
    "TEXT",
    "Kind",
    "Type",
    "list_of",
    "with_errors",
]


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

    @property
    def may_be_null(self) -> bool:
        """Whether the type is known, and null is among its values."""
        return self.nullable and self.kind not in (Kind.ANY, Kind.NULL)

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
        return f"{text} or null" if self.may_be_null else text


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


def with_errors(context: Type, results: Iterable[str]) -> Type:
    """The type of variables of which some take results: those hold `error` instead when their step ended so."""
    fields = dict(context.fields)
    for name in results:
        found = fields.get(name)
        if found is not None and found.kind is Kind.OBJECT and found.rest is None:
            fields[name] = replace(found, fields={"error": ANY, **found.fields})
    return replace(context, fields=fields)
