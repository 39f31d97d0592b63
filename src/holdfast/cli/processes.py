"""`holdfast processes`: look at process instances, and operate them; `holdfast triggers`: what starts automations."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any
from uuid import UUID

import typer

from holdfast.app import Holdfast
from holdfast.cli.output import AsJson, TenantOption, echo_json, read_json, say, show, with_app
from holdfast.kernel.actor import SYSTEM

__all__ = ["add"]

commands = typer.Typer(help="Process instances of a tenant.", no_args_is_help=True)
triggers = typer.Typer(help="What starts automations.", no_args_is_help=True)

_COLUMNS = ("id", "workflow_id", "status", "doc_status", "current_step", "version", "updated_at", "reason")
_STEPS = ("opened_seq", "node_id", "token_id", "status", "outcome", "acted_as", "created_at", "duration_ms")
_LETTERS = ("id", "instance_id", "event_type", "attempts", "created_at", "error")
_TRIGGERS = ("name", "workflow_id", "trigger_type", "entity_type", "event_key", "cron", "enabled", "next_at")
_Id = Annotated[UUID, typer.Argument(help="Id of the instance.")]
_Reason = Annotated[str, typer.Option(help="Why; kept in the audit trail.")]


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="processes")
    cli.add_typer(triggers, name="triggers")


@commands.command("list")
def list_processes(
    tenant: TenantOption,
    workflow: Annotated[str | None, typer.Option(help="Only of this document type or automation.")] = None,
    status: Annotated[str | None, typer.Option(help="Only this status.")] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """The latest instances, newest first."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            page = await hold.processes.list(workflow_id=workflow, status=status, limit=limit)
        show(f"Processes of {tenant}", _COLUMNS, page.items, as_json=as_json)

    with_app(work)


@commands.command("show")
def show_process(tenant: TenantOption, instance_id: _Id, as_json: AsJson = False) -> None:
    """Where an instance stands, what it waits for, and every step it took."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            instance = await hold.processes.get(instance_id)
            steps = (await hold.processes.steps(instance_id, limit=1000)).items
            waiting = await hold.processes.waits(instance_id)
        if as_json:
            show(f"Process {instance_id}", tuple(instance.__slots__), [instance], as_json=True)
            return
        facts = [{"field": name, "value": str(getattr(instance, name))} for name in _COLUMNS]
        show(f"Process {instance_id}", ("field", "value"), facts, as_json=False)
        show("Waits for", ("token", "name", "kind", "text", "since"), waiting, as_json=False)
        show("Steps", _STEPS, steps, as_json=False)

    with_app(work)


@commands.command("advance")
def advance(
    tenant: TenantOption,
    instance_id: _Id,
    event: Annotated[str, typer.Argument(help="A transition such as submit, or the key of an awaited event.")],
    value: Annotated[str, typer.Option("--input", help="Input as JSON.")] = "null",
    user: Annotated[str | None, typer.Option("--user", "-u", help="Who does it; trusted code by default.")] = None,
    expected: Annotated[int | None, typer.Option(help="The version you saw.")] = None,
    reason: Annotated[str | None, typer.Option(help="Why.")] = None,
) -> None:
    """Let something happen to an instance now."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=user or SYSTEM) as hold:
            done = await hold.processes.advance(
                instance_id, event, read_json("input", value), expected_version=expected, reason=reason
            )
        say(f"{done.result}: {done.status}, at {', '.join(done.current_nodes) or 'the end'}, version {done.version}")

    with_app(work)


@commands.command("tell")
def tell(
    tenant: TenantOption,
    key: Annotated[str, typer.Argument(help="Key of the event.")],
    payload: Annotated[str, typer.Argument(help="Payload as JSON.")] = "null",
    event_id: Annotated[str | None, typer.Option(help="The source's own name for the event.")] = None,
) -> None:
    """Tell of an event from outside."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            told = await hold.processes.tell(key, read_json("payload", payload), event_id=event_id)
        say(f"{len(told.waiting)} waiting, {told.started} to start" if told.new else "known already")

    with_app(work)


@commands.command("pause")
def pause(tenant: TenantOption, instance_id: _Id, reason: _Reason) -> None:
    """Stop an instance for now."""
    _operate(tenant, lambda hold: hold.processes.pause(instance_id, reason=reason))


@commands.command("resume")
def resume(tenant: TenantOption, instance_id: _Id) -> None:
    """Let a paused instance go on."""
    _operate(tenant, lambda hold: hold.processes.resume(instance_id))


@commands.command("cancel")
def cancel(tenant: TenantOption, instance_id: _Id, reason: _Reason) -> None:
    """Stop an instance for good."""
    _operate(tenant, lambda hold: hold.processes.cancel(instance_id, reason=reason))


@commands.command("fail")
def force_fail(tenant: TenantOption, instance_id: _Id, reason: _Reason) -> None:
    """Give an instance up: it is failed for good."""
    _operate(tenant, lambda hold: hold.processes.force_fail(instance_id, reason=reason))


@commands.command("retry")
def retry(
    tenant: TenantOption,
    instance_id: _Id,
    token: Annotated[str | None, typer.Option(help="Token of the failed step, when several failed.")] = None,
) -> None:
    """Let a failed step be tried again."""
    _operate(tenant, lambda hold: hold.processes.retry_step(instance_id, token=token))


@commands.command("rebuild")
def rebuild(
    tenant: TenantOption,
    instance_id: _Id,
    check: Annotated[bool, typer.Option("--check", help="Only say what differs; change nothing.")] = False,
) -> None:
    """Work out from the steps where an instance stands, and write that."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            repair = hold.processes.repair
            done = await (repair.check_projection(instance_id) if check else repair.rebuild_projection(instance_id))
        differed = ", ".join(done.differed)
        say(f"{'differs' if check else 'corrected'}: {differed}" if differed else "it was right")

    with_app(work)


@commands.command("stuck")
def stuck(
    tenant: TenantOption,
    minutes: Annotated[float, typer.Option(help="Without progress for so long.", min=1, max=525_600)] = 15,
    enqueue: Annotated[bool, typer.Option("--enqueue", help="Let the worker look at them again.")] = False,
    as_json: AsJson = False,
) -> None:
    """Instances that stand still without waiting for a person, an event or a time."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            found = await hold.processes.repair.stuck(older=timedelta(minutes=minutes))
            for each in found if enqueue else ():
                await hold.processes.repair.enqueue_again(each.instance_id)
        show("Stuck", ("instance_id", "workflow_id", "nodes", "since", "why"), found, as_json=as_json)

    with_app(work)


@commands.command("migrate")
def migrate(
    tenant: TenantOption,
    instance_id: _Id,
    definition_id: Annotated[UUID, typer.Argument(help="Id of the definition to follow.")],
    version: Annotated[int, typer.Argument(help="Its version.")],
    apply: Annotated[bool, typer.Option("--apply", help="Do it; otherwise only say whether it can be done.")] = False,
) -> None:
    """Let a running instance follow another version of its definition."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            plan = await hold.processes.repair.migrate(instance_id, definition_id, version, dry_run=not apply)
        for reason in plan.reasons:
            say(f"- {reason}")
        say("migrated" if plan.migrated else "possible" if plan.possible else "not possible")

    with_app(work)


@commands.command("health")
def health(tenant: TenantOption, as_json: AsJson = False) -> None:
    """How the engine is doing: what is pending, dead letters, delays."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            found = await hold.processes.repair.health()
        show("Health", tuple(found.__slots__), [found], as_json=as_json)

    with_app(work)


@commands.command("dead")
def dead(
    tenant: TenantOption,
    event_type: Annotated[str | None, typer.Option("--type", help="Only of this type.")] = None,
    instance: Annotated[UUID | None, typer.Option(help="Only of this instance.")] = None,
    again: Annotated[bool, typer.Option("--replay", help="Let all that match be tried again.")] = False,
    limit: Annotated[int, typer.Option(help="How many to list.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """Dead letters of the engine inbox, the latest first."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            if again:
                say(f"{await hold.processes.inbox.replay_all(event_type=event_type, instance_id=instance)} replayed")
                return
            page = await hold.processes.inbox.dead_letters(event_type=event_type, instance_id=instance, limit=limit)
        show(f"Dead letters of {tenant}", _LETTERS, page.items, as_json=as_json)

    with_app(work)


@commands.command("buffered")
def buffered(
    tenant: TenantOption,
    key: Annotated[str | None, typer.Option(help="Only of this key.")] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """Events from outside that nobody has waited for yet, the latest first."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            page = await hold.processes.inbox.buffered(event_key=key, limit=limit)
        show(
            f"Events of {tenant}",
            ("id", "event_key", "actor", "received_at", "expires_at"),
            page.items,
            as_json=as_json,
        )

    with_app(work)


@commands.command("possibilities")
def possibilities(
    tenant: TenantOption,
    instance_id: _Id,
    user: Annotated[str | None, typer.Option("--user", "-u", help="For whom; trusted code by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """What may happen next to an instance, whether somebody can let it, and why not."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=user or SYSTEM) as hold:
            found = await hold.processes.possibilities(instance_id)
        show(f"Process {instance_id}", ("name", "outcome", "open", "code", "text"), found, as_json=as_json)

    with_app(work)


@commands.command("replay")
def replay(tenant: TenantOption, event_id: Annotated[UUID, typer.Argument(help="Id of the dead letter.")]) -> None:
    """Let a dead letter of the engine inbox be tried again."""
    _operate(tenant, lambda hold: hold.processes.replay_event(event_id))


@commands.command("skip")
def skip(
    tenant: TenantOption,
    event_id: Annotated[UUID, typer.Argument(help="Id of the dead letter.")],
    reason: Annotated[str, typer.Option(help="Why.")],
) -> None:
    """Give up a dead letter of the engine inbox; its process stays where it is."""
    _operate(tenant, lambda hold: hold.processes.skip_event(event_id, reason=reason))


@triggers.command("list")
def list_triggers(tenant: TenantOption, as_json: AsJson = False) -> None:
    """Every trigger, by name."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            found = await hold.triggers.list()
        show(f"Triggers of {tenant}", _TRIGGERS, found, as_json=as_json)

    with_app(work)


@triggers.command("show")
def show_trigger(tenant: TenantOption, name: Annotated[str, typer.Argument(help="Name of the trigger.")]) -> None:
    """One trigger, and what would be without it, as JSON."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            found, without = await hold.triggers.get(name), await hold.triggers.consequences(name)
        echo_json({"trigger": found, "without_it": without})

    with_app(work)


@triggers.command("enable")
def enable(tenant: TenantOption, name: Annotated[str, typer.Argument(help="Name of the trigger.")]) -> None:
    """Let a trigger work."""
    _operate(tenant, lambda hold: hold.triggers.enable(name))


@triggers.command("disable")
def disable(tenant: TenantOption, name: Annotated[str, typer.Argument(help="Name of the trigger.")]) -> None:
    """Stop a trigger."""
    _operate(tenant, lambda hold: hold.triggers.enable(name, enabled=False))


def _operate(tenant: str, act: Any) -> None:
    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            await act(hold)
        say("done")

    with_app(work)
