"""Writing documents: each change is one statement that writes the row, its snapshot and its audit event together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from holdfast.documents.content import Content
from holdfast.documents.events import event_row, post_events
from holdfast.documents.locking import Cabinet, LockedDocument, Locker
from holdfast.documents.model import Document, DocumentChange, Mutation
from holdfast.envelope import Contract
from holdfast.errors import AlreadyExists
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import canonical_json, dump
from holdfast.kernel.names import check_text
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Writer"]

_SQL = queries("documents")


class Writer:
    """Writes documents in one transaction."""

    def __init__(self, tx: TenantTx, cabinet: Cabinet, locker: Locker) -> None:
        self._tx = tx
        self._cabinet = cabinet
        self._locker = locker

    async def insert(
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
        """Write a new document with its first version."""
        tx = self._tx
        declared = self._cabinet.contracts.declared(contract.entity_type)
        store = declared.store if declared is not None else None
        document_id = new_id or uuid7()
        version_id = uuid7() if asked.key is None else _keyed(tx, asked.key)
        facts: dict[str, Any] = {
            "entity_type": contract.entity_type,
            "version": 1,
            "status": status,
            "content_hash": content.hash,
            **self._because(asked),
        }
        if amended_from is not None:
            facts["amended_from"] = str(amended_from)
        at = await self._run(
            "insert_document",
            id=document_id,
            entity_type=contract.entity_type,
            doc_status=status,
            contract_version=contract.version,
            data=None if store else content.text,
            snapshot=content.text,
            content_hash=content.hash,
            version_id=version_id,
            amended_from_id=amended_from,
            changed_fields=list(changed),
            own_instance=tx.instance,
            audit=facts,
            trace_id=asked.trace_id,
        )
        if store is not None:
            await store.write(tx, document_id, content.data, new=True)
        return Document(
            id=document_id,
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

    async def update(
        self, asked: Mutation, locked: LockedDocument, content: Content, changed: Sequence[str]
    ) -> Document:
        """Write the next version of a document."""
        previous, tx = locked.document, self._tx
        version, version_id = previous.entity_version + 1, uuid7()
        at = await self._run(
            "update_document",
            id=previous.id,
            version=version,
            version_id=version_id,
            contract_version=previous.contract_version,
            doc_status=previous.doc_status,
            data=None if locked.store else content.text,
            snapshot=content.text,
            content_hash=content.hash,
            changed_fields=list(changed),
            own_instance=locked.own,
            audit={
                "version": version,
                "changed": list(changed),
                "content_hash": content.hash,
                **self._because(asked),
            },
            trace_id=asked.trace_id,
        )
        if locked.store is not None:
            await locked.store.write(tx, previous.id, content.data, new=False)
        return replace(
            previous,
            entity_version=version,
            version_id=version_id,
            data=content.data,
            content_hash=content.hash,
            updated_at=at,
            updated_by=str(tx.actor),
        )

    async def replace(self, asked: Mutation, locked: LockedDocument, new_id: UUID, changed: Sequence[str]) -> Document:
        """Let a document give way to an amended one."""
        facts = {"amended_to": str(new_id), "changed": list(changed), **self._because(asked)}
        move = {
            "id": locked.document.id,
            "doc_status": "amended",
            "event_type": "document.amended",
            "actor": str(self._tx.actor),
            "data": facts,
            "trace_id": asked.trace_id,
        }
        row = await self._tx.row(_SQL["move_document"], moves=dump([move]))
        assert row is not None
        at: datetime = row["at"]
        if locked.store is not None:
            # Where the change was made in the user's own table, the old document keeps what people had decided on.
            await locked.store.write(self._tx, locked.document.id, locked.document.data, new=False)
        return replace(
            locked.document, doc_status="amended", amended_to_id=new_id, updated_at=at, updated_by=str(self._tx.actor)
        )

    async def delete(self, asked: Mutation, locked: LockedDocument) -> Document:
        """Mark a document as deleted."""
        facts = {"version": locked.document.entity_version, **self._because(asked)}
        at = await self._run("delete_document", id=locked.document.id, audit=facts, trace_id=asked.trace_id)
        if locked.store is not None:
            await locked.store.remove(self._tx, locked.document.id)
        return replace(locked.document, deleted_at=at, updated_at=at, updated_by=str(self._tx.actor))

    async def made_with_key(self, asked: Mutation, content: Content) -> Document | None:
        """The document that was made with this key before."""
        if asked.key is None:
            return None
        version_id = _keyed(self._tx, asked.key)
        await self._tx.run(_SQL["lock_key"], version_id=str(version_id))
        row = await self._tx.row(_SQL["made_with_key"], version_id=version_id)
        if row is None:
            return None
        known = await self._locker.read(row["document_id"])
        if known.entity_type != asked.entity_type or row["content_hash"] != content.hash:
            raise AlreadyExists(
                f"the key {asked.key!r} belongs to a document with other content",
                hint="use another key, or send the same content",
                field="key",
                document=str(known.id),
            )
        return known

    async def post(
        self, asked: Mutation, document: Document, event_type: str, payload: Mapping[str, Any], *, instance_id: UUID
    ) -> None:
        """Tell processes of it."""
        about = {"entity_type": document.entity_type, "entity_id": str(document.id), "change": str(uuid7())}
        if self._tx.instance is not None:
            about["by_instance"] = str(self._tx.instance)
        event = event_row(
            instance_id,
            event_type,
            {**about, **payload},
            entity_type=document.entity_type,
            document_id=document.id,
            entity_version=document.entity_version,
            actor=self._tx.actor,
            trace_id=asked.trace_id,
        )
        await post_events(self._tx, [event])

    async def tell(self, change: DocumentChange) -> None:
        """Tell those who must react within the transaction."""
        for listener in self._cabinet.listeners:
            await listener.document_changed(self._tx, change)

    async def _run(self, query: str, *, audit: Mapping[str, Any], **values: Any) -> datetime:
        """Run one of the writing statements; when it happened."""
        row = await self._tx.row(_SQL[query], **values, actor=str(self._tx.actor), audit=canonical_json(audit).decode())
        assert row is not None
        at: datetime = row["at"]
        return at

    def _because(self, asked: Mutation) -> dict[str, Any]:
        told: dict[str, Any] = {}
        if asked.reason is not None:
            told["reason"] = asked.reason
        if self._tx.instance is not None:
            told["instance"] = str(self._tx.instance)
        return told


def _keyed(tx: TenantTx, key: str) -> UUID:
    return uuid5(tx.tenant.id, f"document:{check_text('key', key, maximum=512)}")
