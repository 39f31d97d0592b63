"""Guards: every outcome a step can give has an edge that takes it, and every edge has a step that can take
it.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.envelope.compiled import edge_takes, outcome_named
from holdfast.envelope.compiler.hints import did_you_mean
from holdfast.envelope.compiler.intake import DraftEdge, DraftNode, Region
from holdfast.envelope.compiler.joins import edge_order
from holdfast.envelope.problems import Problems, Severity

__all__ = ["check_guards"]


def check_guards(region: Region, problems: Problems) -> None:
    """Check the edges that leave each node of a region, and those that leave its `in`."""
    leaving: dict[str, list[DraftEdge]] = {}
    for edge in sorted(region.edges.values(), key=edge_order):
        leaving.setdefault(edge.source, []).append(edge)
    for node in region.nodes.values():
        if node.config is not None:
            edges = leaving.get(node.id, [])
            _check_outcomes_exist(node.config.outcomes(), edges, region.namespace.short(node.id), problems)
            if node.node.type != "parallel_split":
                _check_coverage(region, node, edges, problems)
                _check_shadows(node.config.outcomes(), edges, problems)
            elif edges and all(edge.edge.condition is not None for edge in edges):
                message = "every branch has a condition, so it can happen that none is taken"
                hint = "Leave one branch without a condition"
                problems.add("node.no_else", node.path, message, hint, severity="warning")
    entries = leaving.get(region.namespace.entry, [])
    _check_outcomes_exist(("completed",), entries, "in", problems)
    if entries and all(edge.edge.condition is not None for edge in entries):
        message = "when no condition holds, the process stops at `in` with WORKFLOW_NO_EDGE"
        hint = "Add an edge from `in` without a condition, for example to `out`"
        problems.add("node.no_else", region.path, message, hint, severity="warning")
    if region.branches:
        _check_shadows(("completed",), entries, problems)


def _check_outcomes_exist(outcomes: Sequence[str], edges: Sequence[DraftEdge], source: str, problems: Problems) -> None:
    for edge in edges:
        if edge.edge.outcome is not None and outcome_named(edge.edge.outcome) not in outcomes:
            message = f"{source!r} never gives the outcome {edge.edge.outcome!r}"
            hint = did_you_mean(edge.edge.outcome, outcomes)
            problems.add("edge.unknown_outcome", edge.path.field("outcome"), message, hint)


def _check_coverage(region: Region, node: DraftNode, edges: Sequence[DraftEdge], problems: Problems) -> None:
    assert node.config is not None
    if not edges:
        return  # A dead end, which has been said.
    short = region.namespace.short(node.id)
    for outcome in node.config.must_handle():
        takers = [edge for edge in edges if edge_takes(edge.edge.outcome, outcome)]
        if not takers:
            message = f"{short!r} can end as {outcome!r}, and no edge takes that"
            target = "`out`, where the gate decides" if outcome == "rejected" else "`out`"
            hint = f"Add an edge with outcome: {outcome}, for example to {target}"
            problems.add("node.outcome_unhandled", node.path, message, hint)
        elif all(edge.edge.condition is not None for edge in takers):
            message = f"when no condition holds after {outcome!r}, the step {short!r} fails with WORKFLOW_NO_EDGE"
            hint = "Add an edge without a condition"
            problems.add("node.no_else", node.path, message, hint, severity="warning")


def _check_shadows(outcomes: Sequence[str], edges: Sequence[DraftEdge], problems: Problems) -> None:
    """Edges are tried in order, so what stands behind an edge that always matches is never reached."""
    taken: dict[str, DraftEdge] = {}
    coded = {edge.edge.outcome for edge in edges if edge.edge.outcome and outcome_named(edge.edge.outcome) == "error"}
    for edge in edges:
        # Each code that some edge names is an outcome of its own.
        open_to = [outcome for outcome in outcomes if outcome != "error" and edge_takes(edge.edge.outcome, outcome)]
        if edge.edge.outcome in coded:
            open_to = sorted(coded - {"error"}) if edge.edge.outcome == "error" else [edge.edge.outcome]
            open_to += ["error"] if edge.edge.outcome == "error" else []
        if open_to and all(outcome in taken for outcome in open_to):
            plain = edge.edge.outcome is None and edge.edge.condition is None
            named = {taken[outcome].edge.outcome for outcome in open_to}
            # An `else` beside edges for every outcome is only superfluous; anything else is a mistake.
            message = f"this edge is never taken: {taken[open_to[0]].id!r} always comes first"
            hint = "Give it a condition, order them by priority, or use a parallel_split to take both"
            severity: Severity = "warning" if plain and None not in named else "error"
            problems.add("edge.shadowed", edge.path, message, hint, severity=severity)
        if edge.edge.condition is None:
            for outcome in open_to:
                taken.setdefault(outcome, edge)
