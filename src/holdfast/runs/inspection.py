"""One run with everything around it, for whoever looks into what happened: its steps, and the events of its life."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from holdfast.audit import AuditEvent
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.runs.api import Runs, StartedRun, StoredStep
from holdfast.runs.model import RunInfo

__all__ = ["Inspection", "inspect_run"]

_TRAIL = queries("audit")
_MOST_EVENTS = 200


@dataclass(frozen=True, slots=True)
class Inspection:
    """A run; its steps and the runs it started, in the order in which they were made; its latest events first."""

    run: RunInfo
    steps: list[StoredStep]
    events: list[AuditEvent]
    children: list[StartedRun]


async def inspect_run(tx: TenantTx, runs: Runs, run_id: UUID) -> Inspection:
    """Look. The events of a run belong to it: who may see runs may see them, without the right to the whole trail."""
    run = await runs.get(run_id)
    steps = await runs.steps(run_id)
    rows = await tx.rows(
        _TRAIL["object_timeline"],
        object_id=run_id,
        object_kind="run",
        before_at=None,
        before_id=None,
        limit=_MOST_EVENTS,
    )
    return Inspection(run, steps, [AuditEvent(**row) for row in rows], await runs.children(run_id))
