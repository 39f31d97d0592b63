"""Drafts: decisions that are made up and not written yet, each with what follows from it in its process.

A person may decide on one request or on a hundred alike; the checks are the same, and so is what is written. Drafts
that take nothing but writing are written together, in one statement.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from holdfast.envelope.people import needs_reason, outcome_of
from holdfast.errors import InvalidInput
from holdfast.kernel.ids import uuid7
from holdfast.people.asking import Question
from holdfast.people.model import Decided
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.steps import Answer

__all__ = ["Consequence", "Draft", "consequences_of", "outcome_for"]

_BOUND = ("instance_id", "step_key", "entity_id", "entity_version", "content_hash", "compiled_hash")
"""What a decision repeats of its request; the database compares."""


class Consequence(Protocol):
    """What follows from a decision in its process."""

    @property
    def advance(self) -> Mapping[str, Sequence[Row]] | None:
        """What is written together with the decision, as `record_decisions` takes it."""
        ...

    @property
    def posted(self) -> Row | None:
        """The event by which a worker does it, if it is not done here."""
        ...

    async def go_on(self, tx: TenantTx, failed: str | None) -> None:
        """Do what takes more than writing. The decision is written; `failed` says why its advance is not."""
        ...


@dataclass(frozen=True, slots=True)
class Draft:
    """A decision on a request that is locked, as it is about to be written."""

    request: Row
    seat: str
    decision: str
    outcome: str | None
    reason: str | None
    answer: Any
    status: str | None
    """What becomes of the request; None while it stays open."""
    final: str | None
    """The outcome of its step."""
    following: Question | Answer | None = None
    """The request of the next stage, or why there can be none."""
    consequence: Consequence | None = None
    id: UUID = field(default_factory=uuid7)

    @property
    def is_plain(self) -> bool:
        """Whether nothing is to be done but writing it with its consequence."""
        follows = self.consequence
        return self.following is None and (follows is None or follows.advance is not None or follows.posted is not None)

    def row(self, me: str) -> Row:
        """The decision, as `record_decisions` takes it."""
        return {
            **{name: self.request[name] for name in _BOUND},
            "id": self.id,
            "request_id": self.request["id"],
            "decision": self.decision,
            "outcome": self.outcome,
            "decided_by": me,
            "seat": self.seat,
            "reason": self.reason,
            "answer": self.answer,
        }

    def event(self, me: str, actor: str) -> Row:
        """What the trail of the instance tells of it."""
        request = self.request
        about = {"request": str(request["id"]), "decision": self.decision, "by": me, "reason": self.reason}
        about |= {"version": request["entity_version"], "content_hash": request["content_hash"]}
        if self.seat != me:
            about["for"] = self.seat
        return {
            "object_kind": "instance",
            "object_id": request["instance_id"],
            "event_type": f"{request['kind']}.decided",
            "actor": actor,
            "step_id": request["node_id"],
            "data": about,
            "trace_id": request["trace_id"],
        }

    @property
    def end(self) -> Row | None:
        """The end of its request, as `end_requests` takes it, if it brings one."""
        if self.status is None:
            return None
        return {"id": self.request["id"], "status": self.status, "outcome": self.final, "reason": self.reason}

    def decided(self, next_request: UUID | None = None) -> Decided:
        """What it came to, for whoever decided."""
        request_id = self.request["id"]
        if self.status is None:
            return Decided(request_id, self.id, "open", None)
        if isinstance(self.following, Answer):
            return Decided(request_id, self.id, self.status, "error")
        if next_request is not None:
            return Decided(request_id, self.id, self.status, None, next_request)
        return Decided(request_id, self.id, self.status, self.final)


def consequences_of(drafts: Sequence[Draft]) -> tuple[Mapping[str, Sequence[Row]], Sequence[Row]]:
    """What follows from drafts, each of another process, as `record_decisions` takes it: written, and left."""
    advance: defaultdict[str, list[Row]] = defaultdict(list)
    posted: list[Row] = []
    for follows in (each.consequence for each in drafts):
        if follows is None:
            continue
        for name, rows in (follows.advance or {}).items():
            advance[name] += rows
        if follows.posted is not None:
            posted.append(follows.posted)
    return advance, posted


def outcome_for(request: Row, verdict: str) -> str | None:
    """The outcome of the step that a verdict stands for."""
    outcome = outcome_of(verdict, request["outcomes"], request["passes"])
    if outcome is None and needs_reason(verdict):
        raise InvalidInput("this can only be approved: no way leads back from here", field="decision")
    return outcome
