"""Payloads and results as the types that handlers ask for; how they are stored is the kernel's `encode`."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from holdfast.errors import InvalidInput
from holdfast.kernel.json import decode_sent, is_simple

__all__ = ["adapter", "decode"]


def decode(text: str, target: TypeAdapter[Any] | None) -> Any:
    """The value of a JSON text; with a target, checked and converted to its type."""
    if target is None:
        return decode_sent(text)
    try:
        if "." not in text or is_simple(text):
            try:
                return target.validate_json(text)
            except ValidationError as error:
                if error.errors(include_url=False, include_input=False)[0]["type"] != "json_invalid":
                    raise
                # It comes from Postgres, so it is JSON: only deeper than pydantic's own parser goes.
        return _convert(text, target)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "payload"
        raise InvalidInput(f"{where}: {first['msg']}", field=where) from None


def _convert(text: str, target: TypeAdapter[Any]) -> Any:
    """What pydantic's own parser would round: it reads every number with a fraction as a float."""
    value = decode_sent(text)
    try:
        return target.validate_python(value)
    except ValidationError:
        pass
    try:
        # A strict model takes texts, for dates, ids and decimals, from JSON only.
        return target.validate_json(json.dumps(value, default=str))
    except ValidationError:
        return target.validate_json(text)


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """The pydantic adapter of a type, made once."""
    return TypeAdapter(kind)
