"""Where in its lane a claim begins: at the head, or behind what was claimed a moment ago.

Until they are vacuumed, the index of a lane keeps the entries of runs that are gone. A claim that begins at the head
passes them all by, which after a million runs takes longer than claiming does. So a claim that took all it asked for
leaves a mark, and the next one begins there.

Something may come to lie before the mark: a run that is tried again, one whose transaction took its time. So every
now and then a claim begins at the head: as soon as the last one that did is ten times as long ago as it took, or five
seconds. Until then a lane rests. What is more important than the runs at the mark is found at once, by every claim.

A lane whose head takes long to pass by, longer than it takes to claim behind a mark, rests all the more: claims leave
it at what they find there, even if that is less than they asked for. Pure bookkeeping: no clock, no database.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["AT_THE_HEAD", "Lane", "Marks", "Start"]

_REST = 10
_LONGEST_REST = 5.0
_SLOW = 3
_SLOW_SECONDS = 0.02
"""What takes so long, and so many times as long as behind a mark, is slow."""

Lane = tuple[str, str]


class Start(NamedTuple):
    """Where a claim begins; a thorough one looks at the head too when it finds too little behind the mark."""

    mark: str | None
    thorough: bool


AT_THE_HEAD = Start(None, True)


class _Known(NamedTuple):
    mark: str | None = None
    rest_until: float = 0.0
    slow: bool = False
    usual: float = 0.0
    """How long the last claim behind a mark took."""


_NOTHING = _Known()


class Marks:
    """The marks of one worker, by lane."""

    def __init__(self) -> None:
        self._known: dict[Lane, _Known] = {}

    def rests(self, lane: Lane, now: float) -> bool:
        """Whether it takes long to begin at the head of a lane, and was done only recently."""
        return self._known.get(lane, _NOTHING).slow and self.rest(lane, now) > 0

    def rest(self, lane: Lane, now: float) -> float:
        """For how many seconds a lane still rests."""
        return max(0.0, self._known.get(lane, _NOTHING).rest_until - now)

    def start(self, lane: Lane, now: float) -> Start:
        """Where the next claim begins."""
        known = self._known.get(lane, _NOTHING)
        if now < known.rest_until:
            return Start(known.mark, not known.slow)
        if known.mark is not None:
            # As long as this one is under way, others go on from the mark.
            self._known[lane] = known._replace(rest_until=now + _LONGEST_REST)
        return AT_THE_HEAD

    def note(self, lane: Lane, start: Start, began: float, ended: float, mark: str | None) -> None:
        """A claim is over: where it began, and where the next one may."""
        known = self._known.get(lane, _NOTHING)
        seconds = ended - began
        if start.mark is None:
            slow = seconds > max(_SLOW_SECONDS, _SLOW * known.usual)
            known = known._replace(rest_until=ended + min(_REST * seconds, _LONGEST_REST), slow=slow)
        else:
            known = known._replace(usual=seconds)
        if mark is not None or known.slow:
            # Whatever was found, or not, from the head: who comes next need not pass by all of that again.
            self._known[lane] = known._replace(mark=mark or known.mark)
        else:
            self._known.pop(lane, None)
