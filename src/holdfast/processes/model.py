"""What processes look like from outside: instances, steps, and what came of a happening."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from holdfast.envelope.tokens import Amendment, Refusal
from holdfast.errors import Conflict, InvalidInput
from holdfast.kernel.cursor import decode_cursor, encode_cursor
from holdfast.kernel.json import check_json
from holdfast.kernel.names import check_text
from holdfast.people import HeadlineField

__all__ = [
    "ACTIVE",
    "STATUSES",
    "Happened",
    "Instance",
    "Step",
    "check_start",
    "decode_started_cursor",
    "started_already",
    "started_cursor",
]

STATUSES = ("running", "paused", "completed", "failed", "cancelled")
ACTIVE = ("running", "paused")


@dataclass(frozen=True, slots=True)
class Happened:
    """What a happening led to. `refused` and `ignored` wrote nothing; `posted` is for a worker to do."""

    result: Literal["advanced", "ignored", "refused", "amended", "posted"]
    instance_id: UUID
    version: int | None = None
    status: str | None = None
    current_nodes: tuple[str, ...] = ()
    refusal: Refusal | None = None
    amendment: Amendment | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """A process instance. `version` is what an advance must name; it grows with each.

    For example:

        instance: Instance = await hold.processes.get(instance_id)
        await hold.processes.cancel(instance.id, reason="ordered twice")
    """

    id: UUID
    workflow_id: str
    entity_type: str
    document_id: UUID | None
    entity_version: int
    subject_id: str
    partition_id: str
    definition_id: UUID
    definition_version: int
    compiled_hash: str
    status: str
    reason: str | None
    doc_status: str | None
    edit_window: str
    current_step: str | None
    current_nodes: tuple[str, ...]
    context: Mapping[str, Any]
    active_tokens: tuple[Mapping[str, Any], ...]
    version: int
    timeout_at: datetime | None
    paused_at: datetime | None
    paused_by: str | None
    pause_reason: str | None
    created_by: str
    started_at: datetime
    updated_at: datetime
    completed_at: datetime | None
    rejection: Mapping[str, Any] | None = None
    """The latest decision against, until a gate is passed: `node`, `by`, `reason`, `entity_version`, `at`."""
    redacted: bool = False
    """Whether values were left out because the reader may not see all of the document."""
    headline: tuple[HeadlineField, ...] = ()
    """What its document is about, in lists; empty where the reader may not see all of the document."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an instance: what was done, for whom, with what and to what end."""

    id: UUID
    node_id: str
    node_type: str
    token_id: str
    entity_version: int
    status: str
    outcome: str | None
    run_as: str
    acted_as: str | None
    actor: str | None
    settled_by: str | None
    input: Mapping[str, Any]
    output: Mapping[str, Any]
    error: Mapping[str, Any] | None
    opened_seq: int
    settled_seq: int | None
    created_at: datetime
    completed_at: datetime | None
    duration_ms: int | None
    resume_at: datetime | None
    waiting_for_event_key: str | None
    approval_request_id: UUID | None
    applied: bool | None
    snapshot_version_id: UUID | None
    trace_id: str | None
    redacted: bool = False
    """Whether input, output and error were left out because the reader may not see all of the document."""


def started_cursor(query: Mapping[str, Any], last: Instance) -> str:
    """The cursor after an instance, in a list of the newest first."""
    return encode_cursor(query, [last.started_at.isoformat(), str(last.id)])


def decode_started_cursor(query: Mapping[str, Any], cursor: str | None) -> tuple[datetime | None, UUID | None]:
    """When the last instance of a page was started, and its id; nothing without a cursor."""
    if cursor is None:
        return None, None
    at, instance_id = decode_cursor(query, cursor, (datetime, UUID))
    return at, instance_id


def check_start(payload: Any, context: Any, subject_id: str, partition_id: str) -> None:
    """Raise `InvalidInput` for what an instance cannot be started with, whichever store it is for."""
    check_json("payload", payload)
    check_json("context", context)
    if context is not None and not isinstance(context, Mapping):
        raise InvalidInput(
            f"context is a {type(context).__name__}", hint="give an object: variable to value", field="context"
        )
    for field, text, maximum in (("subject_id", subject_id, 512), ("partition_id", partition_id, 256)):
        if text:
            check_text(field, text, maximum=maximum)


def started_already(known: Instance, workflow_id: str, document_id: UUID | None) -> Instance:
    """The instance that was started with an id before, if it is what is being started again; otherwise a `Conflict`."""
    if known.workflow_id == workflow_id and known.document_id == document_id:
        return known
    of = f" of the document {known.document_id}" if known.document_id is not None else ""
    raise Conflict(
        f"the id {known.id} belongs to an instance of {known.workflow_id!r}{of}",
        hint="give each instance an id of its own",
        instance=str(known.id),
        workflow_id=known.workflow_id,
    )
