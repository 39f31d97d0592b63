"""Payloads and results as JSON text and back; how values become text is the kernel's `encode`."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from holdfast.errors import InvalidInput
from holdfast.kernel.codec import encode

__all__ = ["adapter", "decode", "encode"]


def decode(text: str, target: TypeAdapter[Any] | None) -> Any:
    """The value of a JSON text; with a target, checked and converted to its type."""
    if target is None:
        return json.loads(text)
    try:
        return target.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "payload"
        raise InvalidInput(f"{where}: {first['msg']}", field=where) from None


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """The pydantic adapter of a type, made once."""
    return TypeAdapter(kind)
