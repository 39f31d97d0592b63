"""The simulator: runs a compiled workflow in memory against a document, a world and a script.

It is a small shell around the same step function the live engine uses: it keeps the document's versions, answers calls,
keeps early events and lets time pass. Who is asked, what their votes come to, what an edit is and which events are kept
follow the rules that the engine follows (`people`, `editing`, `arrivals`). Nothing is sent anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from holdfast.envelope.compiled import CompiledWorkflow
from holdfast.envelope.durations import parse_duration
from holdfast.envelope.editing import amendment_refused, changed_fields, edit_way, way_to_amend
from holdfast.envelope.expressions import Scope
from holdfast.envelope.simulate.acts import (
    Act,
    Arrive,
    Choose,
    Decide,
    Edit,
    Fill,
    Finish,
    Interrupt,
    Pass,
    Retry,
    Stop,
    told,
)
from holdfast.envelope.simulate.people import Failure, Questions
from holdfast.envelope.simulate.trace import Entry, Trace, short
from holdfast.envelope.simulate.world import Answers, Person, World
from holdfast.envelope.tokens import (
    EVENT_TTL,
    Advance,
    Cancelled,
    Edited,
    Effect,
    EventArrived,
    Facts,
    Happening,
    Interrupted,
    Machine,
    Position,
    Refusal,
    Retried,
    Settled,
    Started,
    StepRecord,
    TimePassed,
    Token,
    awaited_keys,
    edit_window,
    makers_of,
    taken_up,
    waits,
)
from holdfast.errors import InvalidInput

__all__ = ["EVENT_TTL", "Simulation", "simulate"]

MAX_CALLS: Final = 10_000
"""Calls one act may lead to; a definition that needs more goes in circles."""


def simulate(
    workflow: CompiledWorkflow,
    document: Mapping[str, Any],
    script: Iterable[Act] = (),
    *,
    world: World | None = None,
    scope: Scope | None = None,
    payload: Any = None,
) -> Trace:
    """Run the whole script and give the trace."""
    simulation = Simulation(workflow, document, world=world, scope=scope, payload=payload)
    for act in script:
        simulation.play(act)
    return simulation.trace()


class Simulation:
    """One document on its way. `play` an act, look at `position`, take the `trace` at any time."""

    def __init__(
        self,
        workflow: CompiledWorkflow,
        document: Mapping[str, Any],
        *,
        world: World | None = None,
        scope: Scope | None = None,
        payload: Any = None,
        machine: Machine | None = None,
    ) -> None:
        self.workflow = workflow
        self.world = world or World()
        self.machine = machine or Machine(workflow, scope)
        self.now: datetime = self.world.start
        self.document: dict[str, Any] = dict(document)
        self.entity_version = 1
        self.position = Position("simulation-1")
        self._actor = self.world.person(self.world.requester)
        self._edits: list[tuple[str | None, bool]] = [(self.world.requester, False)]
        self._choosers: list[str | None] = []
        self._questions = Questions(self.world)
        self._answers = Answers(self.world)
        self._entries: list[Entry] = []
        self._histories: dict[str, list[StepRecord]] = {}
        self._amended: list[Mapping[str, Any]] = []
        self._kept: list[tuple[datetime, EventArrived]] = []
        self._steps: list[StepRecord] = []
        self._effects: list[Effect] = []
        self._advance(Started(payload=payload))
        self._note("the process begins", None)

    def people_asked(self, step: str) -> tuple[str, ...]:
        """Who may answer what the step of a key asks now, by name."""
        return self._questions.people_asked(step)

    @property
    def entries(self) -> Sequence[Entry]:
        """Every act so far and what came of it; the first is the beginning."""
        return self._entries

    def trace(self) -> Trace:
        """What has happened so far."""
        return Trace(
            workflow=self.workflow,
            entries=tuple(self._entries),
            histories={name: tuple(steps) for name, steps in self._histories.items()},
            position=self.position,
            document=dict(self.document),
            entity_version=self.entity_version,
            amended=tuple(self._amended),
        )

    def play(self, act: Act) -> Refusal | None:
        """Let one act happen. A refusal is noted in the trace and given back."""
        self._actor = self.world.person(getattr(act, "by", None))
        refusal = self._play(act)
        self._note(told(act), refusal)
        return refusal

    def _play(self, act: Act) -> Refusal | None:
        match act:
            case Choose():
                return self._choose(act)
            case Decide():
                return self._decide(act)
            case Fill():
                return self._fill(act)
            case Arrive():
                self._arrive(EventArrived(act.key, act.payload))
                return None
            case Pass():
                self._pass(self.now + parse_duration(act.duration))
                return None
            case Edit():
                return self._edit(act)
            case Finish():
                token = self._find(act.at)
                error = None if act.message is None else {"code": "SIMULATED", "message": act.message}
                return self._advance(Settled(token.id, act.outcome, act.result, error)).refusal
            case Interrupt():
                return self._choosing(act.by, Interrupted(act.transition, act.reason))
            case Retry():
                return self._advance(Retried(self._find(act.at, state="failed").id)).refusal
            case Stop():
                return self._advance(Cancelled(act.reason)).refusal

    def _choose(self, act: Choose) -> Refusal | None:
        token = self._find(None, types=("state",))
        return self._choosing(act.by, Settled(token.id, act.transition))

    def _choosing(self, by: str | None, happening: Happening) -> Refusal | None:
        """Somebody chooses a transition; whoever is asked because of it is asked with them as one of its makers."""
        self._choosers.append(by)
        refusal = self._advance(happening).refusal
        if refusal is not None:
            self._choosers.pop()
        return refusal

    def _decide(self, act: Decide) -> Refusal | None:
        token = self._find(act.at, types=("approval", "lifecycle_gate"))
        step = token.step
        assert step is not None
        question = self._questions[step.key]
        decided = self._questions.decide(question, self._actor, act.decision, act.reason)
        if decided is None or isinstance(decided, Refusal):
            return decided
        if isinstance(decided, Failure):
            settled = Settled(token.id, "error", error=decided.to_json(), reason=act.reason, key=step.key)
        else:
            settled = Settled(token.id, decided, {"votes": dict(question.votes)}, reason=act.reason, key=step.key)
        return self._advance(settled).refusal

    def _fill(self, act: Fill) -> Refusal | None:
        token = self._find(act.at, types=("task",))
        assert token.step is not None
        refusal = self._questions.refused(self._questions[token.step.key], self._actor)
        if refusal is not None:
            return refusal
        return self._advance(Settled(token.id, act.button, dict(act.answer))).refusal

    def _arrive(self, event: EventArrived) -> None:
        if self._advance(event).result == "ignored":
            self._kept.append((self.now, event))

    def _pass(self, target: datetime) -> None:
        while (due := self._next_due()) is not None and due <= target:
            self.now = max(self.now, due)
            self._advance(TimePassed())
        self.now = target

    def _next_due(self) -> datetime | None:
        due = [
            datetime.fromisoformat(token.step.resume_at)
            for token in self.position.tokens.values()
            if token.state == "waiting" and token.step is not None and token.step.resume_at is not None
        ]
        return min(due, default=None)

    def _edit(self, act: Edit) -> Refusal | None:
        before, status = dict(self.document), self.position.doc_status
        after = {**before, **act.changes}
        way = edit_way(edit_window(self.workflow, self.position))
        if way == "locked":
            return Refusal("edit_locked", f"the document cannot be edited while it is {status}")
        changed = changed_fields(before, after)
        if not changed:
            return None
        amendment = way_to_amend(self.workflow, status)
        if way == "amend":
            person = self._actor
            refusal = amendment_refused(amendment, status, person.name, None if act.by is None else person.roles)
            if refusal is not None:
                return Refusal(refusal.code, refusal.message)
        self._edits.append((act.by, False))
        self._questions.void()
        if way == "update":
            # Whoever is asked again is asked about what the document has become.
            self.document, self.entity_version = after, self.entity_version + 1
            self._advance(Edited(changed))
            return None
        assert amendment is not None
        self._advance(Edited(changed), entity=after, entity_version=self.entity_version + 1)
        self.document = after
        self._amended.append(before)
        self.entity_version = 1
        self.document["amended_from_id"] = before.get("id", f"document-{len(self._amended)}")
        self.position = Position(f"simulation-{len(self._amended) + 1}")
        self._choosers = []
        self._advance(Started(amendment.to_state))
        return None

    def _advance(
        self, happening: Happening, *, entity: Mapping[str, Any] | None = None, entity_version: int | None = None
    ) -> Advance:
        """One happening, and everything that follows at once: answers to calls, kept events, timers already due."""
        facts = Facts(
            now=self.now,
            entity=self.document if entity is None else entity,
            entity_version=self.entity_version if entity_version is None else entity_version,
            actor=self._actor.as_actor(),
            org=self.world.org,
        )
        done = self.machine.advance(self.position, happening, facts)
        self._take(done)
        todo = list(done.effects)
        for _ in range(MAX_CALLS):
            if todo:
                more = self._answer(todo.pop(0), facts)
            elif (arrived := self._kept_event(self._facts(facts))) is not None:
                more = arrived
            elif (due := self._next_due()) is not None and due <= self.now:
                more = self.machine.advance(self.position, TimePassed(), self._facts(facts))
            else:
                return done
            self._take(more)
            todo.extend(more.effects)
        raise InvalidInput("the definition goes in circles", hint=f"{MAX_CALLS} calls came from one act")

    def _facts(self, facts: Facts) -> Facts:
        return replace(facts, entity=self.document, entity_version=self.entity_version)

    def _take(self, done: Advance) -> None:
        self.position = done.position
        self._steps.extend(done.steps)
        self._effects.extend(done.effects)
        self._histories.setdefault(done.position.instance, []).extend(done.steps)

    def _answer(self, effect: Effect, facts: Facts) -> Advance:
        """What a call comes back with; nothing yet for what the script will answer."""
        quiet = Advance("ignored", self.position)
        if effect.kind in ("approval", "task"):
            node = self.workflow.nodes_by_id[effect.node]
            failure = self._questions.ask(node, effect, self._facts(facts), self._makers())
            if failure is None:
                return quiet
            settled = Settled(effect.token, "error", error=failure.to_json(), key=effect.step)
            return self.machine.advance(self.position, settled, self._facts(facts))
        if not effect.awaited or not (effect.immediate or self.world.confirms):
            return quiet
        answer = self._answers.to(effect.kind, effect.payload, self._acting(effect))
        version = None
        if answer.set:
            self.document.update(answer.set)
            self.entity_version += 1
            version = self.entity_version
        error = None if answer.message is None else {"code": "SIMULATED", "message": answer.message}
        settled = Settled(effect.token, answer.outcome, answer.result, error, key=effect.step, entity_version=version)
        return self.machine.advance(self.position, settled, self._facts(facts))

    def _acting(self, effect: Effect) -> Person | None:
        """As whom a step acts. What nobody caused, such as a timer, has the rights of whoever started the process."""
        match self.workflow.nodes_by_id[effect.node].run_as:
            case "system":
                return None
            case "service_account":
                return self.world.person(str(self.world.org.get("service_account")))
        nobody = self._actor == self.world.person(None)
        return self.world.person(self.world.requester) if nobody else self._actor

    def _makers(self) -> frozenset[str]:
        """Whose eyes do not count: those of everybody who wrote the document or chose a transition of it."""
        return makers_of(self._edits, self._choosers)

    def _kept_event(self, facts: Facts) -> Advance | None:
        """What the oldest kept event leads to that is awaited and accepted."""
        self._kept = [each for each in self._kept if self.now - each[0] <= EVENT_TTL]
        for key in awaited_keys(self.position):
            for index, (_, event) in enumerate(self._kept):
                if event.key != key:
                    continue
                moved = taken_up(self.machine, self.position, key, event.payload, facts)
                if moved is not None:
                    del self._kept[index]
                    return moved
        return None

    def _find(self, at: str | None, *, types: tuple[str, ...] = (), state: str = "waiting") -> Token:
        """The token an act means: the one at the named step, or the only one of these types."""
        found = [
            token
            for token in self.position.tokens.values()
            if token.state == state
            and (at is None or at in (token.id, token.node, short(token.node)))
            and (not types or self.workflow.nodes_by_id[token.node].type in types)
        ]
        if len(found) == 1:
            return found[0]
        open_ = ", ".join(f"{short(wait.node)} ({wait.token})" for wait in waits(self.workflow, self.position))
        what = f"at {at}" if at is not None else f"of type {' or '.join(types) or 'any'}"
        problem = "no open step" if not found else f"{len(found)} open steps"
        raise InvalidInput(f"there is {problem} {what}", hint=f"Open are: {open_ or 'none'}")

    def _note(self, act: str, refusal: Refusal | None) -> None:
        self._entries.append(
            Entry(
                at=self.now,
                actor=self._actor.name,
                act=act,
                instance=self.position.instance,
                steps=tuple(self._steps),
                effects=tuple(self._effects),
                refusal=refusal,
                entity_version=self.entity_version,
                doc_status=self.position.doc_status,
                window=edit_window(self.workflow, self.position),
                waiting=tuple(waits(self.workflow, self.position)),
            )
        )
        self._steps.clear()
        self._effects.clear()
