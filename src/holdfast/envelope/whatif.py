"""What-if: past documents replayed through a draft definition, to see which would have gone another way, and why.

The people and systems of the past are taken at their word: what was decided, answered or confirmed at a step is decided
again when the draft comes to that step, and what was edited, cancelled or tried again is so again. At steps the draft
has added, the ordinary thing happens (approved, completed) unless `assume` says otherwise. Nothing is sent and nothing
is written.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdfast.envelope.compiled import CompiledWorkflow
from holdfast.envelope.expressions import Scope
from holdfast.envelope.replaying import PastDocument, replayed
from holdfast.envelope.tokens import Machine, Position, StepRecord, reasons

__all__ = ["Parting", "PastDocument", "Replay", "Route", "WhatIf", "what_if"]


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
        history, position = replayed(old, past, (), assume)
    else:
        position = old.fold(history, instance="before")
    again, reached = replayed(new, past, history, assume)
    return Replay(
        name=past.name,
        before=_route(history, position),
        after=_route(again, reached),
        parting=_parting(old.workflow, history, new.workflow, again),
    )


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
    before: CompiledWorkflow, history: Sequence[StepRecord], after: CompiledWorkflow, again: Sequence[StepRecord]
) -> Parting | None:
    """The first step of the past from which the draft leads elsewhere."""
    theirs: dict[str, deque[_Way]] = {}
    for way in _ways(after, again):
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
