"""The audit trail over HTTP."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from holdfast.audit import AuditEvent
from holdfast.http.access import Limit
from holdfast.http.acting import acting
from holdfast.http.conventions import reads
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute
from holdfast.kernel.page import Page

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["audit"], route_class=GuardedRoute)


class Verification(BaseModel):
    """What checking the tenant's hash chains found."""

    ok: bool
    chains: int
    events: int
    breaks: list[str]


@router.get("/events", response_model=Page[AuditEvent])
async def list_events(
    request: Request,
    tenant: str,
    object_id: UUID | None = None,
    object_kind: str | None = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Response:
    """Events, newest first: of the tenant, of one kind of object, or of one object."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.audit.list(object_id=object_id, object_kind=object_kind, limit=limit, cursor=cursor))


@router.post("/audit/verify")
@reads
async def verify(request: Request, tenant: str) -> Verification:
    """Check every hash chain of the tenant."""
    async with acting(request, tenant) as hold:
        verdict = await hold.audit.verify()
    return Verification(
        ok=verdict.ok,
        chains=verdict.chains,
        events=verdict.events,
        breaks=[str(broken) for broken in verdict.breaks],
    )
