"""Effects over HTTP: what was sent, what was not, and sending it again; the secrets that sign webhooks."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import SecretStr

from holdfast.effects import EffectInfo, SecretInfo
from holdfast.http.access import Anyway, Body, Limit, SkipRequest
from holdfast.http.acting import acting
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute, needs
from holdfast.kernel.page import Page

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["effects"], route_class=GuardedRoute)


class SecretBody(Body):
    """A secret to keep. No answer ever holds it."""

    secret: SecretStr
    hosts: list[str]


@router.get("/effects", response_model=Page[EffectInfo])
async def list_effects(
    request: Request,
    tenant: str,
    status: Literal["pending", "processing", "completed", "failed", "dead_letter", "cancelled"] | None = None,
    kind: str | None = None,
    instance_id: UUID | None = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Exact:
    """Effects, newest first; of one status, one kind or one instance."""
    async with acting(request, tenant) as hold:
        return Exact(
            await hold.effects.list(status=status, kind=kind, instance_id=instance_id, limit=limit, cursor=cursor)
        )


@router.get("/effects/{effect_id}", response_model=EffectInfo)
async def get_effect(request: Request, tenant: str, effect_id: UUID) -> Exact:
    """One effect, with the evidence of its last attempt."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.effects.get(effect_id))


@router.post("/effects/{effect_id}/replay", response_model=EffectInfo)
async def replay_effect(request: Request, tenant: str, effect_id: UUID) -> Exact:
    """Give a dead letter as many attempts again as it had."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.effects.replay(effect_id))


@router.post("/effects/{effect_id}/skip", response_model=EffectInfo)
@needs("effects:operate")
async def skip_effect(request: Request, tenant: str, effect_id: UUID, wanted: SkipRequest) -> Exact:
    """Give up a dead letter: it is cancelled, and counts no longer."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.effects.skip(effect_id, reason=wanted.reason))


@router.get("/secrets")
async def list_secrets(request: Request, tenant: str) -> list[SecretInfo]:
    """The names of the secrets that webhooks are signed with, and the hosts they are for."""
    async with acting(request, tenant) as hold:
        return list(await hold.secrets.list())


@router.put("/secrets/{name}", status_code=204)
@needs("secrets:write")
async def set_secret(request: Request, tenant: str, name: str, body: SecretBody) -> None:
    """Keep a secret for some hosts, or replace it."""
    async with acting(request, tenant) as hold:
        await hold.secrets.set(name, body.secret.get_secret_value(), hosts=body.hosts)


@router.delete("/secrets/{name}", status_code=204)
async def delete_secret(request: Request, tenant: str, name: str, anyway: Anyway = False) -> None:
    """Forget a secret. 409 `still_used` while steps in force name it."""
    async with acting(request, tenant) as hold:
        await hold.secrets.delete(name, anyway=anyway)
