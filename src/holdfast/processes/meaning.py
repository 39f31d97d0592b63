"""What somebody means who says a word to an instance: a choice of its state, an event it waits for, an interruption.

Both stores ask here, so that the same word means the same thing in Postgres and in memory, and what cannot happen is
refused in the same words.
"""

from __future__ import annotations

from typing import Any

from holdfast.envelope.compiled import CompiledNode, CompiledWorkflow
from holdfast.envelope.tokens import EventArrived, Happening, Interrupted, Position, Settled
from holdfast.errors import Conflict

__all__ = ["meant"]

_PEOPLE = ("approval", "lifecycle_gate", "task")


def meant(
    workflow: CompiledWorkflow,
    position: Position,
    event: str,
    given: Any = None,
    *,
    at: str | None = None,
    reason: str | None = None,
) -> Happening:
    """The happening that a word means now; `at` names the node or the token if several may be meant."""
    for token in position.tokens.values():
        node = workflow.nodes_by_id[token.node]
        if token.state != "waiting" or (at is not None and at not in (node.id, token.id)):
            continue
        if node.type == "state" and event in node.config["waits_for"]:
            key = None if token.step is None else token.step.key
            return Settled(token.id, event, result=given, reason=reason, key=key)
        if token.step is not None and token.step.event_key == event:
            return EventArrived(event, given, None if at is None else token.id)
    if event in workflow.interrupts:
        return Interrupted(event, reason)
    raise _refusal(workflow, position, event, at)


def _refusal(workflow: CompiledWorkflow, position: Position, event: str, at: str | None) -> Conflict:
    if position.is_over:
        return Conflict(
            f"{event!r} cannot happen any more: the instance is {position.status}",
            hint="what is over stays so",
            event=event,
        )
    asking = next((each for each in _waiting(workflow, position, at) if _decides(each, event)), None)
    if asking is not None:
        how = "approvals.complete" if asking.type == "task" else "approvals.decide"
        return Conflict(
            f"{event!r} does not happen by an advance: {asking.name} waits for the people who are asked",
            hint=f"whoever is asked finds the request in the inbox and uses `{how}`",
            event=event,
            node=asking.id,
        )
    possible = _possible(workflow, position)
    where = "" if at is None else f" at {at}"
    return Conflict(
        f"{event!r} cannot happen now{where}",
        hint=f"possible: {', '.join(possible)}" if possible else _instead(workflow, position),
        event=event,
    )


def _waiting(workflow: CompiledWorkflow, position: Position, at: str | None) -> list[CompiledNode]:
    return [
        workflow.nodes_by_id[token.node]
        for token in position.tokens.values()
        if token.state == "waiting" and at in (None, token.node, token.id)
    ]


def _decides(node: CompiledNode, event: str) -> bool:
    return node.type in _PEOPLE and event in node.outcomes and event not in ("timeout", "error")


def _possible(workflow: CompiledWorkflow, position: Position) -> list[str]:
    """The words that would be understood now: what this module reads, and nothing that is decided elsewhere."""
    found: set[str] = set()
    for token in position.tokens.values():
        if token.state != "waiting":
            continue
        node = workflow.nodes_by_id[token.node]
        if node.type == "state":
            found |= set(node.config["waits_for"])
        if token.step is not None and token.step.event_key is not None:
            found.add(token.step.event_key)
    found |= {name for name, way in workflow.interrupts.items() if position.doc_status in way.from_states}
    return sorted(found)


def _instead(workflow: CompiledWorkflow, position: Position) -> str:
    failed = [workflow.nodes_by_id[each.node].name for each in position.tokens.values() if each.state == "failed"]
    if failed:
        return f"{failed[0]} has failed: an operator lets it be tried again"
    return "it waits for something else: `processes.waits` says what"
