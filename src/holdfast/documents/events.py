"""Events for processes, posted into the engine inbox in the transaction of the change they tell of.

Each carries the version of the document and the trace it belongs to, and is written once: a receipt with its key comes
first (WF-11). Every change has an id of its own in the payload, so that two changes that look alike are two events.
Documents, people and processes post with this function; what Postgres posts by itself ends in the same place, the
function `post_events_for`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from opentelemetry import trace

from holdfast.envelope.tokens import event_key
from holdfast.kernel.actor import Actor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import dump
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["current_trace_id", "event_row", "post_events"]

_SQL = queries("documents")


def current_trace_id() -> str:
    """The trace that is being recorded, as OpenTelemetry knows it; without one, a new id that ties things together."""
    context = trace.get_current_span().get_span_context()
    return format(context.trace_id, "032x") if context.is_valid else uuid4().hex


async def post_events(tx: TenantTx, events: Sequence[Mapping[str, Any]]) -> int:
    """Tell the engine of events, if and when the transaction commits; how many it was not told of before."""
    row = await tx.row(_SQL["post_events"], events=dump(events))
    assert row is not None
    posted: int = row["posted"]
    return posted


def event_row(
    instance_id: UUID,
    event_type: str,
    payload: Mapping[str, Any],
    *,
    entity_version: int,
    actor: Actor,
    entity_type: str | None = None,
    document_id: UUID | None = None,
    definition_version: int | None = None,
    trace_id: str | None = None,
    needs: str | None = None,
) -> dict[str, Any]:
    """An event for the engine, as `post_events` takes it; its key makes it happen once (WF-11)."""
    return {
        "id": uuid7(),
        "instance_id": instance_id,
        "entity_type": entity_type,
        "entity_id": document_id,
        "entity_version": entity_version,
        "definition_version": definition_version,
        "event_type": event_type,
        "payload": payload,
        "key": event_key(str(instance_id), event_type, payload, entity_version),
        # What they may do when it is handled is looked up then; they will not have more than they have now.
        "actor": actor.to_json(),
        "trace_id": trace_id,
        "needs": needs,
    }
