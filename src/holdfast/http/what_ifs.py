"""What-ifs over HTTP: ask, follow how far it is, cancel, look at groups and at the documents in them."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import AwareDatetime, BaseModel, Field

from holdfast.http.access import Body, Limit
from holdfast.http.acting import acting
from holdfast.http.bodies import body_of, read_body
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute, needs
from holdfast.kernel.page import Page
from holdfast.processes.definitions.replays import DocumentReplay
from holdfast.processes.definitions.what_ifs import MOST_DOCUMENTS, ReplayedDocument, WhatIfInfo

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["what-ifs"], route_class=GuardedRoute)


class WhichDocuments(Body):
    """Which past documents; all of the type when nothing is said."""

    doc_status: str | None = None
    created_after: AwareDatetime | None = None
    created_before: AwareDatetime | None = None
    fields: dict[str, Any] | None = Field(None, description="only documents that contain this object")


class NewWhatIf(Body):
    """What to replay: a draft as it is now, or patches that are not stored."""

    definition_id: UUID | None = None
    entity_type: str | None = None
    patches: dict[str, Any] | None = None
    base_version: int | None = Field(None, ge=1)
    documents: WhichDocuments = Field(default_factory=lambda: WhichDocuments.model_validate({}))
    assume: dict[str, str] = Field(
        default_factory=dict, description="outcomes of steps that documents never came to, by node id or node type"
    )
    most: int = Field(1000, ge=1, le=MOST_DOCUMENTS, description="how many, from the newest on")


class PartingOut(BaseModel):
    """What the documents of a group have in common: where their ways part, where they lead, and an example why."""

    kind: Literal["parting", "ending", "unplayable"]
    node: str | None = Field(None, description="the last step that both ways have in common")
    before: Any = Field(None, description="where they went from there; for an `ending`, how they ended")
    after: Any = Field(None, description="where the draft would lead them")
    conditions_before: list[str] = Field(default_factory=list)
    conditions_after: list[str] = Field(default_factory=list)
    added: list[str] = Field(default_factory=list)
    dropped: list[str] = Field(default_factory=list)
    error: str | None = None
    example: dict[str, Any] = Field(description="the reasons, with the values of one of the documents")


class WhatIfGroupOut(BaseModel):
    """Documents whose ways part at one place."""

    id: str
    documents: int
    parting: PartingOut


@router.post("/what-ifs", status_code=202, response_model=WhatIfInfo, openapi_extra=body_of(NewWhatIf))
@needs("processes:design")
async def start_what_if(request: Request, tenant: str) -> Response:
    """Replay past documents through a draft; a worker does it, and this answers at once."""
    wanted = await read_body(request, NewWhatIf)
    narrowed = wanted.documents.model_dump(exclude_none=True)
    async with acting(request, tenant) as hold:
        made = await hold.definitions.what_ifs.start(
            definition_id=wanted.definition_id,
            entity_type=wanted.entity_type,
            patches=wanted.patches,
            base_version=wanted.base_version,
            narrowed=narrowed,
            assume=wanted.assume,
            most=wanted.most,
        )
    return Exact(made, 202, headers={"Location": f"/v1/{tenant}/what-ifs/{made.id}"})


@router.get("/what-ifs", response_model=Page[WhatIfInfo])
async def list_what_ifs(
    request: Request, tenant: str, entity_type: str, limit: Limit = 50, cursor: str | None = None
) -> Response:
    """Those of a type, newest first."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.what_ifs.list(entity_type, limit=limit, cursor=cursor))


@router.get("/what-ifs/{what_if_id}", response_model=WhatIfInfo)
async def read_what_if(request: Request, tenant: str, what_if_id: UUID) -> Response:
    """How far it is: `replayed` of `total`."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.what_ifs.get(what_if_id))


@router.post("/what-ifs/{what_if_id}/cancel", response_model=WhatIfInfo)
@needs("processes:design")
async def cancel_what_if(request: Request, tenant: str, what_if_id: UUID) -> Response:
    """Stop it; what it has found so far stays."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.what_ifs.cancel(what_if_id))


@router.delete("/what-ifs/{what_if_id}", status_code=204)
@needs("processes:design")
async def delete_what_if(request: Request, tenant: str, what_if_id: UUID) -> Response:
    """Forget what it found."""
    async with acting(request, tenant) as hold:
        await hold.definitions.what_ifs.delete(what_if_id)
    return Response(status_code=204)


@router.get("/what-ifs/{what_if_id}/groups", response_model=list[WhatIfGroupOut])
async def list_what_if_groups(request: Request, tenant: str, what_if_id: UUID) -> Response:
    """Where ways part, the largest group first."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.what_ifs.groups(what_if_id))


@router.get("/what-ifs/{what_if_id}/groups/{group_id}/documents", response_model=Page[ReplayedDocument])
async def list_what_if_documents(
    request: Request, tenant: str, what_if_id: UUID, group_id: str, limit: Limit = 50, cursor: str | None = None
) -> Response:
    """The documents of a group, newest first."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.what_ifs.documents(what_if_id, group_id, limit=limit, cursor=cursor))


@router.get("/what-ifs/{what_if_id}/documents/{replayed_id}", response_model=DocumentReplay)
async def read_replayed_document(request: Request, tenant: str, what_if_id: UUID, replayed_id: UUID) -> Response:
    """The two ways of one document: what it passed, and what it would have."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.what_ifs.document(what_if_id, replayed_id))
