"""Expressions over HTTP: check, complete, format and try, for the editor of a condition, a template or a payload."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import AwareDatetime, BaseModel, Field

from holdfast.envelope.expressions import MAX_LENGTH, Completion, Problem
from holdfast.http.access import Body
from holdfast.http.acting import acting
from holdfast.http.bodies import body_of, read_body
from holdfast.http.computing import compute
from holdfast.http.conventions import reads
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute, needs
from holdfast.processes.definitions.expressions import Expected, ExpressionPlace, Holds

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}/expressions", tags=["expressions"], route_class=GuardedRoute)
_MOST_TEXT = 10_000
"""Templates may be longer than expressions."""


class Place(Body):
    """Where an expression stands, which says what it may read."""

    entity_type: str | None = Field(None, description="document type or automation; without one, any field is allowed")
    version: int | None = Field(None, ge=1, description="of its skeleton; the newest without")
    variables: list[str] = Field(default_factory=list, max_length=500, description="what steps save into `context`")
    item_of: str | None = Field(None, max_length=MAX_LENGTH, description="the list of the `for_each` around it")
    event: bool = Field(False, description="whether it looks at an event that arrives, as `payload`")

    def value(self) -> ExpressionPlace:
        return ExpressionPlace(self.entity_type, self.version, self.variables, self.item_of, self.event)


class ExpressionToCheck(Body):
    """A text to check."""

    text: str = Field(max_length=_MOST_TEXT)
    place: Place = Field(default_factory=lambda: Place.model_validate({}))
    holds: Holds = Field("expression", description="what the field holds, as its `x-holds` says")
    expect: Expected | None = Field(None, description="what the place needs, as its `x-type` says")


class ExpressionToComplete(Body):
    """A text, and where the cursor stands in it."""

    text: str = Field(max_length=4000)
    cursor: int = Field(ge=0, le=4000)
    place: Place = Field(default_factory=lambda: Place.model_validate({}))


class ExpressionToFormat(Body):
    """A text to write in the standard form."""

    text: str = Field(max_length=_MOST_TEXT)


class ExpressionToTry(ExpressionToCheck):
    """A text, and a sample to try it on: a document that is there, or one that is written here."""

    document_id: UUID | None = None
    document: dict[str, Any] | None = None
    actor: dict[str, Any] | None = Field(None, description="who acts; by default whoever asks")
    context: dict[str, Any] | None = None
    payload: Any = None
    item: Any = None
    now: AwareDatetime | None = None


class ExpressionProblem(BaseModel):
    """What is wrong with a text: between `position` and `end`, with an excerpt and a caret under it."""

    code: str
    message: str
    hint: str | None
    expression: str
    position: int
    end: int
    line: int
    column: int
    excerpt: str
    path: str | None = None


class CheckedExpression(BaseModel):
    """What a check says."""

    ok: bool
    type: str | None = Field(description="of the result, in words")
    problems: list[ExpressionProblem]
    warnings: list[ExpressionProblem]


class FormattedExpression(BaseModel):
    """A text in its standard form."""

    text: str


class DecidedCondition(BaseModel):
    """A part of an expression that was decided."""

    expression: str
    result: Any


class TriedExpression(BaseModel):
    """What a text gave on the sample, and why."""

    ok: bool
    result: Any
    because: str | None = Field(description="in a sentence, such as `true because 12500 > 10000`")
    variables: dict[str, Any] | None = Field(description="every variable that was read, with its value")
    steps: list[DecidedCondition] = Field(description="every condition that was decided, in that order")
    problem: ExpressionProblem | None
    masked: list[str] = Field(default_factory=list, description="fields of the document that you may not see")


@router.post("/check", response_model=CheckedExpression, openapi_extra=body_of(ExpressionToCheck))
@needs("processes:read")
@reads
async def check_expression(request: Request, tenant: str) -> Response:
    """Everything that is wrong or doubtful about an expression or a template."""
    wanted = await read_body(request, ExpressionToCheck)
    async with acting(request, tenant) as hold:
        found = await hold.definitions.expressions.check(
            wanted.text, wanted.place.value(), expect=wanted.expect, holds=wanted.holds
        )
    return Exact(
        {
            "ok": found.ok,
            "type": found.type,
            "problems": [each.to_json() for each in found.problems],
            "warnings": [each.to_json() for each in found.warnings],
        }
    )


@router.post("/complete", response_model=list[Completion], openapi_extra=body_of(ExpressionToComplete))
@needs("processes:read")
@reads
async def complete_expression(request: Request, tenant: str) -> Response:
    """What can stand at the cursor, best first."""
    wanted = await read_body(request, ExpressionToComplete)
    async with acting(request, tenant) as hold:
        return Exact(await hold.definitions.expressions.complete(wanted.text, wanted.cursor, wanted.place.value()))


@router.post("/format", response_model=FormattedExpression, openapi_extra=body_of(ExpressionToFormat))
@needs("processes:read")
@reads
async def format_text(request: Request, tenant: str) -> Response:
    """An expression in its standard form; 422 when it does not parse."""
    wanted = await read_body(request, ExpressionToFormat)
    async with acting(request, tenant) as hold:
        return Exact({"text": hold.definitions.expressions.format(wanted.text)})


@router.post("/try", response_model=TriedExpression, openapi_extra=body_of(ExpressionToTry))
@needs("processes:read")
@reads
async def try_expression(request: Request, tenant: str) -> Response:
    """Evaluate it on a document, and say why it came out so."""
    wanted = await read_body(request, ExpressionToTry)
    now: datetime | None = wanted.now
    masked: list[str] = []
    async with acting(request, tenant) as hold:
        sample = wanted.document or {}
        if wanted.document_id is not None:
            found = await hold.documents.get(wanted.document_id)
            sample, masked = dict(found.data), list(found.masked)
        prepared = await hold.definitions.expressions.prepare(
            wanted.text,
            wanted.place.value(),
            document=sample,
            actor=wanted.actor,
            context=wanted.context,
            payload=wanted.payload,
            item=wanted.item,
            now=now,
            expect=wanted.expect,
            holds=wanted.holds,
        )
    tried = await compute(request, prepared)
    return Exact(
        {
            "ok": tried.ok,
            "result": tried.result,
            "because": tried.because,
            "variables": tried.variables,
            "steps": tried.steps,
            "problem": _shown(tried.problem),
            "masked": masked,
        }
    )


def _shown(problem: Problem | None) -> dict[str, Any] | None:
    return None if problem is None else problem.to_json()
