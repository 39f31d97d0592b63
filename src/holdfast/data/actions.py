"""The data store as actions: `store.*` and `links.*`, with what a designer needs to show them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, overload

from pydantic import BaseModel

from holdfast.actions import ActionRegistry, Call
from holdfast.data.forms import (
    Deleted,
    DeletedLinks,
    DeleteKey,
    DeleteLinks,
    Found,
    IncrementKey,
    Items,
    KeyNamespaces,
    LinkNamespaces,
    LinksOut,
    ListKeys,
    ListLinks,
    LookupLinks,
    MatchesOut,
    OneKey,
    PageInput,
    Record,
    SetKey,
    Sum,
    UpsertLink,
    WasLinked,
    WasSet,
)
from holdfast.data.keys import Keys
from holdfast.data.links import CURATED_RELATIONS, CURATED_TYPES, Links
from holdfast.data.model import NOWHERE, Origin
from holdfast.postgres.tenant import TenantTx

__all__ = ["register_data"]

GROUP = "Data Store"
OpenKeys = Callable[[TenantTx, Origin], Keys]
OpenLinks = Callable[[TenantTx, Origin], Links]


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

    async def list_namespaces(call: Call, wanted: PageInput) -> Any:
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
        PageInput,
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

    async def list_namespaces(call: Call, wanted: PageInput) -> Any:
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
        PageInput,
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
        return await links_of(tx, NOWHERE).types_in_use(namespace, prefix) if namespace else ()

    async def relations(tx: TenantTx, namespace: str | None, prefix: str) -> Sequence[str]:
        return await links_of(tx, NOWHERE).relations_in_use(namespace, prefix) if namespace else ()

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
