"""One attempt at executing a session: streams its graph from the last checkpoint until it waits, ends or must stop.

What to do next is read from the state alone: nothing saved means the input, open questions with answers mean resuming
with them, a step that was not finished means going on. So a crash, a lost connection or a drained worker needs no
special care: the next attempt finds the last checkpoint and goes on, and at most the step under way is done again.
"""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, LiteralString, Protocol
from uuid import UUID

import psycopg
from langgraph.errors import GraphDrained, InvalidUpdateError
from langgraph.runtime import RunControl
from langgraph.types import Command, Interrupt
from psycopg import errors as pg

from holdfast.errors import HoldfastError, InvalidInput, LeaseLost, OperationalError, OutputTooLarge
from holdfast.kernel.clock import Clock
from holdfast.kernel.names import did_you_mean
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, Tenant
from holdfast.runs.codec import encode
from holdfast.runs.model import Run
from holdfast.runs.signals import Fail, Snooze
from holdfast.sessions.graphs import Graph
from holdfast.sessions.history import shown
from holdfast.sessions.listener import Listener
from holdfast.sessions.model import thread_of
from holdfast.sessions.saver import FencedSaver
from holdfast.sessions.schemas import check_schema
from holdfast.sessions.store import Held, Store
from holdfast.sessions.streams import Speech, clean, progress, prompt_content

__all__ = ["OUTPUT_LIMIT", "Conductor", "Execution"]

_SQL = queries("sessions")
_TRACE_LIMIT = 8000
_PROMPT_LIMIT = 10 << 20
_MODES = ("values", "updates", "custom")

OUTPUT_LIMIT = 104_857_600
"""Bytes that an output may not reach."""


class Conductor(Protocol):
    """What an execution asks of whoever runs it."""

    clock: Clock

    async def ask(self, query: LiteralString, held: Held, **values: Any) -> Row: ...

    async def query(self, query: LiteralString, **values: Any) -> Row: ...

    def compiled(self, graph: Graph) -> tuple[Any, Any]: ...


@dataclass(slots=True)
class _Outcome:
    """What became of one stretch of streaming."""

    values: Any = None
    interrupts: tuple[Interrupt[Any], ...] = ()
    drained: bool = False


class Execution:
    """One attempt at executing one session."""

    def __init__(
        self, runner: Conductor, run: Run, held: Held, begun: Row, graph: Graph, store: Store, database: Database
    ) -> None:
        self._runner = runner
        self._run = run
        self._held = held
        self._begun = begun
        self._graph = graph
        self._control = RunControl()
        self._fresh: bool = begun["fresh"]
        self._interrupted: bool = begun["interrupted"]
        self._queued: dict[str, Any] | None = json.loads(begun["queued"]) if begun["queued"] else None
        self._answers: dict[str, Any] = json.loads(begun["answers"]) if begun["answers"] else {}
        self._asked: list[str] = []
        self._passed_on: set[str] = set()
        self._telling: set[asyncio.Task[None]] = set()
        self._trouble: BaseException | None = None
        compiled, serde = runner.compiled(graph)
        thread = thread_of(begun["project"], begun["name"])
        self._saver = FencedSaver(
            database,
            runner.clock,
            store,
            held,
            Tenant(held.tenant, begun["project"], begun["project"]),
            thread,
            serde,
            fresh=self._fresh,
            on_interrupt=self._input_came,
        )
        self._compiled = compiled.copy({"checkpointer": self._saver})
        self._config = {"configurable": {"thread_id": thread}, "recursion_limit": graph.recursion_limit}

    async def run(self) -> str:
        """Until it waits, ends, or is to stop."""
        try:
            async with asyncio.timeout(self._begun["seconds_left"]) as limit:
                return await self._advance()
        except (pg.ProgramLimitExceeded, pg.StatementTooComplex) as error:
            # Postgres will say the same next time.
            return await self._fail(_summary(error), error)
        except (LeaseLost, OperationalError, Snooze, Fail, psycopg.OperationalError):
            raise
        except TimeoutError as error:
            return await self._fail("timed out" if limit.expired() else _summary(error), error)
        except Exception as error:
            return await self._fail(_summary(error), error)

    async def _advance(self) -> str:
        while True:
            outcome = await self._stretch()
            if outcome.drained and not self._interrupted:
                raise Snooze(0, "the worker stops; somebody else goes on from the last checkpoint")
            if outcome.interrupts and self._known(outcome.interrupts):
                continue
            if outcome.interrupts:
                done = await self._wait(outcome.interrupts)
            elif outcome.drained:
                done = "more"
            else:
                done = await self._complete(self._output(outcome.values))
            if done == "lost":
                raise LeaseLost(f"run {self._run.id} no longer executes the session", hint="stop")
            if done != "more":
                return done
            await self._take_input()

    async def _take_input(self) -> None:
        row = await self._runner.query(_SQL["next_input"], tenant=self._held.tenant, session=self._held.session)
        self._queued = json.loads(row["queued"]) if row["queued"] else None
        self._fresh = False

    async def _stretch(self) -> _Outcome:
        """From the state there is, to the next question, the end, or a stop."""
        if self._fresh:
            return await self._stream(json.loads(self._begun["input"]))
        if self._asked:
            asked, self._asked = self._asked, []
            return await self._resume(asked)
        state = await self._compiled.aget_state(self._config)
        if state.created_at is None:
            return await self._stream(json.loads(self._begun["input"]))
        if self._queued is not None and (self._interrupted or self._queued["kind"] == "edit" or not state.next):
            return await self._take_up(self._queued)
        asked = [one.id for task in state.tasks for one in task.interrupts]
        # An attempt before this one may have passed the answer on already, and passing it on twice would answer the
        # node's next question too. So a later attempt lets the graph ask: it asks only for what it does not have.
        if self._run.epoch == 1 and asked and all(name in self._answers for name in asked):
            return await self._resume(asked)
        if state.next:
            return await self._stream(None)
        return _Outcome(values=state.values)

    async def _resume(self, asked: list[str]) -> _Outcome:
        self._passed_on |= set(asked)
        return await self._stream(Command(resume={name: self._answers[name] for name in asked}))

    def _known(self, interrupts: tuple[Interrupt[Any], ...]) -> bool:
        """Whether what the graph asked has been answered before; then it is to go on with those answers."""
        asked = [one.id for one in interrupts]
        self._asked = asked if all(name in self._answers for name in asked) else []
        if self._passed_on & set(asked):
            self._asked = []
        return bool(self._asked)

    async def _take_up(self, queued: dict[str, Any]) -> _Outcome:
        self._queued, self._interrupted = None, False
        self._saver.taking = UUID(queued["id"])
        if queued["kind"] == "input":
            self._control = RunControl()
            return await self._stream(queued["body"])
        try:
            self._check_edit(queued["body"])
            await self._compiled.aupdate_state(self._config, queued["body"], as_node=queued["as_node"])
        except (InvalidUpdateError, InvalidInput, KeyError) as error:
            # A person's mistake must not end the session: it is told, and the graph asks again what it asked.
            self._saver.taking = None
            await self._saver.tell("error", {"error": f"the edit was refused: {error}"}, taken=UUID(queued["id"]))
        return await self._stretch()

    def _check_edit(self, values: dict[str, Any]) -> None:
        """LangGraph would pass over channels that it does not know, and the edit would change nothing."""
        known = self._compiled.stream_channels_list
        if unknown := [name for name in values if name not in known]:
            raise InvalidInput(
                f"the graph has no channel {unknown[0]!r}", hint=did_you_mean(unknown[0], known), field=unknown[0]
            )

    async def _stream(self, given: Any) -> _Outcome:
        outcome = _Outcome()
        speech = Speech(lambda content: self._tell("agent", content))
        stream = self._compiled.astream(
            given,
            {**self._config, "callbacks": [Listener(speech.hear)]},
            stream_mode=list(_MODES),
            durability=self._graph.durability,
            control=self._control,
        )
        try:
            async for mode, chunk in stream:
                if self._run.stopping:
                    self._control.request_drain()
                if mode == "values":
                    outcome.values = chunk
                elif mode == "custom":
                    self._tell("workflow_progress", progress(chunk))
                elif isinstance(chunk, dict) and "__interrupt__" in chunk:
                    outcome.interrupts += tuple(chunk["__interrupt__"])
        except GraphDrained:
            outcome.drained = True
        finally:
            speech.pause()
            await self._told()
        if self._trouble is not None:
            raise self._trouble
        return outcome

    def _tell(self, kind: str, content: dict[str, Any]) -> None:
        """Add a message without waiting for it; order is kept, because the store takes saves as they come."""
        task = asyncio.create_task(self._saver.tell(kind, content))
        self._telling.add(task)
        task.add_done_callback(self._heard)

    def _heard(self, task: asyncio.Task[None]) -> None:
        self._telling.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._trouble = self._trouble or task.exception()

    async def _told(self) -> None:
        if self._telling:
            await asyncio.gather(*self._telling, return_exceptions=True)

    def _input_came(self) -> None:
        self._interrupted = True
        self._control.request_drain("input")

    # ----------------------------------------------------------------------------------------------- waiting and ending

    async def _wait(self, interrupts: tuple[Interrupt[Any], ...]) -> str:
        asked = {one.id: one for one in interrupts}
        contents, schemas, lifetimes = [], [], []
        for one in asked.values():
            content, schema, lifetime = prompt_content(one.value)
            given = one.response_schema if isinstance(one.response_schema, dict) else schema
            if given is not None:
                # An answer could never be checked against one that is wrong: nobody could answer.
                check_schema("response_schema", given)
            span = self._graph.prompt_lifetime if lifetime is None else timedelta(seconds=lifetime)
            contents.append(_prompt_text(content))
            schemas.append(None if given is None else json.dumps(clean(given)))
            lifetimes.append(span)
        row = await self._runner.ask(
            _SQL["wait"], self._held, ids=list(asked), contents=contents, schemas=schemas, lifetimes=lifetimes
        )
        outcome: str = row["outcome"]
        return outcome

    async def _complete(self, values: Any) -> str:
        text = _output_text(values)
        if len(text) >= OUTPUT_LIMIT or len(text.encode()) >= OUTPUT_LIMIT:
            raise OutputTooLarge("output data exceeds 100MB limit", hint="store it elsewhere and return a reference")
        try:
            row = await self._runner.ask(_SQL["finish"], self._held, output=text, error=None, trace=None)
        except pg.CheckViolation as error:
            raise OutputTooLarge("output data exceeds 100MB limit") from error
        outcome: str = row["outcome"]
        return outcome

    async def _fail(self, reason: str, error: BaseException) -> str:
        trace = clean("".join(traceback.format_exception(error)))[-_TRACE_LIMIT:]
        row = await self._runner.ask(_SQL["finish"], self._held, output=None, error=clean(reason), trace=trace)
        if row["outcome"] == "lost":
            raise LeaseLost(f"run {self._run.id} no longer executes the session", hint="stop") from error
        raise Fail(clean(reason)) from error

    def _output(self, values: Any) -> Any:
        """What the graph gives away of its state: the channels of its output schema."""
        keys = self._compiled.output_channels
        if isinstance(keys, str) or not isinstance(values, dict):
            return values
        return {key: values[key] for key in keys if key in values}


def _prompt_text(content: dict[str, Any]) -> str:
    text = json.dumps(content)
    if len(text) > _PROMPT_LIMIT:
        raise InvalidInput(
            f"a prompt has {len(text)} bytes, the limit is {_PROMPT_LIMIT}",
            hint="keep large data in the state, and ask about it",
            field="prompt",
        )
    return text


def _output_text(values: Any) -> str:
    """An output as JSON, of any size; what JSON has no word for is shown as text."""
    try:
        return encode("output", values, limit=sys.maxsize)
    except InvalidInput:
        return encode("output", shown(values), limit=sys.maxsize)


def _summary(error: BaseException) -> str:
    try:
        text = error.message if isinstance(error, HoldfastError) else str(error)
    except Exception:
        text = "it cannot say why"
    if isinstance(error, OutputTooLarge):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
