"""Builds the HTTP server of an application: routers, problem documents, health checks, the console."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Response, Security
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from fastapi.security import HTTPBearer
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holdfast.app import Holdfast
from holdfast.errors import HoldfastError
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
    server.add_middleware(_Guarded)
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


class _Guarded:
    """Refuses what says that it is too large, and gives answers the headers that every one has.

    None of Starlette's function middleware: that ends a stream which failed as if it were whole.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdigit() or int(length) > _MAX_BODY:
            await problem(413, "too_large", _TOO_LARGE)(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("X-Content-Type-Options", "nosniff")
                headers.setdefault("Referrer-Policy", "no-referrer")
                if scope["path"].startswith("/v1/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, guarded)


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
        """The process can do its work: the database answers."""
        try:
            async with app.database.connection() as connection:
                await connection.execute("SELECT 1")
        except HoldfastError as error:
            return problem(503, error.code, "the database does not answer")
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
