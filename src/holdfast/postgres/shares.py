"""Fair shares of something that many use at a time: no tenant, and no token, can have all of it.

A tenant may take more while it has no more than it leaves free; a token while it has no more than half of what is left.
So a tenant that is alone gets half, the next one half of the rest, and whoever comes finds something, without a number
to configure. Who may not wait: those of tenants that have least come first. Who waited too long is told so, and nobody
else is.

Pure bookkeeping on one event loop: it knows nothing of what is shared. Connections are shared by their number, the
memory for bodies of requests by bytes.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Hashable
from contextvars import ContextVar
from dataclasses import dataclass

from holdfast.errors import OperationalError, ShareUsedUp

__all__ = ["CALLER", "Caller", "Shares"]

_MOST_WAITING = 200


@dataclass(slots=True, eq=False)
class Caller:
    """Whose request is being answered. Only the first of its connections counts: it must not wait for itself."""

    tenant: Hashable
    token: Hashable
    places: int = 0


CALLER: ContextVar[Caller | None] = ContextVar("holdfast_caller", default=None)
"""Who is being answered; nobody in workers, commands and code of your own, which share with nobody."""


class Shares:
    """So many places, of which each takes some for a while."""

    def __init__(self, places: int, *, wait: float) -> None:
        self._places = places
        self._wait = wait
        self._free = places
        self._in_use: Counter[Hashable] = Counter()
        self._waiting: defaultdict[tuple[Hashable, Hashable], deque[tuple[asyncio.Future[None], int]]]
        self._waiting = defaultdict(deque)

    @property
    def free(self) -> int:
        """How many nobody has."""
        return self._free

    async def take(self, tenant: Hashable, token: Hashable, count: int = 1) -> None:
        """Take some; raises `ShareUsedUp` after waiting for long enough. What is taken must be given back."""
        party = (tenant, token)
        if party not in self._waiting and self._fits(party, count):
            self._add(party, count)
            return
        queue = self._waiting[party]
        if len(queue) >= _MOST_WAITING:
            raise self._refusal(party)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append((turn, count))
        try:
            async with asyncio.timeout(self._wait):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                # Its turn came in the very moment in which it gave up.
                self.give_back(tenant, token, count)
            else:
                queue.remove((turn, count))
                self._forget(party)
            if isinstance(error, TimeoutError):
                raise self._refusal(party) from None
            raise

    def give_back(self, tenant: Hashable, token: Hashable, count: int = 1) -> None:
        """Give back what was taken, and let those in who may have it now."""
        self._add((tenant, token), -count)
        for party in sorted(self._waiting, key=lambda each: self._in_use[each[0]]):
            queue = self._waiting[party]
            while queue and self._fits(party, queue[0][1]):
                turn, wanted = queue.popleft()
                if not turn.done():
                    self._add(party, wanted)
                    turn.set_result(None)
            self._forget(party)

    def _fits(self, party: tuple[Hashable, Hashable], count: int) -> bool:
        most = self._free - count
        return self._in_use[party[0]] <= most and 2 * self._in_use[party] <= most

    def _add(self, party: tuple[Hashable, Hashable], count: int) -> None:
        self._free -= count
        for name in (party[0], party):
            self._in_use[name] += count
            if not self._in_use[name]:
                del self._in_use[name]

    def _forget(self, party: tuple[Hashable, Hashable]) -> None:
        if not self._waiting[party]:
            del self._waiting[party]

    def _refusal(self, party: tuple[Hashable, Hashable]) -> ShareUsedUp | OperationalError:
        if not self._in_use[party[0]]:
            return OperationalError(
                "the server is busy: everything is in use",
                hint="try again; a higher HOLDFAST_POOL_MAX helps if it stays so",
            )
        return ShareUsedUp(
            f"this {'token' if self._in_use[party] else 'tenant'} has as much of the server in use as it may have",
            hint="wait for the answers of other requests, then try again",
        )
