"""A schedule as it is stored, and what can be stored as one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, TypedDict, get_args
from uuid import UUID

from holdfast.errors import InvalidInput
from holdfast.kernel.clock import check_instant
from holdfast.kernel.cron import Cron
from holdfast.kernel.json import encode
from holdfast.kernel.names import check_text
from holdfast.postgres.tenant import Row
from holdfast.runs.registry import check_type

__all__ = [
    "FIELDS",
    "MissedPolicy",
    "OverlapPolicy",
    "Schedule",
    "ScheduleFields",
    "check_fields",
    "check_span",
    "next_fire_of",
    "schedule_of",
]

_INSTANT = timedelta(microseconds=1)

MissedPolicy = Literal["skip", "once", "all"]
OverlapPolicy = Literal["allow", "skip"]
State = Literal["active", "paused", "ended", "broken"]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Everything that is stored of a schedule, and the state that follows from it."""

    id: UUID
    name: str
    description: str
    type: str
    payload: Any
    cron: str
    timezone: str
    priority: int
    max_attempts: int | None
    missed: MissedPolicy
    missed_limit: int
    overlap: OverlapPolicy
    starts_at: datetime | None
    ends_at: datetime | None
    paused_at: datetime | None
    paused_by: str | None
    next_fire_at: datetime | None
    last_fire_at: datetime | None
    last_run_id: UUID | None
    last_error: str | None
    created_by: str
    created_at: datetime
    updated_at: datetime
    state: State


class ScheduleFields(TypedDict, total=False):
    """What can be changed of a schedule; what is left out stays."""

    description: str
    type: str
    payload: Any
    cron: str
    timezone: str
    priority: int
    max_attempts: int | None
    missed: MissedPolicy
    missed_limit: int
    overlap: OverlapPolicy
    starts_at: datetime | None
    ends_at: datetime | None


FIELDS = tuple(ScheduleFields.__annotations__)


def schedule_of(row: Row) -> Schedule:
    """A schedule from its row, with the state that follows from it."""
    known = {name: value for name, value in row.items() if name not in ("at", "party")}
    state: State = "active"
    if row["paused_at"] is not None:
        state = "paused"
    elif row["next_fire_at"] is None:
        state = "broken" if row["last_error"] else "ended"
    return Schedule(**known, state=state)


def next_fire_of(cron: Cron, after: datetime, starts_at: datetime | None, ends_at: datetime | None) -> datetime | None:
    """The first fire later than an instant and within the schedule's span."""
    start = after if starts_at is None else max(after, starts_at - _INSTANT)
    return next(cron.fires(start, ends_at), None)


def check_fields(fields: ScheduleFields, *, payload_limit: int) -> dict[str, Any]:
    """What can be stored of them, the payload as JSON text; an error names the field and the fix."""
    values: dict[str, Any] = dict(fields)
    check_type(values["type"])
    values["cron"] = Cron.parse(values["cron"], values["timezone"]).expression
    values["payload"] = encode("payload", values["payload"], limit=payload_limit)
    if values["description"] != "":
        check_text("description", values["description"], maximum=1000)
    _check_number("priority", values["priority"], -1000, 1000)
    _check_number("missed_limit", values["missed_limit"], 1, 1000)
    if values["max_attempts"] is not None:
        _check_number("max_attempts", values["max_attempts"], 1, 1000)
    _check_choice("missed", values["missed"], get_args(MissedPolicy))
    _check_choice("overlap", values["overlap"], get_args(OverlapPolicy))
    check_span(values["starts_at"], values["ends_at"])
    return values


def _check_number(field: str, value: Any, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise InvalidInput(f"{field} is {value!r}", hint=f"use a number from {low} to {high}", field=field)


def _check_choice(field: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InvalidInput(f"{field} is {value!r}", hint=f"use one of {', '.join(choices)}", field=field)


_YEARS = range(1900, 9000)
"""What is a moment before the first of them, or thirty years after the last, is no datetime any more."""


def check_span(starts_at: datetime | None, ends_at: datetime | None) -> None:
    for field, value in (("starts_at", starts_at), ("ends_at", ends_at)):
        if value is not None and check_instant(field, value).year not in _YEARS:
            raise InvalidInput(
                f"{field} is {value}", hint=f"use a year from {_YEARS.start} to {_YEARS.stop - 1}", field=field
            )
    if starts_at is not None and ends_at is not None and starts_at >= ends_at:
        raise InvalidInput("ends_at is not after starts_at", hint="use a later end, or none", field="ends_at")
