"""Keyset cursors: an opaque text that says where a page ended, bound to the query it belongs to.

A cursor names the last row by its sort key, so rows that come or go between two pages neither shift nor repeat others.
It carries a mark of the query's filters: given to another query it is refused instead of silently skipping rows.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from holdfast.errors import CanonicalError, InvalidInput
from holdfast.kernel.json import canonical_hash, canonical_json, parse_json

__all__ = ["check_limit", "decode_cursor", "decode_id_cursor", "encode_cursor"]


def encode_cursor(query: Mapping[str, Any], position: list[str | int]) -> str:
    """The cursor after a row, for the query with these filters."""
    packed = canonical_json([canonical_hash(query)[:16], *position])
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode_cursor(query: Mapping[str, Any], cursor: str, types: tuple[type, ...]) -> list[Any]:
    """The position a cursor names; its parts must have the given types."""
    try:
        packed = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        found: list[Any] = list(parse_json(packed.decode()))
        mark, position = found[0], found[1:]
    except (binascii.Error, ValueError, TypeError, IndexError, CanonicalError):
        raise InvalidInput(
            "the cursor is not one of ours",
            hint="pass next_cursor of the previous page unchanged",
            field="cursor",
        ) from None
    if mark != canonical_hash(query)[:16]:
        raise InvalidInput(
            "the cursor belongs to another query",
            hint="keep filters and order the same from page to page, or start without a cursor",
            field="cursor",
        )
    if len(position) != len(types) or any(type(part) is not kind for part, kind in zip(position, types, strict=True)):
        raise _damaged()
    return position


def decode_id_cursor(query: Mapping[str, Any], cursor: str | None) -> UUID | None:
    """The id that a cursor of a list ordered by ids names; None without a cursor."""
    if cursor is None:
        return None
    try:
        return UUID(decode_cursor(query, cursor, (str,))[0])
    except ValueError:
        raise _damaged() from None


def _damaged() -> InvalidInput:
    return InvalidInput("the cursor is damaged", hint="start again without a cursor", field="cursor")


def check_limit(limit: int, *, maximum: int = 200) -> int:
    """A page size between 1 and the maximum."""
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= maximum:
        raise InvalidInput(f"limit is {limit!r}", hint=f"give a number from 1 to {maximum}", field="limit")
    return limit
