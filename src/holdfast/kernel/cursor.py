"""Keyset cursors: an opaque text that says where a page ended, bound to the query it belongs to.

A cursor names the last row by its sort key, so rows that come or go between two pages neither shift nor repeat others.
It carries a mark of the query's filters: given to another query it is refused instead of silently skipping rows.

A cursor is opaque, but not signed: anybody can make one up, and reads nothing by it that the query would not show.
So what it names is checked like any other input, part by part, before the database sees it.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from holdfast.errors import CanonicalError, InvalidInput
from holdfast.kernel.json import canonical_hash, canonical_json, parse_json
from holdfast.kernel.names import is_storable

__all__ = ["check_limit", "decode_cursor", "decode_id_cursor", "encode_cursor"]

_WRITTEN: Final = {UUID: str, datetime: str}
"""How a part is written that JSON has no type for."""
_YEARS: Final = range(1900, 9000)
"""Beyond them the time zone may lead out of what Python or Postgres can count."""


def encode_cursor(query: Mapping[str, Any], position: list[str | int]) -> str:
    """The cursor after a row, for the query with these filters."""
    packed = canonical_json([canonical_hash(query)[:16], *position])
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode_cursor(query: Mapping[str, Any], cursor: str, types: tuple[type, ...]) -> list[Any]:
    """The position a cursor names; its parts are of the given types: texts, integers, ids or moments."""
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
    if len(position) != len(types):
        raise _damaged()
    return [_part(part, kind) for part, kind in zip(position, types, strict=True)]


def decode_id_cursor(query: Mapping[str, Any], cursor: str | None) -> UUID | None:
    """The id that a cursor of a list ordered by ids names; None without a cursor."""
    if cursor is None:
        return None
    found: UUID = decode_cursor(query, cursor, (UUID,))[0]
    return found


def _part(part: Any, kind: type) -> Any:
    """One part, as the database can take it."""
    if type(part) is not _WRITTEN.get(kind, kind):
        raise _damaged()
    if isinstance(part, int):
        if not -(2**63) <= part < 2**63:
            raise _damaged()
        return part
    if not isinstance(part, str) or not is_storable(part):
        raise _damaged()
    try:
        if kind is datetime:
            moment = datetime.fromisoformat(part)
            if moment.tzinfo is None or moment.year not in _YEARS:
                raise _damaged()
            return moment
        return UUID(part) if kind is UUID else part
    except ValueError:
        raise _damaged() from None


def _damaged() -> InvalidInput:
    return InvalidInput("the cursor is damaged", hint="start again without a cursor", field="cursor")


def check_limit(limit: int, *, maximum: int = 200) -> int:
    """A page size between 1 and the maximum."""
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= maximum:
        raise InvalidInput(f"limit is {limit!r}", hint=f"give a number from 1 to {maximum}", field="limit")
    return limit
