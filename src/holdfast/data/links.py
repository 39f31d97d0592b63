"""Links: typed, many-to-many edges between records, `hold.links`.

A record is a pair of type and id, whatever they are to you. Between two records there may be several links, one for
each relation; making the same link again changes its attributes and nothing else. A link can be looked up from both
ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from holdfast.data.checks import check_direction, check_edge, check_label, check_ref, prefixed
from holdfast.data.model import Link, LinkedNamespace, LinkedNamespaces, Match, Matches, Ref, Upserted
from holdfast.data.port import LinkStore
from holdfast.errors import InvalidInput
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.json import decode, encode_canonical
from holdfast.kernel.page import Page

__all__ = ["CURATED_RELATIONS", "CURATED_TYPES", "Links", "Record"]

Record = Ref | tuple[str, str] | Mapping[str, str]
"""A record as callers may name it."""

CURATED_TYPES = (
    "project_task",
    "ticket",
    "contact",
    "client",
    "project",
    "appointment",
    "quote",
    "document",
    "session",
)
CURATED_RELATIONS = ("related", "mirrors", "maps_to", "blocks", "duplicate_of", "synced_with")


class Links:
    """The links of one tenant."""

    def __init__(self, store: LinkStore, require: Callable[[str], None], *, value_limit: int = 256 * 1024) -> None:
        self._store = store
        self._require = require
        self._value_limit = value_limit

    async def upsert(
        self,
        namespace: str,
        from_: Record,
        to: Record,
        *,
        relation: str = "related",
        attributes: Mapping[str, Any] | None = None,
    ) -> Upserted:
        """Link two records. A link that is there gets the attributes; without any it keeps its own."""
        self._require("data:write")
        left, right = check_ref("from", from_), check_ref("to", to)
        check_edge(namespace, left, right, relation)
        if attributes is not None and not isinstance(attributes, Mapping):
            raise InvalidInput("attributes is not an object", hint="give names with values", field="attributes")
        text = None if attributes is None else encode_canonical("attributes", attributes, limit=self._value_limit)
        link_id, created = await self._store.upsert(namespace, left, right, relation, text)
        return Upserted(link_id, created)

    async def lookup(
        self,
        namespace: str,
        from_: Record,
        *,
        direction: str = "forward",
        relation: str | None = None,
        right_type: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Matches:
        """What a record is linked with: to others, from others (reverse), or either. A link with itself is found once.

        `right_type` keeps only records of that type at the other end, whichever end that is.
        """
        self._require("data:read")
        check_limit(limit)
        check_label("namespace", namespace)
        of, way = check_ref("from", from_), check_direction(direction)
        _labels(relation=relation, right_type=right_type)
        query = {"lookup": namespace, "of": list(of), "way": way, "relation": relation, "right_type": right_type}
        after = None
        if cursor is not None:
            kind, record, of_relation, link = decode_cursor(query, cursor, (str, str, str, UUID))
            after = (kind, record, of_relation, link)
        ways = (way != "reverse", way != "forward")
        rows = await self._store.lookup(namespace, of, ways, relation, right_type, after, limit + 1)
        items = [Match(**(row | {"attributes": decode(row["attributes"])})) for row in rows[:limit]]
        if len(rows) <= limit:
            return Matches(items, None)
        last = items[-1]
        return Matches(items, encode_cursor(query, [last.type, last.id, last.relation, str(last.link_id)]))

    async def delete(
        self, namespace: str, from_: Record | None = None, to: Record | None = None, *, relation: str | None = None
    ) -> int:
        """Delete the links from a record, to a record, or between two; of one relation or all. How many there were."""
        self._require("data:write")
        check_label("namespace", namespace)
        _labels(relation=relation)
        if from_ is None and to is None:
            raise InvalidInput(
                "neither from nor to is given", hint="give one of them, or both: a whole namespace is not deleted"
            )
        left = None if from_ is None else check_ref("from", from_)
        right = None if to is None else check_ref("to", to)
        return await self._store.delete(namespace, left, right, relation)

    async def list(
        self,
        namespace: str,
        *,
        left_type: str | None = None,
        right_type: str | None = None,
        relation: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Link]:
        """Links in the order of their ends."""
        self._require("data:read")
        check_limit(limit)
        check_label("namespace", namespace)
        _labels(left_type=left_type, right_type=right_type, relation=relation)
        query = {"links": namespace, "left_type": left_type, "right_type": right_type, "relation": relation}
        after: Sequence[str] = ("",) * 5 if cursor is None else decode_cursor(query, cursor, (str,) * 5)
        rows = await self._store.page(namespace, left_type, right_type, relation, after, limit + 1)
        items = [Link(namespace=namespace, **(row | {"attributes": decode(row["attributes"])})) for row in rows[:limit]]
        if len(rows) <= limit:
            return Page(items, None)
        last = items[-1]
        position: list[str | int] = [last.left_type, last.left_id, last.right_type, last.right_id, last.relation]
        return Page(items, encode_cursor(query, position))

    async def list_namespaces(self, *, limit: int = 200, cursor: str | None = None) -> LinkedNamespaces:
        """Namespaces that hold links, and how many."""
        self._require("data:read")
        check_limit(limit)
        query = {"namespaces": "links"}
        after = "" if cursor is None else decode_cursor(query, cursor, (str,))[0]
        rows = await self._store.namespaces(after, limit + 1)
        items = [LinkedNamespace(row["namespace"], row["links"]) for row in rows[:limit]]
        return LinkedNamespaces(items, encode_cursor(query, [items[-1].namespace]) if len(rows) > limit else None)

    async def namespace_names(self, prefix: str = "", *, limit: int = 50) -> Sequence[str]:
        """Names of namespaces that begin with a prefix, quickly and without counting: for suggestions."""
        self._require("data:read")
        check_limit(limit)
        return await self._store.namespace_names(*prefixed(prefix), limit)

    async def types_in_use(self, namespace: str, prefix: str = "", *, limit: int = 50) -> Sequence[str]:
        """Types of records that are linked in a namespace, those that begin with a prefix."""
        self._require("data:read")
        check_limit(limit)
        check_label("namespace", namespace)
        return await self._store.types_in_use(namespace, *prefixed(prefix), limit)

    async def relations_in_use(self, namespace: str, prefix: str = "", *, limit: int = 50) -> Sequence[str]:
        """Relations that are used in a namespace, those that begin with a prefix; of a large one not always all."""
        self._require("data:read")
        check_limit(limit)
        check_label("namespace", namespace)
        return await self._store.relations_in_use(namespace, *prefixed(prefix), limit)


def _labels(**labels: str | None) -> None:
    for field, value in labels.items():
        if value is not None:
            check_label(field, value)
