"""What a schema may cost, found when it is registered: how deep, how many, how often for one value.

Every subschema that can be reached is looked at once, references included. A reference leads into the schema itself
and nowhere else. What applies to the *same* value (`$ref`, `allOf`, `anyOf`, `if` …) is counted as if it were written
out: seventeen definitions that each name the next one twice are 131 072 checks of one value, and a schema that leads
back to itself without going into a member never ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote

from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.exceptions import NoSuchAnchor, PointerToNowhere, Unresolvable
from referencing.jsonschema import DRAFT202012

from holdfast.kernel.schemas.patterns import BadPattern, pattern

__all__ = ["DIALECT", "MOST_AT_ONE_PLACE", "MOST_DEPTH", "MOST_SUBSCHEMAS", "BadSchema", "Walk", "walk"]

MOST_DEPTH: Final = 60
"""Levels of subschemas in subschemas."""
MOST_SUBSCHEMAS: Final = 2000
"""Subschemas that a schema may hold."""
MOST_AT_ONE_PLACE: Final = 1000
"""Subschemas that may apply to one value, references followed."""
DIALECT: Final = Draft202012Validator.META_SCHEMA["$id"]
_DOCS: Final = "https://json-schema.org/draft/2020-12"
_KNOWN: Registry[Any] = Registry().with_resource(DIALECT, DRAFT202012.create_resource(Draft202012Validator.META_SCHEMA))
_NAMED_INSIDE: Final[tuple[str, ...]] = ("$defs", "definitions", "patternProperties", "properties")
_NAMED_HERE: Final[tuple[str, ...]] = ("dependentSchemas",)
_LISTED_INSIDE: Final[tuple[str, ...]] = ("prefixItems",)
_LISTED_HERE: Final[tuple[str, ...]] = ("allOf", "anyOf", "oneOf")
_SINGLE_INSIDE: Final[tuple[str, ...]] = (
    *("additionalProperties", "contains", "contentSchema", "items", "propertyNames"),
    *("unevaluatedItems", "unevaluatedProperties"),
)
_SINGLE_HERE: Final[tuple[str, ...]] = ("else", "if", "not", "then")
_REFERENCES: Final = ("$ref", "$dynamicRef")


class BadSchema(ValueError):
    """A schema that is not taken: where, why, and what to do."""

    def __init__(self, path: tuple[str | int, ...], why: str, hint: str) -> None:
        super().__init__(why)
        self.path = path
        self.why = why
        self.hint = hint


@dataclass(slots=True)
class Walk:
    """What was found on the way through a schema."""

    seen: dict[int, Any] = field(default_factory=dict)
    """Every subschema that can be reached, by its identity."""
    counts: dict[int, int] = field(default_factory=dict)
    """How many subschemas apply where one does; 0 while that is being counted."""


@dataclass(frozen=True, slots=True)
class _Spot:
    schema: Any
    path: tuple[str | int, ...]
    depth: int
    resolver: Any
    same_value: bool


def walk(schema: Any) -> Walk:
    """Look at all of a schema; raises `BadSchema`."""
    found = Walk()
    root = DRAFT202012.create_resource(schema)
    identity = root.id() or ""
    resolver = _KNOWN.with_resource(identity, root).crawl().resolver(identity)
    waiting = [_Spot(schema, (), 0, resolver, False)]
    while waiting:
        spot = waiting.pop()
        if id(spot.schema) not in found.counts and isinstance(spot.schema, Mapping):
            # What applies to the same value is followed at once, and what lies deeper waits for its turn.
            _count(spot, found, waiting, 0)
    return found


def _count(spot: _Spot, found: Walk, waiting: list[_Spot], chain: int) -> int:
    """How many subschemas apply to a value where this one does."""
    schema = spot.schema
    if not isinstance(schema, Mapping):
        return 1
    known = found.counts.get(id(schema))
    if known == 0:
        raise BadSchema(
            spot.path,
            "it refers to itself without end",
            "let a reference lead into a member or an element, not back to the same place",
        )
    if known is not None:
        return known
    _check_one(spot, found, chain)
    found.seen[id(schema)] = schema
    found.counts[id(schema)] = 0
    total = 1
    for inner in _inner(spot):
        if inner.same_value:
            total += _count(inner, found, waiting, chain + 1)
        else:
            waiting.append(inner)
    if total > MOST_AT_ONE_PLACE:
        raise BadSchema(
            spot.path[:8],
            f"more than {MOST_AT_ONE_PLACE} subschemas apply to one value, references followed",
            "refer to a definition once, and combine fewer",
        )
    found.counts[id(schema)] = total
    return total


def _check_one(spot: _Spot, found: Walk, chain: int) -> None:
    schema, path = spot.schema, spot.path
    if max(spot.depth, chain) > MOST_DEPTH:
        raise BadSchema(path[:8], f"it is nested in more than {MOST_DEPTH} levels", "give parts a name under $defs")
    if len(found.seen) >= MOST_SUBSCHEMAS:
        raise BadSchema((), f"it has more than {MOST_SUBSCHEMAS} subschemas", "describe less of it, or split it")
    if schema.get("$schema", DIALECT) not in (DIALECT, f"{DIALECT}#"):
        raise BadSchema((*path, "$schema"), "it is not of draft 2020-12", f"see {_DOCS}")
    patterns = schema.get("patternProperties")
    texts: list[tuple[tuple[str, ...], str]] = []
    if isinstance(patterns, Mapping):
        texts += [(("patternProperties", text), text) for text in patterns]
    if isinstance(schema.get("pattern"), str):
        texts.append((("pattern",), schema["pattern"]))
    for place, text in texts:
        try:
            pattern(text)
        except BadPattern as error:
            hint = "write it without that; see what patterns may hold in the docs, under Contracts"
            raise BadSchema((*path, *place), f"the pattern {text!r:.120} cannot be used: {error}", hint) from None


def _inner(spot: _Spot) -> Iterator[_Spot]:
    """The subschemas of one, and what it refers to."""
    schema, path, below, known = spot.schema, spot.path, spot.depth + 1, spot.resolver
    for keyword in _REFERENCES:
        if isinstance(schema.get(keyword), str):
            found = _resolved(schema[keyword], (*path, keyword), known)
            if found.contents is not Draft202012Validator.META_SCHEMA:
                # What is referred to has a depth of its own, where it stands.
                yield _Spot(found.contents, _place(schema[keyword], (*path, keyword)), 1, found.resolver, True)
    for names, here in ((_NAMED_INSIDE, False), (_NAMED_HERE, True)):
        for keyword in names:
            if isinstance(members := schema.get(keyword), Mapping):
                for name, inner in members.items():
                    yield _Spot(inner, (*path, keyword, name), below, _inside(inner, known), here)
    for names, here in ((_LISTED_INSIDE, False), (_LISTED_HERE, True)):
        for keyword in names:
            if isinstance(elements := schema.get(keyword), list | tuple):
                for number, inner in enumerate(elements):
                    yield _Spot(inner, (*path, keyword, number), below, _inside(inner, known), here)
    for names, here in ((_SINGLE_INSIDE, False), (_SINGLE_HERE, True)):
        for keyword in names:
            if keyword in schema:
                inner = schema[keyword]
                yield _Spot(inner, (*path, keyword), below, _inside(inner, known), here)


def _place(target: str, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Where a reference leads, if it says so itself; otherwise where it stands."""
    if target == "#":
        return ()
    parts = unquote(target[2:]).split("/") if target.startswith("#/") else []
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts) or path


def _inside(schema: Any, resolver: Any) -> Any:
    """Who knows the way from a subschema, which may have an address of its own."""
    named = isinstance(schema, Mapping) and "$id" in schema
    return resolver.in_subresource(DRAFT202012.create_resource(schema)) if named else resolver


def _resolved(target: str, path: tuple[str | int, ...], resolver: Any) -> Any:
    try:
        return resolver.lookup(target)
    except (Unresolvable, PointerToNowhere, NoSuchAnchor, ValueError):
        raise BadSchema(
            path,
            f"it refers to {target!r:.120}, which is not in the schema",
            "put what it refers to under $defs; other documents are never fetched",
        ) from None
