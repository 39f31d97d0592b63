"""One attempt at executing a session: streams its graph from the last checkpoint until it waits, ends or must stop.

What to do next is read from the state alone: nothing saved means the input, open questions with answers mean resuming
with them, a step that was not finished means going on. So a crash, a lost connection or a drained worker needs no
special care: the next attempt finds the last checkpoint and goes on, and at most the step under way is done again.
"""

from __future__ import annotations

import asyncio
import hashlib
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
from holdfast.kernel.json import decode_sent, dump, encode
from holdfast.kernel.names import did_you_mean
from holdfast.kernel.sealing import Sealing
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, Tenant
from holdfast.runs.model import Run
from holdfast.runs.signals import Fail, Snooze
from holdfast.sessions.acting import IN_SESSION, InSession
from holdfast.sessions.exits import Left, guarded
from holdfast.sessions.graphs import Graph
from holdfast.sessions.history import shown
from holdfast.sessions.listener import Listener
from holdfast.sessions.model import ERROR_TEXT, thread_of
from holdfast.sessions.outputs import Outputs
from holdfast.sessions.pauses import Pause, find_pause, has_stops, pause_at
from holdfast.sessions.saver import FencedSaver
from holdfast.sessions.schemas import check_schema
from holdfast.sessions.store import Fence, Store
from holdfast.sessions.streams import Speech, clean, progress, prompt_content, strings
from holdfast.sessions.traced_nodes import TracedNodes

__all__ = ["OUTPUT_LIMIT", "Conductor", "Execution"]

_SQL = queries("sessions")
_TRACE_LIMIT = 8000
_PROMPT_LIMIT = 10 << 20
_MODES = ("values", "updates", "custom")

_Question = tuple[dict[str, Any], dict[str, Any] | None, timedelta | None]
"""The content of a prompt, the schema of its answer, how long it stays open."""

OUTPUT_LIMIT = 104_857_600
"""Bytes that an output may not reach."""


class Conductor(Protocol):
    """What an execution asks of whoever runs it."""

    clock: Clock

    async def ask(self, query: LiteralString, fence: Fence, **values: Any) -> Row: ...

    async def query(self, query: LiteralString, **values: Any) -> Row: ...

    def outputs(self) -> Outputs | None: ...

    sealing: Sealing

    def compiled(self, graph: Graph) -> tuple[Any, Any, set[tuple[str, ...]]]: ...


@dataclass(slots=True)
class _Outcome:
    """What became of one stretch of streaming."""

    values: Any = None
    interrupts: tuple[Interrupt[Any], ...] = ()
    drained: bool = False
    stopped: bool = False
    """It came to a place where it was compiled to stop."""

    pause: Pause | None = None


class Execution:
    """One attempt at executing one session."""

    def __init__(
        self, runner: Conductor, run: Run, fence: Fence, begun: Row, graph: Graph, store: Store, database: Database
    ) -> None:
        self._runner = runner
        self._run = run
        self._fence = fence
        self._begun = begun
        self._graph = graph
        self._control = RunControl()
        self._fresh: bool = begun["fresh"]
        self._interrupted: bool = begun["interrupted"]
        self._queued: dict[str, Any] | None = decode_sent(begun["queued"]) if begun["queued"] else None
        answers: dict[str, Any] = decode_sent(begun["answers"]) if begun["answers"] else {}
        opened = runner.sealing.opened
        self._answers = {name: opened(run.tenant_text, answer) for name, answer in answers.items()}
        self._asked: list[str] = []
        self._passed_on: set[str] = set()
        self._telling: set[asyncio.Future[bool]] = set()
        self._trouble: BaseException | None = None
        # What people have said so far: the graph says it again, but it is not news.
        self._said = set(strings(decode_sent(begun["input"]))) | set(strings(list(self._answers.values())))
        compiled, serde, types = runner.compiled(graph)
        thread = thread_of(begun["project"], begun["name"])
        self._saver = FencedSaver(
            database,
            runner.clock,
            store,
            fence,
            Tenant(fence.tenant, begun["project"], begun["project"]),
            thread,
            serde,
            fresh=self._fresh,
            on_interrupt=self._input_came,
            types=types,
        )
        self._compiled = compiled.copy({"checkpointer": self._saver})
        self._stops = has_stops(compiled)
        self._thread = thread
        self._config = {"configurable": {"thread_id": thread}, "recursion_limit": graph.recursion_limit}

    async def run(self) -> str:
        """Until it waits, ends, or is to stop."""
        acting = IN_SESSION.set(InSession(self._begun["project"], self._begun["party"]))
        try:
            async with asyncio.timeout(self._begun["seconds_left"]) as limit:
                with guarded():
                    return await self._advance()
        except Left as error:
            return await self._fail(_summary(error.__cause__ or error), error)
        except (pg.ProgramLimitExceeded, pg.StatementTooComplex) as error:
            # Postgres will say the same next time.
            return await self._fail(_summary(error), error)
        except (LeaseLost, OperationalError, Snooze, Fail, psycopg.OperationalError):
            raise
        except TimeoutError as error:
            return await self._fail("timed out" if limit.expired() else _summary(error), error)
        except Exception as error:
            return await self._fail(_summary(error), error)
        finally:
            IN_SESSION.reset(acting)

    async def _advance(self) -> str:
        while True:
            outcome = await self._stretch()
            if outcome.drained and not self._interrupted:
                raise Snooze(0, "the worker stops; somebody else goes on from the last checkpoint")
            if outcome.interrupts and self._known(outcome.interrupts):
                continue
            if outcome.stopped and not outcome.interrupts:
                outcome.pause = await self._pause()
            if outcome.interrupts:
                done = await self._wait(outcome.interrupts)
            elif outcome.pause is not None:
                done = await self._open({outcome.pause.id: (outcome.pause.content, None, None)})
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
        row = await self._runner.query(_SQL["next_input"], tenant=self._fence.tenant, session=self._fence.session)
        self._queued = decode_sent(row["queued"]) if row["queued"] else None
        self._fresh = False

    async def _stretch(self) -> _Outcome:
        """From the state there is, to the next question, the end, or a stop."""
        if self._fresh:
            return await self._stream(decode_sent(self._begun["input"]))
        if self._asked:
            asked, self._asked = self._asked, []
            return await self._resume(asked)
        state = await self._compiled.aget_state(self._config)
        if state.created_at is None:
            return await self._stream(decode_sent(self._begun["input"]))
        if self._queued is not None and (self._interrupted or self._queued["kind"] == "edit" or not state.next):
            return await self._take_up(self._queued)
        asked = [one.id for task in state.tasks for one in task.interrupts]
        # An attempt before this one may have passed the answer on already, and passing it on twice would answer the
        # node's next question too. So a later attempt lets the graph ask: it asks only for what it does not have.
        if self._run.epoch == 1 and asked and all(name in self._answers for name in asked):
            return await self._resume(asked)
        if self._stops and not asked and state.next and (pause := await self._pause()):
            # An attempt before this one came here, and was lost before it could ask.
            return _Outcome(pause=pause)
        if state.next:
            return await self._stream(None)
        return _Outcome(values=state.values)

    async def _pause(self) -> Pause | None:
        """The stop that the graph has come to, which nobody has let it go on from; None when nothing comes next."""
        state = await self._compiled.aget_state(self._config, subgraphs=True)
        found = await find_pause(self._compiled, state, self._answers)
        if found is None and state.next and not self._stops:
            found = pause_at(state, self._answers)
        return found

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
        queued["body"] = self._runner.sealing.opened(self._run.tenant_text, queued["body"])
        self._said |= set(strings(queued["body"]))
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
        speech = Speech(self._tell)
        stream = self._compiled.astream(
            given,
            {**self._config, "callbacks": [Listener(speech.hear, speech.pause, self._said), self._traced()]},
            stream_mode=list(_MODES),
            subgraphs=True,
            durability=self._graph.durability,
            control=self._control,
        )
        try:
            async for within, mode, chunk in stream:
                if self._run.stopping:
                    self._control.request_drain()
                if mode == "custom":
                    self._tell("workflow_progress", progress(chunk))
                elif within:
                    continue  # a subgraph's own; what it asks and returns comes from the graph, too
                elif mode == "values":
                    outcome.values = chunk
                elif isinstance(chunk, dict) and "__interrupt__" in chunk:
                    outcome.interrupts += tuple(chunk["__interrupt__"])
                    outcome.stopped = True
        except GraphDrained:
            outcome.drained = True
        finally:
            speech.pause()
            await self._messages_saved()
        if self._trouble is not None:
            raise self._trouble
        return outcome

    def _traced(self) -> TracedNodes:
        return TracedNodes(self._graph.name, self._thread)

    def _tell(self, kind: str, content: dict[str, Any]) -> None:
        """Add a message without waiting for it; order is kept, because the store takes saves as they come."""
        task = self._saver.tell(kind, self._runner.sealing.seal_parts(self._run.tenant_text, content))
        self._telling.add(task)
        task.add_done_callback(self._heard)

    def _heard(self, task: asyncio.Future[bool]) -> None:
        self._telling.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._trouble = self._trouble or task.exception()

    async def _messages_saved(self) -> None:
        if self._telling:
            await asyncio.gather(*self._telling, return_exceptions=True)

    def _input_came(self) -> None:
        self._interrupted = True
        self._control.request_drain("input")

    # ----------------------------------------------------------------------------------------------- waiting and ending

    async def _wait(self, interrupts: tuple[Interrupt[Any], ...]) -> str:
        asked: dict[str, _Question] = {}
        for one in interrupts:
            content, schema, lifetime = prompt_content(one.value)
            given = one.response_schema if isinstance(one.response_schema, dict) else schema
            if given is not None:
                # An answer could never be checked against one that is wrong: nobody could answer.
                check_schema("response_schema", given)
            asked[one.id] = (content, given, None if lifetime is None else timedelta(seconds=lifetime))
        return await self._open(asked)

    async def _open(self, asked: dict[str, _Question]) -> str:
        """Open the prompts and wait for their answers."""
        contents, schemas, lifetimes = [], [], []
        for content, schema, lifetime in asked.values():
            text = _prompt_text(content)
            contents.append(self._runner.sealing.seal(self._run.tenant_text, text))
            schemas.append(None if schema is None else dump(clean(schema)))
            lifetimes.append(lifetime or self._graph.prompt_lifetime)
        row = await self._runner.ask(
            _SQL["wait"], self._fence, ids=list(asked), contents=contents, schemas=schemas, lifetimes=lifetimes
        )
        outcome: str = row["outcome"]
        if outcome == "unasked":
            raise InvalidInput(
                f"the graph stopped for input, but has no open prompt: {', '.join(asked)} was answered before",
                hint="upgrade LangGraph, and let each question be asked once",
            )
        return outcome

    async def _complete(self, values: Any) -> str:
        data = _output_text(values).encode()
        if len(data) < OUTPUT_LIMIT:
            try:
                return await self._finish(output=self._runner.sealing.seal(self._run.tenant_text, data.decode()))
            except pg.CheckViolation:
                # As jsonb it takes more room than as text.
                pass
        outputs = self._runner.outputs()
        if outputs is None:
            raise OutputTooLarge(
                "output data exceeds 100MB limit",
                hint="set HOLDFAST_SESSION_OUTPUTS, or store it elsewhere and return a reference",
            )
        reference = outputs.reference(*self._fence)
        announced = await self._runner.ask(_SQL["announce_output"], self._fence, object=reference)
        if not announced["done"]:
            return "lost"
        await outputs.put(reference, data)
        return await self._finish(reference=reference, hash=hashlib.sha256(data).hexdigest(), size=len(data))

    async def _finish(self, **result: Any) -> str:
        nothing = dict.fromkeys(("output", "reference", "hash", "size", "error", "trace"))
        row = await self._runner.ask(_SQL["finish"], self._fence, **nothing | result)
        outcome: str = row["outcome"]
        return outcome

    async def _fail(self, reason: str, error: BaseException) -> str:
        trace = clean("".join(traceback.format_exception(error)))[-_TRACE_LIMIT:]
        told, sealing = clean(reason), self._runner.sealing
        if sealing.encrypts:
            # What an exception says may be what it was about: its type stays in clear.
            trace = sealing.seal(self._run.tenant_text, dump({ERROR_TEXT: told, "stack_trace": trace}))
            told = type(error).__name__
        if await self._finish(error=told, trace=trace) == "lost":
            raise LeaseLost(f"run {self._run.id} no longer executes the session", hint="stop") from error
        raise Fail(clean(reason)) from error

    def _output(self, values: Any) -> Any:
        """What the graph gives away of its state: the channels of its output schema."""
        keys = self._compiled.output_channels
        if isinstance(keys, str) or not isinstance(values, dict):
            return values
        return {key: values[key] for key in keys if key in values}


def _prompt_text(content: dict[str, Any]) -> str:
    text = dump(content)
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
