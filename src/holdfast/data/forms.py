"""What the actions of the data store take and give, with what a form needs to show it."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from holdfast.actions import shown
from holdfast.kernel.given import Given

__all__ = [
    "DeleteKey",
    "DeleteLinks",
    "Deleted",
    "DeletedLinks",
    "Found",
    "IncrementKey",
    "Item",
    "Items",
    "KeyNamespace",
    "KeyNamespaces",
    "LinkNamespace",
    "LinkNamespaces",
    "LinkOut",
    "LinksOut",
    "ListKeys",
    "ListLinks",
    "LookupLinks",
    "MatchOut",
    "MatchesOut",
    "Number",
    "OneKey",
    "PageInput",
    "Record",
    "SetKey",
    "Sum",
    "UpsertLink",
    "WasLinked",
    "WasSet",
]


class Input(Given):
    """What an action is given."""

    model_config = ConfigDict(populate_by_name=True)


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


class PageInput(Input):
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
