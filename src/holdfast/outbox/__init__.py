"""The outbox: events for other systems, published in your transaction, sent afterwards, in order, at least once."""

from holdfast.kernel.webhooks import verify
from holdfast.outbox.api import Outbox
from holdfast.outbox.model import EventInfo, NewEvent, OutboxEvent, OutboxStats
from holdfast.outbox.sinks import Sink, Sinks, TryLater, Undeliverable, build_sinks
from holdfast.outbox.worker import Dispatcher

__all__ = [
    "Dispatcher",
    "EventInfo",
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
