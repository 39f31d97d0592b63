"""The console's files: compressed once, kept by browsers for as long as their names say.

A file under `assets/` has a hash of its content in its name and never changes. Every other path is a page of the
console, which finds its way by itself; but what is under `assets/` and is not there is a mistake, and answered so.
"""

from __future__ import annotations

import asyncio
import gzip
import mimetypes
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, HTMLResponse

from holdfast.http.methods import EVERYTHING_ELSE
from holdfast.http.problems import nothing_here, problem

__all__ = ["add_console"]

_POLICY: Final = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
_NO_CONSOLE: Final = """<!doctype html><meta charset="utf-8"><title>holdfast</title>
<body style="font:16px/1.5 system-ui;max-width:40rem;margin:4rem auto;padding:0 1rem">
<h1>holdfast is running</h1>
<p>The web console is not built on this machine. It needs Node.js 20.19 or newer: install it and run
<code>make console</code>, then reload this page.</p>
<p>The HTTP interface is complete without it: see <a href="/docs">/docs</a>.</p>"""
_TEXTS: Final = frozenset({".css", ".html", ".js", ".json", ".map", ".svg", ".txt", ".webmanifest"})


@dataclass(frozen=True, slots=True)
class _Compressed:
    """A file as it was when it was compressed."""

    changed: int
    body: bytes


class _Files:
    """The files of a directory, those of text compressed when they are first asked for."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._compressed: dict[Path, _Compressed] = {}

    def find(self, path: str) -> Path | None:
        try:
            wanted = (self.root / path).resolve()
            found = bool(path) and wanted.is_relative_to(self.root) and wanted.is_file()
        except (OSError, ValueError):
            return None  # no name that a file could have: too long, or with a NUL
        return wanted if found else None

    async def answer(self, request: Request, path: Path, headers: dict[str, str]) -> Response:
        if path.suffix not in _TEXTS:
            return FileResponse(path, headers=headers)
        headers = headers | {"Vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return FileResponse(path, headers=headers)
        body = await asyncio.to_thread(self._body, path)
        media_type = mimetypes.guess_type(path.name)[0] or "text/plain"
        return Response(body, media_type=media_type, headers=headers | {"Content-Encoding": "gzip"})

    def _body(self, path: Path) -> bytes:
        changed = path.stat().st_mtime_ns
        known = self._compressed.get(path)
        if known is None or known.changed != changed:
            known = _Compressed(changed, gzip.compress(path.read_bytes(), 9, mtime=0))
            self._compressed[path] = known
        return known.body


def add_console(server: FastAPI, root: Path | None = None) -> None:
    """Add the console: every path that nothing else answers."""
    console = _Files((root or Path(str(files("holdfast"))) / "console" / "dist").resolve())

    @server.api_route(EVERYTHING_ELSE, methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        if path.partition("/")[0] in ("v1", "auth"):
            return nothing_here(request)
        if not (console.root / "index.html").is_file():
            return HTMLResponse(_NO_CONSOLE)
        headers = {"Content-Security-Policy": _POLICY}
        found = console.find(path)
        if path.startswith("assets/"):
            if found is None:
                return problem(404, "not_found", f"there is no /{path}", hint="reload the page: it was renewed")
            headers["Cache-Control"] = "public, max-age=31536000, immutable"
        elif found is None or found.name == "index.html":
            headers["Cache-Control"] = "no-cache"
        return await console.answer(request, found or console.root / "index.html", headers)
