"""What-if: past documents replayed through a draft definition, to see which would have gone another way, and why.

The people and systems of the past are taken at their word: what was decided, answered or confirmed at a step is decided
again when the draft comes to that step. At steps the draft has added, the ordinary thing happens (approved, completed)
unless `assume` says otherwise. Nothing is sent and nothing is written.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from holdfast.envelope.compiled import CompiledNode, CompiledWorkflow
from holdfast.envelope.expressions import Scope
from holdfast.envelope.tokens import Facts, Machine, Position, Settled, Started, StepRecord, Token, reasons
from holdfast.envelope.tokens.position import first_round
from holdfast.errors import InvalidInput

__all__ = ["Parting", "PastDocument", "Replay", "Route", "WhatIf", "what_if"]

MAX_ANSWERS: Final = 10_000
"""Answers one document may need; a draft that needs more goes in circles."""
_EPOCH: Final = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class PastDocument:
    """A document of the past and how its process went. Without a history, the definition in force is replayed too."""

    name: str
    document: Mapping[str, Any]
    history: Sequence[StepRecord] = ()
    org: Mapping[str, Any] = field(default_factory=dict)
    actor: Mapping[str, Any] = field(default_factory=lambda: {"user_id": "system", "roles": []})
    payload: Any = None


@dataclass(frozen=True, slots=True)
class Route:
    """The way a document took: the steps that ended, how it ended, and which steps are still open."""

    steps: tuple[tuple[str, str], ...]
    status: str
    doc_status: str | None
    resting_at: tuple[str, ...]

    def visits(self) -> Counter[str]:
        """How often each node was passed."""
        return Counter(node for node, _ in self.steps)


@dataclass(frozen=True, slots=True)
class Parting:
    """The first step where the two ways part: where each led, and why."""

    node: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    before_because: tuple[str, ...]
    after_because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """One document under both definitions."""

    name: str
    before: Route
    after: Route
    parting: Parting | None

    @property
    def changed(self) -> bool:
        """Whether the document would have gone another way."""
        return self.parting is not None or self.before != self.after

    @property
    def added(self) -> tuple[str, ...]:
        """The nodes it would have passed and did not."""
        return tuple(sorted((self.after.visits() - self.before.visits()).keys()))

    @property
    def dropped(self) -> tuple[str, ...]:
        """The nodes it passed and would not have."""
        return tuple(sorted((self.before.visits() - self.after.visits()).keys()))


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The report over all documents."""

    replays: tuple[Replay, ...]

    @property
    def changed(self) -> tuple[Replay, ...]:
        """The documents that would have gone another way."""
        return tuple(replay for replay in self.replays if replay.changed)

    def render(self) -> str:
        """The report as text."""
        lines = [f"{len(self.changed)} of {len(self.replays)} documents would have gone another way."]
        for replay in self.changed:
            lines.append(f"{replay.name}: {_ended(replay.before)} before, {_ended(replay.after)} now")
            if replay.parting is not None:
                lines.extend(_parting_lines(replay.parting))
        return "\n".join(lines)


def what_if(
    before: CompiledWorkflow,
    after: CompiledWorkflow,
    past: Iterable[PastDocument],
    *,
    scope: Scope | None = None,
    assume: Mapping[str, str] | None = None,
) -> WhatIf:
    """Replay every document through `after` and compare. `assume` gives outcomes of steps by node id or node type."""
    machines = Machine(before, scope), Machine(after, scope)
    return WhatIf(tuple(_replay(machines, document, assume or {}) for document in past))


def _replay(machines: tuple[Machine, Machine], past: PastDocument, assume: Mapping[str, str]) -> Replay:
    old, new = machines
    history = list(past.history)
    if not history:
        history, position = _run(old, past, _Answers((), assume))
    else:
        position = old.fold(history, instance="before")
    replayed, reached = _run(new, past, _Answers(history, assume))
    return Replay(
        name=past.name,
        before=_route(history, position),
        after=_route(replayed, reached),
        parting=_parting(old.workflow, history, new.workflow, replayed),
    )


class _Answers:
    """What people and systems said, by node; each answer is given once, in the order they were given.

    A step that was there in the past is answered as often as it was then, a new one once for each token. After that
    nobody answers, and the document rests: a rejection that is assumed does not go round for ever.
    """

    def __init__(self, history: Sequence[StepRecord], assume: Mapping[str, str]) -> None:
        self._assume = assume
        self._given: dict[str, deque[StepRecord]] = {}
        self._assumed: set[tuple[str, str]] = set()
        opened = {record.key for record in history if record.is_open}
        self._known = {record.node for record in history if record.is_open}
        for record in history:
            ended = record.key in opened and record.status in ("completed", "failed")
            if ended and record.node_type != "for_each":
                self._given.setdefault(record.node, deque()).append(record)

    def order(self, token: Token) -> tuple[int, str]:
        """The order in which open steps are answered: as it was, then what is new."""
        given = self._given.get(token.node)
        return (given[0].seq if given else 1 << 62), token.id

    def to(self, workflow: CompiledWorkflow, token: Token) -> Settled | None:
        """The answer to an open step, or None where nobody has answered to this day."""
        node = workflow.nodes_by_id[token.node]
        given = self._given.get(node.id)
        record = given.popleft() if given else None
        # An outcome the draft's step cannot give any more is no answer to it.
        if record is not None and record.outcome in (*node.outcomes, "error"):
            return Settled(
                token=token.id,
                outcome=record.outcome or "completed",
                result=record.output.get("result"),
                error=record.error,
                reason=record.output.get("reason"),
            )
        asked = (node.id, first_round(token.id))
        if node.id in self._known or asked in self._assumed:
            return None
        self._assumed.add(asked)
        assumed = self._assume.get(node.id, self._assume.get(node.type))
        return Settled(token.id, assumed if assumed is not None else _ordinary(workflow, node))


def _ordinary(workflow: CompiledWorkflow, node: CompiledNode) -> str:
    """The outcome that leads onward: the first that is not only a way back."""
    onward = [edge for edge in workflow.outgoing(node.id) if not edge.returns]
    ways = (outcome for outcome in node.outcomes if any(edge.takes(outcome) for edge in onward))
    return next(ways, node.outcomes[0])


def _run(machine: Machine, past: PastDocument, answers: _Answers) -> tuple[list[StepRecord], Position]:
    begun = _begun(past.history)
    facts = Facts(begun, past.document, 1, past.actor, past.org)
    how = next((record.outcome for record in past.history if record.origin == "start"), None)
    done = machine.start("after", facts, Started(how or "created", past.payload))
    steps, position = list(done.steps), done.position
    for _ in range(MAX_ANSWERS):
        answer = _next_answer(machine.workflow, position, answers)
        if answer is None:
            return steps, position
        node = machine.workflow.nodes_by_id[position.tokens[answer.token].node]
        done = machine.advance(position, answer, _as_allowed(facts, node, answer.outcome))
        if done.result != "advanced":
            return steps, position
        steps.extend(done.steps)
        position = done.position
    raise InvalidInput(f"{past.name} goes in circles", hint=f"{MAX_ANSWERS} steps were answered without an end")


def _begun(history: Sequence[StepRecord]) -> datetime:
    return datetime.fromisoformat(history[0].at) if history else _EPOCH


def _next_answer(workflow: CompiledWorkflow, position: Position, answers: _Answers) -> Settled | None:
    open_ = sorted((token for token in position.tokens.values() if token.state == "waiting"), key=answers.order)
    for token in open_:
        answer = answers.to(workflow, token)
        if answer is not None:
            return answer
    return None


def _as_allowed(facts: Facts, node: CompiledNode, outcome: str) -> Facts:
    """Whoever acted was allowed to: a replay asks where the document goes, not who may move it."""
    needed = node.config.get("roles", ())
    if isinstance(needed, Mapping):
        needed = needed.get(outcome, ())
    roles = {*facts.actor.get("roles", ()), *needed, *node.config.get("refusal_roles", {}).get(outcome, ())}
    actor = {**facts.actor, "roles": sorted(roles)}
    return Facts(facts.now, facts.entity, facts.entity_version, actor, facts.org)


def _route(history: Iterable[StepRecord], position: Position) -> Route:
    steps = tuple(
        sorted(
            (record.node, record.outcome or record.status)
            for record in history
            if not record.is_open and record.outcome != "arrived" and record.node_type != "attachment"
        )
    )
    resting = sorted(token.node for token in position.tokens.values() if token.state in ("waiting", "failed"))
    return Route(steps, position.status, position.doc_status, tuple(resting))


def _parting(
    before: CompiledWorkflow, history: Sequence[StepRecord], after: CompiledWorkflow, replayed: Sequence[StepRecord]
) -> Parting | None:
    """The first step of the past from which the draft leads elsewhere."""
    theirs: dict[str, deque[_Way]] = {}
    for way in _ways(after, replayed):
        theirs.setdefault(way.node, deque()).append(way)
    for way in _ways(before, history):
        waiting = theirs.get(way.node)
        if waiting:
            other = waiting.popleft()
            if other.targets != way.targets:
                return Parting(way.node, way.targets, other.targets, way.because, other.because)
    return None


@dataclass(frozen=True, slots=True)
class _Way:
    node: str
    targets: tuple[str, ...]
    because: tuple[str, ...]


def _ways(workflow: CompiledWorkflow, history: Sequence[StepRecord]) -> Iterator[_Way]:
    why: dict[int, list[str]] = {}
    for reason in reasons(workflow, history):
        why.setdefault(reason.seq, []).append(reason.because)
    for record in history:
        if record.seq in why:
            targets = tuple(workflow.edges_by_id[edge].target for edge in record.chosen_edge_ids)
            yield _Way(record.node, targets, tuple(dict.fromkeys(why[record.seq])))


def _ended(route: Route) -> str:
    if route.status == "running":
        return f"waiting at {', '.join(route.resting_at)}"
    return f"{route.status} as {route.doc_status}" if route.doc_status else route.status


def _parting_lines(parting: Parting) -> Iterator[str]:
    for label, targets, because in (
        ("before", parting.before, parting.before_because),
        ("now", parting.after, parting.after_because),
    ):
        where = ", ".join(targets) or "nowhere"
        yield f"    {parting.node} {label} → {where}: {'; '.join(because)}"
