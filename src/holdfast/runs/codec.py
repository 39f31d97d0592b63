"""Payloads and results as JSON text and back; how values become text is the kernel's `encode`."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError

from holdfast.errors import InvalidInput
from holdfast.kernel.json.codec import encode

__all__ = ["adapter", "decode", "encode"]

_LONG = re.compile(r"[0-9]{16}")
"""Perhaps an integer that orjson would round."""


def decode(text: str, target: TypeAdapter[Any] | None) -> Any:
    """The value of a JSON text; with a target, checked and converted to its type."""
    if target is None:
        return orjson.loads(text) if _LONG.search(text) is None else json.loads(text)
    try:
        try:
            return target.validate_json(text)
        except ValidationError as error:
            if error.errors(include_url=False, include_input=False)[0]["type"] != "json_invalid":
                raise
            # It comes from Postgres, so it is JSON: only deeper than pydantic's own parser goes.
            return target.validate_python(json.loads(text))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "payload"
        raise InvalidInput(f"{where}: {first['msg']}", field=where) from None


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """The pydantic adapter of a type, made once."""
    return TypeAdapter(kind)
