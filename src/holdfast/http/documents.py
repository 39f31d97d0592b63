"""Documents, their versions and the rules about them over HTTP. `ETag` and `If-Match` carry a document's version."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Header, Query, Request, Response
from pydantic import Field

from holdfast.documents import (
    DEFAULT_OPERATIONS,
    Document,
    DocumentVersion,
    DocumentView,
    Execution,
    Mutation,
    Operation,
    Rule,
)
from holdfast.http.access import Anyway, Body, Limit
from holdfast.http.acting import acting
from holdfast.http.bodies import body_of, read_body
from holdfast.http.conventions import located
from holdfast.http.exact import Exact, matched_version
from holdfast.http.route import GuardedRoute, moves_processes, needs
from holdfast.kernel.page import Page

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", route_class=GuardedRoute)


class NewDocument(Body):
    """A document to create."""

    entity_type: str
    data: dict[str, Any]


class DocumentChange(Body):
    """What to change of a document's content: top-level fields to set, and fields to take away."""

    changes: dict[str, Any] = Field(default_factory=dict)
    remove: list[str] = Field(default_factory=list)
    reason: str | None = None


class WholeContent(Body):
    """A whole new content."""

    data: dict[str, Any]
    reason: str | None = None


class TransitionRequest(Body):
    """A move of the lifecycle."""

    transition: str
    reason: str | None = None


class DocumentViewBody(Body):
    """Filters of the list of documents."""

    filters: dict[str, str] = Field(description="some of entity_type, doc_status, text")


class FieldDifference(Body):
    """A field in which two versions differ."""

    field: str
    before: Any
    after: Any
    masked: bool = Field(False, description="whether neither value is told, because you may not see the field")


class RuleDefinition(Body):
    """A rule about changes of documents."""

    entity_type: str
    timing: Literal["before", "after"]
    effect: str
    condition: str | None = None
    operations: list[Operation] = Field(default_factory=lambda: [*DEFAULT_OPERATIONS])
    config: dict[str, Any] = Field(default_factory=dict)
    priority: int = 0
    enabled: bool = True


_AMENDED: dict[int | str, dict[str, Any]] = {
    201: {
        "model": Document,
        "description": "Only amendments are allowed: a new document was made, which `Location` names. "
        "`amended` is true, and `amended_from_id` is the document that was to be changed.",
    }
}


def _answer(document: Document) -> Exact:
    return Exact(document, version=document.entity_version)


def _made(document: Document) -> Exact:
    """A document that was not there before."""
    return Exact(document, 201, version=document.entity_version)


def _edited(document: Document) -> Exact:
    return _made(document) if document.amended else _answer(document)


@router.get("/documents", tags=["documents"], response_model=Page[Document])
async def list_documents(
    request: Request,
    tenant: str,
    entity_type: str,
    doc_status: str | None = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Response:
    """Documents of a type, newest first."""
    async with acting(request, tenant) as hold:
        page = await hold.documents.list(entity_type, doc_status=doc_status, limit=limit, cursor=cursor)
    return Exact(page)


@router.post(
    "/documents", status_code=201, tags=["documents"], response_model=Document, openapi_extra=body_of(NewDocument)
)
@needs("documents:write")
@located("documents/{id}")
async def create_document(
    request: Request,
    tenant: str,
    idempotency_key: Annotated[str | None, Header(description="the same key makes the document once")] = None,
) -> Response:
    """Make a document."""
    wanted = await read_body(request, NewDocument)
    async with acting(request, tenant) as hold:
        made = await hold.documents.create(wanted.entity_type, wanted.data, key=idempotency_key)
    return _made(made)


@router.get("/document-views", tags=["documents"], response_model=list[DocumentView])
async def list_document_views(request: Request, tenant: str) -> Response:
    """The caller's own views of the list of documents, by name."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.documents.views())


@router.put("/document-views/{name}", tags=["documents"], response_model=DocumentView)
@needs("documents:read")
async def save_document_view(request: Request, tenant: str, name: str, body: DocumentViewBody) -> Response:
    """Keep filters of the list of documents under a name."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.documents.save_view(name, body.filters))


@router.delete("/document-views/{name}", status_code=204, tags=["documents"])
async def delete_document_view(request: Request, tenant: str, name: str) -> Response:
    """Forget a view."""
    async with acting(request, tenant) as hold:
        await hold.documents.delete_view(name)
    return Response(status_code=204)


@router.get("/documents/{document_id}", tags=["documents"], response_model=Document)
async def read_document(request: Request, tenant: str, document_id: UUID) -> Response:
    """A document as it stands."""
    async with acting(request, tenant) as hold:
        return _answer(await hold.documents.get(document_id))


@router.patch(
    "/documents/{document_id}",
    tags=["documents"],
    response_model=Document,
    responses=_AMENDED,
    openapi_extra=body_of(DocumentChange),
)
@needs("documents:write")
@located("documents/{id}")
async def change_document(request: Request, tenant: str, document_id: UUID) -> Response:
    """Set some fields and take some away. Where only amendments are allowed, a new document is made: 201."""
    wanted = await read_body(request, DocumentChange)
    async with acting(request, tenant) as hold:
        after = await hold.documents.update(
            document_id,
            wanted.changes,
            remove=wanted.remove,
            reason=wanted.reason,
            expected_version=matched_version(request),
        )
    return _edited(after)


@router.put(
    "/documents/{document_id}",
    tags=["documents"],
    response_model=Document,
    responses=_AMENDED,
    openapi_extra=body_of(WholeContent),
)
@needs("documents:write")
@located("documents/{id}")
async def replace_document(request: Request, tenant: str, document_id: UUID) -> Response:
    """Give a document a whole new content. Where only amendments are allowed, a new document is made: 201."""
    wanted = await read_body(request, WholeContent)
    async with acting(request, tenant) as hold:
        after = await hold.documents.replace(
            document_id, wanted.data, reason=wanted.reason, expected_version=matched_version(request)
        )
    return _edited(after)


@router.delete("/documents/{document_id}", tags=["documents"], response_model=Document)
async def delete_document(request: Request, tenant: str, document_id: UUID, reason: str | None = None) -> Response:
    """Delete a document that may still be edited; its history stays."""
    async with acting(request, tenant) as hold:
        gone = await hold.documents.delete(document_id, reason=reason, expected_version=matched_version(request))
    return _answer(gone)


@router.post(
    "/documents/{document_id}/amend",
    status_code=201,
    tags=["documents"],
    response_model=Document,
    openapi_extra=body_of(DocumentChange),
)
@needs("documents:write")
@located("documents/{id}")
async def amend_document(request: Request, tenant: str, document_id: UUID) -> Response:
    """Replace a document by an amended one, which is the answer."""
    wanted = await read_body(request, DocumentChange)
    async with acting(request, tenant) as hold:
        new = await hold.documents.amend(
            document_id,
            wanted.changes,
            remove=wanted.remove,
            reason=wanted.reason,
            expected_version=matched_version(request),
        )
    return _made(new)


@router.post(
    "/documents/{document_id}/transitions",
    tags=["documents"],
    response_model=Document,
    openapi_extra=body_of(TransitionRequest),
)
@needs("documents:write")
@moves_processes
async def move_document(request: Request, tenant: str, document_id: UUID) -> Response:
    """Ask for a move of the lifecycle, such as `submit`."""
    wanted = await read_body(request, TransitionRequest)
    async with acting(request, tenant) as hold:
        moved = await hold.documents.mutate(
            Mutation(
                "transition",
                document_id=document_id,
                transition=wanted.transition,
                reason=wanted.reason,
                expected_version=matched_version(request),
            )
        )
    return _answer(moved)


@router.get("/documents/{document_id}/versions", tags=["documents"], response_model=Page[DocumentVersion])
async def list_versions(
    request: Request, tenant: str, document_id: UUID, limit: Limit = 50, cursor: str | None = None
) -> Response:
    """Every version of a document, newest first."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.documents.versions(document_id, limit=limit, cursor=cursor))


@router.get("/documents/{document_id}/versions/{version}", tags=["documents"], response_model=DocumentVersion)
async def read_version(request: Request, tenant: str, document_id: UUID, version: int) -> Response:
    """The content of a document as it was."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.documents.version(document_id, version))


@router.get("/documents/{document_id}/compare", tags=["documents"], response_model=list[FieldDifference])
async def compare_versions(
    request: Request,
    tenant: str,
    document_id: UUID,
    before: int,
    after: int,
    nested: Annotated[bool, Query(description="every place, such as `lines[2].amount`")] = False,
) -> Response:
    """The fields in which two versions differ."""
    async with acting(request, tenant) as hold:
        compare = hold.documents.compare_nested if nested else hold.documents.compare
        found = await compare(document_id, before, after)
        masked = (await hold.documents.version(document_id, after)).masked
    return Exact(
        [{"field": name, "before": old, "after": new, "masked": name in masked} for name, (old, new) in found.items()]
    )


class Amended(Body):
    """What took the place of an amended document, and every place in which the two differ."""

    successor: Document
    differences: list[FieldDifference]


@router.get("/documents/{document_id}/amended", tags=["documents"], response_model=Amended)
async def compare_amended(request: Request, tenant: str, document_id: UUID) -> Response:
    """An amended document beside the one that took its place."""
    async with acting(request, tenant) as hold:
        successor, found = await hold.documents.compare_amended(document_id)
    differences = [{"field": name, "before": old, "after": new, "masked": False} for name, (old, new) in found.items()]
    hidden = [{"field": name, "before": None, "after": None, "masked": True} for name in successor.masked]
    return Exact({"successor": successor, "differences": [*differences, *hidden]})


@router.get("/documents/{document_id}/rules", tags=["rules"], response_model=list[Execution])
async def list_executions(request: Request, tenant: str, document_id: UUID, limit: Limit = 50) -> Response:
    """What rules found at the latest changes of a document."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.rules.executions(document_id, limit=limit))


@router.get("/rules", tags=["rules"], response_model=list[Rule])
async def list_rules(request: Request, tenant: str, entity_type: str | None = None) -> Response:
    """Rules, in the order they are applied."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.rules.list(entity_type))


@router.put("/rules/{name}", tags=["rules"], response_model=Rule, openapi_extra=body_of(RuleDefinition))
@needs("processes:publish")
async def put_rule(request: Request, tenant: str, name: str) -> Response:
    """Define a rule, or change it."""
    wanted = (await read_body(request, RuleDefinition)).model_dump()
    async with acting(request, tenant) as hold:
        return Exact(await hold.rules.put(name, wanted.pop("entity_type"), **wanted))


@router.delete("/rules/{name}", status_code=204, tags=["rules"])
async def delete_rule(request: Request, tenant: str, name: str, anyway: Anyway = False) -> Response:
    """Remove a rule; what it found stays. 409 `still_used` while steps in force ask it."""
    async with acting(request, tenant) as hold:
        await hold.rules.delete(name, anyway=anyway)
    return Response(status_code=204)
