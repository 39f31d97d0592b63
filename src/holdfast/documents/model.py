"""Documents as values: what one is, what a version of one is, and what can be done to one.

Content is exact: numbers with a fraction are `Decimal`, so that what was read is what was hashed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Final, Literal, get_args
from uuid import UUID

from holdfast.envelope.windows import EditWindow
from holdfast.kernel.json import parse_json

__all__ = [
    "OPERATIONS",
    "Document",
    "DocumentChange",
    "DocumentVersion",
    "Mutation",
    "Operation",
    "Right",
    "Standing",
    "document_from_row",
    "version_from_row",
]

Operation = Literal["create", "update", "transition", "amend", "delete"]
OPERATIONS: Final[tuple[Operation, ...]] = get_args(Operation)
Right = Literal["read", "create", "update", "transition", "amend", "delete"]


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it stands.

    For example:

        document: Document = await hold.documents.create("invoice", {"amount": Decimal("12500.10")})
        await hold.documents.update(document.id, {"amount": 1}, expected_version=document.entity_version)
    """

    id: UUID
    entity_type: str
    doc_status: str
    entity_version: int
    contract_version: int
    data: Mapping[str, Any]
    content_hash: str
    version_id: UUID
    amended_from_id: UUID | None
    created_at: datetime
    created_by: str
    updated_at: datetime
    updated_by: str
    deleted_at: datetime | None = None
    amended_to_id: UUID | None = None
    """The document that replaced this one."""
    amended: bool = False
    """Of an answer to an edit: this is another document than the one that was to be edited, made in its place because
    only amendments are allowed there; that one is `amended_from_id`."""
    masked: list[str] = field(default_factory=list)
    """Fields that the reader may not see: they are not in `data`, whether or not the document has them."""


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """The content of a document as it was at one version."""

    id: UUID
    document_id: UUID
    version: int
    contract_version: int
    doc_status: str
    data: Mapping[str, Any]
    content_hash: str
    changed_fields: list[str]
    instance_id: UUID | None
    """The process whose own step wrote it."""
    created_at: datetime
    created_by: str
    masked: list[str] = field(default_factory=list)
    """Fields that the reader may not see."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change that somebody asks for; `Documents.mutate` is the only thing that carries one out.

    `changes` sets top-level fields and `remove` takes some away; `data` replaces the whole content. What a step writes
    in the transaction its process gave it is part of the process, not an edit that interferes with it.
    """

    operation: Operation
    entity_type: str | None = None
    document_id: UUID | None = None
    data: Any = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    remove: Sequence[str] = ()
    transition: str | None = None
    reason: str | None = None
    expected_version: int | None = None
    trace_id: str | None = None
    key: str | None = None
    """Of a creation: with the same key the same document is made once."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the document's process stands. Whoever has one holds the process and the row until the transaction ends."""

    instance_id: UUID
    status: Literal["running", "paused"]
    version: int
    edit_window: EditWindow


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A change of content that has just been written, for whoever must react within the same transaction."""

    operation: Operation
    document: Document
    """As it is now."""
    previous: Document
    changed_fields: tuple[str, ...]
    instance_id: UUID | None
    """The process whose own step made the change; None for everybody else."""
    amended_to: Document | None = None
    trace_id: str | None = None


_DOCUMENT: Final = tuple(each.name for each in fields(Document) if each.name not in ("amended", "masked"))


def document_from_row(row: Mapping[str, Any]) -> Document:
    """Read a row whose `data` is JSON text."""
    values = {name: row[name] for name in _DOCUMENT}
    return Document(**{**values, "data": parse_json(row["data"]) if row["data"] is not None else {}})


def version_from_row(row: Mapping[str, Any]) -> DocumentVersion:
    """Read a row whose `data` is JSON text."""
    return DocumentVersion(**{**row, "data": parse_json(row["data"])})
