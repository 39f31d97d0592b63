"""Approvals and tasks of one tenant: looking at requests, deciding on them, and handing them to others.

A decision is written under the instance's lock, checked again by the database, and stands whatever happens after it.
When it brings the quorum, the request is closed and the process goes on in the same transaction, as far as that takes
no code but ours; if that fails, it is undone by itself, and a worker is told to try.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, Final, Protocol
from uuid import UUID

from psycopg import errors as pg

from holdfast.access import load_actor
from holdfast.audit import record
from holdfast.documents import Access, Contracts
from holdfast.documents.model import DocumentVersion, version_from_row
from holdfast.effects.in_app import notify
from holdfast.envelope.people import needs_reason, reached, voters
from holdfast.envelope.tokens import Settled
from holdfast.errors import (
    Conflict,
    Forbidden,
    HoldfastError,
    InvalidInput,
    NotFound,
    OperationalError,
    StaleApproval,
)
from holdfast.kernel.actor import Actor
from holdfast.kernel.counts import DECIDED
from holdfast.kernel.cursor import check_limit, decode_id_cursor, encode_cursor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import check_json, dump
from holdfast.kernel.names import check_text
from holdfast.kernel.page import Page
from holdfast.kernel.schemas import MOST_FORM_STEPS, json_schema
from holdfast.kernel.traces import recording, told_span
from holdfast.people.asking import Question, ask, next_stage
from holdfast.people.closed import closed, decided_already
from holdfast.people.drafts import Consequence, Draft, consequences_of, outcome_for
from holdfast.people.headlines import read_headlines
from holdfast.people.model import (
    ANYONE,
    DECISIONS,
    Assignee,
    ChosenRequest,
    Decided,
    DecidedItem,
    Decision,
    Refused,
    Request,
    RequestDetail,
    Verdict,
    quorum_of,
)
from holdfast.people.reasons import read_why
from holdfast.people.seats import SOMEBODY_ELSE, seat_of, why_barred
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.steps import Answer

__all__ = ["MANY", "Approvals", "Consequence", "DecisionPort"]

_SQL = queries("people")
_ANSWER_LIMIT = 256 * 1024
MANY: Final = 100
"""How many requests are decided in one transaction."""


class DecisionPort(Protocol):
    """How the engine is reached from here."""

    async def consequence(self, tx: TenantTx, actor: Actor, request: Row, settled: Settled) -> Consequence:
        """What follows when the step of a request, read by `hold_requests`, is settled by an actor."""
        ...


class Approvals:
    """The requests of one tenant, `hold.approvals`."""

    def __init__(self, tx: TenantTx, engine: DecisionPort, contracts: Contracts) -> None:
        self._tx = tx
        self._engine = engine
        self._access = Access(tx, contracts)

    # ------------------------------------------------------------------------------------------------------- looking

    async def get(self, request_id: UUID) -> RequestDetail:
        """A request, with everybody who is asked, everything that was decided, its headline, and why it was asked."""
        self._tx.require("processes:read")
        row = await self._tx.row(_SQL["get_request"], id=request_id)
        if row is None:
            raise _no_request(request_id)
        assignees = [Assignee(**each) for each in await self._tx.rows(_SQL["list_assignees"], id=request_id)]
        decisions = [Decision(**each) for each in await self._tx.rows(_SQL["list_decisions"], id=request_id)]
        (request,) = await self._shown([Request(**row)])
        quorum = quorum_of(request.required, assignees, decisions)
        if request.redacted:
            decisions = [replace(each, reason=None, answer=None) for each in decisions]
            return RequestDetail(request, assignees, decisions, quorum, [], [])
        if request.document_id is not None:
            await self._access.note_read([request.document_id], "request", request.entity_version)
        hidden = self._access.hidden(request.entity_type)
        version = request.snapshot_version_id
        headlines = {} if version is None else await read_headlines(self._tx, {version: hidden})
        # A condition may have read what is masked: its values are for those who see everything.
        why = await read_why(self._tx, request, assignees, conditions=not hidden)
        return RequestDetail(
            request, assignees, decisions, quorum, [] if version is None else headlines.get(version, []), why
        )

    async def list(
        self,
        *,
        instance_id: UUID | None = None,
        document_id: UUID | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Request]:
        """Requests, newest first; of one instance or one document."""
        self._tx.require("processes:read")
        check_limit(limit)
        query = {"instance": instance_id and str(instance_id), "entity": document_id and str(document_id)}
        before = decode_id_cursor(query, cursor)
        rows = await self._tx.rows(
            _SQL["list_requests"], instance_id=instance_id, document_id=document_id, before=before, limit=limit + 1
        )
        items = await self._shown([Request(**row) for row in rows[:limit]])
        about = {each.document_id for each in items if each.document_id is not None and not each.redacted}
        await self._access.note_read(about, "requests")
        more = len(rows) > limit
        return Page([*items], encode_cursor(query, [str(items[-1].id)]) if more else None)

    async def document(self, request_id: UUID) -> DocumentVersion:
        """The document as it was when people were asked: what a decision is about, whatever it has become since."""
        self._tx.require("processes:read")
        row = await self._tx.row(_SQL["snapshot"], id=request_id)
        if row is None:
            raise _no_document(request_id)
        try:
            found = await self._access.version(version_from_row(row))
        except NotFound:
            raise _no_document(request_id) from None
        await self._access.note_read([found.document_id], "request", found.version)
        return found

    async def _shown(self, found: Sequence[Request]) -> Sequence[Request]:
        """Requests; of one about a version that the actor may not read, what it asks for stays its headline."""
        wanted = {each.document_id: each.entity_type for each in found if each.document_id is not None}
        sights = await self._access.requests_seen(wanted)
        open_to_all = self._access.sees_automation("") or self._tx.actor.may("processes:approve")

        def seen(request: Request) -> bool:
            if request.document_id is None:
                return open_to_all
            sight = sights.get(request.document_id)
            return sight is not None and sight.sees(request.entity_version)

        return [
            each if seen(each) else replace(each, instructions=None, form=None, reason=None, redacted=True)
            for each in found
        ]

    # ------------------------------------------------------------------------------------------------------ deciding

    async def decide(
        self,
        request_id: UUID,
        decision: Verdict,
        *,
        reason: str | None = None,
        on_behalf_of: str | None = None,
        entity_version: int | None = None,
        content_hash: str | None = None,
        trace_id: str | None = None,
    ) -> Decided:
        """Decide on a request. Against needs a reason; the version or hash you saw, if given, must be the request's.

        `trace_id` is the trace of the steps that follow from it.
        """
        self._tx.require("processes:approve")
        if decision not in DECISIONS:
            raise InvalidInput(f"decision is {decision!r}", hint=f"use one of {', '.join(DECISIONS)}", field="decision")
        why = _reason(reason, needed=needs_reason(decision))
        request, seat = await self._open(request_id, "approval", on_behalf_of, entity_version, content_hash)
        draft = await self._draft(_traced(request, trace_id), seat, decision, why)
        await self._record(draft)
        if isinstance(draft.following, Question):
            return draft.decided(await ask(self._tx, draft.following))
        return draft.decided()

    async def decide_many(
        self,
        choices: Sequence[ChosenRequest | UUID],
        decision: Verdict,
        *,
        reason: str | None = None,
        dry_run: bool = False,
    ) -> Sequence[DecidedItem]:
        """Decide on many requests alike, each with the checks it would have alone; what became of each, in their order.

        One that is refused keeps no other from being decided. With `dry_run` everything is tried and nothing written.
        """
        self._tx.require("processes:approve")
        items = [each if isinstance(each, ChosenRequest) else ChosenRequest(each) for each in choices]
        if len(items) > MANY or len({each.request_id for each in items}) < len(items):
            raise InvalidInput(
                f"{len(items)} requests, or one of them twice",
                hint=f"at most {MANY} at once, each once",
                field="choices",
            )
        found: dict[UUID, DecidedItem] = {}
        if decision in DECISIONS and self._tx.actor.kind == "user":
            found = await self._together(items, decision, reason, dry_run=dry_run)
        # Their instances are locked by now, in the order in which everybody locks several.
        for each in items:
            if each.request_id not in found:
                found[each.request_id] = await self._one_of_many(each, decision, reason, dry_run=dry_run)
        return [found[each.request_id] for each in items]

    async def _together(
        self, items: Sequence[ChosenRequest], decision: Verdict, reason: str | None, *, dry_run: bool
    ) -> dict[UUID, DecidedItem]:
        """Decide on those that can be written together: one of each process, and nothing to do but writing.

        All of them, or none: what Postgres refuses concerns one of them, and alone each gets its own answer.
        """
        try:
            why = _reason(reason, needed=decision in ("rejected", "returned"))
        except InvalidInput:
            return {}
        rows = await self._tx.rows(
            _SQL["hold_requests"], ids=[each.request_id for each in items], me=self._tx.actor.name
        )
        wanted = {each.request_id: each for each in items}
        drafts: dict[UUID, Draft] = {}
        found: dict[UUID, DecidedItem] = {}
        for row in sorted(rows, key=itemgetter("instance_id", "id")):
            item = wanted[row["id"]]
            if row["instance_id"] in drafts or row["stage"] < len(row["stages"] or ()):
                # It is decided on as the process stands then; and whose turn a next stage is, is asked once.
                continue
            try:
                seat = await self._seat_in(row, "approval", None, item.entity_version, item.content_hash)
                draft = await self._draft(row, seat, decision, why)
            except OperationalError:
                raise
            except HoldfastError as error:
                found[item.request_id] = _refused(item, error)
                continue
            if draft.is_plain:
                drafts[row["instance_id"]] = draft
        if len(drafts) < 2:
            return found
        try:
            async with self._tx.connection.transaction(force_rollback=dry_run):
                await self._write([*drafts.values()], together=True)
        except OperationalError:
            raise
        except HoldfastError:
            return found
        return found | {
            draft.request["id"]: DecidedItem(draft.request["id"], draft.decided(), None) for draft in drafts.values()
        }

    async def _one_of_many(
        self, item: ChosenRequest, decision: Verdict, reason: str | None, *, dry_run: bool
    ) -> DecidedItem:
        try:
            async with self._tx.connection.transaction(force_rollback=dry_run):
                decided = await self.decide(
                    item.request_id,
                    decision,
                    reason=reason,
                    entity_version=item.entity_version,
                    content_hash=item.content_hash,
                )
        except OperationalError:
            raise
        except HoldfastError as error:
            return _refused(item, error)
        return DecidedItem(item.request_id, decided, None)

    async def complete(
        self,
        request_id: UUID,
        data: Mapping[str, Any] | None = None,
        *,
        answer: str | None = None,
        trace_id: str | None = None,
    ) -> Decided:
        """Fill in the form of a task. `answer` is the button that was pressed; by default the first."""
        self._tx.require("processes:approve")
        request, seat = await self._open(request_id, "task", None, None, None)
        request = _traced(request, trace_id)
        outcomes: list[str] = request["outcomes"]
        chosen = outcomes[0] if answer is None else answer
        if chosen not in outcomes:
            raise InvalidInput(f"answer is {answer!r}", hint=f"use one of {', '.join(outcomes)}", field="answer")
        if data is not None and not isinstance(data, Mapping):
            raise InvalidInput(f"data is a {type(data).__name__}", hint="give an object of fields", field="data")
        form = dict(data or {})
        _check_form(request["form"], form)
        consequence = await self._telling(request, seat, chosen, form, None)
        draft = Draft(request, seat, "answered", chosen, None, form, "answered", chosen, consequence=consequence)
        await self._record(draft)
        return draft.decided()

    # --------------------------------------------------------------------------------------------- handing to others

    async def claim(self, request_id: UUID) -> None:
        """Take a request that several people are asked: until it is released, only you decide on it."""
        self._tx.require("processes:approve")
        request, _ = await self._open(request_id, None, None, None, None)
        if not await self._tx.run(_SQL["claim_request"], id=request_id, me=self._tx.actor.name):
            raise Conflict(f"{request['claimed_by']} is at it already", hint="ask them to release it")
        await self._tell(request, "claimed", {})

    async def release(self, request_id: UUID) -> None:
        """Give a claimed request back; an operator may do that for others."""
        request = await self._locked(request_id)
        own = request["claimed_by"] in (None, self._tx.actor.name)
        self._tx.require("processes:approve" if own else "processes:operate")
        if request["claimed_by"] is None:
            return
        await self._tx.run(_SQL["release_request"], id=request_id)
        await self._tell(request, "released", {"claimed_by": request["claimed_by"]})

    async def reassign(self, request_id: UUID, to: str, *, reason: str, of: str | None = None) -> None:
        """Let somebody else be asked instead. Your own place you may hand on; another's (`of`), an operator."""
        why = _reason(reason, needed=True)
        request = await self._locked(request_id)
        me = self._tx.actor.name
        leaving = f"user:{me}" if of is None else (of if ":" in of or of == ANYONE else f"user:{of}")
        if leaving != f"user:{me}" or not request["may_delegate"]:
            self._tx.require("processes:operate")
        else:
            self._tx.require("processes:approve")
        if leaving not in request["principals"]:
            hint = f"asked are {', '.join(request['principals'])}"
            raise InvalidInput(f"{leaving} is not asked", hint=hint, field="of")
        if leaving.removeprefix("user:") in request["decisions"]:
            raise Conflict(f"{leaving} has decided already")
        self._check_other(to)
        await self._add(request, to, f"from {leaving}")
        await self._tx.run(_SQL["remove_assignee"], id=request_id, principal=leaving, why=why)
        if request["claimed_by"] is not None:
            await self._tx.run(_SQL["release_request"], id=request_id)
        await self._tell(request, "reassigned", {"from": leaving, "to": to, "reason": why})

    async def escalate(self, request_id: UUID, to: str, *, reason: str) -> None:
        """Ask somebody else too."""
        self._tx.require("processes:operate")
        why = _reason(reason, needed=True)
        request = await self._locked(request_id)
        self._check_other(to)
        await self._add(request, to, "escalation")
        await notify(
            self._tx,
            [to],
            key=f"escalate:{request_id}:{uuid7()}",
            subject=f"Escalated to you: {request['title']}",
            body=why or "",
            instance_id=request["instance_id"],
            request_id=request_id,
        )
        await self._tell(request, "escalated", {"to": to, "reason": why})

    # ------------------------------------------------------------------------------------------------------- helpers

    async def _locked(self, request_id: UUID) -> Row:
        """The request, open and locked, with where its process stands."""
        request = await self._tx.row(_SQL["hold_requests"], ids=[request_id], me=self._tx.actor.name)
        if request is None:
            raise _no_request(request_id)
        await self._require_open(request)
        return request

    async def _require_open(self, request: Row) -> None:
        if request["status"] == "voided":
            raise StaleApproval(
                "the request is closed: the document was changed after people were asked",
                hint="read the document again; where it is to be decided on anew, that is another request",
                request_status=request["status"],
            )
        if request["status"] != "open":
            raise await self._closed(request)

    async def _closed(self, request: Row) -> Conflict:
        """Why nobody decides on a request any more."""
        own, last = await self._decisions(request["id"])
        return closed(request["status"], own, last, reads=self._tx.actor.may("processes:read"))

    async def _decisions(self, request_id: UUID) -> tuple[Decision | None, Decision | None]:
        """What the actor decided on a request, and what was decided last."""
        found = [Decision(**each) for each in await self._tx.rows(_SQL["list_decisions"], id=request_id)]
        own = next((each for each in found if each.decided_by == self._tx.actor.name), None)
        return own, found[-1] if found else None

    async def _open(
        self, request_id: UUID, kind: str | None, on_behalf_of: str | None, version: int | None, content: str | None
    ) -> tuple[Row, str]:
        """The request and the seat in which the actor decides on it."""
        if self._tx.actor.kind != "user":
            raise Forbidden("programs do not decide in people's place", hint="act as a person: actor='ben'")
        request = await self._locked(request_id)
        return request, await self._seat_in(request, kind, on_behalf_of, version, content)

    async def _seat_in(
        self, request: Row, kind: str | None, on_behalf_of: str | None, version: int | None, content: str | None
    ) -> str:
        """The seat in which the actor decides on a request that is read; raises when it is not theirs to decide."""
        await self._require_open(request)
        if kind is not None and request["kind"] != kind:
            verb = "completed" if request["kind"] == "task" else "decided"
            raise InvalidInput(f"the request is {request['kind']}: it is {verb}", field="request")
        if version not in (None, request["entity_version"]) or content not in (None, request["content_hash"]):
            raise StaleApproval(
                f"the request is about version {request['entity_version']}, not {version or content}",
                hint="read the document again and decide on what it has become",
            )
        if request["decided"]:
            own, _ = await self._decisions(request["id"])
            assert own is not None
            raise decided_already(own, request["status"])
        return seat_of(request, self._tx.actor, on_behalf_of)

    async def _draft(self, request: Row, seat: str, decision: Verdict, why: str | None) -> Draft:
        """A decision, and what follows from it; nothing is written yet."""
        outcome = outcome_for(request, decision)
        votes = {**request["decisions"], seat: str(decision)}
        verdict = reached(request["required"], await self._asked(request), votes)
        final = None if verdict is None else outcome_for(request, verdict)
        more = verdict == "approved" and request["stages"] and request["stage"] < len(request["stages"])
        following = await next_stage(self._tx, request) if more else None
        consequence: Consequence | None = None
        about = {"request": str(request["id"])}
        if isinstance(following, Answer):
            # The decision stands; the step ends as one does that finds nobody to ask when it begins.
            consequence = await self._telling(request, seat, "error", about, why, following.error)
        elif final is not None and not more:
            consequence = await self._telling(request, seat, final, about, why)
        return Draft(request, seat, decision, outcome, why, None, verdict, final, following, consequence)

    async def _asked(self, request: Row) -> set[str]:
        """The people who are asked, by name. For `any` nobody needs to count them."""
        principals: list[str] = request["principals"]
        roles = [each.removeprefix("role:") for each in principals if each.startswith("role:")]
        holders: list[str] = []
        if request["required"] != "any" and roles:
            holders = [row["name"] for row in await self._tx.rows(_SQL["holders"], roles=roles)]
        names = {*holders, *(each.removeprefix("user:") for each in principals)}
        out = [name for name in names if name not in request["decisions"] and why_barred(request, name) is not None]
        return voters(principals, request["required"], holders, out)

    async def _record(self, draft: Draft) -> None:
        """Write a decision with what follows from it. It stands whatever becomes of that."""
        try:
            failed = await self._write([draft], together=False)
        except pg.UniqueViolation:
            raise Conflict("you have decided on this already", hint="each person decides once") from None
        if draft.consequence is not None:
            await draft.consequence.go_on(self._tx, failed)

    async def _write(self, drafts: Sequence[Draft], *, together: bool) -> str | None:
        for each in drafts:
            DECIDED.add(each.decision)
            if recording():
                facts = {"holdfast.request.id": str(each.request["id"]), "holdfast.decision": each.decision}
                told_span("decide", each.request["trace_id"], facts)
        advance, posted = consequences_of(drafts)
        me, actor = self._tx.actor.name, str(self._tx.actor)
        ending = [end for each in drafts if (end := each.end) is not None]
        done = await self._tx.row(
            _SQL["record_decisions"],
            given=dump([each.row(me) for each in drafts]),
            trail=dump([each.event(me, actor) for each in drafts]),
            ending=dump(ending) if ending else None,
            actor=actor,
            advance=dump(advance) if advance else None,
            posted=dump(posted) if posted else None,
            together=together,
        )
        return None if done is None else done["failed"]

    async def _telling(
        self,
        request: Row,
        seat: str,
        outcome: str,
        result: Any,
        reason: str | None,
        error: Mapping[str, Any] | None = None,
    ) -> Consequence:
        """What follows in the process when the step ends so."""
        actor = self._tx.actor
        if request["passes"] is not None and seat != actor.name:
            # A gate lets pass whoever holds its role: the person in whose place it was decided.
            actor = await load_actor(self._tx, seat)
        settled = Settled(request["token_id"], outcome, result, error, reason, request["step_key"])
        return await self._engine.consequence(self._tx, actor, request, settled)

    def _check_other(self, to: str) -> None:
        """Whoever says who else is asked does not mean themselves: they would decide whatever they like."""
        if self._tx.actor.kind == "user" and to == self._tx.actor.name:
            raise Forbidden(
                f"{to} cannot put themselves in another's place",
                hint="another operator, or who is asked, hands it over",
                permission="processes:operate",
            )

    async def _add(self, request: Row, name: str, via: str) -> None:
        reason = why_barred(request, name)
        if reason is not None:
            raise InvalidInput(reason.message, hint=SOMEBODY_ELSE[reason.code], field="to")
        if not await self._tx.rows(
            _SQL["resolve"], users=[name], managed=[], picked=[], asked=[], instances=[], except_for=[]
        ):
            raise NotFound(f"there is no active user {name!r}", hint="`holdfast users list` shows them", user=name)
        added = await self._tx.run(
            _SQL["add_assignee"],
            id=request["id"],
            principal=f"user:{name}",
            via=via,
            due_at=request["due_at"],
            actor=str(self._tx.actor),
        )
        if not added:
            raise Conflict(f"{name} is asked already", hint="choose somebody else")

    async def _tell(self, request: Row, what: str, about: Mapping[str, Any]) -> None:
        event = f"{request['kind']}.{what}"
        data = {"request": str(request["id"]), **about}
        await record(self._tx, "instance", request["instance_id"], event, data, step_id=request["node_id"])


def _traced(request: Row, trace_id: str | None) -> Row:
    """The request, with the trace that whatever follows from it belongs to: that of the process unless one is given."""
    return request if trace_id is None else {**request, "trace_id": check_text("trace_id", trace_id, maximum=256)}


def _refused(item: ChosenRequest, error: HoldfastError) -> DecidedItem:
    return DecidedItem(item.request_id, None, Refused(error.code, error.message, error.hint))


def _reason(reason: str | None, *, needed: bool) -> str | None:
    text = (reason or "").replace("\0", "").strip()
    if needed and not text:
        raise InvalidInput("a reason is needed", hint="say why, for whoever reads it", field="reason")
    if len(text) > 10_000:
        raise InvalidInput(f"the reason has {len(text)} characters", hint="the limit is 10 000", field="reason")
    return text or None


def _check_form(form: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    check_json("data", data)
    size = len(dump(data))
    if size > _ANSWER_LIMIT:
        raise InvalidInput(f"the answer has {size} bytes", hint=f"the limit is {_ANSWER_LIMIT}", field="data")
    problems = [
        {"path": each.dotted, "message": each.message}
        for each in json_schema(form).problems(data, steps=MOST_FORM_STEPS)
    ]
    if problems:
        first = problems[0]
        where = f"{first['path']}: " if first["path"] else ""
        raise InvalidInput(f"the form is not filled in: {where}{first['message']}", field="data", problems=problems)


def _no_document(request_id: UUID) -> NotFound:
    return NotFound(f"there is no request {request_id} about a document")


def _no_request(request_id: UUID) -> NotFound:
    return NotFound(f"there is no request {request_id}", hint="`holdfast inbox` shows what waits for you")
