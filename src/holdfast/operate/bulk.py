"""Bulk: retry, cancel, delete, replay or skip everything that matches a filter, as an operation.

What matches is taken oldest first, in batches; only what was there when the operation was asked for. Each thing is done
in a savepoint of its own: one that cannot be done is told of, and keeps no other from it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from pydantic import AwareDatetime, Field, ValidationError

from holdfast.errors import Conflict, Forbidden, HoldfastError, InvalidInput, LeaseLost, NotFound, OperationalError
from holdfast.kernel.given import Given
from holdfast.kernel.json import dump
from holdfast.kernel.names import check_text
from holdfast.operations import Item, Operation, OperationKind, OperationKinds, Progress
from holdfast.postgres.queries import queries

__all__ = ["BULK", "Bulk", "DeadFilter", "OutboxFilter", "RunFilter", "read_filter", "register_bulk"]

_SQL = queries("operate")
_BATCH = 100


class RunFilter(Given):
    """Which runs: all that is said must hold. A run that is deleted matches only with `deleted`."""

    ids: list[UUID] | None = Field(None, max_length=1000)
    status: str | None = Field(None, pattern=r"^(pending|leased|succeeded|failed|cancelled)$")
    type: str | None = Field(None, max_length=256)
    prefix: str | None = Field(None, max_length=256, description="types that begin so")
    key: str | None = Field(None, max_length=512, description="the idempotency key")
    error: str | None = Field(None, max_length=256, description="what the last error contains, in any case")
    payload: dict[str, Any] | None = Field(None, description="what the payload contains")
    since: AwareDatetime | None = Field(None, description="created at this time or later")
    until: AwareDatetime | None = Field(None, description="created before this time")
    deleted: bool = False


class OutboxFilter(Given):
    """Which dead events of the outbox."""

    ids: list[UUID] | None = Field(None, max_length=1000)
    type: str | None = Field(None, max_length=256)
    error: str | None = Field(None, max_length=256)
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None


class DeadFilter(OutboxFilter):
    """Which dead letters of the engine inbox or of effects; for effects, the type is their kind."""

    instance_id: UUID | None = None


Apply = Callable[[Any, UUID, str], Awaitable[str | None]]
"""Does it to one thing, and says what is worth knowing about it."""


@dataclass(frozen=True, slots=True)
class Bulk:
    """One verb of one queue."""

    permission: str
    filter: type[Given]
    match: str
    apply: Apply
    statuses: tuple[str, ...] | None = None
    """Of runs, those it can be done to when the filter names no status."""
    needs_reason: bool = False
    once: bool = False
    """Of runs, only those that were not enqueued anew already, unless they are named by their ids."""

    async def ids(self, tx_rows: Any, filter_: Given, before: datetime, after: UUID | None, limit: int) -> list[UUID]:
        """What matches, oldest first; `tx_rows` reads rows of the tenant's transaction."""
        values: dict[str, Any] = filter_.model_dump()
        if isinstance(filter_, RunFilter):
            status = values.pop("status")
            values["statuses"] = [status] if status else None if self.statuses is None else list(self.statuses)
            values["once"] = self.once and filter_.ids is None
            values["payload"] = None if filter_.payload is None else dump(filter_.payload)
        rows = await tx_rows(_SQL[self.match], **values, before=before, after=after, limit=limit)
        return [row["id"] for row in rows]


async def _retry(hold: Any, run_id: UUID, _: str) -> str | None:
    return f"run {(await hold.runs.retry(run_id)).id}"


async def _cancel(hold: Any, run_id: UUID, reason: str) -> None:
    await hold.runs.cancel(run_id, reason=reason)


async def _delete(hold: Any, run_id: UUID, reason: str) -> None:
    await hold.runs.delete(run_id, reason=reason)


async def _replay_event(hold: Any, event_id: UUID, _: str) -> None:
    await hold.processes.replay_event(event_id)


async def _replay_effect(hold: Any, effect_id: UUID, _: str) -> None:
    await hold.effects.replay(effect_id)


async def _skip_event(hold: Any, event_id: UUID, reason: str) -> None:
    await hold.processes.skip_event(event_id, reason=reason)


async def _skip_effect(hold: Any, effect_id: UUID, reason: str) -> None:
    await hold.effects.skip(effect_id, reason=reason)


async def _replay_outbox(hold: Any, event_id: UUID, _: str) -> None:
    await hold.outbox.replay(event_id)


async def _skip_outbox(hold: Any, event_id: UUID, reason: str) -> None:
    await hold.outbox.skip(event_id, reason=reason)


BULK: Final[dict[str, Bulk]] = {
    "runs.retry": Bulk("runs:operate", RunFilter, "match_runs", _retry, ("failed",), once=True),
    "runs.cancel": Bulk("runs:operate", RunFilter, "match_runs", _cancel, ("pending", "leased"), needs_reason=True),
    "runs.delete": Bulk("runs:operate", RunFilter, "match_runs", _delete, needs_reason=True),
    "engine.replay": Bulk("processes:operate", DeadFilter, "match_engine", _replay_event),
    "engine.skip": Bulk("processes:operate", DeadFilter, "match_engine", _skip_event, needs_reason=True),
    "effects.replay": Bulk("effects:operate", DeadFilter, "match_effects", _replay_effect),
    "effects.skip": Bulk("effects:operate", DeadFilter, "match_effects", _skip_effect, needs_reason=True),
    "outbox.replay": Bulk("outbox:operate", OutboxFilter, "match_outbox", _replay_outbox),
    "outbox.skip": Bulk("outbox:operate", OutboxFilter, "match_outbox", _skip_outbox, needs_reason=True),
}
"""What can be done to many at once, by the name of its kind: the queue and the verb."""


def read_filter(kind: str, given: Any) -> Given:
    """The filter of a kind; one that says nothing is refused where everything would be too much."""
    bulk = BULK[kind]
    try:
        found = bulk.filter.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(["filter", *map(str, first["loc"])])
        raise InvalidInput(f"{where}: {first['msg']}", hint="see the filters of operations", field=where) from None
    if bulk.filter is RunFilter and not found.model_fields_set - {"deleted"}:
        raise InvalidInput("the filter is empty", hint="say which runs, if only since when", field="filter")
    return found


def register_bulk(kinds: OperationKinds) -> None:
    """Let operations do all of them."""
    for name, bulk in BULK.items():
        kinds.add(OperationKind(name, bulk.permission, _batch_of(name, bulk)))


def check_reason(kind: str, reason: str | None) -> str:
    """Why, where somebody will want to know."""
    if reason is None and BULK[kind].needs_reason:
        raise InvalidInput("reason is missing", hint="say why; the trail keeps it", field="reason")
    return check_text("reason", reason, maximum=1000) if reason is not None else kind


def _batch_of(name: str, bulk: Bulk) -> Callable[[Any, Operation, Any], Awaitable[Progress]]:
    async def batch(hold: Any, operation: Operation, position: Any) -> Progress:
        filter_ = read_filter(name, operation.input["filter"])
        after = None if position is None else UUID(position["after"])
        ids = await bulk.ids(hold.operate.rows, filter_, operation.created_at, after, _BATCH)
        items = [await _one(hold, bulk, each, operation.input["reason"]) for each in ids]
        return Progress(items, {"after": str(ids[-1])} if len(ids) == _BATCH else None)

    return batch


async def _one(hold: Any, bulk: Bulk, id_: UUID, reason: str) -> Item:
    try:
        async with hold.connection.transaction():  # a savepoint
            return Item(str(id_), "succeeded", detail=await bulk.apply(hold, id_, reason))
    except (Forbidden, LeaseLost, OperationalError):
        raise  # not about this one
    except (Conflict, NotFound) as error:
        return Item(str(id_), "skipped", error.code, error.message)
    except HoldfastError as error:
        return Item(str(id_), "failed", error.code, error.message)
