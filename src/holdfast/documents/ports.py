"""What documents need from others, as protocols: the engine of processes, listeners, and stores of the user's own.

Documents are a layer below processes and know nothing of them. Whoever wires the application gives the implementations.
All methods are called inside the transaction of the change, which stands or falls with what they do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID

from holdfast.documents.model import Document, DocumentChange, Standing
from holdfast.postgres.tenant import TenantTx

__all__ = ["DocumentListener", "DocumentStore", "ProcessPort"]


class ProcessPort(Protocol):
    """The engine of processes. The caller holds the instance's advisory lock and the document's row."""

    async def edited(self, tx: TenantTx, standing: Standing, change: DocumentChange) -> None:
        """The content changed in an `editable` window."""
        ...

    async def amended(self, tx: TenantTx, standing: Standing | None, change: DocumentChange) -> None:
        """`change.amended_to` replaced `change.document`: the old process is cancelled, one for the new begins."""
        ...

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
        """Somebody asks for a transition. The process decides, and moves the document with `set_status`.

        Without a standing the document's process has not begun yet, or is over.
        """
        ...

    async def deleted(self, tx: TenantTx, standing: Standing, document: Document, *, reason: str | None) -> None:
        """The document is gone: its process is cancelled."""
        ...


class DocumentListener(Protocol):
    """Is told of every change of content, before the process is."""

    async def document_changed(self, tx: TenantTx, change: DocumentChange) -> None:
        """An update or an amendment was written."""
        ...


class DocumentStore(Protocol):
    """Keeps the content of a document type in a table of your own.

    The application's role, `holdfast_app`, needs rights on that table. Versions and hashes stay with holdfast, which
    notices when the table was changed behind its back.
    """

    async def read(self, tx: TenantTx, ids: Sequence[UUID], *, lock: bool = False) -> Mapping[UUID, Mapping[str, Any]]:
        """The contents of documents by id; with `lock`, nobody else may change them until the transaction ends."""
        ...

    async def write(self, tx: TenantTx, document_id: UUID, data: Mapping[str, Any], *, new: bool) -> None:
        """Store the content of a new document, or of one that `read` knows."""
        ...

    async def remove(self, tx: TenantTx, document_id: UUID) -> None:
        """The document was deleted."""
        ...
