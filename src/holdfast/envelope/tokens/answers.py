"""Answers: what a position and a history tell a person who asks.

Where are the tokens, what is each waiting for, what may happen next, and why was each edge taken. Everything is
derived; nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from holdfast.envelope.compiled import CompiledNode, CompiledWorkflow
from holdfast.envelope.tokens.position import Position, Token
from holdfast.envelope.tokens.records import StepRecord

__all__ = ["Option", "Reason", "Wait", "options", "reasons", "waits"]

_AWAITED: Mapping[str, str] = {
    "action": "an action",
    "approval": "a decision",
    "lifecycle_gate": "a decision",
    "notification": "a message to be sent",
    "policy_gate": "a policy check",
    "rule": "a rule",
    "run": "a run",
    "session": "a session",
    "state": "a person to choose",
    "task": "a form to be filled in",
    "wait_event": "an event",
    "wait_timer": "a time",
    "webhook_out": "a confirmation",
}


@dataclass(frozen=True, slots=True)
class Wait:
    """What one token waits for."""

    token: str
    node: str
    name: str
    kind: str
    """`person`, `event`, `time`, `work`, `tokens` (of its own), `operator` (its step failed)."""
    text: str
    since: str | None = None
    event_key: str | None = None
    resume_at: str | None = None
    code: str = ""
    """The same as `text`, for whoever speaks another language: see `WAIT_CODES`."""
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Option:
    """Something that may happen next, and where it can lead."""

    token: str | None
    """None for what happens to the whole process, such as cancelling it."""
    node: str
    outcome: str
    edges: tuple[str, ...]
    """The edges that may be taken then; which of them, their conditions decide at that moment."""
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a step went the way it did."""

    seq: int
    token: str
    node: str
    outcome: str
    edge: str | None
    target: str | None
    because: str
    code: str = ""
    """The same as `because`, for whoever speaks another language: see `REASON_CODES`."""
    params: Mapping[str, Any] = field(default_factory=dict)


def waits(workflow: CompiledWorkflow, position: Position) -> list[Wait]:
    """What every token waits for, in the order the tokens were born."""
    return [_wait(workflow, position, token) for token in position.tokens.values()]


def options(workflow: CompiledWorkflow, position: Position) -> list[Option]:
    """What may happen next: each outcome of each open step, and each way to interrupt the process."""
    found: list[Option] = []
    for token in position.tokens.values():
        node = workflow.nodes_by_id[token.node]
        if token.state == "failed":
            found.append(Option(token.id, node.id, "retry", ()))
        if token.state == "waiting":
            for outcome in node.outcomes:
                edges = tuple(edge.id for edge in workflow.outgoing(node.id) if edge.takes(outcome))
                found.append(Option(token.id, node.id, outcome, edges, _roles(node, outcome)))
    for name, interrupt in sorted(workflow.interrupts.items()):
        if not position.is_over and position.doc_status in interrupt.from_states:
            gate = workflow.nodes_by_id[interrupt.target]
            roles = tuple(gate.config.get("roles", ()))
            found.append(Option(None, gate.id, name, interrupt.edges, roles))
    return found


def reasons(workflow: CompiledWorkflow, history: Iterable[StepRecord]) -> list[Reason]:
    """Why each edge was taken: one reason for each edge, and one for each step that found none."""
    found: list[Reason] = []
    for record in history:
        if record.is_open or record.outcome is None:
            continue
        found += [
            _reason(record, edge, workflow.edges_by_id[edge].target, *_because(workflow, record, edge))
            for edge in record.chosen_edge_ids
        ]
        if record.status == "failed":
            error = record.error or {}
            params = {"code": error.get("code"), "message": error.get("message")}
            found.append(_reason(record, None, None, str(error.get("message", record.outcome)), "failed", params))
    return found


def _reason(
    record: StepRecord, edge: str | None, target: str | None, because: str, code: str, params: Mapping[str, Any]
) -> Reason:
    return Reason(record.seq, record.token, record.node, record.outcome or "", edge, target, because, code, params)


def _because(workflow: CompiledWorkflow, record: StepRecord, edge_id: str) -> tuple[str, str, Mapping[str, Any]]:
    """Why an edge was taken: a sentence, its code, and the parameters."""
    edge = workflow.edges_by_id[edge_id]
    traces: list[Mapping[str, Any]] = list(record.output.get("expressions", ()))
    for trace in traces:
        if trace.get("edge") == edge_id or trace.get("field") == "expression":
            return _said(trace), "condition", _traced(trace)
    if edge.outcome is not None:
        return f"the outcome was {record.outcome}", "outcome", {"outcome": record.outcome}
    refused = [trace for trace in traces if not trace["result"]]
    if refused and edge.condition is None:
        params = {"conditions": [_traced(trace) for trace in refused]}
        return f"nothing else matched: {'; '.join(map(_said, refused))}", "nothing_else_matched", params
    if record.node_type == "parallel_split":
        return "a split takes every branch", "every_branch", {}
    return "it is the way onward", "onward", {}


def _said(trace: Mapping[str, Any]) -> str:
    return f"{trace['expression']} is {trace['because']}"


def _traced(trace: Mapping[str, Any]) -> dict[str, Any]:
    return {name: trace.get(name) for name in ("expression", "result", "variables", "steps")}


def _roles(node: CompiledNode, outcome: str) -> tuple[str, ...]:
    if node.type == "state":
        return tuple(node.config.get("roles", {}).get(outcome, ()))
    if node.type == "lifecycle_gate":
        refusing = node.config.get("refusal_roles", {}).get(outcome)
        return tuple(refusing if refusing is not None else node.config.get("roles", ()))
    return ()


def _wait(workflow: CompiledWorkflow, position: Position, token: Token) -> Wait:
    node = workflow.nodes_by_id[token.node]
    step = token.step
    if token.state == "split":
        fork = position.forks[token.id]
        join = workflow.nodes_by_id[fork.join]
        text = f"{len(fork.arrived)} of {fork.needed} branches to arrive at {join.name}"
        params = {"arrived": len(fork.arrived), "needed": fork.needed, "join": join.name}
        return Wait(token.id, token.node, node.name, "tokens", text, code="branches", params=params)
    if token.state == "looping":
        loop = position.loops[token.id]
        text = f"{len(loop.results)} of {len(loop.items)} items to be done"
        params = {"done": len(loop.results), "items": len(loop.items)}
        since = step.at if step else None
        return Wait(token.id, token.node, node.name, "tokens", text, since, code="items", params=params)
    if step is None:
        return Wait(token.id, token.node, node.name, "work", "nothing: it is ready to go on", code="ready")
    if token.state == "failed":
        error = step.error or {}
        params = {"code": error.get("code"), "message": error.get("message")}
        message = str(error.get("message", "the step failed"))
        return Wait(token.id, token.node, node.name, "operator", message, step.at, code="failed", params=params)
    kind, text, code, params = _awaited(node, step)
    awaited = (step.at, step.event_key, step.resume_at)
    return Wait(token.id, token.node, node.name, kind, text, *awaited, code, params)


def _awaited(node: CompiledNode, step: StepRecord) -> tuple[str, str, str, dict[str, Any]]:
    """What an open step waits for: its kind, a sentence, its code, and the parameters."""
    text = _AWAITED.get(node.type, node.type)
    until = f", at the latest {step.resume_at}" if step.resume_at else ""
    if node.type == "state":
        choices = list(node.config["waits_for"])
        return "person", f"somebody to {' or '.join(choices)}", "choice", {"choices": choices}
    if node.type in ("approval", "lifecycle_gate", "task"):
        return "person", f"{text}{until}", "people", {"type": node.type, "until": step.resume_at}
    if node.type == "wait_event":
        params = {"event_key": step.event_key, "until": step.resume_at}
        return "event", f"the event {step.event_key}{until}", "event", params
    if node.type == "wait_timer":
        return "time", f"{step.resume_at}", "time", {"until": step.resume_at}
    return "work", text, "work", {"type": node.type}
