"""The outbox over HTTP: look at events, replay them, skip dead ones."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from holdfast.http.access import Body, Limit, SkipRequest
from holdfast.http.acting import acting
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute, needs
from holdfast.kernel.page import Page
from holdfast.outbox import EventInfo, OutboxStats

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}/outbox", tags=["outbox"], route_class=GuardedRoute)


class ReplayRequest(Body):
    """Which dead events to replay: those of one type, or all."""

    type: str | None = None


class Replayed(BaseModel):
    """The events that are sent again."""

    events: list[UUID]


@router.get("", response_model=Page[EventInfo])
async def list_outbox(
    request: Request,
    tenant: str,
    status: str | None = None,
    prefix: Annotated[str | None, Query(description="only types that begin so")] = None,
    aggregate: Annotated[str | None, Query(description="only of this aggregate, as type/id")] = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Response:
    """Events, newest first."""
    kind, _, identity = (aggregate or "").partition("/")
    async with acting(request, tenant) as hold:
        return Exact(
            await hold.outbox.list(
                status=status,
                prefix=prefix,
                aggregate=None if aggregate is None else (kind, identity),
                limit=limit,
                cursor=cursor,
            )
        )


@router.get("/stats")
async def outbox_stats(request: Request, tenant: str) -> OutboxStats:
    """How much there is to send, and what is stuck."""
    async with acting(request, tenant) as hold:
        return await hold.outbox.stats()


@router.post("/replay")
@needs("outbox:operate")
async def replay_dead(request: Request, tenant: str, wanted: ReplayRequest) -> Replayed:
    """Send dead events again: of one type, or all."""
    async with acting(request, tenant) as hold:
        return Replayed(events=await hold.outbox.replay_dead(type=wanted.type))


@router.get("/{event_id}", response_model=EventInfo)
async def read_event(request: Request, tenant: str, event_id: UUID) -> Response:
    """One event."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.outbox.get(event_id))


@router.post("/{event_id}/replay", response_model=EventInfo)
async def replay_event(request: Request, tenant: str, event_id: UUID) -> Response:
    """Send one event again, dead or not."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.outbox.replay(event_id))


@router.post("/{event_id}/skip", response_model=EventInfo)
@needs("outbox:operate")
async def skip_event(request: Request, tenant: str, event_id: UUID, wanted: SkipRequest) -> Response:
    """Let what waits behind a dead event go on without it."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.outbox.skip(event_id, reason=wanted.reason))
