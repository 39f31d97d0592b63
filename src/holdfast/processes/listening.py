"""What the engine does when documents change: the port through which documents, a layer below, reach it.

Every method runs in the transaction of the change. The caller holds the instance's lock and the document's row.
"""

from __future__ import annotations

import logging
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from holdfast.documents import Access, Cabinet, Document, DocumentChange, Mutation, Standing
from holdfast.documents.mutation import Mutator
from holdfast.documents.policy import ANY_STATE
from holdfast.envelope.tokens import Cancelled, Edited, Facts, Happening, Refusal
from holdfast.errors import Conflict, DatabaseUnreachable, EditLocked, Forbidden, HoldfastError, InvalidInput
from holdfast.kernel.traces import is_traced, link_to
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.cases import Case, open_cases
from holdfast.processes.engine import Engine, Job, NewInstance, happened
from holdfast.processes.meaning import transition_meant

__all__ = ["DocumentProcesses", "Move", "follow_trace", "move", "move_document", "refused"]

_SQL = queries("processes")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Move:
    """A happening whose instance is locked and read, and the time."""

    job: Job
    at: datetime


class DocumentProcesses:
    """The processes of documents, as documents see them; `prepared` is the transition that is about to be made."""

    def __init__(self, engine: Engine, prepared: Move | None = None) -> None:
        self._engine = engine
        self._prepared = prepared

    async def edited(self, tx: TenantTx, standing: Standing, change: DocumentChange) -> None:
        """The content changed: whoever was asked about it is asked again."""
        happening = Edited(tuple(change.changed_fields))
        await self._happen(tx, standing.instance_id, happening, stands=True, trace_id=change.trace_id)

    async def amended(self, tx: TenantTx, standing: Standing | None, change: DocumentChange) -> None:
        """A new document took the place of one: the old process ends, one for the new document begins."""
        new = change.amended_to
        if new is None:
            raise InvalidInput("an amendment needs the document that came of it")
        if standing is not None:
            happening = Edited(tuple(change.changed_fields))
            await self._happen(tx, standing.instance_id, happening, amending=True, trace_id=change.trace_id)
        await self._engine.start(
            tx,
            NewInstance(
                new.entity_type,
                new.id,
                how=new.doc_status,
                amended_from=None if standing is None else standing.instance_id,
                trace_id=change.trace_id,
            ),
        )

    async def transition(
        self,
        tx: TenantTx,
        standing: Standing | None,
        document: Document,
        name: str,
        *,
        reason: str | None,
        trace_id: str | None,
    ) -> None:
        """Somebody asks for a transition: of the state the process rests in, or one that interrupts it."""
        if self._prepared is not None:
            await move(tx, self._engine, self._prepared)
            return
        if standing is not None:
            instance_id = standing.instance_id
        else:
            known = await tx.row(_SQL["instance_of"], entity_type=document.entity_type, document_id=document.id)
            if known is not None:
                raise Conflict(
                    f"the process of the document is {known['status']}",
                    hint="an amendment starts a new one",
                    document=str(document.id),
                )
            # The worker has not come to it yet; it will find that somebody was faster.
            begun = await self._engine.start(tx, NewInstance(document.entity_type, document.id, trace_id=trace_id))
            instance_id = begun.instance_id
        await self._choose(tx, instance_id, name, reason, trace_id)

    async def deleted(self, tx: TenantTx, standing: Standing, document: Document, *, reason: str | None) -> None:
        """The document is gone, and its process with it."""
        await self._happen(tx, standing.instance_id, Cancelled(reason or "the document was deleted"))

    async def _choose(
        self, tx: TenantTx, instance_id: UUID, name: str, reason: str | None, trace_id: str | None
    ) -> None:
        def chosen(case: Case) -> Happening:
            return transition_meant(case.loaded.workflow, case.position, name, reason=reason)

        job, at = await self._engine.prepare(tx, instance_id, chosen)
        await follow_trace(tx, job.case, trace_id)
        await move(tx, self._engine, Move(job, at))

    async def _happen(
        self,
        tx: TenantTx,
        instance_id: UUID,
        happening: Happening,
        *,
        amending: bool = False,
        stands: bool = False,
        trace_id: str | None = None,
    ) -> None:
        """Let it happen; what the process refuses is raised.

        What `stands` does so whatever happens behind it: what else fails is undone by itself, and a worker is told.
        """
        job: Job | None = None
        try:
            async with tx.connection.transaction() if stands else nullcontext():
                opened = await open_cases(tx, [instance_id], self._engine.definitions)
                case = opened.cases[instance_id]
                case.trace_id = trace_id or case.trace_id
                if amending:
                    # The edit never reached this document; to its process it is the version that would have come next.
                    case.facts = _with_version(case)
                job = Job(case, happening)
                await self._engine.advance(tx, [job], at=opened.at)
        except DatabaseUnreachable:
            raise
        except Exception as error:
            if not stands:
                raise
            _log.warning("a change stands, and a worker lets the process %s hear of it: %s", instance_id, error)
            await self._engine.post(tx, instance_id, happening)
            return
        done = happened(job)
        if done.result == "refused" and done.refusal is not None:
            raise refused(done.refusal)


async def follow_trace(tx: TenantTx, case: Case, trace_id: str | None) -> None:
    """What follows from a move, until its last effect, is in the trace of who asked for it, linked with the one before.

    An id that was made up, where nobody traces and the request came with no trace, ties this advance together alone.
    """
    if trace_id is None or trace_id == case.trace_id:
        return
    if is_traced():
        link_to(case.trace_id)
        await tx.run(_SQL["retrace_instance"], instance_id=case.instance.id, trace_id=trace_id)
    case.trace_id = trace_id


async def move(tx: TenantTx, engine: Engine, prepared: Move) -> None:
    """Let it happen; what the process refuses is raised."""
    await engine.advance(tx, [prepared.job], at=prepared.at)
    refusal = happened(prepared.job).refusal
    if refusal is not None:
        raise refused(refusal)


async def move_document(
    tx: TenantTx, engine: Engine, cabinet: Cabinet, prepared: Move, name: str, *, reason: str | None
) -> None:
    """A transition of a document that is asked of its process: what looks at `documents.transition` looks at it too.

    Whoever names the instance instead of the document asks for the same thing, and must not get past what the vendor
    and the organisation ask of those who do.
    """
    case = prepared.job.case
    if not case.ruled:
        access, document_id = Access(tx, cabinet.contracts), case.instance.document_id
        assert document_id is not None
        await access.require_document(case.instance.entity_type, document_id)
        access.require_right(case.instance.entity_type, "transition", case.position.doc_status or ANY_STATE)
        await move(tx, engine, prepared)
        return
    asked = Mutation(
        "transition", document_id=case.instance.document_id, transition=name, reason=reason, trace_id=case.trace_id
    )
    await Mutator(tx, replace(cabinet, process=DocumentProcesses(engine, prepared))).apply(asked)


def _with_version(case: Case) -> Facts:
    return replace(case.facts, entity_version=case.facts.entity_version + 1)


def refused(refusal: Refusal) -> HoldfastError:
    """The error for something the process refuses."""
    if refusal.code == "forbidden":
        return Forbidden(refusal.message, reason=refusal.code)
    if refusal.code == "edit_locked":
        return EditLocked(refusal.message)
    if refusal.code == "invalid_answer":
        return InvalidInput(refusal.message, reason=refusal.code)
    return Conflict(refusal.message, reason=refusal.code)
