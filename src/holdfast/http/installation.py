"""The installation over HTTP, for its operator: tenants, workers, health of all, the registry of sessions.

The operator is nobody of any tenant, and their token, made on the command line, opens these routes and no others. None
of the answers holds a tenant's content.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from holdfast.http.access import Body, Limit
from holdfast.http.acting import application
from holdfast.http.exact import Exact
from holdfast.http.operator import OperatorRoute, operator
from holdfast.kernel.actor import Actor
from holdfast.kernel.json import dump
from holdfast.kernel.names import SLUG_PATTERN
from holdfast.kernel.page import Page
from holdfast.operate.installation import InstalledTenant, InstalledWorker, TenantHealth
from holdfast.sessions import SessionDefinition
from holdfast.sessions.definitions import SCHEMA
from holdfast.sessions.model import DefinitionVersion

__all__ = ["router"]

router = APIRouter(prefix="/v1/installation", tags=["installation"], route_class=OperatorRoute)


def _described(schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}}


class NewTenant(Body):
    """A tenant to add."""

    slug: str = Field(json_schema_extra={"pattern": SLUG_PATTERN})
    name: str | None = None


class Deprecation(Body):
    """Why a definition is not recommended any more."""

    reason: str | None = None


@router.get("/tenants")
async def list_installed_tenants(request: Request) -> list[InstalledTenant]:
    """Every tenant by slug."""
    return await application(request).installation.tenants()


@router.post("/tenants", status_code=201)
async def create_tenant(request: Request, response: Response, wanted: NewTenant) -> InstalledTenant:
    """Add a tenant. Its first administrator is made on the command line."""
    who = Actor.system(f"installation.{operator(request)}")
    made = await application(request).installation.create_tenant(wanted.slug, name=wanted.name, actor=who)
    response.headers["Location"] = f"/v1/{made.slug}"
    return made


@router.get("/workers")
async def list_installed_workers(request: Request) -> list[InstalledWorker]:
    """Who works, on which types, and when they were last heard of."""
    return await application(request).installation.workers()


@router.get("/health")
async def read_installation_health(
    request: Request, limit: Limit = 50, cursor: str | None = None
) -> Page[TenantHealth]:
    """How the queues of every tenant stand: counts and ages."""
    return await application(request).installation.health(limit=limit, cursor=cursor)


@router.get("/session-definitions", response_model=list[SessionDefinition])
async def list_registered(request: Request, tag: Annotated[str | None, Query(max_length=63)] = None) -> Exact:
    """The registry of graphs that sessions are started of, for all tenants."""
    return Exact(await application(request).session_definitions.list(tag=tag))


@router.post(
    "/session-definitions",
    status_code=201,
    response_model=SessionDefinition,
    openapi_extra=_described(SCHEMA),
)
async def register_definition(request: Request, wanted: dict[str, Any]) -> Response:
    """Register a definition. 400 names the member that is wrong; a name that is taken is 409."""
    made = await application(request).session_definitions.register(wanted)
    where = {"Location": f"/v1/installation/session-definitions/{made.name}"}
    return Response(dump(made), 201, where, media_type="application/json")


@router.get("/session-definitions/{name}", response_model=SessionDefinition)
async def read_registered(request: Request, name: str) -> Exact:
    """One definition."""
    return Exact(await application(request).session_definitions.get(name))


@router.put(
    "/session-definitions/{name}",
    response_model=SessionDefinition,
    openapi_extra=_described(SCHEMA | {"required": [each for each in SCHEMA["required"] if each != "name"]}),
)
async def update_definition(request: Request, name: str, wanted: dict[str, Any]) -> Exact:
    """Give a definition another content, as a new revision. Sessions stay with the one they were started of."""
    registry = application(request).session_definitions
    await registry.get(name)
    return Exact(await registry.register({**wanted, "name": name}, replace=True))


@router.delete("/session-definitions/{name}", status_code=204)
async def delete_definition(request: Request, name: str) -> None:
    """Remove a definition; 409 while sessions of it are active."""
    await application(request).session_definitions.delete(name)


@router.get("/session-definitions/{name}/versions", response_model=list[DefinitionVersion])
async def list_definition_versions(request: Request, name: str) -> Exact:
    """Every revision there ever was."""
    return Exact(await application(request).session_definitions.versions(name))


@router.post("/session-definitions/{name}/deprecate", response_model=SessionDefinition)
async def deprecate_definition(request: Request, name: str, why: Deprecation | None = None) -> Exact:
    """Mark a definition as not recommended; sessions can still be started of it."""
    return Exact(await application(request).session_definitions.deprecate(name, why.reason if why else None))


@router.post("/session-definitions/{name}/activate", response_model=SessionDefinition)
async def activate_definition(request: Request, name: str) -> Exact:
    """Recommend it again."""
    return Exact(await application(request).session_definitions.activate(name))
