"""Hypothesis strategies for lifecycles that can work and patches that compile.

`contracts()` draws contracts, `definitions(skeleton)` draws definitions for a skeleton, `cases()` draws both. What
they draw is always legal; tests break it on purpose. Patches are drawn as plain data, from a grammar of blocks: a
step, blocks in a row, a choice, parallel branches, a loop by a return edge, a `for_each` with a body.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from holdfast.envelope import Contract, OrgWorkflowDefinition, Skeleton, automation_skeleton, generate_skeleton

DOCUMENT: dict[str, Any] = {
    "type": "object",
    "required": ["number", "total", "owner", "lines", "tags", "due"],
    "properties": {
        "number": {"type": "string"},
        "total": {"type": "number"},
        "owner": {"type": "string"},
        "due": {"type": "string", "format": "date-time"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["sku", "amount", "parts"],
                "properties": {
                    "sku": {"type": "string"},
                    "amount": {"type": "number"},
                    "parts": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
    },
}
"""A document with a field of every kind."""

SAMPLE: dict[str, Any] = {
    "number": "INV-1",
    "total": 100,
    "owner": "ana",
    "due": "2026-06-01T00:00:00Z",
    "tags": ["a", "b"],
    "lines": [
        {"sku": "x", "amount": 1, "parts": ["p"]},
        {"sku": "y", "amount": 2, "parts": []},
    ],
}
"""A document that fits `DOCUMENT`."""

WINDOWS = ("editable", "amend_only", "locked")
CONDITIONS = (
    "entity.total > 10",
    "entity.total <= 5000",
    'entity.tags contains "rush"',
    'actor.roles contains "boss" || entity.total == 7',
    '!(entity.owner == "ana")',
)


@st.composite
def contracts(draw: st.DrawFn) -> Contract:
    """A contract whose lifecycle is a chain with shortcuts, ways back, cancelling and amending."""
    length = draw(st.integers(2, 5))
    names = [f"s{index}" for index in range(length)]
    transitions: list[dict[str, Any]] = []
    by_hand: set[str] = set()
    for index in range(length - 1):
        trigger = draw(st.sampled_from(["person", "automatic"]))
        transitions.append({"name": f"go{index}", "from": [names[index]], "to": names[index + 1], "trigger": trigger})
        if trigger == "person":
            by_hand.add(names[index])
    for index in range(length - 2):
        if names[index] in by_hand and draw(st.booleans()):
            later = draw(st.integers(index + 2, length - 1))
            transitions.append({"name": f"skip{index}", "from": [names[index]], "to": names[later]})
    for index in range(length - 1):
        if draw(st.booleans()):
            back = draw(st.integers(0, index))
            transitions.append({"name": f"back{index}", "from": [names[index]], "to": names[back], "kind": "return"})
    if draw(st.booleans()):
        names.append("dropped")
        sources = draw(st.lists(st.sampled_from(names[:length]), min_size=1, max_size=length, unique=True))
        transitions.append({"name": "drop", "from": sources, "to": "dropped", "kind": "cancel"})
    if draw(st.booleans()):
        names.append("redone")
        transitions.append({"name": "redo", "from": [names[length - 1]], "to": "redone", "kind": "amend"})
        transitions.append({"name": "resume", "from": ["redone"], "to": names[1]})
    for transition in transitions:
        transition["roles"] = draw(st.lists(st.sampled_from(["boss", "clerk"]), max_size=2, unique=True))
    return Contract(
        entity_type="thing",
        version=draw(st.integers(1, 9)),
        document=DOCUMENT,
        states=[
            {"name": name, "edit_window": draw(st.sampled_from(WINDOWS)), "initial": name == "s0"} for name in names
        ],
        transitions=draw(st.permutations(transitions)),
    )


Exit = tuple[str, str | None]
"""A node and the outcome on which the way onward leaves it."""


@dataclass
class Sketch:
    """A patch as it is drawn."""

    draw: st.DrawFn
    depth: int
    loops: bool
    in_body: bool = False
    nodes: list[dict[str, Any]] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)

    def add(self, kind: str, **config: Any) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes.append({"id": name, "type": kind, "config": config})
        return name

    def connect(self, exits: list[Exit], target: str) -> None:
        for source, outcome in exits:
            edge: dict[str, Any] = {"source": source, "target": target}
            if outcome is not None:
                edge["outcome"] = outcome
            self.edges.append(edge)

    def block(self, depth: int) -> tuple[str, list[Exit]]:
        kinds = ["step"]
        if depth > 0:
            kinds += ["row", "row", "choice", "guards", "parallel"]
            kinds += ["loop"] if self.loops else []
            kinds += ["each"] if self.depth > 0 else []
        drawn: tuple[str, list[Exit]] = getattr(self, self.draw(st.sampled_from(kinds)))(depth)
        return drawn

    def step(self, _depth: int) -> tuple[str, list[Exit]]:
        kind = self.draw(st.sampled_from(sorted(STEPS)))
        config, exits = STEPS[kind]
        name = self.add(kind, **config)
        return name, [(name, outcome) for outcome in exits]

    def row(self, depth: int) -> tuple[str, list[Exit]]:
        first, exits = self.block(depth - 1)
        for _ in range(self.draw(st.integers(1, 2))):
            following, leaving = self.block(depth - 1)
            self.connect(exits, following)
            exits = leaving
        return first, exits

    def choice(self, depth: int) -> tuple[str, list[Exit]]:
        name = self.add("condition", expression=self.draw(st.sampled_from(CONDITIONS)))
        target, exits = self.block(depth - 1)
        self.connect([(name, "true")], target)
        if self.draw(st.booleans()):
            return name, [*exits, (name, None)]
        other, leaving = self.block(depth - 1)
        self.connect([(name, "false")], other)
        return name, [*exits, *leaving]

    def guards(self, depth: int) -> tuple[str, list[Exit]]:
        name = self.add("condition")
        exits: list[Exit] = [(name, None)]
        for priority in range(self.draw(st.integers(1, 2))):
            target, leaving = self.block(depth - 1)
            condition = self.draw(st.sampled_from(CONDITIONS))
            self.edges.append({"source": name, "target": target, "condition": condition, "priority": priority})
            exits += leaving
        return name, exits

    def parallel(self, depth: int) -> tuple[str, list[Exit]]:
        split = self.add("parallel_split")
        count = self.draw(st.integers(2, 3))
        mode = self.draw(st.sampled_from(["all", "any", "n_of_m"]))
        config = {"mode": mode, "n": self.draw(st.integers(1, count))} if mode == "n_of_m" else {"mode": mode}
        join = self.add("parallel_join", **config)
        guarded = self.draw(st.booleans())
        for index in range(count):
            target, exits = self.block(depth - 1)
            edge: dict[str, Any] = {"source": split, "target": target}
            if guarded and index:
                edge["condition"] = self.draw(st.sampled_from(CONDITIONS))
            self.edges.append(edge)
            self.connect(exits, join)
        return split, [(join, None)]

    def loop(self, depth: int) -> tuple[str, list[Exit]]:
        first, exits = self.block(depth - 1)
        check = self.add("approval", approvers=[{"kind": "role", "role": "boss"}])
        self.connect(exits, check)
        self.edges.append({"source": check, "target": first, "outcome": "rejected", "returns": True})
        # A join as the target of a return is refused, and a block never begins with one.
        return first, [(check, "approved")]

    def each(self, _depth: int) -> tuple[str, list[Exit]]:
        items = self.draw(st.sampled_from(["entity.lines", "entity.tags"]))
        body = draw_patch(self.draw, depth=1, bodies=self.depth - 1, loops=self.loops)
        mode = self.draw(st.sampled_from(["sequential", "parallel"]))
        name = self.add("for_each", items=items, body=body, mode=mode)
        return name, [(name, None)]


STEPS: dict[str, tuple[dict[str, Any], list[str | None]]] = {
    "action": ({"action": "thing.post", "payload": {"amount": {"$expr": "entity.total"}}}, [None]),
    "approval": (
        {"approvers": [{"kind": "rule", "expression": "entity.owner"}], "title": "Approve {entity.number}"},
        ["approved", "rejected"],
    ),
    "task": (
        {"title": "Look", "assignees": [{"kind": "role", "role": "clerk"}], "answers": ["good", "bad"]},
        ["good", "bad"],
    ),
    "notification": ({"to": [{"kind": "user", "user": "ana"}], "subject": "{entity.number}"}, [None]),
    "script": ({"assign": {"seen": "entity.total"}}, [None]),
    "rule": ({"rule": "credit"}, ["matched", "not_matched"]),
    "wait_timer": ({"duration": "1h"}, [None]),
    "wait_event": ({"event_key": "paid:{entity.number}", "timeout": "2d"}, [None, "timeout"]),
    "webhook_out": ({"url": "https://example.org/{entity.number}", "body": {"n": 1}}, [None, "error"]),
    "run": ({"run_type": "thing.work.v1", "timeout": "5m"}, ["completed", "timeout"]),
    "session": ({"definition": "agent"}, [None]),
    "policy_gate": ({"permission": "thing.post"}, ["completed", "denied"]),
}
"""One configuration of every plain node type, and the outcomes on which it goes on."""


def draw_patch(draw: st.DrawFn, *, depth: int = 2, bodies: int = 1, loops: bool = True) -> dict[str, Any]:
    """A patch as plain data, with explicit attachment edges."""
    sketch = Sketch(draw, bodies, loops)
    first, exits = sketch.block(depth)
    sketch.connect([("in", None)], first)
    sketch.connect(exits, "out")
    return {
        "nodes": sketch.nodes,
        "edges": sketch.edges,
        "exit_edge_mode": "join" if len(exits) > 1 else "single",
    }


@st.composite
def patches(draw: st.DrawFn, *, depth: int = 2, bodies: int = 1, loops: bool = True) -> dict[str, Any]:
    """A patch for any slot, as plain data."""
    return draw_patch(draw, depth=depth, bodies=bodies, loops=loops)


@st.composite
def definitions(
    draw: st.DrawFn, skeleton: Skeleton, *, depth: int = 2, bodies: int = 1, loops: bool = True
) -> OrgWorkflowDefinition:
    """A definition that fills some of the skeleton's slots, and tightens some of their windows."""
    slots: dict[str, Any] = {}
    for slot in skeleton.slots:
        if draw(st.booleans()):
            patch = draw_patch(draw, depth=depth, bodies=bodies, loops=loops)
            stricter = WINDOWS[WINDOWS.index(slot.default_edit_window) :]
            patch["edit_window_override"] = draw(st.sampled_from([None, *stricter]))
            slots[slot.slot_id] = patch
    return OrgWorkflowDefinition.read(
        {
            "base_ref": {"entity_type": skeleton.entity_type, "envelope_version": skeleton.version},
            "slots": slots,
        }
    )


@st.composite
def cases(
    draw: st.DrawFn, *, depth: int = 2, bodies: int = 1, loops: bool = True
) -> tuple[Skeleton, OrgWorkflowDefinition]:
    """A skeleton of a random contract or of an automation, and a definition that compiles on it."""
    if draw(st.integers(0, 4)) == 0:
        skeleton = automation_skeleton(document=DOCUMENT)
    else:
        skeleton = generate_skeleton(draw(contracts()))
    return skeleton, draw(definitions(skeleton, depth=depth, bodies=bodies, loops=loops))


@st.composite
def shuffled(draw: st.DrawFn, definition: OrgWorkflowDefinition) -> OrgWorkflowDefinition:
    """The same definition with its slots, nodes and edges in another order, bodies included."""
    data = definition.model_dump(exclude_defaults=True)

    def shuffle(patch: dict[str, Any]) -> dict[str, Any]:
        for node in patch.get("nodes", []):
            if node["type"] == "for_each":
                node["config"]["body"] = shuffle(node["config"]["body"])
        return {
            **patch,
            "nodes": draw(st.permutations(patch.get("nodes", []))),
            "edges": draw(st.permutations(patch.get("edges", []))),
        }

    order = draw(st.permutations(sorted(data.get("slots", {}))))
    data["slots"] = {slot_id: shuffle(data["slots"][slot_id]) for slot_id in order}
    return OrgWorkflowDefinition.read(data)
