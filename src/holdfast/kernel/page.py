"""A page of a list: what all slices answer lists with.

Where what is listed may be large, a page is read in windows: some rows, and then as many as there is room for. One that
says that it ended early is better than one that is no server's memory.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from holdfast.kernel.room import Room

__all__ = ["PAGE_CHARACTERS", "Page", "read_in_windows"]

T = TypeVar("T")
PAGE_CHARACTERS: Final = 16 * 1024 * 1024
"""Characters of content that a page holds, and then it ends; what comes last may be longer."""
_FIRST: Final = 8


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some items in the order of their list, and the cursor for those that come after; None when there are none.

    For example:

        page = await hold.runs.list(limit=100)
        while page.next_cursor is not None:
            page = await hold.runs.list(limit=100, cursor=page.next_cursor)
    """

    items: list[T]
    next_cursor: str | None


async def read_in_windows(
    read: Callable[[Any, int], Awaitable[list[dict[str, Any]]]], most: int, *content: str
) -> tuple[list[dict[str, Any]], bool]:
    """Up to so many rows, of which the columns `content` may be long; and whether there may be more.

    `read` gives rows after one, or from the beginning for None, and at most so many.
    """
    rows: list[dict[str, Any]] = []
    taken = 0
    while len(rows) < most:
        room = (PAGE_CHARACTERS - taken) * len(rows) // max(taken, 1)
        wanted = min(most - len(rows), max(room, 1) if rows else _FIRST)
        found = await read(rows[-1] if rows else None, wanted)
        rows += found
        taken += sum(_length(row[name]) for row in found for name in content)
        if len(found) < wanted:
            return rows, False
        if taken >= PAGE_CHARACTERS:
            return rows, True
    return rows, True


def _length(value: Any) -> int:
    """About as many characters as a column has, as text or read already."""
    if value is None or isinstance(value, str | bytes | memoryview):
        return 0 if value is None else len(value)
    room = Room(PAGE_CHARACTERS, PAGE_CHARACTERS)
    room.take(value)
    return 2 * PAGE_CHARACTERS - room.values - room.characters
