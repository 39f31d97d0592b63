"""From a request to a `Hold`: who calls, and in which tenant.

Every route under `/v1` is a `GuardedRoute`, which signs in before anything of the body is read. Routes open the
transaction themselves (`async with acting(...)`), not through a dependency: it must be committed before the response is
sent, and FastAPI ends dependencies after it.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from fastapi import Request

from holdfast.access.tokens import claimed_tenant, tenant_of
from holdfast.app import Hold, Holdfast
from holdfast.errors import NotSignedIn, TenantNotFound
from holdfast.http.failures import origin
from holdfast.kernel.actor import Actor
from holdfast.postgres.shares import CALLER, Caller

__all__ = ["acting", "application", "in_tenant", "sharing", "signed_in", "still_in_tenant"]

_TRUST_SECONDS = 1.0
"""How long a token that was found valid counts as such while its request is being read."""


@dataclass(frozen=True, slots=True)
class _SignedIn:
    tenant: str
    actor: Actor
    at: float
    credential: tuple[UUID, UUID] | None
    """Tenant and token, for what stays open and has to end with them."""


def application(request: Request) -> Holdfast:
    """The application this server serves."""
    return cast("Holdfast", request.app.state.holdfast)


async def signed_in(request: Request) -> tuple[str, Actor]:
    """The tenant and actor of the request's bearer token. A body that came slowly has it looked at again."""
    known: _SignedIn | None = request.scope.get("holdfast.signed_in")
    if known is not None and time.monotonic() - known.at < _TRUST_SECONDS:
        return known.tenant, known.actor
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret:
        raise NotSignedIn(
            "this request carries no API token",
            hint="send `Authorization: Bearer holdfast_…`; `holdfast tokens add` makes one",
        )
    tenant, actor = await _authenticated(request, secret.strip())
    credential = None if actor.token is None else (tenant_of(secret.strip()), actor.token.id)
    request.scope["holdfast.signed_in"] = _SignedIn(tenant, actor, time.monotonic(), credential)
    if known is None:
        # From here on, what is done is done for them: they share the connections with others.
        CALLER.set(Caller(tenant, hash(secret)))
    return tenant, actor


async def _authenticated(request: Request, secret: str) -> tuple[str, Actor]:
    """Whose token it is; who offers too many wrong ones is not listened to for a while."""
    app, failures = application(request), request.app.state.failed_sign_ins
    address, claimed = origin(request.scope.get("client")), claimed_tenant(secret)
    failures.check(address, claimed, secret)
    try:
        found = await app.authenticate(secret)
    except NotSignedIn:
        count = failures.failed(address, claimed, secret)
        if count is not None and claimed is not None:
            await app.record_failed_sign_ins(claimed, count, address)
        raise
    failures.succeeded(secret)
    return found


async def in_tenant(request: Request, tenant: str) -> Actor:
    """The caller, in the path's tenant. Another tenant's token finds nothing: 404, never 403."""
    own, actor = await signed_in(request)
    if own != tenant:
        raise TenantNotFound(f"there is no tenant {tenant!r}", tenant=tenant)
    return actor


async def still_in_tenant(request: Request, tenant: str) -> Actor:
    """The same for a request that goes on for long: who the caller is now, whatever was found before."""
    request.scope.pop("holdfast.signed_in", None)
    return await in_tenant(request, tenant)


@asynccontextmanager
async def acting(request: Request, tenant: str) -> AsyncIterator[Hold]:
    """A transaction of the path's tenant as the caller; that of the request, where all of it is to be done in one."""
    shared: Hold | None = request.scope.get("holdfast.hold")
    if shared is not None:
        yield shared
        return
    actor = await in_tenant(request, tenant)
    async with application(request).tenant(tenant, actor=actor) as hold:
        yield hold


@contextmanager
def sharing(request: Request, hold: Hold) -> Iterator[None]:
    """Let `acting` give this transaction for the rest of a request."""
    request.scope["holdfast.hold"] = hold
    try:
        yield
    finally:
        del request.scope["holdfast.hold"]
