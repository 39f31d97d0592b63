"""JSON of rows: exact both ways. A decimal stays the number it is, and nothing becomes a binary float.

What the engine writes is dumped by orjson; decimals travel as the digits they have. What it reads goes through
`parse_json`, which gives decimals back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self
from uuid import UUID

import orjson

from holdfast.kernel.json.canonical import parse_json
from holdfast.kernel.json.codec import encode

__all__ = ["check_json", "dump", "parse"]

_OPTIONS = orjson.OPT_NON_STR_KEYS
_LIMIT = 64 * 1024 * 1024
"""Bytes of one value. Far below what Postgres takes for a row, and far above what belongs into a process."""


def dump(value: Any) -> str:
    """A value as JSON text."""
    try:
        return orjson.dumps(value, default=_plain, option=_OPTIONS).decode()
    except TypeError:
        # Integers beyond 64 bits, or a mapping of another kind: rare, and slower.
        return json.dumps(value, default=_plain_slow, separators=(",", ":"), ensure_ascii=False)


def check_json(field: str, value: Any) -> None:
    """Raise `InvalidInput` for what somebody gave if it is not JSON, or Postgres could not keep it."""
    if value is not None:
        encode(field, value, limit=_LIMIT)


def parse(text: str | bytes | None) -> Any:
    """What `dump` wrote, or Postgres made of it."""
    return None if text is None else parse_json(text)


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return orjson.Fragment(format(value, "f"))
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} is not a JSON value")


class _Number(float):
    """A decimal on its way through `json`, which writes a float's repr."""

    def __new__(cls, value: Decimal) -> Self:
        made = super().__new__(cls, value)
        made.digits = format(value, "f")
        return made

    digits: str

    def __repr__(self) -> str:
        return self.digits


def _plain_slow(value: Any) -> Any:
    if isinstance(value, Decimal):
        return _Number(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, UUID):
        return str(value)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is not a JSON value")
