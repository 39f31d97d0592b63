"""Events for processes, written into `workflow_events_outbox` in the transaction of the change they tell of.

Each carries the version of the document and the trace it belongs to, and is written once: a receipt with its key comes
first (WF-11). Every change has an id of its own in the payload, so that two changes that look alike are two events.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from opentelemetry import trace

from holdfast.envelope.tokens import event_key
from holdfast.kernel.actor import Actor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import canonical_json, dump
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["actor_json", "current_trace_id", "post_event"]

_SQL = queries("documents")


def current_trace_id() -> str:
    """The trace that is being recorded, as OpenTelemetry knows it; without one, a new id that ties things together."""
    context = trace.get_current_span().get_span_context()
    return format(context.trace_id, "032x") if context.is_valid else uuid4().hex


def actor_json(actor: Actor) -> str:
    """Who caused an event, as whoever handles it later needs to know them."""
    return dump({"kind": actor.kind, "name": actor.name, "roles": sorted(actor.roles)})


async def post_event(
    tx: TenantTx,
    event_type: str,
    payload: Mapping[str, Any],
    *,
    instance_id: UUID,
    entity_type: str | None,
    entity_id: UUID | None,
    entity_version: int,
    trace_id: str | None,
) -> bool:
    """Tell processes of something, if and when the transaction commits. False when they were told before."""
    row = await tx.one(
        _SQL["post_event"],
        id=uuid7(),
        instance_id=instance_id,
        entity_type=entity_type,
        entity_id=entity_id,
        entity_version=entity_version,
        event_type=event_type,
        payload=canonical_json(payload).decode(),
        key=event_key(str(instance_id), event_type, payload, entity_version),
        actor=actor_json(tx.actor),
        trace_id=trace_id,
    )
    return row is not None and row["posted"] == 1
