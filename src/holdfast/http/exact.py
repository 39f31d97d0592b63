"""JSON over HTTP without losing a digit: bodies are read with `Decimal`, answers are written from it.

FastAPI would read numbers as binary floats, and write decimals as texts; and a document's hash must never depend on how
a float is rounded. Routes that carry people's values are `ExactRoute`s, or read their body with `read_body`, and answer
with `Exact`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from fastapi import Request, Response
from pydantic import BaseModel, ValidationError

from holdfast.errors import InvalidInput
from holdfast.http.bodies import GuardedRequest
from holdfast.http.problems import MOST_PROBLEMS
from holdfast.kernel.json import answer

__all__ = ["Exact", "body_of", "matched_version", "read_body"]

B = TypeVar("B", bound=BaseModel)


class Exact(Response):
    """An answer in JSON, numbers exact; `version` becomes its ETag."""

    media_type = "application/json"

    def __init__(
        self,
        content: Any,
        status_code: int = 200,
        *,
        version: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        tag = {} if version is None else {"ETag": f'"{version}"'}
        super().__init__(content, status_code, headers={**(headers or {}), **tag})

    def render(self, content: Any) -> bytes:
        # In one order: what is told again from a receipt is to be the same to the byte.
        return answer(content)


async def read_body(request: Request, model: type[B]) -> B:
    """The body as a model, with exact numbers. Read it before a transaction is begun, which would wait for it."""
    assert isinstance(request, GuardedRequest)
    try:
        given = await request.exact_json()
    except json.JSONDecodeError as error:
        raise InvalidInput(f"the body is not JSON: {error.msg}", hint="send a JSON object", field="body") from None
    try:
        return model.model_validate(given)
    except ValidationError as error:
        problems = [
            {"field": ".".join(map(str, each["loc"])) or "body", "message": each["msg"]}
            for each in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        first = problems[0]
        problems = problems[:MOST_PROBLEMS]
        raise InvalidInput(f"{first['field']}: {first['message']}", errors=problems, field=first["field"]) from None


def body_of(model: type[BaseModel]) -> dict[str, Any]:
    """What OpenAPI says of a body that `read_body` reads."""
    schema = model.model_json_schema()
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def matched_version(request: Request) -> int | None:
    """The version that `If-Match` names: the one the caller saw."""
    given = request.headers.get("if-match", "").strip()
    if given in ("", "*"):
        return None
    text = given.removeprefix("W/").strip('"')
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise InvalidInput(f"If-Match is {given!r}", hint='send the ETag you were given, such as "3"', field="If-Match")
    return int(text)
