"""Builds the HTTP server of an application: routers, problem documents, health checks, the console."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response, Security
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from fastapi.security import HTTPBearer
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holdfast.app import Holdfast
from holdfast.errors import DatabaseUnreachable, HoldfastError
from holdfast.http import (
    access,
    actions,
    approvals,
    audit,
    data,
    definitions,
    documents,
    effects,
    inbox,
    links,
    outbox,
    processes,
    runs,
    schedules,
    sessions,
)
from holdfast.http.metrics import add_metrics
from holdfast.http.problems import PROBLEMS, ProblemDocument, add_problem_handlers, problem
from holdfast.http.reference import add_reference
from holdfast.postgres.outage import is_outage

__all__ = ["build"]

_MAX_BODY = 16 * 1024 * 1024
_TOO_LARGE = f"the request is larger than {_MAX_BODY // 2**20} MiB"
_CONSOLE_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
_NO_CONSOLE = """<!doctype html><meta charset="utf-8"><title>holdfast</title>
<body style="font:16px/1.5 system-ui;max-width:40rem;margin:4rem auto;padding:0 1rem">
<h1>holdfast is running</h1>
<p>The web console is not built on this machine. It needs Node.js 20.19 or newer: install it and run
<code>make console</code>, then reload this page.</p>
<p>The HTTP interface is complete without it: see <a href="/docs">/docs</a>.</p>"""


def build(app: Holdfast) -> FastAPI:
    """The ASGI server. It opens the application when it starts and closes it when it stops."""

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
        # The usual pages load their scripts from another host.
        docs_url=None,
        redoc_url=None,
    )
    server.state.holdfast = app
    add_problem_handlers(server)
    server.add_middleware(_BoundedBodies)
    server.middleware("http")(_guarded)
    _add_health(server, app)
    add_metrics(server, app, local_only=True)
    signed_in = [Security(HTTPBearer(auto_error=False, description="an API token, hf_…"))]
    for slice_ in (
        *(access, audit, runs, schedules, outbox, data, links, actions, sessions),
        *(documents, definitions, processes, inbox, approvals, effects),
    ):
        server.include_router(slice_.router, responses=PROBLEMS, dependencies=signed_in)
    _describe_problems(server)
    add_reference(server)
    _add_console(server)
    return server


def _describe_problems(server: FastAPI) -> None:
    """OpenAPI knows the shape of problem documents, although no route returns one as its model."""
    plain = server.openapi

    def described() -> dict[str, Any]:
        schema = plain()
        schemas = schema["components"]["schemas"]
        schemas["ProblemDocument"] = ProblemDocument.model_json_schema()
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        return schema

    server.openapi = described  # type: ignore[method-assign]  # the way FastAPI documents it


async def _guarded(request: Request, proceed: Callable[[Request], Awaitable[Response]]) -> Response:
    length = request.headers.get("content-length", "0")
    if not length.isdigit() or int(length) > _MAX_BODY:
        return problem(413, "too_large", _TOO_LARGE)
    response = await proceed(request)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    if request.url.path.startswith("/v1/"):
        response.headers.setdefault("Cache-Control", "no-store")
    return response


class _BoundedBodies:
    """Counts what comes in: a body that is sent in chunks does not say beforehand how large it will be."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > _MAX_BODY:
                raise HTTPException(413, _TOO_LARGE)
            return message

        await self._app(scope, counted, send)


def _add_health(server: FastAPI, app: Holdfast) -> None:
    @server.get("/healthz", tags=["health"])
    async def alive() -> dict[str, str]:
        """The process answers."""
        return {"status": "ok", "version": version("holdfast")}

    @server.get("/readyz", tags=["health"])
    async def ready() -> Response:
        """The process can do its work: the database answers and has room, and its schema is this version's."""
        try:
            await app.database.check_schema(now=True)
            await app.database.check_room()
        except DatabaseUnreachable as error:
            app.database.outage.began(error)
            return problem(503, error.code, "the database does not answer")
        except HoldfastError as error:
            if is_outage(error):
                app.database.outage.began(error)
            return problem(503, error.code, error.message, hint=error.hint)
        return JSONResponse({"status": "ok"})


def _add_console(server: FastAPI) -> None:
    root = Path(str(files("holdfast"))) / "console" / "dist"

    @server.get("/{path:path}", include_in_schema=False)
    async def console(path: str) -> Response:
        if path == "v1" or path.startswith("v1/"):
            return problem(404, "not_found", f"there is no /{path}", hint="/docs lists what there is")
        if not (root / "index.html").is_file():
            return HTMLResponse(_NO_CONSOLE)
        wanted = (root / path).resolve()
        headers = {"Content-Security-Policy": _CONSOLE_POLICY}
        if path and wanted.is_relative_to(root) and wanted.is_file():
            if path.startswith("assets/"):
                headers["Cache-Control"] = "public, max-age=31536000, immutable"
            return FileResponse(wanted, headers=headers)
        # Every other path is a page of the console, which finds its way by itself.
        return FileResponse(root / "index.html", headers=headers | {"Cache-Control": "no-cache"})
