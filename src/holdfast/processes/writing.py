"""Writing: one call puts everything an advance led to into the tables, receipts first (WF-02, WF-14).

Several cases of one tenant are written together. If a receipt is there already, an open step is not, or somebody else
has advanced the instance, Postgres refuses the whole call and nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from holdfast.documents import event_row
from holdfast.envelope.tokens import Position, StepRecord
from holdfast.kernel.counts import STEPS
from holdfast.kernel.json import dump
from holdfast.kernel.traces import recording, told_span
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.cases import Case
from holdfast.processes.rejections import UNTOLD, reason_of, rejection_after
from holdfast.processes.rows import projection_of, rows_of, step_id

__all__ = ["PROCESS_ACTOR", "Done", "sheet_of", "told_of", "write_cases"]

_SQL = queries("processes")
PROCESS_ACTOR = "system:process"
_TOLD_STEPS = 20
"""How many steps of one advance the audit trail names; the steps themselves are all in their table."""
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Done:
    """An event of the engine inbox that is done with what is being written."""

    id: UUID
    created_at: datetime
    epoch: int
    note: str | None = None


@dataclass(slots=True)
class _Sheet:
    steps: list[Row] = field(default_factory=list)
    settled: list[Row] = field(default_factory=list)
    statuses: list[Row] = field(default_factory=list)
    opened: list[Row] = field(default_factory=list)
    moved: list[Row] = field(default_factory=list)
    trail: list[Row] = field(default_factory=list)
    events: list[Row] = field(default_factory=list)
    posted: list[Row] = field(default_factory=list)


async def write_cases(
    tx: TenantTx, cases: Iterable[Case], *, projections: bool, done: Sequence[Done] = (), at: datetime
) -> None:
    """Write what the cases have collected; with `projections`, also where they stand now."""
    sheet = _Sheet()
    for case in cases:
        _write_case(tx, case, sheet, projections=projections)
    values = {name: dump(rows) if (rows := getattr(sheet, name)) else None for name in sheet.__slots__}
    values["done"] = dump(done) if done else None
    if any(value is not None for value in values.values()):
        await tx.run(_SQL["write_advance"], **values, at=at)


def sheet_of(tx: TenantTx, case: Case) -> dict[str, list[Row]]:
    """What a case has collected and where it stands now, for whoever writes it together with something else."""
    sheet = _Sheet()
    _write_case(tx, case, sheet, projections=True)
    return {name: rows for name in sheet.__slots__ if (rows := getattr(sheet, name))}


def _write_case(tx: TenantTx, case: Case, sheet: _Sheet, *, projections: bool) -> None:
    if case.records:
        told = rejection_after(case.loaded.workflow, case.records)
        case.rejection = case.rejection if told is UNTOLD else told
        service = tx.tenant.settings.get("service_account")
        steps, settled = rows_of(
            case.instance.id,
            case.records,
            case.written,
            acted_as={
                "actor": str(case.acting),
                "system": PROCESS_ACTOR,
                "service_account": f"service:{service}" if service else PROCESS_ACTOR,
            },
            snapshot=case.document.version_id,
            trace_id=case.trace_id,
        )
        sheet.steps += steps
        sheet.settled += settled
        _measure(case)
        _write_statuses(case, sheet)
        sheet.trail.append(_told(case))
        case.saved_records.extend(case.records)
        case.records = []
    sheet.posted += case.posted
    case.posted = []
    if case.read_version is None:
        sheet.opened.append(_beginning(case))
        case.read_version, case.changed = 1, False
    elif case.changed and projections:
        told = {} if case.rejection is UNTOLD else {"tells": True, "rejection": case.rejection}
        sheet.moved.append({"id": case.instance.id, "read_version": case.read_version, **_projection(case), **told})
        case.read_version, case.changed = case.read_version + 1, False


def _measure(case: Case) -> None:
    """Count the steps, and tell who traces of them, in the trace that the instance belongs to."""
    traced = recording()
    for record in case.records:
        STEPS.add(record.node_type, record.status)
        if traced:
            about = {
                "holdfast.node": record.node,
                "holdfast.node_type": record.node_type,
                "holdfast.status": record.status,
                "holdfast.outcome": record.outcome or "",
                "holdfast.instance.id": str(case.instance.id),
            }
            told_span(f"step {record.node}", case.trace_id, about, failed=record.status == "failed")


def _projection(case: Case) -> Row:
    ended = case.facts.now if case.position.is_over else None
    last = step_id(case.saved_records[-1].key) if case.saved_records else None
    return {**projection_of(case.loaded.workflow, case.position), "completed_at": ended, "last_step_execution_id": last}


def _beginning(case: Case) -> Row:
    instance = case.instance
    return {
        "id": instance.id,
        "definition_id": instance.definition_id,
        "definition_version": instance.definition_version,
        "compiled_hash": instance.compiled_hash,
        "entity_type": instance.entity_type,
        "entity_id": instance.document_id,
        "subject_id": case.subject_id,
        "partition_id": case.partition_id,
        "created_by": instance.created_by,
        "party": (case.starter or case.actor).to_json(),
        "trace_id": case.trace_id,
        "amended_from_instance": case.amended_from,
        "rejection": None if case.rejection is UNTOLD else case.rejection,
        **_projection(case),
    }


def _write_statuses(case: Case, sheet: _Sheet) -> None:
    """A lifecycle move changes the document's status and nothing else of it."""
    if case.instance.document_id is None:
        return
    was = case.document.doc_status
    reason: str | None = None
    for record in case.records:
        reason = reason_of(record) or reason
        now = record.output.get("doc_status")
        if now is None or now == was:
            continue
        sheet.statuses.append(_moved(case, now, reason))
        reason = None
        sheet.events.append(_transition_event(case, was, now, record.entity_version))
        was = now
    if was != case.document.doc_status:
        case.document = replace(case.document, doc_status=was)


def _moved(case: Case, now: str, reason: str | None) -> Row:
    why = {} if reason is None else {"reason": reason}
    return {
        "id": case.instance.document_id,
        "doc_status": now,
        "actor": str(case.actor),
        "data": {"instance": case.instance.id, **why},
        "trace_id": case.trace_id,
    }


def _transition_event(case: Case, was: str | None, now: str, version: int) -> Row:
    instance = case.instance
    payload = {
        "entity_type": instance.entity_type,
        "entity_id": str(instance.document_id),
        "from": was,
        "to": now,
        # Another round of the same process makes the same move again, and is another event.
        "seq": case.position.seq,
    }
    return event_row(
        instance.id,
        "on_lifecycle_transition",
        payload,
        entity_version=version,
        entity_type=instance.entity_type,
        document_id=instance.document_id,
        actor=case.actor,
        trace_id=case.trace_id,
    )


def _told(case: Case) -> Row:
    """One line of the audit trail for one advance."""
    event, data = told_of(case.kind, case.records, case.position, begins=case.read_version is None)
    return {
        "object_kind": "instance",
        "object_id": case.instance.id,
        "event_type": event,
        "actor": str(case.actor),
        "step_id": case.records[0].node,
        "data": data,
        "trace_id": case.trace_id,
    }


def told_of(kind: str, records: Sequence[StepRecord], position: Position, *, begins: bool) -> tuple[str, Row]:
    """What the trail of an instance calls an advance, and tells of it; the same in every store."""
    steps = [_told_step(record) for record in records[:_TOLD_STEPS]]
    data = {"happening": kind, "steps": steps, "count": len(records), "seq": position.seq}
    if position.is_over:
        data |= {"status": position.status, "reason": position.reason}
    what = position.status if position.is_over else "started" if begins else "advanced"
    return f"instance.{what}", data


def _told_step(record: StepRecord) -> Row:
    told = {"node": record.node, "token": record.token, "status": record.status, "outcome": record.outcome}
    reason = reason_of(record)
    return told if reason is None else {**told, "reason": reason}
