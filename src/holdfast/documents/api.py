"""The documents of one tenant, `hold.documents`: read them, and change them through `mutate()` and its short forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from holdfast.audit.reads import record_read
from holdfast.documents.access import Access, no_document
from holdfast.documents.content import nested_differences
from holdfast.documents.locking import Cabinet
from holdfast.documents.model import (
    Document,
    DocumentVersion,
    Mutation,
    document_from_row,
    version_from_row,
)
from holdfast.documents.mutation import Mutator
from holdfast.documents.views import VIEWS, DocumentView, check_filters
from holdfast.envelope import Contract
from holdfast.envelope.editing import changed_fields
from holdfast.errors import NotFound
from holdfast.kernel.cursor import check_limit, decode_cursor, decode_id_cursor, encode_cursor
from holdfast.kernel.page import Page, read_in_windows
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Documents"]

_SQL = queries("documents")


class Documents:
    """The documents of one tenant."""

    def __init__(self, tx: TenantTx, cabinet: Cabinet) -> None:
        self._tx = tx
        self._cabinet = cabinet
        self._access = Access(tx, cabinet.contracts)

    # ---------------------------------------------------------------------------------------------------- changing

    async def mutate(self, mutation: Mutation) -> Document:
        """Carry out one change: the only way to write a document. The methods below are short forms of it."""
        after = await Mutator(self._tx, self._cabinet).apply(mutation)
        # Whoever changes a document is told what it is now, also when nothing was changed.
        await self._access.note_read([after.id], "change", after.entity_version)
        return self._access.shown(after)

    async def create(
        self, entity_type: str, data: Any, *, key: str | None = None, trace_id: str | None = None
    ) -> Document:
        """Make a document: a mapping of fields, or an instance of the model its contract was made from.

        With `key`, it is made once: the same content again answers with the document there is, another content with
        the same key is a `Conflict`.
        """
        return await self.mutate(Mutation("create", entity_type=entity_type, data=data, key=key, trace_id=trace_id))

    async def update(
        self,
        document_id: UUID,
        changes: Mapping[str, Any] | None = None,
        *,
        remove: Sequence[str] = (),
        expected_version: int | None = None,
        reason: str | None = None,
        trace_id: str | None = None,
    ) -> Document:
        """Set some top-level fields, and take some away.

        Where the window is `amend_only` the answer is a new document, and says so: `amended` is true, and
        `amended_from_id` is the one that was to be changed. When nothing would change, nothing is written.
        """
        return await self.mutate(
            Mutation(
                "update",
                document_id=document_id,
                changes=changes or {},
                remove=remove,
                expected_version=expected_version,
                reason=reason,
                trace_id=trace_id,
            )
        )

    async def replace(
        self, document_id: UUID, data: Any, *, expected_version: int | None = None, reason: str | None = None
    ) -> Document:
        """Give a document a whole new content; otherwise like `update`."""
        return await self.mutate(
            Mutation("update", document_id=document_id, data=data, expected_version=expected_version, reason=reason)
        )

    async def amend(
        self,
        document_id: UUID,
        changes: Mapping[str, Any],
        *,
        remove: Sequence[str] = (),
        expected_version: int | None = None,
        reason: str | None = None,
    ) -> Document:
        """Replace a document by an amended one, as its contract allows; the answer is the new document."""
        return await self.mutate(
            Mutation(
                "amend",
                document_id=document_id,
                changes=changes,
                remove=remove,
                expected_version=expected_version,
                reason=reason,
            )
        )

    async def transition(
        self,
        document_id: UUID,
        transition: str,
        *,
        expected_version: int | None = None,
        reason: str | None = None,
        trace_id: str | None = None,
    ) -> Document:
        """Ask for a move of the lifecycle, such as `submit`."""
        return await self.mutate(
            Mutation(
                "transition",
                document_id=document_id,
                transition=transition,
                expected_version=expected_version,
                reason=reason,
                trace_id=trace_id,
            )
        )

    async def delete(
        self, document_id: UUID, *, expected_version: int | None = None, reason: str | None = None
    ) -> Document:
        """Delete a document that may still be edited. Its versions and its history stay."""
        return await self.mutate(
            Mutation("delete", document_id=document_id, expected_version=expected_version, reason=reason)
        )

    async def adopt(self, document_id: UUID, *, reason: str | None = None) -> Document:
        """Take over a change that was made in your own table, past holdfast, as the edit it should have been."""
        asked = Mutation("update", document_id=document_id, reason=reason)
        return self._access.shown(await Mutator(self._tx, self._cabinet).adopt(asked))

    # ----------------------------------------------------------------------------------------------------- reading

    async def get(self, document_id: UUID) -> Document:
        """One document as it stands."""
        self._access.require_reading()
        row = await self._tx.row(_SQL["get_document"], id=document_id)
        if row is None or row["deleted_at"] is not None:
            raise no_document(document_id)
        document = document_from_row(row)
        await self._access.require_sight(document)
        await record_read(self._tx, document_id, "document.read", {"version": document.entity_version})
        return self._access.shown((await self._access.filled([document]))[0])

    async def list(
        self, entity_type: str, *, doc_status: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[Document]:
        """Documents of a type that the actor may read, newest first.

        Where a condition decides who reads what, a page may hold fewer than `limit`, or none, and still have a
        `next_cursor`: only without one are there no more.
        """
        self._access.require_reading()
        check_limit(limit)
        query = {"list": "documents", "entity_type": entity_type, "doc_status": doc_status}
        before = decode_id_cursor(query, cursor)
        page = await self._access.page(query, entity_type, doc_status, before=before, limit=limit)
        about = {"entity_type": entity_type, "documents": [str(document.id) for document in page.items]}
        await record_read(self._tx, self._tx.tenant.id, "documents.listed", about)
        return page

    async def version(self, document_id: UUID, version: int) -> DocumentVersion:
        """The content of a document as it was."""
        self._access.require_reading()
        row = await self._tx.row(_SQL["get_version"], document_id=document_id, version=version)
        if row is None:
            raise _no_version(document_id, version)
        try:
            found = await self._access.version(version_from_row(row))
        except NotFound:
            raise _no_version(document_id, version) from None
        await record_read(self._tx, document_id, "document.read", {"version": version})
        return found

    async def versions(self, document_id: UUID, *, limit: int = 50, cursor: str | None = None) -> Page[DocumentVersion]:
        """Every version of a document that the actor may read, newest first."""
        self._access.require_reading()
        check_limit(limit)
        query = {"list": "versions", "document": str(document_id)}
        before = decode_cursor(query, cursor, (int,))[0] if cursor is not None else None
        document = await self._tx.row(_SQL["get_document"], id=document_id)
        if document is None:
            raise no_document(document_id)
        sight = await self._access.sight(document_from_row(document))
        if not sight.whole and not sight.versions:
            raise no_document(document_id)
        seen = None if sight.whole else sorted(sight.versions)

        async def window(last: dict[str, Any] | None, most: int) -> list[dict[str, Any]]:
            at = before if last is None else last["version"]
            return await self._tx.rows(_SQL["list_versions"], document_id=document_id, seen=seen, before=at, limit=most)

        rows, more = await read_in_windows(window, limit + 1, "data")
        kind = document["entity_type"]
        items = [self._access.shown_version(kind, version_from_row(row)) for row in rows[:limit]]
        await record_read(self._tx, document_id, "document.read", {"versions": [item.version for item in items]})
        return Page(items, encode_cursor(query, [items[-1].version]) if more else None)

    async def compare(self, document_id: UUID, before: int, after: int) -> dict[str, tuple[Any, Any]]:
        """The top-level fields in which two versions differ, each with its value then and then.

        Of a field that is masked, neither value is told: both are None.
        """
        old, new = await self.version(document_id, before), await self.version(document_id, after)
        found = {name: (old.data.get(name), new.data.get(name)) for name in changed_fields(old.data, new.data)}
        if new.masked:
            hidden = await self._tx.rows(
                _SQL["changed_between"], document_id=document_id, one=before, other=after, names=new.masked
            )
            found |= {row["name"]: (None, None) for row in hidden}
        return dict(sorted(found.items()))

    async def compare_nested(self, document_id: UUID, before: int, after: int) -> dict[str, tuple[Any, Any]]:
        """Every place in which two versions differ, such as `lines[2].amount`; of masked fields, that they do."""
        old, new = await self.version(document_id, before), await self.version(document_id, after)
        found = {path: (one, other) for path, one, other in nested_differences(old.data, new.data)}
        top = await self.compare(document_id, before, after)
        return found | {name: top[name] for name in new.masked if name in top}

    async def compare_amended(self, document_id: UUID) -> tuple[Document, dict[str, tuple[Any, Any]]]:
        """The document that took the place of an amended one, and every place in which it differs from that."""
        old = await self.get(document_id)
        if old.amended_to_id is None:
            raise NotFound(f"document {document_id} was not amended", document=str(document_id))
        new = await self.get(old.amended_to_id)
        return new, {path: (one, other) for path, one, other in nested_differences(old.data, new.data)}

    async def views(self) -> Sequence[DocumentView]:
        """The actor's own views of the list of documents, by name."""
        return await VIEWS.list(self._tx)

    async def save_view(self, name: str, filters: Mapping[str, Any]) -> DocumentView:
        """Keep filters of the list (`entity_type`, `doc_status`, `text`) under a name; one of that name is replaced."""
        self._access.require_reading()
        check_filters(filters)
        return await VIEWS.save(self._tx, name, filters)

    async def delete_view(self, name: str) -> None:
        """Forget a view."""
        await VIEWS.delete(self._tx, name)

    async def contract(self, entity_type: str) -> Contract:
        """The contract that a new document of this type follows."""
        self._access.require_reading()
        return await self._cabinet.contracts.current(self._tx, entity_type)


def _no_version(document_id: UUID, version: int) -> NotFound:
    return NotFound(f"document {document_id} has no version {version}", document=str(document_id))
