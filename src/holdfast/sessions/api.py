"""The sessions of one tenant, `hold.sessions`: start, answer, send, cancel, look. All in your transaction.

A session that is started exists, and is executed, if and only if your transaction commits; an answer is given once,
whoever else answers at the same moment. With `notify`, a run of your own is enqueued in the very transaction in which
the session ends, however it ends.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, BinaryIO
from uuid import UUID

from psycopg import Rollback
from psycopg import errors as pg

from holdfast.audit import record
from holdfast.errors import (
    AlreadyExists,
    Conflict,
    InvalidInput,
    NotFound,
    OperationalError,
    PromptClosed,
    SessionInputError,
)
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import decode_sent, encode
from holdfast.kernel.names import check_text
from holdfast.kernel.page import Page
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.runs.registry import Handlers, check_type
from holdfast.runs.signals import seconds
from holdfast.sessions.definitions import broken_definition, no_definition
from holdfast.sessions.history import History
from holdfast.sessions.model import (
    EXECUTE,
    STATUSES,
    Drawing,
    GraphEdge,
    Message,
    Prompt,
    SessionDefinition,
    SessionInfo,
    message_of,
)
from holdfast.sessions.names import check_session_name, random_name
from holdfast.sessions.outputs import Outputs
from holdfast.sessions.saved import SavedSessions, no_session
from holdfast.sessions.schemas import check_value, with_defaults

__all__ = ["Notify", "Sessions", "fetch_output"]

_SQL = queries("sessions")
_DEFAULT_ATTEMPTS = 5
_PART_LIMIT = 4096
"""Bytes that can be looked for in inputs."""


@dataclass(frozen=True, slots=True)
class Notify:
    """A run to enqueue when a session ends: its payload, plus the session's name, id, status and error.

    For example:

        await hold.sessions.start("triage", {"ticket": 7}, notify=Notify("tickets.sorted.v1", {"ticket": 7}))
    """

    type: str
    payload: dict[str, Any] = field(default_factory=dict)


class Sessions(SavedSessions):
    """The sessions of one tenant."""

    def __init__(
        self,
        tx: TenantTx,
        handlers: Handlers,
        history: History,
        *,
        input_limit: int,
        outputs: Callable[[], Outputs | None] = lambda: None,
    ) -> None:
        super().__init__(tx, history, handlers.sealing)
        self._outputs = outputs
        self._handlers = handlers
        self._input_limit = input_limit

    # ---------------------------------------------------------------------------------------------------- definitions

    async def definitions(self, *, tag: str | None = None) -> list[SessionDefinition]:
        """What sessions can be started of; `active_sessions` counts this tenant's own."""
        self._tx.require("sessions:read")
        return [
            SessionDefinition(**row) for row in await self._tx.rows(_SQL["definitions_for_tenants"], name=None, tag=tag)
        ]

    async def definition(self, name: str) -> SessionDefinition:
        """One definition."""
        self._tx.require("sessions:read")
        rows = await self._tx.rows(_SQL["definitions_for_tenants"], name=name, tag=None)
        if not rows:
            raise no_definition(name, [one.name for one in await self.definitions()])
        return SessionDefinition(**rows[0])

    # ------------------------------------------------------------------------------------------------ starting, ending

    async def start(
        self,
        workflow: str,
        input: Any = None,  # noqa: A002 - it is the input
        *,
        name: str | None = None,
        timeout: float | timedelta | None = None,
        notify: Notify | None = None,
    ) -> SessionInfo:
        """Start a session: it is executed if, and only if, your transaction commits.

        The input is checked against the definition's schema; members it leaves out get their defaults. `timeout`
        limits the whole session, waiting included; the definition's is used when none is given.
        """
        self._tx.require("sessions:write")
        name = random_name(workflow) if name is None else check_session_name(name)
        known = await self._tx.row(_SQL["use_definition"], name=workflow)
        if known is None:
            raise no_definition(workflow, [one.name for one in await self.definitions()])
        if known["phase"] == "Error":
            raise broken_definition(workflow)
        given = with_defaults({} if input is None else input, known["input_schema"])
        text = encode("input", given, limit=self._input_limit)
        await check_value("input", given, known["input_schema"])
        span = known["timeout_seconds"] if timeout is None else timeout
        if notify is not None:
            check_type(notify.type)
        row = await self._tx.row(
            _SQL["start"],
            id=(made := uuid7()),
            name=name,
            workflow=workflow,
            revision=known["revision"],
            input=self._sealing.seal(self._tx.tenant.id, text),
            actor=str(self._tx.actor),
            party=self._tx.actor.carried,
            timeout=None if span is None else seconds("timeout", span),
            max_attempts=self._attempts(workflow),
            notify_type=notify.type if notify else None,
            notify_payload=encode("notify", notify.payload, limit=self._input_limit) if notify else None,
        )
        if row is None or not row["created"]:
            raise AlreadyExists(f"there is already a session {name!r}", hint="choose another name", session=name)
        await record(self._tx, "session", made, "session.created", {"name": name, "workflow": workflow})
        return await self.get(name)

    async def cancel(self, name: str, *, reason: str = "cancelled") -> SessionInfo:
        """End a session that is not finished: it becomes `failed`, with the reason."""
        self._tx.require("sessions:write")
        check_text("reason", reason, maximum=1000)
        told = f"cancelled by {self._tx.actor}" + ("" if reason == "cancelled" else f": {reason}")
        for _ in range(5):
            one = await self._find(name)
            if one["status"] in ("completed", "failed"):
                raise Conflict(f"the session {name!r} is {one['status']}", hint="only unfinished ones can be cancelled")
            if await self._cancel(one, told):
                after = await self.get(name)
                await record(self._tx, "session", after.id, "session.cancelled", {"reason": reason})
                return after
        raise Conflict(f"the session {name!r} keeps changing", hint="try again")

    async def _cancel(self, one: Row, told: str) -> bool:
        """End a session as it was when it was looked at. If it has changed since, nothing of it stays locked.

        Locks are taken in the order run, then session: whoever held the session, and reached for its next run, would
        wait for somebody who ends that run, and so the session.
        """
        done = False
        try:
            async with self._tx.connection.transaction() as attempt:
                # The run first: ending it ends the session. A session that waits has none, and is ended by itself.
                ended = await self._tx.row(
                    _SQL["cancel_run"], run=one["run_id"], reason=told, actor=str(self._tx.actor)
                )
                if ended is None or not ended["done"]:
                    ended = await self._tx.row(_SQL["cancel"], session=one["id"], reason=told)
                now = await self._tx.row(_SQL["find"], name=one["session_name"])
                done = bool(ended and ended["done"] and now and now["status"] == "failed")
                if not done:
                    raise Rollback(attempt)
        except pg.DeadlockDetected as error:
            raise _overtaken(one["session_name"]) from error
        return done

    async def delete(self, name: str) -> None:
        """Delete a session with its messages, prompts and checkpoints; one that is not finished is cancelled first."""
        self._tx.require("sessions:operate")
        one = await self._find(name)
        was = one["status"]
        if was not in ("completed", "failed"):
            try:
                await self.cancel(name, reason="deleted")
            except Conflict:
                # Somebody else ended it at the same moment: so much the better.
                if (await self._find(name))["status"] not in ("completed", "failed"):
                    raise
        try:
            done = await self._tx.row(_SQL["delete"], session=one["id"])
        except pg.DeadlockDetected as error:
            raise _overtaken(name) from error
        if done is None or not done["done"]:
            raise no_session(name)
        await record(self._tx, "session", one["id"], "session.deleted", {"name": name, "was": was})

    # -------------------------------------------------------------------------------------------------- talking with it

    async def answer(self, name: str, answer: Any, *, prompt_id: str | None = None) -> SessionInfo:
        """Answer a prompt. Whoever is second gets `PromptClosed`; an answer its schema refuses leaves it open.

        `prompt_id` names the prompt that is answered: an answer that is sent again must not answer the next one.
        Without it, the error says which are open. The session goes on when its last open prompt is answered.
        """
        self._tx.require("sessions:write")
        one = await self._find(name)
        found = await self._tx.rows(_SQL["prompts"], session=one["id"], open_only=False)
        rows = [self._opened_prompt(row) for row in found]
        wanted = self._wanted(name, rows, prompt_id)
        text = encode("answer", answer, limit=self._input_limit)
        if wanted["response_schema"] is not None:
            await check_value("answer", answer, wanted["response_schema"])
        done = await self._tx.row(
            _SQL["answer"],
            session=one["id"],
            prompt=wanted["prompt_id"],
            value=self._sealing.seal(self._tx.tenant.id, text),
            actor=str(self._tx.actor),
        )
        if done is None or done["was"] != "open":
            was = (done and done["was"]) or "gone"
            raise PromptClosed(
                f"the prompt {wanted['prompt_id']} is {was}", hint="read the session again", prompt_id=prompt_id
            )
        await record(self._tx, "session", one["id"], "session.answered", {"prompt_id": wanted["prompt_id"]})
        return await self.get(name)

    async def send(self, name: str, input: Any) -> SessionInfo:  # noqa: A002 - it is the input
        """Give a session that is not finished another input; its definition says what then happens.

        `reject` refuses it, `enqueue` keeps it until the graph has come to its end, `interrupt` takes it up at the next
        checkpoint, instead of what the graph would have done next.
        """
        self._tx.require("sessions:write")
        one = await self._find(name)
        spec = await self._spec(one)
        policy = spec.get("concurrentInput", "reject")
        if one["status"] in ("completed", "failed"):
            raise Conflict(f"the session {name!r} is {one['status']}", hint="start or fork a new one")
        if policy == "reject":
            raise Conflict(
                f"the session {name!r} is {one['status']} and takes no further input",
                hint="answer its prompt, wait, or let its definition enqueue or interrupt",
            )
        schema = spec["inputSchema"]
        given = with_defaults(input, schema)
        text = encode("input", given, limit=self._input_limit)
        await check_value("input", given, schema)
        await self._add_input(name, one, "input", text, None, policy == "interrupt")
        await record(self._tx, "session", one["id"], "session.input", {"policy": policy})
        return await self.get(name)

    async def edit(
        self, name: str, values: dict[str, Any], *, as_node: str | None = None, reason: str = ""
    ) -> SessionInfo:
        """Change the state of a session that waits, as a person. It goes on from there, and asks again if it must.

        From then on it has no rights that whoever edits it does not have: the state says what is to be done.

        `values` are written to the graph's channels as if the node `as_node` had returned them.
        """
        self._tx.require("sessions:operate")
        one = await self._find(name)
        if not isinstance(values, dict) or not values:
            raise InvalidInput("values is not a JSON object with members", hint="name channels", field="values")
        text = encode("values", values, limit=self._input_limit)
        await self._add_input(name, one, "edit", text, as_node, True)
        # The trail is in clear: where the state is not, it tells of what was changed, and the checkpoints what to.
        changed = {"channels": sorted(values)} if self._sealing.encrypts else {"values": values}
        facts = {**changed, "as_node": as_node, "reason": reason}
        await record(self._tx, "session", one["id"], "session.edited", facts)
        return await self.get(name)

    # ---------------------------------------------------------------------------------------------------------- looking

    async def output(self, name: str) -> Any:
        """What a completed session came to, wherever it is kept; what is kept elsewhere is checked against its hash."""
        one = await self.get(name)
        if one.status != "completed":
            raise Conflict(f"the session {name!r} is {one.status}", hint="only completed ones have an output")
        if one.output_reference is None:
            return one.output_data
        with tempfile.TemporaryFile() as file:
            await fetch_output(self._outputs(), one, file)
            return decode_sent(await asyncio.to_thread(file.read))

    async def messages(
        self,
        name: str,
        *,
        after: int = 0,
        type: str | None = None,  # noqa: A002 - it is the type
        limit: int = 200,
    ) -> list[Message]:
        """What happened, in order, after a sequence number."""
        self._tx.require("sessions:read")
        check_limit(limit, maximum=1000)
        one = await self._find(name)
        rows = await self._tx.rows(_SQL["messages"], session=one["id"], after=after, type=type, limit=limit)
        return [message_of(row, self._sealing, self._tx.tenant.id) for row in rows]

    async def prompts(self, name: str, *, open_only: bool = True) -> list[Prompt]:
        """The questions that wait for an answer, or every one there was."""
        self._tx.require("sessions:read")
        one = await self._find(name)
        rows = await self._tx.rows(_SQL["prompts"], session=one["id"], open_only=open_only)
        return [Prompt(**self._opened_prompt(row)) for row in rows]

    async def graph(self, name: str) -> Drawing | None:
        """The graph that a session goes through; None until a session of this revision has been executed."""
        self._tx.require("sessions:read")
        one = await self._find(name)
        row = await self._tx.row(
            _SQL["definition_graph"], name=one["workflow_name"], revision=one["definition_revision"]
        )
        if row is None or row["graph"] is None:
            return None
        return Drawing(row["graph"]["nodes"], [GraphEdge(**edge) for edge in row["graph"]["edges"]])

    # ----------------------------------------------------------------------------------------------------------- inside

    async def _add_input(self, name: str, one: Row, kind: str, body: str, as_node: str | None, at_once: bool) -> None:
        done = await self._tx.row(
            _SQL["add_input"],
            session=one["id"],
            id=uuid7(),
            kind=kind,
            body=self._sealing.seal(self._tx.tenant.id, body),
            as_node=as_node,
            at_once=at_once,
            actor=str(self._tx.actor),
            party=self._tx.actor.carried,
        )
        if done is None or done["was"] != "taken":
            was = done and done["was"]
            if was is None:
                raise no_session(name)
            hint = "only one that waits for input can be edited" if kind == "edit" else "start or fork a new one"
            raise Conflict(f"the session {name!r} is {was}", hint=hint)

    async def _spec(self, one: Row) -> dict[str, Any]:
        """The definition as it was when the session was started."""
        row = await self._tx.row(
            _SQL["definition_version"], name=one["workflow_name"], revision=one["definition_revision"]
        )
        assert row is not None
        spec: dict[str, Any] = row["spec"]
        return spec

    def _wanted(self, name: str, rows: list[Row], prompt_id: str | None) -> Row:
        if prompt_id is not None:
            for row in rows:
                if row["prompt_id"] == prompt_id:
                    return row
            raise NotFound(f"the session {name!r} has no prompt {prompt_id!r}", hint="read the session again")
        waiting = [
            {"prompt_id": row["prompt_id"], **_question(row["content"])} for row in rows if row["status"] == "open"
        ]
        if not waiting:
            raise PromptClosed(f"the session {name!r} waits for no answer", hint="read the session again")
        shown = ", ".join(f"{one['prompt_id']} ({one['prompt']})" for one in waiting)
        raise SessionInputError(
            "the answer does not say which prompt it is for",
            hint=f"name one of the open prompts: {shown}",
            field="prompt_id",
            prompts=waiting,
        )

    def _attempts(self, workflow: str) -> int:
        handler = self._handlers.find(f"{EXECUTE}.{workflow}")
        return handler.retry.max_attempts if handler else _DEFAULT_ATTEMPTS

    async def list(
        self,
        *,
        status: str | None = None,
        workflow: str | None = None,
        input: dict[str, Any] | None = None,  # noqa: A002 - it is the input
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[SessionInfo]:
        """Sessions, newest first, without their inputs and outputs.

        With `input`, only those whose input contains it: `{"customer": "acme"}` finds every input with that member,
        whatever else it holds; objects are contained member by member, lists when each element is in the other.
        """
        self._tx.require("sessions:read")
        check_limit(limit)
        if status is not None and status not in STATUSES:
            raise InvalidInput(
                f"status {status!r} is unknown", hint=f"use one of {', '.join(STATUSES)}", field="status"
            )
        query = {"status": status, "workflow": workflow}
        if input is not None:
            if self._sealing.encrypts:
                raise InvalidInput(
                    "sessions are not found by their input: inputs are encrypted",
                    hint="look for them by name; HOLDFAST_ENCRYPT_PAYLOADS is set",
                    field="input",
                )
            query["input"] = _part_of_input(input)
        before = None
        if cursor is not None:
            (before,) = decode_cursor(query, cursor, (UUID,))
        sql = _SQL["list" if input is None else "list_by_input"]
        rows = await self._tx.rows(sql, **query, before=before, limit=limit + 1)
        items = [SessionInfo(**row) for row in rows[:limit]]
        return Page(items, encode_cursor(query, [str(items[-1].id)]) if len(rows) > limit else None)


async def fetch_output(outputs: Outputs | None, session: SessionInfo, into: BinaryIO) -> None:
    """The output of a session that is kept elsewhere, checked, as JSON text in a file."""
    assert session.output_reference is not None
    assert session.output_hash is not None
    if outputs is None:
        raise OperationalError(
            f"the output is at {session.output_reference}, but HOLDFAST_SESSION_OUTPUTS is not set",
            hint="set it as the workers have it",
        )
    await outputs.fetch(session.output_reference, session.output_hash, into)


def _question(content: dict[str, Any]) -> dict[str, Any]:
    """The little of a prompt that tells it from others."""
    return {"prompt": str(content.get("prompt", ""))[:200]}


def _overtaken(name: str) -> Conflict:
    return Conflict(f"the session {name!r} is being changed by somebody else", hint="try again")


def _part_of_input(wanted: Any) -> str:
    """What inputs must contain, as JSON text."""
    if not isinstance(wanted, dict):
        raise InvalidInput("input is not a JSON object", hint='such as {"customer": "acme"}', field="input")
    text = encode("input", wanted, limit=sys.maxsize)
    if len(text.encode()) > _PART_LIMIT:
        raise InvalidInput(
            f"input has {len(text.encode())} bytes, the limit is {_PART_LIMIT}",
            hint="name the few members that tell the sessions apart",
            field="input",
        )
    return text
