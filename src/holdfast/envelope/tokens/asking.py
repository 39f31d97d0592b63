"""Asking: the nodes that need something from outside the process: a time, an event, a person, another system.

Each function renders what is needed, sends it as an effect where somebody must act on it, and lets the token rest until
the answer comes. `ASKING` lists them by node type; a type that is not listed is the user's own and is called like an
action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from holdfast.envelope.compiled import CompiledNode
from holdfast.envelope.durations import parse_duration
from holdfast.envelope.tokens.duties import branches_of
from holdfast.envelope.tokens.position import Token
from holdfast.envelope.tokens.reading import people
from holdfast.envelope.tokens.turn import Turn, moment_text
from holdfast.kernel.cron import Cron

__all__ = ["ASKING", "BUILT_IN_DECISIONS", "Enter", "ask_custom"]

BUILT_IN_DECISIONS: Final = {"process.approve": "approved", "process.reject": "rejected"}
"""Actions that decide in the organisation's name: the gate ahead uses them like a person's decision."""

Enter = Callable[[Turn, Token, CompiledNode], None]


def _wait_timer(turn: Turn, token: Token, node: CompiledNode) -> None:
    config, now = node.config, turn.facts.now
    if config.get("duration"):
        resume = now + parse_duration(config["duration"])
    elif config.get("cron"):
        fire = Cron.parse(config["cron"]).next_after(now)
        assert fire is not None, "an expression that never fires is refused when it is compiled"
        resume = fire
    else:
        resume = turn.reader.moment(node, config["until"], turn.roots(token))
    if resume <= now:
        # A moment that has passed is not waited for: time comes by once for each moment, and has been.
        turn.end(token, "completed", output={"due": moment_text(resume)})
        return
    turn.open(token, "pending", resume_at=resume)


def _wait_event(turn: Turn, token: Token, node: CompiledNode) -> None:
    key = turn.reader.text(node, node.config["event_key"], turn.roots(token))
    turn.open(token, "pending", event_key=key, resume_at=_timeout(turn, node))


def _approval(turn: Turn, token: Token, node: CompiledNode) -> None:
    config = node.config
    request = {
        **_asked(turn, token, node),
        "approvers": _people(turn, token, node, config["approvers"]),
        "outcomes": ["approved", "rejected"],
        **{
            name: config.get(name)
            for name in ("chain", "required", "requester_may_approve", "may_delegate", "remind_every")
        },
    }
    branches = branches_of(token, turn.board.tokens, turn.board.forks)
    if branches:
        request |= {"branches": branches, "may_decide_in_parallel": bool(config.get("may_decide_in_parallel"))}
    turn.send(token, "approval", request, awaited=True)
    turn.open(token, "pending", resume_at=_timeout(turn, node))


def _task(turn: Turn, token: Token, node: CompiledNode) -> None:
    request = {
        **_asked(turn, token, node),
        "assignees": _people(turn, token, node, node.config["assignees"]),
        "form": node.config["form"],
        "answers": list(node.config["answers"]),
    }
    turn.send(token, "task", request, awaited=True)
    turn.open(token, "pending", resume_at=_timeout(turn, node))


def _asked(turn: Turn, token: Token, node: CompiledNode) -> dict[str, Any]:
    roots = turn.roots(token)
    title, text = node.config.get("title"), node.config.get("instructions")
    return {
        "title": turn.reader.text(node, title, roots) if title else node.name,
        "instructions": turn.reader.text(node, text, roots) if text else None,
    }


def _people(turn: Turn, token: Token, node: CompiledNode, given: Any) -> list[Any]:
    roots = turn.roots(token)
    return people(given, lambda text: turn.reader.value(node, text, roots))


def _action(turn: Turn, token: Token, node: CompiledNode) -> None:
    config = node.config
    decision = BUILT_IN_DECISIONS.get(config["action"])
    if decision is not None:
        made = {"decision": decision, "by": "system", "reason": node.name}
        turn.end(token, "completed", output={"decision": made})
        return
    roots = turn.roots(token)
    payload = {
        "action": config["action"],
        "input": turn.reader.payload(node, "payload", config.get("payload", {}), roots),
        "key": turn.reader.text(node, config["key"], roots) if config.get("key") else None,
    }
    turn.send(token, "action", payload, awaited=True)
    turn.open(token, "running")


def _rule(turn: Turn, token: Token, node: CompiledNode) -> None:
    turn.send(token, "rule", {"rule": node.config["rule"]}, awaited=True)
    turn.open(token, "running")


def _policy_gate(turn: Turn, token: Token, node: CompiledNode) -> None:
    turn.send(token, "policy", {"permission": node.config["permission"]}, awaited=True)
    turn.open(token, "running")


def ask_custom(turn: Turn, token: Token, node: CompiledNode) -> None:
    turn.send(token, "custom", {"type": node.type, "config": node.config}, awaited=True)
    # A field named `timeout` is ours only where the type can end so; elsewhere it means what its author says.
    turn.open(token, "running", resume_at=_timeout(turn, node) if "timeout" in node.outcomes else None)


def _webhook_out(turn: Turn, token: Token, node: CompiledNode) -> None:
    config, roots = node.config, turn.roots(token)
    body = config.get("body")
    headers = {name: {"$template": text} for name, text in config["headers"].items()}
    payload = {
        "url": turn.reader.text(node, config["url"], roots),
        "method": config["method"],
        "headers": turn.reader.payload(node, "headers", headers, roots),
        "body": turn.facts.entity if body is None else turn.reader.payload(node, "body", body, roots),
        "secret": config.get("secret"),
        "max_attempts": config["max_attempts"],
    }
    _enqueue(turn, token, "webhook", payload, wait=config["wait"])


def _notification(turn: Turn, token: Token, node: CompiledNode) -> None:
    config, roots = node.config, turn.roots(token)
    payload = {
        "to": _people(turn, token, node, config["to"]),
        "subject": turn.reader.text(node, config["subject"], roots),
        "body": turn.reader.text(node, config["body"], roots),
    }
    _enqueue(turn, token, config["channel"], payload, wait=config["wait"])


def _enqueue(turn: Turn, token: Token, kind: str, payload: Mapping[str, Any], *, wait: bool) -> None:
    turn.send(token, kind, payload, awaited=wait)
    if wait:
        turn.open(token, "running")
    else:
        turn.end(token, "completed")


def _run(turn: Turn, token: Token, node: CompiledNode) -> None:
    config, roots = node.config, turn.roots(token)
    payload = {
        "run_type": config["run_type"],
        "payload": turn.reader.payload(node, "payload", config["payload"], roots),
        "key": turn.reader.text(node, config["key"], roots) if config.get("key") else None,
        "max_attempts": config.get("max_attempts"),
    }
    turn.send(token, "run", payload, awaited=True)
    turn.open(token, "running", resume_at=_timeout(turn, node))


def _session(turn: Turn, token: Token, node: CompiledNode) -> None:
    given = turn.reader.payload(node, "input", node.config["input"], turn.roots(token))
    turn.send(token, "session", {"definition": node.config["definition"], "input": given}, awaited=True)
    turn.open(token, "running", resume_at=_timeout(turn, node))


def _timeout(turn: Turn, node: CompiledNode) -> datetime | None:
    text = node.config.get("timeout")
    return turn.facts.now + parse_duration(text) if text else None


ASKING: Final[Mapping[str, Enter]] = {
    "action": _action,
    "approval": _approval,
    "notification": _notification,
    "policy_gate": _policy_gate,
    "rule": _rule,
    "run": _run,
    "session": _session,
    "task": _task,
    "wait_event": _wait_event,
    "wait_timer": _wait_timer,
    "webhook_out": _webhook_out,
}
