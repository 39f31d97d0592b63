"""What people's part does when processes and documents move: withdraw, close, use up, void (WF-03).

The observer is the last to look at a step that people decide. Whatever way a step came to its end, it must be the way
its request was decided; a gate that uses decisions uses them up, once, and only if they still stand. What does not hold
raises, and the whole advance is undone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from holdfast.audit import record
from holdfast.documents.model import DocumentChange
from holdfast.effects import withdraw
from holdfast.envelope.tokens import StepRecord
from holdfast.errors import Conflict, StaleApproval
from holdfast.kernel.json import dump
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.steps import DocumentRef, InstanceRef

__all__ = ["PeopleObserver", "Voiding", "void_instance"]

_SQL = queries("people")
_PEOPLE: Final = frozenset({"approval", "task", "lifecycle_gate"})
_SENDING: Final = frozenset({"webhook_out", "notification"})
_UNDECIDED: Final = frozenset({"timeout", "error", "denied"})


@dataclass(frozen=True, slots=True)
class _Decided:
    """A step that ended by somebody's decision, or so it says."""

    instance: InstanceRef
    step: StepRecord

    @property
    def used(self) -> list[str]:
        """The steps whose decisions a gate says it uses."""
        return [str(key) for key in self.step.output.get("applied", ())]

    @property
    def keys(self) -> list[str]:
        return [self.step.key, *self.used]


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
        await self.steps_written_together(tx, [(instance, document, records)])

    async def steps_written_together(
        self, tx: TenantTx, told: Sequence[tuple[InstanceRef, DocumentRef, Sequence[StepRecord]]]
    ) -> None:
        """The same for several instances, in as many statements as for one."""
        closing: dict[str, tuple[str, str]] = {}
        decided: list[_Decided] = []
        for instance, _, records in told:
            sent = [each.key for each in records if each.status == "cancelled" and each.node_type in _SENDING]
            if sent:
                await withdraw(tx, instance.id, sent, "its step was cancelled")
            for each in records:
                if each.node_type not in _PEOPLE:
                    continue
                if each.status == "cancelled":
                    why = str(each.output.get("reason") or "the process went on without it")
                    closing[each.key] = ("cancelled", why)
                elif each.outcome in _UNDECIDED or each.status == "failed":
                    status = "timeout" if each.outcome == "timeout" else "cancelled"
                    closing[each.key] = (status, str(each.outcome))
                else:
                    decided.append(_Decided(instance, each))
        if closing:
            await self._check_late(tx, [key for key, (status, _) in closing.items() if status == "timeout"])
            await close_requests(
                tx,
                [{"step_key": key, "status": status, "reason": why} for key, (status, why) in closing.items()],
            )
        if decided:
            await self._decided(tx, decided)

    async def _check_late(self, tx: TenantTx, timed_out: Sequence[str]) -> None:
        """A decision stands from the moment it was made: time that comes by after it is late."""
        rows = await tx.rows(_SQL["settled_requests"], step_keys=timed_out) if timed_out else []
        for row in rows:
            if row["outcome"] is not None and not row["spent"]:
                raise Conflict("people have decided, and the process has not heard of it yet", step=row["step_key"])

    async def _decided(self, tx: TenantTx, decided: Sequence[_Decided]) -> None:
        """Every step must have ended the way its request was decided; gates use decisions up."""
        keys = sorted({key for each in decided for key in each.keys})
        asked = {row["step_key"]: row for row in await tx.rows(_SQL["settled_requests"], step_keys=keys)}
        uses: list[tuple[_Decided, str]] = []
        for each in decided:
            step, own = each.step, asked.get(each.step.key)
            gate = step.node_type == "lifecycle_gate"
            if (own is None and not gate) or (own is not None and (own["outcome"] != step.outcome or own["spent"])):
                raise StaleApproval(
                    f"{step.node} cannot end with {step.outcome!r}: nobody who was asked has decided so",
                    hint="decide on its request",
                    node=step.node,
                )
            if gate:
                uses += [(each, key) for key in each.used or ([step.key] if own is not None else [])]
        if uses:
            await self._use_up(tx, uses, set(asked))

    async def _use_up(self, tx: TenantTx, uses: Sequence[tuple[_Decided, str]], asked: set[str]) -> None:
        rows = await tx.rows(
            _SQL["apply_decisions"],
            instances=[each.instance.id for each, _ in uses],
            step_keys=[key for _, key in uses],
            gates=[each.step.key for each, _ in uses],
            hashes=[each.instance.compiled_hash for each, _ in uses],
        )
        applied = {row["step_key"] for row in rows}
        nobody = [(each, key) for each, key in uses if key not in asked]
        if nobody:
            # An action that decides in the organisation's name asks nobody.
            acted = await tx.rows(
                _SQL["steps_without_people"],
                instances=[each.instance.id for each, _ in nobody],
                step_keys=[key for _, key in nobody],
            )
            applied |= {row["step_key"] for row in acted}
        for each, key in uses:
            if key not in applied:
                raise StaleApproval(
                    f"{each.step.node} cannot use a decision that is void, used up, or made for another workflow",
                    hint="ask again about what the document has become",
                    node=each.step.node,
                )


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
    return await tx.run(_SQL["void_instance"], instance_id=instance_id, reason=reason)
