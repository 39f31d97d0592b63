"""What the engine does when documents change: the port through which documents, a layer below, reach it.

Every method runs in the transaction of the change. The caller holds the instance's lock and the document's row.
"""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from holdfast.documents.model import Change, Document, Standing
from holdfast.envelope.tokens import Cancelled, Edited, Facts, Happening, Interrupted, Refusal, Settled
from holdfast.errors import Conflict, EditLocked, Forbidden, HoldfastError, InvalidInput
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.cases import Case, open_cases
from holdfast.processes.engine import Engine, Job, NewInstance, happened
from holdfast.processes.model import Happened

__all__ = ["DocumentProcesses", "refused"]

_SQL = queries("processes")


class DocumentProcesses:
    """The processes of documents, as documents see them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def edited(self, tx: TenantTx, standing: Standing, change: Change) -> None:
        """The content changed: whoever was asked about it is asked again."""
        await self._happen(tx, standing.instance_id, Edited(tuple(change.changed_fields)))

    async def amended(self, tx: TenantTx, standing: Standing | None, change: Change) -> None:
        """A new document took the place of one: the old process ends, one for the new document begins."""
        new = change.amended_to
        if new is None:
            raise InvalidInput("an amendment needs the document that came of it")
        if standing is not None:
            await self._happen(tx, standing.instance_id, Edited(tuple(change.changed_fields)), amending=True)
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
        self, tx: TenantTx, standing: Standing | None, document: Document, name: str, *, reason: str | None
    ) -> None:
        """Somebody asks for a transition: of the state the process rests in, or one that interrupts it."""
        if standing is not None:
            instance_id = standing.instance_id
        else:
            known = await tx.one(_SQL["instance_of"], entity_type=document.entity_type, entity_id=document.id)
            if known is not None:
                raise Conflict(
                    f"the process of the document is {known['status']}",
                    hint="an amendment starts a new one",
                    document=str(document.id),
                )
            # The worker has not come to it yet; it will find that somebody was faster.
            begun = await self._engine.start(tx, NewInstance(document.entity_type, document.id))
            instance_id = begun.instance_id
        await self.choose(tx, instance_id, name, reason=reason)

    async def deleted(self, tx: TenantTx, standing: Standing, document: Document, *, reason: str | None) -> None:
        """The document is gone, and its process with it."""
        await self._happen(tx, standing.instance_id, Cancelled(reason or "the document was deleted"))

    async def choose(
        self,
        tx: TenantTx,
        instance_id: UUID,
        name: str,
        *,
        reason: str | None = None,
        expected_version: int | None = None,
    ) -> Happened:
        """Take a transition by its name."""
        opened = await open_cases(tx, [instance_id], self._engine.definitions)
        case = opened.cases[instance_id]
        self._engine.check(case, expected_version)
        job = Job(case, _choice(case, name, reason))
        await self._engine.advance(tx, [job], at=opened.at)
        done = happened(job)
        if done.refusal is not None:
            raise refused(done.refusal)
        return done

    async def _happen(
        self, tx: TenantTx, instance_id: UUID, happening: Happening, *, amending: bool = False
    ) -> Happened:
        opened = await open_cases(tx, [instance_id], self._engine.definitions)
        case = opened.cases[instance_id]
        job = Job(case, happening)
        if amending:
            # The edit never reached this document; to its process it is the version that would have come next.
            case.facts = _with_version(case)
        await self._engine.advance(tx, [job], at=opened.at)
        done = happened(job)
        if done.result == "refused" and done.refusal is not None:
            raise refused(done.refusal)
        return done


def _with_version(case: Case) -> Facts:
    return replace(case.facts, entity_version=case.facts.entity_version + 1)


def _choice(case: Case, name: str, reason: str | None) -> Happening:
    workflow = case.loaded.workflow
    for token in case.position.tokens.values():
        node = workflow.nodes_by_id[token.node]
        if token.state == "waiting" and node.type == "state" and name in node.config["waits_for"]:
            return Settled(token.id, name, reason=reason, key=None if token.step is None else token.step.key)
    if name in workflow.interrupts:
        return Interrupted(name, reason)
    here = {
        choice
        for token in case.position.tokens.values()
        if workflow.nodes_by_id[token.node].type == "state"
        for choice in workflow.nodes_by_id[token.node].config["waits_for"]
    }
    here |= {each for each, how in workflow.interrupts.items() if case.position.doc_status in how.from_states}
    raise Conflict(
        f"{name!r} is not possible while the document is {case.position.doc_status}",
        hint=f"possible now: {', '.join(sorted(here))}" if here else "the process is waiting for something else",
        transition=name,
    )


def refused(refusal: Refusal) -> HoldfastError:
    """The error for something the process refuses."""
    if refusal.code == "forbidden":
        return Forbidden(refusal.message, reason=refusal.code)
    if refusal.code == "WORKFLOW_EDIT_LOCKED":
        return EditLocked(refusal.message)
    if refusal.code == "invalid_answer":
        return InvalidInput(refusal.message, reason=refusal.code)
    return Conflict(refusal.message, reason=refusal.code)
