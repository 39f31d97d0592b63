"""From a request to a `Hold`: who calls, and in which tenant.

Routes open the transaction themselves (`async with acting(...)`), not through a dependency: it must be committed before
the response is sent, and FastAPI ends dependencies after it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from fastapi import Request

from holdfast.app import Hold, Holdfast
from holdfast.errors import NotSignedIn, TenantNotFound
from holdfast.kernel.actor import Actor

__all__ = ["acting", "application", "signed_in"]


def application(request: Request) -> Holdfast:
    """The application this server serves."""
    return cast("Holdfast", request.app.state.holdfast)


async def signed_in(request: Request) -> tuple[str, Actor]:
    """The tenant and actor of the request's bearer token."""
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret:
        raise NotSignedIn(
            "this request carries no API token",
            hint="send `Authorization: Bearer hf_…`; `holdfast tokens add` makes one",
        )
    return await application(request).authenticate(secret.strip())


@asynccontextmanager
async def acting(request: Request, tenant: str) -> AsyncIterator[Hold]:
    """A transaction of the path's tenant as the caller. Another tenant's token finds nothing: 404, never 403."""
    own, actor = await signed_in(request)
    if own != tenant:
        raise TenantNotFound(f"there is no tenant {tenant!r}", tenant=tenant)
    async with application(request).tenant(tenant, actor=actor) as hold:
        yield hold
