"""The board: how one record changes the position. There is no other code that moves a token.

`fold` applies a history to an empty board; an advance applies the records it has just made to the board of the current
position. Because both go through `Board.apply`, what the live engine believes and what a rebuild finds are the same
(WF-15). A board is scratch paper: made for one fold or one advance, mutated in place, then frozen into a `Position`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from holdfast.envelope.compiled import CompiledEdge, CompiledWorkflow
from holdfast.envelope.tokens.position import (
    Decision,
    Fork,
    InstanceStatus,
    Loop,
    Position,
    Token,
    first_round,
    next_round,
)
from holdfast.envelope.tokens.records import Move, StepRecord, check_order
from holdfast.errors import InvalidInput

__all__ = ["Board", "fold"]

_RESTING = ("split", "looping")
"""Tokens in these states rest while their children are on their way; no others have children."""
_SPECIAL = frozenset({"parallel_split", "parallel_join", "attachment", "end"})
"""Nodes whose step may end without the token simply going on along one edge."""


def fold(
    workflow: CompiledWorkflow,
    history: Iterable[StepRecord],
    position: Position | None = None,
    *,
    instance: str = "",
) -> Position:
    """The position after `history`: from nothing, or onward from a position already folded.

    Raises `InvalidInput` for a history that has a gap or cannot have come from this workflow.
    """
    records = list(history)
    start = position if position is not None else Position(instance)
    check_order(records, start.seq + 1)
    board = Board(workflow, start)
    for record in records:
        try:
            board.apply(record)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, AssertionError):
            # A well-made history never gets here; a record of another definition trips over what is not there.
            raise _misfit(record) from None
    return board.freeze()


def _misfit(record: StepRecord) -> InvalidInput:
    return InvalidInput(
        f"step {record.seq} does not fit: no token {record.token!r} can have come to {record.node!r} so",
        hint="The history belongs to another definition, or a record is missing",
    )


class Board:
    """A position that can be changed."""

    def __init__(self, workflow: CompiledWorkflow, position: Position) -> None:
        self.workflow = workflow
        self.exits = workflow.body_exits
        self.instance = position.instance
        self.status: InstanceStatus = position.status
        self.reason = position.reason
        self.entity_version = position.entity_version
        self.doc_status = position.doc_status
        self.root = position.root
        self.tokens = dict(position.tokens)
        self.forks = dict(position.forks)
        self.loops = {key: replace(loop, results=dict(loop.results)) for key, loop in position.loops.items()}
        self.variables = dict(position.variables)
        self.payload = position.payload
        self.decisions = position.decisions
        self.seq = position.seq
        self.born = position.born
        self.ended = position.ended
        self.kids: dict[str, dict[str, None]] = {}
        self.ready: deque[str] = deque()
        self.moves: list[Move] | None = None
        """Every move, once somebody has put a list here; a fold has no use for them."""
        for token in self.tokens.values():
            if token.parent is not None:
                self.kids.setdefault(token.parent, {})[token.id] = None
            if token.state == "ready":
                self.ready.append(token.id)

    def freeze(self) -> Position:
        """The position, which from now on owns what is on the board."""
        failed = any(token.state == "failed" for token in self.tokens.values())
        status = self.status
        if status in ("running", "paused"):
            status = "paused" if failed else "running"
        return Position(
            instance=self.instance,
            status=status,
            reason=self.reason,
            entity_version=self.entity_version,
            doc_status=self.doc_status,
            root=self.root,
            tokens=self.tokens,
            forks=self.forks,
            loops=self.loops,
            variables=self.variables,
            payload=self.payload,
            decisions=self.decisions,
            seq=self.seq,
            born=self.born,
            ended=self.ended,
        )

    def apply(self, record: StepRecord) -> None:
        """Change the position as the record says."""
        if record.entity_version > self.entity_version:
            # Somebody changed the document, so decisions on what it was before no longer count (WF-03).
            self.decisions = ()
            self.entity_version = record.entity_version
        self.seq = record.seq
        if record.origin is not None:
            self._origin(record)
            if record.origin == "close":
                return
        token = self.tokens.get(record.token)
        if token is None or (token.node != record.node and not self._elsewhere(token, record)):
            raise _misfit(record)
        status = record.output.get("doc_status")
        if status is not None:
            self.doc_status = status
        if "entity_version" in record.output:
            # The step has written the document, whether or not a way led onward from it.
            self.entity_version = max(self.entity_version, record.output["entity_version"])
        match record.status:
            case "pending" | "running":
                self._open(token, record)
            case "completed":
                self._note(token, record)
                self._complete(token, record)
            case "failed":
                self._drop_children(token)
                self.tokens[token.id] = token._replace(node=record.node, state="failed", step=record)
            case "cancelled":
                if record.outcome == "repinned":
                    self._ready(token._replace(state="ready", step=None))
                else:
                    self._drop_children(token)
                    self._end(token, "cancelled")

    def _elsewhere(self, token: Token, record: StepRecord) -> bool:
        """Tokens that rest for others write their next row where the others meet, not where they rest."""
        if token.state == "split":
            fork = self.forks[token.id]
            return record.node == fork.join or (record.node in self.exits and token.item is not None)
        return token.item is not None and record.node in self.exits

    def _origin(self, record: StepRecord) -> None:
        match record.origin:
            case "start":
                if self.born:
                    raise KeyError(record.token)
                self.payload = record.input.get("payload")
                if record.input.get("context"):
                    self.variables[""] = record.input["context"]
                self._bear(Token(record.token, record.node, "ready"))
            case "interrupt":
                self._clear()
                self.root = record.token
                self._bear(Token(record.token, record.node, "ready"))
            case "retry":
                failed = self.tokens[record.input["retry_of"]]
                self._replace(failed, failed._replace(id=record.token, state="ready", step=None, children=0))
            case _:
                self._clear()
                self.status = record.output["instance"]
                self.reason = record.output.get("reason")

    def _open(self, token: Token, record: StepRecord) -> None:
        if record.node_type != "for_each":
            name, node, _, parent, index, scope, item, children, via, _ = token
            self.tokens[name] = Token(name, node, "waiting", parent, index, scope, item, children, via, record)
            return
        items = tuple(record.input["items"])
        parallel = record.input["mode"] == "parallel"
        started = len(items) if parallel else min(1, len(items))
        self.loops[token.id] = Loop(token.node, parallel, items, token.children, started, {})
        token = token._replace(state="looping", step=record, children=token.children + len(items))
        self.tokens[token.id] = token
        for index in range(started):
            self._bear_item(token, index)

    def _bear_item(self, token: Token, index: int) -> None:
        loop = self.loops[token.id]
        name = f"{token.id}.{loop.first_child + index}"
        self.variables[name] = {}
        entry = self.workflow.bodies[loop.node].entry
        self._bear(Token(name, entry, "ready", token.id, index, name, index))

    def _note(self, token: Token, record: StepRecord) -> None:
        """What a step did beside moving its token: variables and decisions."""
        output = record.output
        if "set" in output:
            self.variables[token.scope] = {**self.variables.get(token.scope, {}), **output["set"]}
        if "applied" in output:
            used = set(output["applied"])
            self.decisions = tuple(each for each in self.decisions if each.step not in used)
        if "decision" in output:
            self._decide(record, output["decision"])

    def _decide(self, record: StepRecord, made: Mapping[str, Any]) -> None:
        """Keep a decision for the gate ahead. Asked again at the same node, the later answer stands."""
        asked = (record.node, first_round(record.token))
        kept = [each for each in self.decisions if (each.node, first_round(each.token)) != asked]
        decision = Decision(
            step=record.key,
            node=record.node,
            token=record.token,
            decision=made["decision"],
            entity_version=record.entity_version,
            by=made.get("by"),
            reason=made.get("reason"),
        )
        self.decisions = (*kept, decision)

    def _complete(self, token: Token, record: StepRecord) -> None:
        match record.node_type if record.node_type in _SPECIAL else None:
            case "parallel_split":
                self._split(token, record)
            case "parallel_join" if record.outcome == "arrived":
                assert token.parent is not None
                fork = self.forks[token.parent]
                self.forks[token.parent] = replace(fork, arrived=(*fork.arrived, token.id))
                self._end(token, "ended")
            case "attachment" if record.node in self.exits:
                self._end_item(token, record)
            case "end":
                self._end(token, "ended")
                self.status = "completed"
            case _:
                self._drop_children(token)
                self._move(token, self.workflow.edges_by_id[record.output["chosen_edge_ids"][0]])

    def _split(self, token: Token, record: StepRecord) -> None:
        edges = record.output["chosen_edge_ids"]
        join = self.workflow.split_joins[record.node]
        needed = min(self.workflow.join_requirements[join].required_token_count, len(edges))
        self.forks[token.id] = Fork(record.node, join, len(edges), needed, record.entity_version)
        first = token.children
        self.tokens[token.id] = token._replace(state="split", step=None, children=first + len(edges))
        for index, edge in enumerate(edges):
            target = self.workflow.edges_by_id[edge].target
            child = Token(f"{token.id}.{first + index}", target, "ready", token.id, index, token.scope, via=edge)
            self._bear(child)

    def _end_item(self, token: Token, record: StepRecord) -> None:
        parent = token.parent
        assert parent is not None
        assert token.item is not None
        loop = self.loops[parent]
        failed = record.outcome == "error"
        loop.results[token.item] = {
            "index": token.item,
            "outcome": record.outcome,
            "context": self.variables.get(token.scope, {}),
            **({"error": record.error} if failed else {}),
        }
        self._drop_children(token)
        self._end(token, "ended")
        following = not loop.parallel and loop.started < len(loop.items)
        started = loop.started + 1 if following else loop.started
        self.loops[parent] = replace(loop, started=started, failed=loop.failed + failed)
        if following and not (failed and record.output.get("stop")):
            self._bear_item(self.tokens[parent], loop.started)

    def _move(self, token: Token, edge: CompiledEdge) -> None:
        if edge.returns:
            born = Token(
                id=next_round(token.id),
                node=edge.target,
                state="ready",
                parent=token.parent,
                path_index=token.path_index,
                scope=token.scope,
                item=token.item,
                via=edge.id,
            )
            self._replace(token, born)
            return
        if self.moves is not None:
            self.moves.append(Move("moved", token.id, edge.target, edge.id))
        self._ready(
            Token(
                token.id,
                edge.target,
                "ready",
                token.parent,
                token.path_index,
                token.scope,
                token.item,
                token.children,
                edge.id,
            )
        )

    def _replace(self, token: Token, born: Token) -> None:
        """One token ends and another takes its place among its siblings."""
        variables = self.variables.get(token.scope) if token.item is not None else None
        self._end(token, "ended")
        if variables is not None:
            self.variables[token.scope] = variables
        if token.id == self.root:
            self.root = born.id
        self._bear(born)

    def _ready(self, token: Token) -> None:
        self.tokens[token.id] = token
        self.ready.append(token.id)

    def _bear(self, token: Token) -> None:
        if token.id in self.tokens:
            raise KeyError(token.id)
        self.born += 1
        if token.parent is not None:
            self.kids.setdefault(token.parent, {})[token.id] = None
        if self.moves is not None:
            self.moves.append(Move("born", token.id, token.node, token.via))
        self._ready(token)

    def _end(self, token: Token, how: Any) -> None:
        self.ended += 1
        del self.tokens[token.id]
        if token.state in _RESTING:
            self.forks.pop(token.id, None)
            self.loops.pop(token.id, None)
        if token.parent is not None:
            self.kids[token.parent].pop(token.id, None)
        self.kids.pop(token.id, None)
        if token.item is not None:
            self.variables.pop(token.scope, None)
        if self.moves is not None:
            self.moves.append(Move(how, token.id, token.node))

    def _drop_children(self, token: Token) -> None:
        """What a token rested for is over. Children that are left have failed, and their rows say so."""
        if token.state not in _RESTING:
            return
        for child in list(self.kids.get(token.id, ())):
            self._drop_children(self.tokens[child])
            self._end(self.tokens[child], "ended")
        self.forks.pop(token.id, None)
        self.loops.pop(token.id, None)

    def _clear(self) -> None:
        """Every token that is left ends; rows were written for those that had anything open."""
        for token in list(self.tokens.values()):
            self._end(token, "cancelled")
        self.decisions = ()
