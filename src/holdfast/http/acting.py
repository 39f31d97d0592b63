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
from typing import Literal, cast
from uuid import UUID

from fastapi import Request

from holdfast.access.tokens import claimed_tenant, tenant_of
from holdfast.app import Hold, Holdfast
from holdfast.errors import NotSignedIn, SignInLimited, TenantNotFound
from holdfast.http.cookies import check_own_page, secret_in
from holdfast.http.failures import origin
from holdfast.http.oidc import looks_like_jwt
from holdfast.http.rates import Rates
from holdfast.kernel.actor import Actor
from holdfast.postgres.shares import CALLER, Caller

__all__ = ["acting", "application", "in_tenant", "sharing", "signed_in", "signed_in_browser", "still_in_tenant"]

_TRUST_SECONDS = 1.0
"""How long a token that was found valid counts as such while its request is being read."""


@dataclass(frozen=True, slots=True)
class _SignedIn:
    tenant: str
    actor: Actor
    at: float
    credential: tuple[UUID, UUID] | None
    """Tenant and token, for what stays open and has to end with them."""
    expires: float | None = None
    """When it ends by itself, where no token of ours does."""


def application(request: Request) -> Holdfast:
    """The application this server serves."""
    return cast("Holdfast", request.app.state.holdfast)


async def signed_in(request: Request) -> tuple[str, Actor]:
    """The tenant and actor of the request's credential. A body that came slowly has it looked at again.

    A bearer token, ours or the OpenID provider's; or what a signed-in browser keeps, if the request comes from our own
    pages.
    """
    known: _SignedIn | None = request.scope.get("holdfast.signed_in")
    if known is not None and time.monotonic() - known.at < _TRUST_SECONDS:
        return known.tenant, known.actor
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    secret = secret.strip()
    kind: Literal["api", "browser"] = "api"
    if not scheme and (kept := secret_in(request)) is not None:
        check_own_page(request)
        secret, kind = kept, "browser"
    elif scheme.lower() != "bearer" or not secret:
        raise NotSignedIn(
            "this request carries no API token",
            hint="send `Authorization: Bearer holdfast_…`; `holdfast tokens add` makes one",
        )
    rates: Rates = request.app.state.rates
    if known is None:
        rates.take("token", secret)
    found = await _authenticated(request, secret, kind)
    request.scope["holdfast.signed_in"] = found
    if known is None:
        rates.take("tenant", found.tenant)
        # From here on, what is done is done for them: they share the connections with others.
        CALLER.set(Caller(found.tenant, hash(secret)))
    return found.tenant, found.actor


async def signed_in_browser(request: Request) -> tuple[str, Actor] | None:
    """The tenant and actor of a signed-in browser; None for any other."""
    secret = secret_in(request)
    if secret is None:
        return None
    try:
        found = await _authenticated(request, secret, "browser")
    except (NotSignedIn, SignInLimited):
        return None
    return found.tenant, found.actor


async def _authenticated(request: Request, secret: str, kind: Literal["api", "browser"]) -> _SignedIn:
    """Whose it is; who offers too many wrong ones is not listened to for a while."""
    app, failures = application(request), request.app.state.failed_sign_ins
    address, claimed = origin(request.scope.get("client")), claimed_tenant(secret)
    failures.check(address, claimed, secret)
    bearers = request.app.state.openid_bearers
    try:
        if kind == "api" and bearers is not None and looks_like_jwt(secret):
            tenant, actor, expires = await bearers.authenticate(secret)
            found = _SignedIn(tenant, actor, time.monotonic(), None, expires)
        else:
            tenant, actor = await app.authenticate(secret, kind)
            credential = None if actor.token is None else (tenant_of(secret), actor.token.id)
            found = _SignedIn(tenant, actor, time.monotonic(), credential)
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
