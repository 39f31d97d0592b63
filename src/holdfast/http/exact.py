"""JSON that loses nothing: numbers with a fraction stay decimal on their way in and out.

FastAPI would read them as binary floats, and a document's hash must never depend on how a float is rounded. Routes
whose bodies or answers hold documents read and write them here, and tell OpenAPI their models.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from fastapi import Request
from fastapi.responses import Response
from pydantic import BaseModel, ValidationError

from holdfast.errors import CanonicalError, InvalidInput
from holdfast.kernel.canonical import canonical_json, parse_json

__all__ = ["Exact", "body_of", "matched_version", "read_body"]

B = TypeVar("B", bound=BaseModel)


class Exact(Response):
    """An answer in canonical JSON; dataclasses, times and ids are written as everywhere else."""

    media_type = "application/json"

    def __init__(self, content: Any, status_code: int = 200, *, version: int | None = None) -> None:
        headers = {"ETag": f'"{version}"'} if version is not None else None
        super().__init__(canonical_json(_plain(content)), status_code, headers=headers)


async def read_body(request: Request, model: type[B]) -> B:
    """The body as a model, with exact numbers."""
    try:
        given = parse_json(await request.body())
    except (CanonicalError, UnicodeDecodeError) as error:
        raise InvalidInput(f"the body is not JSON: {error}", hint="send a JSON object", field="body") from None
    try:
        return model.model_validate(given)
    except ValidationError as error:
        problems = [
            {"field": ".".join(map(str, each["loc"])) or "body", "message": each["msg"]}
            for each in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        first = problems[0]
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
    if not text.isdigit() or len(text) > 9:
        raise InvalidInput(f"If-Match is {given!r}", hint='send the ETag you were given, such as "3"', field="If-Match")
    return int(text)


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, BaseModel):
        return _plain(value.model_dump())
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    return value
