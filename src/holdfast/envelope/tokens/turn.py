"""A turn: one advance in the making. It opens, ends, fails and cancels steps, and every one of them is a record.

A turn reads the facts it was given and the board, and changes the board only by applying the records it writes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from holdfast.envelope.compiled import CompiledNode, CompiledWorkflow
from holdfast.envelope.tokens.board import Board
from holdfast.envelope.tokens.happenings import Facts
from holdfast.envelope.tokens.keys import effect_key, step_key
from holdfast.envelope.tokens.position import Position, Token, first_round
from holdfast.envelope.tokens.reading import Choice, Reader
from holdfast.envelope.tokens.records import Effect, Move, Origin, StepRecord, StepStatus
from holdfast.errors import ExpressionError
from holdfast.kernel.room import Room

__all__ = ["MAX_ROUNDS", "Bound", "Turn", "expression_failure", "moment_text"]

MAX_ROUNDS: Final = 100
"""How often one token may cross one return edge without resting. More would be a circle that never ends."""

Json = Mapping[str, Any]
_NOTHING: Final[Json] = {}

MOST_VALUES: Final = 500_000
MOST_CHARACTERS: Final = 64 * 1024 * 1024
"""What one advance may save, hand to effects and go over in loops, together with the variables there are."""
_FEW_TRACES: Final = 10


@dataclass(frozen=True, slots=True)
class Bound:
    """How far an advance goes: so many steps, and not into a `for_each`. Tokens that would go on stay ready.

    Whoever resumes the position without a bound takes them up.
    """

    steps: int


def moment_text(moment: datetime) -> str:
    """A moment as records keep it: in UTC, so that texts sort as the moments do."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def expression_failure(problem: ExpressionError) -> dict[str, Any]:
    """What a record keeps of an expression that failed on its data."""
    details = problem.details
    return {
        "code": "WORKFLOW_EXPRESSION_FAILED",
        "message": details.get("reason", problem.message),
        "expression": details.get("expression"),
        "variables": details.get("variables", {}),
    }


class Turn:
    """The records and effects of one advance, and the board they lead to."""

    def __init__(
        self,
        workflow: CompiledWorkflow,
        reader: Reader,
        position: Position,
        facts: Facts,
        bound: Bound | None = None,
    ) -> None:
        self.workflow = workflow
        self.reader = reader
        self.facts = facts
        self._bound = bound
        self.board = Board(workflow, position)
        self.moves: list[Move] = []
        self.board.moves = self.moves
        self.steps: list[StepRecord] = []
        self.effects: list[Effect] = []
        self.at = moment_text(facts.now)
        self.origins: dict[str, tuple[Origin, Json]] = {}
        """Tokens that come otherwise than along an edge: the first record of each says how."""
        self.failed: list[str] = []
        """Tokens whose step failed in this turn."""
        self._crossed: Counter[tuple[str, str]] = Counter()
        self._room = Room(MOST_VALUES, MOST_CHARACTERS)
        self._variables_counted = False

    def node(self, token: Token) -> CompiledNode:
        """The node where a token stands."""
        return self.workflow.nodes_by_id[token.node]

    def stops(self, token: Token) -> bool:
        """Whether the token goes no further in this turn, although it could."""
        if self._bound is None:
            return False
        return len(self.steps) >= self._bound.steps or self.node(token).type == "for_each"

    def roots(self, token: Token, payload: Any = None, also: Json = _NOTHING) -> dict[str, Any]:
        """What an expression at this token can read. `also` are variables the step is about to set."""
        variables = self.board.variables
        context = variables.get("", _NOTHING)
        roots: dict[str, Any] = {}
        if token.scope:
            scopes = self._scopes(token)
            context = {key: value for scope in ["", *scopes] for key, value in variables.get(scope, {}).items()}
            roots["item"] = self._item(scopes[-1])
        return {
            **roots,
            "entity": self.facts.entity,
            "actor": self.facts.actor,
            "org": self.facts.org,
            "now": self.facts.now,
            "context": {**context, **also} if also else context,
            "payload": payload if payload is not None else self.board.payload,
        }

    def _scopes(self, token: Token) -> list[str]:
        """The items around a token, the outermost first. An item is named after the token whose loop it is in."""
        found: list[str] = []
        scope = token.scope
        while scope:
            found.append(scope)
            scope = self.board.tokens[scope.rpartition(".")[0]].scope
        return found[::-1]

    def _item(self, scope: str) -> Any:
        owner, _, number = scope.rpartition(".")
        loop = self.board.loops[owner]
        return loop.items[int(number) - loop.first_child]

    def emit(
        self,
        token: str,
        node: CompiledNode,
        status: StepStatus,
        outcome: str | None = None,
        *,
        output: Json = _NOTHING,
        opened: StepRecord | None = None,
        input: Json = _NOTHING,  # noqa: A002 - the name of the column
        error: Json | None = None,
        resume_at: str | None = None,
        event_key: str | None = None,
        join_key: str | None = None,
    ) -> StepRecord:
        """Write one record and apply it."""
        origin, given = self.origins.pop(token, (None, _NOTHING))
        record = StepRecord(
            seq=self.board.seq + 1,
            key=opened.key if opened is not None else self.key(token, node.id),
            node=node.id,
            node_type=node.type,
            token=token,
            entity_version=opened.entity_version if opened is not None else self.facts.entity_version,
            status=status,
            outcome=outcome,
            at=self.at,
            input={**given, **input} if given else input,
            output=output,
            error=error,
            run_as=node.run_as,
            actor=self.facts.actor.get("user_id"),
            resume_at=resume_at,
            event_key=event_key,
            join_key=join_key,
            origin=origin,
        )
        self.steps.append(record)
        self.board.apply(record)
        return record

    def key(self, token: str, node: str) -> str:
        """The key of the step a token would take at a node now (WF-02)."""
        return step_key(self.board.instance, node, token, self.facts.entity_version)

    def open(
        self,
        token: Token,
        status: StepStatus,
        *,
        input: Json = _NOTHING,  # noqa: A002 - the name of the column
        output: Json = _NOTHING,
        resume_at: datetime | None = None,
        event_key: str | None = None,
    ) -> None:
        """The token rests at its node."""
        if input:
            self._take(input)
        resume = None if resume_at is None else moment_text(resume_at)
        node = self.node(token)
        self.emit(token.id, node, status, input=input, output=output, resume_at=resume, event_key=event_key)

    def send(self, token: Token, kind: str, payload: Json, *, awaited: bool) -> None:
        """An effect of the step that the token is about to open or end."""
        self._take(payload)
        step = self.key(token.id, token.node)
        key = effect_key(step, kind, payload)
        self.effects.append(Effect(kind, key, step, token.node, token.id, payload, awaited))

    def end(
        self,
        token: Token,
        outcome: str,
        *,
        at: CompiledNode | None = None,
        output: Json = _NOTHING,
        error: Json | None = None,
        payload: Any = None,
        join_key: str | None = None,
    ) -> None:
        """The token's step ends, and the token goes on along the edges that match; without any, the step fails."""
        node = at if at is not None else self.node(token)
        if "set" in output and not self._can_keep(output["set"]):
            output = {name: value for name, value in output.items() if name != "set"}
            message = f"what {node.name} would save is, with the variables there are, more than a process keeps"
            outcome, error = "error", {"code": "WORKFLOW_TOO_MUCH_DATA", "message": message}
        if outcome == "error":
            output, choice = self._choose_on_error(token, node, output, payload, error)
        else:
            try:
                choice = self._choose(token, node, outcome, output, payload)
            except ExpressionError as problem:
                error, outcome = expression_failure(problem), "error"
                output, choice = self._choose_on_error(token, node, output, payload, error)
        evidence: dict[str, Any] = {**output, "chosen_edge_ids": [edge.id for edge in choice.edges]}
        if choice.expressions:
            evidence["expressions"] = [*output.get("expressions", ()), *self._kept(choice.expressions)]
        problem_found = error if outcome == "error" else None
        if not choice.edges:
            problem_found = problem_found or self._no_edge(node, outcome)
        elif self._circles(token, choice):
            problem_found = {
                "code": "WORKFLOW_ENDLESS_LOOP",
                "message": f"{node.name} led back {MAX_ROUNDS} times without anything to wait for",
            }
            evidence["chosen_edge_ids"] = []
        failed = not evidence["chosen_edge_ids"]
        self.emit(
            token.id,
            node,
            "failed" if failed else "completed",
            outcome,
            output=evidence,
            opened=token.step if token.state in ("waiting", "looping") else None,
            error=problem_found,
            join_key=join_key,
        )
        if failed:
            self.failed.append(token.id)

    def _take(self, value: Any) -> None:
        """Raise `ExpressionError` for what is more than one advance may make."""
        if not self._room.take(value):
            raise ExpressionError("what this step would be given is more than a process hands on at once")

    def _can_keep(self, saved: Any) -> bool:
        if not self._variables_counted:
            self._variables_counted = True
            self._room.take(self.board.variables)
        return self._room.take(saved)

    def _kept(self, traces: Sequence[Json]) -> Sequence[Json]:
        """Traces of conditions as the record keeps them: of very many, not every value that was read."""
        if len(traces) <= _FEW_TRACES:
            return traces
        return [each if self._room.take(each) else {**each, "variables": {}, "because": ""} for each in traces]

    def _choose(
        self, token: Token, node: CompiledNode, outcome: str, output: Json, payload: Any, code: str | None = None
    ) -> Choice:
        return self.reader.choose(node, outcome, self.roots(token, payload, output.get("set", _NOTHING)), code)

    def _choose_on_error(
        self, token: Token, node: CompiledNode, output: Json, payload: Any, error: Json | None
    ) -> tuple[Json, Choice]:
        """Where an error leads; a step that would have saved its result saves what went wrong in its place."""
        told = {name: (error or _NOTHING).get(name) for name in ("code", "message")}
        if node.config.get("save_as"):
            output = {**output, "set": {node.config["save_as"]: {"error": told}}}
        try:
            return output, self._choose(token, node, "error", output, payload, str(told["code"]))
        except ExpressionError:
            return output, Choice((), ())

    def _no_edge(self, node: CompiledNode, outcome: str) -> Json:
        if outcome == "error":
            return {"code": "WORKFLOW_STEP_FAILED", "message": f"{node.name} failed"}
        return {
            "code": "WORKFLOW_NO_EDGE",
            "message": f"{node.name} ended with {outcome!r}, and no edge that leaves it matches",
        }

    def _circles(self, token: Token, choice: Choice) -> bool:
        edge = choice.edges[0]
        if not edge.returns:
            return False
        crossing = (edge.id, first_round(token.id))
        self._crossed[crossing] += 1
        return self._crossed[crossing] > MAX_ROUNDS

    def cancel(self, token: Token, reason: str) -> None:
        """Cancel a token and everything born from it, the youngest first: one row for each."""
        for child in list(self.board.kids.get(token.id, ())):
            self.cancel(self.board.tokens[child], reason)
        token = self.board.tokens[token.id]
        if token.state == "failed":
            return  # Its failed row is its last; it goes when what it belonged to goes.
        place = token.node
        if token.state == "split":
            place = self.board.forks[token.id].join
        node = self.workflow.nodes_by_id[place]
        record = self.emit(token.id, node, "cancelled", output={"reason": reason}, opened=token.step)
        # What was asked for earlier in this very turn has not left yet, and must not.
        self.effects = [effect for effect in self.effects if effect.step != record.key]

    def cancel_all(self, reason: str) -> None:
        """Cancel every token that is alive."""
        for token in list(self.board.tokens.values()):
            if token.id in self.board.tokens:
                self.cancel(token, reason)
