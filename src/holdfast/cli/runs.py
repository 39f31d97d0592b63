"""`holdfast runs`: look at runs, and operate them."""

from __future__ import annotations

import json
from typing import Annotated, Any
from uuid import UUID

import typer

from holdfast.app import Holdfast
from holdfast.cli.output import AsJson, TenantOption, out, show, with_app
from holdfast.errors import InvalidInput

__all__ = ["add"]

commands = typer.Typer(help="Runs of a tenant.", no_args_is_help=True)

_COLUMNS = ("id", "type", "status", "attempt", "priority", "run_at", "last_error")
_RunId = Annotated[UUID, typer.Argument(help="Id of the run.")]


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="runs")


@commands.command("list")
def list_runs(
    tenant: TenantOption,
    status: Annotated[str | None, typer.Option(help="Only this status.")] = None,
    prefix: Annotated[str | None, typer.Option(help="Only types that begin so.")] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """The latest runs, newest first."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            page = await hold.runs.list(status=status, prefix=prefix, limit=limit)
        show(f"Runs of {tenant}", _COLUMNS, page.items, as_json=as_json)

    with_app(work)


@commands.command("show")
def show_run(tenant: TenantOption, run_id: _RunId) -> None:
    """Everything that is known of a run, with its events."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            run = await hold.runs.get(run_id)
            events = (await hold.audit.list(object_id=run_id, limit=200)).items
        facts = [{"field": name, "value": _text(getattr(run, name))} for name in run.__slots__]
        show(f"Run {run_id}", ("field", "value"), facts, as_json=False)
        show("Events", ("created_at", "event_type", "actor", "data"), events, as_json=False)

    with_app(work)


@commands.command("enqueue")
def enqueue(
    tenant: TenantOption,
    type_: Annotated[str, typer.Argument(metavar="TYPE", help="Type, such as billing.invoice_charge.v1.")],
    payload: Annotated[str, typer.Argument(help="Payload as JSON.")] = "{}",
    key: Annotated[str | None, typer.Option(help="Idempotency key.")] = None,
    priority: Annotated[int, typer.Option(help="Higher goes first.")] = 0,
    delay: Annotated[float, typer.Option(help="Seconds to wait.", min=0)] = 0,
) -> None:
    """Enqueue a run and print its id."""
    try:
        value = json.loads(payload)
    except ValueError as error:
        raise InvalidInput(f"payload is not JSON: {error}", hint="quote it for the shell", field="payload") from None

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            made = await hold.runs.enqueue(type_, value, key=key, priority=priority, delay=delay or None)
        typer.echo(str(made.id))

    with_app(work)


@commands.command("cancel")
def cancel(
    tenant: TenantOption,
    run_id: _RunId,
    reason: Annotated[str, typer.Option(help="Why.")] = "cancelled on the command line",
) -> None:
    """Cancel a run that is not finished."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            run = await hold.runs.cancel(run_id, reason=reason)
        show("Cancelled", _COLUMNS, [run], as_json=False)

    with_app(work)


@commands.command("retry")
def retry(tenant: TenantOption, run_id: _RunId) -> None:
    """Enqueue a finished run anew, as another run, and print its id."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            made = await hold.runs.retry(run_id)
        typer.echo(str(made.id))

    with_app(work)


@commands.command("delete")
def delete(tenant: TenantOption, run_id: _RunId, reason: Annotated[str, typer.Option(help="Why.")]) -> None:
    """Delete a run softly: it is never executed again, its key is free, the row stays for retention."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            run = await hold.runs.delete(run_id, reason=reason)
        show("Deleted", (*_COLUMNS, "deleted_at"), [run], as_json=False)

    with_app(work)


@commands.command("stats")
def stats(tenant: TenantOption, as_json: AsJson = False) -> None:
    """How many runs there are, by type and status."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            found = await hold.runs.stats()
        show(f"Runs of {tenant}", ("type", "status", "runs", "oldest"), found, as_json=as_json)

    with_app(work)


@commands.command("pause")
def pause(tenant: TenantOption, prefix: str) -> None:
    """Stop executing runs whose type begins with a prefix."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            await hold.runs.pause(prefix)
        out.print(f"Paused {prefix}; holdfast runs resume -t {tenant} {prefix} goes on.")

    with_app(work)


@commands.command("resume")
def resume(tenant: TenantOption, prefix: str) -> None:
    """Execute them again."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            await hold.runs.resume(prefix)
        out.print(f"Resumed {prefix}.")

    with_app(work)


@commands.command("pauses")
def pauses(tenant: TenantOption, as_json: AsJson = False) -> None:
    """Which prefixes are paused."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            found = await hold.runs.pauses()
        show(f"Paused in {tenant}", ("prefix", "paused_at", "paused_by"), found, as_json=as_json)

    with_app(work)


def _text(value: Any) -> Any:
    return json.dumps(value, indent=2, ensure_ascii=False) if isinstance(value, dict | list) else value
