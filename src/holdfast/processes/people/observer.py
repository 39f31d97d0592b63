"""What people's part does when processes and documents move: withdraw, close, use up, void (WF-03).

The observer is the last to look at a step that people decide. Whatever way a step came to its end, it must be the way
its request was decided; a gate that uses decisions uses them up, once, and only if they still stand. What does not hold
raises, and the whole advance is undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from holdfast.audit import record
from holdfast.documents.model import Change
from holdfast.envelope.tokens import StepRecord
from holdfast.errors import StaleApproval
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.effects import withdraw
from holdfast.processes.nodes.protocol import DocumentRef, InstanceRef

__all__ = ["PeopleObserver", "Voiding", "void_instance"]

_SQL = queries("people")
_PEOPLE: Final = frozenset({"approval", "task", "lifecycle_gate"})
_SENDING: Final = frozenset({"webhook_out", "notification"})
_UNDECIDED: Final = frozenset({"timeout", "error", "denied"})


class PeopleObserver:
    """Told of every step that people or receivers have to do with."""

    def wants(self, record: StepRecord) -> bool:
        if record.is_open:
            return False
        return record.node_type in _PEOPLE or (record.status == "cancelled" and record.node_type in _SENDING)

    async def steps_written(
        self, tx: TenantTx, instance: InstanceRef, document: DocumentRef, records: Sequence[StepRecord]
    ) -> None:
        """Bring requests, decisions and effects in line with what was written."""
        cancelled = [each for each in records if each.status == "cancelled"]
        asked = [each.key for each in cancelled if each.node_type in _PEOPLE]
        if asked:
            why = str(cancelled[0].output.get("reason") or "the process went on without it")
            await tx.run(_SQL["close_by_step"], step_keys=asked, status="cancelled", reason=why)
        sent = [each.key for each in cancelled if each.node_type in _SENDING]
        if sent:
            await withdraw(tx, instance.id, sent, "its step was cancelled")
        for each in records:
            if each.status == "cancelled" or each.node_type not in _PEOPLE:
                continue
            if each.outcome in _UNDECIDED or each.status == "failed":
                status = "timeout" if each.outcome == "timeout" else "cancelled"
                await tx.run(_SQL["close_by_step"], step_keys=[each.key], status=status, reason=each.outcome)
            else:
                await self._decided(tx, instance, each)

    async def _decided(self, tx: TenantTx, instance: InstanceRef, step: StepRecord) -> None:
        used = [str(key) for key in step.output.get("applied", ())]
        keys = used or [step.key]
        found = {row["step_key"]: row for row in await tx.all(_SQL["settled_requests"], step_keys=keys)}
        if step.node_type != "lifecycle_gate":
            row = found.get(step.key)
            if row is None or row["outcome"] != step.outcome or row["spent"]:
                raise StaleApproval(
                    f"{step.node} cannot end with {step.outcome!r}: nobody who was asked has decided so",
                    hint="decide on its request",
                    node=step.node,
                )
            return
        own = found.get(step.key)
        if own is not None and own["outcome"] != step.outcome:
            raise StaleApproval(
                f"{step.node} cannot end with {step.outcome!r}: nobody who was asked has decided so",
                hint="decide on its request",
                node=step.node,
            )
        if used or own is not None:
            await self._use_up(tx, instance, step, keys, set(found))

    async def _use_up(
        self, tx: TenantTx, instance: InstanceRef, gate: StepRecord, keys: Sequence[str], asked: set[str]
    ) -> None:
        rows = await tx.all(
            _SQL["apply_decisions"],
            step_keys=list(keys),
            gate=gate.key,
            instance_id=instance.id,
            compiled_hash=instance.compiled_hash,
        )
        missing = set(keys) - {row["step_key"] for row in rows}
        if missing - asked:
            # An action that decides in the organisation's name asks nobody.
            acted = await tx.all(
                _SQL["steps_without_people"], instance_id=instance.id, step_keys=sorted(missing - asked)
            )
            missing -= {row["step_key"] for row in acted}
        if missing:
            raise StaleApproval(
                f"{gate.node} cannot use a decision that is void, used up, or made for another workflow",
                hint="ask again about what the document has become",
                node=gate.node,
            )


class Voiding:
    """Told of every change of a document: what was decided on the old content, and not used yet, is void."""

    async def document_changed(self, tx: TenantTx, change: Change) -> None:
        """Void unused decisions and open requests, naming the fields that changed."""
        if change.instance_id is not None:
            return  # What a step of the process writes itself is part of what was decided on.
        changed = list(change.changed_fields)
        reason = "the document was amended" if change.amended_to is not None else "the document has changed"
        values = {"entity_id": change.previous.id, "changed": changed, "reason": reason}
        decisions = await tx.all(_SQL["void_decisions"], **values)
        requests = await tx.all(_SQL["void_requests"], **values)
        for instance_id in sorted({row["instance_id"] for row in (*decisions, *requests)}):
            about = {
                "changed": changed,
                "reason": reason,
                "decisions_of": sorted(row["decided_by"] for row in decisions if row["instance_id"] == instance_id),
                "requests": [str(row["request_id"]) for row in requests if row["instance_id"] == instance_id],
            }
            await record(tx, "instance", instance_id, "approval.voided", about)


async def void_instance(tx: TenantTx, instance_id: UUID, reason: str) -> int:
    """Void every unused decision of an instance; how many. For whoever changes what the instance follows."""
    return await tx.run(_SQL["void_instance"], instance_id=instance_id, reason=reason)
