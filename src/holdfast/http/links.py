"""Links over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from holdfast.data.model import LinkedNamespaces, Upserted
from holdfast.http.access import Body, Limit
from holdfast.http.acting import acting
from holdfast.http.conventions import reads
from holdfast.http.exact import Exact
from holdfast.http.route import ExactRoute, needs
from holdfast.kernel.page import Page

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}/links", tags=["links"], route_class=ExactRoute)


class RecordIn(Body):
    """A record by its type and id."""

    type: str
    id: str


class NewLink(Body):
    """Two records to link."""

    model_config = ConfigDict(populate_by_name=True)

    namespace: str
    from_: Annotated[RecordIn, Field(alias="from")]
    to: RecordIn
    relation: str = "related"
    attributes: dict[str, Any] | None = None


class Lookup(Body):
    """What to look for."""

    namespace: str
    from_: Annotated[RecordIn, Field(alias="from")]
    direction: Literal["forward", "reverse", "either"] = "forward"
    relation: str | None = None
    right_type: str | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    cursor: str | None = None


class Unlink(Body):
    """Which links to delete: from a record, to a record, or between both."""

    namespace: str
    from_: Annotated[RecordIn | None, Field(alias="from")] = None
    to: RecordIn | None = None
    relation: str | None = None


class LinkOut(BaseModel):
    """A link."""

    link_id: UUID
    namespace: str
    left_type: str
    left_id: str
    right_type: str
    right_id: str
    relation: str
    attributes: dict[str, Any]
    created_by_run_id: UUID | None
    created_at: datetime
    updated_at: datetime


class MatchOut(BaseModel):
    """A record that was found."""

    link_id: UUID
    type: str
    id: str
    relation: str
    attributes: dict[str, Any]
    direction: Literal["forward", "reverse"]


class MatchesOut(BaseModel):
    """The records that were found."""

    matches: list[MatchOut]
    next_cursor: str | None


@router.get("", response_model=Page[LinkOut])
async def list_links(
    request: Request,
    tenant: str,
    namespace: Annotated[str, Query(description="the namespace")],
    left_type: str | None = None,
    right_type: str | None = None,
    relation: str | None = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Response:
    """Links in the order of their ends."""
    async with acting(request, tenant) as hold:
        return Exact(
            await hold.links.list(
                namespace, left_type=left_type, right_type=right_type, relation=relation, limit=limit, cursor=cursor
            )
        )


@router.put("", response_model=Upserted)
@needs("data:write")
async def upsert_link(request: Request, tenant: str, new: NewLink) -> Response:
    """Link two records; a link that is there gets the attributes."""
    async with acting(request, tenant) as hold:
        answer = await hold.links.upsert(
            new.namespace, _pair(new.from_), _pair(new.to), relation=new.relation, attributes=new.attributes
        )
    return Exact(answer)


@router.post("/lookup", response_model=MatchesOut)
@needs("data:read")
@reads
async def lookup(request: Request, tenant: str, wanted: Lookup) -> Response:
    """What a record is linked with."""
    async with acting(request, tenant) as hold:
        return Exact(
            await hold.links.lookup(
                wanted.namespace,
                _pair(wanted.from_),
                direction=wanted.direction,
                relation=wanted.relation,
                right_type=wanted.right_type,
                limit=wanted.limit,
                cursor=wanted.cursor,
            )
        )


@router.post("/delete", response_model=dict[str, int])
@needs("data:write")
async def delete_links(request: Request, tenant: str, wanted: Unlink) -> Response:
    """Delete links from a record, to a record, or between two; how many there were."""
    left = None if wanted.from_ is None else _pair(wanted.from_)
    right = None if wanted.to is None else _pair(wanted.to)
    async with acting(request, tenant) as hold:
        answer = {"deleted_count": await hold.links.delete(wanted.namespace, left, right, relation=wanted.relation)}
    return Exact(answer)


@router.get("/namespaces")
async def list_namespaces(
    request: Request, tenant: str, limit: Limit = 200, cursor: str | None = None
) -> LinkedNamespaces:
    """Namespaces that hold links, and how many."""
    async with acting(request, tenant) as hold:
        return await hold.links.list_namespaces(limit=limit, cursor=cursor)


def _pair(record: RecordIn) -> tuple[str, str]:
    return record.type, record.id
