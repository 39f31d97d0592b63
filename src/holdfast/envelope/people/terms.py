"""Terms: what the effect of a step that needs people says, and what it leaves unsaid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from holdfast.envelope.compiled import CompiledNode
from holdfast.envelope.tokens.records import Effect

__all__ = ["AGAINST", "DECISIONS", "Terms", "Verdict", "needs_reason", "outcome_of", "terms_of"]

Verdict = Literal["approved", "rejected", "returned", "abstained"]
DECISIONS: Final[tuple[Verdict, ...]] = ("approved", "rejected", "returned", "abstained")
AGAINST: Final[tuple[Verdict, ...]] = ("rejected", "returned")
_NOT_CHOSEN: Final = ("error", "timeout")


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms people are asked."""

    kind: Literal["approval", "task"]
    given: Sequence[Mapping[str, Any]]
    """Who is meant, as the definition says; empty where a chain says it."""
    chain: str | None
    required: str
    """`any`, `all`, or how many must be in favour."""
    four_eyes: bool
    may_delegate: bool
    outcomes: tuple[str, ...]
    passes: str | None
    """The outcome that lets a gate pass; None for what is no gate."""


def terms_of(node: CompiledNode, effect: Effect) -> Terms:
    """The terms of a step's effect. A gate without roles asks anyone who may decide."""
    payload = effect.payload
    task = effect.kind == "task"
    gate = node.type == "lifecycle_gate"
    chain = payload.get("chain")
    given = payload.get("assignees" if task else "approvers") or []
    if gate and not given and chain is None:
        given = [{"kind": "role", "role": "anyone"}]
    chosen = payload["answers"] if task else payload["outcomes"]
    return Terms(
        kind="task" if task else "approval",
        given=given,
        chain=None if chain is None else str(chain),
        required=str(payload.get("required") or "any"),
        four_eyes=not task and not payload.get("requester_may_approve", False),
        may_delegate=bool(payload.get("may_delegate", True)),
        outcomes=tuple(chosen) if task else tuple(each for each in chosen if each not in _NOT_CHOSEN),
        passes=node.config["passes"] if gate else None,
    )


def outcome_of(verdict: str, outcomes: Sequence[str], passes: str | None) -> str | None:
    """The outcome of the step that a verdict stands for; None for who abstains, and where no way leads back."""
    if verdict == "abstained":
        return None
    onward = passes or "approved"
    if verdict == "approved":
        return onward
    against = [outcome for outcome in outcomes if outcome != onward]
    return None if not against else "rejected" if "rejected" in against else min(against)


def needs_reason(verdict: str) -> bool:
    """Whether whoever decides so must say why."""
    return verdict in AGAINST
