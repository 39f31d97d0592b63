"""What somebody means who says a word to an instance: a choice of its state, an event it waits for, an interruption.

Whoever asks for a transition asks here, by the document or by its process, and so do both stores: the same word means
the same thing everywhere, and what cannot happen is refused in the same words.
"""

from __future__ import annotations

from typing import Any

from holdfast.envelope.compiled import CompiledNode, CompiledWorkflow
from holdfast.envelope.tokens import EventArrived, Happening, Interrupted, Position, Settled, Token
from holdfast.errors import Conflict

__all__ = ["meant", "transition_meant"]

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
        if token.state != "waiting" or at not in (None, token.node, token.id):
            continue
        chosen = _choice(workflow, token, event, given, reason)
        if chosen is not None:
            return chosen
        if token.step is not None and token.step.event_key == event:
            return EventArrived(event, given, None if at is None else token.id)
    if event in workflow.interrupts:
        return Interrupted(event, reason)
    raise _refusal(workflow, position, event, at)


def transition_meant(
    workflow: CompiledWorkflow, position: Position, name: str, *, reason: str | None = None
) -> Happening:
    """The transition of the document that a name means now: of the state it rests in, or one that interrupts."""
    for token in position.tokens.values():
        chosen = _choice(workflow, token, name, None, reason) if token.state == "waiting" else None
        if chosen is not None:
            return chosen
    if name in workflow.interrupts:
        return Interrupted(name, reason)
    possible = sorted(_transitions(workflow, position))
    raise Conflict(
        f"{name!r} is not possible while the document is {position.doc_status}",
        hint=f"possible now: {', '.join(possible)}" if possible else "the process is waiting for something else",
        transition=name,
    )


def _choice(workflow: CompiledWorkflow, token: Token, name: str, given: Any, reason: str | None) -> Settled | None:
    node = workflow.nodes_by_id[token.node]
    if node.type != "state" or name not in node.config["waits_for"]:
        return None
    return Settled(token.id, name, result=given, reason=reason, key=None if token.step is None else token.step.key)


def _transitions(workflow: CompiledWorkflow, position: Position) -> set[str]:
    """The transitions that could be asked for now."""
    nodes = [workflow.nodes_by_id[each.node] for each in position.tokens.values() if each.state == "waiting"]
    found = {name for node in nodes if node.type == "state" for name in node.config["waits_for"]}
    return found | {name for name, way in workflow.interrupts.items() if position.doc_status in way.from_states}


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
    steps = [each.step for each in position.tokens.values() if each.state == "waiting"]
    awaited = {step.event_key for step in steps if step is not None and step.event_key is not None}
    return sorted(_transitions(workflow, position) | awaited)


def _instead(workflow: CompiledWorkflow, position: Position) -> str:
    failed = [workflow.nodes_by_id[each.node].name for each in position.tokens.values() if each.state == "failed"]
    if failed:
        return f"{failed[0]} has failed: an operator lets it be tried again"
    return "it waits for something else: `processes.waits` says what"
