"""Types combined: what `anyOf`, `oneOf` and `allOf` make of the types beside each other.

Schemas share their definitions, so the same two types are often combined in many places. Each pair is combined once:
a schema of fifty lines can otherwise describe more combinations than there is time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from holdfast.envelope.expressions.kinds import ANY, NULL, Kind, Type

__all__ = ["Combination"]


class Combination:
    """Combines the types of one schema."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, int], tuple[Type, Type, Type]] = {}

    def union(self, choices: Sequence[Type]) -> Type:
        """A value of one of these types."""
        nullable = any(each.nullable for each in choices)
        solid = [each for each in choices if each.kind is not Kind.NULL]
        if not solid:
            return NULL if choices else ANY
        first = solid[0]
        for each in solid[1:]:
            if each.kind is not first.kind:
                return ANY
            first = self._once("either", self._either, first, each)
        return replace(first, nullable=True) if nullable and not first.nullable else first

    def both(self, one: Type, other: Type) -> Type:
        """A value of both types, as `allOf` and words beside a `$ref` demand."""
        if one.kind is Kind.ANY:
            return other
        if other.kind is Kind.ANY:
            return one
        return self._once("both", self._both, one, other)

    def _once(self, how: str, combine: Callable[[Type, Type], Type], one: Type, other: Type) -> Type:
        if one is other:
            return one
        key = (how, id(one), id(other))
        known = self._known.get(key)
        if known is None:
            # The two are kept with the result, so that no other type can get their place in memory and so their key.
            known = self._known[key] = (one, other, combine(one, other))
        return known[2]

    def _either(self, one: Type, other: Type) -> Type:
        """A value of one of two types of the same kind."""
        match one.kind:
            case Kind.LIST:
                return replace(one, items=self.union([one.item(), other.item()]))
            case Kind.OBJECT:
                names = dict.fromkeys([*one.fields, *other.fields])
                fields = {
                    name: self.union([side.fields[name] for side in (one, other) if name in side.fields])
                    for name in names
                }
                required = one.required & other.required
                return replace(one, fields=fields, required=required, rest=one.rest or other.rest)
            case _ if one.values and other.values:
                return replace(one, values=tuple(dict.fromkeys([*one.values, *other.values])))
            case _:
                return replace(one, values=())

    def _both(self, one: Type, other: Type) -> Type:
        nullable = one.nullable and other.nullable
        if one.kind is not other.kind:
            return replace(one, nullable=nullable)
        match one.kind:
            case Kind.LIST:
                return replace(one, nullable=nullable, items=self.both(one.item(), other.item()))
            case Kind.OBJECT:
                fields = dict(one.fields)
                for name, inner in other.fields.items():
                    fields[name] = self.both(fields[name], inner) if name in fields else inner
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
