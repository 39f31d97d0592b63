"""Values as JSON text: from pydantic models, dataclasses or plain values.

What Postgres could not store, or JSON could not say, is refused here with the reason: NaN and infinities, NUL
characters, lone surrogates, values that are no JSON, what is nested too deeply, and what is too large.
"""

from __future__ import annotations

import dataclasses
import json
import re
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import orjson
from pydantic import BaseModel
from pydantic_core import from_json

from holdfast.errors import InvalidInput
from holdfast.kernel.json.canonical import MAX_DEPTH

__all__ = ["encode", "plain"]

# What is not plain JSON goes through plain either way, so that both ways write the same.
_AS_GIVEN = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def encode(field: str, value: Any, *, limit: int) -> str:
    """The JSON text of a value, at most `limit` bytes long."""
    try:
        quick = orjson.dumps(value, default=plain, option=_AS_GIVEN)
    except orjson.JSONEncodeError:
        return _encode_with_care(field, value, limit)
    # orjson writes NaN as null; and what it escapes as NUL may or may not be one. The slow way tells, and refuses.
    if b"null" in quick or b"\\u0000" in quick or len(quick) > limit:
        return _encode_with_care(field, value, limit)
    _check_depth(field, quick)
    return quick.decode()


def _encode_with_care(field: str, value: Any, limit: int) -> str:
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"), default=plain)
        encoded = text.encode()
    except UnicodeEncodeError:
        raise _refused(field, "it holds a lone surrogate, which is not valid Unicode", "remove it") from None
    except RecursionError:
        raise _too_deep(field) from None
    except (TypeError, ValueError) as error:
        hint = "use JSON values, a dataclass or a pydantic model"
        raise _refused(
            field, str(error).replace("Out of range float values are", "NaN and infinity are"), hint
        ) from None
    if len(encoded) > limit:
        raise _refused(
            field,
            f"it has {len(encoded)} bytes, the limit is {limit}",
            "store large data elsewhere and pass a reference",
        )
    if _NUL.search(text):
        raise _refused(field, "it holds a NUL character, which Postgres cannot store", "remove it")
    _check_depth(field, encoded)
    return text


def _check_depth(field: str, text: bytes) -> None:
    """What is stored must be told again, and what writes answers over HTTP stops soon after so many levels."""
    if text.count(b"[") + text.count(b"{") <= MAX_DEPTH:
        return
    try:
        # A quick way to find out: this parser goes that deep and no further.
        from_json(text)
    except ValueError:
        raise _too_deep(field) from None


def plain(value: Any) -> Any:
    """A value that JSON has no word for, in words it has; `TypeError` if there are none."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {entry.name: getattr(value, entry.name) for entry in dataclasses.fields(value)}
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, UUID | Decimal):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"a {type(value).__name__} is not JSON")


def _too_deep(field: str) -> InvalidInput:
    return _refused(field, f"it is nested more than {MAX_DEPTH} levels deep, or contains itself", "flatten it")


def _refused(field: str, why: str, hint: str) -> InvalidInput:
    return InvalidInput(f"{field} cannot be stored: {why}", hint=hint, field=field)
