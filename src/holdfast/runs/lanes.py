"""Which lanes to claim from next: fair between tenants, by weight, and within the limits of each type.

A lane is one type of one tenant. The worker knows the lanes that have something ready, from notifications and from
looking every so often; a claim that comes back short dries its lane up, unless news of it arrived meanwhile. Pure
bookkeeping: no clock, no database.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

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

    def by_age(self) -> bool:
        """Whether this turn goes to the runs that have waited longest, whatever their priority: every eighth does."""
        self._turn += 1
        return self._turn % _AGE_EVERY == 0

    def choose(
        self, places: int, room: Callable[[str], int], promise: Callable[[list[Claim]], None] = lambda _: None
    ) -> list[Claim]:
        """Share free places between the tenants whose turn it is.

        `room` says how many more of a type may run. `promise` is told what each tenant was given, so that the room that
        the next one finds is without it.
        """
        if places <= 0 or not self._tenants:
            return []
        tenants = list(self._tenants)[: min(places, _TENANTS_PER_CLAIM)]
        total = sum(self._weights.get(tenant, 1) for tenant in tenants)
        claims: list[Claim] = []
        left = places
        for tenant in tenants:
            share = max(1, places * self._weights.get(tenant, 1) // total)
            quota = min(share, left)
            if quota <= 0:
                break
            given: list[Claim] = []
            for type_, news in self._tenants[tenant].items():
                allowed = min(quota, room(type_))
                if allowed > 0 and ((tenant, type_) in self._rich or not self._asking[tenant, type_]):
                    given.append(Claim(tenant, type_, allowed, news))
                    self._asking[tenant, type_] += 1
            if given:
                left -= quota
                promise(given)
                claims += given
            self._tenants.move_to_end(tenant)
        return claims
