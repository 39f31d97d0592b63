"""Following a namespace: every change once, in an order in which each key's changes are in theirs.

A position is opaque. It holds two snapshots of the database: changes that the first could not see and the second can
are what is being read, up to a number. So a transaction that commits late is not missed, one that committed early is
not told twice, and no writer ever waits for another. A position fits the namespace and the database it came from.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

from holdfast.data.model import Change, Changes
from holdfast.data.port import Following, Here, KeyStore, Row
from holdfast.errors import InvalidInput, PositionLost
from holdfast.kernel.cursor import decode_cursor, encode_cursor
from holdfast.kernel.exact import decode

__all__ = ["After", "follow", "read_changes"]

After = int | str | None
"""Where to begin: after a revision, after a position, or (None) now."""

_LONGEST_TRANSACTION = timedelta(days=1)
_QUICK, _SLOW = 0.02, 0.5
"""Seconds between two looks: right after something happened, and after a while of silence."""


async def read_changes(store: KeyStore, namespace: str, after: After, limit: int) -> Changes:
    """The next changes after a revision or a position; with None, only the position where they are now."""
    here = await store.here()
    query = {"changes": namespace}
    if after is None:
        return Changes([], _position(query, here, here.at, Following(here.snapshot, "", 0, 0)), more=False)
    if isinstance(after, str):
        wanted, since_at = _read_position(query, here, after)
    else:
        await _check_revision(store, namespace, here, after)
        wanted, since_at = Following(store.beginning, "", 0, after), here.at
    items: list[Change] = []
    while True:
        pinned = bool(wanted.upto)
        wanted = wanted if pinned else wanted._replace(upto=here.snapshot)
        rows = await store.changes(namespace, wanted, limit - len(items) + 1)
        more = len(rows) > limit - len(items)
        for row in rows[: limit - len(items)]:
            place = _position(query, here, since_at, wanted._replace(after=row["id"]))
            items.append(_change(row, place))
        if more:
            end = items[-1].position if items else _position(query, here, since_at, wanted)
            return Changes(items, end, more=True)
        wanted = Following(wanted.upto, "", 0, 0)
        if not pinned:
            return Changes(items, _position(query, here, here.at, wanted), more=False)
        # The position was in the midst of what an earlier moment saw: having read that to its end, go on to now.


async def follow(read: Callable[[After], Awaitable[Changes]], after: After) -> AsyncIterator[Change]:
    """Changes as they come, for ever. Looks often while something happens and seldom when nothing does."""
    position, pause = after, _QUICK
    while True:
        found = await read(position)
        for change in found.items:
            yield change
        position = found.position
        if found.items:
            pause = _QUICK
        if not found.more:
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, _SLOW)


def _change(row: Row, position: str) -> Change:
    value = row["value"]
    return Change(
        key=row["key"],
        op=row["op"],
        revision=row["revision"],
        value=None if value is None else decode(value),
        superseded=row["op"] == "set" and value is None,
        at=row["created_at"],
        position=position,
    )


async def _check_revision(store: KeyStore, namespace: str, here: Here, revision: int) -> None:
    if isinstance(revision, bool) or revision < 0:
        raise InvalidInput(f"after is {revision!r}", hint="give a revision, 0 for all, or a position", field="after")
    if here.dropped_until is not None:
        oldest = await store.oldest_change(namespace)
        if oldest is None or revision < oldest:
            raise _lost(namespace)


def _position(query: dict[str, Any], here: Here, since_at: datetime, wanted: Following) -> str:
    return encode_cursor(query, [here.origin, since_at.isoformat(), *wanted])


def _read_position(query: dict[str, Any], here: Here, position: str) -> tuple[Following, datetime]:
    origin, at, since, upto, after, above = decode_cursor(query, position, (int, str, str, str, int, int))
    try:
        since_at = datetime.fromisoformat(at)
    except ValueError:
        raise InvalidInput("the position is damaged", hint="read the namespace anew", field="after") from None
    # What a transaction wrote that began before the position is filed under the time it began.
    gone = here.dropped_until is not None and since_at - _LONGEST_TRANSACTION < here.dropped_until
    if origin != here.origin or gone:
        raise _lost(query["changes"])
    return Following(since, upto, after, above), since_at


def _lost(namespace: str) -> PositionLost:
    return PositionLost(
        f"changes of {namespace!r} since that position are no longer kept",
        hint="list the namespace and follow from now on (after=None); HOLDFAST_DATA_CHANGE_RETENTION keeps them longer",
        namespace=namespace,
    )
