"""Asking: from a step that needs people to a request, bound to what is being decided on (WF-03).

A request names the document's version, its content hash and the compiled workflow. It is written in the transaction of
the step, whole: with everybody who is asked, so that it stands in their inboxes the moment the step does. Several
questions of one transaction are written in one statement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from holdfast.envelope.durations import parse_duration
from holdfast.envelope.people import ChainFailed, Principal, stages_that_apply, terms_of, too_few
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import dump
from holdfast.people.resolvers import People, evaluate, look_up, resolve
from holdfast.people.resolvers.registry import ResolverRegistry, resolver_of
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.steps import Answer, Ask, NotHere, Reply, Waiting

__all__ = ["Question", "ask", "ask_people", "next_stage"]

_SQL = queries("people")


@dataclass(frozen=True, slots=True)
class Question:
    """A request about to be written."""

    row: Mapping[str, Any]
    principals: Sequence[Principal]
    step_at: str | None = None
    """When the row of its step was made, if that row is to point here."""

    def to_row(self) -> dict[str, Any]:
        """As `ask_people` takes it."""
        asked = [{"name": each.name, "via": each.via} for each in self.principals]
        return {**self.row, "principals": asked, "step_at": self.step_at}


async def ask_people(asks: Sequence[Ask], resolvers: ResolverRegistry | None = None) -> list[Reply]:
    """Ask what the steps need. A step whose people cannot be found ends with `error`, saying why."""
    tx = asks[0].tx
    chains = await _chains(tx, {str(name) for ask in asks if (name := ask.effect.payload.get("chain"))})
    drafts = [await _resolved(ask, _draft(ask, chains), resolvers or ResolverRegistry()) for ask in asks]
    given = [each for draft in drafts if isinstance(draft, dict) for each in draft["given"]]
    people = await look_up(tx, given, [ask.instance.id for ask in asks])
    replies: list[Reply] = []
    questions: list[Question] = []
    for ask, draft in zip(asks, drafts, strict=True):
        if isinstance(draft, Answer | NotHere):
            replies.append(draft)
            continue
        question = await _question(draft, people, ask.step.at)
        if isinstance(question, Answer):
            replies.append(question)
            continue
        questions.append(question)
        replies.append(Waiting(question.row["id"]))
    await _write(tx, questions)
    return replies


async def _resolved(
    ask: Ask, draft: dict[str, Any] | Answer, resolvers: ResolverRegistry
) -> dict[str, Any] | Answer | NotHere:
    """The draft with people in place of functions that know them."""
    if isinstance(draft, Answer) or (name := resolver_of(draft["given"])) is None:
        return draft
    given = await resolvers.people(ask, draft["given"])
    if isinstance(given, NotHere):
        return given
    return {**draft, "given": given} if given else Answer.failed("NOBODY_TO_ASK", f"the resolver {name!r} names nobody")


async def next_stage(tx: TenantTx, request: Row) -> Question | Answer:
    """The next stage of a chain, about the same version of the same document; or why nobody can be asked."""
    stage = request["stages"][request["stage"]]
    row = {
        **{name: request[name] for name in _KEPT},
        **_staged(stage, request["now"]),
        "id": uuid7(),
        "title": request["title"],
        "stage": request["stage"] + 1,
    }
    draft = {"row": row, "given": stage["approvers"], "author": request["requester"]}
    return await _question(draft, await look_up(tx, stage["approvers"], except_for=request["makers"]), None)


async def ask(tx: TenantTx, question: Question) -> UUID:
    """Write a question; the id of its request."""
    await _write(tx, [question])
    return UUID(str(question.row["id"]))


_KEPT: Final = (
    "kind", "instance_id", "step_id", "step_key", "node_id", "token_id", "entity_type", "entity_id", "entity_version",
    "content_hash", "compiled_hash", "snapshot_version_id", "requester", "makers", "four_eyes", "branches",
    "in_parallel", "may_delegate", "outcomes", "chain", "stages",
)  # fmt: skip


def _draft(ask: Ask, chains: Mapping[str, list[Row]]) -> dict[str, Any] | Answer:
    """The request without its people, and who is to be found."""
    payload, step, document = ask.effect.payload, ask.step, ask.document
    now = ask.facts.now
    terms = terms_of(ask.node, ask.effect)
    row: dict[str, Any] = {
        "id": uuid7(),
        "kind": terms.kind,
        "instance_id": ask.instance.id,
        "step_id": ask.step_id,
        "step_key": step.key,
        "node_id": step.node,
        "token_id": step.token,
        "entity_type": ask.instance.entity_type,
        "entity_id": ask.instance.document_id,
        "entity_version": step.entity_version,
        "content_hash": document.content_hash,
        "compiled_hash": ask.instance.compiled_hash,
        "snapshot_version_id": document.version_id,
        "title": str(payload["title"])[:2000] or ask.node.name,
        "instructions": (payload.get("instructions") or None) and str(payload["instructions"])[:20_000],
        "four_eyes": terms.four_eyes,
        "branches": payload.get("branches"),
        "in_parallel": bool(payload.get("may_decide_in_parallel", False)),
        "may_delegate": terms.may_delegate,
        "required": terms.required,
        "outcomes": list(terms.outcomes),
        "passes": terms.passes,
        "form": payload.get("form"),
        "stage": 1,
        "due_at": step.resume_at,
        "remind_every": _seconds(parse_duration(payload["remind_every"])) if payload.get("remind_every") else None,
        "author": _name(document.created_by) or _name(ask.instance.created_by),
    }
    given = terms.given
    if terms.chain is not None:
        stages = _stages(ask, chains.get(terms.chain, []))
        if isinstance(stages, Answer):
            return stages
        for stage in stages:
            # What the step says holds for every stage; a request alone could not tell it from what its own stage says.
            stage |= {"until": step.resume_at, "remind_every": row["remind_every"]}
        row |= {"chain": terms.chain, "stages": stages, **_staged(stages[0], now)}
        given = stages[0]["approvers"]
    return {"row": row, "given": given, "author": row["author"]}


async def _question(draft: Mapping[str, Any], people: People, step_at: str | None) -> Question | Answer:
    row = dict(draft["row"])
    instance = str(row["instance_id"])
    row["requester"] = row.get("requester") or people.requesters.get(instance)
    known: list[str] = list(row.get("makers") or people.makers.get(instance, set()))
    row["makers"] = sorted({*known, *(name for name in (row["requester"] or draft["author"],) if name)})
    own: list[str] = row["makers"] if row["four_eyes"] else []
    principals, problems = await resolve(draft["given"], people, except_for=own)
    why = too_few(row["required"], principals, problems, own)
    if why is not None:
        return Answer.failed("NOBODY_TO_ASK", why)
    return Question(row, principals, step_at)


async def _write(tx: TenantTx, questions: Sequence[Question]) -> None:
    if questions:
        given = dump([question.to_row() for question in questions])
        await tx.run(_SQL["ask_people"], requests=given, actor=str(tx.actor))


# -------------------------------------------------------------------------------------------------------------- chains


async def _chains(tx: TenantTx, names: set[str]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    if names:
        for row in await tx.rows(_SQL["chain_stages"], names=sorted(names)):
            found.setdefault(row["chain"], []).append(row)
    return found


def _stages(ask: Ask, rows: Sequence[Row]) -> list[dict[str, Any]] | Answer:
    """The stages that apply to the document as it stands; decided now, so that all is about one version."""
    facts = ask.facts
    roots = {"entity": facts.entity, "actor": facts.actor, "org": facts.org, "now": facts.now, "context": {}}
    try:
        stages = stages_that_apply(str(ask.effect.payload["chain"]), rows, roots, evaluate)
    except ChainFailed as problem:
        return Answer.failed(problem.code, str(problem))
    return [
        {
            **{name: stage[name] for name in ("name", "approvers", "required", "escalate_to")},
            "due_after": _seconds(stage["due_after"]),
            "escalate_after": _seconds(stage["escalate_after"]),
        }
        for stage in stages
    ]


def _staged(stage: Mapping[str, Any], now: Any) -> dict[str, Any]:
    escalate = stage.get("escalate_after")
    return {
        "required": stage["required"],
        "instructions": stage["name"],
        "due_at": _sooner(stage.get("until"), _after(now, stage.get("due_after"))),
        "remind_every": stage.get("remind_every"),
        "escalate_at": _after(now, escalate),
        "escalate_to": stage.get("escalate_to") if escalate else None,
    }


# -------------------------------------------------------------------------------------------------------------- values


def _name(actor: str | None) -> str | None:
    """The name of a user in `user:ana`; None for programs and the system."""
    kind, _, name = (actor or "").partition(":")
    return name if kind == "user" and name else None


def _seconds(length: timedelta | None) -> str | None:
    return None if length is None else f"{length.total_seconds():f} seconds"


def _after(now: Any, seconds: str | None) -> str | None:
    if seconds is None:
        return None
    moment = now + timedelta(seconds=float(seconds.removesuffix(" seconds")))
    return str(moment.isoformat())


def _sooner(one: Any, other: str | None) -> Any:
    """The earlier of two moments, either of which may be missing."""
    moments = [each if isinstance(each, str) else each.isoformat() for each in (one, other) if each is not None]
    return min(moments, key=datetime.fromisoformat) if moments else None
