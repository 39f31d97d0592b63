"""The position: where every token of one process instance stands, folded from its history.

A position is a value with an exact JSON form, small whatever the length of the history: it knows the tokens that are
alive, the splits and loops under way, the variables, and the decisions not yet used. Tokens that have ended are only
counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, NamedTuple

from holdfast.envelope.tokens.records import StepRecord
from holdfast.errors import InvalidInput

__all__ = [
    "ROOT",
    "Decision",
    "Fork",
    "InstanceStatus",
    "Loop",
    "Position",
    "Token",
    "TokenState",
    "first_round",
    "next_round",
    "round_of",
]

ROOT = "main"
"""The id of the first token. Its branches are `main.0`, `main.1`; after a return it is `main~1`, `main~2`."""

InstanceStatus = Literal["running", "paused", "completed", "failed", "cancelled"]
TokenState = Literal["ready", "waiting", "split", "looping", "failed"]


def next_round(token: str) -> str:
    """The id of the token that is born where `token` crosses a return edge or its step is tried again."""
    stem, mark, count = token.rpartition("~")
    if mark and count.isdigit():
        return f"{stem}~{int(count) + 1}"
    return f"{token}~1"


def round_of(token: str) -> int:
    """How many return edges the token has crossed, itself or as those it comes from; at its last branching."""
    _, mark, count = token.rpartition("~")
    return int(count) if mark and count.isdigit() else 0


def first_round(token: str) -> str:
    """The id the token had before it crossed any return edge."""
    stem, mark, count = token.rpartition("~")
    return stem if mark and count.isdigit() else token


class Token(NamedTuple):
    """One thread of execution that is alive.

    `ready`: about to enter its node. `waiting`: its step there is open. `split`, `looping`: it rests while its children
    are on their way. `failed`: its step failed and somebody must look at it.
    """

    id: str
    node: str
    state: TokenState
    parent: str | None = None
    path_index: int = 0
    scope: str = ""
    """The `for_each` item whose variables it sees; empty outside of any."""
    item: int | None = None
    """The index of the item, when this token is the one that walks the body."""
    children: int = 0
    """How many tokens were born from it; the next child takes this number."""
    via: str | None = None
    """The edge it came along."""
    step: StepRecord | None = None
    """Its open or failed step."""


@dataclass(frozen=True, slots=True)
class Fork:
    """A split whose join has not fired; its parent token waits for it."""

    split: str
    join: str
    born: int
    needed: int
    entity_version: int
    arrived: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Loop:
    """A `for_each` under way."""

    node: str
    parallel: bool
    items: tuple[Any, ...]
    first_child: int
    started: int
    results: dict[int, Mapping[str, Any]]
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision about the document that no gate has used yet (WF-03)."""

    step: str
    node: str
    token: str
    decision: str
    entity_version: int
    by: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """Where a process instance stands. Two positions are equal when every answer they give is."""

    instance: str
    status: InstanceStatus = "running"
    reason: str | None = None
    entity_version: int = 0
    """The document version the last step saw."""
    doc_status: str | None = None
    root: str = ROOT
    tokens: Mapping[str, Token] = field(default_factory=dict)
    forks: Mapping[str, Fork] = field(default_factory=dict)
    loops: Mapping[str, Loop] = field(default_factory=dict)
    variables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Scope to its variables: the process's own under the empty name, then those of items under way."""
    payload: Any = None
    """What started the process, for automations."""
    decisions: tuple[Decision, ...] = ()
    seq: int = 0
    born: int = 0
    ended: int = 0

    @property
    def started(self) -> bool:
        """Whether anything has happened yet."""
        return self.seq > 0

    @property
    def is_over(self) -> bool:
        """Whether nothing more can happen."""
        return self.status in ("completed", "failed", "cancelled")

    @property
    def context(self) -> Mapping[str, Any]:
        """The variables of the process."""
        return self.variables.get("", {})

    @property
    def current_nodes(self) -> tuple[str, ...]:
        """The nodes where tokens stand, sorted."""
        return tuple(sorted({token.node for token in self.tokens.values()}))

    def waiting_at(self, node: str) -> list[Token]:
        """The tokens whose step at this node is open."""
        return [token for token in self.tokens.values() if token.node == node and token.state == "waiting"]

    def to_json(self) -> dict[str, Any]:
        """The position as a JSON object, as kept in an instance's projection."""
        data = {each.name: getattr(self, each.name) for each in fields(self)}
        data["tokens"] = [_plain(token) for token in self.tokens.values()]
        data["forks"] = {key: _plain(fork) for key, fork in self.forks.items()}
        data["loops"] = {key: _plain(loop) for key, loop in self.loops.items()}
        data["decisions"] = [_plain(decision) for decision in self.decisions]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Position:
        """Read what `to_json` gave."""
        try:
            return cls(
                **{
                    **data,
                    "tokens": {each["id"]: _token(each) for each in data["tokens"]},
                    "forks": {key: _fork(each) for key, each in data["forks"].items()},
                    "loops": {key: _loop(each) for key, each in data["loops"].items()},
                    "decisions": tuple(Decision(**each) for each in data["decisions"]),
                }
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInput(f"this is not a position: {error}") from None


def _plain(value: Any) -> dict[str, Any]:
    if isinstance(value, Token):
        return {**value._asdict(), "step": None if value.step is None else value.step.to_json()}
    data = {name: getattr(value, name) for name in value.__slots__}
    if isinstance(value, Fork):
        data["arrived"] = list(value.arrived)
    if isinstance(value, Loop):
        data["items"] = list(value.items)
        data["results"] = {str(index): dict(result) for index, result in value.results.items()}
    return data


def _token(data: Mapping[str, Any]) -> Token:
    step = data["step"]
    return Token(**{**data, "step": None if step is None else StepRecord.from_json(step)})


def _fork(data: Mapping[str, Any]) -> Fork:
    return Fork(**{**data, "arrived": tuple(data["arrived"])})


def _loop(data: Mapping[str, Any]) -> Loop:
    results = {int(index): result for index, result in data["results"].items()}
    return Loop(**{**data, "items": tuple(data["items"]), "results": results})
