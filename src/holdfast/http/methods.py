"""What may be done at an address: for the answer to whoever tries something else there, or where there is nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute

__all__ = ["EVERYTHING_ELSE", "allowed_methods"]

EVERYTHING_ELSE = "/{path:path}"
"""The console's route, which every path fits."""


def allowed_methods(request: Request) -> list[str]:
    """The methods of the routes that a request's path fits; none where there is nothing."""
    path = request.scope["path"]
    fitting = (route for route in _routes(request.app.routes) if route.path != EVERYTHING_ELSE)
    return sorted({method for route in fitting if route.path_regex.match(path) for method in route.methods or ()})


def _routes(parts: Iterable[Any]) -> Iterator[APIRoute]:
    for part in parts:
        if isinstance(part, APIRoute):
            yield part
        else:
            yield from _routes(getattr(getattr(part, "original_router", part), "routes", ()))
