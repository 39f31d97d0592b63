"""Simulations and test cases over HTTP. Stateless: a script goes in, a frame for each of its acts comes out."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from holdfast.http.access import Body
from holdfast.http.acting import acting
from holdfast.http.bodies import body_of, read_body
from holdfast.http.computing import compute
from holdfast.http.conventions import reads
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute, needs
from holdfast.processes.definitions.simulator import Simulated
from holdfast.processes.definitions.test_cases import MAX_CASES, CaseOutcome, TestCase, run_cases

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["simulation"], route_class=GuardedRoute)


class SimulationRequest(Body):
    """What to play: which workflow, with which document, in which world, by which script."""

    definition_id: UUID | None = Field(None, description="a draft, a published version, or a skeleton")
    entity_type: str | None = Field(None, description="instead of a definition: the workflow in force, or `patches`")
    patches: dict[str, Any] | None = Field(None, description="patches that are not stored anywhere")
    base_version: int | None = Field(None, ge=1, description="the skeleton's version that `patches` are for")
    document: dict[str, Any] | None = None
    document_id: UUID | None = Field(None, description="instead of a document: one that is there, as it stands")
    script: list[Any] = Field(
        default_factory=list, description='lines such as {"submit": {"by": "ana"}}, {"wait": "72h"}'
    )
    world: dict[str, Any] = Field(
        default_factory=dict,
        description="people, org, answers, start, requester, confirms; without people, the tenant's",
    )
    payload: Any = None
    first: int = Field(0, ge=0, description="the first frame to answer with: those before it are known")


class SimulationAnswer(BaseModel):
    """The frames of a simulation, and the whole of it as text."""

    simulated: Simulated
    masked: list[str] = Field(description="fields of the document that you may not see, and were not played with")


class NewTestCase(Body):
    """A simulation to keep, with what must come of it."""

    expect: dict[str, Any]
    document: dict[str, Any] = Field(default_factory=dict)
    script: list[Any] = Field(default_factory=list)
    world: dict[str, Any] = Field(default_factory=dict)
    payload: Any = None
    description: str = Field("", max_length=1000)


class CasesToRun(Body):
    """The workflow to hold the test cases of its type to, and cases that are not kept yet."""

    definition_id: UUID | None = None
    entity_type: str | None = None
    patches: dict[str, Any] | None = None
    base_version: int | None = Field(None, ge=1)
    names: list[str] | None = Field(None, max_length=MAX_CASES, description="only these; all without")


class CasesAnswer(BaseModel):
    """What the test cases came to."""

    passed: bool
    cases: list[CaseOutcome]


@router.post("/simulations", response_model=SimulationAnswer, openapi_extra=body_of(SimulationRequest))
@needs("processes:read")
@reads
async def simulate_workflow(request: Request, tenant: str) -> Response:
    """Play a script with the step function of production and without side effects."""
    wanted = await read_body(request, SimulationRequest)
    masked: list[str] = []
    async with acting(request, tenant) as hold:
        workflow, skeleton = await hold.definitions.playable(
            definition_id=wanted.definition_id,
            entity_type=wanted.entity_type,
            patches=wanted.patches,
            base_version=wanted.base_version,
        )
        document = wanted.document or {}
        if wanted.document_id is not None:
            found = await hold.documents.get(wanted.document_id)
            document, masked = dict(found.data), list(found.masked)
        prepared = await hold.definitions.simulator.prepare(
            workflow,
            skeleton.scope(),
            document,
            wanted.script,
            world=wanted.world,
            payload=wanted.payload,
            first=wanted.first,
        )
    return Exact({"simulated": await compute(request, prepared.run), "masked": masked})


@router.get("/workflows/{entity_type}/test-cases", response_model=list[TestCase])
async def list_test_cases(request: Request, tenant: str, entity_type: str) -> Response:
    """The test cases of a type, by name."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.cases.list(entity_type))


@router.get("/workflows/{entity_type}/test-cases/{name}", response_model=TestCase)
async def read_test_case(request: Request, tenant: str, entity_type: str, name: str) -> Response:
    """One test case."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.cases.get(entity_type, name))


@router.put("/workflows/{entity_type}/test-cases/{name}", response_model=TestCase, openapi_extra=body_of(NewTestCase))
@needs("processes:design")
async def keep_test_case(request: Request, tenant: str, entity_type: str, name: str) -> Response:
    """Keep a simulation as a test case, or change it."""
    wanted = await read_body(request, NewTestCase)
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.cases.keep(entity_type, name, **dict(wanted)))


@router.delete("/workflows/{entity_type}/test-cases/{name}", status_code=204)
@needs("processes:design")
async def forget_test_case(request: Request, tenant: str, entity_type: str, name: str) -> Response:
    """Delete a test case."""
    async with acting(request, tenant) as hold:
        await hold.definitions.cases.forget(entity_type, name)
    return Response(status_code=204)


@router.post("/test-cases/run", response_model=CasesAnswer, openapi_extra=body_of(CasesToRun))
@needs("processes:read")
@reads
async def run_test_cases(request: Request, tenant: str) -> Response:
    """Play the test cases of a type with a draft, with patches, or with the workflow in force."""
    wanted = await read_body(request, CasesToRun)
    async with acting(request, tenant) as hold:
        workflow, skeleton = await hold.definitions.playable(
            definition_id=wanted.definition_id,
            entity_type=wanted.entity_type,
            patches=wanted.patches,
            base_version=wanted.base_version,
        )
        kept = await hold.definitions.cases.list(skeleton.entity_type)
    chosen = [case for case in kept if wanted.names is None or case.name in wanted.names]
    found = await compute(request, lambda: run_cases(chosen, workflow, skeleton.scope()))
    return Exact({"passed": all(each.passed for each in found), "cases": found})
