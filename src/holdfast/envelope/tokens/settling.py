"""Settling: whether an answer to an open step is acceptable, and what its record keeps of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.envelope.compiled import CompiledNode
from holdfast.envelope.tokens.happenings import Facts, Settled
from holdfast.kernel.schemas import MOST_FORM_STEPS, json_schema

__all__ = ["Refusal", "evidence", "lacks_role", "may_not", "wrong_answer"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing was done: a stable code and a sentence."""

    code: str
    message: str


def lacks_role(actor: Mapping[str, Any], roles: Iterable[str], what: str) -> Refusal | None:
    needed = list(roles)
    if not needed or set(needed) & set(actor.get("roles", ())):
        return None
    return Refusal("forbidden", f"{actor.get('user_id')} has none of the roles that may {what}: {', '.join(needed)}")


def may_not(node: CompiledNode, happening: Settled, actor: Mapping[str, Any]) -> Refusal | None:
    """Whether the person may choose this transition, or decide so at this gate."""
    config = node.config
    if node.type == "state":
        return lacks_role(actor, config.get("roles", {}).get(happening.outcome, ()), happening.outcome)
    if node.type == "lifecycle_gate" and happening.error is None:  # That nobody can be asked is nobody's decision.
        refusing = config.get("refusal_roles", {}).get(happening.outcome)
        passing = config.get("roles", ())
        return lacks_role(actor, refusing if refusing is not None else passing, config["transition"])
    return None


def wrong_answer(node: CompiledNode, happening: Settled) -> Refusal | None:
    if node.type != "task" or happening.outcome not in node.config["answers"]:
        return None
    given = {} if happening.result is None else happening.result
    found = json_schema(node.config["form"]).problems(given, most=1, steps=MOST_FORM_STEPS)
    if not found:
        return None
    place, message = found[0].dotted, found[0].message
    return Refusal("invalid_answer", f"{place}: {message}" if place else message)


def evidence(node: CompiledNode, happening: Settled, facts: Facts) -> dict[str, Any]:
    output: dict[str, Any] = {}
    if happening.result is not None:
        output["result"] = happening.result
    if happening.reason is not None:
        output["reason"] = happening.reason
    if happening.entity_version is not None:
        output["entity_version"] = happening.entity_version
    if node.type == "approval" and happening.outcome in ("approved", "rejected"):
        by = facts.actor.get("user_id")
        output["decision"] = {"decision": happening.outcome, "by": by, "reason": happening.reason}
    save_as = node.config.get("save_as")
    if save_as and happening.outcome not in ("error", "timeout"):
        output["set"] = {save_as: happening.result}
    return output
