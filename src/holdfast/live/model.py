"""The live stream as plain values: topics, events, and which event of the trail belongs to which topic.

An event names what happened to what, by kinds and ids, and carries nothing of its content: who needs that asks for it,
and is answered what they may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from holdfast.errors import InvalidInput
from holdfast.kernel.json import dump
from holdfast.kernel.names import did_you_mean

__all__ = ["READS", "TOPICS", "FeedItem", "LiveEvent", "TrailRow", "check_topics", "item_of", "topics_of"]

TOPICS: Final[Mapping[str, str | None]] = {
    "inbox": "processes:read",
    "documents": "documents:read",
    "processes": "processes:read",
    "runs": "runs:read",
    "sessions": "sessions:read",
    "definitions": "processes:read",
    "health": None,
}
"""Every topic with the permission it needs. What `health` shows needs that of each thing it is about."""

READS: Final[Mapping[str, str]] = {
    "document": "documents:read",
    "instance": "processes:read",
    "definition": "processes:read",
    "approval": "processes:read",
    "task": "processes:read",
    "run": "runs:read",
    "schedule": "schedules:read",
    "outbox": "outbox:read",
    "session": "sessions:read",
}
"""What it takes to see a thing; messages are their reader's own."""

_HEALTH: Final = frozenset(
    {
        *("run.failed", "run.lease_expired", "outbox.dead", "outbox.replayed", "outbox.skipped"),
        *(
            "effect.dead_letter",
            "effect.replayed",
            "effect.skipped",
            "inbox.replayed",
            "inbox.skipped",
            "schedule.failed",
            "schedule.missed",
        ),
        *("instance.failed", "instance.paused", "instance.resumed"),
    }
)
_TOPIC: Final[Mapping[str, str]] = {
    "document": "documents",
    "instance": "processes",
    "run": "runs",
    "session": "sessions",
    "definition": "definitions",
    "notification": "inbox",
}


@dataclass(frozen=True)
class LiveEvent:
    """Something that happened, of a topic; without a topic, something about the stream itself.

    Of the stream itself: `resync`, something may have been missed and is to be asked for anew; `topics`, which of them
    the reader may see; `position`, nothing but where the stream is. `id` is where to go on after it.

    For example:

        event: LiveEvent
        async for event in app.follow_live("acme", ["inbox"], actor="ana"):
            if event.kind == "resync" or event.topic == "inbox":
                print(event.object)
    """

    id: str | None
    topic: str | None
    kind: str
    object: Mapping[str, Any]

    @cached_property
    def text(self) -> str:
        """As a server-sent event; made once, however many read it."""
        head = "" if self.id is None else f"id: {self.id}\n"
        if self.topic is None:
            return f"{head}event: {self.kind}\ndata: {dump(self.object)}\n\n"
        return f"{head}data: {dump({'topic': self.topic, 'kind': self.kind, 'object': self.object})}\n\n"


@dataclass(frozen=True, slots=True)
class TrailRow:
    """One thing that happened, as it was read."""

    number: int
    object_kind: str
    object_id: UUID
    event_type: str
    request: UUID | None = None
    document_id: UUID | None = None
    entity_type: str | None = None
    principals: Sequence[str] = ()
    early: bool = False
    """Whether it belongs to what the reader was in the midst of."""


@dataclass(frozen=True, slots=True)
class FeedItem:
    """An event of a topic, and who may see it."""

    event: LiveEvent
    needs: str | None
    """The permission without which nobody sees it."""
    principals: Sequence[str] | None = None
    """The names it is for; None: everybody's who may see it."""
    entity_type: str | None = None
    """The type of the document that it is about, if any."""


def topics_of(told: TrailRow) -> list[str]:
    """The topics to which something that happened belongs, in the order of `TOPICS`."""
    found = {_TOPIC[told.object_kind]} if told.object_kind in _TOPIC else set()
    if told.request is not None:
        found.add("inbox")
    if told.event_type in _HEALTH:
        found.add("health")
    return [topic for topic in TOPICS if topic in found]


def item_of(told: TrailRow, topic: str, id: str) -> FeedItem:  # noqa: A002 - it is the id
    """What is told of something in one of its topics."""
    what, _, kind = told.event_type.rpartition(".")
    about: dict[str, Any] = {"kind": told.object_kind, "id": str(told.object_id)}
    if told.document_id is not None:
        about["document_id"] = str(told.document_id)
    if topic == "inbox" and told.request is not None:
        about |= {"kind": what, "id": str(told.request), "instance_id": str(told.object_id)}
    asked = told.principals if topic == "inbox" else None
    return FeedItem(LiveEvent(id, topic, kind, about), READS.get(about["kind"]), asked, told.entity_type)


def check_topics(topics: Iterable[str] | None) -> tuple[str, ...]:
    """The topics that are wanted, each once; all of them for None."""
    if isinstance(topics, str):
        raise InvalidInput("topics is one string", hint="give a list of topics", field="topics")
    wanted = tuple(TOPICS if topics is None else topics)
    for topic in wanted:
        if topic not in TOPICS:
            raise InvalidInput(
                f"there is no topic {topic!r}",
                hint=did_you_mean(topic, TOPICS) or f"use some of {', '.join(TOPICS)}",
                field="topics",
            )
    if not wanted:
        raise InvalidInput("no topic is named", hint=f"use some of {', '.join(TOPICS)}", field="topics")
    return tuple(topic for topic in TOPICS if topic in wanted)
