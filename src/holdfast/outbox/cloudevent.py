"""Events as CloudEvents 1.0, in structured and binary mode, through the `cloudevents` library.

The data goes out with exactly the digits that Postgres stores: 12345678901234567.89 must not pass through a float on
its way, and 12.50 must stay 12.50. So the library gets the JSON text as bytes, and a format that writes it as it is.
"""

from __future__ import annotations

from datetime import UTC
from typing import Any

from cloudevents.core.base import BaseCloudEvent
from cloudevents.core.bindings.http import HTTPMessage, to_binary, to_structured
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent

from holdfast.kernel.json import dump
from holdfast.outbox.model import OutboxEvent

__all__ = ["binary", "structured"]


class _StoredJson(JSONFormat):
    """Writes data that is JSON text already."""

    def write(self, event: BaseCloudEvent) -> bytes:
        attributes = dict(event.get_attributes())
        attributes["time"] = attributes["time"].isoformat().replace("+00:00", "Z")
        data = event.get_data()
        assert isinstance(data, bytes)
        head = dump(attributes).encode()
        return head[:-1] + b',"data":' + data + b"}"


_FORMAT = _StoredJson()


def structured(event: OutboxEvent) -> HTTPMessage:
    """The whole event as one JSON document."""
    return to_structured(_cloud_event(event), _FORMAT)


def binary(event: OutboxEvent) -> HTTPMessage:
    """The data as the body, everything else as `ce-…` headers."""
    return to_binary(_cloud_event(event), _FORMAT)


def _cloud_event(event: OutboxEvent) -> CloudEvent:
    attributes: dict[str, Any] = {
        "specversion": "1.0",
        "id": event.id,
        "source": event.source,
        "type": event.type,
        "time": event.time.astimezone(UTC),
        "datacontenttype": "application/json",
        "tenant": event.tenant,
        # The attribute by which CloudEvents tell order; as wide as any bigint, so that texts compare like numbers.
        "sequence": f"{event.seq:019}",
    }
    if event.subject is not None:
        attributes["subject"] = event.subject
    if event.trace_parent is not None:
        attributes["traceparent"] = event.trace_parent
    return CloudEvent(attributes, event.payload.encode())
