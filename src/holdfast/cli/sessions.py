"""`holdfast sessions` and `holdfast session-definitions`: start sessions, talk with them, look at them."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from holdfast.app import Holdfast
from holdfast.cli.loading import load_app
from holdfast.cli.output import (
    AsJson,
    TenantOption,
    in_one_line,
    out,
    read_file,
    read_json,
    say,
    set_up_logging,
    show,
    with_app,
)
from holdfast.errors import CanonicalError, InvalidInput, NotFound, OperationalError
from holdfast.kernel import loops
from holdfast.kernel.actor import SYSTEM
from holdfast.kernel.json import parse_json, pretty
from holdfast.runs import Worker
from holdfast.sessions import Message
from holdfast.sessions.retention import drop_old_checkpoints

__all__ = ["add"]

commands = typer.Typer(help="Sessions of a tenant.", no_args_is_help=True)
registry = typer.Typer(help="Definitions of sessions, for all tenants.", no_args_is_help=True)

_IDLE_SECONDS = 0.5
_COLUMNS = ("session_name", "workflow_name", "status", "created_at", "created_by", "error_message")
_DEFINITION_COLUMNS = ("name", "display_name", "version", "revision", "phase", "container_image", "active_sessions")
_Name = Annotated[str, typer.Argument(help="Name of the session.")]
_Definition = Annotated[str, typer.Argument(help="Name of the definition.")]


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="sessions")
    cli.add_typer(registry, name="session-definitions")
    cli.command("controller")(controller)


@commands.command("start")
def start(
    tenant: TenantOption,
    workflow: Annotated[str, typer.Argument(help="Name of the definition.")],
    given: Annotated[str, typer.Argument(metavar="INPUT", help="Input as JSON, or @file.")] = "{}",
    name: Annotated[str | None, typer.Option(help="Name of the session; made up when left out.")] = None,
    timeout: Annotated[float, typer.Option(help="Seconds the whole session may take; 0 for the default.")] = 0,
) -> None:
    """Start a session and print its name."""
    value = _value("INPUT", given)

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            made = await hold.sessions.start(workflow, value, name=name, timeout=timeout or None)
        typer.echo(made.session_name)

    with_app(work)


@commands.command("list")
def list_sessions(
    tenant: TenantOption,
    status: Annotated[str | None, typer.Option(help="Only this status.")] = None,
    workflow: Annotated[str | None, typer.Option(help="Only of this definition.")] = None,
    given: Annotated[
        str | None, typer.Option("--input", help="Only whose input contains this JSON object, or that of @file.")
    ] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """The latest sessions, newest first."""
    part = None if given is None else _object("--input", given)

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            page = await hold.sessions.list(status=status, workflow=workflow, input=part, limit=limit)
        show(f"Sessions of {tenant}", _COLUMNS, page.items, as_json=as_json)

    with_app(work)


@commands.command("show")
def show_session(tenant: TenantOption, name: _Name) -> None:
    """Everything that is known of a session: its state, what it asks, how much it stores, its checkpoints."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            one = await hold.sessions.get(name)
            prompts = await hold.sessions.prompts(name)
            storage = await hold.sessions.storage(name)
            checkpoints = await hold.sessions.checkpoints(name, limit=20)
        facts = [{"field": field, "value": _text(getattr(one, field))} for field in one.__slots__]
        facts.append({"field": "bytes", "value": storage.total})
        show(f"Session {name}", ("field", "value"), facts, as_json=False)
        rows = [
            {"prompt_id": one.prompt_id, "content": _text(one.content), "expires": one.expires_at} for one in prompts
        ]
        show("Open prompts", ("prompt_id", "content", "expires"), rows, as_json=False)
        show("Checkpoints", ("checkpoint_id", "created_at", "source", "step"), checkpoints, as_json=False)

    with_app(work)


@commands.command("answer")
def answer(
    tenant: TenantOption,
    name: _Name,
    given: Annotated[str, typer.Argument(metavar="ANSWER", help="As JSON; what is no JSON is taken as text.")],
    prompt_id: Annotated[
        str | None,
        typer.Option(help="Which prompt, by its id; without it you are shown the one that is open, and asked."),
    ] = None,
    user: Annotated[str | None, typer.Option("--as", help="Name of the user who answers.")] = None,
) -> None:
    """Answer an open prompt."""
    try:
        said = parse_json(given, exact=False)
    except CanonicalError:
        said = given

    async def work(app: Holdfast) -> None:
        chosen = await _confirmed_prompt(app, tenant, name) if prompt_id is None else prompt_id
        async with app.tenant(tenant, actor=user or SYSTEM) as hold:
            after = await hold.sessions.answer(name, said, prompt_id=chosen)
        say(f"Answered; the session is {after.status}.")

    with_app(work)


def at_a_terminal() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty()


async def _confirmed_prompt(app: Holdfast, tenant: str, name: str) -> str | None:
    """The only open prompt, if a person has seen it and says that it is meant; None has the error list what is open."""
    async with app.tenant(tenant) as hold:
        waiting = await hold.sessions.prompts(name)
    if len(waiting) != 1 or not at_a_terminal():
        return None
    say(f"{waiting[0].prompt_id}: {_text(waiting[0].content)}")
    return waiting[0].prompt_id if typer.confirm("Answer this?") else None


@commands.command("follow")
def follow(
    tenant: TenantOption,
    name: _Name,
    after: Annotated[int, typer.Option(help="Begin after this sequence number.", min=0)] = 0,
    as_json: AsJson = False,
) -> None:
    """Print messages as they come, until the session has ended."""

    async def work(app: Holdfast) -> None:
        async for message in app.follow_session(tenant, name, after=after):
            typer.echo(_line(message, as_json))
        async with app.tenant(tenant) as hold:
            one = await hold.sessions.get(name)
        if not as_json:
            out.print(f"[bold]{one.status}[/]")

    with_app(work)


@commands.command("cancel")
def cancel(
    tenant: TenantOption,
    name: _Name,
    reason: Annotated[str, typer.Option(help="Why.")] = "cancelled on the command line",
) -> None:
    """End a session that is not finished."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            one = await hold.sessions.cancel(name, reason=reason)
        show("Cancelled", _COLUMNS, [one], as_json=False)

    with_app(work)


@commands.command("fork")
def fork(
    tenant: TenantOption,
    name: _Name,
    checkpoint: Annotated[str | None, typer.Option(help="Id of the checkpoint; the latest when left out.")] = None,
    new_name: Annotated[str | None, typer.Option("--name", help="Name of the new session.")] = None,
) -> None:
    """Start a new session from a checkpoint of another, and print its name."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            made = await hold.sessions.fork(name, checkpoint=checkpoint, new_name=new_name)
        typer.echo(made.session_name)

    with_app(work)


@commands.command("edit")
def edit(
    tenant: TenantOption,
    name: _Name,
    values: Annotated[str, typer.Argument(help="Values of channels as a JSON object, or @file.")],
    as_node: Annotated[str | None, typer.Option("--as-node", help="As if this node had returned them.")] = None,
    reason: Annotated[str, typer.Option(help="Why; kept in the audit trail.")] = "",
) -> None:
    """Change the state of a session that waits; it goes on from there."""
    given = _value("values", values)
    if not isinstance(given, dict):
        raise InvalidInput("the values are no JSON object", hint='write {"channel": value}')

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            edited = await hold.sessions.edit(name, given, as_node=as_node, reason=reason)
        say(f"{edited.session_name} is {edited.status}.")

    with_app(work)


@commands.command("delete")
def delete(tenant: TenantOption, name: _Name) -> None:
    """Delete a session with its messages and checkpoints."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            await hold.sessions.delete(name)
        say(f"Deleted {name}.")

    with_app(work)


@commands.command("prune")
def prune(
    days: Annotated[int, typer.Option(help="Days to keep; 0 for HOLDFAST_CHECKPOINT_RETENTION_DAYS.", min=0)] = 0,
) -> None:
    """Forget old checkpoints of all tenants now, as the schedule of each does every night."""

    async def work(app: Holdfast) -> None:
        sessions = checkpoints = 0
        for tenant in await app.tenants.list():
            done = await drop_old_checkpoints(app.database, app.clock, tenant.tenant, days=days or None)
            sessions, checkpoints = sessions + done.sessions, checkpoints + done.checkpoints
        say(f"{sessions} finished sessions and {checkpoints} older checkpoints were pruned.")

    with_app(work)


@commands.command("execute")
def execute(
    tenant: TenantOption,
    name: _Name,
    target: Annotated[
        str,
        typer.Option(
            "--app",
            envvar=["WORKFLOW_APP", "HOLDFAST_APP"],
            help="Where your graphs are: module:name of a Holdfast.",
        ),
    ],
) -> None:
    """Work until a session waits or has ended: what the Job of a session does. Exit code 1 when stopped before that."""
    app = load_app(target)

    async def run() -> bool:
        await app.open(wait=True)
        async with app:
            worker = app.worker(concurrency=1)
            loop = asyncio.get_running_loop()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, worker.stop)
            watching = asyncio.create_task(_stop_when_idle(app, tenant, name, worker))
            try:
                await worker.run()
            finally:
                await loops.end(watching)
            return await _is_idle(app, tenant, name)

    if not loops.run(run()):
        # Kubernetes takes a container that ends well for one that is done, and would start no other.
        raise typer.Exit(1)


async def _stop_when_idle(app: Holdfast, tenant: str, name: str, worker: Worker) -> None:
    idle = False
    while not idle:
        await asyncio.sleep(_IDLE_SECONDS)
        # A database that does not answer for a moment is the worker's business: it waits for it too.
        with suppress(OperationalError):
            idle = await _is_idle(app, tenant, name)
    worker.stop()


async def _is_idle(app: Holdfast, tenant: str, name: str) -> bool:
    """Whether there is nothing to execute of a session; one that is gone is past everything."""
    try:
        async with app.tenant(tenant) as hold:
            return (await hold.sessions.get(name)).status not in ("pending", "running")
    except NotFound:
        return True


def controller(
    namespace: Annotated[str, typer.Option(help="Where Jobs of sessions are made.")] = "default",
    secret: Annotated[str | None, typer.Option(help="Secret with HOLDFAST_DSN for the Jobs.")] = None,
    interval: Annotated[float, typer.Option(help="Seconds between two looks.", min=0.1)] = 5.0,
    patience: Annotated[
        float, typer.Option(help="Seconds a pod may be unable to start before its session fails.", min=0)
    ] = 300.0,
    once: Annotated[bool, typer.Option("--once", help="Look once and end.")] = False,
) -> None:
    """Keep Kubernetes' WorkflowDefinitions and the registry the same, and start a Job for each session of an image."""
    from holdfast.sessions.kubernetes.cluster import Cluster
    from holdfast.sessions.kubernetes.controller import Controller

    async def work(app: Holdfast) -> None:
        set_up_logging(app.settings.log_level)
        cluster = Cluster(namespace)
        working = Controller(
            app.database, app.session_definitions, app.tenant, cluster, secret=secret, patience=patience
        )
        if once:
            await working.once()
            return
        # Nobody else may be there to end overdue sessions: those of images have their workers only while they run.
        app.tend_sessions()
        worker = app.worker()
        expiring = asyncio.create_task(worker.run())
        stopping = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stopping.set)
        await working.run(interval, stopping)
        worker.stop()
        await expiring

    with_app(work, wait=not once)


@registry.command("list")
def list_definitions(
    tag: Annotated[str | None, typer.Option(help="Only with this tag.")] = None, as_json: AsJson = False
) -> None:
    """All definitions."""

    async def work(app: Holdfast) -> None:
        show("Definitions", _DEFINITION_COLUMNS, await app.session_definitions.list(tag=tag), as_json=as_json)

    with_app(work)


@registry.command("register")
def register(
    file: Annotated[Path, typer.Argument(help="The definition, or its custom resource, as YAML or JSON.")],
    replace: Annotated[bool, typer.Option("--replace", help="Make a new revision of one that exists.")] = False,
) -> None:
    """Register a definition that a container image executes."""
    try:
        found = yaml.safe_load(read_file("file", file))
    except yaml.YAMLError as error:
        raise InvalidInput(f"{file} cannot be read: {error}", hint="give a YAML or JSON file", field="file") from None
    spec = found.get("spec", found) if isinstance(found, dict) else {}

    async def work(app: Holdfast) -> None:
        made = await app.session_definitions.register(spec, replace=replace)
        show("Registered", _DEFINITION_COLUMNS, [made], as_json=False)

    with_app(work)


@registry.command("deprecate")
def deprecate(name: _Definition, reason: Annotated[str | None, typer.Option(help="Why.")] = None) -> None:
    """Mark a definition as not recommended."""

    async def work(app: Holdfast) -> None:
        show("Deprecated", _DEFINITION_COLUMNS, [await app.session_definitions.deprecate(name, reason)], as_json=False)

    with_app(work)


@registry.command("activate")
def activate(name: _Definition) -> None:
    """Recommend a definition again, or try again one whose image could not be pulled."""

    async def work(app: Holdfast) -> None:
        show("Active", _DEFINITION_COLUMNS, [await app.session_definitions.activate(name)], as_json=False)

    with_app(work)


@registry.command("delete")
def delete_definition(name: _Definition) -> None:
    """Remove a definition without active sessions."""

    async def work(app: Holdfast) -> None:
        await app.session_definitions.delete(name)
        say(f"Deleted {name}.")

    with_app(work)


def _value(field: str, text: str) -> Any:
    return read_json(field, read_file(field, Path(text[1:])) if text.startswith("@") else text)


def _object(field: str, text: str) -> dict[str, Any]:
    found = _value(field, text)
    if not isinstance(found, dict):
        raise InvalidInput(f"{field} is not a JSON object", hint='such as {"customer": "acme"}', field=field)
    return found


def _line(message: Message, as_json: bool) -> str:
    if as_json:
        facts = {"sequence_number": message.sequence_number, "type": message.message_type, "content": message.content}
        return in_one_line(facts)
    time = message.timestamp.astimezone().strftime("%H:%M:%S")
    content = in_one_line(message.content)
    return f"{message.sequence_number:>5} {time} {message.message_type:<26} {content}"


def _text(value: Any) -> Any:
    return pretty(value) if isinstance(value, dict | list) else value
