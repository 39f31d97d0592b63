"""Signing in, for people: with an OpenID provider, or with a link that is mailed to them. `/auth/…`, for strangers.

Whoever asks here is nobody yet, so everything is small and bounded: bodies of a few hundred bytes, no memory for those
who begin and never come back (their browser keeps it), a number of attempts a minute from an address, the same answer
whether an e-mail address is known or not. No secret is ever in an address that a server could log: the provider's code
counts once and only together with what the browser kept, a mailed link has its secret in the fragment, and only a click
sends it here.
"""

from __future__ import annotations

import hmac
import logging
import secrets
from datetime import timedelta
from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field, SecretStr

from holdfast.errors import HoldfastError, InvalidInput, NotSignedIn, SignInLimited, TenantNotFound
from holdfast.http.acting import application, signed_in_browser
from holdfast.http.bodies import body_of, read_small
from holdfast.http.cookies import check_own_page, forget, keep_flow, keep_secret, read_flow, secret_in
from holdfast.http.failures import FailedSignIns, origin
from holdfast.http.link_mail import LinkMail
from holdfast.http.oidc import OpenIdProvider
from holdfast.kernel.actor import Actor
from holdfast.kernel.given import Given

__all__ = ["router"]

router = APIRouter(prefix="/auth", tags=["signing in"])

_log = logging.getLogger(__name__)
_SERVER = Actor.system("sign-in")
_WRONG_WAY = "/#sign-in-failed"
T = TypeVar("T")


class Methods(BaseModel):
    """How people can sign in here, and whether this browser is."""

    openid: str | None = Field(description="the name of the OpenID provider, if there is one")
    mail: bool = Field(description="whether links are mailed")
    signed_in: bool = Field(description="whether this browser is signed in")


class WantedLink(Given):
    """Who wants a link."""

    tenant: str = Field(max_length=63)
    email: str = Field(min_length=3, max_length=320)


class ClickedLink(Given):
    """The secret of a link."""

    secret: SecretStr


@router.get("/methods")
async def methods(request: Request) -> Methods:
    """How people can sign in here."""
    provider = _provider(request)
    return Methods(
        openid=None if provider is None else provider.label,
        mail=_mail(request) is not None,
        signed_in=await signed_in_browser(request) is not None,
    )


@router.get("/oidc", status_code=303, response_class=RedirectResponse)
async def begin(
    request: Request, to: Annotated[str, Query(max_length=500, description="the page to come back to")] = "/"
) -> Response:
    """Send the browser to the OpenID provider."""
    provider = _needed(_provider(request), "HOLDFAST_OIDC_ISSUER")
    _check(request)
    flow = {name: secrets.token_urlsafe(32) for name in ("state", "nonce", "verifier")}
    answer = RedirectResponse(await provider.address(**flow), 303)
    keep_flow(request, answer, flow | {"to": to if _is_page(to) else "/"})
    return answer


@router.get("/oidc/callback", status_code=303, response_class=RedirectResponse)
async def come_back(
    request: Request,
    code: Annotated[str, Query(max_length=4000)] = "",
    state: Annotated[str, Query(max_length=200)] = "",
    iss: Annotated[str | None, Query(max_length=1000, description="who answers, where the provider says so")] = None,
) -> Response:
    """Where the provider sends the browser back to. Signed in or not, the answer is a page of the console."""
    provider = _needed(_provider(request), "HOLDFAST_OIDC_ISSUER")
    _check(request)
    answer = RedirectResponse("/", 303)
    flow = read_flow(request, answer)
    try:
        if not code or not hmac.compare_digest(flow.get("state", "").encode(), (state or "-").encode()):
            raise NotSignedIn("this browser did not begin that sign-in, or took too long")
        if iss is not None and iss.rstrip("/") != provider.issuer:
            raise NotSignedIn("another provider than the one that was asked has answered")
        claims = await provider.claims_of_code(code, nonce=flow.get("nonce", ""), verifier=flow.get("verifier", ""))
        tenant, person = provider.person(claims)
        settings = application(request).settings
        async with application(request).tenant(tenant, actor=_SERVER) as hold:
            user = await hold.sign_ins.admit(person, managed=provider.managed_roles, create=settings.oidc_create_users)
        await _sign_in(request, answer, tenant, user, "openid")
    except (NotSignedIn, TenantNotFound, InvalidInput) as error:
        _failed(request)
        _log.warning("a sign-in with the OpenID provider failed: %s", error.message)
        answer.headers["Location"] = _WRONG_WAY
    else:
        to = flow.get("to", "/")
        answer.headers["Location"] = to if _is_page(to) else "/"
    return answer


@router.post("/mail", status_code=202, openapi_extra=body_of(WantedLink))
async def ask_for_link(request: Request) -> None:
    """Mail a link to somebody, if there is somebody with that address. The answer does not say."""
    mail = _needed(_mail(request), "HOLDFAST_SMTP_URL, HOLDFAST_MAIL_FROM and HOLDFAST_PUBLIC_URL")
    _check(request)
    # Each counts, whatever becomes of it: somebody else's post is not to be filled.
    _failed(request)
    wanted = await read_small(request, WantedLink)
    mail.send_later(wanted.tenant, wanted.email, request.headers.get("accept-language", "en")[:2].lower())


@router.post("/mail/confirm", status_code=204, openapi_extra=body_of(ClickedLink))
async def use_link(request: Request) -> Response:
    """Sign this browser in with the secret of a mailed link. It counts once."""
    _needed(_mail(request), "HOLDFAST_SMTP_URL, HOLDFAST_MAIL_FROM and HOLDFAST_PUBLIC_URL")
    check_own_page(request)
    _check(request)
    secret = (await read_small(request, ClickedLink)).secret.get_secret_value()
    answer = Response(status_code=204)
    try:
        tenant, user = await application(request).use_sign_in_link(secret)
        await _sign_in(request, answer, tenant, user, "mail")
    except NotSignedIn:
        _failed(request)
        raise
    return answer


@router.post("/sign-out", status_code=204)
async def sign_out(request: Request) -> Response:
    """End this browser's sign-in."""
    check_own_page(request)
    answer = Response(status_code=204)
    known = await signed_in_browser(request)
    if known is not None and known[1].token is not None:
        async with application(request).tenant(known[0], actor=known[1]) as hold:
            await hold.sign_ins.end(known[1].token.id)
    forget(request, answer)
    return answer


async def _sign_in(request: Request, answer: Response, tenant: str, user: str, how: str) -> None:
    """Begin a sign-in; what this browser had before ends, so that nobody is given one that others know."""
    lifetime = timedelta(hours=application(request).settings.sign_in_hours)
    before = None if secret_in(request) is None else await signed_in_browser(request)
    async with application(request).tenant(tenant, actor=_SERVER) as hold:
        secret = await hold.sign_ins.begin(user, how, lifetime=lifetime, origin=_origin(request))
        if before is not None and before[0] == tenant and before[1].token is not None:
            await hold.sign_ins.end(before[1].token.id)
    keep_secret(request, answer, secret, lifetime.total_seconds())


def _provider(request: Request) -> OpenIdProvider | None:
    found: OpenIdProvider | None = request.app.state.openid
    return found


def _mail(request: Request) -> LinkMail | None:
    found: LinkMail | None = request.app.state.link_mail
    return found


def _needed(found: T | None, setting: str) -> T:
    if found is None:
        raise _NotHere("nobody signs in this way here", hint=f"an operator can set {setting}")
    return found


class _NotHere(HoldfastError):
    """A way to sign in that is not set up."""

    code = "not_found"
    status = 404


def _check(request: Request) -> None:
    """Raise `SignInLimited` for an address that has tried too often."""
    failures: FailedSignIns = request.app.state.failed_sign_ins
    try:
        failures.check(origin(request.scope.get("client")), None, "")
    except SignInLimited as error:
        error.hint = f"try again in {error.details['retry_after']} s"
        raise


def _failed(request: Request) -> None:
    failures: FailedSignIns = request.app.state.failed_sign_ins
    failures.failed(origin(request.scope.get("client")), None, "")


def _origin(request: Request) -> str:
    agent = "".join(each for each in request.headers.get("user-agent", "") if each.isprintable())
    return f"{origin(request.scope.get('client'))} {agent}".strip()[:300]


def _is_page(to: str) -> bool:
    """Whether it is a page of ours, and not the beginning of another address."""
    return to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable() and "\\" not in to
