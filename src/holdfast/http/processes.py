"""Processes over HTTP: start, look, advance, tell events, triggers, and what operators do.

An instance carries its version as `ETag`; a change names it with `If-Match`. A stale one is 409 and writes nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request
from pydantic import Field

from holdfast.app import Hold
from holdfast.envelope.tokens import Option, Reason, Wait
from holdfast.errors import InvalidInput
from holdfast.http.access import Body, Limit, SkipRequest
from holdfast.http.acting import acting
from holdfast.http.bodies import body_of, object_of, read_body
from holdfast.http.conventions import located
from holdfast.http.exact import Exact, matched_version
from holdfast.http.route import GuardedRoute, moves_processes, needs
from holdfast.kernel.given import Moment
from holdfast.kernel.page import Page
from holdfast.processes.engine_inbox import BufferedEvent, DeadLetter
from holdfast.processes.model import Happened, Instance, Step
from holdfast.processes.possibilities import Possibility
from holdfast.processes.repair import Health, Migration, Rebuilt, Stuck
from holdfast.processes.telling import Told
from holdfast.processes.triggers import Trigger, TriggerConsequences

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["processes"], route_class=GuardedRoute)


class Start(Body):
    """A process to start: that of a document, or an automation."""

    workflow_id: str
    document_id: UUID | None = None
    payload: Any = None
    context: dict[str, Any] = Field(default_factory=dict)
    instance_id: UUID | None = Field(None, description="yours: starting twice with it is starting once")
    subject_id: str = ""
    partition_id: str = ""


class EventBody(Body):
    """What shall happen: a transition, or the key of an event that a step waits for."""

    event: str
    input: Any = None
    at: str | None = Field(None, description="the node or token, when several wait for it")
    reason: str | None = None


class Telling(Body):
    """An event from outside."""

    key: str
    payload: Any = None
    event_id: str | None = Field(None, description="the source's own name for it: telling twice is telling once")
    keep_seconds: float = Field(
        604800, gt=0, le=31536000, description="how long it waits for somebody who waits for it"
    )


class Why(Body):
    """Why an operator does this."""

    reason: str


class StepToRetry(Body):
    """Which failed step to try again; the only one when left out."""

    token: str | None = None


class Target(Body):
    """Which definition to follow; without `dry_run: false` it is only looked at."""

    definition_id: UUID
    version: int
    dry_run: bool = True


class Letters(Body):
    """Which dead letters; all when nothing is said."""

    event_type: str | None = None
    instance_id: UUID | None = None


class NewTrigger(Body):
    """What starts an automation."""

    name: str
    workflow_id: str
    trigger_type: Literal["on_create", "on_lifecycle_transition", "on_mutation", "on_timer", "on_event", "manual"]
    entity_type: str | None = None
    event_key: str | None = None
    cron: str | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    condition: str | None = None


class TriggerChange(Body):
    """What to change of a trigger."""

    entity_type: str | None = None
    event_key: str | None = None
    cron: str | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    condition: str | None = None
    enabled: bool = True


@router.get("/processes", response_model=Page[Instance])
async def list_processes(
    request: Request,
    tenant: str,
    workflow_id: str | None = None,
    status: Literal["running", "paused", "completed", "failed", "cancelled"] | None = None,
    subject_id: str | None = None,
    partition_id: str | None = None,
    document_id: UUID | None = None,
    doc_status: Annotated[str | None, Query(description="only of documents in this state")] = None,
    node: Annotated[str | None, Query(description="only those that stand at this node")] = None,
    started_before: Annotated[Moment | None, Query(description="with a time zone")] = None,
    updated_before: Annotated[Moment | None, Query(description="with a time zone")] = None,
    fields: Annotated[str | None, Query(description="only of documents that contain this JSON object")] = None,
    active: Annotated[bool, Query(description="only those that are under way")] = False,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Exact:
    """Instances, newest first. `active` takes the filters up to `partition_id` only."""
    wanted = None if fields is None else object_of("fields", fields)
    narrowed = (document_id, doc_status, node, started_before, updated_before, wanted)
    if active and any(each is not None for each in narrowed):
        raise InvalidInput("active cannot be combined with this filter", hint="give status=running", field="active")
    async with acting(request, tenant) as hold:
        if active:
            page = await hold.processes.find_active(
                workflow_id=workflow_id,
                status=status,
                subject_id=subject_id,
                partition_id=partition_id,
                limit=limit,
                cursor=cursor,
            )
        else:
            page = await hold.processes.list(
                workflow_id=workflow_id,
                status=status,
                subject_id=subject_id,
                partition_id=partition_id,
                document_id=document_id,
                doc_status=doc_status,
                node=node,
                started_before=started_before,
                updated_before=updated_before,
                fields=wanted,
                limit=limit,
                cursor=cursor,
            )
        return Exact(page)


@router.post("/processes", status_code=201, response_model=Instance, openapi_extra=body_of(Start))
@needs("processes:start")
@located("processes/{id}")
async def start_process(request: Request, tenant: str) -> Exact:
    """Start the process of a document, or an automation."""
    body = await read_body(request, Start)
    async with acting(request, tenant) as hold:
        made = await hold.processes.start(
            body.workflow_id,
            document_id=body.document_id,
            payload=body.payload,
            context=body.context,
            instance_id=body.instance_id,
            subject_id=body.subject_id,
            partition_id=body.partition_id,
        )
    return _answer(made, 201)


@router.get("/processes/expired", response_model=list[Instance])
async def expired_processes(request: Request, tenant: str, limit: Limit = 50) -> Exact:
    """Instances with a timer or a timeout that is due."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.processes.find_expired(limit=limit))


@router.get("/processes/stuck", response_model=list[Stuck])
async def stuck_processes(
    request: Request, tenant: str, minutes: Annotated[float, Query(gt=0, le=525600)] = 15, limit: Limit = 50
) -> Exact:
    """Running instances that stand still without waiting for a person, an event or a time."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.processes.repair.stuck(older=timedelta(minutes=minutes), limit=limit))


@router.get("/processes/health")
async def process_health(request: Request, tenant: str) -> Health:
    """How the engine inbox is doing."""
    async with acting(request, tenant) as hold:
        return await hold.processes.repair.health()


@router.get("/processes/{instance_id}", response_model=Instance)
async def get_process(request: Request, tenant: str, instance_id: UUID) -> Exact:
    """One instance."""
    async with acting(request, tenant) as hold:
        return _answer(await hold.processes.get(instance_id))


@router.get("/processes/{instance_id}/steps", response_model=Page[Step])
async def list_process_steps(
    request: Request,
    tenant: str,
    instance_id: UUID,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
    cursor: str | None = None,
) -> Exact:
    """What an instance did, in order, with the evidence of every step."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.processes.steps(instance_id, limit=limit, cursor=cursor))


@router.get("/processes/{instance_id}/waits", response_model=list[Wait])
async def list_process_waits(request: Request, tenant: str, instance_id: UUID) -> Exact:
    """What every token waits for."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.processes.waits(instance_id))


@router.get("/processes/{instance_id}/options")
async def list_process_options(request: Request, tenant: str, instance_id: UUID) -> list[Option]:
    """What may happen next, who may do it, and where it can lead."""
    async with acting(request, tenant) as hold:
        return list(await hold.processes.options(instance_id))


@router.get("/processes/{instance_id}/possibilities", response_model=list[Possibility])
async def list_possibilities(request: Request, tenant: str, instance_id: UUID) -> Exact:
    """What may happen next, whether the caller can let it, and why not: a sentence, and a code with parameters."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.processes.possibilities(instance_id))


@router.get("/processes/{instance_id}/reasons", response_model=list[Reason])
async def list_process_reasons(request: Request, tenant: str, instance_id: UUID) -> Exact:
    """Why each edge was taken."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.processes.reasons(instance_id))


@router.post(
    "/processes/{instance_id}/advance",
    response_model=Happened,
    openapi_extra=body_of(EventBody),
)
@needs("processes:start")
@moves_processes
async def advance_process(request: Request, tenant: str, instance_id: UUID) -> Exact:
    """Let something happen now, if the instance is still at the version of `If-Match`."""
    body = await read_body(request, EventBody)
    async with acting(request, tenant) as hold:
        done = await hold.processes.advance(
            instance_id,
            body.event,
            body.input,
            expected_version=matched_version(request),
            at=body.at,
            reason=body.reason,
        )
    return Exact(done, version=done.version)


@router.post("/processes/{instance_id}/pause", response_model=Instance)
@needs("processes:operate")
async def pause_process(request: Request, tenant: str, instance_id: UUID, body: Why) -> Exact:
    """Stop an instance for now; what is posted for it waits."""
    async with _changing(request, tenant, instance_id) as hold:
        return _answer(await hold.processes.pause(instance_id, reason=body.reason))


@router.post("/processes/{instance_id}/resume", response_model=Instance)
async def resume_process(request: Request, tenant: str, instance_id: UUID) -> Exact:
    """Let a paused instance go on."""
    async with _changing(request, tenant, instance_id) as hold:
        return _answer(await hold.processes.resume(instance_id))


@router.post("/processes/{instance_id}/cancel", response_model=Instance)
@needs("processes:operate")
@moves_processes
async def cancel_process(request: Request, tenant: str, instance_id: UUID, body: Why) -> Exact:
    """Stop an instance for good."""
    async with _changing(request, tenant, instance_id) as hold:
        return _answer(await hold.processes.cancel(instance_id, reason=body.reason))


@router.post("/processes/{instance_id}/fail", response_model=Instance)
@needs("processes:operate")
@moves_processes
async def force_fail_process(request: Request, tenant: str, instance_id: UUID, body: Why) -> Exact:
    """Give an instance up: it is failed for good."""
    async with _changing(request, tenant, instance_id) as hold:
        return _answer(await hold.processes.force_fail(instance_id, reason=body.reason))


@router.post("/processes/{instance_id}/retry")
@needs("processes:operate")
async def retry_process_step(request: Request, tenant: str, instance_id: UUID, body: StepToRetry) -> Happened:
    """Let a failed step be tried again."""
    async with _changing(request, tenant, instance_id) as hold:
        return await hold.processes.retry_step(instance_id, token=body.token)


@router.post("/processes/{instance_id}/rebuild")
async def rebuild_process(request: Request, tenant: str, instance_id: UUID) -> Rebuilt:
    """Work out from the steps where an instance stands, and write that."""
    async with _changing(request, tenant, instance_id) as hold:
        return await hold.processes.repair.rebuild_projection(instance_id)


@router.get("/processes/{instance_id}/projection")
async def check_projection(request: Request, tenant: str, instance_id: UUID) -> Rebuilt:
    """Compare where an instance stands with what its steps say; `differed` is empty when all is well."""
    async with acting(request, tenant) as hold:
        return await hold.processes.repair.check_projection(instance_id)


@router.post("/processes/{instance_id}/enqueue", status_code=202)
async def enqueue_process(request: Request, tenant: str, instance_id: UUID) -> None:
    """Let the worker look at an instance again."""
    async with _changing(request, tenant, instance_id) as hold:
        await hold.processes.repair.enqueue_again(instance_id)


@router.post("/processes/{instance_id}/migrate")
@needs("processes:operate")
async def migrate_process(request: Request, tenant: str, instance_id: UUID, body: Target) -> Migration:
    """Let a running instance follow another version of its definition, or say why it cannot."""
    async with _changing(request, tenant, instance_id) as hold:
        return await hold.processes.repair.migrate(instance_id, body.definition_id, body.version, dry_run=body.dry_run)


@router.post("/process-events", status_code=202, response_model=Told, openapi_extra=body_of(Telling))
@needs("processes:start")
async def tell_event(request: Request, tenant: str) -> Exact:
    """Tell of an event: whoever waits for its key goes on; otherwise it is kept for a while."""
    body = await read_body(request, Telling)
    async with acting(request, tenant) as hold:
        keep = timedelta(seconds=float(body.keep_seconds))
        return Exact(await hold.processes.tell(body.key, body.payload, event_id=body.event_id, keep=keep), 202)


@router.get("/process-events/dead", response_model=Page[DeadLetter])
async def list_dead_letters(
    request: Request,
    tenant: str,
    event_type: str | None = None,
    instance_id: UUID | None = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Exact:
    """Events of the engine inbox that were given up, the latest first."""
    async with acting(request, tenant) as hold:
        return Exact(
            await hold.processes.inbox.dead_letters(
                event_type=event_type, instance_id=instance_id, limit=limit, cursor=cursor
            )
        )


@router.post("/process-events/dead/replay")
@needs("processes:operate")
async def replay_dead_letters(request: Request, tenant: str, body: Letters) -> dict[str, int]:
    """Let every dead letter that matches be tried again, a thousand at most."""
    async with acting(request, tenant) as hold:
        done = await hold.processes.inbox.replay_all(event_type=body.event_type, instance_id=body.instance_id)
    return {"replayed": done}


@router.get("/process-events/buffered")
async def list_buffered_events(
    request: Request, tenant: str, event_key: str | None = None, limit: Limit = 50, cursor: str | None = None
) -> Page[BufferedEvent]:
    """Events from outside that nobody has waited for yet, the latest first."""
    async with acting(request, tenant) as hold:
        return await hold.processes.inbox.buffered(event_key=event_key, limit=limit, cursor=cursor)


@router.post("/process-events/{event_id}/replay", status_code=202)
async def replay_process_event(request: Request, tenant: str, event_id: UUID) -> None:
    """Let a dead letter of the engine inbox be tried again."""
    async with acting(request, tenant) as hold:
        await hold.processes.replay_event(event_id)


@router.post("/process-events/{event_id}/skip", status_code=204)
@needs("processes:operate")
async def skip_process_event(request: Request, tenant: str, event_id: UUID, wanted: SkipRequest) -> None:
    """Give up a dead letter of the engine inbox; its process stays where it is."""
    async with acting(request, tenant) as hold:
        await hold.processes.skip_event(event_id, reason=wanted.reason)


@router.get("/triggers", response_model=list[Trigger])
async def list_triggers(request: Request, tenant: str) -> Exact:
    """What starts automations."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.triggers.list())


@router.post("/triggers", response_model=Trigger, status_code=201)
@needs("processes:publish")
@located("triggers/{name}")
async def create_trigger(request: Request, tenant: str, body: NewTrigger) -> Exact:
    """Let something start an automation from now on."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.triggers.create(**body.model_dump()), 201)


@router.get("/triggers/{name}", response_model=Trigger)
async def read_trigger(request: Request, tenant: str, name: str) -> Exact:
    """One trigger."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.triggers.get(name))


@router.patch("/triggers/{name}", response_model=Trigger)
@needs("processes:publish")
async def change_trigger(request: Request, tenant: str, name: str, body: TriggerChange) -> Exact:
    """Change what a trigger watches for, or whether it works; what is left out stays."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.triggers.change(name, **body.model_dump(exclude_unset=True)))


@router.get("/triggers/{name}/consequences")
async def read_trigger_consequences(request: Request, tenant: str, name: str) -> TriggerConsequences:
    """What would be without it: whether its automation is in force, and what else starts that."""
    async with acting(request, tenant) as hold:
        return await hold.triggers.consequences(name)


@router.post("/triggers/{name}/enable", response_model=Trigger)
async def enable_trigger(request: Request, tenant: str, name: str, enabled: bool = True) -> Exact:
    """Let a trigger work, or stop it."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.triggers.enable(name, enabled=enabled))


@router.delete("/triggers/{name}", status_code=204)
async def delete_trigger(request: Request, tenant: str, name: str) -> None:
    """Forget a trigger."""
    async with acting(request, tenant) as hold:
        await hold.triggers.delete(name)


@asynccontextmanager
async def _changing(request: Request, tenant: str, instance_id: UUID) -> AsyncIterator[Hold]:
    """A transaction that changes an instance, which is still at the version of `If-Match`."""
    version = matched_version(request)
    async with acting(request, tenant) as hold:
        if version is not None:
            await hold.processes.expect(instance_id, version)
        yield hold


def _answer(instance: Instance, status: int = 200) -> Exact:
    return Exact(instance, status, version=instance.version)
