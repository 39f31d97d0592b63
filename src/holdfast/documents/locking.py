"""Holding a document: its process first, then its row, until the transaction ends.

Everybody who changes a document, or advances its process, takes the two in this order, so that nobody waits in a
circle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from holdfast.documents.access import Access, no_document
from holdfast.documents.contracts import Contracts
from holdfast.documents.model import Document, Mutation, Standing, document_from_row, version_from_row
from holdfast.documents.ports import DocumentListener, DocumentStore, ProcessPort
from holdfast.envelope import Contract, EditWindow, Transition
from holdfast.errors import Conflict, EditLocked, InvalidInput, NotFound, VersionConflict
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import canonical_hash
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Cabinet", "LockedDocument", "Locker"]

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
class LockedDocument:
    """A document whose process and row are held until the transaction ends."""

    document: Document
    standing: Standing | None
    contract: Contract
    store: DocumentStore | None
    own: UUID | None
    """The document's process, when one of its own steps is at work in this transaction."""

    @property
    def process(self) -> UUID:
        """The process an event is about; without one, the id that a process started by the event will have."""
        return self.standing.instance_id if self.standing is not None else uuid7()

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
        return self.contract.amendment(self.document.doc_status)


class Locker:
    """Holds and reads documents in one transaction."""

    def __init__(self, tx: TenantTx, cabinet: Cabinet) -> None:
        self._tx = tx
        self._cabinet = cabinet

    async def lock(self, asked: Mutation, *, adopting: bool = False) -> LockedDocument:
        """Hold a document's process and its row, and check that the change may be asked for at all.

        `adopting` takes the content of the last version instead of what the user's own table says.
        """
        if asked.document_id is None:
            raise InvalidInput("document_id is missing", hint="say which document", field="document_id")
        self._tx.require("documents:write")
        row = await self._tx.row(_SQL["hold_document"], id=asked.document_id)
        if row is None or row["deleted_at"] is not None:
            raise no_document(asked.document_id)
        document = document_from_row(row)
        access = Access(self._tx, self._cabinet.contracts)
        if row["instance_id"] is None or row["instance_id"] != self._tx.instance:
            # Nobody changes what they cannot see; a step, whoever it acts as, is part of its process.
            await access.require_sight(document)
        access.require_right(document.entity_type, asked.operation, document.doc_status)
        if asked.entity_type is not None and asked.entity_type != document.entity_type:
            raise NotFound(f"there is no {asked.entity_type} {asked.document_id}", document=str(asked.document_id))
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
        own = standing.instance_id if standing is not None and standing.instance_id == self._tx.instance else None
        if own is not None and asked.operation != "update":
            raise Conflict(
                f"a step cannot {asked.operation} the document of its own process",
                hint="let the process lead there by its edges",
                document=str(document.id),
            )
        return LockedDocument(document, standing, contract, store, own)

    async def read(self, document_id: UUID) -> Document:
        """A document as it stands in this transaction."""
        row = await self._tx.row(_SQL["get_document"], id=document_id)
        assert row is not None
        document = document_from_row(row)
        declared = self._cabinet.contracts.declared(document.entity_type)
        if declared is not None and declared.store is not None:
            found = await declared.store.read(self._tx, [document_id])
            return replace(document, data=found.get(document_id, {}))
        return document

    async def now(self) -> datetime:
        """The time of the transaction."""
        row = await self._tx.row(_SQL["database_time"])
        assert row is not None
        at: datetime = row["now"]
        return at

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
        row = await self._tx.row(_SQL["get_version"], document_id=document.id, version=document.entity_version)
        assert row is not None
        return version_from_row(row).data
