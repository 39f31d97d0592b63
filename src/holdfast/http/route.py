"""The route that everything under `/v1` is: first who asks, then whether they may, and only then what they send.

Nothing of a body is read, and no connection kept, for somebody who is not signed in, is of another tenant, or lacks the
permission that the route `needs`. What holds for all routes is held here too (`conventions`).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, ClassVar, TypeVar

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from holdfast.errors import HoldfastError
from holdfast.http.acting import in_tenant, signed_in
from holdfast.http.bodies import GuardedRequest
from holdfast.http.conventions import Conventions
from holdfast.http.once import answered_once
from holdfast.kernel.actor import PERMISSIONS
from holdfast.kernel.traces import within_request

__all__ = ["ExactRoute", "GuardedRoute", "moves_processes", "needs"]

E = TypeVar("E", bound=Callable[..., Any])


def needs(permission: str) -> Callable[[E], E]:
    """The permission without which a route's body is not even read. What it does asks for its own all the same."""
    assert permission in PERMISSIONS, permission

    def marked(endpoint: E) -> E:
        endpoint.needs = permission  # type: ignore[attr-defined]  # functions take attributes
        return endpoint

    return marked


def moves_processes(endpoint: E) -> E:
    """Marks a route that decides, advances or cancels: it counts against the limit of those."""
    endpoint.moves_processes = True  # type: ignore[attr-defined]  # functions take attributes
    return endpoint


class GuardedRoute(APIRoute):
    """A route for those who are signed in."""

    exact: ClassVar[bool] = False

    def __init__(self, path: str, endpoint: Callable[..., Any], **given: Any) -> None:
        super().__init__(path, endpoint, **given)
        self.openapi_extra = Conventions.of(self).described(self.openapi_extra)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        permission: str | None = getattr(self.endpoint, "needs", None)
        moves: bool = getattr(self.endpoint, "moves_processes", False)
        held = Conventions.of(self)
        name = f"{' '.join(sorted(self.methods or ()))} {self.path_format}"

        async def located(asked: Request) -> Response:
            answer = await handle(asked)
            held.locate(asked, answer)
            return answer

        async def guarded(request: Request) -> Response:
            with within_request(name, request.headers.get("traceparent")) as span:
                answer = await within(request)
                if span is not None:
                    span.set_attributes({"http.request.method": request.method, "http.route": self.path_format})
                    span.set_attribute("http.response.status_code", answer.status_code)
                return answer

        async def within(request: Request) -> Response:
            asked = GuardedRequest(request.scope, request.receive, exact=self.exact)
            await self.admit(asked, permission, moves=moves)
            try:
                key = held.check(asked)
                answer = await (located(asked) if key is None else answered_once(asked, key, name, located))
            except (RequestValidationError, HTTPException, HoldfastError):
                asked.refused()
                raise
            else:
                return answer
            finally:
                asked.release()

        return guarded

    async def admit(self, request: GuardedRequest, permission: str | None, *, moves: bool = False) -> None:
        """Raise unless whoever asks may."""
        tenant = request.path_params.get("tenant")
        actor = (await signed_in(request))[1] if tenant is None else await in_tenant(request, tenant)
        if permission is not None:
            actor.require(permission)
        if moves and tenant is not None:
            request.app.state.moves.take(tenant, str(actor))


class ExactRoute(GuardedRoute):
    """One whose body is read exactly: numbers with a fraction are decimals."""

    exact = True
