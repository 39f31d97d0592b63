"""What `app.follow_live` and `GET …/live` give: one stream of all that somebody may see, for as long as they may.

Each event of the topics once and in order, or an explicit `resync`; from whichever server answers. What a reader may
see is looked at anew every few seconds, and at once when something of users, roles or tokens has changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from uuid import UUID

from holdfast.documents import Contracts
from holdfast.errors import OperationalError, ShareUsedUp
from holdfast.kernel.actor import Actor
from holdfast.kernel.clock import Clock
from holdfast.live.feed import RUNS_CHANGED, Feed, LiveReader
from holdfast.live.model import LiveEvent
from holdfast.live.position import LivePosition
from holdfast.live.rights import ReaderRights, load_rights
from holdfast.postgres.database import Database
from holdfast.postgres.listening import Bell
from holdfast.postgres.tenant import Tenant

__all__ = ["Live"]

_CHECK_SECONDS = 10.0
_UNCHECKED_SECONDS = 30.0
"""How long a stream goes on while it cannot be seen who reads it: the database is away, or busy."""
_POSITION_SECONDS = 15.0
_PAGE = 200


class Live:
    """The live streams of one process, on one database: one feed a tenant, however many readers."""

    def __init__(self, database: Database, bell: Bell, clock: Clock, contracts: Contracts) -> None:
        self._database = database
        self._contracts = contracts
        self._bell = bell
        self._clock = clock
        self._feeds: dict[UUID, Feed] = {}

    async def follow(
        self, tenant: Tenant, topics: tuple[str, ...], after: str | None, who: Callable[[], Awaitable[Actor]]
    ) -> AsyncGenerator[list[LiveEvent], None]:
        """What happens after a position, or from now on. `who` says who reads, now; it raises when nobody may any more.

        Silence is broken by a `position` every few seconds. Ends when nothing may be seen any more.
        """
        feed = self._feeds.get(tenant.id)
        if feed is None:
            feed = self._feeds[tenant.id] = Feed(self._database, self._bell, tenant, self._clock)
        try:
            with feed.reader(topics) as reader:
                following = _Following(self._database, self._clock, feed, reader, who, self._contracts)
                async with aclosing(following.events(after)) as found:
                    async for events in found:
                        yield events
        finally:
            if feed.is_idle or feed.is_broken:
                if self._feeds.get(tenant.id) is feed:
                    del self._feeds[tenant.id]
                await feed.close()

    async def close(self) -> None:
        """Read no more, whoever looks on."""
        feeds, self._feeds = self._feeds, {}
        for feed in feeds.values():
            await feed.close()


class _Following:
    """One reader's stream."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        feed: Feed,
        reader: LiveReader,
        who: Callable[[], Awaitable[Actor]],
        contracts: Contracts,
    ) -> None:
        self._database = database
        self._contracts = contracts
        self._clock = clock
        self._feed = feed
        self._reader = reader
        self._who = who
        self._rights = ReaderRights(frozenset(), frozenset(), frozenset())
        self._checked = self._check_at = self._last_sent = 0.0

    async def events(self, after: str | None) -> AsyncGenerator[list[LiveEvent], None]:
        feed, reader = self._feed, self._reader
        await self._look_who()
        await feed.renewed()
        reader.next, here = feed.end, feed.here
        yield await self._beginning(after, here)
        while True:
            feed.check()
            if self._is_check_due and await self._has_changed():
                if not self._rights.topics:
                    return
                # Other things are to be seen than before: what is shown is to be asked for anew.
                reader.next = feed.end
                yield [self._topics(), self._of_stream("resync", feed.here)]
            if reader.lags:
                reader.next = feed.end
                yield [self._of_stream("resync", feed.here)]
            reader.woken.clear()
            items = reader.take(_PAGE)
            events = self._rights.shown(items)
            if events:
                self._last_sent = time.monotonic()
                yield events
            elif reader.is_up_to_date and time.monotonic() - self._last_sent >= _POSITION_SECONDS:
                yield [self._of_stream("position", feed.here)]
            if items:
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._patience):
                    await reader.woken.wait()

    async def _beginning(self, after: str | None, here: LivePosition) -> list[LiveEvent]:
        """What is told first: which topics, and what was missed since a position, or that too much was."""
        topics, feed = self._topics(), self._feed
        if after is None:
            return [topics, self._of_stream("position", here)]
        position = LivePosition.read(feed.tenant.id, after)
        missed = None if position is None or position.is_lost(here) else await feed.missed(position, here.upto)
        if missed is None:
            return [topics, self._of_stream("resync", here)]
        # Of runs that came and went meanwhile nothing is written.
        runs = [RUNS_CHANGED] if "runs" in self._rights.topics else []
        told = self._rights.shown(missed)
        return [topics, *told, *runs, self._of_stream("position", here)]

    @property
    def _is_check_due(self) -> bool:
        return self._reader.access_seen != self._feed.access_changes or time.monotonic() >= self._check_at

    @property
    def _patience(self) -> float:
        return max(0.0, min(self._check_at, self._last_sent + _POSITION_SECONDS) - time.monotonic())

    async def _has_changed(self) -> bool:
        """Whether the reader sees other things than before. Who cannot be looked at for long may see nothing."""
        before = self._rights
        try:
            await self._look_who()
        except (OperationalError, ShareUsedUp):
            if time.monotonic() - self._checked >= _UNCHECKED_SECONDS:
                raise
            self._check_at = time.monotonic() + 1
        return self._rights != before

    async def _look_who(self) -> None:
        self._reader.access_seen = self._feed.access_changes
        async with self._feed.at_once:
            actor = await self._who()
            async with self._database.transaction(self._feed.tenant, actor, self._clock) as tx:
                self._rights = await load_rights(tx, self._reader.topics, self._contracts)
        self._checked = time.monotonic()
        self._check_at = self._checked + _CHECK_SECONDS

    def _topics(self) -> LiveEvent:
        shown = [topic for topic in self._reader.topics if topic in self._rights.topics]
        return LiveEvent(None, None, "topics", {"topics": shown})

    def _of_stream(self, kind: str, here: LivePosition) -> LiveEvent:
        self._last_sent = time.monotonic()
        return LiveEvent(here.write(self._feed.tenant.id), None, kind, {})
