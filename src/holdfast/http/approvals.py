"""Approvals and tasks over HTTP, with what surrounds them: delegations, chains, the organisation chart.

A decision names the version it is about (`entity_version`, and `content_hash` if you like), as the request showed it: a
document that has changed since answers 409, and nothing is written.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from holdfast import people
from holdfast.http.access import Anyway, Body, Limit
from holdfast.http.acting import acting, in_tenant
from holdfast.http.conventions import located
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute, moves_processes, needs
from holdfast.kernel.page import Page
from holdfast.people import (
    MANY,
    Chain,
    ChainInfo,
    ChainStage,
    ChosenRequest,
    Decided,
    DecidedItem,
    Delegation,
    RequestDetail,
)
from holdfast.people.org import ChartedPerson

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["approvals"], route_class=GuardedRoute)


class DecisionBody(Body):
    """A decision on a request."""

    decision: Literal["approved", "rejected", "returned", "abstained"]
    entity_version: int = Field(description="the version you saw")
    content_hash: str | None = Field(None, description="the content hash you saw")
    reason: str | None = Field(None, description="needed for rejected and returned")
    on_behalf_of: str | None = Field(None, description="whose place you decide in, when several handed over to you")


class ChosenBody(Body):
    """A request, and the version you saw of its document."""

    request_id: UUID
    entity_version: int = Field(description="the version you saw")
    content_hash: str | None = Field(None, description="the content hash you saw")


class ManyDecisionsBody(Body):
    """One decision on many requests."""

    decision: Literal["approved", "rejected", "returned", "abstained"]
    requests: list[ChosenBody] = Field(min_length=1, max_length=1000)
    reason: str | None = Field(None, description="needed for rejected and returned")
    dry_run: bool = Field(False, description="only say what would happen")


class AnswerBody(Body):
    """The answer to a task."""

    data: dict[str, Any] = Field(default_factory=dict)
    answer: str | None = Field(None, description="the button that was pressed; the first by default")


class HandOver(Body):
    """Whom to ask instead, or too."""

    to: str
    reason: str
    of: str | None = Field(None, description="whose place is handed on; the caller's own by default")


class Escalation(Body):
    """Whom to ask too."""

    to: str
    reason: str


class NewDelegation(Body):
    """Who decides for whom, and how long."""

    delegate: str
    ends_at: datetime
    starts_at: datetime | None = None
    delegator: str | None = None
    entity_type: str | None = None
    reason: str = ""


class ChainBody(Body):
    """The stages of a chain."""

    stages: list[ChainStage]
    description: str = ""


class Manager(Body):
    """Somebody's manager; null: nobody."""

    manager: str | None


class PinnedDocument(BaseModel):
    """A document as it was when people were asked."""

    document_id: UUID
    version: int
    content_hash: str
    doc_status: str
    data: dict[str, Any]
    masked: list[str] = Field(default_factory=list, description="fields that you may not see")


@router.get("/approvals", response_model=Page[people.Request])
async def list_requests(
    request: Request,
    tenant: str,
    instance_id: UUID | None = None,
    document_id: UUID | None = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Exact:
    """Requests, newest first; of one instance or one document."""
    async with acting(request, tenant) as hold:
        return Exact(
            await hold.approvals.list(instance_id=instance_id, document_id=document_id, limit=limit, cursor=cursor)
        )


@router.get("/approvals/{request_id}", response_model=RequestDetail)
async def get_request(request: Request, tenant: str, request_id: UUID) -> Exact:
    """A request, with everybody who is asked, everything that was decided, its headline, and why it was asked."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.approvals.get(request_id))


@router.get("/approvals/{request_id}/document", response_model=PinnedDocument)
async def get_pinned_document(request: Request, tenant: str, request_id: UUID) -> Response:
    """The document as it was when people were asked: what a decision is about."""
    async with acting(request, tenant) as hold:
        version = await hold.approvals.document(request_id)
    return Exact({name: getattr(version, name) for name in PinnedDocument.model_fields})


@router.post("/approvals/{request_id}/decisions")
@needs("processes:approve")
@moves_processes
async def decide(request: Request, tenant: str, request_id: UUID, body: DecisionBody) -> Decided:
    """Decide on a request."""
    async with acting(request, tenant) as hold:
        return await hold.approvals.decide(
            request_id,
            body.decision,
            reason=body.reason,
            on_behalf_of=body.on_behalf_of,
            entity_version=body.entity_version,
            content_hash=body.content_hash,
        )


@router.post("/approvals/decide")
@needs("processes:approve")
@moves_processes
async def decide_many(request: Request, tenant: str, body: ManyDecisionsBody) -> list[DecidedItem]:
    """Decide on many requests alike, a hundred in a transaction; what became of each, in their order."""
    chosen = [ChosenRequest(each.request_id, each.entity_version, each.content_hash) for each in body.requests]
    found: list[DecidedItem] = []
    request.app.state.moves.take(tenant, str(await in_tenant(request, tenant)), max(0, len(chosen) - 1))
    for first in range(0, len(chosen), MANY):
        async with acting(request, tenant) as hold:
            found += await hold.approvals.decide_many(
                chosen[first : first + MANY], body.decision, reason=body.reason, dry_run=body.dry_run
            )
    return found


@router.post("/approvals/{request_id}/answer")
@needs("processes:approve")
@moves_processes
async def complete(request: Request, tenant: str, request_id: UUID, body: AnswerBody) -> Decided:
    """Fill in the form of a task."""
    async with acting(request, tenant) as hold:
        return await hold.approvals.complete(request_id, body.data, answer=body.answer)


@router.post("/approvals/{request_id}/claim", status_code=204)
async def claim(request: Request, tenant: str, request_id: UUID) -> None:
    """Take a request that several people are asked."""
    async with acting(request, tenant) as hold:
        await hold.approvals.claim(request_id)


@router.post("/approvals/{request_id}/release", status_code=204)
async def release(request: Request, tenant: str, request_id: UUID) -> None:
    """Give a claimed request back."""
    async with acting(request, tenant) as hold:
        await hold.approvals.release(request_id)


@router.post("/approvals/{request_id}/reassign", status_code=204)
async def reassign(request: Request, tenant: str, request_id: UUID, body: HandOver) -> None:
    """Let somebody else be asked instead."""
    async with acting(request, tenant) as hold:
        await hold.approvals.reassign(request_id, body.to, reason=body.reason, of=body.of)


@router.post("/approvals/{request_id}/escalate", status_code=204)
@needs("processes:operate")
async def escalate(request: Request, tenant: str, request_id: UUID, body: Escalation) -> None:
    """Ask somebody else too."""
    async with acting(request, tenant) as hold:
        await hold.approvals.escalate(request_id, body.to, reason=body.reason)


@router.get("/delegations")
async def list_delegations(request: Request, tenant: str, everybody: bool = False) -> list[Delegation]:
    """Those in force and to come: from or to the caller, or, for an operator, everybody's."""
    async with acting(request, tenant) as hold:
        return list(await hold.delegations.list(everybody=everybody))


@router.post("/delegations", status_code=201)
@located("delegations/{id}")
async def create_delegation(request: Request, tenant: str, body: NewDelegation) -> Delegation:
    """Hand over to somebody, from one date until another."""
    async with acting(request, tenant) as hold:
        return await hold.delegations.create(**body.model_dump())


@router.delete("/delegations/{delegation_id}", status_code=204)
async def revoke_delegation(request: Request, tenant: str, delegation_id: UUID) -> None:
    """End a delegation now."""
    async with acting(request, tenant) as hold:
        await hold.delegations.revoke(delegation_id)


@router.get("/approval-chains")
async def list_chains(request: Request, tenant: str) -> list[ChainInfo]:
    """Every chain that is in use, by name."""
    async with acting(request, tenant) as hold:
        return list(await hold.chains.list())


@router.get("/approval-chains/{name}")
async def get_chain(request: Request, tenant: str, name: str) -> Chain:
    """A chain with its stages."""
    async with acting(request, tenant) as hold:
        return await hold.chains.get(name)


@router.put("/approval-chains/{name}")
@needs("processes:publish")
async def define_chain(request: Request, tenant: str, name: str, body: ChainBody) -> Chain:
    """Define a chain, or change what it is from now on."""
    async with acting(request, tenant) as hold:
        return await hold.chains.define(name, body.stages, description=body.description)


@router.delete("/approval-chains/{name}", status_code=204)
async def archive_chain(request: Request, tenant: str, name: str, anyway: Anyway = False) -> None:
    """Take a chain out of use. 409 `still_used` while steps in force name it."""
    async with acting(request, tenant) as hold:
        await hold.chains.archive(name, anyway=anyway)


@router.get("/org-chart")
async def read_org_chart(
    request: Request, tenant: str, limit: Limit = 200, cursor: str | None = None
) -> Page[ChartedPerson]:
    """Everybody, by name, with their manager and how many report to them."""
    async with acting(request, tenant) as hold:
        return await hold.org.chart(limit=limit, cursor=cursor)


@router.get("/users/{name}/managers")
async def list_managers(request: Request, tenant: str, name: str) -> list[str]:
    """The managers above somebody, nearest first."""
    async with acting(request, tenant) as hold:
        return await hold.org.managers(name)


@router.put("/users/{name}/manager", status_code=204)
@needs("users:write")
async def set_manager(request: Request, tenant: str, name: str, body: Manager) -> None:
    """Say who somebody's manager is."""
    async with acting(request, tenant) as hold:
        await hold.org.set_manager(name, body.manager)
