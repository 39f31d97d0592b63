"""Sessions over HTTP: start, answer, look, follow.

`GET …/sessions/{name}/events` is a stream of server-sent events: one for each message, its id the sequence number. A
reader that comes back with `Last-Event-ID` gets what it has not had, once and in order, from whichever server answers.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any, BinaryIO, Literal

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field

from holdfast.errors import InvalidInput, NotFound
from holdfast.http.access import Body
from holdfast.http.acting import acting, application
from holdfast.http.bodies import object_of
from holdfast.http.conventions import located
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute, needs
from holdfast.http.streams import EVENTS, Stream
from holdfast.kernel.actor import Actor
from holdfast.kernel.json import answer, dump
from holdfast.kernel.page import Page
from holdfast.sessions import (
    Checkpoint,
    Comparison,
    Drawing,
    Message,
    Prompt,
    SessionDefinition,
    SessionInfo,
    State,
    Storage,
)
from holdfast.sessions.api import fetch_output

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["sessions"], route_class=GuardedRoute)

_KEEP_ALIVE_SECONDS = 15.0
_CHUNK = 1 << 20
Limit = Annotated[int, Query(ge=1, le=200)]
MessageType = Literal["system", "agent", "user", "error", "workflow_progress", "workflow_waiting_for_input"]
Part = Annotated[str | None, Query(description="only sessions whose input contains this JSON object")]


class NewSession(Body):
    """A session to start."""

    workflow: str
    name: str | None = Field(None, description="unique in the tenant; made up when left out")
    input: Any = None
    timeout_seconds: float | None = Field(None, gt=0, description="limits the whole session, waiting included")


class PromptAnswer(Body):
    """An answer to a prompt."""

    answer: Any
    prompt_id: str = Field(description="which prompt: an answer that is sent twice must not answer the next one")


class FurtherInput(Body):
    """Another input for a session that is not finished."""

    input: Any


class Cancel(Body):
    """Why a session is ended."""

    reason: str = "cancelled"


class Edit(Body):
    """Values to write to the graph's channels."""

    values: dict[str, Any]
    as_node: str | None = Field(None, description="as if this node had returned them")
    reason: str = ""


class Fork(Body):
    """Where a new session begins."""

    checkpoint: str | None = Field(None, description="the latest when left out")
    name: str | None = None
    timeout_seconds: float | None = Field(None, gt=0)


class Pruned(Body):
    """How many checkpoints were forgotten."""

    checkpoints: int


@router.get("/session-definitions", response_model=list[SessionDefinition])
async def list_definitions(request: Request, tenant: str, tag: str | None = None) -> Response:
    """What sessions can be started of."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.sessions.definitions(tag=tag))


@router.get("/session-definitions/{name}", response_model=SessionDefinition)
async def read_definition(request: Request, tenant: str, name: str) -> Response:
    """One definition, with the schema of its input."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.sessions.definition(name))


@router.get("/sessions", response_model=Page[SessionInfo])
async def list_sessions(
    request: Request,
    tenant: str,
    status: str | None = None,
    workflow: str | None = None,
    input: Part = None,  # noqa: A002 - it is the input
    limit: Limit = 50,
    cursor: str | None = None,
) -> Response:
    """Sessions, newest first, without their inputs and outputs."""
    part = None if input is None else object_of("input", input)
    async with acting(request, tenant) as hold:
        return Exact(await hold.sessions.list(status=status, workflow=workflow, input=part, limit=limit, cursor=cursor))


@router.post("/sessions", response_model=SessionInfo, status_code=201)
@needs("sessions:write")
@located("sessions/{session_name}")
async def start_session(request: Request, tenant: str, wanted: NewSession) -> Response:
    """Start a session."""
    async with acting(request, tenant) as hold:
        return Exact(
            await hold.sessions.start(wanted.workflow, wanted.input, name=wanted.name, timeout=wanted.timeout_seconds),
            201,
        )


@router.get("/sessions/{name}", response_model=SessionInfo)
async def read_session(request: Request, tenant: str, name: str) -> Response:
    """One session, with input and output."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.sessions.get(name))


@router.get("/sessions/{name}/output")
async def read_output(request: Request, tenant: str, name: str) -> Response:
    """The output of a completed session alone, wherever it is kept; nothing is sent before it is checked."""
    async with acting(request, tenant) as hold:
        session = await hold.sessions.get(name)
        if session.output_reference is None:
            return Exact(await hold.sessions.output(name))
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the stream closes it
    try:
        await fetch_output(application(request).session_outputs, session, file)
    except BaseException:
        file.close()
        raise
    headers = {"Content-Length": str(session.output_size), "ETag": f'"{session.output_hash}"'}
    return StreamingResponse(_chunks(file), media_type="application/json", headers=headers)


@router.delete("/sessions/{name}", status_code=204)
async def delete_session(request: Request, tenant: str, name: str) -> Response:
    """Delete a session with everything that belongs to it."""
    async with acting(request, tenant) as hold:
        await hold.sessions.delete(name)
    return Response(status_code=204)


@router.get("/sessions/{name}/messages", response_model=list[Message])
async def list_messages(
    request: Request,
    tenant: str,
    name: str,
    after: Annotated[int, Query(ge=0)] = 0,
    type: MessageType | None = None,  # noqa: A002 - it is the type
    limit: Limit = 200,
) -> Response:
    """What happened, in order, after a sequence number; of one type, or all."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.sessions.messages(name, after=after, type=type, limit=limit))


@router.get("/sessions/{name}/events", response_class=StreamingResponse)
async def follow_session(
    request: Request,
    tenant: str,
    name: str,
    last_event_id: Annotated[str | None, Header()] = None,
    after: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """Messages as server-sent events; ends with an event `end` when the session has ended."""
    if last_event_id is not None:
        if not (last_event_id.isascii() and last_event_id.isdigit()) or len(last_event_id) > 9:
            raise InvalidInput("Last-Event-ID is not a sequence number", field="Last-Event-ID")
        after = int(last_event_id)
    async with acting(request, tenant) as hold:
        session = await hold.sessions.get(name)
        reader = hold.actor
    if session.finished and after >= session.last_sequence:
        # Nothing will ever follow: a browser that gets this does not come back.
        return Response(status_code=204)
    told = _events(request, tenant, name, after, reader)
    return Stream(told, needs="sessions:read", media_type="text/event-stream", headers=EVENTS)


@router.get("/sessions/{name}/prompts", response_model=list[Prompt])
async def list_prompts(request: Request, tenant: str, name: str, all: bool = False) -> Response:  # noqa: A002
    """The questions that wait for an answer, or every one there was."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.sessions.prompts(name, open_only=not all))


@router.post("/sessions/{name}/answers", response_model=SessionInfo)
@needs("sessions:write")
async def answer_prompt(request: Request, tenant: str, name: str, given: PromptAnswer) -> Response:
    """Answer a prompt, once: whoever is second gets 409."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.sessions.answer(name, given.answer, prompt_id=given.prompt_id))


@router.post("/sessions/{name}/inputs", response_model=SessionInfo)
@needs("sessions:write")
async def send_input(request: Request, tenant: str, name: str, further: FurtherInput) -> Response:
    """Give a session that is not finished another input, if its definition takes any."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.sessions.send(name, further.input))


@router.post("/sessions/{name}/cancel", response_model=SessionInfo)
@needs("sessions:write")
async def cancel_session(request: Request, tenant: str, name: str, cancel: Cancel) -> Response:
    """End a session that is not finished."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.sessions.cancel(name, reason=cancel.reason))


@router.get("/sessions/{name}/checkpoints", response_model=list[Checkpoint])
async def list_checkpoints(
    request: Request, tenant: str, name: str, limit: Limit = 50, before: str | None = None
) -> Response:
    """The states that were saved, newest first."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.sessions.checkpoints(name, limit=limit, before=before))


@router.get("/sessions/{name}/state", response_model=State)
async def read_state(request: Request, tenant: str, name: str, checkpoint: str | None = None) -> Response:
    """What the graph's channels held at a checkpoint."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.sessions.state(name, checkpoint))


@router.get("/sessions/{name}/state/changes", response_model=Comparison)
async def compare_states(
    request: Request,
    tenant: str,
    name: str,
    checkpoint: Annotated[str | None, Query(description="the latest when left out")] = None,
    against: Annotated[str | None, Query(description="the one it followed when left out")] = None,
) -> Response:
    """What a checkpoint changed in the graph's channels, against the one before it or any other."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.sessions.compare(name, checkpoint, against=against))


@router.get("/sessions/{name}/graph")
async def read_graph(request: Request, tenant: str, name: str) -> Drawing | None:
    """The nodes and ways of the graph that it goes through; null until a session of this revision was executed."""
    async with acting(request, tenant) as hold:
        return await hold.sessions.graph(name)


@router.patch("/sessions/{name}/state", response_model=SessionInfo)
@needs("sessions:operate")
async def edit_state(request: Request, tenant: str, name: str, edit: Edit) -> Response:
    """Change the state of a session that waits."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.sessions.edit(name, edit.values, as_node=edit.as_node, reason=edit.reason))


@router.post("/sessions/{name}/fork", response_model=SessionInfo, status_code=201)
@needs("sessions:operate")
@located("sessions/{session_name}")
async def fork_session(request: Request, tenant: str, name: str, fork: Fork) -> Response:
    """Start a new session from a checkpoint of this one."""
    async with acting(request, tenant) as hold:
        return Exact(
            await hold.sessions.fork(
                name, checkpoint=fork.checkpoint, new_name=fork.name, timeout=fork.timeout_seconds
            ),
            201,
        )


@router.get("/sessions/{name}/storage")
async def read_storage(request: Request, tenant: str, name: str) -> Storage:
    """How many bytes the session takes."""
    async with acting(request, tenant) as hold:
        return await hold.sessions.storage(name)


@router.post("/sessions/{name}/prune")
async def prune_session(request: Request, tenant: str, name: str) -> Pruned:
    """Forget all checkpoints but the latest."""
    async with acting(request, tenant) as hold:
        return Pruned(checkpoints=await hold.sessions.prune(name))


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while chunk := file.read(_CHUNK):
            yield chunk


async def _events(request: Request, tenant: str, name: str, after: int, reader: Actor) -> AsyncIterator[str]:
    app = application(request)
    messages = aiter(app.follow_session(tenant, name, after=after, actor=reader))
    # Tells intermediaries and browsers at once that the stream is open, and how soon to come back after a loss.
    yield "retry: 1000\n\n"
    waiting: asyncio.Task[Message] | None = None
    try:
        while True:
            waiting = waiting or asyncio.ensure_future(anext(messages))
            done, _ = await asyncio.wait({waiting}, timeout=_KEEP_ALIVE_SECONDS)
            if not done:
                yield ": still here\n\n"
                continue
            try:
                message = waiting.result()
            except StopAsyncIteration:
                async with app.tenant(tenant, actor=reader) as hold:
                    session = await hold.sessions.get(name)
                yield f"event: end\ndata: {dump({'status': session.status, 'error': session.error_message})}\n\n"
                return
            except NotFound as gone:
                # A reader that came back would be given the messages of another session of that name.
                yield f"event: end\ndata: {dump({'status': 'deleted', 'error': gone.message})}\n\n"
                return
            finally:
                waiting = None
            data = answer(message).decode()
            yield f"id: {message.sequence_number}\nevent: {message.message_type}\ndata: {data}\n\n"
    finally:
        if waiting is not None:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        await messages.aclose()  # type: ignore[attr-defined]  # it is a generator
