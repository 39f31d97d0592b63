"""LangGraph's checkpointer for one execution of one session: everything it writes is fenced by the run's lease.

Rows are those of langgraph-checkpoint-postgres, so that its own saver reads them too. What differs: a checkpoint, its
channels' values, the writes of its step and its message go in one statement, together with those of other sessions;
values that JSON cannot hold are never put into the checkpoint's body; and with encryption no value is. The thread is
the session's, whatever the configuration says.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_serializable_checkpoint_metadata,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.types import _DeltaSnapshot
from psycopg.types.json import Jsonb

from holdfast.errors import InvalidInput, KeyMissing
from holdfast.kernel.actor import SYSTEM
from holdfast.kernel.clock import Clock
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import dump
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, Tenant
from holdfast.runs.signals import Snooze
from holdfast.sessions.history import channel_values
from holdfast.sessions.serde import encrypts, strangers
from holdfast.sessions.store import Blob, Fence, Save, SavedCheckpoint, SavedMessage, Store, Write
from holdfast.sessions.streams import clean

__all__ = ["FencedSaver"]

_SQL = queries("sessions")
_log = logging.getLogger(__name__)
_KEY_SECONDS = 5
_INLINE_TEXT = 64
_INLINE_NUMBER = 2**53
_PULL = "~__pregel_pull, "
_START = "~__pregel_pull, __start__"
_NO_LIMIT = 2**31 - 1
_PRIVATE = ("__", "branch:")


class FencedSaver(BaseCheckpointSaver[str]):
    """The checkpointer of one attempt at executing a session."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        store: Store,
        fence: Fence,
        tenant: Tenant,
        thread: str,
        serde: SerializerProtocol,
        *,
        fresh: bool,
        on_interrupt: Callable[[], None],
        types: Collection[tuple[str, ...]] = (),
    ) -> None:
        super().__init__(serde=serde)
        self._types = types
        self._warned: set[tuple[str, type]] = set()
        self._warnings: list[SavedMessage] = []
        self._database = database
        self._clock = clock
        self._store = store
        self._fence = fence
        self._tenant = tenant
        self._thread = thread
        self._fresh = fresh
        self._on_interrupt = on_interrupt
        self._encrypts = encrypts(serde)
        self._finished: dict[str, None] = {}
        self._loop = asyncio.get_running_loop()
        self.taking: Any = None
        """The id of the waiting input that the next checkpoint takes up."""

    # ---------------------------------------------------------------------------------------------------------- writing

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint, with what its step wrote and the message that tells of it."""
        where = config["configurable"]
        space = where.get("checkpoint_ns", "")
        inline, blobs = self._split(space, checkpoint["channel_values"], new_versions)
        body = {**checkpoint, "channel_values": inline}
        meta = get_serializable_checkpoint_metadata(config, metadata)
        save = Save(
            self._fence,
            [
                SavedCheckpoint(
                    space=space, id=checkpoint["id"], parent=where.get("checkpoint_id"), body=body, meta=meta
                )
            ],
            blobs,
            messages=self._take_warnings(),
        )
        if not space:
            self._tell_of_step(save, checkpoint["id"], metadata)
            if self.taking is not None and metadata.get("source") in ("input", "update"):
                save.input, self.taking = self.taking, None
        self._fresh = False
        if await self._store.save(save):
            self._on_interrupt()
        return {
            "configurable": {
                "thread_id": self._thread,
                "checkpoint_ns": space,
                "checkpoint_id": checkpoint["id"],
            }
        }

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what a task wrote before its step is over."""
        where = config["configurable"]
        space = where.get("checkpoint_ns", "")
        special = all(channel in WRITES_IDX_MAP for channel, _ in writes)
        rows = [
            Write(
                space,
                where["checkpoint_id"],
                task_id,
                task_path,
                WRITES_IDX_MAP.get(channel, place),
                channel,
                *self._dump(channel, value),
                special,
            )
            for place, (channel, value) in enumerate(writes)
        ]
        if not space and not special and task_path.startswith(_PULL) and task_path != _START:
            self._finished[task_path.removeprefix(_PULL)] = None
        await self._store.save(Save(self._fence, writes=rows, messages=self._take_warnings()))

    def tell(self, kind: str, content: dict[str, Any], *, taken: Any = None) -> asyncio.Future[bool]:
        """Add a message, and mark a waiting input as taken up. It has its place from now on, awaited or not."""
        message = SavedMessage(id=uuid7(), type=kind, content=content)
        return self._store.submit(Save(self._fence, messages=[message], input=taken))

    def _tell_of_step(self, save: Save, checkpoint: str, metadata: CheckpointMetadata) -> None:
        steps, self._finished = list(self._finished), {}
        if metadata.get("source") == "loop" and steps:
            content = {"step": ", ".join(steps), "message": "step finished", "checkpoint": checkpoint}
            save.messages.append(SavedMessage(id=uuid7(), type="workflow_progress", content=content))

    def _split(
        self, space: str, values: dict[str, Any], new_versions: ChannelVersions
    ) -> tuple[dict[str, Any], list[Blob]]:
        inline: dict[str, Any] = {}
        blobs: list[Blob] = []
        for channel, value in values.items():
            if not self._encrypts and _fits_inline(value):
                inline[channel] = value
                continue
            if isinstance(value, _DeltaSnapshot):
                inline[channel] = True
            if channel in new_versions:
                blobs.append(Blob(space, channel, str(new_versions[channel]), *self._dump(channel, value)))
        return inline, blobs

    def _take_warnings(self) -> list[SavedMessage]:
        warnings, self._warnings = self._warnings, []
        return warnings

    def _warn(self, channel: str, value: Any) -> None:
        """Say so, once, when a value holds objects of a class that nothing allows to be rebuilt."""
        for kind in strangers(value, self._types):
            if (channel, kind) not in self._warned:
                self._warned.add((channel, kind))
                told = (
                    f"the channel {channel!r} holds a {kind.__qualname__}, which comes back as plain data after an "
                    f"interrupt: name the class in the graph's schema, or with types=[{kind.__qualname__}]"
                )
                _log.warning("session %s: %s", self._fence.session, told)
                content = {"message": told, "channel": channel, "class": f"{kind.__module__}.{kind.__qualname__}"}
                self._warnings.append(SavedMessage(id=uuid7(), type="system", content=clean(content)))

    def _dump(self, channel: str, value: Any) -> tuple[str, bytes]:
        if not channel.startswith(_PRIVATE):
            self._warn(channel, value)
        try:
            return self.serde.dumps_typed(value)
        except (TypeError, ValueError, UnicodeError) as error:
            raise InvalidInput(
                f"the channel {channel!r} cannot be stored: {error}",
                hint="keep plain values, dataclasses and pydantic models in the state, and valid Unicode",
                field=channel,
            ) from error

    def get_next_version(self, current: str | None, channel: None) -> str:
        """Versions grow, as text too; the random part tells forks apart."""
        number = 0 if current is None else int(str(current).split(".")[0])
        return f"{number + 1:032}.{random.random():016}"  # noqa: S311 - a mark, not a secret

    # ---------------------------------------------------------------------------------------------------------- reading

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """A checkpoint; the latest one if the configuration names none."""
        wanted = get_checkpoint_id(config)
        if self._fresh and wanted is None:
            return None
        space = config["configurable"].get("checkpoint_ns", "")
        rows = await self._load(space, wanted, None, None, 1)
        return self._tuple(rows[0]) if rows else None

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name for it
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Checkpoints of the session, newest first."""
        where = config["configurable"] if config else {}
        rows = await self._load(
            where.get("checkpoint_ns", ""),
            where.get("checkpoint_id"),
            get_checkpoint_id(before) if before else None,
            filter,
            _NO_LIMIT if limit is None else limit,
        )
        for row in rows:
            yield self._tuple(row)

    async def _load(
        self, space: str, wanted: str | None, before: str | None, meta: dict[str, Any] | None, limit: int
    ) -> list[Row]:
        async with self._database.transaction(self._tenant, SYSTEM, self._clock) as tx:
            return await tx.rows(
                _SQL["load_checkpoints"],
                thread=self._thread,
                space=space,
                checkpoint=wanted,
                before=before,
                filter=None if meta is None else Jsonb(meta, dumps=dump),
                limit=limit,
            )

    def _tuple(self, row: Row) -> CheckpointTuple:
        try:
            return self._decoded(row)
        except KeyMissing as error:
            # This worker lacks a key. The session is sound: another worker, or this one with the key, goes on with it.
            _log.warning("the session %s cannot go on here: %s", self._fence.session, error)
            raise Snooze(_KEY_SECONDS, error.message) from error

    def _decoded(self, row: Row) -> CheckpointTuple:
        def named(checkpoint: str) -> RunnableConfig:
            space = row["checkpoint_ns"]
            return {"configurable": {"thread_id": self._thread, "checkpoint_ns": space, "checkpoint_id": checkpoint}}

        parent = row["parent_checkpoint_id"]
        pending = [
            (task, channel, self.serde.loads_typed((kind, blob)))
            for task, channel, kind, blob in zip(
                row["tasks"] or (), row["w_channels"] or (), row["w_types"] or (), row["w_blobs"] or (), strict=True
            )
        ]
        return CheckpointTuple(
            named(row["checkpoint_id"]),
            cast("Checkpoint", {**row["checkpoint"], "channel_values": channel_values(row, self.serde)}),
            row["metadata"],
            named(parent) if parent else None,
            pending,
        )

    # --------------------------------------------------------- from threads: a plain node that calls a graph of its own

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return asyncio.run_coroutine_threadsafe(self.aget_tuple(config), self._loop).result()

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name for it
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        async def collect() -> Sequence[CheckpointTuple]:
            return [one async for one in self.alist(config, filter=filter, before=before, limit=limit)]

        yield from asyncio.run_coroutine_threadsafe(collect(), self._loop).result()

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        work = self.aput(config, checkpoint, metadata, new_versions)
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        work = self.aput_writes(config, writes, task_id, task_path)
        asyncio.run_coroutine_threadsafe(work, self._loop).result()


def _fits_inline(value: Any) -> bool:
    """Whether a value comes back from jsonb as it went in, and is small: the body is written anew at every step."""
    if value is None or isinstance(value, bool):
        return True
    if type(value) is int:
        return -_INLINE_NUMBER < value < _INLINE_NUMBER
    return type(value) is str and len(value) <= _INLINE_TEXT and value.isprintable()
