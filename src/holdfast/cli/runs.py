"""`holdfast runs`: look at runs, and operate them."""

from __future__ import annotations

import time
from collections.abc import Container
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

import typer
from rich.live import Live

from holdfast.app import Hold
from holdfast.cli.output import (
    AsJson,
    TenantOption,
    echo_json,
    out,
    read_json,
    say,
    show,
    table_of,
    warn,
    with_hold,
)
from holdfast.errors import InvalidInput
from holdfast.kernel.json import pretty
from holdfast.runs.api import TypeStats
from holdfast.runs.model import Enqueued

__all__ = ["add"]

commands = typer.Typer(help="Runs of a tenant.", no_args_is_help=True)

_COLUMNS = ("id", "type", "status", "attempt", "priority", "run_at", "waiting_for", "last_error")
_STATS = ("type", "status", "runs", "oldest", "worker")
_TYPES = ("type", "ready", "delayed", "blocked", "leased", "oldest", "paused_by_prefix", "handled")
_UNFINISHED = ("pending", "leased")
_RunId = Annotated[UUID, typer.Argument(help="Id of the run.")]


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="runs")


@commands.command("list")
def list_runs(
    tenant: TenantOption,
    status: Annotated[str | None, typer.Option(help="Only this status.")] = None,
    prefix: Annotated[str | None, typer.Option(help="Only types that begin so.")] = None,
    key: Annotated[str | None, typer.Option(help="Only with this idempotency key.")] = None,
    error: Annotated[str | None, typer.Option(help="Only where the last error contains this.")] = None,
    payload: Annotated[str | None, typer.Option(help="Only where the payload contains this JSON object.")] = None,
    since: Annotated[datetime | None, typer.Option(help="Only those created since, in UTC.")] = None,
    until: Annotated[datetime | None, typer.Option(help="Only those created before, in UTC.")] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """The latest runs, newest first; those for which everything that is asked for holds."""
    contains = None if payload is None else read_json("payload", payload)
    page = with_hold(
        tenant,
        lambda hold: hold.runs.list(
            status=status,
            prefix=prefix,
            key=key,
            error=error,
            payload=contains,
            since=since and since.replace(tzinfo=UTC),
            until=until and until.replace(tzinfo=UTC),
            limit=limit,
        ),
    )
    show(f"Runs of {tenant}", _COLUMNS, page.items, as_json=as_json)


@commands.command("show")
def show_run(tenant: TenantOption, run_id: _RunId, as_json: AsJson = False) -> None:
    """Everything that is known of a run, with its steps and events."""

    async def look(hold: Any) -> Any:
        events = (await hold.audit.list(object_id=run_id, limit=200)).items
        return await hold.runs.get(run_id), await hold.runs.steps(run_id), events

    run, steps, events = with_hold(tenant, look)
    if as_json:
        echo_json({"run": run, "steps": steps, "events": events})
        return
    facts = [{"field": name, "value": _text(getattr(run, name))} for name in run.__slots__]
    show(f"Run {run_id}", ("field", "value"), facts, as_json=False)
    show("Steps", ("created_at", "name", "result"), steps, as_json=False)
    show("Events", ("created_at", "event_type", "actor", "data"), events, as_json=False)


@commands.command("enqueue")
def enqueue(
    tenant: TenantOption,
    type_: Annotated[str, typer.Argument(metavar="TYPE", help="Type, such as billing.invoice_charge.v1.")],
    payload: Annotated[str, typer.Argument(help="Payload as JSON.")] = "{}",
    key: Annotated[str | None, typer.Option(help="Idempotency key.")] = None,
    priority: Annotated[int, typer.Option(help="Higher goes first.")] = 0,
    delay: Annotated[float, typer.Option(help="Seconds to wait.", min=0)] = 0,
    max_attempts: Annotated[int | None, typer.Option(help="Attempts; by default what the handler says.")] = None,
    concurrency_key: Annotated[str | None, typer.Option(help="Of the runs with one key, few execute at once.")] = None,
    concurrency_limit: Annotated[int | None, typer.Option(help="How few; one by default.", min=1)] = None,
) -> None:
    """Enqueue a run and print its id."""
    value = read_json("payload", payload)

    async def work(hold: Hold) -> tuple[Enqueued, bool]:
        attempts = await hold.runs.attempts_elsewhere(type_) if max_attempts is None else max_attempts
        made = await hold.runs.enqueue(
            type_,
            value,
            key=key,
            priority=priority,
            delay=delay or None,
            max_attempts=attempts,
            concurrency_key=concurrency_key,
            concurrency_limit=concurrency_limit,
        )
        return made, type_ in await hold.runs.handled([type_])

    made, handled = with_hold(tenant, work)
    typer.echo(str(made.id))
    if not handled:
        warn(f"no worker that is running handles {type_}; the run waits for one that does")


@commands.command("emit")
def emit(
    tenant: TenantOption,
    key: Annotated[str, typer.Argument(help="Key of the event.")],
    payload: Annotated[str, typer.Argument(help="Payload as JSON.")] = "{}",
) -> None:
    """Let an event happen: runs that wait for it go on."""
    value = read_json("payload", payload)
    created = with_hold(tenant, lambda hold: hold.runs.emit(key, value))
    say("It happened." if created else "It had happened already, with the same payload.")


@commands.command("cancel")
def cancel(
    tenant: TenantOption,
    run_id: _RunId,
    reason: Annotated[str, typer.Option(help="Why.")] = "cancelled on the command line",
) -> None:
    """Cancel a run that is not finished, and those it started."""
    run = with_hold(tenant, lambda hold: hold.runs.cancel(run_id, reason=reason))
    show("Cancelled", _COLUMNS, [run], as_json=False)


@commands.command("retry")
def retry(tenant: TenantOption, run_id: _RunId) -> None:
    """Enqueue a finished run anew, as another run, and print its id."""
    typer.echo(str(with_hold(tenant, lambda hold: hold.runs.retry(run_id)).id))


@commands.command("delete")
def delete(tenant: TenantOption, run_id: _RunId, reason: Annotated[str, typer.Option(help="Why.")]) -> None:
    """Delete a run softly: it is never executed again, its key is free, the row stays for retention."""
    run = with_hold(tenant, lambda hold: hold.runs.delete(run_id, reason=reason))
    show("Deleted", (*_COLUMNS, "deleted_at"), [run], as_json=False)


@commands.command("stats")
def stats(
    tenant: TenantOption,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Look again every second, until Ctrl-C.")] = False,
    as_json: AsJson = False,
) -> None:
    """How many runs there are, by type and status, and whether a worker is running for what is unfinished."""

    async def count(hold: Hold) -> list[dict[str, Any]]:
        counted = await hold.runs.stats()
        handled = await hold.runs.handled({each.type for each in counted})
        return [asdict(each) | {"worker": _worker(each, handled)} for each in counted]

    def look() -> list[dict[str, Any]]:
        return with_hold(tenant, count)

    if watch and as_json:
        raise InvalidInput("--watch is for people", hint="leave out --json, or call it again and again", field="watch")
    if not watch:
        show(f"Runs of {tenant}", _STATS, look(), as_json=as_json)
        return
    with Live(console=out, auto_refresh=False) as live:
        while True:
            live.update(table_of(f"Runs of {tenant}", _STATS, look()), refresh=True)
            time.sleep(1)


@commands.command("types")
def types(tenant: TenantOption, as_json: AsJson = False) -> None:
    """The queue by type: how many runs there are, whether they are paused, and whether a worker handles them."""
    found = with_hold(tenant, lambda hold: hold.operate.types())
    show(f"Types of runs of {tenant}", _TYPES, found, as_json=as_json)


@commands.command("pause")
def pause(tenant: TenantOption, prefix: str) -> None:
    """Stop executing runs whose type begins with a prefix."""

    async def work(hold: Hold) -> bool:
        await hold.runs.pause(prefix)
        return bool(await hold.actions.suggestions("runs.types", prefix=prefix))

    known = with_hold(tenant, work)
    say(f"Paused {prefix}; holdfast runs resume -t {tenant} {prefix} goes on.")
    if not known:
        # It may be about types to come; or it is misspelt, and what should stand still does not.
        say("No run of such a type is known here yet.")


@commands.command("resume")
def resume(tenant: TenantOption, prefix: str) -> None:
    """Execute them again."""
    with_hold(tenant, lambda hold: hold.runs.resume(prefix))
    say(f"Resumed {prefix}.")


@commands.command("pauses")
def pauses(tenant: TenantOption, as_json: AsJson = False) -> None:
    """Which prefixes are paused."""
    found = with_hold(tenant, lambda hold: hold.runs.pauses())
    show(f"Paused in {tenant}", ("prefix", "paused_at", "paused_by"), found, as_json=as_json)


def _worker(each: TypeStats, handled: Container[str]) -> str | None:
    if each.status not in _UNFINISHED:
        return None
    return "running" if each.type in handled else "none"


def _text(value: Any) -> Any:
    return pretty(value) if isinstance(value, dict | list) else value
