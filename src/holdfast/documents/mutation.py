"""The one write path of documents. Everything that changes one goes through `Mutator.apply`, in this order:

policy → hold the process and the row → version seen → edit window → rules before → schema, size, hash →
row, snapshot, audit event and event for the engine → listeners and the process → rules after.

All of it is one transaction. The edit window is enforced here and not by the engine, so a locked document stays locked
when every worker is stopped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from holdfast.documents.access import Access
from holdfast.documents.content import Content, read_content, with_changes
from holdfast.documents.events import current_trace_id
from holdfast.documents.locking import Cabinet, LockedDocument, Locker
from holdfast.documents.model import OPERATIONS, Document, DocumentChange, Mutation, Operation
from holdfast.documents.rules import RuleRun, load_rules
from holdfast.documents.status import set_status
from holdfast.documents.writing import Writer
from holdfast.envelope import Contract
from holdfast.envelope.editing import AmendmentWay, amendment_refused, changed_fields, edit_way
from holdfast.errors import (
    AlreadyExists,
    Conflict,
    EditLocked,
    ExpressionError,
    Forbidden,
    HoldfastError,
    InvalidDocument,
    InvalidInput,
    NotFound,
    RuleRejected,
)
from holdfast.kernel.aside import aside
from holdfast.kernel.ids import uuid7
from holdfast.kernel.names import check_text
from holdfast.postgres.tenant import TenantTx

__all__ = ["Mutator"]


class Mutator:
    """Carries out mutations in one transaction."""

    def __init__(self, tx: TenantTx, cabinet: Cabinet) -> None:
        self._tx = tx
        self._cabinet = cabinet
        self._access = Access(tx, cabinet.contracts)
        self._locker = Locker(tx, cabinet)
        self._writer = Writer(tx, cabinet, self._locker)
        self._hidden: frozenset[str] = frozenset()

    async def apply(self, mutation: Mutation) -> Document:
        """Carry out one mutation; the document as it is afterwards."""
        try:
            return await self._apply(_prepared(mutation))
        except RecursionError:
            raise InvalidInput("data is nested too deeply", hint="use a flatter structure", field="data") from None
        except (InvalidDocument, RuleRejected, ExpressionError) as error:
            if not self._hidden:
                raise
            raise _without_values(error, self._hidden) from None

    async def _apply(self, asked: Mutation) -> Document:
        match asked.operation:
            case "create":
                return await self._create(asked)
            case "update":
                return await self._edit(asked, explicit=False)
            case "amend":
                return await self._edit(asked, explicit=True)
            case "transition":
                return await self._transition(asked)
            case "delete":
                return await self._delete(asked)

    # ------------------------------------------------------------------------------------------------- operations

    async def _create(self, asked: Mutation) -> Document:
        entity_type = asked.entity_type
        if entity_type is None:
            raise InvalidInput("entity_type is missing", hint="say what kind of document it is", field="entity_type")
        self._access.require_right(entity_type, "create")
        contract = await self._cabinet.contracts.current(self._tx, entity_type)
        given = asked.data if asked.data is not None else asked.changes
        self._hidden = self._access.hidden(entity_type)
        if self._hidden:
            self._refuse_hidden(_as_mapping(given))
        rules = await self._rules(contract, asked)
        first = await self._content(given, contract) if not rules else None
        if first is None:
            data = rules.before(_as_mapping(given), {"changed": [], "status": contract.initial_state})
            first = await self._content(data, contract)
        known = await self._writer.made_with_key(asked, first)
        if known is not None:
            await self._require_made(known)
            return known
        document = await self._writer.insert(asked, contract, first, status=contract.initial_state, amended_from=None)
        await self._writer.post(asked, document, "on_create", {}, instance_id=uuid7())
        await self._afterwards(asked, rules, document, {"changed": sorted(first.data), "status": document.doc_status})
        return document

    async def adopt(self, asked: Mutation) -> Document:
        """Take over what was changed in the user's own table, as the edit it should have been."""
        asked = _prepared(asked)
        locked = await self._lock(asked, adopting=True)
        if locked.store is None:
            raise InvalidInput(
                f"documents of type {locked.document.entity_type!r} are kept by holdfast itself",
                hint="use update",
                field="document_id",
            )
        found = (await locked.store.read(self._tx, [locked.document.id], lock=True)).get(locked.document.id)
        if found is None:
            raise NotFound(f"the content of {locked.document.id} is gone", document=str(locked.document.id))
        return await self._change(replace(asked, data=found), locked, explicit=False)

    async def _edit(self, asked: Mutation, *, explicit: bool) -> Document:
        return await self._change(asked, await self._lock(asked), explicit=explicit)

    async def _change(self, asked: Mutation, locked: LockedDocument, *, explicit: bool) -> Document:
        document = locked.document
        amends = explicit or self._must_amend(locked, asked)
        if amends and not explicit:
            # Whoever must not amend must not do so by an update either.
            self._access.require_right(document.entity_type, "amend", document.doc_status)
        wanted = self._wanted(asked, document)
        rules = await self._rules(locked.contract, asked, amends=amends)
        if rules:
            preview = _as_mapping(wanted)
            wanted = rules.before(preview, _change_facts(document, changed_fields(document.data, preview)))
        content = await self._content(wanted, locked.contract)
        changed = await aside(lambda: changed_fields(document.data, content.data), document.data, content.data)
        if not changed:
            # Nothing to write, and no reason to ask anybody again about what has not changed.
            return document
        if amends:
            after = await self._amend(asked, locked, content, changed)
        else:
            after = await self._update(asked, locked, content, changed)
        await self._afterwards(asked, rules, after, _change_facts(document, changed))
        return after

    async def _content(self, given: Any, contract: Contract) -> Content:
        """What somebody sent, checked; beside the event loop if it is large."""
        return await aside(lambda: read_content(given, contract, limit=self._cabinet.limit), given)

    def _must_amend(self, locked: LockedDocument, asked: Mutation) -> bool:
        # What a process writes itself is part of it.
        way = edit_way(locked.window, own=locked.own is not None)
        if way == "locked":
            hint = "amend it: that makes a new document" if locked.amendment else "wait until its process lets it go"
            raise EditLocked(
                f"the document cannot be edited while it is {locked.document.doc_status}",
                hint=hint,
                document=str(locked.document.id),
                doc_status=locked.document.doc_status,
            )
        return way == "amend"

    async def _update(
        self, asked: Mutation, locked: LockedDocument, content: Content, changed: Sequence[str]
    ) -> Document:
        after = await self._writer.update(asked, locked, content, changed)
        payload = {"action_type": f"{after.entity_type}.update", "changed": list(changed)}
        await self._writer.post(asked, after, "on_mutation", payload, instance_id=locked.process)
        change = DocumentChange("update", after, locked.document, tuple(changed), locked.own, trace_id=asked.trace_id)
        await self._writer.tell(change)
        if locked.standing is not None and locked.own is None and self._cabinet.process is not None:
            await self._cabinet.process.edited(self._tx, locked.standing, change)
        return after

    async def _amend(
        self, asked: Mutation, locked: LockedDocument, content: Content, changed: Sequence[str]
    ) -> Document:
        way = self._amendment_of(locked)
        new_id = uuid7()
        old = await self._writer.replace(asked, locked, new_id, changed)
        new = await self._writer.insert(
            asked,
            locked.contract,
            content,
            status=way.to_state,
            amended_from=old.id,
            new_id=new_id,
            changed=changed,
        )
        payload = {
            "action_type": f"{old.entity_type}.amend",
            "changed": list(changed),
            "amended_to": str(new.id),
        }
        await self._writer.post(asked, old, "on_mutation", payload, instance_id=locked.process)
        change = DocumentChange(
            "amend", old, locked.document, tuple(changed), None, amended_to=new, trace_id=asked.trace_id
        )
        await self._writer.tell(change)
        if self._cabinet.process is not None:
            await self._cabinet.process.amended(self._tx, locked.standing, change)
            new = await self._locker.read(new.id)
        return replace(new, amended=True)

    def _amendment_of(self, locked: LockedDocument) -> AmendmentWay:
        declared, actor, status = locked.amendment, self._tx.actor, locked.document.doc_status
        way = None if declared is None else AmendmentWay(declared.to_state, tuple(declared.roles))
        refusal = amendment_refused(way, status, str(actor), None if actor.kind == "system" else actor.roles)
        if way is None:
            assert refusal is not None
            raise EditLocked(
                refusal.message,
                hint="edit it" if locked.window == "editable" else "its contract has no amendment from this state",
                document=str(locked.document.id),
                doc_status=status,
            )
        if refusal is not None:
            raise Forbidden(
                refusal.message,
                hint=f"this needs one of the roles: {', '.join(way.roles)}",
                permission="documents:write",
                roles=list(way.roles),
            )
        return way

    async def _transition(self, asked: Mutation) -> Document:
        if asked.transition is None:
            raise InvalidInput("transition is missing", hint="name the move, such as submit", field="transition")
        locked = await self._lock(asked)
        document = locked.document
        rules = await self._rules(locked.contract, asked)
        facts = {**_change_facts(document, ()), "transition": asked.transition}
        if rules:
            after = rules.before(document.data, facts)
            if changed_fields(document.data, after):
                raise InvalidInput(
                    "a rule sets fields at a transition", hint="let it set them when the document is written"
                )
        if self._cabinet.process is not None:
            await self._cabinet.process.transition(
                self._tx, locked.standing, document, asked.transition, reason=asked.reason, trace_id=asked.trace_id
            )
        else:
            await self._move_by_contract(asked, locked)
        moved = await self._locker.read(document.id)
        await self._afterwards(asked, rules, moved, {**facts, "status": moved.doc_status})
        return moved

    async def _move_by_contract(self, asked: Mutation, locked: LockedDocument) -> None:
        """Without an engine, the contract's own word is enough."""
        status = locked.document.doc_status
        ways = [each for each in locked.contract.transitions if status in each.from_states and each.kind != "amend"]
        way = next((each for each in ways if each.name == asked.transition), None)
        if way is None:
            possible = ", ".join(each.name for each in ways) or "nothing"
            raise Conflict(
                f"{asked.transition!r} is not possible while the document is {status}",
                hint=f"possible is {possible}",
                transition=asked.transition,
            )
        actor = self._tx.actor
        if way.roles and actor.kind != "system" and not actor.roles & set(way.roles):
            raise Forbidden(
                f"{actor} may not {way.name} this document",
                hint=f"this needs one of the roles: {', '.join(way.roles)}",
                permission="documents:write",
                roles=list(way.roles),
            )
        await set_status(self._tx, locked.document.id, way.to_state, reason=asked.reason, trace_id=asked.trace_id)

    async def _delete(self, asked: Mutation) -> Document:
        locked = await self._lock(asked)
        document = locked.document
        if locked.window != "editable":
            raise EditLocked(
                f"a document that is {document.doc_status} cannot be deleted",
                hint="cancel it instead",
                document=str(document.id),
                doc_status=document.doc_status,
            )
        rules = await self._rules(locked.contract, asked)
        if rules:
            rules.before(document.data, _change_facts(document, ()))
        gone = await self._writer.delete(asked, locked)
        payload = {"action_type": f"{document.entity_type}.delete", "changed": []}
        await self._writer.post(asked, document, "on_mutation", payload, instance_id=locked.process)
        if locked.standing is not None and self._cabinet.process is not None:
            await self._cabinet.process.deleted(self._tx, locked.standing, document, reason=asked.reason)
        await self._afterwards(asked, rules, gone, _change_facts(document, ()))
        return gone

    # ------------------------------------------------------------------------------------------------------- parts

    async def _lock(self, asked: Mutation, *, adopting: bool = False) -> LockedDocument:
        locked = await self._locker.lock(asked, adopting=adopting)
        self._hidden = self._access.hidden(locked.document.entity_type)
        return locked

    def _wanted(self, asked: Mutation, document: Document) -> Any:
        """The content that is asked for. What its author cannot see is kept, and cannot be written by them."""
        if asked.data is None:
            self._refuse_hidden([*asked.changes, *asked.remove])
            return with_changes(document.data, asked.changes, asked.remove)
        if not self._hidden:
            return asked.data
        wanted = _as_mapping(asked.data)
        self._refuse_hidden(wanted)
        return {**wanted, **{name: document.data[name] for name in self._hidden if name in document.data}}

    def _refuse_hidden(self, names: Iterable[str]) -> None:
        for name in sorted(self._hidden.intersection(names)):
            raise Forbidden(
                f"{self._tx.actor} may not write {name!r}, which is masked",
                hint="leave the field out: it keeps the value it has",
                permission="documents:write",
                field=name,
            )

    async def _require_made(self, known: Document) -> None:
        """Whoever comes with a key and the content it was used with has not thereby a right to what became of it."""
        if not (await self._access.sight(known)).sees(known.entity_version):
            raise AlreadyExists("the key belongs to another document", hint="use another key", field="key")

    async def _rules(self, contract: Contract, asked: Mutation, *, amends: bool = False) -> RuleRun:
        """An amendment is an edit, however it is asked for: what looks at either looks at it."""
        operations: tuple[Operation, ...] = ("update", "amend") if amends else (asked.operation,)
        rules = await load_rules(self._tx, contract.entity_type, *operations)
        return RuleRun(self._tx, contract, rules, asked.operation, await self._locker.now() if rules else None)

    async def _afterwards(self, asked: Mutation, rules: RuleRun, document: Document, change: Mapping[str, Any]) -> None:
        if not rules:
            return
        for emission in rules.after(document.data, change):
            payload = {"event_key": emission.event_key, "payload": emission.payload}
            await self._writer.post(asked, document, "on_event", payload, instance_id=uuid7())
        await rules.keep(document.id, document.entity_version)


def _prepared(mutation: Mutation) -> Mutation:
    if mutation.operation not in OPERATIONS:
        known = ", ".join(OPERATIONS)
        raise InvalidInput(f"there is no operation {mutation.operation!r}", hint=f"use {known}", field="operation")
    if mutation.reason is not None:
        check_text("reason", mutation.reason, maximum=4000)
    if mutation.trace_id is not None:
        check_text("trace_id", mutation.trace_id, maximum=256)
    return replace(mutation, trace_id=mutation.trace_id or current_trace_id())


def _change_facts(document: Document, changed: Sequence[str]) -> dict[str, Any]:
    return {"changed": list(changed), "previous": document.data, "status": document.doc_status}


def _without_values(error: InvalidDocument | RuleRejected | ExpressionError, hidden: frozenset[str]) -> HoldfastError:
    """The error without what it quotes of content: its author does not see all of that."""
    if isinstance(error, RuleRejected):
        rule = error.details["rule"]
        return RuleRejected(error.message, rule=rule)
    if isinstance(error, ExpressionError):
        return ExpressionError("a rule about this document cannot be decided", hint="ask whoever wrote the rule")
    problems = [
        each if (top := each["path"].partition(".")[0]) and top not in hidden else {"path": top, "message": "not valid"}
        for each in error.details.get("problems", [])
    ]
    first = problems[0] if problems else {"path": "", "message": "not valid"}
    return InvalidDocument(
        f"this is not valid: {first['path']}: {first['message']}" if first["path"] else "this is not valid",
        hint=error.hint,
        problems=problems,
        field=first["path"] or None,
    )


def _as_mapping(given: Any) -> Mapping[str, Any]:
    if isinstance(given, Mapping):
        return given
    dump = getattr(given, "model_dump", None)
    if dump is not None:
        found: Mapping[str, Any] = dump(mode="json", by_alias=True)
        return found
    raise InvalidInput(
        f"data is a {type(given).__name__}", hint="give an object of fields, or a pydantic model", field="data"
    )
