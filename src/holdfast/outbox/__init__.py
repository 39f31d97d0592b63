"""The outbox: events for other systems, published in your transaction, sent afterwards, in order, at least once."""

from holdfast.kernel.webhooks import verify
from holdfast.outbox.box import Outbox
from holdfast.outbox.dispatcher import Dispatcher
from holdfast.outbox.model import EventInfo, EventPage, NewEvent, OutboxEvent, OutboxStats
from holdfast.outbox.sinks import Sink, Sinks, TryLater, Undeliverable, build_sinks

__all__ = [
    "Dispatcher",
    "EventInfo",
    "EventPage",
    "NewEvent",
    "Outbox",
    "OutboxEvent",
    "OutboxStats",
    "Sink",
    "Sinks",
    "TryLater",
    "Undeliverable",
    "build_sinks",
    "verify",
]
