"""Data: what workflows remember. Keys hold JSON values, links connect records."""

from holdfast.data.keys import Keys
from holdfast.data.links import Links
from holdfast.data.model import (
    Change,
    Changes,
    Entry,
    EntryPage,
    Incremented,
    Link,
    LinkPage,
    Match,
    Matches,
    Origin,
    Put,
    Ref,
    Rules,
    Upserted,
    Written,
)
from holdfast.data.stores.memory import MemoryKeys, MemoryLinks

__all__ = [
    "Change",
    "Changes",
    "Entry",
    "EntryPage",
    "Incremented",
    "Keys",
    "Link",
    "LinkPage",
    "Links",
    "Match",
    "Matches",
    "MemoryKeys",
    "MemoryLinks",
    "Origin",
    "Put",
    "Ref",
    "Rules",
    "Upserted",
    "Written",
]
