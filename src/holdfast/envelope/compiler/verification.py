"""Verification: is this compiled workflow what it says it is? Answered offline, from the value alone (WF-07).

The hash is recomputed over everything else. The parts that follow from other parts (adjacency, order, windows
of every node, the slot of every node) are recomputed too, so the answer names what was changed, not only that
something was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.envelope.compiled import CURRENT_COMPILER_VERSION, CompiledEdge, CompiledWorkflow
from holdfast.envelope.compiler.graph import forward_ways, topological_order
from holdfast.envelope.compiler.integrity import check_effective
from holdfast.envelope.problems import Problems
from holdfast.envelope.skeleton import Skeleton
from holdfast.errors import CanonicalError

__all__ = ["Verification", "verify"]


@dataclass(frozen=True, slots=True)
class Verification:
    """The answer. `current` is about the compiler's version, which a true hash says nothing of."""

    hash: str
    computed_hash: str
    differences: tuple[str, ...]
    """What does not follow from the rest, or not from the skeleton: one sentence each."""
    current: bool

    @property
    def genuine(self) -> bool:
        """Whether nothing was changed since the compile."""
        return self.hash == self.computed_hash and not self.differences

    @property
    def ok(self) -> bool:
        """Whether the engine may run it."""
        return self.genuine and self.current

    def to_json(self) -> dict[str, Any]:
        """The answer as JSON values."""
        return {
            "ok": self.ok,
            "genuine": self.genuine,
            "current": self.current,
            "hash": self.hash,
            "computed_hash": self.computed_hash,
            "differences": list(self.differences),
        }


def verify(compiled: CompiledWorkflow, skeleton: Skeleton | None = None) -> Verification:
    """Check a compiled workflow by itself and, when it is given, against its skeleton."""
    try:
        computed = compiled.computed_hash()
    except CanonicalError as error:
        return Verification(compiled.hash, "", (str(error),), current=False)
    differences = _derived_differences(compiled)
    if skeleton is not None:
        differences += _skeleton_differences(compiled, skeleton)
    if compiled.hash != computed and not differences:
        differences.append("the content is consistent in itself but is not the content that was hashed")
    current = compiled.compiler_version == CURRENT_COMPILER_VERSION
    return Verification(compiled.hash, computed, tuple(differences), current)


def _derived_differences(compiled: CompiledWorkflow) -> list[str]:
    nodes, edges = compiled.nodes_by_id, compiled.edges_by_id
    broken = [edge.id for edge in edges.values() if edge.source not in nodes or edge.target not in nodes]
    broken += [each for body in compiled.bodies.values() for each in (body.entry, body.exit) if each not in nodes]
    if broken or not compiled.bodies.keys() <= nodes.keys():
        return [f"{each!r} leads to or from a node that does not exist" for each in sorted(broken)]
    differences = [f"the node {key!r} is filed under another id" for key, node in nodes.items() if node.id != key]
    differences += [f"the edge {key!r} is filed under another id" for key, edge in edges.items() if edge.id != key]
    leaving: dict[str, list[CompiledEdge]] = {node_id: [] for node_id in nodes}
    entering: dict[str, list[str]] = {node_id: [] for node_id in nodes}
    for edge in sorted(edges.values(), key=lambda edge: edge.id):
        leaving[edge.source].append(edge)
        entering[edge.target].append(edge.id)
    tried = {
        node_id: tuple(edge.id for edge in sorted(found, key=CompiledEdge.tried)) for node_id, found in leaving.items()
    }
    order, circle = topological_order(nodes, forward_ways(nodes, edges.values(), compiled.bodies))
    expected: dict[str, tuple[Any, Any]] = {
        "adjacency": (dict(compiled.adjacency), tried),
        "reverse_adjacency": (dict(compiled.reverse_adjacency), {key: tuple(ids) for key, ids in entering.items()}),
        "topological_order": (compiled.topological_order, tuple(order)),
        "slot_map": (dict(compiled.slot_map), {key: node.provenance for key, node in nodes.items()}),
        "edit_windows": (set(compiled.edit_windows), set(nodes)),
    }
    differences += [f"{name} does not follow from the nodes and edges" for name, (a, b) in expected.items() if a != b]
    if circle:
        differences.append(f"the forward edges lead in a circle through {min(circle)!r}")
    if not compiled.system_gate_integrity.valid:
        differences.append("system_gate_integrity says that the skeleton is not whole")
    return differences


def _skeleton_differences(compiled: CompiledWorkflow, skeleton: Skeleton) -> list[str]:
    differences = []
    if compiled.envelope_hash != skeleton.hash or skeleton.hash != skeleton.computed_hash():
        differences.append("envelope_hash is not the hash of the skeleton")
    problems = Problems()
    windows: Mapping[str, Any] = compiled.edit_windows
    check_effective(skeleton, compiled.nodes_by_id, compiled.edges_by_id, windows, compiled.topological_order, problems)
    return differences + [problem.message for problem in problems.sorted()]
