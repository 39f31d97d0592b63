"""Limited rates: how many runs of a type may start now, on all workers together.

The database keeps, for each limited type, when the next run may start. A worker takes what it wants to start before it
claims, and gives back what it did not find; one that dies in between has only made the type a little slower.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from uuid import UUID

from holdfast.kernel.clock import Clock
from holdfast.postgres.queries import queries
from holdfast.postgres.wire import Row, Wire
from holdfast.runs.lanes import Claim
from holdfast.runs.registry import Handlers
from holdfast.runs.signals import Rate

__all__ = ["Granted", "Rates"]

_SQL = queries("runs")
_EVERYBODY = str(UUID(int=0))


class Granted(NamedTuple):
    """The claims that may be made, and those that may not yet, each with the seconds to wait."""

    claims: list[Claim]
    denied: list[tuple[Claim, float]]


class Rates:
    """The rates of an application's handlers."""

    def __init__(self, handlers: Handlers, clock: Clock) -> None:
        self._handlers = handlers
        self._clock = clock

    def limits(self, claims: Iterable[Claim]) -> bool:
        """Whether any of these has a rate."""
        return any(self._rate(claim) for claim in claims)

    async def take(self, wire: Wire, claims: list[Claim]) -> Granted:
        """As much of the claims as may start now."""
        limited = [claim for claim in claims if self._rate(claim)]
        answers = await self._ask(wire, limited, [claim.quota for claim in limited])
        quotas = {claim: (claim.quota, 0.0) for claim in claims}
        quotas |= {claim: (quota, wait) for claim, (_, quota, wait) in zip(limited, answers, strict=True)}
        return Granted(
            [claim._replace(quota=quota) for claim, (quota, _) in quotas.items() if quota > 0],
            [(claim, wait) for claim, (quota, wait) in quotas.items() if quota == 0],
        )

    async def give_back(self, wire: Wire, claims: list[Claim], found: Mapping[tuple[str, str], int]) -> None:
        """What was taken for the claims, less what was found of each tenant and type."""
        spare = [claim.quota - found.get((claim.tenant, claim.type), 0) for claim in claims]
        unused = [(claim, rest) for claim, rest in zip(claims, spare, strict=True) if rest > 0 and self._rate(claim)]
        if unused:
            await self._ask(wire, [claim for claim, _ in unused], [-rest for _, rest in unused])

    def _rate(self, claim: Claim) -> Rate | None:
        handler = self._handlers.find(claim.type)
        return None if handler is None else handler.rate

    async def _ask(self, wire: Wire, claims: list[Claim], wanted: list[int]) -> list[Row]:
        rates = [(claim, rate) for claim in claims if (rate := self._rate(claim))]
        values = {
            "tenants": [claim.tenant if rate.per_tenant else _EVERYBODY for claim, rate in rates],
            "types": [claim.type for claim in claims],
            "wanted": wanted,
            "steps": [rate.step for _, rate in rates],
            "slacks": [rate.slack for _, rate in rates],
            "now": self._clock.now(),
        }
        return await wire.run(_SQL["take_rate"], values)
