"""People in a simulation: who is asked out of a world, and what they decide. The rules are the engine's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from holdfast.envelope.compiled import CompiledNode
from holdfast.envelope.expressions import compile_expression
from holdfast.envelope.people import (
    ChainFailed,
    Terms,
    find_people,
    is_asked,
    needs_reason,
    outcome_of,
    reached,
    stages_that_apply,
    terms_of,
    too_few,
    voters,
)
from holdfast.envelope.simulate.world import Person, World
from holdfast.envelope.tokens import Barred, Effect, Facts, Refusal, Vote, barred
from holdfast.envelope.tokens.reading import people

__all__ = ["Failure", "Question", "Questions"]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why nobody can be asked: the error with which the step ends."""

    code: str
    message: str

    def to_json(self) -> dict[str, Any]:
        """As a step keeps it."""
        return {"code": self.code, "message": self.message}


@dataclass(slots=True)
class Question:
    """One question to people; with a chain, the stage that is asked."""

    terms: Terms
    barred: frozenset[str]
    required: str = "any"
    principals: Sequence[str] = ()
    later: list[Mapping[str, Any]] = field(default_factory=list)
    """The stages still to come."""
    votes: dict[str, str] = field(default_factory=dict)
    branches: Mapping[str, int] = field(default_factory=dict)
    in_parallel: bool = False
    cast: list[Vote] = field(default_factory=list)
    """Every vote on it, of all its stages; none once the document was changed."""


class Questions:
    """The questions of a simulation, by the key of their step."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._asked: dict[str, Question] = {}
        self._turns: dict[str, str] = {}

    def __getitem__(self, step: str) -> Question:
        return self._asked[step]

    def people_asked(self, step: str) -> tuple[str, ...]:
        """Who may answer what a step asks now, by name; nobody for a step that asks nothing."""
        question = self._asked.get(step)
        if question is None:
            return ()
        named = [name.removeprefix("user:") for name in question.principals if name.startswith("user:")]
        roles = [name.removeprefix("role:") for name in question.principals if name.startswith("role:")]
        named += [name for role in roles for name in self._world.holders(role)]
        return tuple(name for name in dict.fromkeys(named) if name not in question.barred)

    def ask(self, node: CompiledNode, effect: Effect, facts: Facts, makers: frozenset[str]) -> Failure | None:
        """Ask what a step needs of people; why nobody can be, if so."""
        terms = terms_of(node, effect)
        question = Question(terms, makers if terms.four_eyes else frozenset(), terms.required)
        question.branches = effect.payload.get("branches") or {}
        question.in_parallel = bool(effect.payload.get("may_decide_in_parallel"))
        given = terms.given
        if terms.chain is not None:
            roots = {"entity": facts.entity, "actor": facts.actor, "org": facts.org, "now": facts.now, "context": {}}
            try:
                stages = stages_that_apply(terms.chain, self._world.chains.get(terms.chain, ()), roots, _evaluated)
            except ChainFailed as problem:
                return Failure(problem.code, str(problem))
            given, question.required = stages[0]["approvers"], str(stages[0].get("required", "any"))
            question.later = list(stages[1:])
        self._asked[effect.step] = question
        return self._find(question, given)

    def decide(
        self, question: Question, person: Person, verdict: str, reason: str | None
    ) -> Refusal | Failure | str | None:
        """A refusal, why the next stage finds nobody, the outcome the step ends with, or None while it stays open."""
        refusal = self.refused(question, person)
        if refusal is not None:
            return refusal
        if needs_reason(verdict) and not (reason or "").strip():
            return Refusal("reason_missing", "a reason is needed")
        if outcome_of(verdict, question.terms.outcomes, question.terms.passes) is None and needs_reason(verdict):
            return Refusal("only_approved", "this can only be approved: no way leads back from here")
        question.votes[person.name] = verdict
        question.cast.append(Vote(person.name, person.name, verdict, question.branches, question.in_parallel))
        roles = [name.removeprefix("role:") for name in question.principals if name.startswith("role:")]
        holders = {name for role in roles for name in self._world.holders(role)}
        names = {*holders, *(each.removeprefix("user:") for each in question.principals)} - set(question.votes)
        out = {name for name in names if self._barred(question, name) is not None}
        asked = voters(question.principals, question.required, holders, out)
        decided = reached(question.required, asked, question.votes)
        if decided is None:
            return None
        if decided == "approved" and question.later:
            stage = question.later.pop(0)
            question.votes, question.required = {}, str(stage.get("required", "any"))
            return self._find(question, stage["approvers"])
        return outcome_of(decided, question.terms.outcomes, question.terms.passes)

    def refused(self, question: Question, person: Person) -> Refusal | None:
        """Why somebody may not answer."""
        name = person.name
        found = self._barred(question, name)
        if found is not None:
            return Refusal(found.code, found.message)
        if name in question.votes:
            return Refusal("already_decided", f"{name} has decided on this already")
        if not is_asked(question.principals, name, person.roles):
            asked = ", ".join(each.removeprefix("user:") for each in question.principals)
            return Refusal("not_asked", f"{name} is not asked: only {asked}")
        return None

    def void(self) -> None:
        """The document was changed: what was decided on it before is void."""
        for question in self._asked.values():
            question.cast.clear()

    def _barred(self, question: Question, name: str) -> Barred | None:
        others = [vote for each in self._asked.values() if each is not question for vote in each.cast]
        return barred(
            [name],
            makers=question.barred,
            four_eyes=True,
            branches=question.branches,
            in_parallel=question.in_parallel,
            votes=others,
        )

    def _find(self, question: Question, given: Sequence[Mapping[str, Any]]) -> Failure | None:
        found, problems = find_people(given, self, question.barred)
        why = too_few(question.required, found, problems, question.barred)
        if why is not None:
            return Failure("NOBODY_TO_ASK", why)
        question.principals = [each.name for each in found]
        for each in found:
            if each.via is not None and each.via.startswith("role:"):
                self._turns[each.via.removeprefix("role:")] = each.name.removeprefix("user:")
        return None

    # ------------------------------------------------------------------------------------------- as a directory

    def is_user(self, name: str) -> bool:
        return self._world.person(name).active

    def manager_of(self, name: str) -> str | None:
        manager = self._world.person(name).manager
        return manager if manager is not None and self.is_user(manager) else None

    def holders(self, role: str) -> Sequence[str]:
        return self._world.holders(role)

    def last_turn(self, role: str) -> str | None:
        return self._turns.get(role)


def _evaluated(given: Sequence[Mapping[str, Any]], roots: Mapping[str, Any]) -> list[Any]:
    return people(given, lambda text: compile_expression(text).evaluate(roots))
