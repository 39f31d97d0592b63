"""What an operator looks at and does, `hold.operate`: health, series, types, workers, incidents, bulk."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, LiteralString, cast

from holdfast.documents import Access, Contracts
from holdfast.errors import InvalidInput
from holdfast.operate.bulk import BULK, check_reason, read_filter
from holdfast.operate.incidents import group
from holdfast.operate.minutes import COUNT_CAP, add_buckets, percentile
from holdfast.operate.model import (
    QUEUES,
    Health,
    Incident,
    InHand,
    Matching,
    Point,
    Queue,
    QueueHealth,
    QueueType,
    Series,
    Span,
    WorkerInfo,
)
from holdfast.operations import Operation, Operations
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.runs import Runs

__all__ = ["Operate"]

_SQL = queries("operate")
_SPANS: Final[Mapping[str, tuple[int, int]]] = {"5m": (10, 30), "1h": (60, 60), "24h": (600, 144)}
"""Seconds of a point, and how many points."""
_MOST_TYPES = 1000
_MOST_IN_HAND = 500
_MOST_FAILURES = 5000
_FAILURES: Final = {
    "runs": "failed_runs",
    "engine": "dead_events",
    "effects": "dead_effects",
    "outbox": "dead_outbox",
    "sessions": "failed_sessions",
}
_OF_DOCUMENTS: Final = ("engine", "effects")
"""What went wrong there is often told with the values it went wrong with."""


class _Tally:
    """What happened in one stretch of time."""

    __slots__ = ("buckets", "depth", "errors", "finished")

    def __init__(self) -> None:
        self.finished = 0
        self.errors = 0
        self.buckets: Counter[int] = Counter()
        self.depth: Row | None = None


class Operate:
    """How one tenant's queues are doing, and what is done to many things at once."""

    def __init__(self, tx: TenantTx, contracts: Contracts, operations: Operations, runs: Runs) -> None:
        self._tx = tx
        self._access = Access(tx, contracts)
        self._operations = operations
        self._runs = runs

    async def health(self) -> Health:
        """How each queue is doing that the actor may see: what is there now, and what the last hour brought."""
        shown = self._seen()
        at = (await self._at())["at"]
        queues = []
        for row in await self._tx.rows(_SQL["states"], cap=COUNT_CAP):
            if row["queue"] not in shown:
                continue
            hour = _Tally()
            for each in (await self._tallies(row["queue"], at - timedelta(hours=1), 3600)).values():
                hour.finished += each.finished
                hour.errors += each.errors
                hour.buckets += each.buckets
            queues.append(
                QueueHealth(
                    row["queue"],
                    row["pending"],
                    row["working"],
                    row["waiting"],
                    row["stuck"],
                    row["dead"],
                    row["oldest"],
                    hour.finished,
                    hour.errors,
                    percentile(hour.buckets, 0.5),
                    percentile(hour.buckets, 0.95),
                )
            )
        return Health(at, queues)

    async def series(self, queue: str, span: str = "1h") -> Series:
        """What a queue did over time: of five minutes by ten seconds, an hour by minutes, a day by ten minutes."""
        self._require(queue)
        if span not in _SPANS:
            raise InvalidInput(f"span is {span!r}", hint=f"use one of {', '.join(_SPANS)}", field="span")
        step, count = _SPANS[span]
        at = (await self._at())["at"]
        begin = _floor(at, step) - timedelta(seconds=step * (count - 1))
        found = await self._tallies(queue, begin, step)
        points = [_point(begin + timedelta(seconds=step * place), found[place]) for place in range(count)]
        return Series(cast("Queue", queue), cast("Span", span), step, points)

    async def types(self) -> list[QueueType]:
        """The types of runs the tenant ever enqueued: how many there are, paused or not, handled by anybody or not."""
        self._tx.require("runs:read")
        rows = await self._tx.rows(_SQL["types"], cap=COUNT_CAP, limit=_MOST_TYPES)
        handled = await self._runs.handled(row["type"] for row in rows)
        pauses = [pause.prefix for pause in await self._runs.pauses()]
        return [
            QueueType(
                **row,
                paused_by_prefix=next((prefix for prefix in pauses if row["type"].startswith(prefix)), None),
                handled=row["type"] in handled,
            )
            for row in rows
        ]

    async def workers(self) -> list[WorkerInfo]:
        """The workers heard of within a day, with what they have in hand of this tenant."""
        self._tx.require("runs:read")
        shown = self._seen()
        in_hand: defaultdict[str, list[InHand]] = defaultdict(list)
        for row in await self._tx.rows(_SQL["in_hand"], limit=_MOST_IN_HAND):
            if row["queue"] in shown:
                in_hand[row["worker"]].append(InHand(**row))
        found = []
        for row in await self._tx.rows(_SQL["workers"]):
            name = row["name"]
            facts = (row["alive"], row["seen_at"], row["types"], row["prefixes"])
            found.append(WorkerInfo(name, *facts, in_hand.pop(name, [])))
        # Programs that only send events or advance processes say nothing of themselves but what they lease.
        unheard = [WorkerInfo(name, True, None, [], [], each) for name, each in sorted(in_hand.items())]
        return found + unheard

    async def incidents(self, *, queue: str | None = None, hours: int = 24) -> list[Incident]:
        """What went wrong within some hours, grouped by how; of each queue, the latest five thousand are looked at."""
        if not isinstance(hours, int) or not 1 <= hours <= 24 * 31:
            raise InvalidInput(f"hours is {hours!r}", hint="use 1 to 744", field="hours")
        if queue is not None:
            self._require(queue)
        found: list[Incident] = []
        for name in self._seen() if queue is None else [queue]:
            rows = await self._tx.rows(_SQL[_FAILURES[name]], hours=hours, limit=_MOST_FAILURES)
            seen = None
            if name in _OF_DOCUMENTS:
                seen = await self._access.instances_seen({row["instance_id"] for row in rows}, "incidents")
            found += group(name, rows, seen)
        return sorted(found, key=lambda each: (-each.count, each.queue, each.what))

    async def count(self, kind: str, filter: Mapping[str, Any]) -> Matching:  # noqa: A002 - it is the filter
        """How many things an operation of a kind, such as `runs.retry`, would be about now: a dry run."""
        bulk = self._bulk(kind, filter)
        at = (await self._at())["at"]
        most = COUNT_CAP + 1
        ids = await bulk.ids(self._tx.rows, read_filter(kind, filter), at, None, most)
        return Matching(min(len(ids), COUNT_CAP), len(ids) == most)

    async def start(
        self,
        kind: str,
        filter: Mapping[str, Any],  # noqa: A002 - it is the filter
        *,
        reason: str | None = None,
    ) -> Operation:
        """Do it to everything that matches, as an operation: a worker does it in batches, `hold.operations` tells."""
        self._bulk(kind, filter)
        why = check_reason(kind, reason)
        matching = await self.count(kind, filter)
        given = {"filter": read_filter(kind, filter).model_dump(mode="json", exclude_none=True), "reason": why}
        return await self._operations.start(kind, given, total=None if matching.capped else matching.count)

    async def rows(self, query: LiteralString, **values: Any) -> list[Row]:
        """Rows of the transaction; for parts of holdfast itself."""
        return await self._tx.rows(query, **values)

    def _bulk(self, kind: str, given: Mapping[str, Any]) -> Any:
        if kind not in BULK:
            raise InvalidInput(f"kind is {kind!r}", hint=f"use one of {', '.join(BULK)}", field="kind")
        bulk = BULK[kind]
        self._tx.require(bulk.permission)
        if "error" in given and kind.partition(".")[0] in _OF_DOCUMENTS:
            # Guessing at the text would be a way to read it.
            self._tx.require("documents:read")
        return bulk

    async def _tallies(self, queue: str, begin: datetime, step: int) -> dict[int, _Tally]:
        """What happened from a moment on, in stretches of so many seconds: from what is counted, and from the rest."""
        facts = await self._at()
        counted_until: datetime = facts["counted_until"] or begin
        found: defaultdict[int, _Tally] = defaultdict(_Tally)

        def place(moment: datetime) -> int:
            return int((moment - begin).total_seconds() // step)

        since = begin
        if step >= 60 and counted_until > begin:
            # Whole minutes only: what lies before the first whole one is read from the tables, as what is not counted.
            first = _floor(begin, 60) if _floor(begin, 60) == begin else _floor(begin, 60) + timedelta(minutes=1)
            for row in await self._tx.rows(_SQL["minutes"], queue=queue, since=first, until=counted_until):
                each = found[place(row["minute"])]
                each.finished += row["finished"]
                each.errors += row["errors"]
                add_buckets(each.buckets, row["buckets"])
            await self._add_lately(found, queue, begin, step, begin, min(first, counted_until))
            since = max(first, counted_until)
        await self._add_lately(found, queue, begin, step, since, facts["at"] + timedelta(seconds=1))
        for row in await self._tx.rows(_SQL["depths"], queue=queue, since=begin, until=facts["at"]):
            each = found[place(row["minute"])]
            if each.depth is None or row["pending"] >= each.depth["pending"]:
                each.depth = row
        return found

    async def _add_lately(
        self, found: dict[int, _Tally], queue: str, origin: datetime, step: int, since: datetime, until: datetime
    ) -> None:
        if since >= until:
            return
        rows = await self._tx.rows(_SQL["lately"], queue=queue, origin=origin, step=step, since=since, until=until)
        for row in rows:
            each = found[row["place"]]
            each.finished += row["finished"]
            each.errors += row["errors"]
            each.buckets[row["bucket"]] += row["finished"]

    async def _at(self) -> Row:
        row = await self._tx.row(_SQL["at"])
        assert row is not None
        return row

    def _seen(self) -> list[str]:
        return [queue for queue, permission in QUEUES.items() if self._tx.actor.may(permission)]

    def _require(self, queue: str) -> None:
        if queue not in QUEUES:
            raise InvalidInput(f"queue is {queue!r}", hint=f"use one of {', '.join(QUEUES)}", field="queue")
        self._tx.require(QUEUES[queue])


def _floor(moment: datetime, seconds: int) -> datetime:
    stamp = int(moment.timestamp())
    return datetime.fromtimestamp(stamp - stamp % seconds, UTC)


def _point(at: datetime, tally: _Tally) -> Point:
    depth: Mapping[str, Any] = tally.depth or {}
    return Point(
        at,
        tally.finished,
        tally.errors,
        percentile(tally.buckets, 0.5),
        percentile(tally.buckets, 0.95),
        depth.get("pending"),
        depth.get("stuck"),
        depth.get("dead"),
        depth.get("oldest"),
    )
