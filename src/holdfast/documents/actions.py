"""Documents as actions: `documents.get`, `documents.create`, `documents.update` and `documents.transition`.

They go the way of every change, through `mutate()`. Called by a step for the document of its own process, they are part
of that process; called for any other document they are an edit like anybody's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, Field

from holdfast.actions import ActionRegistry, Call, shown
from holdfast.documents.contracts import Contracts
from holdfast.documents.model import Document
from holdfast.kernel.given import Given
from holdfast.kernel.json import plain
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["register_documents"]

_SQL = queries("documents")
_ANSWERED = (
    "id",
    "entity_type",
    "doc_status",
    "entity_version",
    "content_hash",
    "data",
    "amended_from_id",
    "amended",
    "masked",
)

Id = Annotated[UUID, shown("Document", "its id; mostly the output of an earlier step", widget="expression")]
Seen = Annotated[
    int | None, shown("Only if version", "refused when it has changed since", widget="expression", advanced=True)
]
Reason = Annotated[str | None, shown("Reason", "kept with the change", widget="expression", advanced=True)]


class Input(Given):
    """What an action is given."""


class OneDocument(Input):
    """A document."""

    id: Id


class NewDocument(Input):
    """A document to make."""

    type: Annotated[str, shown("Type", "of the document", widget="combobox", suggestions="documents.types")]
    data: Annotated[dict[str, Any], shown("Content", "its fields", widget="json")]


class Changes(Input):
    """What to change of a document."""

    id: Id
    changes: Annotated[dict[str, Any], shown("Changes", "fields to set", widget="json", default_factory=dict)]
    remove: Annotated[list[str], shown("Remove", "fields to take away", advanced=True, default_factory=list)]
    expected_version: Seen = None
    reason: Reason = None


class Move(Input):
    """A move of a document's lifecycle."""

    id: Id
    transition: Annotated[str, shown("Transition", "such as submit", widget="expression")]
    expected_version: Seen = None
    reason: Reason = None


class DocumentOut(BaseModel):
    """The document as it is now."""

    id: UUID
    entity_type: str
    doc_status: str
    entity_version: int
    content_hash: str
    data: dict[str, Any]
    amended_from_id: UUID | None = None
    amended: bool = False
    masked: list[str] = Field(default_factory=list)


async def get(call: Call, wanted: OneDocument) -> Any:
    """A document as it stands."""
    return _answer(await call.hold.documents.get(wanted.id))


async def create(call: Call, wanted: NewDocument) -> Any:
    """Make a document; its process begins."""
    return _answer(await call.hold.documents.create(wanted.type, plain(wanted.data)))


async def update(call: Call, wanted: Changes) -> Any:
    """Set fields of a document, or take some away. When nothing would change, nothing is written."""
    return _answer(
        await call.hold.documents.update(
            wanted.id,
            plain(wanted.changes),
            remove=wanted.remove,
            expected_version=wanted.expected_version,
            reason=wanted.reason,
        )
    )


async def transition(call: Call, wanted: Move) -> Any:
    """Ask for a move of a document's lifecycle, such as submitting it."""
    return _answer(
        await call.hold.documents.transition(
            wanted.id, wanted.transition, expected_version=wanted.expected_version, reason=wanted.reason
        )
    )


def register_documents(registry: ActionRegistry, contracts: Contracts) -> None:
    """Register the actions of documents."""

    def add(
        name: str, function: Callable[[Call, Any], Awaitable[Any]], given: type[Input], label: str, *, writes: bool
    ) -> None:
        registry.add(
            name,
            function,
            input=given,
            output=DocumentOut,
            permission="documents:write" if writes else "documents:read",
            side_effect=writes,
            label=label,
            group="Documents",
        )

    add("documents.get", get, OneDocument, "Read a document", writes=False)
    add("documents.create", create, NewDocument, "Create a document", writes=True)
    add("documents.update", update, Changes, "Change a document", writes=True)
    add("documents.transition", transition, Move, "Move a document", writes=True)

    async def types(tx: TenantTx, namespace: str | None, prefix: str) -> Sequence[str]:
        stored = [row["entity_type"] for row in await tx.rows(_SQL["stored_types"])]
        return [*stored, *(known.contract.entity_type for known in contracts)]

    registry.suggests("documents.types", in_use=types, permission="documents:read")


def _answer(document: Document) -> dict[str, Any]:
    return {name: getattr(document, name) for name in _ANSWERED}
