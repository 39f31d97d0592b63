"""The palette of a designer: everything that can be put into a slot, in groups, with the form of its properties.

Node types come from the registry, and each action is an entry of its own: a step of type `action` that names it, whose
input is the action's. Titles and descriptions carry codes beside the English words, for who speaks another language:
`node.approval`, `node.approval.timeout`, `action.store.get`, `group.people`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from holdfast.actions import Action
from holdfast.envelope import NodeTypes
from holdfast.envelope.parts.registry import NodeType

__all__ = ["Palette", "PaletteEntry", "PaletteGroup", "build_palette", "node_type_entry"]

_GROUPS: Final = {
    "control": "Control",
    "people": "People",
    "data_store": "Data Store",
    "documents": "Documents",
    "integrations": "Integrations",
    "agents": "Agents",
    "own": "Own",
}
_TYPES: Final = {
    **dict.fromkeys(("condition", "rule", "script", "parallel_split", "parallel_join", "for_each"), "control"),
    **dict.fromkeys(("wait_timer", "wait_event", "policy_gate"), "control"),
    **dict.fromkeys(("approval", "task", "notification"), "people"),
    **dict.fromkeys(("action", "webhook_out", "run"), "integrations"),
    "session": "agents",
}
_AREAS: Final = {
    "store": "data_store",
    "links": "data_store",
    "documents": "documents",
    "document": "documents",
    "sessions": "agents",
    "session": "agents",
    "runs": "integrations",
    "run": "integrations",
    "webhook": "integrations",
    "webhooks": "integrations",
    "effects": "integrations",
    "notify": "people",
}


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """Something to put into a slot: a node type, or an action as a node of type `action`."""

    id: str
    code: str
    type: str
    """The type of the node that it becomes."""
    title: str
    description: str
    icon: str
    branch: bool
    waits: bool | None
    """Whether a token rests there; None when that depends on how it is configured."""
    outcomes: tuple[str, ...] | None
    """What it can end with; None when that depends on how it is configured."""
    config: Mapping[str, Any]
    """What a new node begins with."""
    schema: Mapping[str, Any]
    """JSON Schema of the node's `config`, with marks for forms."""
    action: str | None = None
    input_schema: Mapping[str, Any] | None = None
    """JSON Schema of an action's input, for `config.payload`."""
    output_schema: Mapping[str, Any] | None = None
    permission: str | None = None
    field_codes: Mapping[str, str] = field(default_factory=dict)
    """For each property of the configuration, the code of its title and help."""


@dataclass(frozen=True, slots=True)
class PaletteGroup:
    """A group of the palette."""

    id: str
    code: str
    title: str
    entries: tuple[PaletteEntry, ...]


@dataclass(frozen=True, slots=True)
class Palette:
    """Everything that can be put into a slot."""

    groups: tuple[PaletteGroup, ...]


def build_palette(types: NodeTypes, actions: Iterable[Action]) -> Palette:
    """The palette of an application. Groups without an entry are left out."""
    found: dict[str, list[PaletteEntry]] = {group: [] for group in _GROUPS}
    for each in types.values():
        if each.placement == "slot":
            found[_TYPES.get(each.name, "own")].append(node_type_entry(each))
    plain = types["action"]
    for action in actions:
        found[_AREAS.get(action.name.partition(".")[0], "own")].append(_action_entry(action, plain))
    return Palette(
        tuple(
            PaletteGroup(group, f"group.{group}", _GROUPS[group], tuple(entries))
            for group, entries in found.items()
            if entries
        )
    )


def node_type_entry(kind: NodeType) -> PaletteEntry:
    """A node type as an entry."""
    outcomes, waits = _begins_with(kind)
    schema = kind.json_schema()
    return PaletteEntry(
        id=kind.name,
        code=f"node.{kind.name}",
        type=kind.name,
        title=kind.title,
        description=kind.description,
        icon=kind.icon,
        branch=kind.branch,
        waits=waits,
        outcomes=outcomes,
        config={},
        schema=schema,
        field_codes={name: f"node.{kind.name}.{name}" for name in schema.get("properties", {})},
    )


def _begins_with(kind: NodeType) -> tuple[tuple[str, ...] | None, bool | None]:
    """What a node of the type ends with and whether it waits, where no configuration can change that."""
    if any(each.is_required() for each in kind.config.model_fields.values()):
        return None, None
    try:
        bare = kind.config()
    except ValueError:
        return None, None
    return bare.outcomes(), bare.waits()


def _action_entry(action: Action, plain: NodeType) -> PaletteEntry:
    schema = plain.json_schema()
    return PaletteEntry(
        id=f"action:{action.name}",
        code=f"action.{action.name}",
        type="action",
        title=action.label,
        description=action.description.partition("\n")[0],
        icon=plain.icon,
        branch=False,
        waits=False,
        outcomes=("completed", "error"),
        config={"action": action.name},
        schema=schema,
        action=action.name,
        input_schema=action.input.schema,
        output_schema=action.output.schema,
        permission=action.permission,
        field_codes={name: f"node.action.{name}" for name in schema.get("properties", {})},
    )
