"""Templates over HTTP: the library of definitions to begin with, and drafts made from them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from holdfast.http.access import Body
from holdfast.http.acting import acting
from holdfast.http.bodies import body_of, read_body
from holdfast.http.conventions import located
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute, needs
from holdfast.processes.definitions import Definition
from holdfast.processes.definitions.templates import TemplateInfo, list_templates, template_detail

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["templates"], route_class=GuardedRoute)


class TemplateOut(BaseModel):
    """All of a template: its contract, what it puts into the slots, its cases, the workflow they compile to."""

    info: TemplateInfo
    contract: dict[str, Any]
    patches: dict[str, Any]
    cases: list[dict[str, Any]]
    compiled: dict[str, Any] = Field(
        description="as `GET …/definitions/{id}/compiled` tells it: a picture can be drawn"
    )


class FromTemplate(Body):
    """What to make of a template."""

    entity_type: str | None = Field(None, description="the document type it is for; by default the template's own")
    name: str | None = None
    cases: bool = Field(True, description="whether its test cases are kept with it")


@router.get("/templates", response_model=list[TemplateInfo])
async def list_all_templates(request: Request, tenant: str) -> Response:
    """The templates of the library."""
    async with acting(request, tenant) as hold:
        hold.require("processes:read")
    return Exact(list_templates())


@router.get("/templates/{name}", response_model=TemplateOut)
async def read_one_template(request: Request, tenant: str, name: str) -> Response:
    """One template, whole."""
    async with acting(request, tenant) as hold:
        hold.require("processes:read")
    return Exact(template_detail(name))


@router.post(
    "/templates/{name}/instantiate", status_code=201, response_model=Definition, openapi_extra=body_of(FromTemplate)
)
@needs("processes:design")
@located("definitions/{id}")
async def instantiate_template(request: Request, tenant: str, name: str) -> Response:
    """Begin a draft from a template, with its test cases; a document type that is not there is registered."""
    wanted = await read_body(request, FromTemplate)
    async with acting(request, tenant) as hold:
        made = await hold.definitions.instantiate(
            name, entity_type=wanted.entity_type, name=wanted.name, cases=wanted.cases
        )
    return Exact(made, 201, version=made.revision)
