"""The skeleton: the part of every workflow that belongs to the contract and that no organisation can change.

It is generated, never written: the same contract gives the same nodes and edges with the same `sys:…` ids, in
whatever order the contract lists things. Slots name the ways where patches may attach. `hash` covers
everything, so a skeleton that was altered after it was generated is refused by the compiler.
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from holdfast.envelope.contract import Contract, Transition
from holdfast.envelope.contract_checks import may_refuse, refusing_gates, slot_places
from holdfast.envelope.expressions import Scope
from holdfast.envelope.ids import END, START, edge_id
from holdfast.envelope.parts.fields import Part, field
from holdfast.envelope.windows import EditWindow
from holdfast.errors import CompileError
from holdfast.kernel.json import canonical_hash, canonical_json, parse_json

__all__ = ["BodySlot", "Skeleton", "SkeletonEdge", "SkeletonNode", "automation_skeleton", "generate_skeleton"]


class SkeletonNode(Part):
    """A node of the skeleton."""

    id: str = field("Id", "`sys:…`.")
    type: str = field("Type", "The node type.")
    name: str = field("Name", "What people call it.")
    config: dict[str, Any] = field("Configuration", "What the type needs to know.", factory=dict)
    edit_window: EditWindow = field("Edit window", "While the process stands here.")


class SkeletonEdge(Part):
    """An edge of the skeleton."""

    id: str = field("Id", "Derived from its ends and its outcome.")
    source: str = field("From", "A node.")
    target: str = field("To", "A node.")
    outcome: str | None = field("On outcome", "The outcome that takes it.", default=None)
    returns: bool = field("Leads back", "To an earlier node.", default=False)
    interrupts: bool = field("Interrupts", "Taken from wherever the process stands.", default=False)


class BodySlot(Part):
    """A place where a patch may replace a direct edge of the skeleton."""

    slot_id: str = field("Slot", "`slot:‹name›`.")
    entry_node_id: str = field("Entry", "The node before.")
    exit_node_id: str = field("Exit", "The node after.")
    edge_id: str = field("Edge", "The edge a patch replaces.")
    default_edit_window: EditWindow = field("Edit window", "Unless the patch has a stricter one.")
    stable_region: bool = field("Stable region", "Whether a change of the document leads to an amendment.")


class Skeleton(Part):
    """A generated skeleton. Nodes, edges and slots are sorted by id."""

    entity_type: str = field("Entity type", "The document type.")
    version: int = field("Version", "The contract's version.", ge=1)
    document: dict[str, Any] | None = field("Document", "JSON Schema of the document.", default=None)
    context: dict[str, Any] | None = field("Context", "JSON Schema of the variables.", default=None)
    payload: dict[str, Any] | None = field(
        "Payload", "JSON Schema of what starts an automation; `{}` when it is open.", default=None
    )
    nodes: list[SkeletonNode] = field("Nodes", "By id.")
    edges: list[SkeletonEdge] = field("Edges", "By id.")
    slots: list[BodySlot] = field("Slots", "By id.")
    hash: str = field("Hash", "Of everything else.", default="")

    def scope(self) -> Scope:
        """What expressions in any slot may read."""
        scope = Scope.of(entity=self.document, context=self.context, payload=self.payload).without("item")
        return scope if self.payload is not None else scope.without("payload")

    def computed_hash(self) -> str:
        """The hash this skeleton ought to carry."""
        return canonical_hash(self.model_dump(exclude={"hash"}))

    def sealed(self) -> Skeleton:
        """The same skeleton carrying its hash."""
        return self.model_copy(update={"hash": self.computed_hash()})

    def slot(self, slot_id: str) -> BodySlot | None:
        """The slot of that id."""
        return next((slot for slot in self.slots if slot.slot_id == slot_id), None)

    def to_json(self) -> bytes:
        """Canonical JSON text."""
        return canonical_json(self.model_dump())

    @classmethod
    def from_json(cls, text: str | bytes) -> Skeleton:
        """Read what `to_json` wrote; the compiler checks the hash."""
        try:
            return cls.model_validate(parse_json(text))
        except ValidationError as error:
            raise CompileError(f"this is not a skeleton: {error}") from None


def generate_skeleton(contract: Contract) -> Skeleton:
    """The skeleton of a contract."""
    edges = _edges(contract)
    return Skeleton(
        entity_type=contract.entity_type,
        version=contract.version,
        document=contract.document,
        context=contract.context,
        nodes=sorted(_nodes(contract), key=lambda node: node.id),
        edges=sorted(edges, key=lambda edge: edge.id),
        slots=sorted(_slots(contract, edges), key=lambda slot: slot.slot_id),
    ).sealed()


def automation_skeleton(
    name: str = "automation",
    *,
    version: int = 1,
    payload: dict[str, Any] | None = None,
    document: dict[str, Any] | None = None,
    context: dict[str, Any] | None = None,
) -> Skeleton:
    """The skeleton of every automation, started by an event's `payload`: `sys:start → slot:main → sys:end`."""
    way = edge_id(START, END, "created")
    return Skeleton(
        entity_type=name,
        version=version,
        document=document,
        context=context,
        payload=payload if payload is not None else {},
        nodes=[
            SkeletonNode(id=END, type="end", name="End", edit_window="editable"),
            SkeletonNode(id=START, type="start", name="Start", config={"starts": ["created"]}, edit_window="editable"),
        ],
        edges=[SkeletonEdge(id=way, source=START, target=END, outcome="created")],
        slots=[
            BodySlot(
                slot_id="slot:main",
                entry_node_id=START,
                exit_node_id=END,
                edge_id=way,
                default_edit_window="editable",
                stable_region=False,
            )
        ],
    ).sealed()


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _forward(contract: Contract, state: str) -> list[Transition]:
    return [each for each in contract.transitions if each.kind == "forward" and state in each.from_states]


def _by_hand(contract: Contract, state: str) -> list[Transition]:
    """The transitions a person chooses from while a process rests in a state."""
    onward = [each for each in _forward(contract, state) if each.trigger == "person"]
    back = [each for each in contract.transitions if each.kind == "return" and state in each.from_states]
    return [*onward, *back] if onward else []


def _amendment_states(contract: Contract) -> list[str]:
    return sorted({each.to_state for each in contract.transitions if each.kind == "amend"})


def _nodes(contract: Contract) -> list[SkeletonNode]:
    windows: dict[str, EditWindow] = {state.name: state.edit_window or "locked" for state in contract.states}
    ways = {state.name: way for state in contract.states if (way := contract.amendment(state.name)) is not None}
    start = {
        "starts": ["created", *_amendment_states(contract)],
        "amends": {state: way.to_state for state, way in ways.items()},
        "amend_roles": {state: sorted(way.roles) for state, way in ways.items() if way.roles},
    }
    nodes = [
        SkeletonNode(
            id=START,
            type="start",
            name="Start",
            config=start,
            edit_window=windows[contract.initial_state],
        ),
        SkeletonNode(id=END, type="end", name="End", edit_window="locked"),
    ]
    for state in contract.states:
        choices = sorted(_by_hand(contract, state.name), key=lambda each: each.name)
        config: dict[str, Any] = {"state": state.name, "final": not _forward(contract, state.name)}
        config["waits_for"] = [each.name for each in choices]
        config["roles"] = {each.name: sorted(each.roles) for each in choices if each.roles}
        nodes.append(
            SkeletonNode(
                id=f"sys:state:{state.name}",
                type="state",
                name=state.title or _title(state.name),
                config=config,
                edit_window=windows[state.name],
            )
        )
    nodes += [_gate(contract, each) for each in contract.transitions if each.kind in ("forward", "cancel")]
    return nodes


def _gate(contract: Contract, transition: Transition) -> SkeletonNode:
    returns = [each for each in contract.transitions if may_refuse(transition, each)]
    window: EditWindow = "locked" if transition.kind == "cancel" else "amend_only"
    return SkeletonNode(
        id=f"sys:gate:{transition.name}",
        type="lifecycle_gate",
        name=_title(transition.name),
        config={
            "transition": transition.name,
            "from_states": sorted(transition.from_states),
            "to_state": transition.to_state,
            "roles": sorted(transition.roles),
            "passes": transition.gate_outcome,
            "refuses": {each.gate_outcome: each.to_state for each in returns},
            "refusal_roles": {each.gate_outcome: sorted(each.roles) for each in returns if each.roles},
            "consumes_approvals": transition.kind == "forward" and transition.trigger == "automatic",
        },
        edit_window=transition.edit_window or window,
    )


def _edges(contract: Contract) -> list[SkeletonEdge]:
    edges = [_edge(START, f"sys:state:{contract.initial_state}", "created")]
    edges += [_edge(START, f"sys:state:{name}", name) for name in _amendment_states(contract)]
    for each in contract.transitions:
        edges += _transition_edges(contract, each)
    edges += [_edge(f"sys:state:{state.name}", END) for state in contract.states if not _forward(contract, state.name)]
    return edges


def _transition_edges(contract: Contract, each: Transition) -> list[SkeletonEdge]:
    gate, target = f"sys:gate:{each.name}", f"sys:state:{each.to_state}"
    sources = [f"sys:state:{name}" for name in dict.fromkeys(each.from_states)]
    match each.kind:
        case "forward":
            outcome = each.name if each.trigger == "person" else None
            return [
                *(_edge(source, gate, outcome) for source in sources),
                _edge(gate, target, each.gate_outcome),
            ]
        case "cancel":
            interruptions = [_edge(source, gate, each.name, interrupts=True) for source in sources]
            return [*interruptions, _edge(gate, target, each.gate_outcome)]
        case "return":
            edges = [
                _edge(f"sys:gate:{refusing.name}", target, each.gate_outcome, returns=True)
                for refusing in refusing_gates(contract, each)
            ]
            chosen = [name for name in dict.fromkeys(each.from_states) if each in _by_hand(contract, name)]
            return edges + [_edge(f"sys:state:{name}", target, each.name, returns=True) for name in chosen]
        case "amend":
            return []


def _edge(
    source: str, target: str, outcome: str | None = None, *, returns: bool = False, interrupts: bool = False
) -> SkeletonEdge:
    return SkeletonEdge(
        id=edge_id(source, target, outcome),
        source=source,
        target=target,
        outcome=outcome,
        returns=returns,
        interrupts=interrupts,
    )


def _slots(contract: Contract, edges: list[SkeletonEdge]) -> list[BodySlot]:
    by_ends = {(edge.source, edge.target): edge for edge in edges if not edge.interrupts}
    windows = {state.name: state.edit_window or "locked" for state in contract.states}
    slots = []
    for name, after, before, window, stable in slot_places(contract):
        entry, exit_ = f"sys:{after}", f"sys:{before}"
        # The state beside the slot gives the window: the one before its gate, or the one a gate leads to.
        beside = after if after.startswith("state:") else before
        in_force = window or windows[beside.removeprefix("state:")]
        slots.append(
            BodySlot(
                slot_id=f"slot:{name}",
                entry_node_id=entry,
                exit_node_id=exit_,
                edge_id=by_ends[entry, exit_].id,
                default_edit_window=in_force,
                stable_region=in_force == "amend_only" if stable is None else stable,
            )
        )
    return slots
