"""Builds the HTTP server of an application: routers, problem documents, health checks, the console."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Response, Security
from fastapi.responses import JSONResponse
from fastapi.security import HTTPBearer
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holdfast.app import Holdfast
from holdfast.errors import DatabaseUnreachable, HoldfastError
from holdfast.http import (
    access,
    actions,
    approvals,
    audit,
    auth,
    data,
    definitions,
    designing,
    documents,
    effects,
    expressions,
    inbox,
    installation,
    links,
    live,
    operate,
    outbox,
    processes,
    runs,
    schedules,
    sessions,
    simulation,
    templates,
    what_ifs,
)
from holdfast.http.bearers import OpenIdBearers
from holdfast.http.bodies import MAX_BODY, TOO_LARGE, memory
from holdfast.http.computing import places
from holdfast.http.console import add_console
from holdfast.http.demonstration import Demonstration, demo_router
from holdfast.http.failures import FailedSignIns
from holdfast.http.link_mail import LinkMail
from holdfast.http.manual import add_manual
from holdfast.http.metrics import add_metrics
from holdfast.http.moves import Moves
from holdfast.http.oidc import OpenIdProvider
from holdfast.http.problems import PROBLEMS, ProblemDocument, add_problem_handlers, problem, unexpected_problem
from holdfast.http.rates import Rates
from holdfast.http.reference import add_reference
from holdfast.http.refusals import RefusedBodies
from holdfast.http.streams import OpenStreams
from holdfast.postgres.outage import is_outage
from holdfast.postgres.shares import CALLER

__all__ = ["build"]

_log = logging.getLogger(__name__)
_NO_KEYS = "HOLDFAST_KEYS is not set: events past their retention are not dropped; `holdfast doctor` says more"
_READY_SECONDS = 3.0


def build(app: Holdfast, *, demo: Demonstration | None = None) -> FastAPI:
    """The ASGI server. It opens the application when it starts and closes it when it stops.

    With `demo`, as `holdfast up` has it, whoever sits at this machine may switch between the people of the demo.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        app.load()
        async with app:
            yield

    server = FastAPI(
        title="holdfast",
        version=version("holdfast"),
        description="Durable workflows that live in your Postgres.",
        lifespan=lifespan,
        # The usual pages load their scripts from another host, and the usual description is written anew each time.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
    )
    server.state.holdfast = app
    server.state.stopping = asyncio.Event()
    server.state.streams = OpenStreams(app)
    server.state.bodies = memory(app.settings.share_wait)
    server.state.computing = places(app.settings.share_wait)
    server.state.refused_bodies = RefusedBodies()
    server.state.moves = Moves(app.settings.process_rate)
    server.state.openid, server.state.openid_bearers = _openid(app)
    server.state.link_mail = LinkMail.of(app)
    server.state.rates = Rates(app.settings.rate_token, app.settings.rate_tenant)
    server.state.failed_sign_ins = FailedSignIns(app.settings.sign_in_failures)
    add_problem_handlers(server)
    server.add_middleware(_Guard)
    _add_health(server, app)
    add_metrics(server, app, local_only=True)
    server.include_router(auth.router, responses={code: PROBLEMS[code] for code in (403, 404, 408, 422, 429, 503)})
    signed_in = [Security(HTTPBearer(auto_error=False, description="an API token, holdfast_…"))]
    if demo is not None:
        server.include_router(demo_router(demo), responses=PROBLEMS, dependencies=signed_in)
    for slice_ in (
        # Before those with a tenant in their path, which "installation" never is.
        *(installation, access, audit, operate, runs, schedules, outbox, data, links, actions, sessions),
        *(documents, definitions, designing, templates, simulation, expressions, what_ifs),
        *(processes, inbox, approvals, effects, live),
    ):
        server.include_router(slice_.router, responses=PROBLEMS, dependencies=signed_in)
    _describe_problems(server)
    add_reference(server)
    add_manual(server)
    add_console(server)
    return server


def _openid(app: Holdfast) -> tuple[OpenIdProvider | None, OpenIdBearers | None]:
    if app.settings.oidc_issuer is None:
        return None, None
    provider = OpenIdProvider(app.settings)
    return provider, OpenIdBearers(app, provider)


def _describe_problems(server: FastAPI) -> None:
    """OpenAPI knows the shape of problem documents, although no route returns one as its model."""
    plain = server.openapi

    def described() -> dict[str, Any]:
        schema = plain()
        schemas = schema["components"]["schemas"]
        schemas["ProblemDocument"] = ProblemDocument.model_json_schema()
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        for each in schemas.values():
            if "description" in each:
                # What follows shows its use in Python.
                each["description"] = each["description"].partition("\n\nFor example:")[0]
        return schema

    server.openapi = described  # type: ignore[method-assign]  # the way FastAPI documents it


class _Guard:
    """Around every request: refuses what is too large before it is read, and says how answers may be used.

    What goes wrong unforeseen is told here and ends here, so that the connection can be used for the next request. A
    client that left before it was answered is nothing that went wrong.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        stored = not scope["path"].startswith(("/v1/", "/auth/"))
        begun = gone = False

        async def heard() -> Message:
            nonlocal gone
            message = await receive()
            gone = gone or message["type"] == "http.disconnect"
            return message

        async def told(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                scope["app"].state.holdfast.metrics.http.answered(scope["method"], message["status"])
                headers = MutableHeaders(scope=message)
                headers.setdefault("X-Content-Type-Options", "nosniff")
                headers.setdefault("Referrer-Policy", "no-referrer")
                if not stored:
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        nobody = CALLER.set(None)
        try:
            length = dict(scope["headers"]).get(b"content-length", b"0")
            if not length.isdigit() or len(length) > 19 or int(length) > MAX_BODY:
                await problem(413, "too_large", TOO_LARGE)(scope, receive, told)
            else:
                await self._app(scope, heard, told)
        except Exception as error:
            if gone:
                _log.debug("a client left during %s %s", scope["method"], scope["path"], exc_info=error)
                return
            answer = unexpected_problem(scope["method"], scope["path"], error)
            if begun:
                raise  # half of an answer must not look like the whole of one
            await answer(scope, receive, told)
        finally:
            CALLER.reset(nobody)


def _add_health(server: FastAPI, app: Holdfast) -> None:
    @server.get("/healthz", tags=["health"])
    async def alive() -> dict[str, str]:
        """The process answers."""
        return {"status": "ok", "version": version("holdfast")}

    @server.get("/readyz", tags=["health"])
    async def ready() -> Response:
        """The process can do its work: the database answers and has room, and its schema is this version's."""
        if app.database.closed:
            return problem(503, DatabaseUnreachable.code, "the connection pool is closed")
        try:
            # Not one of the pool's connections, for which it might have to wait until others are done.
            async with asyncio.timeout(_READY_SECONDS), app.database.express() as connection:
                await app.database.check_schema(connection, now=True)
                await app.database.check_room(connection)
        except TimeoutError:
            return problem(503, DatabaseUnreachable.code, "the database does not answer")
        except DatabaseUnreachable as error:
            app.database.outage.began(error)
            return problem(503, error.code, "the database does not answer")
        except HoldfastError as error:
            if is_outage(error):
                app.database.outage.began(error)
            return problem(503, error.code, error.message, hint=error.hint)
        if not app.keyring:
            return JSONResponse({"status": "ok", "warnings": [_NO_KEYS]})
        return JSONResponse({"status": "ok"})
