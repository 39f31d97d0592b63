"""What somebody can do to an instance now, and why not the rest: each as a sentence, and as a code with parameters.

It looks and changes nothing; whoever then does it is asked again, by the step itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from holdfast.envelope.compiled import CompiledWorkflow
from holdfast.envelope.tokens import Option, Position
from holdfast.kernel.actor import Actor

__all__ = ["POSSIBILITY_CODES", "Possibility", "possibilities"]

POSSIBILITY_CODES: Final[Mapping[str, str]] = {
    "open": "The caller can do it now.",
    "needs_permission": "It takes a permission that the caller lacks: `permission`.",
    "needs_role": "It takes one of some roles: `roles`.",
    "decided_by_people": "Those who are asked decide on it, in their inbox: `node`.",
    "happens_by_itself": "The process comes to it by itself: `node`, `type`.",
    "paused": "An operator has stopped the instance.",
}
"""Every code of a `Possibility`, and its parameters."""

_PEOPLE: Final = ("approval", "lifecycle_gate", "task")


@dataclass(frozen=True, slots=True)
class Possibility:
    """Something that may happen next, and whether the caller can let it."""

    token: str | None
    node: str
    name: str
    """What the node is called."""
    outcome: str
    edges: tuple[str, ...]
    roles: tuple[str, ...]
    open: bool
    code: str
    text: str
    params: Mapping[str, Any]


def possibilities(
    workflow: CompiledWorkflow, position: Position, found: Sequence[Option], actor: Actor, *, paused: bool
) -> list[Possibility]:
    """Each option, as it is for an actor."""
    return [_judged(workflow, position, option, actor, paused=paused) for option in found]


def _judged(
    workflow: CompiledWorkflow, position: Position, option: Option, actor: Actor, *, paused: bool
) -> Possibility:
    node = workflow.nodes_by_id[option.node]
    code, text, params = _why(node.type, option, actor, position, paused=paused)
    return Possibility(
        option.token,
        option.node,
        node.name,
        option.outcome,
        option.edges,
        option.roles,
        code == "open",
        code,
        text,
        params,
    )


def _why(
    kind: str, option: Option, actor: Actor, position: Position, *, paused: bool
) -> tuple[str, str, dict[str, Any]]:
    failed = option.token is not None and position.tokens[option.token].state == "failed"
    if failed:
        return _permitted(actor, "processes:operate")
    if paused:
        return "paused", "an operator has stopped the instance", {}
    if option.token is not None and kind in _PEOPLE and option.outcome not in ("timeout", "error"):
        return "decided_by_people", "those who are asked decide on it", {"node": option.node}
    if option.token is not None and kind != "state":
        return "happens_by_itself", "the process comes to it by itself", {"node": option.node, "type": kind}
    if option.roles and not actor.roles & set(option.roles) and actor.kind != "system":
        roles = sorted(option.roles)
        return "needs_role", f"it takes the role {' or '.join(roles)}", {"roles": roles}
    return _permitted(actor, "processes:start")


def _permitted(actor: Actor, permission: str) -> tuple[str, str, dict[str, Any]]:
    if actor.may(permission):
        return "open", "it can be done now", {}
    return "needs_permission", f"it takes the permission {permission}", {"permission": permission}
