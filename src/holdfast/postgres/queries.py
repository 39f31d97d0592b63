"""Named queries: SQL lives in `queries/‹slice›.sql`, Python refers to it by name.

A file holds blocks that begin with `-- name: some_query`; the comment lines after it say why the query is shaped so.
A name that is missing fails when the module that asks for it is imported, not when a user first needs it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import LiteralString, NamedTuple

__all__ = ["Query", "all_queries", "positional", "queries"]

_HEADER = re.compile(r"^-- name: (?P<name>[a-z][a-z0-9_]*)\s*$", re.MULTILINE)
_PARAMETER = re.compile(r"%%|%\((\w+)\)s")


class Query(NamedTuple):
    """One statement of ours with the name it goes by."""

    slice: str
    name: str
    text: LiteralString


@cache
def queries(part: str) -> dict[str, LiteralString]:
    """The statements of one slice by name."""
    source = (files("holdfast.postgres") / "queries" / f"{part}.sql").read_text(encoding="utf-8")
    headers = list(_HEADER.finditer(source))
    found: dict[str, LiteralString] = {}
    for header, following in zip(headers, [*headers[1:], None], strict=True):
        body = source[header.end() : following.start() if following else None]
        name = header["name"]
        if name in found:
            raise ValueError(f"queries/{part}.sql names {name!r} twice")
        found[name] = _without_comments(body)
    return found


def all_queries() -> list[Query]:
    """Every statement of every slice; one test PREPAREs them all."""
    parts = sorted(
        entry.name.removesuffix(".sql")
        for entry in (files("holdfast.postgres") / "queries").iterdir()
        if entry.name.endswith(".sql")
    )
    return [Query(part, name, text) for part in parts for name, text in queries(part).items()]


@lru_cache(maxsize=1000)
def positional(query: str) -> tuple[bytes, list[str]]:
    """A statement with its named parameters as numbers, as libpq takes them, and their names in that order."""
    names: list[str] = []

    def place(found: re.Match[str]) -> str:
        if found[1] is None:
            return "%"
        if found[1] not in names:
            names.append(found[1])
        return f"${names.index(found[1]) + 1}"

    return _PARAMETER.sub(place, query).encode(), names


def _without_comments(body: str) -> str:
    lines = (line for line in body.splitlines() if not line.lstrip().startswith("--"))
    return "\n".join(lines).strip().removesuffix(";")
