"""Rejections: what an instance tells of the latest decision against its document.

It follows from the steps, like everything else an instance tells: a decision against, of a person or of the process
itself, sets it; passing a gate that uses decisions takes it away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from holdfast.envelope.compiled import CompiledWorkflow
from holdfast.envelope.tokens import StepRecord

__all__ = ["UNTOLD", "reason_of", "rejection_after"]

UNTOLD: Final = object()
"""The steps say nothing about it: what the instance tells stays."""


def rejection_after(workflow: CompiledWorkflow, records: Sequence[StepRecord]) -> Any:
    """The rejection that some new steps lead to; None when there is none any more, `UNTOLD` when they say nothing."""
    found: Any = UNTOLD
    for record in records:
        if record.is_open or record.status == "cancelled":
            continue
        decision = record.output.get("decision")
        if decision is not None and decision["decision"] == "rejected":
            found = _rejection(record, decision.get("by"), decision.get("reason"))
        elif record.node_type == "lifecycle_gate":
            config = workflow.nodes_by_id[record.node].config
            if not config.get("consumes_approvals"):
                continue
            if record.outcome == config["passes"]:
                # A gate that a document comes to for the first time has nothing to take away.
                found = None if found is not UNTOLD or "~" in record.token else found
            elif record.outcome in config["refuses"] and "applied" not in record.output:
                found = _rejection(record, record.actor, record.output.get("reason"))
    return found


def reason_of(record: StepRecord) -> str | None:
    """The reason somebody gave for a step: of its answer, or of the interruption it began with."""
    given = record.output.get("reason") or (record.input.get("reason") if record.origin == "interrupt" else None)
    return None if given is None else str(given)


def _rejection(record: StepRecord, by: Any, reason: Any) -> dict[str, Any]:
    return {
        "node": record.node,
        "by": by,
        "reason": reason,
        "entity_version": record.entity_version,
        "at": record.at,
    }
