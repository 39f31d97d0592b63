"""Headlines: the few fields that say what a document is about, where there is little room.

A contract marks them in its schema, `"x-headline": true`, or with a number for their order; without a mark they are the
first few plain fields that are required, then others by name. What is shown is the version that people were asked
about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from holdfast.kernel.json import decode, dump
from holdfast.people.model import HeadlineField
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["headline_names", "read_headlines"]

_SQL = queries("people")
_FEW: Final = 3
_MOST: Final = 10
_PLAIN: Final = frozenset({"string", "number", "integer", "boolean"})


def headline_names(properties: Mapping[str, Any], required: Sequence[str] = ()) -> list[str]:
    """The fields of a schema that make its headline, in order."""
    shown = {name: schema for name, schema in properties.items() if isinstance(schema, Mapping)}
    marked = {name: _rank(schema["x-headline"]) for name, schema in shown.items() if schema.get("x-headline")}
    if marked:
        return sorted(marked, key=lambda name: (marked[name], name))[:_MOST]
    plain = {name for name, schema in shown.items() if schema.get("type") in _PLAIN}
    first = [name for name in required if name in plain]
    return [*first, *sorted(plain - set(first))][:_FEW]


async def read_headlines(tx: TenantTx, versions: Mapping[UUID, frozenset[str]]) -> dict[UUID, list[HeadlineField]]:
    """The headlines of some versions of documents, each without the fields that are hidden from who reads it."""
    if not versions:
        return {}
    rows = await tx.rows(_SQL["headline_fields"], ids=sorted(versions))
    properties: dict[UUID, Mapping[str, Any]] = {row["id"]: row["properties"] or {} for row in rows}
    names = {row["id"]: headline_names(properties[row["id"]], row["required"] or ()) for row in rows}
    found: dict[UUID, list[HeadlineField]] = {}
    fields = [dump(each) for each in names.values()]
    for row in await tx.rows(_SQL["headline_values"], ids=list(names), fields=fields):
        values = decode(row["found"]) if row["found"] is not None else {}
        schemas = properties[row["id"]]
        found[row["id"]] = [
            HeadlineField(name, str(schemas[name].get("title") or name), values[name])
            for name in names[row["id"]]
            if name in values and name not in versions[row["id"]]
        ]
    return found


def _rank(mark: Any) -> float:
    return float(mark) if isinstance(mark, int | float) and not isinstance(mark, bool) else 0.0
