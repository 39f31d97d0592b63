"""The one write path of documents. Everything that changes one goes through `Mutator.apply`, in this order:

policy → hold the process and the row → version seen → edit window → rules before → schema, size, hash →
row, snapshot, audit event and outbox event → listeners and the process → rules after.

All of it is one transaction. The edit window is enforced here and not by the engine, so a locked document stays locked
when every worker is stopped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from holdfast.documents.content import Content, changed_fields, read_content, with_changes
from holdfast.documents.contracts import Contracts
from holdfast.documents.events import current_trace_id, post_event
from holdfast.documents.model import Change, Document, Mutation, Standing, document_from_row, version_from_row
from holdfast.documents.policy import check_policy
from holdfast.documents.ports import DocumentListener, DocumentStore, ProcessPort
from holdfast.documents.rules import RuleRun, load_rules
from holdfast.documents.status import set_status
from holdfast.envelope import Contract, EditWindow, Transition
from holdfast.errors import AlreadyExists, Conflict, EditLocked, Forbidden, InvalidInput, NotFound, VersionConflict
from holdfast.kernel.canonical import canonical_hash, canonical_json
from holdfast.kernel.ids import uuid7
from holdfast.kernel.names import check_text
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Cabinet", "Mutator"]

_SQL = queries("documents")


@dataclass(frozen=True, slots=True)
class Cabinet:
    """What every mutation needs besides its transaction; made once by whoever wires the application."""

    contracts: Contracts
    limit: int
    process: ProcessPort | None = None
    """Without one, a document's lifecycle follows its contract alone."""
    listeners: tuple[DocumentListener, ...] = ()


@dataclass(frozen=True, slots=True)
class _Held:
    """A document whose process and row are held until the transaction ends."""

    document: Document
    standing: Standing | None
    contract: Contract
    store: DocumentStore | None

    @property
    def window(self) -> EditWindow:
        """What may be done to the content: the process says, or, when none is under way, the state it rests in."""
        if self.standing is not None:
            return self.standing.edit_window
        state = next((each for each in self.contract.states if each.name == self.document.doc_status), None)
        return (state.edit_window if state is not None else None) or "locked"

    @property
    def amendment(self) -> Transition | None:
        """The transition by which the contract lets the document be replaced from the state it is in."""
        return next(
            (
                each
                for each in self.contract.transitions
                if each.kind == "amend" and self.document.doc_status in each.from_states
            ),
            None,
        )


class Mutator:
    """Carries out mutations in one transaction."""

    def __init__(self, tx: TenantTx, cabinet: Cabinet) -> None:
        self._tx = tx
        self._cabinet = cabinet

    async def apply(self, mutation: Mutation) -> Document:
        """Carry out one mutation; the document as it is afterwards."""
        asked = _prepared(mutation)
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
        check_policy(self._tx, self._cabinet.contracts, entity_type, "create")
        contract = await self._cabinet.contracts.current(self._tx, entity_type)
        rules = await self._rules(contract, asked)
        given = asked.data if asked.data is not None else asked.changes
        first = read_content(given, contract, limit=self._cabinet.limit) if not rules else None
        if first is None:
            data = rules.before(_as_mapping(given), {"changed": [], "status": contract.initial_state})
            first = read_content(data, contract, limit=self._cabinet.limit)
        known = await self._made_with_key(asked, first)
        if known is not None:
            return known
        document = await self._insert(asked, contract, first, status=contract.initial_state, amended_from=None)
        await self._post(asked, document, "on_create", {}, instance_id=uuid7())
        await self._afterwards(asked, rules, document, {"changed": sorted(first.data), "status": document.doc_status})
        return document

    async def adopt(self, asked: Mutation) -> Document:
        """Take over what was changed in the user's own table, as the edit it should have been."""
        asked = _prepared(asked)
        held = await self._hold(asked, adopting=True)
        if held.store is None:
            raise InvalidInput(
                f"documents of type {held.document.entity_type!r} are kept by holdfast itself",
                hint="use update",
                field="entity_id",
            )
        found = (await held.store.read(self._tx, [held.document.id], lock=True)).get(held.document.id)
        if found is None:
            raise NotFound(f"the content of {held.document.id} is gone", document=str(held.document.id))
        return await self._change(replace(asked, data=found), held, explicit=False)

    async def _edit(self, asked: Mutation, *, explicit: bool) -> Document:
        return await self._change(asked, await self._hold(asked), explicit=explicit)

    async def _change(self, asked: Mutation, held: _Held, *, explicit: bool) -> Document:
        document = held.document
        amends = explicit or self._must_amend(held, asked)
        wanted = asked.data if asked.data is not None else with_changes(document.data, asked.changes, asked.remove)
        rules = await self._rules(held.contract, asked)
        if rules:
            preview = _as_mapping(wanted)
            wanted = rules.before(preview, _change_facts(document, changed_fields(document.data, preview)))
        content = read_content(wanted, held.contract, limit=self._cabinet.limit)
        changed = changed_fields(document.data, content.data)
        if not changed:
            # Nothing to write, and no reason to ask anybody again about what has not changed.
            return document
        if amends:
            after = await self._amend(asked, held, content, changed)
        else:
            after = await self._update(asked, held, content, changed)
        await self._afterwards(asked, rules, after, _change_facts(document, changed))
        return after

    def _must_amend(self, held: _Held, asked: Mutation) -> bool:
        if asked.instance_id is not None:
            self._check_own_instance(held, asked.instance_id)
            return False  # What a process writes itself is part of it.
        if held.window == "locked":
            hint = "amend it: that makes a new document" if held.amendment else "wait until its process lets it go"
            raise EditLocked(
                f"the document cannot be edited while it is {held.document.doc_status}",
                hint=hint,
                document=str(held.document.id),
                doc_status=held.document.doc_status,
            )
        return held.window == "amend_only"

    async def _update(self, asked: Mutation, held: _Held, content: Content, changed: Sequence[str]) -> Document:
        previous, tx = held.document, self._tx
        version_id = uuid7()
        version = previous.entity_version + 1
        at = await self._write(
            "update_document",
            id=previous.id,
            version=version,
            version_id=version_id,
            contract_version=previous.contract_version,
            doc_status=previous.doc_status,
            data=None if held.store else content.text,
            snapshot=content.text,
            content_hash=content.hash,
            changed_fields=list(changed),
            own_instance=asked.instance_id,
            audit={"version": version, "changed": list(changed), "content_hash": content.hash, **_because(asked)},
            trace_id=asked.trace_id,
        )
        if held.store is not None:
            await held.store.write(tx, previous.id, content.data, new=False)
        after = replace(
            previous,
            entity_version=version,
            version_id=version_id,
            data=content.data,
            content_hash=content.hash,
            updated_at=at,
            updated_by=str(tx.actor),
        )
        payload = {"action_type": f"{after.entity_type}.update", "changed": list(changed)}
        await self._post(asked, after, "on_mutation", payload, instance_id=_instance(held))
        change = Change("update", after, previous, tuple(changed), asked.instance_id, trace_id=asked.trace_id)
        await self._tell(change)
        if held.standing is not None and asked.instance_id is None and self._cabinet.process is not None:
            await self._cabinet.process.edited(tx, held.standing, change)
        return after

    async def _amend(self, asked: Mutation, held: _Held, content: Content, changed: Sequence[str]) -> Document:
        way = held.amendment
        if way is None:
            raise EditLocked(
                f"a document that is {held.document.doc_status} cannot be amended",
                hint="edit it" if held.window == "editable" else "its contract has no amendment from this state",
                document=str(held.document.id),
                doc_status=held.document.doc_status,
            )
        if way.roles and self._tx.actor.kind != "system" and not self._tx.actor.roles & set(way.roles):
            raise Forbidden(
                f"{self._tx.actor} may not amend this document",
                hint=f"this needs one of the roles: {', '.join(way.roles)}",
                permission="documents:write",
                roles=list(way.roles),
            )
        new_id = uuid7()
        facts = {"amended_to": str(new_id), "changed": list(changed), **_because(asked)}
        await self._write("replace_document", id=held.document.id, audit=facts, trace_id=asked.trace_id)
        if held.store is not None:
            # Where the change was made in the user's own table, the old document keeps what people had decided on.
            await held.store.write(self._tx, held.document.id, held.document.data, new=False)
        new = await self._insert(
            asked,
            held.contract,
            content,
            status=way.to_state,
            amended_from=held.document.id,
            new_id=new_id,
            changed=changed,
        )
        old = replace(held.document, doc_status="amended", amended_to_id=new.id)
        payload = {
            "action_type": f"{old.entity_type}.amend",
            "changed": list(changed),
            "amended_to": str(new.id),
        }
        await self._post(asked, old, "on_mutation", payload, instance_id=_instance(held))
        change = Change(
            "amend", old, held.document, tuple(changed), asked.instance_id, amended_to=new, trace_id=asked.trace_id
        )
        await self._tell(change)
        if self._cabinet.process is not None:
            await self._cabinet.process.amended(self._tx, held.standing, change)
            return await self._read(new.id)
        return new

    async def _transition(self, asked: Mutation) -> Document:
        if asked.transition is None:
            raise InvalidInput("transition is missing", hint="name the move, such as submit", field="transition")
        held = await self._hold(asked)
        document = held.document
        rules = await self._rules(held.contract, asked)
        facts = {**_change_facts(document, ()), "transition": asked.transition}
        if rules:
            after = rules.before(document.data, facts)
            if changed_fields(document.data, after):
                raise InvalidInput(
                    "a rule sets fields at a transition", hint="let it set them when the document is written"
                )
        if self._cabinet.process is not None:
            await self._cabinet.process.transition(
                self._tx, held.standing, document, asked.transition, reason=asked.reason
            )
        else:
            await self._move_by_contract(asked, held)
        moved = await self._read(document.id)
        await self._afterwards(asked, rules, moved, {**facts, "status": moved.doc_status})
        return moved

    async def _move_by_contract(self, asked: Mutation, held: _Held) -> None:
        """Without an engine, the contract's own word is enough."""
        status = held.document.doc_status
        ways = [each for each in held.contract.transitions if status in each.from_states and each.kind != "amend"]
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
        await set_status(self._tx, held.document.id, way.to_state, reason=asked.reason, trace_id=asked.trace_id)

    async def _delete(self, asked: Mutation) -> Document:
        held = await self._hold(asked)
        document = held.document
        if held.window != "editable":
            raise EditLocked(
                f"a document that is {document.doc_status} cannot be deleted",
                hint="cancel it instead",
                document=str(document.id),
                doc_status=document.doc_status,
            )
        rules = await self._rules(held.contract, asked)
        if rules:
            rules.before(document.data, _change_facts(document, ()))
        at = await self._write(
            "delete_document",
            id=document.id,
            audit={"version": document.entity_version, **_because(asked)},
            trace_id=asked.trace_id,
        )
        if held.store is not None:
            await held.store.remove(self._tx, document.id)
        payload = {"action_type": f"{document.entity_type}.delete", "changed": []}
        await self._post(asked, document, "on_mutation", payload, instance_id=_instance(held))
        if held.standing is not None and self._cabinet.process is not None:
            await self._cabinet.process.deleted(self._tx, held.standing, document, reason=asked.reason)
        gone = replace(document, deleted_at=at)
        await self._afterwards(asked, rules, gone, _change_facts(document, ()))
        return gone

    # ------------------------------------------------------------------------------------------------------- parts

    async def _hold(self, asked: Mutation, *, adopting: bool = False) -> _Held:
        if asked.entity_id is None:
            raise InvalidInput("entity_id is missing", hint="say which document", field="entity_id")
        self._tx.require("documents:write")
        row = await self._tx.one(_SQL["hold_document"], id=asked.entity_id)
        if row is None or row["deleted_at"] is not None:
            raise NotFound(f"there is no document {asked.entity_id}", document=str(asked.entity_id))
        document = document_from_row(row)
        check_policy(self._tx, self._cabinet.contracts, document.entity_type, asked.operation)
        if asked.entity_type is not None and asked.entity_type != document.entity_type:
            raise NotFound(f"there is no {asked.entity_type} {asked.entity_id}", document=str(asked.entity_id))
        if document.amended_to_id is not None:
            raise EditLocked(
                "the document was replaced by an amended one",
                hint=f"change {document.amended_to_id} instead",
                document=str(document.id),
                amended_to=str(document.amended_to_id),
            )
        if asked.expected_version is not None and asked.expected_version != document.entity_version:
            raise VersionConflict(
                f"the document has version {document.entity_version}, you saw {asked.expected_version}",
                hint="read it again and decide anew",
                document=str(document.id),
                expected=asked.expected_version,
                found=document.entity_version,
            )
        declared = self._cabinet.contracts.declared(document.entity_type)
        store = declared.store if declared is not None else None
        if store is not None and adopting:
            document = replace(document, data=await self._read_snapshot(document))
        elif store is not None:
            document = replace(document, data=await self._read_outside(store, document))
        standing = None
        if row["instance_id"] is not None:
            standing = Standing(row["instance_id"], row["instance_status"], row["instance_version"], row["edit_window"])
        contract = await self._cabinet.contracts.at(self._tx, document.entity_type, document.contract_version)
        return _Held(document, standing, contract, store)

    async def _read_outside(self, store: DocumentStore, document: Document) -> Mapping[str, Any]:
        found = (await store.read(self._tx, [document.id], lock=True)).get(document.id)
        if found is None or canonical_hash(dict(found)) != document.content_hash:
            raise Conflict(
                "the document's content was changed in its own table, past holdfast",
                hint="put it back as it was, or take the change over with `documents.adopt`",
                document=str(document.id),
            )
        return found

    async def _read_snapshot(self, document: Document) -> Mapping[str, Any]:
        row = await self._tx.one(_SQL["get_version"], entity_id=document.id, version=document.entity_version)
        assert row is not None
        return version_from_row(row).data

    def _check_own_instance(self, held: _Held, instance_id: UUID) -> None:
        if held.standing is None or held.standing.instance_id != instance_id:
            raise Conflict(
                "the document is not in the hands of this process",
                hint="only the document's own process may write past its edit window",
                instance=str(instance_id),
            )

    async def _made_with_key(self, asked: Mutation, content: Content) -> Document | None:
        """The document that was made with this key before."""
        if asked.key is None:
            return None
        version_id = _keyed(self._tx, asked.key)
        await self._tx.run(_SQL["lock_key"], version_id=str(version_id))
        row = await self._tx.one(_SQL["made_with_key"], version_id=version_id)
        if row is None:
            return None
        known = await self._read(row["entity_id"])
        if known.entity_type != asked.entity_type or row["content_hash"] != content.hash:
            raise AlreadyExists(
                f"the key {asked.key!r} belongs to a document with other content",
                hint="use another key, or send the same content",
                field="key",
                document=str(known.id),
            )
        return known

    async def _insert(
        self,
        asked: Mutation,
        contract: Contract,
        content: Content,
        *,
        status: str,
        amended_from: UUID | None,
        new_id: UUID | None = None,
        changed: Sequence[str] = (),
    ) -> Document:
        tx = self._tx
        declared = self._cabinet.contracts.declared(contract.entity_type)
        store = declared.store if declared is not None else None
        entity_id = new_id or uuid7()
        version_id = uuid7() if asked.key is None else _keyed(tx, asked.key)
        facts: dict[str, Any] = {
            "entity_type": contract.entity_type,
            "version": 1,
            "status": status,
            "content_hash": content.hash,
            **_because(asked),
        }
        if amended_from is not None:
            facts["amended_from"] = str(amended_from)
        at = await self._write(
            "insert_document",
            id=entity_id,
            entity_type=contract.entity_type,
            doc_status=status,
            contract_version=contract.version,
            data=None if store else content.text,
            snapshot=content.text,
            content_hash=content.hash,
            version_id=version_id,
            amended_from_id=amended_from,
            changed_fields=list(changed),
            own_instance=asked.instance_id,
            audit=facts,
            trace_id=asked.trace_id,
        )
        if store is not None:
            await store.write(tx, entity_id, content.data, new=True)
        return Document(
            id=entity_id,
            entity_type=contract.entity_type,
            doc_status=status,
            entity_version=1,
            contract_version=contract.version,
            data=content.data,
            content_hash=content.hash,
            version_id=version_id,
            amended_from_id=amended_from,
            created_at=at,
            created_by=str(tx.actor),
            updated_at=at,
            updated_by=str(tx.actor),
        )

    async def _rules(self, contract: Contract, asked: Mutation) -> RuleRun:
        rules = await load_rules(self._tx, contract.entity_type, asked.operation)
        return RuleRun(self._tx, contract, rules, asked.operation, await self._now() if rules else None)

    async def _afterwards(self, asked: Mutation, rules: RuleRun, document: Document, change: Mapping[str, Any]) -> None:
        if not rules:
            return
        for emission in rules.after(document.data, change):
            payload = {"event_key": emission.event_key, "payload": emission.payload}
            await self._post(asked, document, "on_event", payload, instance_id=uuid7())
        await rules.keep(document.id, document.entity_version)

    async def _post(
        self, asked: Mutation, document: Document, event_type: str, payload: Mapping[str, Any], *, instance_id: UUID
    ) -> None:
        about = {"entity_type": document.entity_type, "entity_id": str(document.id), "change": str(uuid7())}
        if asked.instance_id is not None:
            about["by_instance"] = str(asked.instance_id)
        await post_event(
            self._tx,
            event_type,
            {**about, **payload},
            instance_id=instance_id,
            entity_type=document.entity_type,
            entity_id=document.id,
            entity_version=document.entity_version,
            trace_id=asked.trace_id,
        )

    async def _write(self, query: str, *, audit: Mapping[str, Any], **values: Any) -> datetime:
        """Run one of the writing statements; when it happened."""
        row = await self._tx.one(_SQL[query], **values, actor=str(self._tx.actor), audit=canonical_json(audit).decode())
        assert row is not None
        at: datetime = row["at"]
        return at

    async def _tell(self, change: Change) -> None:
        for listener in self._cabinet.listeners:
            await listener.document_changed(self._tx, change)

    async def _read(self, entity_id: UUID) -> Document:
        row = await self._tx.one(_SQL["get_document"], id=entity_id)
        assert row is not None
        document = document_from_row(row)
        declared = self._cabinet.contracts.declared(document.entity_type)
        if declared is not None and declared.store is not None:
            found = await declared.store.read(self._tx, [entity_id])
            return replace(document, data=found.get(entity_id, {}))
        return document

    async def _now(self) -> datetime:
        row = await self._tx.one(_SQL["database_time"])
        assert row is not None
        at: datetime = row["now"]
        return at


def _prepared(mutation: Mutation) -> Mutation:
    if mutation.reason is not None:
        check_text("reason", mutation.reason, maximum=4000)
    return replace(mutation, trace_id=mutation.trace_id or current_trace_id())


def _keyed(tx: TenantTx, key: str) -> UUID:
    return uuid5(tx.tenant.id, f"document:{check_text('key', key, maximum=512)}")


def _instance(held: _Held) -> UUID:
    """The process it is about; without one, the id that a process started by the event will have."""
    return held.standing.instance_id if held.standing is not None else uuid7()


def _because(asked: Mutation) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if asked.reason is not None:
        told["reason"] = asked.reason
    if asked.instance_id is not None:
        told["instance"] = str(asked.instance_id)
    return told


def _change_facts(document: Document, changed: Sequence[str]) -> dict[str, Any]:
    return {"changed": list(changed), "previous": document.data, "status": document.doc_status}


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
