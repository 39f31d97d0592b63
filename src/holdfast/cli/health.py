"""`holdfast health`, `incidents`, `workers`, `operations`: how a tenant is doing, and what is done to many at once."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from holdfast.app import Hold
from holdfast.cli.output import AsJson, TenantOption, echo_json, read_json, say, show, with_hold
from holdfast.errors import InvalidInput
from holdfast.operate import Matching
from holdfast.operations import Operation

__all__ = ["add"]

operations = typer.Typer(help="What is done to many things at once.", no_args_is_help=True)

_HEALTH = (
    *("queue", "pending", "working", "waiting", "stuck", "dead", "oldest_seconds"),
    *("finished", "errors", "p50_seconds", "p95_seconds"),
)
_POINT = ("at", "finished", "errors", "p50_seconds", "p95_seconds", "pending", "stuck", "dead", "oldest_seconds")
_OPERATION = ("id", "kind", "status", "total", "succeeded", "skipped", "failed", "created_by", "created_at", "error")
_Id = Annotated[UUID, typer.Argument(help="Id of the operation.")]


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.command("health")(health)
    cli.command("incidents")(incidents)
    cli.command("workers")(workers)
    cli.add_typer(operations, name="operations")


def health(
    tenant: TenantOption,
    queue: Annotated[
        str | None, typer.Option(help="One queue over time: runs, engine, effects, outbox or sessions.")
    ] = None,
    span: Annotated[str, typer.Option(help="How far back, with --queue: 5m, 1h or 24h.")] = "1h",
    as_json: AsJson = False,
) -> None:
    """How the queues of a tenant are doing: now and within the last hour; or one of them over time."""
    if queue is not None:
        series = with_hold(tenant, lambda hold: hold.operate.series(queue, span))
        show(f"{queue} of {tenant}", _POINT, series.points, as_json=as_json)
        return
    found = with_hold(tenant, lambda hold: hold.operate.health())
    show(f"Queues of {tenant}", _HEALTH, found.queues, as_json=as_json)


def incidents(
    tenant: TenantOption,
    queue: Annotated[str | None, typer.Option(help="Only of this queue.")] = None,
    hours: Annotated[int, typer.Option(help="How far back.", min=1, max=744)] = 24,
    as_json: AsJson = False,
) -> None:
    """What went wrong, grouped by error, the most frequent first."""
    found = with_hold(tenant, lambda hold: hold.operate.incidents(queue=queue, hours=hours))
    show(f"Incidents of {tenant}", ("count", "queue", "what", "error", "last_at", "example"), found, as_json=as_json)


def workers(tenant: TenantOption, as_json: AsJson = False) -> None:
    """Who works, on what, when they were last heard of, and what they have in hand of this tenant."""
    found = with_hold(tenant, lambda hold: hold.operate.workers())
    if as_json:
        echo_json(found)
        return
    rows = [
        {
            "name": each.name,
            "alive": each.alive,
            "seen_at": each.seen_at,
            "types": ", ".join([*each.types, *(f"{prefix}*" for prefix in each.prefixes)]),
            "in_hand": ", ".join(f"{one.queue}: {one.what}" for one in each.in_hand[:5])
            + (f" and {len(each.in_hand) - 5} more" if len(each.in_hand) > 5 else ""),
        }
        for each in found
    ]
    show("Workers", ("name", "alive", "seen_at", "types", "in_hand"), rows, as_json=False)


@operations.command("start")
def start(
    tenant: TenantOption,
    kind: Annotated[str, typer.Argument(help="runs.retry, runs.cancel, runs.delete, engine.replay, effects.replay …")],
    matching: Annotated[str, typer.Argument(metavar="FILTER", help='As JSON, such as {"prefix": "billing."}.')] = "{}",
    reason: Annotated[str | None, typer.Option(help="Why; cancelling, deleting and skipping need one.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what it would be about.")] = False,
) -> None:
    """Do something to everything that matches a filter, and print the operation's id; a worker does it."""
    given = read_json("filter", matching)
    if not isinstance(given, dict):
        raise InvalidInput("the filter is not a JSON object", hint='such as {"status": "failed"}', field="filter")

    async def work(hold: Hold) -> Matching | Operation:
        if dry_run:
            return await hold.operate.count(kind, given)
        return await hold.operate.start(kind, given, reason=reason)

    found = with_hold(tenant, work)
    if isinstance(found, Matching):
        say(f"{'More than ' if found.capped else ''}{found.count} match; nothing was changed.")
    else:
        typer.echo(str(found.id))


@operations.command("list")
def list_operations(
    tenant: TenantOption,
    kind: Annotated[str | None, typer.Option(help="Only this kind.")] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """The latest operations, newest first."""
    page = with_hold(tenant, lambda hold: hold.operations.list(kind=kind, limit=limit))
    show(f"Operations of {tenant}", _OPERATION, page.items, as_json=as_json)


@operations.command("show")
def show_operation(
    tenant: TenantOption,
    operation_id: _Id,
    outcome: Annotated[str | None, typer.Option(help="Items of this outcome: succeeded, skipped or failed.")] = None,
    limit: Annotated[int, typer.Option(help="How many items.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """How far an operation has come, and what became of its items."""

    async def look(hold: Hold) -> tuple[Operation, list[object]]:
        found = await hold.operations.get(operation_id)
        return found, list((await hold.operations.items(operation_id, outcome=outcome, limit=limit)).items)

    found, items = with_hold(tenant, look)
    if as_json:
        echo_json({"operation": found, "items": items})
        return
    show("Operation", _OPERATION, [found], as_json=False)
    show("Items", ("seq", "item", "outcome", "code", "detail"), items, as_json=False)


@operations.command("cancel")
def cancel(tenant: TenantOption, operation_id: _Id) -> None:
    """End an operation after the batch that is under way; what was done stays done."""
    found = with_hold(tenant, lambda hold: hold.operations.cancel(operation_id))
    show("Cancelled", _OPERATION, [found], as_json=False)
