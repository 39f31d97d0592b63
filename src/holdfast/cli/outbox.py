"""`holdfast outbox`: look at events, replay them, and send them."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
from typing import Annotated, Any
from uuid import UUID

import typer
from rich.console import Console
from rich.live import Live

from holdfast.app import Holdfast
from holdfast.cli.loading import application
from holdfast.cli.output import AsJson, TenantOption, echo_json, progress, say, set_up_logging, show, with_app
from holdfast.errors import InvalidInput
from holdfast.kernel import loops
from holdfast.kernel.json import pretty
from holdfast.outbox import Dispatcher
from holdfast.outbox.sinks.stdout import StdoutSink

__all__ = ["add"]

commands = typer.Typer(help="Events for other systems.", no_args_is_help=True)

_COLUMNS = ("id", "type", "status", "subject", "attempts", "next_attempt_at", "last_error")
_EventId = Annotated[UUID, typer.Argument(help="Id of the event.")]
_PROGRESS_EVERY = 0.5


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="outbox")


@commands.command("list")
def list_events(
    tenant: TenantOption,
    status: Annotated[str | None, typer.Option(help="Only this status.")] = None,
    prefix: Annotated[str | None, typer.Option(help="Only types that begin so.")] = None,
    aggregate: Annotated[str | None, typer.Option(help="Only of this aggregate, as type/id.")] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """The latest events, newest first."""
    kind, _, identity = (aggregate or "").partition("/")

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            page = await hold.outbox.list(
                status=status, prefix=prefix, aggregate=(kind, identity) if aggregate else None, limit=limit
            )
        show(f"Events of {tenant}", _COLUMNS, page.items, as_json=as_json)

    with_app(work)


@commands.command("show")
def show_event(tenant: TenantOption, event_id: _EventId, as_json: AsJson = False) -> None:
    """Everything that is known of an event, with what happened to it."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            event = await hold.outbox.get(event_id)
            told = (await hold.audit.list(object_id=event_id, limit=200)).items
        if as_json:
            echo_json({"event": event, "events": told})
            return
        facts = [{"field": name, "value": _text(getattr(event, name))} for name in event.__slots__]
        show(f"Event {event_id}", ("field", "value"), facts, as_json=False)
        show("What happened", ("created_at", "event_type", "actor", "data"), told, as_json=False)

    with_app(work)


@commands.command("replay")
def replay(
    tenant: TenantOption,
    event_id: Annotated[UUID | None, typer.Argument(help="Id of one event, dead or not.")] = None,
    dead: Annotated[bool, typer.Option("--dead", help="Every dead event.")] = False,
    type_: Annotated[str | None, typer.Option("--type", metavar="TYPE", help="Every dead event of a type.")] = None,
) -> None:
    """Send an event again, or every dead one, or those of a type."""
    if sum((event_id is not None, dead or type_ is not None)) != 1:
        raise InvalidInput("say what to replay", hint="give the id of an event, or --dead, or --type", field="event_id")

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            if event_id is not None:
                show("Replayed", _COLUMNS, [await hold.outbox.replay(event_id)], as_json=False)
                return
            events = await hold.outbox.replay_dead(type=type_)
        say(f"{len(events)} replayed.")

    with_app(work)


@commands.command("skip")
def skip(tenant: TenantOption, event_id: _EventId, reason: Annotated[str, typer.Option(help="Why.")]) -> None:
    """Let the events that wait behind a dead one go on without it."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            event = await hold.outbox.skip(event_id, reason=reason)
        show("Skipped", _COLUMNS, [event], as_json=False)

    with_app(work)


@commands.command("stats")
def stats(tenant: TenantOption, as_json: AsJson = False) -> None:
    """How many events there are, by type and status."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            found = await hold.outbox.stats()
        show(f"Events of {tenant}", ("type", "status", "events", "oldest"), found.types, as_json=as_json)
        if not as_json:
            say(f"{found.waiting} to send, {found.dead} dead, which block {found.blocked} aggregates.")

    with_app(work)


@commands.command("dispatch")
def dispatch(
    target: Annotated[
        str | None,
        typer.Option("--app", help="Where your own sinks are: module:name of a Holdfast, or of what makes one."),
    ] = None,
    concurrency: Annotated[int | None, typer.Option(help="Aggregates at a time.", min=1)] = None,
) -> None:
    """Send events until SIGTERM or Ctrl-C, which finish what is under way. Any number may run at once."""
    app = application(target, on_progress=progress)
    set_up_logging(app.settings.log_level)

    async def run() -> None:
        await app.open(wait=True)
        async with app:
            dispatcher = app.dispatcher(concurrency=concurrency)
            loop = asyncio.get_running_loop()
            for name in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(name, dispatcher.stop)
            unread = _end_when_unread(dispatcher)
            progress(f"sending events to {dispatcher.sends_to}; Ctrl-C stops")
            watching = asyncio.create_task(_watch(dispatcher))
            try:
                await dispatcher.run()
            finally:
                await loops.end(watching)
                progress(_summary(dispatcher))
            if unread.is_set():
                # As any command whose output nobody reads any more: no word, and exit code 1.
                raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    loops.run(run())


def _end_when_unread(dispatcher: Dispatcher) -> asyncio.Event:
    """Let it end when whoever read our output has gone, as `head` does: nobody will ever read it again."""
    unread = asyncio.Event()

    def end() -> None:
        unread.set()
        dispatcher.stop(at_once=True)

    for sink in dispatcher.sinks:
        if isinstance(sink, StdoutSink):
            sink.on_unread = end
    return unread


async def _watch(dispatcher: Dispatcher) -> None:
    """A line that counts, for whoever watches. On standard error: standard output may be a sink."""
    console = Console(stderr=True)
    if not console.is_terminal:
        return
    with Live(console=console, refresh_per_second=4, transient=True) as live:
        while True:
            live.update(f"[dim]•[/] {_summary(dispatcher)}")
            await asyncio.sleep(_PROGRESS_EVERY)


def _summary(dispatcher: Dispatcher) -> str:
    return f"{dispatcher.published} sent, {dispatcher.failed} failed attempts, {dispatcher.dead} dead"


def _text(value: Any) -> Any:
    return pretty(value) if isinstance(value, dict | list) else value
