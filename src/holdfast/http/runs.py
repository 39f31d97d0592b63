"""Runs over HTTP: look, enqueue, operate."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Header, Path, Query, Request, Response
from pydantic import AwareDatetime, BaseModel, Field

from holdfast.audit import AuditEvent
from holdfast.http.access import Body, Limit
from holdfast.http.acting import acting
from holdfast.http.bodies import object_of
from holdfast.http.conventions import located
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute, needs
from holdfast.kernel.given import Moment
from holdfast.kernel.page import Page
from holdfast.kernel.traces import current_trace_parent, usable_trace_parent
from holdfast.runs import Enqueued, RunInfo
from holdfast.runs.api import Pause, StartedRun, StoredStep, TypeStats
from holdfast.runs.model import Status

__all__ = ["router"]

_PLAIN = r"^[^\x00]*$"

router = APIRouter(prefix="/v1/{tenant}", tags=["runs"], route_class=GuardedRoute)


class RunSummary(BaseModel):
    """A run as lists show it: without what may be long."""

    id: UUID
    type: str
    status: Status
    priority: int
    attempt: int
    max_attempts: int
    last_error: str | None
    idempotency_key: str | None
    leased_by: str | None
    created_by: str
    created_at: datetime
    run_at: datetime
    updated_at: datetime
    finished_at: datetime | None
    deleted_at: datetime | None


class RunDetail(BaseModel):
    """Everything that is known of a run."""

    run: RunInfo
    steps: list[StoredStep]
    events: list[AuditEvent]
    children: list[StartedRun]


class NewRunRequest(Body):
    """A run to enqueue."""

    type: str
    payload: Any = None
    priority: int = 0
    run_at: AwareDatetime | None = None
    delay: float | None = Field(None, ge=0, description="seconds to wait; instead of run_at")
    max_attempts: int | None = None
    concurrency_key: str | None = Field(None, description="of the runs with one key, few execute at once")
    concurrency_limit: int | None = Field(None, description="how few; one by default")


class Reason(Body):
    """Why something is done; the trail keeps it."""

    reason: str = "cancelled"


class NewPause(Body):
    """A prefix of types that is not to be executed for now."""

    prefix: str


Prefix = Annotated[str, Query(max_length=256, pattern=_PLAIN)]
Key = Annotated[
    str | None,
    Header(alias="Idempotency-Key", min_length=1, max_length=512, description="the same key never enqueues twice"),
]

Trace = Annotated[str | None, Header(include_in_schema=False)]
"""The W3C trace that the request belongs to; whoever traces sends it with every request, whatever our schema says."""


@router.get("/runs")
async def list_runs(
    request: Request,
    tenant: str,
    status: Literal["pending", "leased", "succeeded", "failed", "cancelled"] | None = None,
    type: Prefix | None = None,  # noqa: A002 - it is the type
    prefix: Prefix | None = None,
    key: Annotated[str | None, Query(max_length=512, pattern=_PLAIN, description="the idempotency key")] = None,
    error: Annotated[str | None, Query(max_length=256, pattern=_PLAIN, description="what the error contains")] = None,
    payload: Annotated[str | None, Query(description="a JSON object that the payload contains")] = None,
    since: Annotated[Moment | None, Query(description="created at this time or later")] = None,
    until: Annotated[Moment | None, Query(description="created before this time")] = None,
    deleted: bool = False,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Page[RunSummary]:
    """Runs, newest first; those for which everything that is asked for holds."""
    async with acting(request, tenant) as hold:
        page = await hold.runs.list(
            status=status,
            type=type,
            prefix=prefix,
            key=key,
            error=error,
            payload=None if payload is None else object_of("payload", payload),
            since=since,
            until=until,
            deleted=deleted,
            limit=limit,
            cursor=cursor,
        )
    items = [RunSummary.model_validate(run, from_attributes=True) for run in page.items]
    return Page(items, page.next_cursor)


@router.post(
    "/runs", status_code=201, responses={200: {"model": Enqueued, "description": "the run that the key was used for"}}
)
@needs("runs:write")
@located("runs/{id}")
async def enqueue_run(
    request: Request,
    response: Response,
    tenant: str,
    wanted: NewRunRequest,
    idempotency_key: Key = None,
    traceparent: Trace = None,
) -> Enqueued:
    """Enqueue a run. With an Idempotency-Key that is known, the answer is 200 and the run there is."""
    # Whoever traces in this process has the request's trace already, and a span of it that is nearer.
    trace = None if current_trace_parent() else usable_trace_parent(traceparent)
    async with acting(request, tenant) as hold:
        if wanted.max_attempts is None:
            wanted.max_attempts = await hold.runs.attempts_elsewhere(wanted.type)
        made = await hold.runs.enqueue(**wanted.model_dump(), key=idempotency_key, trace_parent=trace)
    if not made.created:
        response.status_code = 200
    return made


@router.get("/runs/stats")
async def run_stats(request: Request, tenant: str) -> list[TypeStats]:
    """How many runs there are, by type and status: unfinished ones, and those finished within a day."""
    async with acting(request, tenant) as hold:
        return await hold.runs.stats()


@router.get("/runs/pauses")
async def list_pauses(request: Request, tenant: str) -> list[Pause]:
    """The prefixes that are paused."""
    async with acting(request, tenant) as hold:
        return await hold.runs.pauses()


@router.post("/runs/pauses", status_code=201)
@needs("runs:operate")
@located("runs/pauses")
async def pause_prefix(request: Request, tenant: str, pause: NewPause) -> list[Pause]:
    """Stop executing runs whose type begins with a prefix; what runs already goes on."""
    async with acting(request, tenant) as hold:
        await hold.runs.pause(pause.prefix)
        return await hold.runs.pauses()


@router.delete("/runs/pauses/{prefix}")
async def resume_prefix(request: Request, tenant: str, prefix: Annotated[str, Path(pattern=_PLAIN)]) -> list[Pause]:
    """Execute them again."""
    async with acting(request, tenant) as hold:
        await hold.runs.resume(prefix)
        return await hold.runs.pauses()


@router.get("/runs/{run_id}", response_model=RunDetail)
async def read_run(request: Request, tenant: str, run_id: UUID) -> Response:
    """One run with its steps, its events and the runs it started."""
    async with acting(request, tenant) as hold:
        found = await hold.inspect_run(run_id)
    return Exact(RunDetail(run=found.run, steps=found.steps, events=found.events, children=found.children))


@router.post("/runs/{run_id}/cancel", response_model=RunInfo)
@needs("runs:operate")
async def cancel_run(request: Request, tenant: str, run_id: UUID, why: Reason | None = None) -> Response:
    """Cancel a run that is not finished."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.runs.cancel(run_id, reason=(why or Reason()).reason))


@router.post("/runs/{run_id}/retry", status_code=201)
@located("runs/{id}")
async def retry_run(request: Request, tenant: str, run_id: UUID) -> Enqueued:
    """Enqueue a finished run anew, as another run."""
    async with acting(request, tenant) as hold:
        return await hold.runs.retry(run_id)


@router.delete("/runs/{run_id}", response_model=RunInfo)
async def delete_run(
    request: Request, tenant: str, run_id: UUID, reason: Annotated[str, Query(description="why; kept with the run")]
) -> Response:
    """Delete a run softly: it is never executed again, its key is free, the row stays for retention."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.runs.delete(run_id, reason=reason))
