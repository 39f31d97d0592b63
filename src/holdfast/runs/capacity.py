"""How many runs a worker can take: its slots, the limit of each type, and threads for plain functions.

What claims under way may bring is counted as taken (`Promise`): two statements are in the air at a time, and neither
may give away what the other was promised. Pure bookkeeping: no clock, no database.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from holdfast.runs.lanes import Claim, Lanes
from holdfast.runs.registry import Handlers
from holdfast.runs.slots import Slots

__all__ = ["BATCH", "NOTHING", "TURNS", "Capacity", "Promise"]

TURNS = 2
"""Statements under way at a time, so that Postgres works while handlers do."""
BATCH = 250
"""Runs in one statement. Longer answers arrive in pieces, which costs the client more than it saves Postgres."""
_AHEAD = 1000
_AHEAD_SECONDS = 0.01
_QUICK_SECONDS = 0.001


class Promise(NamedTuple):
    """The claims of one statement, and the slots and threads kept for them until its answer is here."""

    claims: list[Claim]
    slots: int
    plain: int


NOTHING = Promise([], 0, 0)


class Capacity:
    """What one worker has room for."""

    def __init__(self, handlers: Handlers, slots: Slots, *, concurrency: int, threads: int) -> None:
        self._handlers = handlers
        self._slots = slots
        self._concurrency = concurrency
        self._threads = threads
        # One turn takes at most its share of the slots, so that another can be under way at the same time.
        self._share = min(BATCH, -(-concurrency // TURNS))
        self._plain = {handler.type for handler in handlers if not handler.asynchronous}
        self._free = concurrency
        self._busy: Counter[str] = Counter()
        self._busy_plain = 0

    def room(self, kind: str) -> int:
        """How many more of a type may execute."""
        handler = self._handlers.find(kind)
        room = self._concurrency + self._ahead() - self._busy[kind]
        if handler is None:
            return room
        if handler.concurrency is not None:
            room = handler.concurrency - self._busy[kind]
        if not handler.asynchronous:
            # Plain functions share the threads, of which some may still be with a function whose attempt is over.
            room = min(room, self._threads - self._busy_plain - self._slots.stray_threads)
        return room

    def occupy(self, kind: str) -> None:
        """A run came."""
        self._free -= 1
        self._busy[kind] += 1
        if kind in self._plain:
            self._busy_plain += 1

    def vacate(self, kind: str) -> None:
        """A run is over."""
        self._free += 1
        self._busy[kind] -= 1
        if kind in self._plain:
            self._busy_plain -= 1

    def promise(self, lanes: Lanes) -> Promise:
        """Choose the claims of the next statement, and keep the room for what they may bring."""
        plain = 0

        def count(claims: list[Claim]) -> None:
            nonlocal plain
            for claim in claims:
                self._busy[claim.type] += claim.quota
            if self._plain:
                shared = _shared([claim for claim in claims if claim.type in self._plain])
                self._busy_plain += shared
                plain += shared

        claims = lanes.choose(self._wanted(), self.room, count)
        slots = _shared(claims)
        self._free -= slots
        return Promise(claims, slots, plain)

    def release(self, promise: Promise) -> None:
        """The answer is here, or there will be none; what came counts by itself."""
        self._free += promise.slots
        self._busy_plain -= promise.plain
        for claim in promise.claims:
            self._busy[claim.type] -= claim.quota

    def _wanted(self) -> int:
        """How many runs the next statement may bring."""
        ahead = self._ahead()
        return min(self._free + ahead, max(self._share, min(BATCH, ahead // TURNS)))

    def _ahead(self) -> int:
        """How many more runs than slots to hold: what is over within ten milliseconds, when runs are that quick."""
        pace = self._slots.pace
        return min(_AHEAD, int(_AHEAD_SECONDS / pace)) if pace < _QUICK_SECONDS else 0


def _shared(claims: Sequence[Claim]) -> int:
    """How many runs claims may bring: a tenant's lanes share their slots, so that only the largest counts."""
    if len(claims) == 1:
        return claims[0].quota
    shares: Counter[str] = Counter()
    for claim in claims:
        shares[claim.tenant] = max(shares[claim.tenant], claim.quota)
    return shares.total()
