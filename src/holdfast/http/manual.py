"""GET /docs/{page}: the documentation of this very version, so that help is there without any other network.

The pages are the project's own `docs/`: inside the package where it is installed, beside it in a checkout.
"""

from __future__ import annotations

import posixpath
import re
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Response
from fastapi.responses import FileResponse, HTMLResponse

from holdfast.http.problems import problem
from holdfast.http.reference import HEADER, POLICY, STYLE

__all__ = ["add_manual"]

_GUIDE: Final = "guide"
"""The first page, which lists the others."""
_DECISIONS: Final = "decisions"
"""The one folder of pages."""
_PAGE: Final = re.compile(r"(decisions/)?[a-z0-9][a-z0-9-]{0,99}")
_IMAGE: Final = re.compile(r"images/[a-z0-9][a-z0-9-]{0,99}[.]png")
_TITLE: Final = re.compile(r"^# (.+)$", re.MULTILINE)
_LINK: Final = re.compile(r'href="(?!https?:|#|/)(?P<to>[^"#]*)(?P<hash>#[^"]*)?"')


def add_manual(server: FastAPI, root: Path | None = None) -> None:
    """Add the pages; each is made when it is first asked for."""
    package = Path(str(files("holdfast")))
    known = root or next((each for each in (package / "manual", package.parents[1] / "docs") if each.is_dir()), None)
    made: dict[str, str] = {}

    @server.get("/docs/{name:path}", include_in_schema=False)
    async def manual(name: str) -> Response:
        if known is not None and _IMAGE.fullmatch(name) and (known / name).is_file():
            return FileResponse(known / name)
        if name not in made:
            text = _text(known, name)
            if text is None:
                return problem(404, "not_found", f"there is no page {name!r}", hint="/docs/guide lists them")
            made[name] = _page(name, text)
        return HTMLResponse(made[name], headers={"Content-Security-Policy": f"{POLICY}; img-src 'self'"})


def _text(root: Path | None, name: str) -> str | None:
    if root is None or not _PAGE.fullmatch(name):
        return None
    page = root / ("README.md" if name == _GUIDE else f"{name}.md")
    if (root / name).is_dir():
        page = root / name / "README.md"
    return page.read_text(encoding="utf-8") if page.is_file() else None


def _page(name: str, text: str) -> str:
    from markdown_it import MarkdownIt

    shown = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    folder = name if name == _DECISIONS else name.rpartition("/")[0]
    shown = _LINK.sub(lambda link: _reference(folder, link["to"], link["hash"] or ""), shown)
    shown = re.sub(r'src="images/', 'src="/docs/images/', shown).replace("<img ", '<img style="max-width:100%" ')
    title = _TITLE.search(text)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title[1] if title else name)} · holdfast</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body>{HEADER}<main><article>{shown}</article></main></body></html>"
    )


def _reference(folder: str, to: str, place: str) -> str:
    """The attribute that leads where a link of a page leads; none where only the sources are, which are not here."""
    path = posixpath.normpath(f"{folder}/{to}".lstrip("/")).removesuffix(".md").removesuffix("README").strip("/")
    if path.startswith(".."):
        return ""
    return f'href="/docs/{_GUIDE if path in ("", ".") else path}{place}"'
