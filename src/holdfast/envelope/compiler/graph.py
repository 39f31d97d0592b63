"""The graph of one region: every step reachable, every step with a way out, no circle but by declared
returns.

Everything is linear in the number of nodes and edges. Ties are broken by id, so the order in which an author
wrote things never shows.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping

from holdfast.envelope.compiled import CompiledBody, CompiledEdge
from holdfast.envelope.compiler.intake import Region
from holdfast.envelope.problems import Path, Problems

__all__ = ["check_graph", "forward_ways", "reachable", "topological_order"]


def check_graph(region: Region, problems: Problems) -> list[str] | None:
    """The region's nodes in topological order of the forward edges, or None when they form a circle."""
    names = region.namespace
    nodes = [names.entry, *region.nodes, names.exit]
    forward: dict[str, list[str]] = {node: [] for node in nodes}
    backward: dict[str, list[str]] = {node: [] for node in nodes}
    for edge in region.edges.values():
        backward[edge.target].append(edge.source)
        if not edge.edge.returns:
            forward[edge.source].append(edge.target)
    _check_reachability(region, forward, backward, problems)
    order, circle = topological_order(nodes, forward)
    if circle:
        _report_circles(region, circle, forward, problems)
        return None
    _check_returns(region, order, forward, problems)
    return order


def reachable(starts: Iterable[str], onward: Mapping[str, Iterable[str]]) -> set[str]:
    """Everything that can be reached."""
    found: set[str] = set()
    waiting = list(starts)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(onward[node])
    return found


def topological_order(nodes: Iterable[str], onward: Mapping[str, Iterable[str]]) -> tuple[list[str], set[str]]:
    """Kahn's order with ties broken by id (WF-13), and the nodes that are on or behind a circle."""
    waiting_for = dict.fromkeys(nodes, 0)
    for node in waiting_for:
        for target in onward[node]:
            waiting_for[target] += 1
    ready = [node for node, count in waiting_for.items() if count == 0]
    heapq.heapify(ready)
    order: list[str] = []
    while ready:
        node = heapq.heappop(ready)
        order.append(node)
        for target in onward[node]:
            waiting_for[target] -= 1
            if waiting_for[target] == 0:
                heapq.heappush(ready, target)
    return order, waiting_for.keys() - set(order)


def forward_ways(
    nodes: Iterable[str], edges: Iterable[CompiledEdge], bodies: Mapping[str, CompiledBody]
) -> dict[str, list[str]]:
    """The forward ways of a whole workflow. A body lies between its node and whatever follows that node."""
    ways: dict[str, list[str]] = {node: [] for node in nodes}
    for edge in edges:
        if not edge.returns:
            ways[edge.source].append(edge.target)
    for node, body in bodies.items():
        ways[body.exit].extend(ways[node])
    for node, body in bodies.items():
        ways[node].append(body.entry)
    return ways


def _check_reachability(
    region: Region, forward: Mapping[str, list[str]], backward: Mapping[str, list[str]], problems: Problems
) -> None:
    names = region.namespace
    # Without an entry or an exit the patch is not attached, which has been said; each node need not say it again.
    if forward[names.entry]:
        reached = reachable([names.entry], forward)
        for node in region.nodes.values():
            if node.id not in reached:
                message = f"no path leads from `in` to {names.short(node.id)!r}"
                problems.add("node.unreachable", node.path, message, "Connect it, or remove it")
    if backward[names.exit]:
        leaving = reachable([names.exit], backward)
        for node in region.nodes.values():
            if node.id not in leaving:
                message = f"no path leads from {names.short(node.id)!r} to `out`"
                problems.add("node.dead_end", node.path, message, "Add an edge onward, for example to `out`")


def _report_circles(region: Region, suspects: set[str], forward: Mapping[str, list[str]], problems: Problems) -> None:
    """One problem for each circle, at its first edge. Nodes that merely lie behind a circle are left out."""
    names = region.namespace
    for members in _strong_components(sorted(suspects), forward, suspects):
        edges = [
            edge
            for edge in region.edges.values()
            if edge.source in members and edge.target in members and not edge.edge.returns
        ]
        if edges:
            path: Path = min(edges, key=lambda edge: edge.id).path
            circle = ", ".join(names.short(node) for node in sorted(members))
            hint = "Mark the edge that leads back with returns: true and give it an outcome or a condition"
            problems.add("graph.cycle", path, f"these steps lead in a circle: {circle}", hint)


def _strong_components(nodes: Iterable[str], onward: Mapping[str, list[str]], within: set[str]) -> list[frozenset[str]]:
    """Kosaraju's components, without recursion."""
    backward: dict[str, list[str]] = {node: [] for node in within}
    for node in within:
        for target in onward[node]:
            if target in within:
                backward[target].append(node)
    finished: list[str] = []
    seen: set[str] = set()
    for start in nodes:
        stack = [(start, iter([target for target in onward[start] if target in within]))] if start not in seen else []
        seen.add(start)
        while stack:
            node, targets = stack[-1]
            following = next((each for each in targets if each not in seen), None)
            if following is None:
                finished.append(node)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter([each for each in onward[following] if each in within])))
    components: list[frozenset[str]] = []
    placed: set[str] = set()
    for root in reversed(finished):
        if root not in placed:
            members = _collect(root, backward, placed)
            placed |= members
            components.append(frozenset(members))
    return components


def _collect(root: str, backward: Mapping[str, list[str]], placed: set[str]) -> set[str]:
    members: set[str] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node not in members and node not in placed:
            members.add(node)
            waiting.extend(backward[node])
    return members


def _check_returns(region: Region, order: Iterable[str], forward: Mapping[str, list[str]], problems: Problems) -> None:
    """Every return edge must lead to a node from which its source can be reached, and must be guarded."""
    returning = [edge for edge in region.edges.values() if edge.edge.returns]
    # One bit for each target: passing the bits along the forward edges answers all the questions in one sweep.
    bit = {target: 1 << index for index, target in enumerate(dict.fromkeys(edge.target for edge in returning))}
    behind: dict[str, int] = {}
    for node in order:
        behind[node] = behind.get(node, 0) | bit.get(node, 0)
        for target in forward[node]:
            behind[target] = behind.get(target, 0) | behind[node]
    names = region.namespace
    for edge in returning:
        if not behind[edge.source] & bit[edge.target]:
            message = f"{names.short(edge.target)!r} does not come before {names.short(edge.source)!r}"
            hint = "A return edge leads back; an edge onward needs no returns: true"
            problems.add("graph.return_forward", edge.path, message, hint)
        if edge.edge.outcome is None and edge.edge.condition is None:
            message = "nothing decides whether this return is taken"
            problems.add("graph.return_guard", edge.path, message, "Give it an outcome or a condition")
