"""What an editor asks for beside definitions: the palette, the canvas, who edits, upgrades, what names a thing."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from holdfast.documents.usage import Usable, Use
from holdfast.envelope.diff import SlotDiff
from holdfast.envelope.skeleton import Skeleton
from holdfast.http.access import Body
from holdfast.http.acting import acting, application
from holdfast.http.bodies import body_of, read_body
from holdfast.http.conventions import reads
from holdfast.http.exact import Exact, matched_version
from holdfast.http.route import GuardedRoute, needs
from holdfast.processes.definitions import Definition
from holdfast.processes.definitions.canvas import Canvas
from holdfast.processes.definitions.editors import DraftEditor
from holdfast.processes.definitions.figures import MOST_COUNTED, WorkflowFigures, WorkflowOverview
from holdfast.processes.definitions.palette import Palette, PaletteEntry, build_palette, node_type_entry
from holdfast.processes.definitions.upgrades import SlotUpgrade, Upgrade

__all__ = ["Differences", "router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["definitions"], route_class=GuardedRoute)


class Differences(BaseModel):
    """Differences between two workflows, by slot, and as text."""

    before: str
    after: str
    slots: list[SlotDiff]
    text: str


class PatchesToDraw(Body):
    """Patches to draw without storing them."""

    patches: dict[str, Any]
    base_version: int | None = Field(None, ge=1)


class Editing(Body):
    """Who begins to edit, or goes on: the window or program, by any name that stays the same."""

    client: str = Field(min_length=1, max_length=100)
    take_over: bool = Field(False, description="whether to take over from somebody else who edits it")


class UpgradeOut(BaseModel):
    """What carrying patches to another version of their skeleton would mean, slot by slot."""

    entity_type: str
    from_version: int
    to_version: int
    clean: bool
    slots: list[SlotUpgrade]
    skeleton: Differences = Field(description="what the vendor changed")
    notes: list[str]


class Resolution(Body):
    """What to do about a slot that a rebase held back."""

    take: Literal["theirs", "yours", "new"]
    patch: dict[str, Any] | None = Field(None, description="for `new`")
    into: str | None = Field(None, description="another slot to put it into")
    client: str | None = Field(None, max_length=100, description="the editor's window, as with `editing`")


@router.get("/contracts/{entity_type}/skeleton", tags=["contracts"], response_model=Skeleton)
async def read_skeleton(request: Request, tenant: str, entity_type: str, version: int | None = None) -> Response:
    """The skeleton of a contract, or of an automation: its nodes, edges and slots; the newest without a version."""
    async with acting(request, tenant) as hold:
        return Exact((await hold.definitions.skeleton(entity_type, version)).model_dump())


@router.get("/node-types", response_model=list[PaletteEntry])
async def list_node_types(request: Request, tenant: str) -> Response:
    """The node types that patches may use, with the forms of their configurations."""
    async with acting(request, tenant) as hold:
        hold.require("processes:read")
    types = application(request).assembly.nodes.types
    return Exact([node_type_entry(each) for each in types.values() if each.placement == "slot"])


@router.get("/palette", response_model=Palette)
async def read_palette(request: Request, tenant: str) -> Response:
    """Everything that can be put into a slot, in groups: node types, and each action as a step."""
    async with acting(request, tenant) as hold:
        hold.require("processes:read")
    app = application(request)
    return Exact(build_palette(app.assembly.nodes.types, app.actions))


@router.get("/definitions/{definition_id}/canvas", response_model=Canvas)
async def read_canvas(request: Request, tenant: str, definition_id: UUID) -> Response:
    """Hints for a canvas that shows a draft, whether or not it compiles."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.canvas(definition_id))


@router.post("/workflows/{entity_type}/canvas", response_model=Canvas, openapi_extra=body_of(PatchesToDraw))
@needs("processes:read")
@reads
async def draw_patches(request: Request, tenant: str, entity_type: str) -> Response:
    """The same for patches that are not stored."""
    wanted = await read_body(request, PatchesToDraw)
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.canvas_of(entity_type, wanted.patches, base_version=wanted.base_version))


@router.get("/workflows", response_model=list[WorkflowOverview])
async def list_workflows(
    request: Request,
    tenant: str,
    automation: Annotated[bool | None, Query(description="only automations, or only document types")] = None,
) -> Response:
    """Every document type and automation: what is in force, what is drafted, and what is to be done."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.overview(automation=automation))


@router.get("/workflows/{entity_type}/figures", response_model=WorkflowFigures)
async def read_figures(
    request: Request,
    tenant: str,
    entity_type: str,
    days: Annotated[int, Query(ge=1, le=366, description="processes that began within so many days")] = 30,
    most: Annotated[int, Query(ge=1, le=MOST_COUNTED, description="how many processes, from the latest on")] = 1000,
) -> Response:
    """How the latest processes of a type went through its nodes: how often, how long, and where they stand."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.figures(entity_type, days=days, most=most))


# --------------------------------------------------------------------------------------------------------- who edits


@router.get("/definitions/{draft_id}/editing", response_model=DraftEditor | None)
async def read_editor(
    request: Request,
    tenant: str,
    draft_id: UUID,
    client: Annotated[
        str | None, Query(max_length=100, description="your window, to be told whether it is you")
    ] = None,
) -> Response:
    """Who edits a draft just now; null: nobody."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.editors.current(draft_id, client=client))


@router.put("/definitions/{draft_id}/editing", response_model=DraftEditor)
@needs("processes:design")
async def edit_draft(request: Request, tenant: str, draft_id: UUID, body: Editing) -> DraftEditor:
    """Begin to edit a draft, or go on, at least once a minute. 409 `draft_in_use` while somebody else does."""
    async with acting(request, tenant) as hold:
        return await hold.definitions.editors.edit(draft_id, body.client, take_over=body.take_over)


@router.delete("/definitions/{draft_id}/editing", status_code=204)
@needs("processes:design")
async def leave_draft(
    request: Request, tenant: str, draft_id: UUID, client: Annotated[str, Query(max_length=100)]
) -> Response:
    """Stop editing."""
    async with acting(request, tenant) as hold:
        await hold.definitions.editors.leave(draft_id, client)
    return Response(status_code=204)


# ---------------------------------------------------------------------------------------------- diffs and upgrades


@router.get("/definitions/{definition_id}/changes", response_model=Differences)
async def read_changes(request: Request, tenant: str, definition_id: UUID) -> Response:
    """What publishing a draft would change: the workflow in force beside the draft."""
    async with acting(request, tenant) as hold:
        found = await hold.definitions.changes(definition_id)
    return Exact({**found.to_json(), "text": found.to_text()})


@router.get("/workflows/{entity_type}/diff", response_model=Differences)
async def compare_versions(request: Request, tenant: str, entity_type: str, before: int, after: int) -> Response:
    """What turns one published version into another."""
    async with acting(request, tenant) as hold:
        one = await hold.definitions.find(entity_type, before)
        other = await hold.definitions.find(entity_type, after)
        found = await hold.definitions.diff(one.id, other.id)
    return Exact({**found.to_json(), "text": found.to_text()})


@router.get("/definitions/{definition_id}/upgrade", response_model=UpgradeOut)
async def look_at_upgrade(
    request: Request, tenant: str, definition_id: UUID, to_version: int | None = None
) -> Response:
    """What carrying patches to the newest skeleton, or another, would mean. Changes nothing."""
    async with acting(request, tenant) as hold:
        return Exact(_upgrade(await hold.definitions.upgrade(definition_id, to_version=to_version)))


@router.post(
    "/definitions/{definition_id}/held-back/{slot}/resolve",
    response_model=Definition,
    openapi_extra=body_of(Resolution),
)
@needs("processes:design")
async def resolve_slot(request: Request, tenant: str, definition_id: UUID, slot: str) -> Response:
    """Decide about a slot that a rebase held back: leave it as the vendor has it, put yours in, or something new."""
    wanted = await read_body(request, Resolution)
    async with acting(request, tenant) as hold:
        revision = matched_version(request)
        if revision is None:
            revision = (await hold.definitions.get(definition_id)).revision
        made = await hold.definitions.resolve(
            definition_id,
            slot,
            wanted.take,
            revision=revision,
            patch=wanted.patch,
            into=wanted.into,
            client=wanted.client,
        )
    return Exact(made, version=made.revision)


def _upgrade(found: Upgrade) -> dict[str, Any]:
    return {
        "entity_type": found.entity_type,
        "from_version": found.from_version,
        "to_version": found.to_version,
        "clean": found.clean,
        "slots": [
            {
                "slot": each.slot,
                "state": each.state,
                "theirs_before": each.theirs_before and each.theirs_before.model_dump(),
                "theirs_after": each.theirs_after and each.theirs_after.model_dump(),
                "yours": each.yours,
                "conflict": each.conflict,
            }
            for each in found.slots
        ],
        "skeleton": {**found.skeleton.to_json(), "text": found.skeleton.to_text()},
        "notes": found.notes,
    }


# -------------------------------------------------------------------------------------------------------------- uses


@router.get("/used-by", response_model=list[Use])
async def list_uses(request: Request, tenant: str, kind: Usable, name: str) -> Response:
    """The steps that name a chain, a rule, a secret, an action, a role, a person …: what would break without it."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.uses(kind, name))
