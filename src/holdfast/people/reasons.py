"""Why somebody is asked: under which name, and which conditions led the process to ask; each as a code with parameters.

The conditions are those that were traced when they were decided, with every value they read: nothing is evaluated anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from holdfast.kernel.json import decode
from holdfast.kernel.packing import unpack
from holdfast.people.model import ANYONE, Assignee, Cause, Request
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx

__all__ = ["WHY_CODES", "read_why"]

_SQL = queries("people")

WHY_CODES: Final[Mapping[str, str]] = {
    "asked_by_name": "The person is asked themselves: `user`.",
    "asked_by_role": "Whoever holds a role is asked: `role`.",
    "asked_as_anyone": "Anyone who may approve is asked.",
    "asked_in_place_of": "The person stands in for somebody: `user`, as `principal`.",
    "asked_after": "Somebody else was asked before, and it was handed on: `from`, to `principal`.",
    "asked_by_escalation": "It was escalated: to `principal`.",
    "condition": "A condition led here: `node`, `edge`, `expression`, `result`, `variables`, `steps`.",
}
"""Every code of a `Cause`, and its parameters."""


async def read_why(
    tx: TenantTx, request: Request, assignees: Sequence[Assignee], *, conditions: bool = True
) -> list[Cause]:
    """Why the actor is asked, if they are, and the conditions before it, the last one first."""
    actor = tx.actor
    names = await tx.rows(
        _SQL["my_names"], me=actor.name, roles=sorted(actor.roles), may_approve=actor.may("processes:approve")
    )
    asked = {each.principal: each for each in assignees if each.removed_at is None}
    found = [
        _asked(asked[row["principal"]], row)
        for row in names
        if row["principal"] in asked and row["only_type"] in (None, request.entity_type)
    ]
    if not conditions:
        return found
    rows = await tx.rows(_SQL["conditions_before"], instance_id=request.instance_id, step_key=request.step_key)
    return found + [why for row in rows for why in _conditions(row)]


def _asked(assignee: Assignee, row: Row) -> Cause:
    principal, via = assignee.principal, assignee.via or ""
    kind, _, name = principal.partition(":")
    if row["how"] == "delegated":
        params = {"user": row["seat"], "principal": principal}
        return Cause("asked_in_place_of", f"you stand in for {row['seat']}, who is asked", params)
    if via == "escalation":
        return Cause("asked_by_escalation", "it was escalated to you", {"principal": principal})
    if via.startswith("from "):
        before = via.removeprefix("from ")
        return Cause("asked_after", f"{before} handed it on to you", {"from": before, "principal": principal})
    if principal == ANYONE:
        return Cause("asked_as_anyone", "anyone who may approve is asked", {})
    if kind == "role":
        return Cause("asked_by_role", f"whoever holds the role {name} is asked", {"role": name})
    return Cause("asked_by_name", "you are asked by name", {"user": name})


def _conditions(row: Row) -> list[Cause]:
    told = decode(unpack(row["output"], row["output_packed"], row["output_hash"]))
    traces: list[Mapping[str, Any]] = told.get("expressions", [])
    return [
        Cause(
            "condition",
            f"{trace['expression']} is {trace['because']}",
            {
                "node": row["node_id"],
                "edge": trace.get("edge"),
                **{name: trace.get(name) for name in ("expression", "result", "variables", "steps")},
            },
        )
        for trace in traces
        if "because" in trace
    ]
