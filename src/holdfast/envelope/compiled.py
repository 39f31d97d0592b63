"""The compiled workflow: the one artefact the engine, the simulator and the auditors read.

It is a plain immutable value with an exact JSON form. Everything needed at run time is looked up in it: the
edges that leave a node in the order they are tried, what a join waits for, the edit window of every node, the
body of every `for_each`. `hash` is the SHA-256 of the canonical JSON of all other fields, so any copy can be
checked without the sources it came from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Final, Literal

from holdfast.envelope.parts.graph import RunAs
from holdfast.envelope.windows import EditWindow
from holdfast.errors import CompileError
from holdfast.kernel.json import canonical_hash, canonical_json, parse_json

__all__ = [
    "ADVERSE_OUTCOMES",
    "CURRENT_COMPILER_VERSION",
    "ENVELOPE",
    "CompiledBody",
    "CompiledEdge",
    "CompiledNode",
    "CompiledSlot",
    "CompiledWorkflow",
    "GateIntegrity",
    "Interrupt",
    "JoinMode",
    "JoinRequirement",
    "edge_rank",
    "edge_takes",
    "outcome_named",
]

CURRENT_COMPILER_VERSION: Final = "1.1.0"
"""Raised whenever the same input would compile to other bytes. Workflows of another version must be
recompiled (WF-07).
"""

ENVELOPE: Final = "envelope"
"""The provenance of what the skeleton contributes; everything else names its slot."""

ADVERSE_OUTCOMES: Final = frozenset({"denied", "error", "rejected", "timeout"})
"""Only an edge that names one of these takes it: a plain edge must never carry a rejected document onward."""

_ERROR: Final = "error:"
"""An edge on `error:‹code›` takes the errors of that code; one on `error` takes the others."""

JoinMode = Literal["all", "any", "n_of_m"]


def edge_takes(named: str | None, outcome: str, code: str | None = None) -> bool:
    """Whether an edge with an outcome, or none, is open to a step that ended so. Adverse outcomes must be named."""
    if named is None:
        return outcome not in ADVERSE_OUTCOMES
    if outcome == "error" and named.startswith(_ERROR):
        return code is None or named == f"{_ERROR}{code}"
    return named == outcome


def outcome_named(named: str) -> str:
    """The outcome that an edge waits for, whatever error of it."""
    return "error" if named.startswith(_ERROR) and len(named) > len(_ERROR) else named


def edge_rank(outcome: str | None, condition: str | None, priority: int, name: str) -> tuple[bool, int, bool, str]:
    """The order in which the edges of a node are tried: what takes every error comes after what takes some."""
    return outcome is None and condition is None, priority, outcome == "error", name


@dataclass(frozen=True, slots=True)
class CompiledNode:
    """A node as the engine sees it. `config` is complete: every default is filled in."""

    id: str
    type: str
    name: str
    config: Mapping[str, Any]
    run_as: RunAs
    provenance: str
    """`envelope`, or the slot the node belongs to."""
    parent: str | None
    """The `for_each` node whose body this node belongs to, or None outside of any body."""
    outcomes: tuple[str, ...]
    """Every outcome the node can give."""
    waits: bool
    """Whether a token rests here until something happens outside the process."""
    branch: bool
    """Whether the step must record `chosen_edge_ids` even when it chose none."""


@dataclass(frozen=True, slots=True)
class CompiledEdge:
    """An edge as the engine sees it. With neither outcome nor condition it is the `else` of its source."""

    id: str
    source: str
    target: str
    priority: int
    outcome: str | None
    condition: str | None
    label: str | None
    returns: bool
    interrupts: bool
    """Taken only by an interruption (such as cancelling), never by the outcome of a step."""
    provenance: str

    @property
    def is_else(self) -> bool:
        """Whether nothing guards the edge."""
        return self.outcome is None and self.condition is None

    def tried(self) -> tuple[bool, int, bool, str]:
        """The sort key of the order in which the edges of a node are tried."""
        return edge_rank(self.outcome, self.condition, self.priority, self.id)

    def takes(self, outcome: str, code: str | None = None) -> bool:
        """Whether the edge is open to a step that ended so, an error with this code. Without one: with any."""
        return not self.interrupts and edge_takes(self.outcome, outcome, code)


@dataclass(frozen=True, slots=True)
class JoinRequirement:
    """What a join waits for. When a split's edges have guards, fewer tokens than `branches` may be born; the
    join then needs the smaller of `required_token_count` and the number born (`guarded` says whether that can
    happen).
    """

    mode: JoinMode
    required_token_count: int
    split: str
    branches: tuple[str, ...]
    """The edges that leave the split, in the order their tokens are numbered."""
    guarded: bool


@dataclass(frozen=True, slots=True)
class CompiledBody:
    """The body of a `for_each` node: an item's token starts at `entry`, and the item is done when it reaches
    `exit`.
    """

    entry: str
    exit: str


@dataclass(frozen=True, slots=True)
class CompiledSlot:
    """A slot of the skeleton, filled or not. `edge` is the skeleton's direct edge, which a patch replaces."""

    id: str
    entry: str
    exit: str
    edge: str
    edit_window: EditWindow
    """The window in force: the skeleton's, or the patch's stricter one."""
    default_edit_window: EditWindow
    stable_region: bool
    filled: bool


@dataclass(frozen=True, slots=True)
class Interrupt:
    """A transition that may happen while the process stands elsewhere, such as cancelling: all tokens end,
    one is born.
    """

    transition: str
    target: str
    from_states: tuple[str, ...]
    edges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GateIntegrity:
    """The proof that every node of the skeleton is present, unaltered and in order (WF-08)."""

    required_gates: tuple[str, ...]
    present_gates: tuple[str, ...]
    valid: bool


@dataclass(frozen=True)
class CompiledWorkflow:
    """The effective workflow: skeleton and patches merged, checked, ordered and hashed."""

    entity_type: str
    envelope_version: int
    envelope_hash: str
    """The hash of the skeleton it was compiled from."""
    compiler_version: str
    start: str
    end: str
    nodes_by_id: Mapping[str, CompiledNode]
    edges_by_id: Mapping[str, CompiledEdge]
    adjacency: Mapping[str, tuple[str, ...]]
    """Node to its outgoing edges in the order they are tried: guarded ones by (priority, id), then the `else`
    ones.
    """
    reverse_adjacency: Mapping[str, tuple[str, ...]]
    """Node to its incoming edges, by id."""
    topological_order: tuple[str, ...]
    join_requirements: Mapping[str, JoinRequirement]
    bodies: Mapping[str, CompiledBody]
    slots: Mapping[str, CompiledSlot]
    interrupts: Mapping[str, Interrupt]
    edit_windows: Mapping[str, EditWindow]
    stable_region_nodes: tuple[str, ...]
    slot_map: Mapping[str, str]
    """Node to the slot that owns it, or `envelope`."""
    system_gate_integrity: GateIntegrity
    hash: str = field(default="", compare=False)

    @cached_property
    def split_joins(self) -> Mapping[str, str]:
        """Split to the join that ends it."""
        return {requirement.split: join for join, requirement in self.join_requirements.items()}

    @cached_property
    def body_exits(self) -> Mapping[str, str]:
        """The last node of each body, to its `for_each` node."""
        return {body.exit: node for node, body in self.bodies.items()}

    @cached_property
    def _stable(self) -> frozenset[str]:
        return frozenset(self.stable_region_nodes)

    def is_stable(self, node_id: str) -> bool:
        """Whether a change of the document's version at this node must lead to an amendment (WF-05)."""
        return node_id in self._stable

    def outgoing(self, node_id: str) -> tuple[CompiledEdge, ...]:
        """The edges that leave a node, in the order they are tried."""
        return tuple(self.edges_by_id[edge] for edge in self.adjacency[node_id])

    def content(self) -> dict[str, Any]:
        """Every field but the hash, as JSON values."""
        return {each.name: _plain(getattr(self, each.name)) for each in fields(self) if each.name != "hash"}

    def computed_hash(self) -> str:
        """The hash this value ought to carry."""
        return canonical_hash(self.content())

    def sealed(self) -> CompiledWorkflow:
        """The same workflow carrying its hash."""
        return replace(self, hash=self.computed_hash())

    def to_json(self) -> bytes:
        """Canonical JSON text: the same workflow gives the same bytes in every process."""
        return canonical_json({**self.content(), "hash": self.hash})

    @classmethod
    def from_json(cls, data: str | bytes | Mapping[str, Any]) -> CompiledWorkflow:
        """Read what `to_json` wrote. The hash is taken as it stands; `verify` checks it."""
        given = parse_json(data) if isinstance(data, str | bytes) else data
        try:
            return _read(given)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise CompileError(
                f"this is not a compiled workflow: {error}", hint="Compile the definition again"
            ) from None


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


def _read(data: Mapping[str, Any]) -> CompiledWorkflow:
    unknown = set(data) - {each.name for each in fields(CompiledWorkflow)}
    if unknown:
        raise KeyError(f"unknown field {min(unknown)!r}")
    integrity = data["system_gate_integrity"]
    return CompiledWorkflow(
        entity_type=data["entity_type"],
        envelope_version=data["envelope_version"],
        envelope_hash=data["envelope_hash"],
        compiler_version=data["compiler_version"],
        start=data["start"],
        end=data["end"],
        nodes_by_id={
            key: CompiledNode(**{**node, "outcomes": tuple(node["outcomes"])})
            for key, node in data["nodes_by_id"].items()
        },
        edges_by_id={key: CompiledEdge(**edge) for key, edge in data["edges_by_id"].items()},
        adjacency={key: tuple(edges) for key, edges in data["adjacency"].items()},
        reverse_adjacency={key: tuple(edges) for key, edges in data["reverse_adjacency"].items()},
        topological_order=tuple(data["topological_order"]),
        join_requirements={
            key: JoinRequirement(**{**join, "branches": tuple(join["branches"])})
            for key, join in data["join_requirements"].items()
        },
        bodies={key: CompiledBody(**body) for key, body in data["bodies"].items()},
        slots={key: CompiledSlot(**slot) for key, slot in data["slots"].items()},
        interrupts={
            key: Interrupt(**{**each, "from_states": tuple(each["from_states"]), "edges": tuple(each["edges"])})
            for key, each in data["interrupts"].items()
        },
        edit_windows=dict(data["edit_windows"]),
        stable_region_nodes=tuple(data["stable_region_nodes"]),
        slot_map=dict(data["slot_map"]),
        system_gate_integrity=GateIntegrity(
            tuple(integrity["required_gates"]), tuple(integrity["present_gates"]), integrity["valid"]
        ),
        hash=data["hash"],
    )
