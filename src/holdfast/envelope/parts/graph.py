"""Nodes, edges, and the patches an organisation writes: the raw form of a definition, before any compile.

These models check shape only. What the ids, types, expressions and windows mean, the compiler checks, so that
all mistakes are reported together. `position` is for the canvas and never reaches a compiled workflow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError, field_validator

from holdfast.envelope.parts.fields import Part, Text, Whole, field
from holdfast.envelope.problems import Path, Problems, compile_error, shape_problems
from holdfast.envelope.text import parse_yaml
from holdfast.envelope.windows import EditWindow
from holdfast.kernel.json import canonical_json, parse_json

__all__ = [
    "BaseRef",
    "BodyPatch",
    "Edge",
    "Node",
    "OrgWorkflowDefinition",
    "Position",
    "RunAs",
    "SlotGraphPatch",
]

Id = Annotated[str, StringConstraints(min_length=1, max_length=512)]
RunAs = Literal["actor", "system", "service_account"]


class Position(Part):
    """Where the canvas shows a node."""

    x: Whole = field("X", "To the right.")
    y: Whole = field("Y", "Downwards.")


class Node(Part):
    """One step. `config` is checked against the model of the node's type when the definition is compiled."""

    id: Id = field("Id", "`usr:‹slot›:‹name›`, or the name alone.")
    type: Text = field("Type", "The node type.", widget="node-type")
    name: str | None = field("Name", "What people call this step.", default=None, max_length=200)
    config: dict[str, Any] = field("Configuration", "What the type needs to know.", factory=dict)
    run_as: RunAs = field("Run as", "On whose behalf the step acts.", default="actor")
    edit_window: EditWindow | None = field("Edit window", "Only ever stricter than the slot's.", default=None)
    position: Position | None = field("Position", "On the canvas.", default=None)


class Edge(Part):
    """A way from one node to another: taken on an outcome, if a condition holds, or else."""

    id: Id | None = field("Id", "`usr:‹slot›:‹name›`, the name alone, or nothing to have one derived.", default=None)
    source: Id = field("From", "A node, or `in`.")
    target: Id = field("To", "A node, or `out`.")
    outcome: str | None = field(
        "On outcome",
        "The outcome that takes this edge; `error:‹code›` takes errors of that code alone.",
        default=None,
        min_length=1,
        max_length=128,
        examples=["approved", "error:QUOTA_EXHAUSTED"],
    )
    condition: str | None = field(
        "If",
        "An expression that must hold as well.",
        default=None,
        widget="expression",
        extra={"x-holds": "expression", "x-type": "boolean"},
        examples=["entity.grand_total > 10000"],
    )
    priority: Annotated[Whole, Field(ge=-1_000_000, le=1_000_000)] = field(
        "Priority", "Lower is tried first.", default=0
    )
    label: str | None = field("Label", "What the canvas shows.", default=None, max_length=200)
    returns: bool = field("Leads back", "Whether this edge goes back to an earlier node.", default=False)

    @field_validator("outcome", mode="before")
    @classmethod
    def _word_of_boolean(cls, value: Any) -> Any:
        # YAML reads an unquoted `outcome: true` as a boolean, and everybody means the word.
        return {True: "true", False: "false"}[value] if isinstance(value, bool) else value


class BodyPatch(Part):
    """Nodes and edges between an `in` and an `out`."""

    nodes: list[Node] = field("Nodes", "The steps.", factory=list)
    edges: list[Edge] = field("Edges", "The ways between them.", factory=list)
    entry_edge_mode: Literal["serial", "branch"] = field(
        "Entry", "One edge leaves `in`, or several of which one is taken.", default="serial"
    )
    exit_edge_mode: Literal["single", "join"] = field("Exit", "One edge enters `out`, or several.", default="single")


class SlotGraphPatch(BodyPatch):
    """What an organisation puts into one slot."""

    edit_window_override: EditWindow | None = field(
        "Edit window", "For the whole slot; only ever stricter than the skeleton's.", default=None
    )


class BaseRef(Part):
    """The skeleton a definition was written for."""

    entity_type: Text = field("Entity type", "The contract's entity type.")
    envelope_version: Annotated[Whole, Field(ge=1)] = field("Skeleton version", "The contract's version.")


class OrgWorkflowDefinition(Part):
    """An organisation's patches, slot by slot, and the skeleton version they were written for."""

    base_ref: BaseRef = field("Base", "The skeleton this was written for.")
    slots: dict[str, SlotGraphPatch] = field("Slots", "Slot to patch.", factory=dict)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> OrgWorkflowDefinition:
        """Check the shape of parsed data. Raises `CompileError` listing every field that is wrong."""
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            raise compile_error(shape_problems(error, "shape.invalid")) from None

    @classmethod
    def from_json(cls, text: str | bytes) -> OrgWorkflowDefinition:
        """Read JSON text exactly: numbers with a fraction stay decimal."""
        return cls.read(_mapping(parse_json(text)))

    @classmethod
    def from_yaml(cls, text: str | bytes) -> OrgWorkflowDefinition:
        """Read YAML text with JSON's types only."""
        return cls.read(_mapping(parse_yaml(text)))

    def to_json(self) -> bytes:
        """Canonical JSON text of the definition, without defaults."""
        return canonical_json(self.model_dump(exclude_defaults=True))


def _mapping(data: Any) -> Mapping[str, Any]:
    if isinstance(data, Mapping):
        return data
    problems = Problems()
    problems.add("shape.invalid", Path(), "a definition is an object with base_ref and slots")
    raise compile_error(problems)
