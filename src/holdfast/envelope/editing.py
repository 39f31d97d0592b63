"""Editing: what an edit of a document comes to, by the window it meets and the amendments its contract has.

Documents enforce it, with the engine stopped too; the simulator plays it. Both ask here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from holdfast.envelope.compiled import CompiledWorkflow
from holdfast.envelope.windows import EditWindow
from holdfast.kernel.json import canonical_json

__all__ = ["AmendmentWay", "EditRefusal", "amendment_refused", "changed_fields", "edit_way", "way_to_amend"]


@dataclass(frozen=True, slots=True)
class AmendmentWay:
    """How a document may be replaced: the state in which the new one begins, and who may do that."""

    to_state: str
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EditRefusal:
    """Why an edit is refused."""

    code: Literal["edit_locked", "forbidden"]
    message: str


def changed_fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    """The top-level fields whose canonical text differs, sorted. Without any there is no edit."""
    same = {name for name in before if name in after and canonical_json(before[name]) == canonical_json(after[name])}
    return tuple(sorted({*before, *after} - same))


def edit_way(window: EditWindow, *, own: bool = False, explicit: bool = False) -> Literal["update", "amend", "locked"]:
    """What an edit is: of the document itself, by a new one in its place, or not possible.

    `own` are the edits of the document's own process; `explicit`, that somebody asks for an amendment.
    """
    if explicit:
        return "amend"
    if own or window == "editable":
        return "update"
    return "amend" if window == "amend_only" else "locked"


def way_to_amend(workflow: CompiledWorkflow, state: str | None) -> AmendmentWay | None:
    """The amendment that a workflow's contract has from a state of the document."""
    config = workflow.nodes_by_id[workflow.start].config
    target = config.get("amends", {}).get(state)
    return None if target is None else AmendmentWay(target, tuple(config["amend_roles"].get(state, ())))


def amendment_refused(
    way: AmendmentWay | None, state: str | None, name: str, roles: Collection[str] | None
) -> EditRefusal | None:
    """Why somebody may not amend a document in a state; `roles` None are those of a program, which has every one."""
    if way is None:
        return EditRefusal("edit_locked", f"a document that is {state} cannot be amended")
    if way.roles and roles is not None and not set(roles) & set(way.roles):
        return EditRefusal("forbidden", f"{name} may not amend this document")
    return None
