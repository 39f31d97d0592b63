"""Following a namespace: every change once, in an order in which each key's changes are in theirs.

A position is opaque. It holds two snapshots of the database: changes that the first could not see and the second can
are what is being read, up to a number. So a transaction that commits late is not missed, one that committed early is
not told twice, and no writer ever waits for another. A position fits the namespace and the database it came from.

A revision is no position: transactions commit in another order than they number what they write. Who begins after a
revision is told what has a greater one, and what others were still writing when it was given; some of that they may
know already, but they miss nothing. From then on there are positions.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from typing import Any

from holdfast.data.model import Change, Changes
from holdfast.data.port import Following, Here, KeyStore, Known, Row
from holdfast.errors import InvalidInput, PositionLost
from holdfast.kernel.cursor import decode_cursor, encode_cursor
from holdfast.kernel.json import decode_anything

__all__ = ["After", "Heard", "follow", "read_changes"]

After = int | str | None
"""Where to begin: after a revision, after a position, or (None) now."""

Heard = Callable[[str], AbstractAsyncContextManager[asyncio.Event]]
"""Gives, for as long as it is open, an event that is set when a namespace may have news."""

_LONGEST_TRANSACTION = timedelta(days=1)
_QUICK, _SLOW = 0.02, 0.5
"""Seconds between two looks where nobody wakes us: right after something happened, and after a while of silence."""
_LOOK_SECONDS = 2.0
"""Seconds between two looks of who is woken: a notification is a hint, and may be lost."""
_SNAPSHOT = re.compile(r"([0-9]{1,19}):([0-9]{1,19}):((?:[0-9]{1,19}(?:,[0-9]{1,19})*)?)")
_XID = re.compile(r"[0-9]{1,19}")
_PARTS = (int, datetime, str, str, int, int, str, str)


async def read_changes(store: KeyStore, namespace: str, after: After, limit: int) -> Changes:
    """The next changes after a revision or a position; with None, only the position where they are now."""
    here = await store.here()
    query = {"changes": namespace}
    if after is None:
        return Changes([], _position(query, here, here.at, _all_since(here.snapshot, store)), more=False)
    if isinstance(after, str):
        wanted, since_at = _read_position(query, here, after, store.beginning)
    else:
        known = await _known_until(store, namespace, here, after)
        wanted, since_at = Following(store.beginning, "", 0, after, known.seen, known.by), here.at
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
        wanted = _all_since(wanted.upto, store)
        if not pinned:
            return Changes(items, _position(query, here, here.at, wanted), more=False)
        # The position was in the midst of what an earlier moment saw: having read that to its end, go on to now.


async def follow(
    read: Callable[[After], Awaitable[Changes]], after: After, news: AbstractAsyncContextManager[asyncio.Event] | None
) -> AsyncGenerator[Change, None]:
    """Changes as they come, for ever. Looks when woken or, without news to wait for, often while something happens."""
    position, pause = after, _QUICK
    async with news or contextlib.nullcontext() as event:
        while True:
            if event is not None:
                event.clear()
            found = await read(position)
            for change in found.items:
                yield change
            position = found.position
            if found.items:
                pause = _QUICK
            if found.more:
                continue
            if event is None:
                await asyncio.sleep(pause)
                pause = min(pause * 1.5, _SLOW)
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_SECONDS):
                    await event.wait()


def _change(row: Row, position: str) -> Change:
    value = row["value"]
    return Change(
        key=row["key"],
        op=row["op"],
        revision=row["revision"],
        value=None if value is None else decode_anything(value),
        superseded=row["op"] == "set" and value is None,
        at=row["created_at"],
        position=position,
    )


async def _known_until(store: KeyStore, namespace: str, here: Here, revision: int) -> Known:
    if isinstance(revision, bool) or not isinstance(revision, int) or not 0 <= revision < 2**63:
        raise InvalidInput(f"after is {revision!r}", hint="give a revision, 0 for all, or a position", field="after")
    known = await store.known_until(namespace, revision)
    if here.dropped_until is not None and (known.oldest is None or revision < known.oldest):
        raise _lost(namespace)
    return known


def _all_since(snapshot: str, store: KeyStore) -> Following:
    return Following(snapshot, "", 0, 0, store.beginning, "0")


def _position(query: dict[str, Any], here: Here, since_at: datetime, wanted: Following) -> str:
    return encode_cursor(query, [here.origin, since_at.isoformat(), *wanted])


def _read_position(query: dict[str, Any], here: Here, position: str, beginning: str) -> tuple[Following, datetime]:
    try:
        parts = decode_cursor(query, position, _PARTS)
    except InvalidInput:
        # As positions were before they said what is known of a revision.
        parts = [*decode_cursor(query, position, _PARTS[:-2]), beginning, "0"]
    origin, since_at, *rest = parts
    wanted = Following(*rest)
    if not _is_sound(wanted, beginning):
        raise InvalidInput("the position is damaged", hint="read the namespace anew", field="after")
    # What a transaction wrote that began before the position is filed under the time it began.
    earliest = since_at - _LONGEST_TRANSACTION
    gone = here.dropped_until is not None and earliest < here.dropped_until
    if origin != here.origin or gone:
        raise _lost(query["changes"])
    return wanted, since_at


def _is_sound(wanted: Following, beginning: str) -> bool:
    """Whether the database can read it: a position is opaque, but anybody can make one up."""
    snapshots = (wanted.since, wanted.upto or wanted.since, wanted.seen)
    return (
        all(_is_snapshot(snapshot, beginning) for snapshot in snapshots)
        and _XID.fullmatch(wanted.by) is not None
        and all(0 <= number < 2**63 for number in (wanted.after, wanted.above))
    )


def _is_snapshot(text: str, beginning: str) -> bool:
    """Whether it is a snapshot of a store whose beginning is that one: a number or, in Postgres, three parts."""
    if beginning.isdecimal():
        return _XID.fullmatch(text) is not None
    parts = _SNAPSHOT.fullmatch(text)
    if parts is None:
        return False
    under_way = [int(xid) for xid in parts[3].split(",") if xid]
    first, last = int(parts[1]), int(parts[2])
    return 0 < first <= last and under_way == sorted(under_way) and all(first <= xid < last for xid in under_way)


def _lost(namespace: str) -> PositionLost:
    return PositionLost(
        f"changes of {namespace!r} since that position are no longer kept",
        hint="list the namespace and follow from now on (after=None); HOLDFAST_DATA_CHANGE_RETENTION keeps them longer",
        namespace=namespace,
    )
