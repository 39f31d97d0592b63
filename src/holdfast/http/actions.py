"""Actions over HTTP: which there are, what they take, and calling them, once an `Idempotency-Key`."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Request, Response
from fastapi import Body as JsonBody
from pydantic import BaseModel

from holdfast.actions import Action, Suggestion
from holdfast.http.acting import acting, application
from holdfast.http.exact import Exact
from holdfast.http.route import ExactRoute, needs

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["actions"], route_class=ExactRoute)


class ActionOut(BaseModel):
    """An action: what it is called, what it needs, what it takes and gives, as JSON Schemas with hints for forms."""

    name: str
    label: str
    description: str
    group: str
    permission: str
    side_effect: bool
    input: dict[str, Any]
    output: dict[str, Any]


@router.get("/actions", response_model=list[ActionOut])
async def list_actions(request: Request, tenant: str) -> Exact:
    """Every action, by name."""
    async with acting(request, tenant) as hold:
        hold.require("actions:call")
    return Exact([_shown(action) for action in application(request).actions])


@router.get("/actions/{name}", response_model=ActionOut)
async def show_action(request: Request, tenant: str, name: str) -> Exact:
    """One action."""
    async with acting(request, tenant) as hold:
        hold.require("actions:call")
    return Exact(_shown(application(request).actions.find(name)))


@router.post("/actions/{name}", response_model=dict[str, Any])
@needs("actions:call")
async def call_action(
    request: Request,
    tenant: str,
    name: str,
    given: Annotated[dict[str, Any], JsonBody(description="the action's input")],
    idempotency_key: Annotated[str | None, Header(description="the same key and input: the same answer")] = None,
) -> Response:
    """Call an action. `Idempotent-Replayed: true` says that the answer is that of an earlier call."""
    async with acting(request, tenant) as hold:
        answer = await hold.actions.answer(name, given, key=idempotency_key)
    return Exact(answer.output, headers={"Idempotent-Replayed": "true"} if answer.repeated else None)


@router.get("/suggestions/{source}")
async def list_suggestions(
    request: Request, tenant: str, source: str, namespace: str | None = None, prefix: str = ""
) -> list[Suggestion]:
    """Values that a field offers: curated ones, and those in use. Any other is welcome too."""
    async with acting(request, tenant) as hold:
        return await hold.actions.suggestions(source, namespace=namespace, prefix=prefix)


def _shown(action: Action) -> ActionOut:
    return ActionOut(
        name=action.name,
        label=action.label,
        description=action.description,
        group=action.group,
        permission=action.permission,
        side_effect=action.side_effect,
        input=action.input.schema,
        output=action.output.schema,
    )
