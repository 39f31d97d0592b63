"""Parallel structure: every split has its join, every join its split, and no token strays in between.

Walking a region in topological order, each node is given the branch it lies on: the splits that are open
there and, for each, the edge taken. A split opens a branch for every edge; the join that all of its branches
reach closes it. Two branches that meet anywhere else, a branch that leaves without its join, a return edge
into or out of a branch: each would leave a join waiting for ever or fire it twice, so each is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from holdfast.envelope.compiled import JoinRequirement, edge_rank
from holdfast.envelope.compiler.intake import DraftEdge, Region
from holdfast.envelope.parts.flow import ParallelJoinConfig
from holdfast.envelope.problems import Problems

__all__ = ["edge_order", "pair_joins"]


def edge_order(edge: DraftEdge) -> tuple[bool, int, bool, str]:
    """The order in which the edges of a node are tried: guarded ones by (priority, id), then the others."""
    return edge_rank(edge.edge.outcome, edge.edge.condition, edge.edge.priority, edge.id)


def pair_joins(region: Region, order: Iterable[str], problems: Problems) -> dict[str, JoinRequirement]:
    """What each join of the region waits for."""
    pairing = _Pairing(region, problems)
    for node in order:
        pairing.visit(node)
    pairing.finish()
    return pairing.joins


@dataclass(frozen=True, slots=True, eq=False)
class _Branch:
    """One branch of one split. Compared by identity, so that deep nesting costs nothing."""

    outside: _Branch | None
    split: str
    edge: str


class _Pairing:
    """One walk over one region."""

    def __init__(self, region: Region, problems: Problems) -> None:
        self.region = region
        self.problems = problems
        self.joins: dict[str, JoinRequirement] = {}
        self.incoming: dict[str, list[DraftEdge]] = {}
        self.outgoing: dict[str, list[DraftEdge]] = {}
        for edge in sorted(region.edges.values(), key=edge_order):
            self.outgoing.setdefault(edge.source, []).append(edge)
            self.incoming.setdefault(edge.target, []).append(edge)
        self.branch_of_node: dict[str, _Branch | None] = {}
        self.branch_of_edge: dict[str, _Branch | None] = {}
        self.closed: dict[str, str] = {}
        self.reported: set[str] = set()

    def type_of(self, node: str) -> str:
        draft = self.region.nodes.get(node)
        return draft.node.type if draft is not None else "attachment"

    def visit(self, node: str) -> None:
        arriving = [edge for edge in self.incoming.get(node, ()) if edge.id in self.branch_of_edge]
        arrive = self.close if self.type_of(node) == "parallel_join" else self.meet
        here = arrive(node, arriving)
        self.branch_of_node[node] = here
        leaving = [edge for edge in self.outgoing.get(node, ()) if not edge.edge.returns]
        if self.type_of(node) == "parallel_split":
            self.open(node, here, leaving)
        else:
            self.branch_of_edge.update((edge.id, here) for edge in leaving)

    def open(self, split: str, here: _Branch | None, leaving: Sequence[DraftEdge]) -> None:
        if len(leaving) < 2:
            message = f"only {len(leaving)} edge leaves the split {self.short(split)!r}"
            self.report("split.too_few", split, message, "Add a branch, or use no split")
        for edge in leaving:
            self.branch_of_edge[edge.id] = _Branch(here, split, edge.id)

    def meet(self, node: str, arriving: Sequence[DraftEdge]) -> _Branch | None:
        """The branch of an ordinary node, which all of its incoming edges must share."""
        branches = list(dict.fromkeys(self.branch_of_edge[edge.id] for edge in arriving))
        if len(branches) <= 1:
            return branches[0] if branches else None
        outside = _common(branches)
        for branch in branches:
            # The outermost split that is left here without its join is the one to name.
            while branch is not None and branch.outside is not outside:
                branch = branch.outside
            if branch is not None and branch is not outside:
                at = "`out`" if node == self.region.namespace.exit else repr(self.short(node))
                message = f"branches of the split {self.short(branch.split)!r} meet at {at}, which is no join"
                hint = "End them in one parallel_join first"
                self.report("split.branches_meet", branch.split, message, hint)
        return outside

    def close(self, join: str, arriving: Sequence[DraftEdge]) -> _Branch | None:
        """Pair a join with the one split all of whose branches, and nothing else, arrive at it."""
        branches = list(dict.fromkeys(self.branch_of_edge[edge.id] for edge in arriving))
        splits = {branch.split for branch in branches if branch is not None}
        if not branches:
            return None
        if len(splits) != 1 or None in branches:
            message = f"the join {self.short(join)!r} is not reached by the branches of one split alone"
            hint = "Give each split a join of its own; where no split came before, no join is needed"
            self.report("join.unpaired", join, message, hint)
            self.reported |= splits
            return _common(branches)
        split = splits.pop()
        first = branches[0]
        assert first is not None
        outside = first.outside
        branch_edges = [edge for edge in self.outgoing[split] if not edge.edge.returns]
        missing = {edge.id for edge in branch_edges} - {branch.edge for branch in branches if branch is not None}
        if split in self.closed:
            message = f"the branches of {self.short(split)!r} end in two joins"
            self.report("split.unpaired", split, message, "Lead all of them to one parallel_join")
        elif missing:
            message = (
                f"{len(missing)} of the branches of {self.short(split)!r} do not reach the join {self.short(join)!r}"
            )
            self.report("split.unpaired", split, message, "Lead every branch to the same parallel_join")
        else:
            self.require(join, split, branch_edges)
        self.closed[split] = join
        return outside

    def require(self, join: str, split: str, branches: Sequence[DraftEdge]) -> None:
        config = self.region.nodes[join].config
        if not isinstance(config, ParallelJoinConfig):
            return
        count = {"all": len(branches), "any": 1, "n_of_m": config.n or 0}[config.mode]
        if count > len(branches):
            path = self.region.nodes[join].path.field("config").field("n")
            message = f"the join asks for {count} of {len(branches)} branches"
            self.problems.add("join.count", path, message, f"Use at most {len(branches)}")
        self.joins[join] = JoinRequirement(
            mode=config.mode,
            required_token_count=count,
            split=split,
            branches=tuple(edge.id for edge in branches),
            guarded=any(edge.edge.condition is not None for edge in branches),
        )

    def finish(self) -> None:
        """What must hold once every node has its branch: no split left open, no return across branches."""
        branch = self.branch_of_node.get(self.region.namespace.exit)
        while branch is not None:
            message = f"the split {self.short(branch.split)!r} is not joined before `out`"
            self.report("split.unpaired", branch.split, message, "Lead every branch to one parallel_join")
            branch = branch.outside
        for node in self.region.nodes.values():
            if node.node.type == "parallel_split" and node.id not in self.closed:
                message = f"no parallel_join ends the split {self.short(node.id)!r}"
                self.report("split.unpaired", node.id, message, "Lead every branch to one parallel_join")
        for edge in self.region.edges.values():
            if edge.edge.returns:
                self.check_return(edge)

    def check_return(self, edge: DraftEdge) -> None:
        if edge.source not in self.branch_of_node or edge.target not in self.branch_of_node:
            return
        crosses = self.branch_of_node[edge.source] is not self.branch_of_node[edge.target]
        into_join = self.type_of(edge.target) == "parallel_join"
        if crosses or into_join or self.type_of(edge.source) == "parallel_split":
            message = f"the return from {self.short(edge.source)!r} leads across a parallel branch"
            hint = "Return within the same branch, or join the branches first"
            self.problems.add("graph.return_crosses", edge.path, message, hint)

    def short(self, node: str) -> str:
        return self.region.namespace.short(node)

    def report(self, code: str, node: str, message: str, hint: str) -> None:
        """One problem for each split or join: what goes wrong after the first is a consequence of it."""
        if node not in self.reported:
            self.reported.add(node)
            self.problems.add(code, self.region.nodes[node].path, message, hint)


def _common(branches: Sequence[_Branch | None]) -> _Branch | None:
    """The innermost branch that lies around all of the given ones."""
    chains = [_around(branch) for branch in branches]
    shared = set(chains[0]).intersection(*chains[1:])
    return next(branch for branch in chains[0] if branch in shared)


def _around(branch: _Branch | None) -> list[_Branch | None]:
    chain: list[_Branch | None] = [branch]
    while branch is not None:
        branch = branch.outside
        chain.append(branch)
    return chain
