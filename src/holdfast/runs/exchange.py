"""One statement of a worker: it settles what is finished and claims what is next, in one commit.

    what may start now (rates) ─▶ where each lane begins (marks) ─▶ the statement ─▶ what was learned of the lanes

This is the fastest client of the lease machine: a run costs one part of one such statement, and nothing else. So rows
of the answer stay tuples (`Claimed`), and statements for one lane, which most are, have a shorter form.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, cast

import psycopg

from holdfast.kernel.clock import Clock
from holdfast.postgres.database import Database
from holdfast.postgres.failures import plainly, translated
from holdfast.postgres.queries import queries
from holdfast.postgres.wire import Wire
from holdfast.runs.lanes import Claim, Lanes
from holdfast.runs.marks import AT_THE_HEAD, Lane, Marks, Start
from holdfast.runs.outcomes import Outcome, columns
from holdfast.runs.rates import Granted, Rates
from holdfast.runs.registry import Handlers

__all__ = ["Brought", "Claimed", "Exchange"]

_SQL = queries("runs")
_log = logging.getLogger("holdfast.runs.worker")
_NOT_TOLD = (None, None)
_UNKNOWN_LEASE = timedelta(seconds=30)


Claimed: TypeAlias = tuple[
    bool, str | None, str, str | None, int, int, int, str, str | None, str | None, str, str | None
]
"""A row of the answer: whether it was lost, its tenant, id, type, epoch, attempt, max_attempts, payload, trace,
concurrency_key, address, and a mark.

A run that was claimed, or one whose outcome was not taken because it was `lost`. Asked for one lane alone, the answer
does not repeat its tenant and type. `mark` is where the lane may be gone on with, and stands in the last row of each.
It stays the tuple that it is, and is unpacked by these names: a record made of each would cost a tenth of a run.
"""
_lost = itemgetter(0)
_lane = itemgetter(1, 3)
_mark = itemgetter(11)


class Brought(NamedTuple):
    """What a statement brought, and what it tells of the lanes that were asked."""

    rows: list[Claimed]
    granted: Granted
    found: Mapping[Lane, int]
    """Runs by lane."""
    complete: set[Lane]
    """Lanes that have no more if they gave less than they were asked for."""
    resting: list[tuple[Claim, float]]
    """Lanes to be asked again after so many seconds: there was too little behind their mark."""


class Exchange:
    """Makes the statements of one worker."""

    def __init__(self, database: Database, handlers: Handlers, clock: Clock, lanes: Lanes, name: str) -> None:
        self._handlers = handlers
        self._clock = clock
        self._lanes = lanes
        self._name = name
        self._event_level = database.settings.run_events
        self._publishes = database.settings.run_publishes
        self._marks = Marks()
        self._rates = Rates(handlers, clock)
        self._threaded = {handler.type for handler in handlers if not handler.asynchronous}

    async def make(self, wire: Wire, outcomes: list[Outcome], claims: list[Claim]) -> Brought:
        """Settle outcomes, and claim as much as rates allow now."""
        limited = self._rates.limits(claims)
        granted = await self._rates.take(wire, claims) if limited else Granted(claims, [])
        claims = granted.claims
        if not outcomes and not claims:
            return Brought([], granted, {}, set(), [])
        began = time.monotonic()
        by_age = self._lanes.by_age(claims, may=not any(self._marks.rests(claim.lane, began) for claim in claims))
        starts = [] if by_age else [self._marks.start(claim.lane, began) for claim in claims]
        rows = await self.ask(wire, outcomes, claims, starts, by_age=by_age)
        found = _found(rows, claims)
        # By age only one priority was asked for, which tells nothing of the rest.
        complete, resting = (set(), []) if by_age else self._learn(claims, starts, rows, found, began)
        if limited:
            await self._give_back(wire, claims, found)
        return Brought(rows, granted, found, complete, resting)

    async def ask(
        self,
        wire: Wire,
        outcomes: list[Outcome],
        claims: list[Claim],
        starts: Sequence[Start] = (),
        *,
        by_age: bool = False,
    ) -> list[Claimed]:
        """The statement alone."""
        values: dict[str, Any] = {"worker": self._name, "by_age": by_age, "now": self._clock.now()}
        if self._alone(claims):
            query = _SQL["turn_lane"] if outcomes else _SQL["claim_lane"]
            (claim,) = claims
            values["lane_tenant"], values["lane_type"], values["quota"] = claim.tenant, claim.type, claim.quota
            values["lease"] = self.lease_length(claim.type)
            values["mark"], values["thorough"] = starts[0] if starts else AT_THE_HEAD
        else:
            query = _SQL["turn"]
            values["lane_tenants"] = "{" + ",".join(claim.tenant for claim in claims) + "}"
            values["lane_types"] = [claim.type for claim in claims]
            values["quotas"] = [claim.quota for claim in claims]
            values["leases"] = [self.lease_length(claim.type) for claim in claims]
            values["threaded"] = [claim.type in self._threaded for claim in claims]
            values["marks"] = [start.mark for start in starts]
            values["thorough"] = [start.thorough for start in starts]
        if outcomes or not self._alone(claims):
            values |= columns(outcomes)
            values["event_level"], values["publishes"] = self._event_level, self._publishes
        try:
            return cast("list[Claimed]", await wire.run(query, values))
        except psycopg.Error:
            with translated():
                raise

    def lease_length(self, kind: str) -> timedelta:
        """For how long runs of a type are leased."""
        handler = self._handlers.find(kind)
        return handler.lease if handler else _UNKNOWN_LEASE

    def _alone(self, claims: list[Claim]) -> bool:
        """Whether a statement for one lane will do, whose answer does not repeat which it was."""
        return len(claims) == 1 and self._event_level != "all"

    def _learn(
        self, claims: list[Claim], starts: list[Start], rows: list[Claimed], found: Mapping[Lane, int], began: float
    ) -> tuple[set[Lane], list[tuple[Claim, float]]]:
        """Note where lanes are gone on with; which of them are now known to the end, and which rest."""
        ended = time.monotonic()
        alone = self._alone(claims)
        marked = [row for row in rows if _mark(row) is not None]
        marks = {claims[0].lane if alone else _lane(row): _mark(row) for row in marked}
        complete: set[Lane] = set()
        resting: list[tuple[Claim, float]] = []
        for claim, start in zip(claims, starts, strict=True):
            lane = claim.lane
            # No mark of one that was asked for everything: it has no more. Of several, some were perhaps not asked.
            mark = marks.get(lane, None if alone and start.thorough else start.mark)
            self._marks.note(lane, start, began, ended, mark)
            if start.mark is None or alone or not start.thorough:
                complete.add(lane)
            if start.mark is not None and not start.thorough and found.get(lane, 0) < claim.quota:
                # There is no more behind the mark. What lies before it is looked for when the lane has rested.
                resting.append((claim, self._marks.rest(lane, ended)))
        return complete, resting

    async def _give_back(self, wire: Wire, claims: list[Claim], found: Mapping[Lane, int]) -> None:
        try:
            await self._rates.give_back(wire, claims, found)
        except psycopg.Error as error:
            # What was claimed is ours all the same, and must not wait for its lease to expire.
            if not wire.closed:
                _log.warning("what a rate has left could not be given back: %s", plainly(str(error)))


def _found(rows: list[Claimed], claims: list[Claim]) -> Mapping[Lane, int]:
    """How many runs came, by lane."""
    lanes = [_lane(row) for row in rows if not _lost(row)]
    if lanes and lanes[0] == _NOT_TOLD:
        return {claims[0].lane: len(lanes)}
    return Counter(lanes)
