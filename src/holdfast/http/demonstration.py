"""Switching between the people of the demo: for whoever sits at the machine on which `holdfast up` runs.

Nowhere else does anybody get a token that acts as another person. So these routes are there only when `holdfast up`
started the server, on a loopback address; and they answer only requests that come from this machine itself: not through
a proxy, not in the name of a page from elsewhere. What they give ends with the token that the caller signed in with.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from pydantic import BaseModel

from holdfast.errors import Forbidden, NotFound
from holdfast.http.acting import signed_in
from holdfast.http.failures import is_forwarded
from holdfast.http.route import GuardedRoute
from holdfast.kernel.actor import Actor
from holdfast.kernel.addresses import is_loopback, split_address
from holdfast.kernel.given import Given

__all__ = ["DemoPerson", "Demonstration", "demo_router"]


class DemoPerson(BaseModel):
    """Somebody of the demo."""

    user: str
    display_name: str
    title: str
    roles: list[str]


class SwitchTo(Given):
    """Whom to be."""

    user: str


class SwitchedTo(BaseModel):
    """A token of that person."""

    user: str
    secret: str


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The demo's tenant, between whom one can switch there, and how: gives the secret of a token."""

    tenant: str
    people: Sequence[DemoPerson]
    switch: Callable[[Actor, str], Awaitable[str]]


def demo_router(demo: Demonstration) -> APIRouter:
    """The routes of a demonstration."""
    router = APIRouter(prefix="/v1/demo", route_class=GuardedRoute, tags=["demo"])

    @router.get("/people")
    async def people(request: Request) -> list[DemoPerson]:
        """Between whom one can switch."""
        await _at_this_machine(request, demo)
        return list(demo.people)

    @router.post("/sign-in")
    async def sign_in(request: Request, wanted: SwitchTo) -> SwitchedTo:
        """Be somebody else, for as long as one's own token counts."""
        actor = await _at_this_machine(request, demo)
        if wanted.user not in {each.user for each in demo.people}:
            raise NotFound(f"there is no {wanted.user!r} in the demo", hint="GET /v1/demo/people lists them")
        return SwitchedTo(user=wanted.user, secret=await demo.switch(actor, wanted.user))

    return router


async def _at_this_machine(request: Request, demo: Demonstration) -> Actor:
    tenant, actor = await signed_in(request)
    if tenant != demo.tenant or not _is_local(request):
        raise Forbidden(
            "people are switched only in the demo, and only at the machine on which it runs",
            hint="open the address that `holdfast up` printed, on that machine",
        )
    return actor


def _is_local(request: Request) -> bool:
    bound: tuple[str, int | None] | None = request.scope.get("server")
    client = request.client
    named = split_address(f"//{request.headers.get('host', '')}")
    return (
        bound is not None
        and is_loopback(bound[0])
        and client is not None
        and is_loopback(client.host)
        and not is_forwarded(request.headers)
        # A page from elsewhere whose name was made to lead here still says its own name.
        and named is not None
        and is_loopback(named.hostname or "")
        and _is_own_page(request.headers)
    )


def _is_own_page(headers: Mapping[str, str]) -> bool:
    origin = headers.get("origin")
    if origin is None:
        return True
    parts = split_address(origin)
    return parts is not None and parts.netloc == headers.get("host")
