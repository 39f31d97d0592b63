"""Expressions as an editor works with them: check, complete, format, and try one on a document.

All of it is for the place where the expression stands: a document type and version of its skeleton, what steps before
it save (`variables`), and inside of a `for_each` the list it goes over (`item_of`). Everything is bounded: texts by the
language, samples by their size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from holdfast.documents.facts import actor_facts, org_facts
from holdfast.envelope.expressions import (
    MAX_LENGTH,
    Completion,
    Kind,
    Payload,
    Problem,
    Scope,
    Template,
    check,
    compile_expression,
    complete,
    format_expression,
    parse,
)
from holdfast.envelope.expressions.kinds import ANY
from holdfast.errors import CanonicalError, ExpressionError, InvalidInput
from holdfast.kernel.json import parse_json
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.definitions.budget import check_size, computed
from holdfast.processes.definitions.shelf import Shelf

__all__ = ["Expected", "ExpressionCheck", "ExpressionPlace", "Expressions", "Holds", "Tried"]

Holds = Literal["expression", "template", "payload"]
"""What a text is: an expression, a text with expressions in braces, or JSON with `$expr` in it."""
Expected = Literal["boolean", "list", "text", "number", "date-time", "people", "any"]
"""What a place needs, as the `x-type` of its field says."""
_KINDS = {"boolean": Kind.BOOLEAN, "list": Kind.LIST, "text": Kind.TEXT, "number": Kind.NUMBER}
_MOST_VARIABLES = 500


@dataclass(frozen=True, slots=True)
class ExpressionPlace:
    """Where an expression stands. Without a type nothing is known of what it reads, and every field is allowed."""

    entity_type: str | None = None
    version: int | None = None
    """Of the skeleton; the newest without."""
    variables: Sequence[str] = ()
    """What steps save into `context`, beside what the contract lists there."""
    item_of: str | None = None
    """The list of the `for_each` around it, as an expression."""
    event: bool = False
    """Whether it looks at an event that arrives: then `payload` may be read, of which nothing is known."""


@dataclass(frozen=True, slots=True)
class ExpressionCheck:
    """What a check says: whether it can be used, the type of its result, and everything that is wrong or doubtful."""

    ok: bool
    type: str | None
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """What an expression gave on a sample, and why: every variable read, every condition decided, a sentence."""

    ok: bool
    result: Any = None
    because: str | None = None
    variables: Mapping[str, Any] | None = None
    steps: tuple[Mapping[str, Any], ...] = ()
    problem: Problem | None = None
    """What went wrong, when it did."""


class Expressions:
    """Expressions of one tenant's definitions, `hold.definitions.expressions`."""

    def __init__(self, tx: TenantTx, shelf: Shelf) -> None:
        self._tx = tx
        self._shelf = shelf

    async def check(
        self, text: str, place: ExpressionPlace, *, expect: Expected | None = None, holds: Holds = "expression"
    ) -> ExpressionCheck:
        """Everything that is wrong or doubtful about a text."""
        scope = await self._scope(place)
        try:
            if holds == "template":
                found = Template.parse(text).inspect(scope)
            elif holds == "payload":
                found = _payload(text).inspect(scope)
            else:
                found = check(parse(text), scope, expect=_KINDS.get(expect or ""))
        except ExpressionError as error:
            return ExpressionCheck(False, None, _problems(error, text), ())
        return ExpressionCheck(not found.problems, str(found.type), tuple(found.problems), tuple(found.warnings))

    async def complete(self, text: str, cursor: int, place: ExpressionPlace) -> list[Completion]:
        """What can stand at the cursor, best first."""
        return complete(text, cursor, await self._scope(place))

    def format(self, text: str) -> str:
        """The standard form; raises `ExpressionError` when it does not parse."""
        self._tx.require("processes:read")
        return format_expression(text)

    async def try_out(self, text: str, place: ExpressionPlace, **sample: Any) -> Tried:
        """Evaluate it on a sample, with its reasons, as `prepare` takes it."""
        return await computed(await self.prepare(text, place, **sample))

    async def prepare(
        self,
        text: str,
        place: ExpressionPlace,
        *,
        document: Mapping[str, Any],
        actor: Mapping[str, Any] | None = None,
        context: Mapping[str, Any] | None = None,
        payload: Any = None,
        item: Any = None,
        now: datetime | None = None,
        expect: Expected | None = None,
        holds: Holds = "expression",
    ) -> Callable[[], Tried]:
        """What evaluates it on a sample, on any thread. Whoever asks acts, now, unless the sample says else."""
        sample = {"document": document, "actor": actor, "context": context, "payload": payload, "item": item}
        for name, value in sample.items():
            check_size(name, value)
        scope = await self._scope(place)
        roots: dict[str, Any] = {
            "entity": document,
            "actor": {**actor_facts(self._tx.actor), **(actor or {})},
            "org": org_facts(self._tx.tenant),
            "now": now or datetime.now(UTC),
            "context": context or {},
            "payload": payload,
            "item": item,
        }
        kind = _KINDS.get(expect or "")
        return lambda: _tried(text, scope, roots, holds, kind)

    async def _scope(self, place: ExpressionPlace) -> Scope:
        self._tx.require("processes:read")
        if place.entity_type is None:
            scope = Scope.of()
        else:
            scope = (await self._shelf.skeleton(place.entity_type, place.version)).scope()
        if len(place.variables) > _MOST_VARIABLES:
            raise InvalidInput(
                f"{len(place.variables)} variables are given", hint=f"at most {_MOST_VARIABLES}", field="variables"
            )
        context = scope.roots["context"]
        if place.variables and context.kind is Kind.OBJECT:
            saved = {name: ANY for name in place.variables if name not in context.fields}
            scope = scope.having("context", replace(context, fields={**context.fields, **saved}))
        if place.event:
            scope = scope.having("payload", None)
        if place.item_of is not None:
            listed = check(parse(place.item_of), scope).type
            scope = scope.having("item", listed.item())
        return scope


def _tried(text: str, scope: Scope, roots: Mapping[str, Any], holds: Holds, kind: Kind | None) -> Tried:
    try:
        if holds == "template":
            return Tried(True, Template.parse(text).compile(scope).render(roots))
        if holds == "payload":
            return Tried(True, _payload(text).compile(scope).render(roots))
        found = compile_expression(text, scope, expect=kind).trace(roots).to_json()
    except ExpressionError as error:
        problems = _problems(error, text)
        return Tried(False, problem=problems[0], variables=error.details.get("variables"))
    return Tried(True, found["result"], found["because"], found["variables"], tuple(found["steps"]))


def _payload(text: str) -> Payload:
    try:
        given = parse_json(text)
    except CanonicalError as error:
        raise InvalidInput(f"the text is not JSON: {error}", hint="such as an object", field="text") from None
    return Payload.parse(given)


def _problems(error: ExpressionError, text: str) -> tuple[Problem, ...]:
    """What an error carries; one of another shape is about the whole text."""
    known = error.details.get("problems")
    if known:
        return tuple(Problem.of_json(each) for each in known)
    message = str(error.details.get("reason") or error.message)
    return (
        Problem(str(error.details.get("code", "invalid")), message, 0, min(len(text), MAX_LENGTH), text, error.hint),
    )
