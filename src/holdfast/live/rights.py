"""What a reader may see, and what of it is theirs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from holdfast.documents import Access, Contracts
from holdfast.kernel.actor import Actor
from holdfast.live.model import READS, TOPICS, FeedItem, LiveEvent
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx

__all__ = ["ReaderRights", "load_rights", "may_see"]

_SQL = queries("people")


@dataclass(frozen=True, slots=True)
class ReaderRights:
    """One reader's topics, permissions, and the names under which people ask them, some only about one type."""

    topics: frozenset[str]
    permissions: frozenset[str]
    names: frozenset[str]
    names_for: frozenset[tuple[str, str]] = frozenset()
    partly_read: frozenset[str] = frozenset()
    """Types of which the reader sees only some documents."""

    def shown(self, items: Iterable[FeedItem]) -> list[LiveEvent]:
        """What the reader is told of what happened. Which document it was, only where they see all of its type."""
        return [
            replace(item.event, object={"kind": item.event.object["kind"]})
            if item.event.topic == "documents" and item.entity_type in self.partly_read
            else item.event
            for item in items
            if self.sees(item)
        ]

    def sees(self, item: FeedItem) -> bool:
        if item.event.topic not in self.topics or (item.needs is not None and item.needs not in self.permissions):
            return False
        if item.principals is None:
            return True
        return any(
            name in self.names or (item.entity_type is not None and (name, item.entity_type) in self.names_for)
            for name in item.principals
        )


async def load_rights(tx: TenantTx, topics: tuple[str, ...], contracts: Contracts) -> ReaderRights:
    """What the transaction's actor sees now of the topics that are wanted."""
    actor = tx.actor
    shown = frozenset(topic for topic in topics if may_see(actor, topic))
    rows: list[Row] = []
    if "inbox" in shown:
        roles, may_approve = sorted(actor.roles), actor.may("processes:approve")
        rows = await tx.rows(_SQL["my_names"], me=actor.name, roles=roles, may_approve=may_approve)
    names = {row["principal"] for row in rows if row["only_type"] is None} | {f"user:{actor.name}"}
    only = frozenset((row["principal"], row["only_type"]) for row in rows if row["only_type"] is not None)
    return ReaderRights(shown, actor.permissions, frozenset(names), only, Access(tx, contracts).partly_read())


def may_see(actor: Actor, topic: str) -> bool:
    """Whether a topic can show an actor anything."""
    permission = TOPICS[topic]
    return actor.may(permission) if permission is not None else any(map(actor.may, READS.values()))
