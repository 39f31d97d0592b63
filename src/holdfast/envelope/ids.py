"""Identifiers: how the nodes and edges of a workflow are named, and what a short name stands for.

The skeleton's nodes are `sys:…`. A slot is `slot:‹name›`; what an organisation puts in it is
`usr:slot:‹name›:‹id›`, where `‹id›` is a name or a UUID. The slot's attachment points are
`sys:slot:‹name›:in` and `sys:slot:‹name›:out`. The body of a `for_each` node is named below its node:
`usr:slot:‹name›:‹id›/‹id›`, with `…/in` and `…/out` as its own attachment points. Inside a patch, authors may
write the last part alone: `review` for `usr:slot:main:review`, `in` and `out` for the attachment points.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

__all__ = ["END", "START", "Namespace", "edge_id", "slot_namespace"]

START: Final = "sys:start"
END: Final = "sys:end"

NAME: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9_])?")
"""A node's or edge's own name: letters, digits, `_`, and inside also `.` and `-`. UUIDs are names."""

_DERIVED: Final = re.compile(
    rf"{NAME.pattern}(?:\[{NAME.pattern}\])?(?:\?[0-9a-f]{{8}})?->{NAME.pattern}",
)
_RESERVED: Final = frozenset({"in", "out"})


@dataclass(frozen=True, slots=True)
class Namespace:
    """The names one patch may use. `prefix` ends with the separator; `entry` and `exit` are its attachment
    points.
    """

    slot_id: str
    prefix: str
    entry: str
    exit: str

    def node(self, name: str) -> str:
        """The full id of a node, given full or short."""
        return name if ":" in name else f"{self.prefix}{name}"

    def endpoint(self, name: str) -> str:
        """The full id of an edge's end, given full or short."""
        if name == "in":
            return self.entry
        if name == "out":
            return self.exit
        return self.node(name)

    def short(self, node_id: str) -> str:
        """The short form of an id of this namespace; other ids are returned as they are."""
        if node_id == self.entry:
            return "in"
        if node_id == self.exit:
            return "out"
        return node_id.removeprefix(self.prefix)

    def owns_node(self, node_id: str) -> bool:
        """Whether a full id is a well-formed node id of this namespace."""
        if not node_id.startswith(self.prefix):
            return False
        name = node_id[len(self.prefix) :]
        return name not in _RESERVED and NAME.fullmatch(name) is not None

    def owns_edge(self, edge: str) -> bool:
        """Whether a full id is a well-formed edge id of this namespace."""
        if not edge.startswith(self.prefix):
            return False
        name = edge[len(self.prefix) :]
        return NAME.fullmatch(name) is not None or _DERIVED.fullmatch(name) is not None

    def edge(self, source: str, target: str, outcome: str | None, condition: str | None) -> str:
        """The id of an edge whose author gave none. It depends on the edge alone, never on its position."""
        return self.prefix + edge_id(self.short(source), self.short(target), outcome, condition)

    def body(self, node_id: str) -> Namespace:
        """The namespace inside the body of the `for_each` node `node_id`."""
        return Namespace(self.slot_id, f"{node_id}/", f"{node_id}/in", f"{node_id}/out")


def slot_namespace(slot_id: str) -> Namespace:
    """The namespace of the slot `slot_id`, which is written `slot:‹name›`."""
    return Namespace(slot_id, f"usr:{slot_id}:", f"sys:{slot_id}:in", f"sys:{slot_id}:out")


def edge_id(source: str, target: str, outcome: str | None = None, condition: str | None = None) -> str:
    """`source[outcome]?digest->target`: readable, and its own for every different edge between two nodes."""
    guard = f"[{outcome}]" if outcome else ""
    if condition is not None:
        guard += "?" + hashlib.sha256(condition.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{source}{guard}->{target}"
