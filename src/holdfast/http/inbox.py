"""The inbox over HTTP: what waits for the caller, what they have done, their views of it, and messages for them."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from holdfast.effects import Notification
from holdfast.errors import InvalidInput
from holdfast.http.access import Body, Limit
from holdfast.http.acting import acting
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute, needs
from holdfast.kernel.given import Moment
from holdfast.kernel.page import Page
from holdfast.people import InboxCounts, InboxItem, InboxView
from holdfast.people.inbox import Kind, Which

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["inbox"], route_class=GuardedRoute)

EntityType = Annotated[str | None, Query(description="only about documents of this type")]
Requester = Annotated[str | None, Query(description="only what this user asked for")]
DueBefore = Annotated[Moment | None, Query(description="only what is due before, with a time zone")]


class Read(Body):
    """Messages to mark as read: some, or all there are."""

    ids: list[UUID] | None = None
    all: bool = False


class ViewBody(Body):
    """Filters of the inbox."""

    filters: dict[str, str] = Field(description="some of which, kind, entity_type, requester, due_before")


class Unread(Body):
    """How many messages are not read yet."""

    unread: int


@router.get("/inbox", response_model=Page[InboxItem])
async def list_inbox(
    request: Request,
    tenant: str,
    which: Which | None = None,
    kind: Kind | None = None,
    entity_type: EntityType = None,
    requester: Requester = None,
    due_before: DueBefore = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Exact:
    """What waits for the caller: oldest first; overdue things by how long they are. `done`: the latest first."""
    async with acting(request, tenant) as hold:
        page = await hold.inbox.list(
            which=which,
            kind=kind,
            entity_type=entity_type,
            requester=requester,
            due_before=due_before,
            limit=limit,
            cursor=cursor,
        )
    return Exact(page)


@router.get("/inbox/counts")
async def count_inbox(
    request: Request,
    tenant: str,
    kind: Kind | None = None,
    entity_type: EntityType = None,
    requester: Requester = None,
    due_before: DueBefore = None,
) -> InboxCounts:
    """How much waits for the caller in each part of the inbox, and how much they have done; `most` is that or more."""
    async with acting(request, tenant) as hold:
        return await hold.inbox.counts(kind=kind, entity_type=entity_type, requester=requester, due_before=due_before)


@router.get("/inbox/views", response_model=list[InboxView])
async def list_views(request: Request, tenant: str) -> Exact:
    """The caller's own views of the inbox, by name."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.inbox.views())


@router.put("/inbox/views/{name}", response_model=InboxView)
@needs("processes:read")
async def save_view(request: Request, tenant: str, name: str, body: ViewBody) -> Exact:
    """Keep filters of the inbox under a name."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.inbox.save_view(name, body.filters))


@router.delete("/inbox/views/{name}", status_code=204)
async def delete_view(request: Request, tenant: str, name: str) -> Response:
    """Forget a view."""
    async with acting(request, tenant) as hold:
        await hold.inbox.delete_view(name)
    return Response(status_code=204)


@router.get("/notifications")
async def list_notifications(
    request: Request, tenant: str, unread: bool = False, limit: Limit = 50, cursor: str | None = None
) -> Page[Notification]:
    """The caller's messages, newest first."""
    async with acting(request, tenant) as hold:
        return await hold.notifications.list(unread=unread, limit=limit, cursor=cursor)


@router.get("/notifications/unread")
async def count_unread(request: Request, tenant: str) -> Unread:
    """How many messages of the caller are not read yet; a thousand stands for that many or more."""
    async with acting(request, tenant) as hold:
        return Unread(unread=await hold.notifications.unread())


@router.post("/notifications/read")
async def read_notifications(request: Request, tenant: str, body: Read) -> dict[str, int]:
    """Mark messages of the caller as read."""
    if (body.ids is None) != body.all:
        raise InvalidInput("give ids or all, one of them", hint='such as {"all": true}', field="ids")
    async with acting(request, tenant) as hold:
        if body.ids is None:
            return {"read": await hold.notifications.mark_all_read()}
        return {"read": await hold.notifications.mark_read(body.ids)}
