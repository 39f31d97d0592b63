"""The cookies of signed-in browsers, and whether a request that brings one comes from our own pages.

The sign-in's secret is in a cookie that scripts cannot read (HttpOnly) and that browsers send along with requests of
our own pages only (SameSite=Strict). Browsers say besides where a request comes from: one that changes something must
come from us, or it is refused (`Sec-Fetch-Site`, and `Origin` for those that do not have it).
"""

from __future__ import annotations

import json
from typing import Any, Final

from fastapi import Request, Response

from holdfast.errors import Forbidden
from holdfast.kernel.addresses import split_address

__all__ = ["FLOW_SECONDS", "check_own_page", "forget", "keep_flow", "keep_secret", "read_flow", "secret_in"]

FLOW_SECONDS: Final = 600
"""How long somebody may take at the OpenID provider."""
_LONGEST_FLOW: Final = 2000
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def secret_in(request: Request) -> str | None:
    """The secret of a signed-in browser, if the request brings one."""
    return request.cookies.get(_name(request, "sign_in"))


def keep_secret(request: Request, response: Response, secret: str, seconds: float) -> None:
    """Let the browser keep a sign-in's secret."""
    _set(request, response, "sign_in", secret, int(seconds), "strict")


def forget(request: Request, response: Response) -> None:
    """Let the browser forget it."""
    _set(request, response, "sign_in", "", 0, "strict")


def keep_flow(request: Request, response: Response, flow: dict[str, str]) -> None:
    """Let the browser keep what it needs when it comes back from the provider: we keep nothing for strangers."""
    # Lax: it comes back from another site.
    _set(request, response, "flow", json.dumps(flow), FLOW_SECONDS, "lax")


def read_flow(request: Request, response: Response) -> dict[str, str]:
    """What was kept, once."""
    text = request.cookies.get(_name(request, "flow"), "")[:_LONGEST_FLOW]
    _set(request, response, "flow", "", 0, "lax")
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else {}


def check_own_page(request: Request) -> None:
    """Refuse a change that another site's page made a signed-in browser ask for."""
    if request.method in _SAFE:
        return
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    own = site == "same-origin" if site is not None else origin is not None and _is_own(request, origin)
    if not own:
        raise Forbidden(
            "this request does not come from a page of this server",
            hint="programs sign in with an API token, not with a cookie",
        )


def _is_own(request: Request, origin: str) -> bool:
    public: str | None = request.app.state.holdfast.settings.public_url
    parts = split_address(origin)
    return origin == public or (parts is not None and parts.netloc == request.headers.get("host"))


def _is_secure(request: Request) -> bool:
    public: str | None = request.app.state.holdfast.settings.public_url
    return request.url.scheme == "https" or (public is not None and public.startswith("https://"))


def _name(request: Request, what: str) -> str:
    # A name that no page of a neighbouring host can set.
    return f"__Host-holdfast_{what}" if _is_secure(request) else f"holdfast_{what}"


def _set(request: Request, response: Response, what: str, value: str, seconds: int, same_site: Any) -> None:
    response.set_cookie(
        _name(request, what),
        value,
        max_age=seconds,
        path="/",
        secure=_is_secure(request),
        httponly=True,
        samesite=same_site,
    )
