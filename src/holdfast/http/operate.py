"""Operating over HTTP: health, series, types, workers, incidents, and operations over many things at once."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request
from pydantic import Field

from holdfast.http.access import Body, Limit
from holdfast.http.acting import acting
from holdfast.http.conventions import located, reads
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute
from holdfast.kernel.page import Page
from holdfast.operate import Health, Incident, Matching, QueueType, Series, WorkerInfo
from holdfast.operations import Operation, OperationItem

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["operate"], route_class=GuardedRoute)

Queue = Literal["runs", "engine", "effects", "outbox", "sessions"]
Kind = Literal[
    "runs.retry",
    "runs.cancel",
    "runs.delete",
    "engine.replay",
    "engine.skip",
    "effects.replay",
    "effects.skip",
    "outbox.replay",
    "outbox.skip",
]


class Bulk(Body):
    """What to do to everything that matches a filter."""

    kind: Kind
    filter: dict[str, Any] = Field(
        default_factory=dict,
        description="what must hold. Runs: ids, status, type, prefix, key, error, payload, since, until, deleted. "
        "Dead letters of the engine and of effects: ids, type, instance_id, error, since, until. "
        "Dead events of the outbox: ids, type, error, since, until",
    )


class NewOperation(Bulk):
    """The same, to be done."""

    reason: str | None = Field(None, description="why; cancelling, deleting and skipping need one")


@router.get("/health")
async def read_health(request: Request, tenant: str) -> Health:
    """How each queue is doing that the caller may see: what is there now, and what the last hour brought."""
    async with acting(request, tenant) as hold:
        return await hold.operate.health()


@router.get("/health/series")
async def read_series(request: Request, tenant: str, queue: Queue, span: Literal["5m", "1h", "24h"] = "1h") -> Series:
    """What a queue did over time: five minutes by ten seconds, an hour by minutes, a day by ten minutes."""
    async with acting(request, tenant) as hold:
        return await hold.operate.series(queue, span)


@router.get("/health/incidents")
async def list_incidents(
    request: Request,
    tenant: str,
    queue: Queue | None = None,
    hours: Annotated[int, Query(ge=1, le=744, description="how far back to look")] = 24,
) -> list[Incident]:
    """What went wrong, grouped by error, the most frequent first."""
    async with acting(request, tenant) as hold:
        return await hold.operate.incidents(queue=queue, hours=hours)


@router.get("/workers")
async def list_workers(request: Request, tenant: str) -> list[WorkerInfo]:
    """Who works, on what, when they were last heard of, and what they have in hand of this tenant."""
    async with acting(request, tenant) as hold:
        return await hold.operate.workers()


@router.get("/run-types")
async def list_run_types(request: Request, tenant: str) -> list[QueueType]:
    """The queue by type: how many runs are ready, delayed, blocked or leased, paused or not, handled or not."""
    async with acting(request, tenant) as hold:
        return await hold.operate.types()


@router.post("/operations/count")
@reads
async def count_matching(request: Request, tenant: str, wanted: Bulk) -> Matching:
    """How many things an operation would be about: a dry run, which changes nothing."""
    async with acting(request, tenant) as hold:
        return await hold.operate.count(wanted.kind, wanted.filter)


@router.post("/operations", response_model=Operation, status_code=201)
@located("operations/{id}")
async def start_operation(request: Request, tenant: str, wanted: NewOperation) -> Exact:
    """Do it to everything that matches. A worker does, in batches; the answer says how to follow it."""
    async with acting(request, tenant) as hold:
        made = await hold.operate.start(wanted.kind, wanted.filter, reason=wanted.reason)
    return Exact(made, 201, headers={"Location": f"/v1/{tenant}/operations/{made.id}"})


@router.get("/operations", response_model=Page[Operation])
async def list_operations(
    request: Request, tenant: str, kind: str | None = None, limit: Limit = 50, cursor: str | None = None
) -> Exact:
    """Operations of the kinds the caller may do, newest first."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.operations.list(kind=kind, limit=limit, cursor=cursor))


@router.get("/operations/{operation_id}", response_model=Operation)
async def read_operation(request: Request, tenant: str, operation_id: UUID) -> Exact:
    """One operation: how far it has come, and how many things went well, were skipped, or failed."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.operations.get(operation_id))


@router.get("/operations/{operation_id}/items")
async def list_operation_items(
    request: Request,
    tenant: str,
    operation_id: UUID,
    outcome: Literal["succeeded", "skipped", "failed"] | None = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Page[OperationItem]:
    """What became of each thing, in the order in which they were dealt with."""
    async with acting(request, tenant) as hold:
        return await hold.operations.items(operation_id, outcome=outcome, limit=limit, cursor=cursor)


@router.post("/operations/{operation_id}/cancel", response_model=Operation)
async def cancel_operation(request: Request, tenant: str, operation_id: UUID) -> Exact:
    """End an operation after the batch that is under way; what was done stays done."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.operations.cancel(operation_id))
