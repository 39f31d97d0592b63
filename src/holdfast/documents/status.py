"""Moving a document through its lifecycle: the status changes, the version does not.

Called by the engine while it advances a process, and by `mutate()` where there is no engine.
"""

from __future__ import annotations

from uuid import UUID

from holdfast.documents.events import event_row, post_events
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import dump
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["set_status"]

_SQL = queries("documents")


async def set_status(
    tx: TenantTx,
    document_id: UUID,
    status: str,
    *,
    instance_id: UUID | None = None,
    reason: str | None = None,
    trace_id: str | None = None,
) -> bool:
    """Give a document a status, with its events for audit and engine. False, nothing written, when it has that one."""
    about = {"instance": instance_id and str(instance_id), "reason": reason}
    move = {
        "id": document_id,
        "doc_status": status,
        "actor": str(tx.actor),
        "data": {name: value for name, value in about.items() if value is not None},
        "trace_id": trace_id,
    }
    row = await tx.row(_SQL["move_document"], moves=dump([move]))
    if row is None:
        return False
    payload = {
        "entity_type": row["entity_type"],
        "entity_id": str(document_id),
        "from": row["was"],
        "to": status,
        "change": str(uuid7()),
    }
    if instance_id is not None:
        payload["by_instance"] = str(instance_id)
    event = event_row(
        instance_id or uuid7(),
        "on_lifecycle_transition",
        payload,
        entity_type=row["entity_type"],
        document_id=document_id,
        entity_version=row["entity_version"],
        actor=tx.actor,
        trace_id=trace_id,
    )
    await post_events(tx, [event])
    return True
