"""Whatever compiles can be walked: no join waits for ever, none fires twice, and one token comes out of every slot.

The graphs here are arbitrary, not drawn from the grammar of legal patches. Most are refused. Those that are accepted
are walked by a small token game of the test's own, which knows nothing of how the compiler decides.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envelope.strategies import DOCUMENT, cases, patches
from holdfast.envelope import (
    PROBLEM_CODES,
    CompiledWorkflow,
    OrgWorkflowDefinition,
    Skeleton,
    SlotGraphPatch,
    analyse,
    automation_skeleton,
    compile_effective,
)
from holdfast.errors import CompileError

SKELETON = automation_skeleton()


def arbitrary_patch(random: Random) -> dict[str, Any]:
    """Some nodes in a row of random types, and random edges that mostly lead onward."""
    count = random.choice([3, 4, 4, 5, 5, 6])
    kinds = [random.choice(["wait_timer", "wait_timer", "condition", "parallel_split"]) for _ in range(count)]
    kinds = ["parallel_join" if random.random() < 0.2 else kind for kind in kinds]
    if random.random() < 0.8:
        kinds[0], kinds[-1] = "parallel_split", "parallel_join"
    nodes = [{"id": f"n{index}", "type": kind, "config": config(kind, random)} for index, kind in enumerate(kinds)]
    edges: list[dict[str, Any]] = []
    for index, kind in enumerate(kinds):
        width = random.choice([2, 2, 3]) if kind in ("parallel_split", "condition") else 1
        for number in range(width):
            back = random.random() < 0.05
            onward = [index + 1 + number, index + 1 + number, random.randint(index + 1, count), count - 1]
            target = max(0, index - random.randint(1, 3)) if back else max(index + 1, min(random.choice(onward), count))
            edge: dict[str, Any] = {"source": f"n{index}", "target": f"n{target}" if target < count else "out"}
            if back:
                edge["returns"] = True
            if back or (number and kind == "condition") or random.random() < 0.1:
                edge["condition"] = f"payload.x > 1{number}{index}"
            if edge not in edges:
                edges.append(edge)
    return {"nodes": nodes, "edges": [{"source": "in", "target": "n0"}, *edges], "exit_edge_mode": "join"}


def config(kind: str, random: Random) -> dict[str, Any]:
    match kind:
        case "wait_timer":
            return {"duration": "1h"}
        case "parallel_join":
            return random.choice([{}, {"mode": "any"}, {"mode": "n_of_m", "n": 2}])
    return {}


@dataclass(frozen=True)
class Walker:
    """One token of the game: where it is, and the splits it is inside of."""

    node: str
    inside: tuple[tuple[str, int], ...] = ()


class Game:
    """Tokens moving at random through one body of a workflow, until none is left."""

    def __init__(self, compiled: CompiledWorkflow, entry: str, exit_: str, random: Random) -> None:
        self.compiled = compiled
        self.exit = exit_
        self.random = random
        self.tokens = [Walker(entry)]
        self.arrived: Counter[tuple[str, int]] = Counter()
        self.born: dict[tuple[str, int], int] = {}
        self.fired: set[tuple[str, int]] = set()
        self.out = 0
        self.steps = 0

    def play(self) -> None:
        while self.tokens:
            self.steps += 1
            token = self.tokens.pop(self.random.randrange(len(self.tokens)))
            if token.node == self.exit:
                assert not token.inside, "a token left a split without its join"
                self.out += 1
            elif self.compiled.nodes_by_id[token.node].type == "parallel_join":
                self.join(token)
            else:
                self.move(token)
        assert self.out == 1, "the slot must be left by exactly one token"
        assert self.fired == set(self.born), "every split must be joined exactly once"

    def join(self, token: Walker) -> None:
        requirement = self.compiled.join_requirements[token.node]
        split, number = token.inside[-1]
        assert split == requirement.split, "a token came to the join of another split"
        key = token.inside[-1]
        assert key not in self.fired, "a token came to a join that had fired"
        self.arrived[key] += 1
        if self.arrived[key] == min(requirement.required_token_count, self.born[key]):
            self.fired.add(key)
            for loser in [each for each in self.tokens if key in each.inside]:
                # What a loser opened after this split ends with the loser.
                self.fired.update(inner for inner in loser.inside if inner[1] > number)
            self.tokens = [each for each in self.tokens if key not in each.inside]
            self.tokens.append(self.along(Walker(token.node, token.inside[:-1])))

    def move(self, token: Walker) -> None:
        if self.compiled.nodes_by_id[token.node].type != "parallel_split":
            self.tokens.append(self.along(token))
            return
        leaving = self.compiled.outgoing(token.node)
        taken = [edge for edge in leaving if edge.condition is None or self.random.random() < 0.5] or [leaving[0]]
        key = (token.node, len(self.born))
        self.born[key] = len(taken)
        self.tokens += [Walker(edge.target, (*token.inside, key)) for edge in taken]

    def along(self, token: Walker) -> Walker:
        leaving = self.compiled.outgoing(token.node)
        onward = [edge for edge in leaving if not edge.returns] if self.steps > 200 else leaving
        return Walker(self.random.choice(onward or leaving).target, token.inside)


def walk(compiled: CompiledWorkflow, random: Random) -> None:
    for slot in compiled.slots.values():
        if slot.filled:
            Game(compiled, f"sys:{slot.id}:in", f"sys:{slot.id}:out", random).play()
    for body in compiled.bodies.values():
        Game(compiled, body.entry, body.exit, random).play()


def test_every_accepted_graph_can_be_walked_to_its_end() -> None:
    random = Random(20260615)
    accepted = parallel = 0
    for _ in range(2500):
        patch = SlotGraphPatch.model_validate(arbitrary_patch(random))
        compiled = analyse(SKELETON, {"slot:main": patch}).compiled
        if compiled is not None:
            accepted += 1
            parallel += bool(compiled.join_requirements)
            for _ in range(10):
                walk(compiled, random)
    assert accepted >= 60, "too few graphs were accepted for the test to mean anything"
    assert parallel >= 30, "too few of them had anything in parallel"


def rewire(patch: dict[str, Any], random: Random) -> None:
    """Lead one edge elsewhere, or add one, or turn one into a return."""
    names = [node["id"] for node in patch["nodes"]]
    edge = random.choice(patch["edges"])
    match random.randrange(3):
        case 0:
            edge["target"] = random.choice([*names, "out"])
        case 1:
            target = random.choice([*names, "out"])
            patch["edges"].append({"source": random.choice(names), "target": target, "condition": "now == now"})
        case _:
            edge.update(returns=True, target=random.choice(names))
    patch["exit_edge_mode"] = "join"


@settings(max_examples=150, deadline=None)
@given(patches(), st.randoms(use_true_random=False))
def test_a_legal_patch_with_an_edge_moved_is_refused_or_can_still_be_walked(
    patch: dict[str, Any], random: Random
) -> None:
    rewire(patch, random)
    skeleton = automation_skeleton(document=DOCUMENT)
    compiled = analyse(skeleton, {"slot:main": SlotGraphPatch.model_validate(patch)}).compiled
    if compiled is not None:
        for _ in range(20):
            walk(compiled, random)


@settings(max_examples=50, deadline=None)
@given(cases(), st.randoms(use_true_random=False))
def test_every_drawn_definition_can_be_walked_to_its_end(
    case: tuple[Skeleton, OrgWorkflowDefinition], random: Random
) -> None:
    walk(compile_effective(*case), random)


WORDS = ("in", "out", "n0", "n1", "n2", "sys:start", "usr:slot:main:n0", "", "é", "a/b", "n0->out", ":", "x" * 600)


def scramble(value: Any, random: Random, names: list[str]) -> Any:
    """The same data with something changed somewhere."""
    if isinstance(value, dict) and value:
        key = random.choice(sorted(value))
        if random.random() < 0.2:
            return {name: item for name, item in value.items() if name != key}
        return {**value, key: scramble(value[key], random, names)}
    if isinstance(value, list) and value:
        index = random.randrange(len(value))
        if random.random() < 0.2:
            return [*value, value[index]]
        return [*value[:index], scramble(value[index], random, names), *value[index + 1 :]]
    return random.choice([*WORDS, *names, None, 0, -1, 0.5, True, [], {}, "entity.", "{", "9h"])


@settings(max_examples=100, deadline=None)
@given(cases(depth=1), st.randoms(use_true_random=False))
def test_a_scrambled_definition_gives_problems_and_never_another_error(
    case: tuple[Skeleton, OrgWorkflowDefinition], random: Random
) -> None:
    skeleton, definition = case
    data = definition.model_dump(exclude_defaults=True)
    names = [node.type for patch in definition.slots.values() for node in patch.nodes]
    for _ in range(random.randint(1, 4)):
        data = scramble(data, random, names)
    try:
        scrambled = OrgWorkflowDefinition.read(data)
    except CompileError:
        return  # Its shape is wrong; the compiler never sees it.
    analysis = analyse(skeleton, scrambled)
    assert (analysis.compiled is None) == bool(analysis.errors)
    assert all(problem.code in PROBLEM_CODES and problem.message for problem in analysis.problems)
    if analysis.compiled is not None:
        walk(analysis.compiled, random)
        assert CompiledWorkflow.from_json(analysis.compiled.to_json()) == analysis.compiled


@pytest.mark.parametrize("text", ["null", "[]", "{}", '{"slots": {"slot:main": null}}', '{"base_ref": 3}'])
def test_what_is_no_definition_is_refused(text: str) -> None:
    with pytest.raises(CompileError):
        OrgWorkflowDefinition.from_json(text)
