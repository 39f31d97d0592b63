"""Which lanes to claim from next: fair between tenants, by weight, and within the limits of each type.

A lane is one type of one tenant. The worker knows the lanes that have something ready, from notifications and from
looking every so often; a claim that comes back short dries its lane up, unless news of it arrived meanwhile. Pure
bookkeeping: no clock, no database.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil

__all__ = ["Claim", "Lanes"]

_TENANTS_PER_CLAIM = 64
_AGE_EVERY = 8


@dataclass(frozen=True, slots=True)
class Claim:
    """How many runs to ask of a lane, and what was known of it then."""

    tenant: str
    type: str
    quota: int
    news: int


class Lanes:
    """The lanes of one worker that have, or may have, something ready."""

    def __init__(self) -> None:
        # Tenants in the order in which they are served; whoever was served goes to the end.
        self._tenants: OrderedDict[str, dict[str, int]] = OrderedDict()
        self._weights: dict[str, int] = {}
        # Places that come to a tenant by its weight and that it has not had yet, or (negative) has had beyond it.
        self._credit: dict[str, float] = {}
        self._asking: Counter[tuple[str, str]] = Counter()
        # Lanes whose last claim found more than it could take. Only of these may several claims be under way at once:
        # of any other, the answer to the first says whether there is a second to be made.
        self._rich: set[tuple[str, str]] = set()
        self._news = 0
        self._turn = 0

    def __len__(self) -> int:
        return sum(map(len, self._tenants.values()))

    def add(self, tenant: str, type: str, weight: int | None = None) -> None:  # noqa: A002 - it is the type
        """There is something ready in a lane."""
        self._news += 1
        self._tenants.setdefault(tenant, {})[type] = self._news
        if weight is not None:
            self._weights[tenant] = weight

    def settle(self, claim: Claim, found: bool | None, *, dry: bool = False) -> None:
        """A claim came back: with something, with nothing, or (None) without telling.

        An empty lane is forgotten, and one that gave less than it was asked for (`dry`), unless there was news of it
        since, or another claim is under way that may have locked the runs this one passed over.
        """
        lane = (claim.tenant, claim.type)
        self._asking[lane] -= 1
        if not self._asking[lane]:
            del self._asking[lane]
        if found and not dry:
            self._rich.add(lane)
        elif found is not None:
            self._rich.discard(lane)
        types = self._tenants.get(claim.tenant)
        if types is None or claim.type not in types:
            return
        if found and not dry:
            self._news += 1
            types[claim.type] = self._news
        if found is None or types[claim.type] != claim.news or self._asking[lane]:
            return
        del types[claim.type]
        if not types:
            del self._tenants[claim.tenant]
            self._credit.pop(claim.tenant, None)

    def by_age(self) -> bool:
        """Whether this turn goes to the runs that have waited longest, whatever their priority: every eighth does."""
        self._turn += 1
        return self._turn % _AGE_EVERY == 0

    def choose(
        self, places: int, room: Callable[[str], int], promise: Callable[[list[Claim]], None] = lambda _: None
    ) -> list[Claim]:
        """Share free places between the tenants whose turn it is, in proportion to their weights.

        Places come free one by one as often as many at once; what a tenant's weight gives it beyond them is kept for
        the next time, so that three to one is three to one either way.

        `room` says how many more of a type may run. `promise` is told what each tenant was given, so that the room that
        the next one finds is without it.
        """
        if places <= 0:
            return []
        claims: list[Claim] = []
        for tenant, quota in self._shares(places, self._able(min(places, _TENANTS_PER_CLAIM), room)).items():
            given: list[Claim] = []
            for type_ in self._askable(tenant):
                allowed = min(quota, room(type_))
                if allowed > 0:
                    given.append(Claim(tenant, type_, allowed, self._tenants[tenant][type_]))
                    self._asking[tenant, type_] += 1
            promise(given)
            claims += given
        return claims

    def _able(self, most: int, room: Callable[[str], int]) -> dict[str, int]:
        """Those who are next and can be asked now, and how many places each can use."""
        rooms: dict[str, int] = {}
        able: dict[str, int] = {}
        for tenant in self._tenants:
            uses = 0
            for type_ in self._askable(tenant):
                if type_ not in rooms:
                    rooms[type_] = room(type_)
                # Lanes of one tenant share what it is given.
                uses = max(uses, rooms[type_])
            if uses > 0:
                able[tenant] = uses
                if len(able) == most:
                    break
        return able

    def _askable(self, tenant: str) -> Iterator[str]:
        for type_ in self._tenants[tenant]:
            lane = (tenant, type_)
            if lane in self._rich or not self._asking[lane]:
                yield type_

    def _shares(self, places: int, able: dict[str, int]) -> dict[str, int]:
        """Deal places out by weight, in rounds, until there are no more or nobody can use one."""
        shares = dict.fromkeys(able, 0)
        total = sum(self._weights.get(tenant, 1) for tenant in able)
        while places and able:
            unit = max(1.0, places / total)
            for tenant, uses in list(able.items()):
                credit = self._credit.pop(tenant, 0.0)
                if credit <= 0:
                    credit += self._weights.get(tenant, 1) * unit
                taken = min(places, uses, ceil(credit))
                credit -= taken
                shares[tenant] += taken
                places -= taken
                able[tenant] -= taken
                if not able[tenant]:
                    del able[tenant]
                else:
                    self._credit[tenant] = credit
                    if credit > 0:
                        # The places are gone, and it has more to come: it is the first to be asked when some come free.
                        return shares
                self._tenants.move_to_end(tenant)
                if not places:
                    return shares
        return shares
