"""JSON over HTTP without losing a digit: bodies are read with `Decimal`, answers are written from it.

FastAPI would read numbers as binary floats, and write decimals as texts. Routes that carry people's values use
`ExactRoute` and answer with `Exact`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from dataclasses import asdict, is_dataclass
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from holdfast.errors import CanonicalError
from holdfast.kernel.canonical import canonical_json, parse_json
from holdfast.kernel.exact import plain

__all__ = ["Exact", "ExactRoute"]


class Exact(Response):
    """An answer in JSON, numbers exact."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        if is_dataclass(content) and not isinstance(content, type):
            content = asdict(content)
        return canonical_json(plain(content))


class _ExactRequest(Request):
    async def json(self) -> Any:
        body = await self.body()
        try:
            return parse_json(body)
        except (CanonicalError, UnicodeDecodeError) as error:
            # What FastAPI expects of a body that is no JSON; it answers with 422.
            raise json.JSONDecodeError(str(error), "", 0) from None


class ExactRoute(APIRoute):
    """A route whose body is read exactly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def exactly(request: Request) -> Response:
            return await handle(_ExactRequest(request.scope, request.receive))

        return exactly
