"""Schedules over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import AwareDatetime

from holdfast.http.access import Body, Limit
from holdfast.http.acting import acting
from holdfast.http.conventions import located, reads
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute, needs
from holdfast.kernel.page import Page
from holdfast.runs import Enqueued, Schedule
from holdfast.runs.schedule import MissedPolicy, OverlapPolicy

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}/schedules", tags=["schedules"], route_class=GuardedRoute)

Count = Annotated[int, Query(ge=1, le=100)]


class NewSchedule(Body):
    """A schedule to create."""

    name: str
    type: str
    cron: str
    timezone: str = "UTC"
    payload: Any = None
    description: str = ""
    priority: int = 0
    max_attempts: int | None = None
    missed: MissedPolicy = "once"
    missed_limit: int = 100
    overlap: OverlapPolicy = "allow"
    starts_at: AwareDatetime | None = None
    ends_at: AwareDatetime | None = None
    paused: bool = False


class ScheduleChange(Body):
    """What to change of a schedule; members left out stay."""

    type: str | None = None
    cron: str | None = None
    timezone: str | None = None
    payload: Any = None
    description: str | None = None
    priority: int | None = None
    max_attempts: int | None = None
    missed: MissedPolicy | None = None
    missed_limit: int | None = None
    overlap: OverlapPolicy | None = None
    starts_at: AwareDatetime | None = None
    ends_at: AwareDatetime | None = None


class Expression(Body):
    """An expression whose fires are wanted."""

    cron: str
    timezone: str = "UTC"
    starts_at: AwareDatetime | None = None
    ends_at: AwareDatetime | None = None


@router.get("", response_model=Page[Schedule])
async def list_schedules(request: Request, tenant: str, limit: Limit = 50, cursor: str | None = None) -> Response:
    """Schedules by name."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.schedules.list(limit=limit, cursor=cursor))


@router.post("", status_code=201, response_model=Schedule)
@needs("schedules:write")
@located("schedules/{name}")
async def create_schedule(request: Request, tenant: str, schedule: NewSchedule) -> Response:
    """Create a schedule."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.schedules.create(**schedule.model_dump()), 201)


@router.post("/preview")
@needs("schedules:read")
@reads
async def preview_expression(request: Request, tenant: str, expression: Expression, n: Count = 10) -> list[datetime]:
    """The next fires that an expression would have; for forms."""
    async with acting(request, tenant) as hold:
        return await hold.schedules.preview_cron(**expression.model_dump(), n=n)


@router.get("/{name}", response_model=Schedule)
async def read_schedule(request: Request, tenant: str, name: str) -> Response:
    """One schedule."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.schedules.get(name))


@router.patch("/{name}", response_model=Schedule)
@needs("schedules:write")
async def change_schedule(request: Request, tenant: str, name: str, change: ScheduleChange) -> Response:
    """Change some of a schedule; the next fire is computed anew."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.schedules.update(name, **change.model_dump(exclude_unset=True)))


@router.delete("/{name}", status_code=204)
async def delete_schedule(request: Request, tenant: str, name: str) -> Response:
    """Remove a schedule; its runs stay."""
    async with acting(request, tenant) as hold:
        await hold.schedules.delete(name)
    return Response(status_code=204)


@router.get("/{name}/preview")
async def preview_schedule(request: Request, tenant: str, name: str, n: Count = 10) -> list[datetime]:
    """The next fires, as if it were not paused."""
    async with acting(request, tenant) as hold:
        return await hold.schedules.preview(name, n)


@router.post("/{name}/pause", response_model=Schedule)
async def pause_schedule(request: Request, tenant: str, name: str) -> Response:
    """Stop firing."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.schedules.pause(name))


@router.post("/{name}/resume", response_model=Schedule)
async def resume_schedule(request: Request, tenant: str, name: str) -> Response:
    """Fire again, from the next time on."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.schedules.resume(name))


@router.post("/{name}/fire", status_code=201)
@located("runs/{id}")
async def fire_schedule(request: Request, tenant: str, name: str) -> Enqueued:
    """Enqueue one run at once, besides those of the clock."""
    async with acting(request, tenant) as hold:
        return await hold.schedules.fire_now(name)
