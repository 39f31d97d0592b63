"""Replaying: what once befell a process, told from its history, happens to another workflow.

A history is read as a list of causes: answers to open steps, transitions that interrupted it, edits, retries, and its
end by hand. Everything else in it followed, and is left to the workflow. Each cause keeps its moment, its actor and the
version the document had, so the same workflow comes to the same history.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from holdfast.envelope.compiled import CompiledNode, CompiledWorkflow
from holdfast.envelope.expressions.tracing import to_plain
from holdfast.envelope.tokens import (
    Abandoned,
    Advance,
    Cancelled,
    Edited,
    Facts,
    Happening,
    Interrupted,
    Machine,
    Position,
    Retried,
    Settled,
    Started,
    StepRecord,
    Token,
)
from holdfast.envelope.tokens.position import first_round
from holdfast.errors import InvalidInput

__all__ = ["PastDocument", "replayed"]

MAX_ANSWERS: Final = 10_000
"""Answers one document may need; a workflow that needs more goes in circles."""
_EPOCH: Final = datetime(2026, 1, 1, tzinfo=UTC)
_LAST: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class PastDocument:
    """A document of the past and how its process went. Without a history, the definition in force is replayed too.

    `versions` are its contents by version where it was edited on the way, `people` the facts of those who acted, by
    name. What is not given is taken from `document` and `actor`.
    """

    name: str
    document: Mapping[str, Any]
    history: Sequence[StepRecord] = ()
    org: Mapping[str, Any] = field(default_factory=dict)
    actor: Mapping[str, Any] = field(default_factory=lambda: {"user_id": "system", "roles": []})
    payload: Any = None
    versions: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    people: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def facts(self, moment: datetime, version: int, by: str | None) -> Facts:
        """The world when somebody acted."""
        actor = self.people.get(by or "") or (self.actor if by is None else {**self.actor, "user_id": by})
        return Facts(moment, self.versions.get(version, self.document), version, actor, self.org)


@dataclass(frozen=True, slots=True)
class _Cause:
    """A record that followed from no other, and the version the document had."""

    record: StepRecord
    version: int
    read: Mapping[str, Any]
    """What expressions read while it had its effects: of the acting person and the organisation as they were."""

    @property
    def seq(self) -> int:
        return self.record.seq

    @property
    def at(self) -> datetime:
        return datetime.fromisoformat(self.record.at)


def replayed(
    machine: Machine, past: PastDocument, history: Sequence[StepRecord], assume: Mapping[str, str]
) -> tuple[list[StepRecord], Position]:
    """What a history leads to in a workflow. `assume` gives outcomes of steps it does not know, by node id or type."""
    return _Replay(machine, past, history, assume).run()


class _Replay:
    """One document on its way through one workflow."""

    def __init__(
        self, machine: Machine, past: PastDocument, history: Sequence[StepRecord], assume: Mapping[str, str]
    ) -> None:
        self._machine = machine
        self._past = past
        self._assume = assume
        self._assumed: set[tuple[str, str]] = set()
        self._known = {record.node for record in history if record.is_open}
        self._given: dict[str, deque[_Cause]] = {}
        self._others: deque[_Cause] = deque()
        self._start = next((record for record in history if record.origin == "start"), None)
        causes = list(_causes(history))
        self._read_at_start = _read(history, 0, min((cause.seq for cause, _ in causes), default=_LAST))
        for cause, is_answer in causes:
            if is_answer:
                self._given.setdefault(cause.record.node, deque()).append(cause)
            else:
                self._others.append(cause)
        self._steps: list[StepRecord] = []
        self._position = Position("after")
        self._at = _EPOCH if not history else datetime.fromisoformat(history[0].at)

    def run(self) -> tuple[list[StepRecord], Position]:
        start = self._start
        given = start.input if start is not None else {}
        begun = Started(
            (start.outcome if start is not None else None) or "created",
            given.get("payload", self._past.payload),
            given.get("context", {}),
        )
        version = start.entity_version if start is not None else 1
        by = start.actor if start is not None else None
        facts = _as_read(self._past.facts(self._at, version, by), self._read_at_start)
        self._take(self._machine.advance(self._position, begun, facts))
        for _ in range(MAX_ANSWERS):
            if not self._next():
                return self._steps, self._position
        raise InvalidInput(
            f"{self._past.name} goes in circles", hint=f"{MAX_ANSWERS} steps were answered without an end"
        )

    def _next(self) -> bool:
        """Let the next thing happen: as it was, then what is new, then what befell the whole process."""
        waiting = [token for token in self._position.tokens.values() if token.state == "waiting"]
        other = self._others[0].seq if self._others else _LAST
        for token in sorted(waiting, key=self._order):
            if self._order(token)[0] < other and self._answer(token):
                return True
        for token in sorted(waiting, key=lambda each: each.id):
            if self._given.get(token.node) or not self._is_new(token):
                continue
            node = self._machine.workflow.nodes_by_id[token.node]
            self._assumed.add((node.id, first_round(token.id)))
            named = self._assume.get(node.id, self._assume.get(node.type))
            outcome = named if named is not None else _ordinary(self._machine.workflow, node)
            facts = self._past.facts(self._at, max(1, self._position.entity_version), None)
            return self._happen(Settled(token.id, outcome), facts, node, outcome)
        if not self._others:
            return False
        self._befall(self._others.popleft())
        return True

    def _order(self, token: Token) -> tuple[int, str]:
        given = self._given.get(token.node)
        return (given[0].seq if given else _LAST), token.id

    def _is_new(self, token: Token) -> bool:
        """Whether the past says nothing of a step. It is answered once for each token, and then the document rests:
        a rejection that is assumed does not go round for ever."""
        return token.node not in self._known and (token.node, first_round(token.id)) not in self._assumed

    def _answer(self, token: Token) -> bool:
        given = self._given.get(token.node)
        if not given:
            return False
        cause = given.popleft()
        record, node = cause.record, self._machine.workflow.nodes_by_id[token.node]
        # An outcome the workflow's step cannot give any more is no answer to it.
        if record.outcome not in (*node.outcomes, "error"):
            return True
        own = record.output.get("entity_version")
        settled = Settled(
            token=token.id,
            outcome=record.outcome or "completed",
            result=record.output.get("result"),
            error=record.error,
            reason=record.output.get("reason"),
            entity_version=None if own is None else max(own, self._position.entity_version),
        )
        return self._happen(settled, self._facts(cause), node, settled.outcome)

    def _befall(self, cause: _Cause) -> None:
        """What was not an answer to a step."""
        record, facts = cause.record, self._facts(cause)
        match record.origin:
            case "interrupt":
                transition = record.input["transition"]
                way = self._machine.workflow.interrupts.get(transition)
                node = None if way is None else self._machine.workflow.nodes_by_id[way.target]
                self._happen(Interrupted(transition, record.input.get("reason")), facts, node, transition)
            case "retry":
                failed = [token for token in self._position.tokens.values() if token.state == "failed"]
                same = [token for token in failed if token.id == record.input["retry_of"]]
                for token in (same or [token for token in failed if token.node == record.node])[:1]:
                    self._happen(Retried(token.id), facts)
            case "close":
                reason = str(record.output.get("reason"))
                if reason == "amended":
                    facts = replace(facts, entity_version=self._position.entity_version + 1)
                    self._happen(Edited(tuple(record.output.get("changed", ()))), facts)
                elif record.output["instance"] == "failed":
                    self._happen(Abandoned(reason), facts)
                else:
                    self._happen(Cancelled(reason), facts)
            case _:
                self._happen(Edited(), facts)

    def _facts(self, cause: _Cause) -> Facts:
        self._at = cause.at
        version = max(cause.version, self._position.entity_version)
        return _as_read(self._past.facts(cause.at, version, cause.record.actor), cause.read)

    def _happen(
        self, happening: Happening, facts: Facts, node: CompiledNode | None = None, outcome: str | None = None
    ) -> bool:
        if node is not None and outcome is not None:
            facts = _as_allowed(facts, node, outcome)
        self._take(self._machine.advance(self._position, happening, facts))
        return True

    def _take(self, done: Advance) -> None:
        self._steps.extend(done.steps)
        self._position = done.position


def _causes(history: Sequence[StepRecord]) -> Iterator[tuple[_Cause, bool]]:
    """The causes of a history in their order, each with whether it is the answer to an open step."""
    opened = {record.key for record in history if record.is_open}
    found: list[tuple[StepRecord, bool]] = []
    owned = False
    """Whether what comes now follows from a step that wrote the document: it asks people again by itself."""
    for record in history:
        answer = record.key in opened and record.status in ("completed", "failed") and record.node_type != "for_each"
        repinned = record.outcome == "repinned" and not owned
        if answer or repinned or record.origin in ("interrupt", "retry", "close"):
            twice = repinned and found and found[-1][0].outcome == "repinned" and found[-1][0].seq == record.seq - 1
            if not twice:
                found.append((record, answer))
            owned = answer and "entity_version" in record.output
    ends = [*(record.seq for record, _ in found[1:]), _LAST]
    for (record, answer), end in zip(found, ends, strict=False):
        # Records that follow carry the version; the end of an open step carries the one it was opened with.
        fresh = [each for each in history if record.seq < each.seq < end and (each.is_open or each.key not in opened)]
        versions = [each.entity_version for each in fresh if each.status != "cancelled"]
        own = record.output.get("entity_version", record.entity_version if record.origin is not None else 1)
        yield _Cause(record, max([own, *versions]), _read(history, record.seq, end)), answer


def _read(history: Iterable[StepRecord], begin: int, end: int) -> dict[str, Any]:
    """The variables that expressions read from one cause until the next."""
    traces = (
        trace
        for record in history
        if begin <= record.seq < end
        for trace in (*record.output.get("expressions", ()), record.error or {})
    )
    return {name: value for trace in traces for name, value in (trace.get("variables") or {}).items()}


def _as_read(facts: Facts, read: Mapping[str, Any]) -> Facts:
    """The facts with what is known of the acting person and the organisation as they were: both change afterwards."""
    return replace(facts, actor=_overlaid(facts.actor, "actor", read), org=_overlaid(facts.org, "org", read))


def _overlaid(known: Mapping[str, Any], root: str, read: Mapping[str, Any]) -> Mapping[str, Any]:
    found = dict(known)
    for name, value in read.items():
        first, _, path = name.partition(".")
        if first == root and path.isidentifier() and to_plain(found.get(path)) != value:
            found[path] = value
    return found


def _ordinary(workflow: CompiledWorkflow, node: CompiledNode) -> str:
    """The outcome that leads onward: the first that is not only a way back."""
    onward = [edge for edge in workflow.outgoing(node.id) if not edge.returns]
    ways = (outcome for outcome in node.outcomes if any(edge.takes(outcome) for edge in onward))
    return next(ways, node.outcomes[0])


def _as_allowed(facts: Facts, node: CompiledNode, outcome: str) -> Facts:
    """Whoever acted was allowed to: a replay asks where the document goes, not who may move it."""
    needed = node.config.get("roles", ())
    if isinstance(needed, Mapping):
        needed = needed.get(outcome, ())
    roles = {*facts.actor.get("roles", ()), *needed, *node.config.get("refusal_roles", {}).get(outcome, ())}
    return replace(facts, actor={**facts.actor, "roles": sorted(roles)})
