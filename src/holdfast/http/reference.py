"""GET /docs: every route on one page, made of the server's own OpenAPI description, which is GET /openapi.json.

Nothing is loaded from elsewhere, so it works where there is no other network, and no foreign script runs beside the
console. Both are made once, on a thread, and kept as they are sent: strangers ask for them too. To try something the
page gives the command: `curl` sends it, with a token that stays in the shell.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse

__all__ = ["HEADER", "POLICY", "STYLE", "add_reference"]

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
STYLE = """
:root { color-scheme: light dark; --line: light-dark(#dcd9d0, #2c3634); --soft: light-dark(#5c635f, #a3ada8);
  --mark: light-dark(#22594a, #8cc9b2); --surface: light-dark(#fffefa, #18201e) }
body { font: 16px/1.55 "IBM Plex Sans Variable", system-ui, sans-serif; max-width: 60rem; margin: 0 auto;
  padding: 0 1rem 4rem; background: light-dark(#f8f7f2, #101615); color: light-dark(#1b2321, #e8ebe7) }
body > header { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: baseline; padding: 1rem 0;
  border-bottom: 1px solid var(--line) }
body > header b { font: 500 1.4rem "Newsreader Variable", Georgia, serif; margin-right: auto }
h1, h2, h3 { font-family: "Newsreader Variable", Georgia, serif; font-weight: 500; line-height: 1.2 }
h1 { font-size: 2rem } h2 { margin: 2rem 0 .5rem; font-size: 1.45rem }
a { color: var(--mark) }
nav a { margin-right: .8rem; display: inline-block }
section h2 { text-transform: capitalize }
details { border-top: 1px solid var(--line); padding: .4rem 0 }
summary { cursor: pointer; overflow-wrap: anywhere }
code, pre { font: 14px/1.5 "IBM Plex Mono", ui-monospace, monospace }
pre { overflow-x: auto; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: 6px;
  background: var(--surface) }
summary b { display: inline-block; min-width: 4.2rem; font: 600 13px ui-monospace, monospace }
details p, details div, details pre { margin: .4rem 0 .4rem 1rem }
table { border-collapse: collapse; font-size: 14px; display: block; overflow-x: auto }
details table { margin-left: 1rem }
th, td { text-align: left; vertical-align: top; padding: .2rem 1rem .2rem 0; overflow-wrap: anywhere }
article th, article td { padding: .35rem 1rem .35rem 0; border-bottom: 1px solid var(--line) }
small, th { color: var(--soft) }
"""
"""The look of the console, for pages that load nothing."""
HEADER = (
    "<header><b>holdfast</b>"
    '<a href="/">Console</a><a href="/docs/guide">Documentation</a><a href="/docs">HTTP</a></header>'
)


def add_reference(server: FastAPI) -> None:
    """Add the page and the description; they are made when one of them is first asked for."""
    made: list[_Made] = []
    making = asyncio.Lock()

    async def both() -> _Made:
        async with making:
            if not made:
                made.append(await asyncio.to_thread(_make, server))
        return made[0]

    @server.get("/docs", include_in_schema=False)
    async def reference() -> Response:
        return HTMLResponse((await both()).page, headers={"Content-Security-Policy": POLICY})

    @server.get("/openapi.json", include_in_schema=False)
    async def description(request: Request) -> Response:
        known, headers = await both(), {"Vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(known.description, media_type="application/json", headers=headers)
        return Response(known.compressed, media_type="application/json", headers=headers | {"Content-Encoding": "gzip"})


class _Made(NamedTuple):
    """What is sent, ready to be."""

    page: str
    description: bytes
    compressed: bytes


def _make(server: FastAPI) -> _Made:
    api = server.openapi()
    text = json.dumps(api, ensure_ascii=False, separators=(",", ":")).encode()
    return _Made(_page(api), text, gzip.compress(text, 9, mtime=0))


def _page(api: dict[str, Any]) -> str:
    routes: dict[str, list[str]] = {}
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            tag = (operation.get("tags") or ["other"])[0]
            routes.setdefault(tag, []).append("".join(_operation(api, method.upper(), path, operation)))
    links = "".join(f'<a href="#{escape(tag)}">{escape(tag)}</a>' for tag in routes)
    parts = "".join(
        f'<section><h2 id="{escape(tag)}">{escape(tag)}</h2>{"".join(shown)}</section>' for tag, shown in routes.items()
    )
    info = api["info"]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>holdfast: HTTP</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body>{HEADER}<main><h1>holdfast {escape(info['version'])}: HTTP</h1>"
        "<p>Try any of it: set <code>TOKEN</code> to a token of yours and <code>TENANT</code> to your tenant, "
        "and run what stands below each route. Send <code>Authorization: Bearer holdfast_…</code>, and bodies as JSON "
        "with <code>Content-Type: application/json</code>. What goes wrong is <code>application/problem+json</code> "
        "with a stable <code>code</code>: 401 no valid token, 403 the permission is missing, 404 no such object, "
        "409 the object is not in the state that was assumed, 422 it cannot be accepted; nothing was changed. "
        'For programs: <a href="/openapi.json">openapi.json</a>.</p>'
        f"<nav>{links}</nav>{parts}</main></body></html>"
    )


def _operation(api: dict[str, Any], method: str, path: str, operation: dict[str, Any]) -> Iterator[str]:
    told = operation.get("description") or operation.get("summary") or ""
    first, _, rest = told.partition("\n")
    yield f"<details><summary><b>{method}</b><code>{escape(path)}</code> <small>{escape(first)}</small></summary>"
    if rest.strip():
        yield f"<p>{escape(rest)}</p>"
    given = [
        (f"{one['name']} ({one['in']})", one.get("required", False), one.get("schema", {}), one.get("description"))
        for one in operation.get("parameters", ())
    ]
    yield _table(api, "Parameters", given)
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        shape = _found(api, content.get("schema", {}))
        needed = shape.get("required", ())
        fields = [(name, name in needed, field, None) for name, field in shape.get("properties", {}).items()]
        yield _table(api, f"Body, {kind}", fields) or f"<p><small>Body, {escape(kind)}</small></p>"
    yield f"<pre>{escape(_command(method, path, operation))}</pre>"
    # The others are the same everywhere, and told at the top.
    answers = ", ".join(escape(status) for status in operation["responses"] if status < "400")
    yield f"<p><small>Answers {answers}</small></p></details>"


def _command(method: str, path: str, operation: dict[str, Any]) -> str:
    """What tries it, with the names of what is to be filled in left as variables of the shell."""
    address = re.sub(r"{(\w+)(?::path)?}", lambda name: f"${{{name[1].upper()}}}", path)
    lines = [f'curl -X {method} "$HOLDFAST_URL{address}"', '-H "Authorization: Bearer $TOKEN"']
    wanted = {one["name"] for one in operation.get("parameters", ()) if one.get("required") and one["in"] == "header"}
    lines += [f"-H '{name}: *'" for name in sorted(wanted)]
    if "application/json" in operation.get("requestBody", {}).get("content", {}):
        lines += ["-H 'Content-Type: application/json'", "-d @body.json"]
    return " \\\n  ".join(lines)


def _table(api: dict[str, Any], title: str, rows: Sequence[tuple[str, bool, dict[str, Any], str | None]]) -> str:
    if not rows:
        return ""
    lines = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{escape(_type(api, schema))}</td>"
        f"<td>{'required' if required else ''}</td><td>{escape(told or schema.get('description') or '')}</td></tr>"
        for name, required, schema, told in rows
    )
    return f'<table><thead><tr><th colspan="4">{escape(title)}</th></tr></thead><tbody>{lines}</tbody></table>'


def _found(api: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema a reference leads to; itself when it is none."""
    named = schema.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = api["components"]["schemas"].get(named, schema)
    return found


def _type(api: dict[str, Any], schema: dict[str, Any]) -> str:
    """A type in few words, such as `text or null`."""
    either = schema.get("anyOf") or schema.get("oneOf")
    if either:
        return " or ".join(dict.fromkeys(_type(api, one) for one in either))
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    shape = _found(api, schema)
    kind = shape.get("format") or shape.get("type") or "any"
    return f"list of {_type(api, shape['items'])}" if kind == "array" and "items" in shape else str(kind)
