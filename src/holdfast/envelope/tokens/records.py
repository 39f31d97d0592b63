"""Step records, effects and moves: what an advance hands to whoever stores and sends things.

A step is written once when it passes straight through, and twice when it rests: first `pending` (waits for a person, an
event or a time) or `running` (something is being done for it), then with its end. Both records carry the same key, so a
table keeps one row for each step and updates it. The history is the list of records in the order they were written;
nothing else is needed to know where a process stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from holdfast.errors import InvalidInput

__all__ = [
    "IMMEDIATE",
    "Effect",
    "Move",
    "Origin",
    "StepRecord",
    "StepStatus",
    "current_rows",
    "history_of_rows",
]

StepStatus = Literal["pending", "running", "completed", "failed", "cancelled"]
Origin = Literal["start", "retry", "interrupt", "close"]
"""How a token came to a step otherwise than along an edge; `close` marks the last row of a stopped instance."""

IMMEDIATE: Final = frozenset({"action", "rule", "policy", "custom"})
"""Effects that are called at once, in the transaction of the advance; all others are enqueued."""

_OPEN: Final = ("pending", "running")


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One entry of the history. `output` holds `chosen_edge_ids` and the traces of every expression evaluated."""

    seq: int
    key: str
    node: str
    node_type: str
    token: str
    entity_version: int
    status: StepStatus
    outcome: str | None
    at: str
    input: Mapping[str, Any]
    output: Mapping[str, Any]
    error: Mapping[str, Any] | None = None
    run_as: str = "actor"
    actor: str | None = None
    resume_at: str | None = None
    event_key: str | None = None
    join_key: str | None = None
    origin: Origin | None = None

    @property
    def is_open(self) -> bool:
        """Whether the step has not ended."""
        return self.status in _OPEN

    @property
    def chosen_edge_ids(self) -> tuple[str, ...]:
        """The edges that were taken."""
        return tuple(self.output.get("chosen_edge_ids", ()))

    def to_json(self) -> dict[str, Any]:
        """The record as a JSON object."""
        return {name: getattr(self, name) for name in _RECORD_FIELDS}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> StepRecord:
        """Read what `to_json` gave."""
        try:
            return cls(**data)
        except TypeError as error:
            raise InvalidInput(f"this is not a step record: {error}") from None


_RECORD_FIELDS: Final = tuple(each.name for each in fields(StepRecord))


@dataclass(frozen=True, slots=True)
class Effect:
    """Something to do outside the core on behalf of a step: `kind` says what, `payload` with what.

    `action`, `rule`, `policy` and `custom` are called at once and answered with `Settled`. The others are enqueued:
    `webhook`, `email`, `sms`, `in_app`, `run`, `session`, and the requests to people, `approval` and `task`. When a
    cancelled record is written for a step, whatever was enqueued for its key is withdrawn.
    """

    kind: str
    key: str
    step: str
    node: str
    token: str
    payload: Mapping[str, Any]
    awaited: bool

    @property
    def immediate(self) -> bool:
        """Whether it is called in the transaction of the advance."""
        return self.kind in IMMEDIATE

    def to_json(self) -> dict[str, Any]:
        """The effect as a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Move:
    """What became of one token: `born`, `moved` along an edge, `ended` or `cancelled`."""

    kind: Literal["born", "moved", "ended", "cancelled"]
    token: str
    node: str
    edge: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The move as a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


def current_rows(history: Iterable[StepRecord]) -> list[dict[str, Any]]:
    """The table a store keeps: one row for each step, in the order they were opened, updated in place.

    `opened_seq` and `settled_seq` say when; `history_of_rows` turns such rows into the history again.
    """
    rows: dict[str, dict[str, Any]] = {}
    for record in history:
        row = record.to_json()
        seq = row.pop("seq")
        opened = rows.get(record.key)
        if opened is None:
            waited = record.status if record.is_open else None
            row |= {"opened_seq": seq, "settled_seq": None if record.is_open else seq, "waited": waited}
            opening = {"opened_at": record.at, "opened_by": record.actor, "opened_output": record.output}
            rows[record.key] = {**row, **opening}
        else:
            kept = {name: opened[name] for name in ("resume_at", "event_key", "input", "origin", "run_as")}
            opened.update({**row, **kept, "settled_seq": seq})
    return list(rows.values())


def history_of_rows(rows: Iterable[Mapping[str, Any]]) -> list[StepRecord]:
    """The history that gave these rows, in whatever order they come (WF-15)."""
    found: list[StepRecord] = []
    for row in rows:
        plain = {name: row[name] for name in _RECORD_FIELDS if name != "seq"}
        if row["settled_seq"] is not None:
            ended = {**plain, "resume_at": None, "event_key": None} if row["waited"] else plain
            ended |= {"input": {}, "origin": None} if row["waited"] else {}
            found.append(StepRecord(seq=row["settled_seq"], **ended))
        if row["waited"]:
            opening = {"status": row["waited"], "at": row["opened_at"], "output": row["opened_output"]}
            cleared = {"outcome": None, "error": None, "join_key": None, "actor": row["opened_by"]}
            found.append(StepRecord(seq=row["opened_seq"], **{**plain, **opening, **cleared}))
    found.sort(key=lambda record: record.seq)
    return found


def check_order(history: Sequence[StepRecord], start: int) -> None:
    """Raise `InvalidInput` when records are missing or out of order."""
    for expected, record in enumerate(history, start):
        if record.seq != expected:
            raise InvalidInput(
                f"the history is not whole: step {expected} is missing, step {record.seq} stands in its place"
            )
