"""Where the claims of a queue in the order of time begin: at the head, or behind what was claimed a moment ago.

The same idea as the marks of runs, for tables that are claimed in the order in which rows become due. Whatever comes
new, or is tried again, is due later than what was claimed before, and so lies behind the mark of its lane; only a
transaction that took its time leaves something before it. A claim that finds nothing behind the marks looks at the head
at once, and in any case one does as soon as the last that did is ten times as long ago as it took, five seconds at
most. Where passing by the head takes long, because a transaction that is open somewhere keeps Postgres from cleaning
up, claims leave it at what is behind the marks until then. Pure bookkeeping: no clock, no database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["QueueMarks"]

_REST = 10
_LONGEST_REST = 5.0
_SLOW = 3
_SLOW_SECONDS = 0.02
_MOST = 1_000
"""Lanes that are remembered; with more, all of them begin at the head again."""


class QueueMarks:
    """The marks of one worker, by tenant and lane. `order` names what the queue is claimed in the order of."""

    def __init__(self, *order: str) -> None:
        self._order = order
        self._marks: dict[tuple[Any, str], tuple[Any, ...]] = {}
        self._rest_until = 0.0
        self._usual = 0.0
        self._slow = False

    @property
    def slow(self) -> bool:
        """Whether it takes long to begin at the head."""
        return self._slow

    def start(self, now: float) -> Sequence[Mapping[str, Any]] | None:
        """Where the next claim begins, as its statement takes it; None: at the head."""
        if now >= self._rest_until or not self._marks:
            return None
        return [
            {"tenant": tenant, "lane": lane, **dict(zip(self._order, mark, strict=True))}
            for (tenant, lane), mark in self._marks.items()
        ]

    def note(self, *, at_head: bool, began: float, ended: float, rows: Iterable[Mapping[str, Any]]) -> None:
        """A claim is over: how long it took, and what it found, each with `tenant`, `lane` and its order."""
        seconds = ended - began
        if at_head:
            self._slow = seconds > max(_SLOW_SECONDS, _SLOW * self._usual)
            self._rest_until = ended + min(_REST * seconds, _LONGEST_REST)
        else:
            self._usual = seconds
        for row in rows:
            lane = (row["tenant"], row["lane"] or "")
            mark = tuple(row[name] for name in self._order)
            self._marks[lane] = max(self._marks.get(lane, mark), mark)
        if len(self._marks) > _MOST:
            self._marks.clear()
