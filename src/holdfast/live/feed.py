"""One tenant's news in one process: read once, however many look on.

A task reads what is new when it is woken, at most a few times a second, and looks by itself every second: a
notification is a hint and never the truth. What it read is kept in a list of bounded length, by number; a reader is a
number in that list and nothing else, so one that stops reading costs nobody anything: what it is at is dropped one day,
and it is told to ask anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from holdfast.errors import HoldfastError
from holdfast.kernel.actor import SYSTEM
from holdfast.kernel.clock import Clock
from holdfast.kernel.loops import end
from holdfast.live.model import TOPICS, FeedItem, LiveEvent, TrailRow, item_of, topics_of
from holdfast.live.position import LivePosition
from holdfast.postgres.database import Database
from holdfast.postgres.listening import Bell, Channel
from holdfast.postgres.queries import queries
from holdfast.postgres.shares import CALLER
from holdfast.postgres.tenant import Row, Tenant

__all__ = ["NEWS", "RUNS_CHANGED", "Feed", "LiveReader"]

_SQL = queries("live")
NEWS: Final = Channel("holdfast_live", begin=_SQL["be_known_to_follow"], end=_SQL["be_known_to_follow_no_more"])
"""The payload is the id of a tenant in which something happened."""

KEPT: Final = 5_000
"""Events that are kept for readers, of one tenant in one process; about two megabytes."""
PAGE: Final = 2_000
"""Events that are read at once. What happens faster than that is told as one `resync`."""
_BREATH = 0.05
_LOOK_SECONDS = 1.0
_AT_ONCE = 2
RUNS_CHANGED: Final = LiveEvent(None, "runs", "changed", {})
"""Some runs came, were taken up or ended: a hint, without a place in the stream."""


class LiveReader:
    """Somebody who looks on: up to where they have read."""

    def __init__(self, feed: Feed, topics: tuple[str, ...]) -> None:
        self._feed = feed
        self.topics = topics
        self.next = 0
        self.access_seen = 0
        self.woken = asyncio.Event()

    @property
    def lags(self) -> bool:
        """Whether what comes next for this reader is no longer kept."""
        return self.next < self._feed.first

    @property
    def is_up_to_date(self) -> bool:
        return self.next == self._feed.end

    def take(self, limit: int) -> list[FeedItem]:
        """The next items, whoever may see them."""
        found = self._feed.items(self.next, limit)
        self.next += len(found)
        return found


class Feed:
    """The news of one tenant, read by one task for as long as there are readers."""

    def __init__(self, database: Database, bell: Bell, tenant: Tenant, clock: Clock) -> None:
        self._database = database
        self._bell = bell
        self.tenant = tenant
        self._clock = clock
        self._kept: deque[FeedItem] = deque()
        self.first = 1
        """The number of the oldest item that is kept. What a reader begins with is no less, so 0 is behind all."""
        self.access_changes = 0
        """Grows when users, roles or tokens may have changed."""
        self.at_once = asyncio.Semaphore(_AT_ONCE)
        """For what readers ask the database themselves: a tenant of many readers has no more of it than that."""
        self._here: LivePosition | None = None
        self._run_mark: str | None = None
        self._looked_at_runs = 0.0
        self._readers: set[LiveReader] = set()
        self._asked = asyncio.Event()
        self._begun = self._completed = 0
        self._looked = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self._error: Exception | None = None

    # ------------------------------------------------------------------------------------------------------- readers

    @contextmanager
    def reader(self, topics: tuple[str, ...]) -> Iterator[LiveReader]:
        """A reader for as long as the block lasts; the first one starts the reading."""
        reader = LiveReader(self, topics)
        self._readers.add(reader)
        if self._task is None:
            self._task = asyncio.create_task(self._read(), name="holdfast-live")
        try:
            yield reader
        finally:
            self._readers.discard(reader)

    @property
    def is_idle(self) -> bool:
        """Whether nobody looks on."""
        return not self._readers

    @property
    def is_broken(self) -> bool:
        """Whether the reading has ended by an error."""
        return self._error is not None

    async def close(self) -> None:
        """Read no more."""
        if self._task is not None:
            await end(self._task)

    @property
    def end(self) -> int:
        """The number that the next item will have."""
        return self.first + len(self._kept)

    @property
    def here(self) -> LivePosition:
        """Up to where this feed has read."""
        assert self._here is not None
        return self._here

    def items(self, start: int, limit: int) -> list[FeedItem]:
        """Some of what is kept, from a number on."""
        skipped = start - self.first
        return [self._kept[place] for place in range(skipped, min(skipped + limit, len(self._kept)))]

    async def renewed(self) -> None:
        """When everything was read that had happened by now."""
        turn = self._begun + 1
        self._asked.set()
        async with self._looked:
            await self._looked.wait_for(lambda: self._completed >= turn or self._error is not None)
        self.check()

    def check(self) -> None:
        """Raise what ended the reading, if anything did."""
        if self._error is not None:
            raise self._error

    async def missed(self, position: LivePosition, until: str) -> list[FeedItem] | None:
        """What somebody has not had who was at a position, up to a snapshot; None when it is too much."""
        nobody = CALLER.set(None)
        try:
            async with self.at_once:
                here, told = await self._news(position, until)
        finally:
            CALLER.reset(nobody)
        if len(told) > PAGE:
            return None
        between = LivePosition(here.origin, here.at, position.upto, until)
        found: list[FeedItem] = []
        for each in told:
            done = position.part if each.early and each.number == position.after else 0
            found += self._items_of(each, position if each.early else between, done)
        return found

    # ------------------------------------------------------------------------------------------------------- reading

    async def _read(self) -> None:
        # What is read is everybody's: it is nobody's share.
        CALLER.set(None)
        try:
            async with self._bell.heard(str(self.tenant.id)) as heard:
                self._asked = heard
                while True:
                    heard.clear()
                    try:
                        await self._look()
                    except HoldfastError as error:
                        await self._database.wait_out(error, "reading what happens", tolerant=True)
                        continue
                    await asyncio.sleep(_BREATH)
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(_LOOK_SECONDS):
                            await heard.wait()
        except Exception as error:
            # Every reader raises it: they come again, and find a feed that begins anew.
            self._error = error
            async with self._looked:
                self._looked.notify_all()
            self._wake()

    async def _look(self) -> None:
        self._begun += 1
        turn = self._begun
        here, told = await self._news(self._here)
        before, self._here = self._here, here
        if len(told) > PAGE:
            # Nobody could follow: everybody asks anew.
            self._drop(self.end + 1)
        elif before is not None:
            between = LivePosition(here.origin, here.at, before.upto, here.upto)
            for each in told:
                self._keep(self._items_of(each, between, 0))
        if any(each.object_kind == "access" for each in told):
            self.access_changes += 1
        if any("runs" in reader.topics for reader in self._readers):
            await self._look_at_runs()
        self._completed = turn
        async with self._looked:
            self._looked.notify_all()
        self._wake()

    async def _look_at_runs(self) -> None:
        """Runs that come and go leave no event by default: now and then it is told that some did."""
        if time.monotonic() - self._looked_at_runs < _LOOK_SECONDS:
            return
        self._looked_at_runs = time.monotonic()
        async with self._database.transaction(self.tenant, SYSTEM, self._clock) as tx:
            row = await tx.row(_SQL["run_mark"])
        assert row is not None
        if self._run_mark not in (None, row["mark"]):
            self._keep([FeedItem(RUNS_CHANGED, "runs:read")])
        self._run_mark = row["mark"]

    async def _news(
        self, position: LivePosition | None, until: str | None = None
    ) -> tuple[LivePosition, list[TrailRow]]:
        """Where the tenant is now, and what happened since a position; one more than a page, if there are more."""
        async with self._database.transaction(self.tenant, SYSTEM, self._clock) as tx:
            rows = await tx.rows(
                _SQL["news"],
                since=position.since if position else None,
                upto=position.upto if position else None,
                after=position.after if position else 0,
                until=until,
                limit=PAGE + 1,
            )
        at: datetime = rows[0]["at"]
        here = LivePosition(rows[0]["origin"], at, rows[0]["snapshot"], rows[0]["snapshot"])
        return here, [_told(row) for row in rows if row["id"] is not None]

    def _items_of(self, told: TrailRow, between: LivePosition, done: int) -> list[FeedItem]:
        """What is told of something; of its topics, those after the one that was told last."""
        found = []
        for topic in topics_of(told):
            part = list(TOPICS).index(topic) + 1
            if part > done:
                place = LivePosition(between.origin, between.at, between.since, between.upto, told.number, part)
                found.append(item_of(told, topic, place.write(self.tenant.id)))
        return found

    def _keep(self, items: list[FeedItem]) -> None:
        self._kept.extend(items)
        self._drop(self.end - KEPT)

    def _drop(self, until: int) -> None:
        """Keep nothing with a number less than that."""
        while self._kept and self.first < until:
            self._kept.popleft()
            self.first += 1
        self.first = max(self.first, until)

    def _wake(self) -> None:
        for reader in self._readers:
            if not reader.is_up_to_date or reader.access_seen != self.access_changes or self._error:
                reader.woken.set()


def _told(row: Row) -> TrailRow:
    return TrailRow(
        row["id"],
        row["object_kind"],
        row["object_id"],
        row["event_type"],
        row["request"],
        row["document_id"],
        row["entity_type"],
        row["principals"] or (),
        bool(row["early"]),
    )
