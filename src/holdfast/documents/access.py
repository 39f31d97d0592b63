"""Who may see and change what of documents: the one place where that is decided, for every way that leads to content.

Reading. With `documents:read`, whatever the policies of its type let the person read: roles for the type, a condition
for each document (`policy`). Without it, or where they say no: what the person made, edited or submitted (every
version; needs `documents:write`), and the versions they are asked about (needs `processes:approve`); a policy can
switch that off. What cannot be read answers like what is not there.

Masks hide fields from people who may read the rest. What a process keeps beside its document (variables, inputs and
outputs of steps, evidence) was made from it, nobody knows from which fields: it is shown to those who see all of the
document as it stands, and to nobody else. Code that acts as `system` is trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal
from uuid import UUID

from holdfast.audit.reads import audits_reads, record_read
from holdfast.documents.contracts import Contracts
from holdfast.documents.facts import actor_facts, org_facts
from holdfast.documents.model import Document, DocumentVersion, Operation, document_from_row
from holdfast.documents.policy import ANY_STATE, Policy, declared_policy, reading_condition, tenant_policy, types_in
from holdfast.errors import ExpressionError, Forbidden, InvalidInput, NotFound
from holdfast.kernel.cursor import encode_cursor
from holdfast.kernel.page import Page, read_in_windows
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Access", "Sight", "check_settings"]

_SQL = queries("documents")
_WINDOW: Final = 100
_READ_AT_MOST: Final = 1000
"""How many documents one page of a list looks at before it answers with what it has found, and where to go on."""

Grade = Literal["all", "some", "involved", "nothing"]
"""Which documents of a type somebody reads: every one, those for which a condition holds, only those they made or are
asked about, none. Of `some`, too, they read what they made or are asked about, unless that is switched off."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What somebody may see of one document: all its versions, or those they are asked about."""

    whole: bool
    versions: frozenset[int] = frozenset()

    def sees(self, version: int) -> bool:
        """Whether a version may be read."""
        return self.whole or version in self.versions


_NOTHING: Final = Sight(whole=False)


class Access:
    """What the actor of one transaction may see and do."""

    def __init__(self, tx: TenantTx, contracts: Contracts) -> None:
        self._tx = tx
        self._contracts = contracts
        self._read: dict[str, list[Policy]] = {}

    # ---------------------------------------------------------------------------------------------------- by its type

    def grade(self, entity_type: str) -> Grade:
        """Which documents of a type the actor reads."""
        actor, policies = self._tx.actor, self._policies(entity_type)
        if actor.kind == "system":
            return "all"
        if actor.may("documents:read") and all(self._has_role(policy.wanted("read")) for policy in policies):
            return "some" if any(policy.readable is not None for policy in policies) else "all"
        return "involved" if self._involvement_counts(policies) else "nothing"

    def partly_read(self) -> frozenset[str]:
        """The types of which the actor does not read every document."""
        named = {each.contract.entity_type for each in self._contracts} | set(types_in(self._tx.tenant.settings))
        return frozenset(kind for kind in named if self.grade(kind) != "all")

    def hidden(self, entity_type: str) -> frozenset[str]:
        """The fields that the actor may not see."""
        if self._tx.actor.kind == "system":
            return frozenset()
        policies = self._policies(entity_type)
        return frozenset(
            name for policy in policies for name, roles in policy.masked.items() if not self._has_role(roles)
        )

    def require_reading(self) -> None:
        """Raise `Forbidden` when the actor has no permission by which any document could be read."""
        if not any(map(self._tx.actor.may, ("documents:write", "processes:approve"))):
            self._tx.require("documents:read")

    def require_search(self, entity_type: str, fields: Iterable[str]) -> None:
        """Raise `Forbidden` unless the actor reads every document of a type and these fields: a search would tell."""
        if self.grade(entity_type) != "all" or self.hidden(entity_type) & set(fields):
            raise Forbidden(
                f"{self._tx.actor} may not search {entity_type} documents by these fields",
                hint="that takes the right to read all of them, with nothing masked",
                field="fields",
            )

    def require_right(self, entity_type: str, operation: Operation, state: str = ANY_STATE) -> None:
        """Raise `Forbidden` unless the actor may carry out the operation on documents of this type, in this state."""
        self._tx.require("documents:write")
        for policy in self._policies(entity_type):
            wanted = policy.wanted(operation, state)
            if not self._has_role(wanted):
                raise _may_not(self._tx, entity_type, operation, state, wanted or frozenset())

    # ------------------------------------------------------------------------------------------------- one by one

    async def sights(self, documents: Sequence[Document]) -> dict[UUID, Sight]:
        """What the actor may see of documents. Their content, where it lives in a table of the user's own, is read."""
        found: dict[UUID, Sight] = {}
        asking: list[Document] = []
        for document in documents:
            grade = self.grade(document.entity_type)
            if grade == "all":
                found[document.id] = Sight(whole=True)
            elif grade != "nothing":
                asking.append(document)
        for document in await self.filled([each for each in asking if self.grade(each.entity_type) == "some"]):
            if await self._holds(document):
                found[document.id] = Sight(whole=True)
        rest = [each for each in asking if each.id not in found]
        return found | await self._involved({each.id: each.entity_type for each in rest})

    async def sight(self, document: Document) -> Sight:
        """What the actor may see of a document."""
        return (await self.sights([document])).get(document.id, _NOTHING)

    async def require_sight(self, document: Document) -> None:
        """Raise `NotFound` unless the actor may read the document as it stands."""
        if not (await self.sight(document)).sees(document.entity_version):
            raise no_document(document.id)

    async def require_document(self, entity_type: str, document_id: UUID) -> None:
        """The same for a document of which only the id is known."""
        if self.grade(entity_type) != "all":
            known = await self._known([document_id])
            if not known:
                raise no_document(document_id)
            await self.require_sight(known[0])

    def shown(self, document: Document) -> Document:
        """A document that the actor may read, without what is masked. Its hash is that of the whole content."""
        data, masked = self._without_hidden(document.entity_type, document.data)
        return replace(document, data=data, masked=masked) if masked else document

    def shown_version(self, entity_type: str, version: DocumentVersion) -> DocumentVersion:
        """The same for a version."""
        data, masked = self._without_hidden(entity_type, version.data)
        return replace(version, data=data, masked=masked) if masked else version

    async def version(self, version: DocumentVersion) -> DocumentVersion:
        """A version as the actor may see it; raises `NotFound` when they may not."""
        known = await self._known([version.document_id])
        if not known or not (await self.sight(known[0])).sees(version.version):
            raise no_document(version.document_id)
        return self.shown_version(known[0].entity_type, version)

    # ------------------------------------------------------------------------------------- what was made from content

    async def seeing(self, documents: Mapping[UUID, str]) -> set[UUID]:
        """Of documents with their types, those of which the actor sees all, as they stand, with nothing masked.

        To others, nothing is shown that was made from content: variables of processes, inputs and outputs of steps,
        evidence, what is sent.
        """
        plain = {each: kind for each, kind in documents.items() if not self.hidden(kind)}
        whole = {each for each, kind in plain.items() if self.grade(kind) == "all"}
        judged = await self._known([each for each in plain if each not in whole])
        sights = await self.sights(judged)
        return whole | {each.id for each in judged if sights.get(each.id, _NOTHING).sees(each.entity_version)}

    async def documents_seen(self, ids: Iterable[UUID]) -> set[UUID]:
        """The same for documents of which only ids are known."""
        wanted = list(set(ids))
        if self._tx.actor.kind == "system":
            return set(wanted)
        return await self.seeing({each.id: each.entity_type for each in await self._known(wanted)})

    async def requests_seen(self, documents: Mapping[UUID, str]) -> dict[UUID, Sight]:
        """The versions about which the actor may see what people are asked and answer, of documents with their types.

        Where a field is masked, being asked is what counts: instructions are written for those who are.
        """
        plain = {each: kind for each, kind in documents.items() if not self.hidden(kind)}
        whole = {each: Sight(whole=True) for each, kind in plain.items() if self.grade(kind) == "all"}
        judged = await self.sights(await self._known([each for each in plain if each not in whole]))
        asked = await self._involved({each: kind for each, kind in documents.items() if each not in plain})
        return whole | judged | asked

    async def instances_seen(self, ids: Iterable[UUID], through: str) -> set[UUID]:
        """Of process instances, those whose content the actor may see; what belongs to none counts as an automation.

        `through` says by which road, for a tenant that wants to know who reads.
        """
        wanted = set(ids)
        if not wanted or (self._tx.actor.kind == "system" and not audits_reads(self._tx)):
            return wanted
        rows = {row["id"]: row for row in await self._tx.rows(_SQL["documents_of_instances"], ids=list(wanted))}
        of_documents = {row["document_id"]: row["entity_type"] for row in rows.values() if row["document_id"]}
        seen = await self.seeing(of_documents)
        await self.note_read(seen, through)

        def sees(instance: UUID) -> bool:
            row = rows.get(instance)
            if row is None or row["document_id"] is None:
                return self.sees_automation(row["created_by"] if row is not None else "")
            return row["document_id"] in seen

        return {each for each in wanted if sees(each)}

    async def note_read(self, documents: Iterable[UUID], through: str, version: int | None = None) -> None:
        """Tell the trail of which documents somebody reads something, and where, if the tenant wants to know."""
        read = sorted(map(str, documents)) if audits_reads(self._tx) else []
        if len(read) == 1:
            about = {"through": through} | ({} if version is None else {"version": version})
            await record_read(self._tx, UUID(read[0]), "document.read", about)
        elif read:
            await record_read(self._tx, self._tx.tenant.id, "documents.listed", {"through": through, "documents": read})

    def sees_automation(self, created_by: str) -> bool:
        """Whether the actor may see what an instance without a document works with: who reads, or started it."""
        actor = self._tx.actor
        return actor.may("documents:read") or (actor.may("processes:start") and created_by == str(actor))

    # ----------------------------------------------------------------------------------------------------------- lists

    async def page(
        self, query: Mapping[str, Any], entity_type: str, doc_status: str | None, *, before: UUID | None, limit: int
    ) -> Page[Document]:
        """A page of the documents that the actor may read, newest first.

        Where a condition decides, a page looks at a bounded number of documents: it may hold fewer than were asked for,
        or none, and still name where to go on. So it does where documents are large. Without a cursor there are no
        more, whatever the condition.
        """
        grade = self.grade(entity_type)
        found: list[Document] = []
        last: UUID | None = None
        read = 0
        while grade != "nothing":
            size = limit + 1 if grade != "some" else max(limit + 1, _WINDOW)
            rows, more = await self._window(grade, entity_type, doc_status, before, size)
            window = await self.filled([document_from_row(row) for row in rows])
            sights = await self.sights(window) if grade == "some" else {}
            found += [
                each for each in window if grade != "some" or sights.get(each.id, _NOTHING).sees(each.entity_version)
            ]
            read += len(window)
            if len(found) > limit:
                last = found[limit - 1].id
            elif more and (grade != "some" or read >= _READ_AT_MOST or len(rows) < size):
                last = window[-1].id
            elif more:
                before = window[-1].id
                continue
            break
        items = [self.shown(each) for each in found[:limit]]
        return Page(items, None if last is None else encode_cursor(query, [str(last)]))

    async def filled(self, documents: Sequence[Document]) -> list[Document]:
        """The documents with the content that lives in tables of the user's own."""
        filled = {each.id: each for each in documents}
        for entity_type in {each.entity_type for each in documents}:
            declared = self._contracts.declared(entity_type)
            if declared is None or declared.store is None:
                continue
            ids = [each.id for each in documents if each.entity_type == entity_type]
            contents = await declared.store.read(self._tx, ids)
            filled |= {each: replace(filled[each], data=contents.get(each, {})) for each in ids}
        return [filled[each.id] for each in documents]

    # ------------------------------------------------------------------------------------------------------------ parts

    def _policies(self, entity_type: str) -> list[Policy]:
        if entity_type not in self._read:
            declared = self._contracts.declared(entity_type)
            both = (
                declared.policy if declared is not None else None,
                tenant_policy(self._tx.tenant.settings, entity_type),
            )
            self._read[entity_type] = [each for each in both if each is not None]
        return self._read[entity_type]

    def _has_role(self, wanted: frozenset[str] | None) -> bool:
        actor = self._tx.actor
        return wanted is None or actor.kind == "system" or bool(actor.roles & wanted)

    def _involvement_counts(self, policies: Iterable[Policy]) -> bool:
        made, asked = self._involvement()
        return (made or asked) and all(policy.involved for policy in policies)

    def _involvement(self) -> tuple[bool, bool]:
        """Whether having made a document counts, and whether being asked about it does."""
        may = self._tx.actor.may
        reads = may("documents:read")
        return reads or may("documents:write"), reads or may("processes:approve")

    async def _window(
        self, grade: Grade, entity_type: str, doc_status: str | None, before: UUID | None, size: int
    ) -> tuple[list[dict[str, Any]], bool]:
        named = {"entity_type": entity_type, "doc_status": doc_status}

        async def read(last: dict[str, Any] | None, most: int) -> list[dict[str, Any]]:
            where = {"before": before if last is None else last["id"], "limit": most}
            if grade == "involved":
                return await self._tx.rows(_SQL["list_involved"], **named, **where, **self._names())
            statement = "list_documents" if doc_status is None else "list_documents_in_status"
            return await self._tx.rows(_SQL[statement], **named, **where)

        return await read_in_windows(read, size, "data")

    def _names(self) -> dict[str, Any]:
        actor, (made, asked) = self._tx.actor, self._involvement()
        may_approve = actor.may("processes:approve")
        roles = sorted(actor.roles)
        return {"me": actor.name, "roles": roles, "may_approve": may_approve, "made": made, "asked": asked}

    async def _involved(self, wanted: Mapping[UUID, str]) -> dict[UUID, Sight]:
        wanted = {each: kind for each, kind in wanted.items() if self._involvement_counts(self._policies(kind))}
        if not wanted:
            return {}
        rows = await self._tx.rows(_SQL["involved"], types=list(wanted.values()), ids=list(wanted), **self._names())
        return {row["document_id"]: Sight(0 in row["versions"], frozenset(row["versions"])) for row in rows}

    async def _known(self, ids: Sequence[UUID]) -> list[Document]:
        if not ids:
            return []
        return [document_from_row(row) for row in await self._tx.rows(_SQL["get_documents"], ids=list(ids))]

    async def _holds(self, document: Document) -> bool:
        """Whether every condition lets the actor read the document. One that cannot be decided does not."""
        roots = {
            "entity": document.data,
            "actor": actor_facts(self._tx.actor),
            "org": org_facts(self._tx.tenant),
            "payload": {
                "status": document.doc_status,
                "version": document.entity_version,
                "created_by": document.created_by,
                "updated_by": document.updated_by,
            },
        }
        contract = await self._contracts.at(self._tx, document.entity_type, document.contract_version)
        try:
            return all(
                reading_condition(policy.readable, contract).evaluate(roots) is True
                for policy in self._policies(document.entity_type)
                if policy.readable is not None
            )
        except ExpressionError:
            return False

    def _without_hidden(self, entity_type: str, data: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[str]]:
        hidden = self.hidden(entity_type)
        return {name: value for name, value in data.items() if name not in hidden}, sorted(hidden)


async def check_settings(tx: TenantTx, contracts: Contracts, settings: Mapping[str, Any]) -> None:
    """Refuse settings about documents that mean nothing: what was meant would stay open to everybody."""
    for entity_type, given in types_in(settings).items():
        try:
            contract = await contracts.current(tx, entity_type)
        except NotFound:
            contract = None
        policy = declared_policy(given, contract, field="settings")
        if contract is None and (policy.readable is not None or policy.masked):
            raise InvalidInput(
                f"document_roles: there is no document type {entity_type!r} to check readable and masked against",
                hint="register its contract first",
                field="settings",
            )


def no_document(document_id: UUID) -> NotFound:
    """For what is not there, and for what somebody may not read."""
    return NotFound(f"there is no document {document_id}", document=str(document_id))


def _may_not(tx: TenantTx, entity_type: str, operation: str, state: str, roles: frozenset[str]) -> Forbidden:
    where = "" if state == ANY_STATE else f" that are {state}"
    return Forbidden(
        f"{tx.actor} may not {operation} documents of type {entity_type!r}{where}",
        hint=f"this needs one of the roles: {', '.join(sorted(roles)) or 'none'}",
        permission="documents:write",
        operation=operation,
        roles=sorted(roles),
    )
