"""People's part of a process as plain values: requests, decisions, and who is asked.

A principal is a name under which somebody is asked: `user:ana`, `role:finance_manager`, or `anyone` who may approve.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from holdfast.envelope.people import ANYONE, DECISIONS, Principal, Verdict

__all__ = [
    "ANYONE",
    "DECISIONS",
    "Assignee",
    "Cause",
    "ChosenRequest",
    "Decided",
    "DecidedItem",
    "Decision",
    "HeadlineField",
    "InboxCounts",
    "InboxItem",
    "InboxView",
    "Principal",
    "Quorum",
    "Refused",
    "Request",
    "RequestDetail",
    "Stage",
    "Verdict",
    "quorum_of",
    "tally",
]


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a chain, as it is asked for: everything that depends on the document is decided."""

    name: str
    approvers: list[Mapping[str, Any]]
    required: str
    due_after: timedelta | None = None
    escalate_after: timedelta | None = None
    escalate_to: list[Mapping[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """One question to people, about one version of one document.

    For example:

        for item in (await hold.inbox.list()).items:
            request: Request = (await hold.approvals.get(item.id)).request
    """

    id: UUID
    kind: Literal["approval", "task"]
    status: str
    instance_id: UUID
    step_id: UUID
    step_key: str
    node_id: str
    token_id: str
    entity_type: str
    document_id: UUID | None
    entity_version: int
    content_hash: str | None
    compiled_hash: str
    snapshot_version_id: UUID | None
    title: str
    instructions: str | None
    requester: str | None
    four_eyes: bool
    may_delegate: bool
    required: str
    outcomes: list[str]
    passes: str | None
    form: dict[str, Any] | None
    chain: str | None
    stage: int
    stage_count: int | None
    claimed_by: str | None
    due_at: datetime | None
    outcome: str | None
    reason: str | None
    changed_fields: list[str] | None
    created_at: datetime
    closed_at: datetime | None
    redacted: bool = False
    """Whether all but the headline was left out because the reader may not see the version it is about."""


@dataclass(frozen=True, slots=True)
class Assignee:
    """Somebody who is, or was, asked."""

    principal: str
    via: str | None
    is_open: bool
    added_at: datetime
    added_by: str
    removed_at: datetime | None
    removed_why: str | None


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decided: `applied` when a gate used it, `voided_at` when an edit made it worthless.

    For example:

        await hold.approvals.decide(request.id, "approved", reason="as agreed")
        decision: Decision = (await hold.approvals.get(request.id)).decisions[0]
    """

    id: UUID
    decision: str
    outcome: str | None
    decided_by: str
    seat: str
    reason: str | None
    answer: Any
    decided_at: datetime
    applied: bool
    applied_at: datetime | None
    voided_at: datetime | None
    void_reason: str | None
    changed_fields: list[str] | None
    entity_version: int
    content_hash: str | None
    compiled_hash: str


@dataclass(frozen=True, slots=True)
class RequestDetail:
    """A request with everybody who is asked, everything that was decided, what it is about, and why it was asked."""

    request: Request
    assignees: list[Assignee]
    decisions: list[Decision]
    quorum: Quorum
    headline: list[HeadlineField]
    why: list[Cause]


@dataclass(frozen=True, slots=True)
class Decided:
    """What a decision led to: `outcome` is None while others are still asked."""

    request_id: UUID
    decision_id: UUID
    status: str
    outcome: str | None
    next_request_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Quorum:
    """Whose votes a request needs, and what was voted so far."""

    required: str
    """`any`, `all`, or how many must be in favour."""
    asked: list[str]
    """The names that are asked: `user:ana`, `role:finance_manager`, `anyone`."""
    approved: int
    against: int
    abstained: int


@dataclass(frozen=True, slots=True)
class HeadlineField:
    """A field that says what a document is about, where there is little room."""

    name: str
    title: str
    value: Any


@dataclass(frozen=True, slots=True)
class Cause:
    """Why somebody is asked: a sentence, and the same as a code with parameters."""

    code: str
    text: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChosenRequest:
    """One of many requests to decide on; the version or hash that was seen of it, if given, must be the request's."""

    request_id: UUID
    entity_version: int | None = None
    content_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """Why one of many was not decided: what deciding on it alone would have raised."""

    code: str
    message: str
    hint: str | None


@dataclass(frozen=True, slots=True)
class DecidedItem:
    """What became of one of many: `decided`, or, without anything written of it, `refused`."""

    request_id: UUID
    decided: Decided | None
    refused: Refused | None


@dataclass(frozen=True, slots=True)
class InboxItem:
    """Something that waits for a person: as themselves (`mine`), in a `role`, or for another (`delegated`, `seat`).

    What is done has `decision` and `decided_at` besides.
    """

    id: UUID
    kind: str
    status: str
    title: str
    entity_type: str
    document_id: UUID | None
    entity_version: int
    content_hash: str | None
    instance_id: UUID
    node_id: str
    requester: str | None
    outcomes: list[str]
    claimed_by: str | None
    due_at: datetime | None
    overdue: bool
    created_at: datetime
    snapshot_version_id: UUID | None
    how: Literal["mine", "role", "delegated"]
    seat: str
    quorum: Quorum
    headline: list[HeadlineField]
    decision: str | None = None
    decided_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class InboxCounts:
    """How many things there are for a person, of each kind; `most` stands for that many or more."""

    all: int
    mine: int
    role: int
    delegated: int
    overdue: int
    done: int
    most: int


@dataclass(frozen=True, slots=True)
class InboxView:
    """Filters of the inbox that a person keeps under a name."""

    name: str
    filters: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime


def quorum_of(required: str, assignees: Sequence[Assignee], decisions: Sequence[Decision]) -> Quorum:
    """Whose votes a request needs, and what was voted so far."""
    asked = [each.principal for each in assignees if each.removed_at is None]
    return tally(required, asked, Counter(each.decision for each in decisions))


def tally(required: str, asked: Sequence[str], votes: Mapping[str, int]) -> Quorum:
    """The same from how many voted how."""
    against = votes.get("rejected", 0) + votes.get("returned", 0)
    return Quorum(required, list(asked), votes.get("approved", 0), against, votes.get("abstained", 0))
