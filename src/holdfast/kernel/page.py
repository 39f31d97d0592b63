"""A page of a list: what all slices answer lists with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["Page"]

T = TypeVar("T")


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
