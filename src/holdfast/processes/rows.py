"""Rows: how step records and positions are kept in the tables, and how they are read back.

A step is one row that is opened and, if it rested, settled later. Its id and its time of opening follow from the
record, so the row of an open step is found from the token alone, in the one partition that holds it. The projection
is the position; what it says is derived from the steps and nothing else (WF-15).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from holdfast.envelope.compiled import CompiledWorkflow
from holdfast.envelope.tokens import Position, StepRecord, edit_window, history_of_rows
from holdfast.envelope.tokens.turn import moment_text
from holdfast.errors import InvalidInput
from holdfast.kernel.json import decode
from holdfast.kernel.packing import unpack

__all__ = ["Written", "history_of", "position_of", "projection_of", "rows_of", "step_id"]

Row = dict[str, Any]
_PINNED = frozenset({"approval", "lifecycle_gate", "task"})
"""Steps that are about what the document said at that moment; they keep which snapshot that was."""


def step_id(key: str) -> UUID:
    """The id of the row of a step: the first half of its idempotency key."""
    return UUID(key[:32])


class Written:
    """Which steps of an instance are open in the table, and since when."""

    def __init__(self, position: Position) -> None:
        self.open: dict[str, str] = {
            token.step.key: token.step.at
            for token in position.tokens.values()
            if token.step is not None and token.step.is_open
        }


def rows_of(
    instance: UUID,
    records: Sequence[StepRecord],
    written: Written,
    *,
    acted_as: Mapping[str, str],
    snapshot: UUID | None,
    trace_id: str | None,
) -> tuple[list[Row], list[Row]]:
    """New rows and settlements for these records. A step that opens and ends in one advance is one row."""
    new: dict[str, Row] = {}
    settled: list[Row] = []
    for record in records:
        known = new.get(record.key)
        if known is not None:
            known.update(_settling(record))
        elif record.key in written.open:
            opened_at = written.open.pop(record.key)
            settled.append({"id": step_id(record.key), "opened_at": opened_at, **_settling(record)})
        else:
            new[record.key] = _opening(instance, record, acted_as, snapshot, trace_id)
    for row in new.values():
        if row["settled_seq"] is None:
            written.open[row["key"]] = row["opened_at"]
    # What is not there is not written out: it would be most of what Postgres has to read.
    return [{name: value for name, value in row.items() if value is not None} for row in new.values()], settled


def _opening(
    instance: UUID, record: StepRecord, acted_as: Mapping[str, str], snapshot: UUID | None, trace_id: str | None
) -> Row:
    is_open = record.is_open
    return {
        "id": step_id(record.key),
        "instance_id": instance,
        "opened_at": record.at,
        "key": record.key,
        "node": record.node,
        "node_type": record.node_type,
        "token": record.token,
        "entity_version": record.entity_version,
        "status": record.status,
        "outcome": record.outcome,
        "run_as": record.run_as,
        "completed_at": None if is_open else record.at,
        "input": record.input,
        "output": record.output,
        "error": record.error,
        "opened_by": record.actor,
        "acted_as": acted_as.get(record.run_as),
        "applied": False if record.node_type == "approval" else None,
        "snapshot": snapshot if record.node_type in _PINNED else None,
        "resume_at": record.resume_at,
        "event_key": record.event_key,
        "join_key": record.join_key,
        "origin": record.origin,
        "opened_seq": record.seq,
        "settled_seq": None if is_open else record.seq,
        "waited": record.status if is_open else None,
        "settled_by": None if is_open else record.actor,
        "opened_output": record.output if is_open else None,
        "trace_id": trace_id,
    }


def _settling(record: StepRecord) -> Row:
    return {
        "status": record.status,
        "outcome": record.outcome,
        "completed_at": record.at,
        "output": record.output,
        "error": record.error,
        "settled_seq": record.seq,
        "settled_by": record.actor,
    }


def projection_of(workflow: CompiledWorkflow, position: Position) -> Row:
    """The columns of an instance that follow from its position."""
    state = position.to_json()
    tokens = state.pop("tokens")
    due = [step.resume_at for token in position.tokens.values() if (step := token.step) and step.is_open]
    context = dict(position.context)
    if position.status == "cancelled":
        context["cancel_reason"] = position.reason
    return {
        "status": position.status,
        "state": state,
        "active_tokens": tokens,
        "current_nodes": list(position.current_nodes),
        "context_json": context,
        "entity_version": position.entity_version,
        "doc_status": position.doc_status,
        "edit_window": edit_window(workflow, position),
        "timeout_at": min((moment for moment in due if moment is not None), default=None),
        "reason": position.reason,
    }


def position_of(state: str, tokens: str, workflow: CompiledWorkflow | None = None) -> Position:
    """The position of an instance as kept. Raises `InvalidInput` for what is none, or none of a workflow."""
    kept = decode(state)
    if not isinstance(kept, dict):
        raise InvalidInput(f"this is not a position: {state[:100]}")
    position = Position.from_json({**kept, "tokens": decode(tokens)})
    if type(position.seq) is not int:
        raise InvalidInput(f"this is not a position: its last step is {position.seq!r}")
    for token in position.tokens.values() if workflow is not None else ():
        if workflow is not None and token.node not in workflow.nodes_by_id:
            raise InvalidInput(f"this is not a position: {token.id} stands at {token.node}, which is not there")
    return position


def history_of(rows: Iterable[Mapping[str, Any]]) -> list[StepRecord]:
    """The history that gave these rows of `workflow_step_executions` (WF-15)."""
    return history_of_rows(_plain_row(row) for row in rows)


def _plain_row(row: Mapping[str, Any]) -> Row:
    rested = row["waited"] is not None
    settled = row["settled_seq"] is not None
    output = decode(unpack(row["output_json"], row["output_packed"], row["output_hash"])) or {}
    return {
        "key": row["idempotency_key"],
        "node": row["node_id"],
        "node_type": row["node_type"],
        "token": row["token_id"],
        "entity_version": row["entity_version"],
        "status": row["status"],
        "outcome": row["outcome"],
        "at": _moment(row["completed_at"] if settled else row["created_at"]),
        "input": decode(row["input_json"]) or {},
        "output": output,
        "error": decode(row["error"]),
        "run_as": row["run_as"],
        "actor": row["settled_by"] if settled and rested else row["actor_user_id"],
        "resume_at": _moment(row["resume_at"]),
        "event_key": row["waiting_for_event_key"],
        "join_key": row["join_key"],
        "origin": row["origin"],
        "opened_seq": row["opened_seq"],
        "settled_seq": row["settled_seq"],
        "waited": row["waited"],
        "opened_at": _moment(row["created_at"]),
        "opened_by": row["actor_user_id"],
        "opened_output": (decode(row["opened_output"]) or {}) if rested else output,
    }


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment_text(moment)
