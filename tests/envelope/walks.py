"""Random walks through a compiled workflow: at every stop one of the things that may happen does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from envelope.strategies import DOCUMENT, SAMPLE, cases, draw_patch
from holdfast.envelope import (
    Contract,
    OrgWorkflowDefinition,
    Skeleton,
    automation_skeleton,
    compile_effective,
    generate_skeleton,
)
from holdfast.envelope.tokens import (
    Advance,
    Edited,
    EventArrived,
    Facts,
    Happening,
    Interrupted,
    Machine,
    Position,
    Retried,
    Settled,
    StepRecord,
    TimePassed,
    options,
)

AUTOMATION = automation_skeleton("thing", document=DOCUMENT)
STANDARD = generate_skeleton(Contract(entity_type="thing", document=DOCUMENT))

choices = st.lists(st.integers(0, 1 << 16), min_size=15, max_size=60)
"""What happens at each stop of a walk: one number picks one of the things that may happen."""

START = datetime(2026, 1, 1, tzinfo=UTC)
ACTOR = {"user_id": "ana", "roles": ["boss", "clerk"]}


@dataclass(frozen=True)
class Stride:
    """One happening of a walk, with the position before it and the whole history after it."""

    happening: Happening | None
    before: Position
    done: Advance
    history: list[StepRecord]
    facts: Facts


@st.composite
def flows(draw: st.DrawFn) -> tuple[Skeleton, OrgWorkflowDefinition]:
    """A definition with much going on: large patches in one slot, now and then any contract and any slots."""
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return draw(cases())
    skeleton, slot = (AUTOMATION, "slot:main") if kind < 7 else (STANDARD, "slot:submitted_to_approved")
    patch = draw_patch(draw, depth=draw(st.integers(1, 4)), bodies=2)
    base = {"entity_type": skeleton.entity_type, "envelope_version": skeleton.version}
    return skeleton, OrgWorkflowDefinition.read({"base_ref": base, "slots": {slot: patch}})


def machine_of(case: tuple[Skeleton, OrgWorkflowDefinition]) -> Machine:
    skeleton, definition = case
    return Machine(compile_effective(skeleton, definition), skeleton.scope())


def walk(machine: Machine, picks: Sequence[int]) -> Iterator[Stride]:
    """Start an instance and let one thing happen for each choice, until it is over."""
    facts = Facts(START, SAMPLE, 1, ACTOR, {})
    done = machine.start("walk", facts)
    history = list(done.steps)
    yield Stride(None, Position("walk"), done, history, facts)
    for pick in picks:
        before = done.position
        if before.is_over:
            return
        # Edits and interruptions tend to end a walk, so they are kept for now and then.
        possible = list(happenings(machine, before, rare=pick % 16 == 0))
        happening, moved = possible[pick // 16 % len(possible)]
        version = max(facts.entity_version, before.entity_version)
        if isinstance(happening, Edited) or pick % 64 == 1:
            version += 1  # Somebody edits the document; now and then nobody says so.
        elif isinstance(happening, Settled) and pick % 8 == 2:
            version += 1  # The step itself has written the document.
            happening = replace(happening, entity_version=version)
        facts = replace(facts, now=max(facts.now, moved), entity_version=version)
        done = machine.advance(before, happening, facts)
        history = [*history, *done.steps]
        yield Stride(happening, before, done, history, facts)


def happenings(machine: Machine, position: Position, *, rare: bool) -> Iterator[tuple[Happening, datetime]]:
    """Everything that may happen now, and the moment it happens at the earliest."""
    for option in options(machine.workflow, position):
        if option.token is None:
            if rare:
                yield Interrupted(option.outcome), START
        elif option.outcome == "retry":
            yield Retried(option.token), START
        else:
            yield Settled(option.token, option.outcome, _result(machine, option.node)), START
    for token in position.tokens.values():
        if token.state == "waiting" and token.step is not None:
            if token.step.event_key is not None:
                yield EventArrived(token.step.event_key, {"paid": True}), START
            if token.step.resume_at is not None:
                yield TimePassed(), datetime.fromisoformat(token.step.resume_at) + timedelta(seconds=1)
    if rare:
        yield Edited(("total",)), START


def _result(machine: Machine, node: str) -> Any:
    return {} if machine.workflow.nodes_by_id[node].type == "task" else {"ok": True}
