"""The trace of a simulation: everything that happened, why, and what it did to the document. Also as text.

Each act of the script is one `Entry` with the steps it led to. `Trace.render()` is written for people: one line a
step, with the reason for the edge that was taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from holdfast.envelope.compiled import CompiledWorkflow
from holdfast.envelope.tokens import Effect, Position, Reason, Refusal, StepRecord, Wait, reasons, waits
from holdfast.envelope.windows import EditWindow

__all__ = ["Entry", "Trace"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One act and what came of it."""

    at: datetime
    actor: str
    act: str
    instance: str
    steps: tuple[StepRecord, ...]
    effects: tuple[Effect, ...]
    refusal: Refusal | None
    entity_version: int
    doc_status: str | None
    window: EditWindow
    waiting: tuple[Wait, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """The whole simulation. `histories` holds one history for each instance: an amendment starts another."""

    workflow: CompiledWorkflow
    entries: tuple[Entry, ...]
    histories: Mapping[str, tuple[StepRecord, ...]]
    position: Position
    document: Mapping[str, Any]
    entity_version: int
    amended: tuple[Mapping[str, Any], ...]
    """The documents that were replaced by an amended one, the oldest first."""

    @property
    def status(self) -> str:
        """Whether the process is running, paused, completed, failed or cancelled."""
        return self.position.status

    @property
    def doc_status(self) -> str | None:
        """The state of the document."""
        return self.position.doc_status

    @property
    def steps(self) -> Iterator[StepRecord]:
        """Every record of every instance, in order."""
        return (step for entry in self.entries for step in entry.steps)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """Everything that would have been called or sent, in order."""
        return tuple(effect for entry in self.entries for effect in entry.effects)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """What was not allowed."""
        return tuple(entry.refusal for entry in self.entries if entry.refusal is not None)

    @property
    def path(self) -> tuple[str, ...]:
        """The nodes whose steps ended, in that order, by their short names; attachment points are left out."""
        return tuple(
            short(step.node)
            for step in self.steps
            if not step.is_open
            and step.status != "cancelled"
            and step.outcome != "arrived"
            and step.node_type not in ("attachment", "start", "end")
        )

    @property
    def cancelled(self) -> tuple[str, ...]:
        """The nodes whose steps were cancelled, by their short names."""
        return tuple(short(step.node) for step in self.steps if step.status == "cancelled" and step.origin is None)

    def waiting_at(self) -> tuple[str, ...]:
        """The nodes where tokens rest now, by their short names, sorted."""
        resting = waits(self.workflow, self.position)
        return tuple(sorted(short(wait.node) for wait in resting if wait.kind != "tokens"))

    def reasons(self) -> list[Reason]:
        """Why each edge was taken, over all instances."""
        return [reason for history in self.histories.values() for reason in reasons(self.workflow, history)]

    def why(self, node: str) -> list[str]:
        """Why the edges that left a node were taken; the node may be given by its short name."""
        return [reason.because for reason in self.reasons() if node in (reason.node, short(reason.node))]

    def render(self) -> str:
        """The trace as text."""
        lines: list[str] = []
        for entry in self.entries:
            lines.extend(_entry_lines(self.workflow, entry))
        lines.append(f"In the end the process is {self.status} and the document is {self.doc_status}.")
        return "\n".join(lines)


def short(node: str) -> str:
    """The name an author gave a node: `review` for `usr:slot:main:review`, `draft` for `sys:state:draft`."""
    return node.rsplit(":", 1)[-1]


def _entry_lines(workflow: CompiledWorkflow, entry: Entry) -> Iterator[str]:
    yield f"{entry.at:%Y-%m-%d %H:%M}  {entry.actor}: {entry.act}"
    if entry.refusal is not None:
        yield f"    refused: {entry.refusal.message}"
    because = {(each.seq, each.edge): each.because for each in reasons(workflow, entry.steps)}
    for step in entry.steps:
        if step.node_type == "attachment" and step.status == "completed" and step.outcome == "completed":
            continue
        yield from _step_lines(workflow, step, because)
    for effect in entry.effects:
        yield f"    {effect.token:<10} sends {effect.kind}: {_summary(effect)}"
    for wait in entry.waiting:
        if wait.kind != "tokens":
            yield f"    {wait.token:<10} {wait.name} waits for {wait.text}"
    yield f"    document v{entry.entity_version} is {entry.doc_status}, {entry.window}"


def _step_lines(
    workflow: CompiledWorkflow, step: StepRecord, because: Mapping[tuple[int, str | None], str]
) -> Iterator[str]:
    name = workflow.nodes_by_id[step.node].name
    if step.is_open:
        return
    if step.status == "cancelled":
        yield f"    {step.token:<10} {name} cancelled: {step.output.get('reason')}"
        return
    if step.status == "failed":
        yield f"    {step.token:<10} {name} FAILED: {because.get((step.seq, None), step.outcome)}"
        return
    if not step.chosen_edge_ids:
        yield f"    {step.token:<10} {name}: {step.outcome}"
    for edge in step.chosen_edge_ids:
        target = _onward(workflow, workflow.edges_by_id[edge].target)
        yield f"    {step.token:<10} {name} → {target}: {because[step.seq, edge]}"


def _onward(workflow: CompiledWorkflow, node: str) -> str:
    """The name of the step an edge leads to, past attachment points that have but one way on."""
    while workflow.nodes_by_id[node].type == "attachment" and len(workflow.adjacency[node]) == 1:
        node = workflow.edges_by_id[workflow.adjacency[node][0]].target
    return workflow.nodes_by_id[node].name


def _summary(effect: Effect) -> str:
    payload = effect.payload
    for name in ("action", "rule", "permission", "url", "subject", "title", "run_type", "definition", "type"):
        if payload.get(name):
            return str(payload[name])
    return effect.kind
