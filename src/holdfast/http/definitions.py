"""Contracts, definitions and the workflows compiled from them over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from holdfast.envelope import Contract, WorkflowDiff
from holdfast.errors import InvalidInput
from holdfast.http.access import Body, Limit
from holdfast.http.acting import acting
from holdfast.http.bodies import body_of, read_body
from holdfast.http.conventions import located, reads
from holdfast.http.designing import Differences
from holdfast.http.exact import Exact, matched_version
from holdfast.http.route import GuardedRoute, needs
from holdfast.kernel.aside import aside
from holdfast.kernel.page import Page
from holdfast.processes.definitions import ContractInfo, Definition, Review

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", route_class=GuardedRoute)


class NewDraft(Body):
    """A draft to begin: patches by slot, on a version of the type's skeleton."""

    entity_type: str
    patches: dict[str, Any] = Field(default_factory=dict)
    name: str | None = None
    note: str = ""
    base_version: int | None = None


class NewAutomation(Body):
    """An automation to begin a draft of; the schemas say what starts it and what its expressions may read."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")
    patch: dict[str, Any] = Field(default_factory=dict)
    title: str | None = None
    note: str = ""
    payload: dict[str, Any] | None = None
    document: dict[str, Any] | None = None
    context: dict[str, Any] | None = None


class DraftChange(Body):
    """What a draft shall hold from now on. `If-Match` carries the revision the editor saw."""

    patches: dict[str, Any]
    name: str | None = None
    note: str | None = None
    client: str | None = Field(None, max_length=100, description="the editor's window, as with `editing`")


class Patches(Body):
    """Patches to check without storing them."""

    patches: dict[str, Any]
    base_version: int | None = None


class OlderVersion(Body):
    """A version to publish again."""

    version: int = Field(ge=1)


class RebaseRequest(Body):
    """The version of the skeleton to carry patches to; the newest by default."""

    to_version: int | None = Field(None, ge=1)


class ReviewAnswer(BaseModel):
    """What a compile says."""

    ok: bool
    compiled_hash: str | None
    problems: list[dict[str, Any]]


class RebaseAnswer(BaseModel):
    """The draft that came of it, and what stands in the way of publishing it."""

    draft: Definition
    carried: list[str]
    conflicts: list[dict[str, Any]]
    held_back: dict[str, Any] = Field(description="by slot, what could not be carried over, as it was")
    notes: list[str]


def _answer(definition: Definition, status: int = 200) -> Exact:
    return Exact(definition, status, version=definition.revision)


def _reviewed(review: Review) -> Exact:
    problems = [problem.to_json() for problem in review.problems]
    return Exact({"ok": review.ok, "compiled_hash": review.compiled_hash, "problems": problems})


def _differences(found: WorkflowDiff) -> Exact:
    return Exact({**found.to_json(), "text": found.to_text()})


# ---------------------------------------------------------------------------------------------------------- contracts


@router.get("/contracts", tags=["contracts"], response_model=list[ContractInfo])
async def list_contracts(request: Request, tenant: str, entity_type: str | None = None) -> Response:
    """The contracts of the tenant, every version."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.contracts(entity_type))


@router.get("/contracts/{entity_type}", tags=["contracts"], response_model=ContractInfo)
async def read_contract(request: Request, tenant: str, entity_type: str, version: int | None = None) -> Response:
    """A contract; the newest without a version."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.contract(entity_type, version))


class AnyContract(BaseModel):
    """A contract: its fields are described in the documentation of contracts."""

    model_config = {"extra": "allow"}

    version: int = 1
    document: dict[str, Any]


@router.put(
    "/contracts/{entity_type}", tags=["contracts"], response_model=ContractInfo, openapi_extra=body_of(AnyContract)
)
@needs("processes:publish")
async def register_contract(request: Request, tenant: str, entity_type: str) -> Response:
    """Register a contract; a changed one needs a higher version."""
    given = (await read_body(request, AnyContract)).model_dump(exclude_unset=True)
    async with acting(request, tenant) as hold:
        if given.setdefault("entity_type", entity_type) != entity_type:
            raise InvalidInput("the body is about another type", hint=f"say {entity_type!r}", field="entity_type")
        return Exact(await hold.definitions.register(await aside(lambda: Contract.from_data(given), given)))


# -------------------------------------------------------------------------------------------------------- definitions


@router.get("/definitions", tags=["definitions"], response_model=Page[Definition])
async def list_definitions(
    request: Request,
    tenant: str,
    entity_type: str | None = None,
    kind: Literal["envelope", "org_patch", "effective"] | None = None,
    status: Literal["draft", "published", "archived"] | None = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Response:
    """Definitions, newest first, without their patches."""
    async with acting(request, tenant) as hold:
        page = await hold.definitions.list(
            entity_type=entity_type, kind=kind, status=status, limit=limit, cursor=cursor
        )
    return Exact(page)


@router.post(
    "/definitions", status_code=201, tags=["definitions"], response_model=Definition, openapi_extra=body_of(NewDraft)
)
@needs("processes:design")
@located("definitions/{id}")
async def create_draft(request: Request, tenant: str) -> Response:
    """Begin a draft for a document type."""
    wanted = (await read_body(request, NewDraft)).model_dump()
    async with acting(request, tenant) as hold:
        return _answer(
            await hold.definitions.create_draft(wanted.pop("entity_type"), wanted.pop("patches"), **wanted), 201
        )


@router.post(
    "/automations",
    status_code=201,
    tags=["definitions"],
    response_model=Definition,
    openapi_extra=body_of(NewAutomation),
)
@needs("processes:design")
@located("definitions/{id}")
async def create_automation(request: Request, tenant: str) -> Response:
    """Begin a draft of an automation."""
    wanted = (await read_body(request, NewAutomation)).model_dump()
    async with acting(request, tenant) as hold:
        return _answer(await hold.definitions.create_automation(wanted.pop("name"), wanted.pop("patch"), **wanted), 201)


@router.get("/definitions/{definition_id}", tags=["definitions"], response_model=Definition)
async def read_definition(request: Request, tenant: str, definition_id: UUID) -> Response:
    """One definition, with its patches."""
    async with acting(request, tenant) as hold:
        return _answer(await hold.definitions.get(definition_id))


@router.put(
    "/definitions/{definition_id}", tags=["definitions"], response_model=Definition, openapi_extra=body_of(DraftChange)
)
@needs("processes:design")
async def update_draft(request: Request, tenant: str, definition_id: UUID) -> Response:
    """Write a draft anew. `If-Match` is needed, so that two editors notice each other."""
    wanted = await read_body(request, DraftChange)
    async with acting(request, tenant) as hold:
        revision = matched_version(request)
        if revision is None:
            revision = (await hold.definitions.get(definition_id)).revision
        return _answer(
            await hold.definitions.update_draft(
                definition_id,
                wanted.patches,
                revision=revision,
                name=wanted.name,
                note=wanted.note,
                client=wanted.client,
            )
        )


@router.delete("/definitions/{definition_id}", status_code=204, tags=["definitions"])
async def delete_draft(request: Request, tenant: str, definition_id: UUID) -> Response:
    """Throw a draft away."""
    async with acting(request, tenant) as hold:
        await hold.definitions.delete_draft(definition_id, revision=matched_version(request))
    return Response(status_code=204)


@router.get("/definitions/{definition_id}/review", tags=["definitions"], response_model=ReviewAnswer)
async def review_draft(request: Request, tenant: str, definition_id: UUID) -> Response:
    """What publishing it would say: every problem at once."""
    async with acting(request, tenant) as hold:
        return _reviewed(await hold.definitions.review(definition_id))


@router.post("/definitions/{definition_id}/propose", tags=["definitions"], response_model=Definition)
async def propose_draft(request: Request, tenant: str, definition_id: UUID) -> Response:
    """Ask for a draft to be published, as it is; where that takes two, by somebody who has not written it."""
    async with acting(request, tenant) as hold:
        return _answer(await hold.definitions.propose(definition_id, revision=matched_version(request)))


@router.post("/definitions/{definition_id}/publish", status_code=201, tags=["definitions"], response_model=Definition)
@located("definitions/{id}")
async def publish_draft(
    request: Request,
    tenant: str,
    definition_id: UUID,
    despite_cases: Annotated[bool, Query(description="publish it although test cases fail")] = False,
) -> Response:
    """Compile a draft and freeze it; the answer is the workflow that new instances follow.

    The test cases of its type are run first: 409 `test_cases_failed` when one fails.
    """
    async with acting(request, tenant) as hold:
        made = await hold.definitions.publish(
            definition_id, revision=matched_version(request), despite_cases=despite_cases
        )
    return _answer(made, 201)


@router.post(
    "/definitions/{definition_id}/rebase",
    status_code=201,
    tags=["definitions"],
    response_model=RebaseAnswer,
    openapi_extra=body_of(RebaseRequest),
)
@needs("processes:design")
@located("definitions/{draft.id}")
async def rebase_definition(request: Request, tenant: str, definition_id: UUID) -> Response:
    """Carry patches to another version of their skeleton, as a new draft."""
    wanted = await read_body(request, RebaseRequest)
    async with acting(request, tenant) as hold:
        done = await hold.definitions.rebase(
            definition_id, to_version=wanted.to_version, revision=matched_version(request)
        )
    told = done.rebase
    conflicts = [conflict.to_json() for conflict in told.conflicts]
    answer = {"draft": done.draft, "carried": told.carried, "conflicts": conflicts, "notes": told.notes}
    return Exact({**answer, "held_back": done.draft.held_back or {}}, 201, version=done.draft.revision)


@router.get("/definitions/{definition_id}/customisation", tags=["definitions"], response_model=Differences)
async def read_customisation(request: Request, tenant: str, definition_id: UUID) -> Response:
    """What the organisation changed: the definition beside its skeleton alone."""
    async with acting(request, tenant) as hold:
        return _differences(await hold.definitions.customisation(definition_id))


@router.get("/definitions/{definition_id}/compiled", tags=["definitions"])
async def read_compiled(request: Request, tenant: str, definition_id: UUID) -> Response:
    """The compiled workflow: of a published one as it runs, of a draft as it would be."""
    async with acting(request, tenant) as hold:
        compiled = await hold.definitions.compiled(definition_id)
    return Response(compiled.to_json(), media_type="application/json")


@router.get("/definitions/{before}/diff/{after}", tags=["definitions"], response_model=Differences)
async def compare_definitions(request: Request, tenant: str, before: UUID, after: UUID) -> Response:
    """What turns one workflow into another."""
    async with acting(request, tenant) as hold:
        return _differences(await hold.definitions.diff(before, after))


# ---------------------------------------------------------------------------------------------------------- workflows


@router.get("/workflows/{entity_type}", tags=["definitions"], response_model=Definition)
async def read_workflow(request: Request, tenant: str, entity_type: str, version: int | None = None) -> Response:
    """The workflow that new instances follow, or an older version of it."""
    async with acting(request, tenant) as hold:
        return _answer(await hold.definitions.find(entity_type, version))


@router.post(
    "/workflows/{entity_type}/validate",
    tags=["definitions"],
    response_model=ReviewAnswer,
    openapi_extra=body_of(Patches),
)
@needs("processes:read")
@reads
async def validate_patches(request: Request, tenant: str, entity_type: str) -> Response:
    """Check patches without storing them."""
    wanted = await read_body(request, Patches)
    async with acting(request, tenant) as hold:
        return _reviewed(await hold.definitions.validate(entity_type, wanted.patches, base_version=wanted.base_version))


@router.post(
    "/workflows/{entity_type}/rollback",
    status_code=201,
    tags=["definitions"],
    response_model=Definition,
    openapi_extra=body_of(OlderVersion),
)
@needs("processes:publish")
@located("definitions/{id}")
async def roll_back(request: Request, tenant: str, entity_type: str) -> Response:
    """Publish an older version again, as a new one."""
    wanted = await read_body(request, OlderVersion)
    async with acting(request, tenant) as hold:
        return _answer(await hold.definitions.roll_back(entity_type, wanted.version), 201)


@router.post("/workflows/{entity_type}/archive", tags=["definitions"], response_model=Definition | None)
async def archive_workflow(request: Request, tenant: str, entity_type: str) -> Response:
    """Take the organisation's workflow out of use; the answer is the skeleton alone, which is in force again."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.archive(entity_type))


@router.post("/workflows/{entity_type}/recompile", tags=["definitions"], response_model=Definition)
async def recompile_workflow(request: Request, tenant: str, entity_type: str) -> Response:
    """Compile the published workflow again with this version of the compiler."""
    async with acting(request, tenant) as hold:
        return _answer(await hold.definitions.recompile(entity_type))
