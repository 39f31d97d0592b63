"""The step function: from (workflow, position, what just happened, facts) to (records, moves, effects, new position).

`Machine.advance` is pure: it reads no clock, writes nothing and gives the same answer for the same values. The live
engine, the rebuild of a projection, the in-memory store, the simulator and the property tests all call it. A `Machine`
only keeps the workflow's expressions compiled; make one for each compiled workflow and use it for all its instances.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from holdfast.envelope.compiled import CompiledWorkflow
from holdfast.envelope.expressions import Scope
from holdfast.envelope.expressions.values import comparing
from holdfast.envelope.tokens.board import fold
from holdfast.envelope.tokens.entering import drain, enter
from holdfast.envelope.tokens.happenings import (
    Abandoned,
    Cancelled,
    Edited,
    EventArrived,
    Facts,
    Happening,
    Interrupted,
    Retried,
    Settled,
    Started,
    TimePassed,
)
from holdfast.envelope.tokens.position import ROOT, Position, Token, next_round
from holdfast.envelope.tokens.reading import Reader
from holdfast.envelope.tokens.records import Effect, Move, StepRecord
from holdfast.envelope.tokens.settling import Refusal, evidence, lacks_role, may_not, wrong_answer
from holdfast.envelope.tokens.turn import Bound, Turn, moment_text
from holdfast.envelope.windows import EditWindow, strictest
from holdfast.errors import ExpressionError, InvalidInput

__all__ = ["Advance", "Amendment", "Machine", "edit_window"]

Result = Literal["advanced", "ignored", "refused", "amended"]
_PINNED = ("approval", "lifecycle_gate")
_ASKED = (*_PINNED, "task")
MOST_COMPARED_AT_ONCE: Final = 200_000
"""Values that all conditions of one advance together compare one by one: some tenth of a second."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """The document must be replaced by an amended one: the instance is over, and these decisions are void (WF-05)."""

    changed: tuple[str, ...]
    voided: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Advance:
    """What a happening leads to. `ignored` and `refused` write nothing and leave the position as it was."""

    result: Result
    position: Position
    steps: tuple[StepRecord, ...] = ()
    moves: tuple[Move, ...] = ()
    effects: tuple[Effect, ...] = ()
    refusal: Refusal | None = None
    amendment: Amendment | None = None


def edit_window(workflow: CompiledWorkflow, position: Position) -> EditWindow:
    """What may be done to the document now: the strictest window of the nodes where tokens stand.

    When the process is over, the window of the document's state stays in force.
    """
    if position.is_over:
        return workflow.edit_windows.get(f"sys:state:{position.doc_status}", "editable")
    window: EditWindow = "editable"
    for token in position.tokens.values():
        if token.state not in ("split", "looping"):
            window = strictest(window, workflow.edit_windows.get(token.node, "editable"))
            if window == "editable" and workflow.is_stable(token.node):
                window = "amend_only"
    return window


class Machine:
    """The step function of one compiled workflow. `scope` gives the types its expressions were checked with."""

    def __init__(self, workflow: CompiledWorkflow, scope: Scope | None = None) -> None:
        self.workflow = workflow
        self._reader = Reader(workflow, scope)

    def start(self, instance: str, facts: Facts, happening: Started | None = None) -> Advance:
        """Begin a new instance."""
        return self.advance(Position(instance), happening or Started(), facts)

    def fold(self, history: Iterable[StepRecord], *, instance: str = "") -> Position:
        """The position a history leads to."""
        return fold(self.workflow, history, instance=instance)

    def resume(self, position: Position, facts: Facts, bound: Bound | None = None) -> Advance:
        """Let tokens go on that are ready: after a bound, or a history that was cut off in the middle of an advance."""
        with comparing(MOST_COMPARED_AT_ONCE):
            turn = self._turn(position, facts, bound)
            return self._finish(turn, position)

    def advance(self, position: Position, happening: Happening, facts: Facts, bound: Bound | None = None) -> Advance:
        """What the happening leads to; with a bound, no further than that."""
        with comparing(MOST_COMPARED_AT_ONCE):
            return self._advance(position, happening, facts, bound)

    def _advance(self, position: Position, happening: Happening, facts: Facts, bound: Bound | None) -> Advance:
        if isinstance(happening, Started):
            return self._start(position, happening, facts, bound)
        if isinstance(happening, Edited) and position.started:
            return self._edited(position, happening, facts, bound)
        if not position.started or position.is_over:
            return _nothing(position, _ignored("not_running", f"the instance is {position.status}"))
        if facts.entity_version < position.entity_version:
            message = f"the process has seen version {position.entity_version}, not only {facts.entity_version}"
            return _nothing(position, _refused(Refusal("stale_version", message)))
        turn = self._turn(position, facts, bound)
        own = isinstance(happening, Settled) and happening.entity_version == facts.entity_version
        if facts.entity_version > position.entity_version and not own:
            if edit_window(self.workflow, position) != "editable":
                return self._amend(position, (), facts)
            self._repin(turn)
        verdict = self._happen(turn, happening)
        if verdict is not None and not turn.steps:
            return _nothing(position, verdict)
        # When people had to be asked again, that stands, even if the happening itself came to nothing.
        done = self._finish(turn, position)
        return done if verdict is None else replace(done, refusal=verdict.refusal)

    def _turn(self, position: Position, facts: Facts, bound: Bound | None = None) -> Turn:
        return Turn(self.workflow, self._reader, position, facts, bound)

    def _finish(self, turn: Turn, before: Position) -> Advance:
        drain(turn)
        return _advanced(turn, before)

    def _start(self, position: Position, happening: Started, facts: Facts, bound: Bound | None) -> Advance:
        if position.started:
            return _nothing(position, _ignored("already_started", "the instance has begun"))
        node = self.workflow.nodes_by_id[self.workflow.start]
        if happening.how not in node.outcomes:
            ways = ", ".join(node.outcomes)
            raise InvalidInput(f"a process cannot start with {happening.how!r}", hint=f"Use one of {ways}")
        turn = self._turn(position, facts, bound)
        turn.board.payload = happening.payload
        given: dict[str, Any] = {"payload": happening.payload} if happening.payload is not None else {}
        if happening.context:
            given["context"] = dict(happening.context)
        turn.origins[ROOT] = ("start", given)
        turn.end(Token(ROOT, node.id, "ready"), happening.how)
        return self._finish(turn, position)

    def _happen(self, turn: Turn, happening: Happening) -> _Verdict | None:
        match happening:
            case Settled():
                return self._settled(turn, happening)
            case EventArrived():
                return self._event(turn, happening)
            case TimePassed():
                return self._time(turn)
            case Interrupted():
                return self._interrupted(turn, happening)
            case Retried():
                return self._retried(turn, happening)
            case Cancelled():
                self._close(turn, "cancelled", happening.reason)
            case Abandoned():
                self._close(turn, "failed", happening.reason)
        return None

    def _settled(self, turn: Turn, happening: Settled) -> _Verdict | None:
        token = turn.board.tokens.get(happening.token)
        step = token.step if token is not None and token.state == "waiting" else None
        if token is None or step is None or happening.key not in (None, step.key):
            return _ignored("not_open", "the step is not open any more")
        node = turn.node(token)
        if happening.outcome not in (*node.outcomes, "error"):
            known = ", ".join(node.outcomes)
            raise InvalidInput(f"{node.id} cannot end with {happening.outcome!r}", hint=f"It gives {known}")
        refusal = may_not(node, happening, turn.facts.actor) or wrong_answer(node, happening)
        if refusal is not None:
            return _refused(refusal)
        turn.end(
            token,
            happening.outcome,
            output=evidence(node, happening, turn.facts),
            error=happening.error,
            payload=happening.result,
        )
        if happening.entity_version is not None:
            # The step wrote the document while others may be deciding on what it was before (WF-03).
            self._repin(turn, _PINNED)
        return None

    def _event(self, turn: Turn, happening: EventArrived) -> _Verdict | None:
        waiting = [
            token
            for token in turn.board.tokens.values()
            if token.state == "waiting"
            and token.step is not None
            and token.step.event_key == happening.key
            and happening.token in (None, token.id)
        ]
        matched = [token for token in waiting if self._accepts(turn, token, happening.payload)]
        if not matched:
            return _ignored("not_awaited", f"nothing waits for {happening.key}")
        for token in matched:
            # The one before may have ended a join that cancelled this one.
            if turn.board.tokens.get(token.id) is token:
                node = turn.node(token)
                output: dict[str, Any] = {"result": happening.payload}
                if node.config.get("save_as"):
                    output["set"] = {node.config["save_as"]: happening.payload}
                turn.end(token, "completed", output=output, payload=happening.payload)
                drain(turn)
        return None

    def _accepts(self, turn: Turn, token: Token, payload: Any) -> bool:
        node = turn.node(token)
        text = node.config.get("accepts")
        if text is None:
            return True
        try:
            return self._reader.accepts(node, text, turn.roots(token, {} if payload is None else payload))
        except ExpressionError:
            return False  # An event without the fields in question is not the one that is waited for.

    def _time(self, turn: Turn) -> _Verdict | None:
        due = _due(turn.board.tokens.values(), turn.facts.now)
        if not due:
            return _ignored("nothing_due", "no timer and no timeout is due")
        for token in due:
            if turn.board.tokens.get(token.id) is token:
                timer = turn.node(token).type == "wait_timer"
                turn.end(token, "completed" if timer else "timeout")
                drain(turn)
        return None

    def _interrupted(self, turn: Turn, happening: Interrupted) -> _Verdict | None:
        way = self.workflow.interrupts.get(happening.transition)
        if way is None:
            message = f"there is no transition {happening.transition!r} to interrupt with"
            return _refused(Refusal("no_such_transition", message))
        if turn.board.doc_status not in way.from_states:
            states = ", ".join(way.from_states)
            message = f"{happening.transition} is possible from {states}, not from {turn.board.doc_status}"
            return _refused(Refusal("wrong_state", message))
        gate = self.workflow.nodes_by_id[way.target]
        refusal = lacks_role(turn.facts.actor, gate.config.get("roles", ()), happening.transition)
        if refusal is not None:
            return _refused(refusal)
        turn.cancel_all(happening.transition)
        born = next_round(turn.board.root)
        turn.origins[born] = ("interrupt", {"transition": happening.transition, "reason": happening.reason})
        enter(turn, Token(born, way.target, "ready"))
        return None

    def _retried(self, turn: Turn, happening: Retried) -> _Verdict | None:
        failed = turn.board.tokens.get(happening.token)
        if failed is None or failed.state != "failed":
            return _ignored("not_failed", "the step has not failed")
        born = failed._replace(id=next_round(failed.id), state="ready", step=None, children=0)
        turn.origins[born.id] = ("retry", {"retry_of": failed.id})
        enter(turn, born)
        return None

    def _close(self, turn: Turn, status: str, reason: str, **also: Any) -> None:
        turn.cancel_all(reason)
        end = self.workflow.nodes_by_id[self.workflow.end]
        turn.origins[turn.board.root] = ("close", {})
        output = {"instance": status, "reason": reason, "chosen_edge_ids": [], **also}
        turn.emit(turn.board.root, end, "cancelled", output=output)

    def _edited(self, position: Position, happening: Edited, facts: Facts, bound: Bound | None) -> Advance:
        # Told twice, an edit must not ask people twice or amend twice.
        if position.reason == "amended" or (not position.is_over and facts.entity_version <= position.entity_version):
            return _nothing(position, _ignored("edit_known", f"version {facts.entity_version} is known already"))
        window = edit_window(self.workflow, position)
        if window == "locked":
            message = f"the document cannot be edited while it is {position.doc_status}"
            return _nothing(position, _refused(Refusal("edit_locked", message)))
        if window == "amend_only":
            return self._amend(position, tuple(happening.changed), facts)
        turn = self._turn(position, facts, bound)
        self._repin(turn)
        return self._finish(turn, position)

    def _amend(self, position: Position, changed: tuple[str, ...], facts: Facts) -> Advance:
        voided = tuple(each.step for each in position.decisions)
        if position.is_over:
            return Advance("amended", position, amendment=Amendment(changed, voided))
        # The rows belong to the version the process was about; the new one gets a process of its own.
        turn = self._turn(position, replace(facts, entity_version=position.entity_version))
        self._close(turn, "cancelled", "amended", changed=list(changed), voided=list(voided))
        done = _advanced(turn, position)
        return replace(done, result="amended", amendment=Amendment(changed, voided))

    def _repin(self, turn: Turn, types: tuple[str, ...] = _ASKED) -> None:
        """Ask again about the new version whoever was asked about the old one; answers to that come too late."""
        for token in list(turn.board.tokens.values()):
            node = turn.node(token)
            asked = token.step.entity_version if token.state == "waiting" and token.step is not None else None
            if node.type in types and asked is not None and asked < turn.facts.entity_version:
                output = {"reason": "the document has changed"}
                turn.emit(token.id, node, "cancelled", "repinned", output=output, opened=token.step)


def _advanced(turn: Turn, before: Position) -> Advance:
    if not turn.steps:
        return Advance("advanced", before)
    return Advance("advanced", turn.board.freeze(), tuple(turn.steps), tuple(turn.moves), tuple(turn.effects))


class _Verdict(NamedTuple):
    """A happening that leads to nothing, and why."""

    result: Result
    refusal: Refusal


def _ignored(code: str, message: str) -> _Verdict:
    return _Verdict("ignored", Refusal(code, message))


def _refused(refusal: Refusal) -> _Verdict:
    return _Verdict("refused", refusal)


def _nothing(position: Position, verdict: _Verdict) -> Advance:
    return Advance(verdict.result, position, refusal=verdict.refusal)


def _due(tokens: Iterable[Token], now: datetime) -> list[Token]:
    moment = moment_text(now)
    found = [
        (token.step.resume_at, token.id, token)
        for token in tokens
        if token.state == "waiting" and token.step is not None and token.step.resume_at is not None
    ]
    return [token for resume, _, token in sorted(found, key=lambda each: each[:2]) if resume <= moment]
