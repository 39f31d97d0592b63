"""Which lanes to claim from next: fair between tenants, by weight, and within the limits of each type.

A lane is one type of one tenant. The worker knows the lanes that have something ready, from notifications and from
looking every so often; a claim that comes back short dries its lane up, unless news of it arrived meanwhile. Pure
bookkeeping: no clock, no database.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from math import ceil
from typing import NamedTuple

__all__ = ["Claim", "Lanes"]

_TENANTS_PER_CLAIM = 64
_AGE_EVERY = 8
_TENANTS_KEPT = 1000
"""So many that have nothing ready now are remembered: most are heard of again, before anybody tells their weight."""


class Claim(NamedTuple):
    """How many runs to ask of a lane, and what was known of it then."""

    tenant: str
    type: str
    quota: int
    news: int

    @property
    def lane(self) -> tuple[str, str]:
        """The tenant and the type."""
        return (self.tenant, self.type)


class Lanes:
    """The lanes of one worker that have, or may have, something ready."""

    def __init__(self) -> None:
        # Tenants in the order in which they are served; whoever was served goes to the end.
        self._tenants: OrderedDict[str, dict[str, int]] = OrderedDict()
        # Other than 1, the latest told last.
        self._weights: dict[str, int] = {}
        # Places that come to a tenant by its weight and that it has not had yet, or (negative) has had beyond it.
        self._credit: dict[str, float] = {}
        self._asking: Counter[tuple[str, str]] = Counter()
        # Lanes whose last claim found more than it could take. Only of these may several claims be under way at once:
        # of any other, the answer to the first says whether there is a second to be made.
        self._rich: set[tuple[str, str]] = set()
        self._news = 0
        # How often each tenant was asked since it was last asked by age.
        self._asked: Counter[str] = Counter()

    def __len__(self) -> int:
        return sum(map(len, self._tenants.values()))

    def add(self, tenant: str, type: str, weight: int | None = None) -> None:  # noqa: A002 - it is the type
        """There is something ready in a lane."""
        self._news += 1
        self._tenants.setdefault(tenant, {})[type] = self._news
        if weight is not None:
            self._weigh(tenant, weight)

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

    def by_age(self, claims: Iterable[Claim], *, may: bool = True) -> bool:
        """Whether these go to the runs that have waited longest, whatever their priority: every eighth does.

        They are counted for each tenant: of all claims together, the eighth might always be the same tenant's. If they
        may not, a later one does.
        """
        tenants = {claim.tenant for claim in claims}
        self._asked.update(tenants)
        self._forget_idle(self._asked)
        if not may or all(self._asked[tenant] < _AGE_EVERY for tenant in tenants):
            return False
        for tenant in tenants:
            del self._asked[tenant]
        return True

    def choose(
        self, slots: int, room: Callable[[str], int], promise: Callable[[list[Claim]], None] = lambda _: None
    ) -> list[Claim]:
        """Share free slots between the tenants whose turn it is, in proportion to their weights.

        Places come free one by one as often as many at once; what a tenant's weight gives it beyond them is kept for
        the next time, so that three to one is three to one either way. So it is when there are slots, but only so much
        room for a type: who finds none because others have it is next when there is some.

        `room` says how many more of a type may run. `promise` is told whatever a tenant is given, so that the room that
        the next one finds is without it.
        """
        if len(self._tenants) == 1 and slots > 0:
            return self._choose_alone(slots, room, promise)
        chosen: dict[tuple[str, str], Claim] = {}
        able = self._able(min(slots, _TENANTS_PER_CLAIM), room) if slots > 0 else {}
        while slots and able:
            # In rounds, until there are no more slots or nobody can use one; smaller ones where there is little room.
            unit = max(1.0, min(slots, *able.values()) / sum(self._weight(tenant) for tenant in able))
            for tenant in list(able):
                credit = self._credit.get(tenant, 0.0)
                if credit <= 0:
                    credit += self._weight(tenant) * unit
                wanted = min(slots, max(1, ceil(credit)))
                given = self._given(tenant, wanted, room)
                promise(given)
                for claim in given:
                    lane = (claim.tenant, claim.type)
                    before = chosen[lane].quota if lane in chosen else 0
                    chosen[lane] = claim._replace(quota=before + claim.quota) if before else claim
                taken = max((claim.quota for claim in given), default=0)
                slots -= taken
                if taken < wanted:
                    del able[tenant]
                if taken:
                    self._credit[tenant] = credit - taken
                    if credit <= taken:
                        self._tenants.move_to_end(tenant)
                    # Else it has more to come, and is the first to be asked when there is a slot, or room, for it.
                if not slots:
                    break
        self._asking.update(chosen.keys())
        return list(chosen.values())

    def _choose_alone(
        self, slots: int, room: Callable[[str], int], promise: Callable[[list[Claim]], None]
    ) -> list[Claim]:
        """There is one tenant: whatever there is room for is its own, and nobody owes anybody anything."""
        (tenant,) = self._tenants
        self._credit.pop(tenant, None)
        given = self._given(tenant, slots, room)
        promise(given)
        for claim in given:
            self._asking[claim.tenant, claim.type] += 1
        return given

    def _able(self, most: int, room: Callable[[str], int]) -> dict[str, int]:
        """Those who are next and can be asked now, and how many slots each could use if it were alone."""
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

    def _given(self, tenant: str, wanted: int, room: Callable[[str], int]) -> list[Claim]:
        """What can be asked of a tenant's lanes, which share the slots."""
        quotas = [(type_, min(wanted, room(type_))) for type_ in self._askable(tenant)]
        return [Claim(tenant, type_, quota, self._tenants[tenant][type_]) for type_, quota in quotas if quota > 0]

    def _askable(self, tenant: str) -> Iterator[str]:
        for type_ in self._tenants[tenant]:
            lane = (tenant, type_)
            if lane in self._rich or not self._asking[lane]:
                yield type_

    def _weigh(self, tenant: str, weight: int) -> None:
        self._weights.pop(tenant, None)
        if weight != 1:
            self._weights[tenant] = weight
            self._forget_idle(self._weights)

    def _forget_idle(self, known: dict[str, int]) -> None:
        """Of what is known of tenants, the oldest of those that have nothing ready."""
        if len(known) > 2 * _TENANTS_KEPT + len(self._tenants):
            for idle in [tenant for tenant in known if tenant not in self._tenants][:-_TENANTS_KEPT]:
                del known[idle]

    def _weight(self, tenant: str) -> int:
        return self._weights.get(tenant, 1)
