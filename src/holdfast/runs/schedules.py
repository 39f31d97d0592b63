"""Schedules of one tenant, `hold.schedules`: what to enqueue, when, and what to do about fires that were missed.

A schedule is changed only under its row's lock, and whoever fires it holds the same lock: a change is either before a
fire or after it. Every change is an event of the trail.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Unpack

from holdfast.audit import record
from holdfast.errors import AlreadyExists, Conflict, InvalidInput, NotFound
from holdfast.kernel.cron import Cron
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import encode
from holdfast.kernel.names import check_name, did_you_mean
from holdfast.kernel.page import Page
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.runs.api import Runs
from holdfast.runs.enqueue import NewRun
from holdfast.runs.model import Enqueued
from holdfast.runs.schedule import (
    FIELDS,
    MissedPolicy,
    OverlapPolicy,
    Schedule,
    ScheduleFields,
    check_fields,
    check_span,
    next_fire_of,
    schedule_of,
)

__all__ = ["Schedules"]

_SQL = queries("schedules")
_INSTANT = timedelta(microseconds=1)
_MOST_PREVIEWED = 100
_RESERVED = "holdfast."


class Schedules:
    """The schedules of one tenant."""

    def __init__(self, tx: TenantTx, runs: Runs, *, payload_limit: int) -> None:
        self._tx = tx
        self._runs = runs
        self._payload_limit = payload_limit

    async def create(
        self,
        name: str,
        type: str,  # noqa: A002 - it is the type
        cron: str,
        *,
        timezone: str = "UTC",
        payload: Any = None,
        description: str = "",
        priority: int = 0,
        max_attempts: int | None = None,
        missed: MissedPolicy = "once",
        missed_limit: int = 100,
        overlap: OverlapPolicy = "allow",
        starts_at: datetime | None = None,
        ends_at: datetime | None = None,
        paused: bool = False,
    ) -> Schedule:
        """Enqueue runs of a type by the clock: `cron` has five fields, six with seconds first, or is like @daily.

        `missed` says what becomes of fires that were missed, while nothing was running to notice them: `skip` them,
        enqueue `once` for all of them, or `all` of them up to `missed_limit`. With `overlap="skip"` a fire is left out
        while the run of the one before is not finished.
        """
        self._require_write()
        check_name("name", name)
        if name.startswith(_RESERVED):
            raise InvalidInput(f"name {name!r} is reserved", hint="choose one without holdfast.", field="name")
        wanted: ScheduleFields = {
            "description": description,
            "type": type,
            "payload": {} if payload is None else payload,
            "cron": cron,
            "timezone": timezone,
            "priority": priority,
            "max_attempts": max_attempts,
            "missed": missed,
            "missed_limit": missed_limit,
            "overlap": overlap,
            "starts_at": starts_at,
            "ends_at": ends_at,
        }
        values = check_fields(wanted, payload_limit=self._payload_limit)
        now = await self._now()
        next_fire = next_fire_of(Cron.parse(cron, timezone), now, starts_at, ends_at)
        if next_fire is None:
            raise InvalidInput(
                f"the schedule {name!r} never fires", hint="check starts_at and ends_at", field="ends_at"
            )
        actor = str(self._tx.actor)
        pause = {"paused_at": now if paused else None, "paused_by": actor if paused else None}
        made = uuid7()
        rest = {"id": made, "name": name, "created_by": actor, "next_fire_at": None if paused else next_fire}
        rest["party"] = self._tx.actor.carried
        if not await self._tx.run(_SQL["create_schedule"], **values, **pause, **rest):
            raise AlreadyExists(f"there is already a schedule {name!r}", hint="change it, or choose another name")
        told = {"name": name, "type": type, "cron": values["cron"], "timezone": timezone}
        await record(self._tx, "schedule", made, "schedule.created", told)
        return await self._find(name)

    async def update(self, name: str, **changes: Unpack[ScheduleFields]) -> Schedule:
        """Change some of a schedule. The next fire is computed anew, from now; what was fired stays fired."""
        self._require_write()
        for unknown in changes.keys() - set(FIELDS):
            raise InvalidInput(
                f"a schedule has no {unknown!r}", hint=did_you_mean(unknown, FIELDS) or "see docs", field=unknown
            )
        old = await self._locked(name)
        if name.startswith(_RESERVED) and changes.get("type", old.type) != old.type:
            raise Conflict(f"the schedule {name!r} is holdfast's own", hint="its type stays; its time can be changed")
        before = {field: getattr(old, field) for field in FIELDS}
        values = check_fields({**before, **changes}, payload_limit=self._payload_limit)  # type: ignore[typeddict-item]  # the same names
        now = await self._now()
        cron = Cron.parse(values["cron"], values["timezone"])
        next_fire = next_fire_of(cron, max(now, old.last_fire_at or now), values["starts_at"], values["ends_at"])
        await self._change(old, values, next_fire_at=None if old.paused_at else next_fire)
        if not name.startswith(_RESERVED):
            await self._tx.run(_SQL["change_party"], id=old.id, party=self._tx.actor.carried)
        after = await self._find(name)
        told = {field: _plain(getattr(after, field)) for field in FIELDS if getattr(after, field) != before[field]}
        if told:
            await record(self._tx, "schedule", old.id, "schedule.changed", {"name": name} | told)
        return after

    async def delete(self, name: str) -> None:
        """Remove a schedule. Its runs stay. One of holdfast's own (`holdfast.…`) can only be paused."""
        self._require_write()
        if name.startswith(_RESERVED):
            own = await self._find(name)
            raise Conflict(f"the schedule {own.name!r} is holdfast's own", hint="pause it, or change its time")
        row = await self._tx.row(_SQL["delete_schedule"], name=_askable(name))
        if row is None:
            raise await self._unknown(name)
        await record(self._tx, "schedule", row["id"], "schedule.deleted", {"name": name})

    async def pause(self, name: str) -> Schedule:
        """Stop firing. What would have fired meanwhile is not made up for."""
        self._require_write()
        old = await self._locked(name)
        if old.paused_at is not None:
            return old
        paused = {"paused_at": await self._now(), "paused_by": str(self._tx.actor)}
        await self._change(old, self._kept(old), next_fire_at=None, **paused)
        await record(self._tx, "schedule", old.id, "schedule.paused", {"name": name})
        return await self._find(name)

    async def resume(self, name: str) -> Schedule:
        """Fire again, from the next time on."""
        self._require_write()
        old = await self._locked(name)
        if old.paused_at is None:
            return old
        now = await self._now()
        cron = Cron.parse(old.cron, old.timezone)
        next_fire = next_fire_of(cron, max(now, old.last_fire_at or now), old.starts_at, old.ends_at)
        await self._change(old, self._kept(old), next_fire_at=next_fire, paused_at=None, paused_by=None)
        await record(self._tx, "schedule", old.id, "schedule.resumed", {"name": name})
        return await self._find(name)

    async def fire_now(self, name: str) -> Enqueued:
        """Enqueue one run at once, besides those of the clock; paused or not."""
        self._require_write()
        schedule = await self._locked(name)
        row = await self._tx.row(_SQL["party_of_schedule"], id=schedule.id)
        new = NewRun(
            schedule.type,
            schedule.payload,
            key=f"schedule:{schedule.id}:by-hand:{uuid7()}",
            priority=schedule.priority,
            max_attempts=schedule.max_attempts,
        )
        # As whoever wrote it, as when the clock fires it: who may fire it need not be able to do what it does.
        (made,) = await self._runs.enqueue_many([new], on_behalf_of=row and row["party"])
        await self._tx.run(_SQL["fired_by_hand"], id=schedule.id, run_id=made.id)
        await record(self._tx, "schedule", schedule.id, "schedule.fired_by_hand", {"name": name, "run": str(made.id)})
        return made

    async def get(self, name: str) -> Schedule:
        """One schedule."""
        self._tx.require("schedules:read")
        return await self._find(name)

    async def preview(self, name: str, n: int = 10) -> list[datetime]:
        """The next fires of a schedule, as if it were not paused."""
        schedule = await self.get(name)
        return await self.preview_cron(
            schedule.cron, schedule.timezone, n, starts_at=schedule.starts_at, ends_at=schedule.ends_at
        )

    async def preview_cron(
        self,
        cron: str,
        timezone: str = "UTC",
        n: int = 10,
        *,
        starts_at: datetime | None = None,
        ends_at: datetime | None = None,
    ) -> list[datetime]:
        """The next fires that an expression would have in a time zone."""
        self._tx.require("schedules:read")
        check_limit(n, maximum=_MOST_PREVIEWED)
        parsed = Cron.parse(cron, timezone)
        check_span(starts_at, ends_at)
        now = await self._now()
        start = now if starts_at is None else max(now, starts_at - _INSTANT)
        return list(islice(parsed.fires(start, ends_at), n))

    async def list(self, *, limit: int = 50, cursor: str | None = None) -> Page[Schedule]:
        """Schedules by name."""
        self._tx.require("schedules:read")
        check_limit(limit)
        query = {"schedules": True}
        after = None
        if cursor is not None:
            (after,) = decode_cursor(query, cursor, (str,))
        rows = await self._tx.rows(_SQL["list_schedules"], after=after, limit=limit + 1)
        items = [schedule_of(row) for row in rows[:limit]]
        return Page(items, encode_cursor(query, [items[-1].name]) if len(rows) > limit else None)

    def _require_write(self) -> None:
        self._tx.require("schedules:write")
        # What a schedule enqueues is enqueued on the behalf of whoever wrote it.
        self._tx.require("runs:write")

    def _kept(self, old: Schedule) -> dict[str, Any]:
        kept = {field: getattr(old, field) for field in FIELDS}
        return kept | {"payload": encode("payload", old.payload, limit=self._payload_limit)}

    async def _change(self, old: Schedule, values: dict[str, Any], **rest: Any) -> None:
        pause = {"paused_at": old.paused_at, "paused_by": old.paused_by}
        await self._tx.run(_SQL["change_schedule"], id=old.id, **(values | pause | rest))

    async def _locked(self, name: str) -> Schedule:
        row = await self._tx.row(_SQL["lock_schedule"], name=_askable(name))
        if row is None:
            raise await self._unknown(name)
        return schedule_of(row)

    async def _find(self, name: str) -> Schedule:
        row = await self._tx.row(_SQL["get_schedule"], name=_askable(name))
        if row is None:
            raise await self._unknown(name)
        return schedule_of(row)

    async def _unknown(self, name: str) -> NotFound:
        known = [row["name"] for row in await self._tx.rows(_SQL["list_schedules"], after=None, limit=200)]
        hint = did_you_mean(str(name), known) or "`holdfast schedules list` shows them"
        return NotFound(f"there is no schedule {name!r}", hint=hint, schedule=str(name))

    async def _now(self) -> datetime:
        row = await self._tx.row(_SQL["database_time"])
        assert row is not None
        at: datetime = row["now"]
        return at


def _askable(name: str) -> str:
    """What Postgres could not compare is nobody's name."""
    return "" if "\0" in name else name


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
