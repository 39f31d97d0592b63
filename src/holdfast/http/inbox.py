"""The inbox over HTTP: what waits for the caller, and the messages left for them."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from fastapi import APIRouter, Request

from holdfast.effects import Notification
from holdfast.http.access import Body, Limit
from holdfast.http.acting import acting
from holdfast.http.route import GuardedRoute
from holdfast.kernel.page import Page
from holdfast.people import InboxItem

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["inbox"], route_class=GuardedRoute)


class Read(Body):
    """Messages to mark as read."""

    ids: list[UUID]


@router.get("/inbox")
async def list_inbox(
    request: Request,
    tenant: str,
    which: Literal["mine", "role", "delegated", "overdue"] | None = None,
    kind: Literal["approval", "task"] | None = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Page[InboxItem]:
    """What waits for the caller: oldest first; overdue things by how long they are."""
    async with acting(request, tenant) as hold:
        return await hold.inbox.list(which=which, kind=kind, limit=limit, cursor=cursor)


@router.get("/notifications")
async def list_notifications(
    request: Request, tenant: str, unread: bool = False, limit: Limit = 50, cursor: str | None = None
) -> Page[Notification]:
    """The caller's messages, newest first."""
    async with acting(request, tenant) as hold:
        return await hold.notifications.list(unread=unread, limit=limit, cursor=cursor)


@router.post("/notifications/read")
async def read_notifications(request: Request, tenant: str, body: Read) -> dict[str, int]:
    """Mark messages of the caller as read."""
    async with acting(request, tenant) as hold:
        return {"read": await hold.notifications.mark_read(body.ids)}
