"""The data store as actions: `store.*` and `links.*`, with what a designer needs to show them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, overload
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from holdfast.actions import ActionRegistry, Call, shown
from holdfast.data.keys import Keys
from holdfast.data.links import CURATED_RELATIONS, CURATED_TYPES, Links
from holdfast.data.model import NOWHERE, Origin
from holdfast.postgres.tenant import TenantTx

__all__ = ["register_data"]

GROUP = "Data Store"
OpenKeys = Callable[[TenantTx, Origin], Keys]
OpenLinks = Callable[[TenantTx, Origin], Links]


class Input(BaseModel):
    """What an action is given; unknown members are refused, so that a misspelt one never passes silently."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


_COLLECTION = "groups what belongs together; made by its first use"
KeySpace = Annotated[str, shown("Collection", _COLLECTION, widget="combobox", suggestions="store.namespaces")]
LinkSpace = Annotated[str, shown("Collection", _COLLECTION, widget="combobox", suggestions="links.namespaces")]
Relation = Annotated[
    str | None, shown("Relationship", "empty for any", widget="combobox", suggestions="links.relations")
]
Key = Annotated[str, shown("Key", "which entry of the collection", widget="expression")]
Limit = Annotated[int, shown("Limit", "how many at most, up to 200", advanced=True)]
Cursor = Annotated[str | None, shown("Cursor", "next_cursor of the page before", widget="expression", advanced=True)]
Number = int | Decimal


class Record(Input):
    """A record by its type and id."""

    type: Annotated[str, shown("Type", "what kind of record it is", widget="combobox", suggestions="links.types")]
    id: Annotated[str, shown("Id", "mostly the output of an earlier step", widget="expression")]


class OneKey(Input):
    """A key."""

    namespace: KeySpace
    key: Key


class SetKey(OneKey):
    """A key and what to store under it."""

    value: Annotated[Any, shown("Value", "any JSON value", widget="expression")]
    value_type: Annotated[
        Literal["string", "number", "boolean", "json"] | None,
        shown("Value type", "a hint for people; by default what the value is", widget="segmented", advanced=True),
    ] = None
    ttl_seconds: Annotated[float | None, shown("Lifetime in seconds", "the key expires after it", advanced=True)] = None
    if_revision: Annotated[
        int | None, shown("Only if revision", "0: only if there is no such key yet", widget="expression", advanced=True)
    ] = None


class DeleteKey(OneKey):
    """A key to delete."""

    if_revision: Annotated[int | None, shown("Only if revision", widget="expression", advanced=True)] = None


class IncrementKey(OneKey):
    """A number to add to."""

    by: Annotated[Number, shown("By", "how much to add; may be negative", widget="expression")] = 1
    initial: Annotated[Number, shown("Start from", "where a key that is not there begins", advanced=True)] = 0
    ttl_seconds: Annotated[float | None, shown("Lifetime in seconds", "from its first use on", advanced=True)] = None


class ListKeys(Input):
    """Which keys to list."""

    namespace: KeySpace
    prefix: Annotated[str, shown("Prefix", "what their keys begin with, literally", widget="expression")] = ""
    limit: Limit = 50
    cursor: Cursor = None


class Page(Input):
    """A page of a list."""

    limit: Annotated[int, shown("Limit", "how many at most, up to 200", advanced=True)] = 200
    cursor: Cursor = None


class UpsertLink(Input):
    """Two records to link."""

    namespace: LinkSpace
    from_: Annotated[Record, shown("From record", alias="from")]
    to: Annotated[Record, shown("To record")]
    relation: Annotated[
        str, shown("Relationship", "how they belong together", widget="combobox", suggestions="links.relations")
    ] = "related"
    attributes: Annotated[dict[str, Any] | None, shown("Attributes", "facts about the link", widget="json")] = None


class LookupLinks(Input):
    """What to look for."""

    namespace: LinkSpace
    from_: Annotated[Record, shown("From record", alias="from")]
    direction: Annotated[Literal["forward", "reverse", "either"], shown("Direction", widget="segmented")] = "forward"
    relation: Relation = None
    right_type: Annotated[
        str | None, shown("Type of the match", widget="combobox", suggestions="links.types", advanced=True)
    ] = None
    limit: Limit = 50
    cursor: Cursor = None


class DeleteLinks(Input):
    """Which links to delete: from a record, to a record, or between both."""

    namespace: LinkSpace
    from_: Annotated[Record | None, shown("From record", alias="from")] = None
    to: Annotated[Record | None, shown("To record")] = None
    relation: Relation = None


class ListLinks(Input):
    """Which links to list."""

    namespace: LinkSpace
    left_type: Annotated[str | None, shown("From type", widget="combobox", suggestions="links.types")] = None
    right_type: Annotated[str | None, shown("To type", widget="combobox", suggestions="links.types")] = None
    relation: Relation = None
    limit: Limit = 50
    cursor: Cursor = None


class Found(BaseModel):
    """An entry, if there is one."""

    found: bool
    value: Any = None
    value_type: str | None = None
    revision: int | None = None
    expires_at: datetime | None = None


class WasSet(BaseModel):
    """The revision that the key has now."""

    revision: int
    created: bool
    warning: str | None = None


class Deleted(BaseModel):
    """Whether there was such a key."""

    deleted: bool


class Sum(BaseModel):
    """The number after adding."""

    value: Number
    revision: int
    created: bool
    warning: str | None = None


class Item(BaseModel):
    """An entry of a list."""

    key: str
    value: Any
    value_type: str
    revision: int
    expires_at: datetime | None = None


class Items(BaseModel):
    """Some entries, and the cursor for those after them."""

    items: list[Item]
    next_cursor: str | None = None


class KeyNamespace(BaseModel):
    """A collection and how many keys it has."""

    namespace: str
    key_count: int


class KeyNamespaces(BaseModel):
    """Collections of keys."""

    namespaces: list[KeyNamespace]
    next_cursor: str | None = None


class WasLinked(BaseModel):
    """The link there is now."""

    link_id: UUID
    created: bool


class MatchOut(BaseModel):
    """A record that was found."""

    link_id: UUID
    type: str
    id: str
    relation: str
    attributes: dict[str, Any]
    direction: str


class MatchesOut(BaseModel):
    """The records that were found."""

    matches: list[MatchOut]
    next_cursor: str | None = None


class DeletedLinks(BaseModel):
    """How many links there were."""

    deleted_count: int


class LinkOut(BaseModel):
    """A link of a list."""

    link_id: UUID
    from_: Annotated[Record, Field(alias="from")]
    to: Record
    relation: str
    attributes: dict[str, Any]

    model_config = ConfigDict(populate_by_name=True)


class LinksOut(BaseModel):
    """Some links, and the cursor for those after them."""

    items: list[LinkOut]
    next_cursor: str | None = None


class LinkNamespace(BaseModel):
    """A collection and how many links it has."""

    namespace: str
    link_count: int


class LinkNamespaces(BaseModel):
    """Collections of links."""

    namespaces: list[LinkNamespace]
    next_cursor: str | None = None


def register_data(registry: ActionRegistry, keys_of: OpenKeys, links_of: OpenLinks) -> None:
    """Register `store.*` and `links.*`, and where their fields take suggestions from."""
    _register_store(registry, keys_of)
    _register_links(registry, links_of)
    _register_suggestions(registry, keys_of, links_of)


def _register_store(registry: ActionRegistry, keys_of: OpenKeys) -> None:
    async def get(call: Call, wanted: OneKey) -> Any:
        entry = await keys_of(call.tx, _origin(call)).get(wanted.namespace, wanted.key)
        if entry is None:
            return {"found": False}
        names = ("value", "value_type", "revision", "expires_at")
        return {"found": True} | {name: getattr(entry, name) for name in names}

    async def set_(call: Call, wanted: SetKey) -> Any:
        made = await keys_of(call.tx, _origin(call)).set(
            wanted.namespace,
            wanted.key,
            wanted.value,
            value_type=wanted.value_type,
            ttl=wanted.ttl_seconds,
            if_revision=wanted.if_revision,
        )
        return {"revision": made.revision, "created": made.created, "warning": made.warning}

    async def delete(call: Call, wanted: DeleteKey) -> Any:
        keys = keys_of(call.tx, _origin(call))
        return {"deleted": await keys.delete(wanted.namespace, wanted.key, if_revision=wanted.if_revision)}

    async def increment(call: Call, wanted: IncrementKey) -> Any:
        made = await keys_of(call.tx, _origin(call)).increment(
            wanted.namespace, wanted.key, wanted.by, initial=wanted.initial, ttl=wanted.ttl_seconds
        )
        return {"value": made.value, "revision": made.revision, "created": made.created, "warning": made.warning}

    async def list_(call: Call, wanted: ListKeys) -> Any:
        page = await keys_of(call.tx, _origin(call)).list(
            wanted.namespace, prefix=wanted.prefix, limit=wanted.limit, cursor=wanted.cursor
        )
        names = ("key", "value", "value_type", "revision", "expires_at")
        items = [{name: getattr(entry, name) for name in names} for entry in page.items]
        return {"items": items, "next_cursor": page.next_cursor}

    async def list_namespaces(call: Call, wanted: Page) -> Any:
        page = await keys_of(call.tx, _origin(call)).list_namespaces(limit=wanted.limit, cursor=wanted.cursor)
        found = [{"namespace": use.namespace, "key_count": use.key_count} for use in page.namespaces]
        return {"namespaces": found, "next_cursor": page.next_cursor}

    _add(registry, "store.get", get, OneKey, Found, "Get a value", "The value of a key, if it is there.")
    _add(registry, "store.set", set_, SetKey, WasSet, "Set a value", "Store a JSON value under a key.", writes=True)
    _add(registry, "store.delete", delete, DeleteKey, Deleted, "Delete a value", "Delete a key.", writes=True)
    _add(registry, "store.increment", increment, IncrementKey, Sum, "Count", "Add to a number, exactly.", writes=True)
    _add(registry, "store.list", list_, ListKeys, Items, "List values", "Keys of a collection, in order.")
    _add(
        registry,
        "store.list_namespaces",
        list_namespaces,
        Page,
        KeyNamespaces,
        "List collections",
        "Collections of keys, with how many keys each has.",
    )


def _register_links(registry: ActionRegistry, links_of: OpenLinks) -> None:
    async def upsert(call: Call, wanted: UpsertLink) -> Any:
        made = await links_of(call.tx, _origin(call)).upsert(
            wanted.namespace,
            _pair(wanted.from_),
            _pair(wanted.to),
            relation=wanted.relation,
            attributes=wanted.attributes,
        )
        return {"link_id": made.link_id, "created": made.created}

    async def lookup(call: Call, wanted: LookupLinks) -> Any:
        found = await links_of(call.tx, _origin(call)).lookup(
            wanted.namespace,
            _pair(wanted.from_),
            direction=wanted.direction,
            relation=wanted.relation or None,
            right_type=wanted.right_type or None,
            limit=wanted.limit,
            cursor=wanted.cursor,
        )
        names = ("link_id", "type", "id", "relation", "attributes", "direction")
        matches = [{name: getattr(match, name) for name in names} for match in found.matches]
        return {"matches": matches, "next_cursor": found.next_cursor}

    async def delete(call: Call, wanted: DeleteLinks) -> Any:
        count = await links_of(call.tx, _origin(call)).delete(
            wanted.namespace,
            _pair(wanted.from_),
            _pair(wanted.to),
            relation=wanted.relation or None,
        )
        return {"deleted_count": count}

    async def list_(call: Call, wanted: ListLinks) -> Any:
        page = await links_of(call.tx, _origin(call)).list(
            wanted.namespace,
            left_type=wanted.left_type or None,
            right_type=wanted.right_type or None,
            relation=wanted.relation or None,
            limit=wanted.limit,
            cursor=wanted.cursor,
        )
        items = [
            {
                "link_id": link.link_id,
                "from": {"type": link.left_type, "id": link.left_id},
                "to": {"type": link.right_type, "id": link.right_id},
                "relation": link.relation,
                "attributes": link.attributes,
            }
            for link in page.items
        ]
        return {"items": items, "next_cursor": page.next_cursor}

    async def list_namespaces(call: Call, wanted: Page) -> Any:
        page = await links_of(call.tx, _origin(call)).list_namespaces(limit=wanted.limit, cursor=wanted.cursor)
        found = [{"namespace": use.namespace, "link_count": use.link_count} for use in page.namespaces]
        return {"namespaces": found, "next_cursor": page.next_cursor}

    _add(
        registry,
        "links.upsert",
        upsert,
        UpsertLink,
        WasLinked,
        "Link two records",
        "Link two records, or change the attributes of their link.",
        writes=True,
    )
    _add(registry, "links.lookup", lookup, LookupLinks, MatchesOut, "Look up links", "What a record is linked with.")
    _add(
        registry,
        "links.delete",
        delete,
        DeleteLinks,
        DeletedLinks,
        "Delete links",
        "Delete links from a record, to a record, or between two.",
        writes=True,
    )
    _add(registry, "links.list", list_, ListLinks, LinksOut, "List links", "Links of a collection, in order.")
    _add(
        registry,
        "links.list_namespaces",
        list_namespaces,
        Page,
        LinkNamespaces,
        "List collections of links",
        "Collections of links, with how many links each has.",
    )


def _register_suggestions(registry: ActionRegistry, keys_of: OpenKeys, links_of: OpenLinks) -> None:
    async def key_namespaces(tx: TenantTx, namespace: str | None, prefix: str) -> Sequence[str]:
        return await keys_of(tx, NOWHERE).namespace_names(prefix)

    async def link_namespaces(tx: TenantTx, namespace: str | None, prefix: str) -> Sequence[str]:
        return await links_of(tx, NOWHERE).namespace_names(prefix)

    async def types(tx: TenantTx, namespace: str | None, prefix: str) -> Sequence[str]:
        return await links_of(tx, NOWHERE).types_in_use(namespace) if namespace else ()

    async def relations(tx: TenantTx, namespace: str | None, prefix: str) -> Sequence[str]:
        return await links_of(tx, NOWHERE).relations_in_use(namespace) if namespace else ()

    registry.suggests("store.namespaces", in_use=key_namespaces, permission="data:read")
    registry.suggests("links.namespaces", in_use=link_namespaces, permission="data:read")
    registry.suggests("links.types", curated=CURATED_TYPES, in_use=types, permission="data:read")
    registry.suggests("links.relations", curated=CURATED_RELATIONS, in_use=relations, permission="data:read")


def _add(
    registry: ActionRegistry,
    name: str,
    function: Callable[[Call, Any], Awaitable[Any]],
    given: type[BaseModel],
    answered: type[BaseModel],
    label: str,
    description: str,
    *,
    writes: bool = False,
) -> None:
    registry.add(
        name,
        function,
        input=given,
        output=answered,
        permission="data:write" if writes else "data:read",
        side_effect=writes,
        label=label,
        description=description,
        group=GROUP,
    )


def _origin(call: Call) -> Origin:
    return Origin(call.run_id, call.instance_id, call.step)


@overload
def _pair(record: Record) -> tuple[str, str]: ...
@overload
def _pair(record: None) -> None: ...
def _pair(record: Record | None) -> tuple[str, str] | None:
    return None if record is None else (record.type, record.id)
