"""What people's part does when processes and documents move: withdraw, close, use up, void (WF-03).

The observer is the last to look at a step that people decide. Whatever way a step came to its end, it must be the way
its request was decided; a gate that uses decisions uses them up, once, and only if they still stand. Postgres says so
(`settle_requests`): what does not hold raises, and the whole advance is undone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from holdfast.audit import record
from holdfast.documents.model import DocumentChange
from holdfast.effects import withdraw
from holdfast.envelope.tokens import StepRecord
from holdfast.kernel.json import dump
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.steps import InstanceRef, StepsWritten

__all__ = ["PeopleObserver", "Settlement", "Voiding", "settlement_of", "void_instance"]

_SQL = queries("people")
_PEOPLE: Final = frozenset({"approval", "task", "lifecycle_gate"})
_SENDING: Final = frozenset({"webhook_out", "notification"})
_UNDECIDED: Final = frozenset({"timeout", "error", "denied"})


@dataclass(frozen=True, slots=True)
class Settlement:
    """What people's tables are told of steps that were written, as `settle_requests` takes it."""

    closing: list[Row] = field(default_factory=list)
    """Requests whose steps ended without people."""
    decided: list[Row] = field(default_factory=list)
    """Steps that ended by somebody's decision, or so they say."""
    withdrawn: list[tuple[UUID, list[str]]] = field(default_factory=list)
    """Steps whose messages need not be sent any more, by instance."""


class PeopleObserver:
    """Told of every step that people or receivers have to do with."""

    def wants(self, record: StepRecord) -> bool:
        if record.is_open:
            return False
        return record.node_type in _PEOPLE or (record.status == "cancelled" and record.node_type in _SENDING)

    async def steps_written(self, tx: TenantTx, written: Sequence[StepsWritten]) -> None:
        """Bring requests, decisions and effects in line with what was written, in as many statements as for one."""
        found = settlement_of(written)
        for instance_id, sent in found.withdrawn:
            await withdraw(tx, instance_id, sent, "its step was cancelled")
        if found.closing or found.decided:
            await tx.run(
                _SQL["settle_requests"],
                closing=dump(found.closing) if found.closing else None,
                decided=dump(found.decided) if found.decided else None,
                actor=str(tx.actor),
            )


def settlement_of(written: Sequence[StepsWritten]) -> Settlement:
    """What follows for people's tables from steps that were written, or are about to be."""
    found = Settlement()
    for steps in written:
        instance, records = steps.instance, steps.records
        sent = [each.key for each in records if each.status == "cancelled" and each.node_type in _SENDING]
        if sent:
            found.withdrawn.append((instance.id, sent))
        for each in records:
            if each.node_type not in _PEOPLE or each.is_open:
                continue
            if each.status == "cancelled":
                why = str(each.output.get("reason") or "the process went on without it")
                found.closing.append({"step_key": each.key, "status": "cancelled", "reason": why})
            elif each.outcome in _UNDECIDED or each.status == "failed":
                status = "timeout" if each.outcome == "timeout" else "cancelled"
                found.closing.append({"step_key": each.key, "status": status, "reason": str(each.outcome)})
            else:
                found.decided.append(_decided(instance, each))
    return found


def _decided(instance: InstanceRef, step: StepRecord) -> Row:
    return {
        "instance_id": instance.id,
        "key": step.key,
        "node": step.node,
        "outcome": step.outcome,
        "gate": step.node_type == "lifecycle_gate",
        "used": [str(key) for key in step.output.get("applied", ())],
        "compiled_hash": instance.compiled_hash,
    }


class Voiding:
    """Told of every change of a document: what was decided on the old content, and not used yet, is void."""

    async def document_changed(self, tx: TenantTx, change: DocumentChange) -> None:
        """Void unused decisions and open requests, naming the fields that changed."""
        if change.instance_id is not None:
            return  # What a step of the process writes itself is part of what was decided on.
        changed = list(change.changed_fields)
        reason = "the document was amended" if change.amended_to is not None else "the document has changed"
        values = {"document_id": change.previous.id, "changed": changed, "reason": reason}
        decisions = await tx.rows(_SQL["void_decisions"], **values)
        for instance_id in sorted({row["instance_id"] for row in decisions}):
            names = sorted(row["decided_by"] for row in decisions if row["instance_id"] == instance_id)
            about = {"changed": changed, "reason": reason, "decisions_of": names}
            await record(tx, "instance", instance_id, "approval.voided", about)
        requests = await tx.rows(_SQL["open_requests_of_document"], document_id=change.previous.id)
        void = {"status": "voided", "reason": reason, "changed_fields": changed}
        if requests:
            await close_requests(tx, [{"id": row["id"], **void} for row in requests])


async def close_requests(tx: TenantTx, closing: Sequence[Mapping[str, Any]]) -> None:
    """End open requests without a decision, each with its event; those that are closed stay as they are."""
    await tx.run(_SQL["close_requests"], closing=dump(closing), actor=str(tx.actor))


async def void_instance(tx: TenantTx, instance_id: UUID, reason: str) -> int:
    """Void every unused decision of an instance; how many. For whoever changes what the instance follows."""
    return len(await tx.rows(_SQL["void_instance"], instance_id=instance_id, reason=reason))
