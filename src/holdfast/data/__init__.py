"""Data: what workflows remember. Keys hold JSON values, links connect records."""

from holdfast.data.keys import Keys
from holdfast.data.links import Links
from holdfast.data.model import (
    Change,
    Changes,
    Entry,
    Incremented,
    Link,
    Match,
    Matches,
    NamespaceRules,
    Origin,
    Put,
    Ref,
    Upserted,
    Written,
)
from holdfast.data.stores.memory import MemoryKeys, MemoryLinks

__all__ = [
    "Change",
    "Changes",
    "Entry",
    "Incremented",
    "Keys",
    "Link",
    "Links",
    "Match",
    "Matches",
    "MemoryKeys",
    "MemoryLinks",
    "NamespaceRules",
    "Origin",
    "Put",
    "Ref",
    "Upserted",
    "Written",
]
