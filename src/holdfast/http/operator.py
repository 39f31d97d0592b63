"""Signing in as the installation's operator: a token of their own, and routes that take no other."""

from __future__ import annotations

from fastapi import Request

from holdfast.errors import NotSignedIn
from holdfast.http.acting import application
from holdfast.http.bodies import GuardedRequest
from holdfast.http.failures import origin
from holdfast.http.route import GuardedRoute

__all__ = ["OperatorRoute", "operator"]

_CLAIM = "installation"


def operator(request: Request) -> str:
    """The name of who operates the installation with this request."""
    name: str = request.scope["holdfast.operator"]
    return name


class OperatorRoute(GuardedRoute):
    """A route for the operator of the installation, who is signed in before anything of the body is read."""

    async def admit(self, request: GuardedRequest, permission: str | None, *, moves: bool = False) -> None:
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not secret:
            raise NotSignedIn(
                "this request carries no token of the installation's operator",
                hint="send `Authorization: Bearer holdfast_…`; `holdfast installation add-token` makes one",
            )
        app, failures = application(request), request.app.state.failed_sign_ins
        address, given = origin(request.scope.get("client")), secret.strip()
        failures.check(address, _CLAIM, given)
        try:
            request.scope["holdfast.operator"] = await app.installation_operator(given)
        except NotSignedIn:
            failures.failed(address, _CLAIM, given)
            raise
        failures.succeeded(given)
