"""`holdfast schedules`: runs that are enqueued by the clock."""

from __future__ import annotations

from typing import Annotated, Any, cast
from zoneinfo import ZoneInfo

import typer

from holdfast.app import Holdfast
from holdfast.cli.output import AsJson, TenantOption, read_json, say, show, with_app
from holdfast.errors import InvalidInput
from holdfast.kernel.json import pretty
from holdfast.runs.schedule import MissedPolicy, OverlapPolicy, ScheduleFields

__all__ = ["add"]

commands = typer.Typer(help="Schedules of a tenant.", no_args_is_help=True)

_COLUMNS = ("name", "type", "cron", "timezone", "state", "next_fire_at", "last_fire_at")
_Name = Annotated[str, typer.Argument(help="Name of the schedule.")]
_Count = Annotated[int, typer.Option("--number", "-n", help="How many.", min=1, max=100)]


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="schedules")


@commands.command("list")
def list_schedules(tenant: TenantOption, as_json: AsJson = False) -> None:
    """Every schedule, by name."""

    async def work(app: Holdfast) -> None:
        found, cursor = [], None
        async with app.tenant(tenant) as hold:
            while True:
                page = await hold.schedules.list(limit=200, cursor=cursor)
                found += page.items
                cursor = page.next_cursor
                if cursor is None:
                    break
        show(f"Schedules of {tenant}", _COLUMNS, found, as_json=as_json)

    with_app(work)


@commands.command("show")
def show_schedule(tenant: TenantOption, name: _Name, as_json: AsJson = False) -> None:
    """Everything that is known of a schedule."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            schedule = await hold.schedules.get(name)
        if as_json:
            show("", (), [schedule], as_json=True)
            return
        facts = [{"field": field, "value": _text(getattr(schedule, field))} for field in schedule.__slots__]
        show(f"Schedule {name}", ("field", "value"), facts, as_json=False)

    with_app(work)


@commands.command("create")
def create(
    tenant: TenantOption,
    name: _Name,
    type_: Annotated[str, typer.Argument(metavar="TYPE", help="Type of the runs, such as reports.daily.v1.")],
    cron: Annotated[str, typer.Argument(help="When: minute hour day month weekday, in quotes, or like @daily.")],
    payload: Annotated[str, typer.Option(help="Payload as JSON.")] = "{}",
    timezone: Annotated[str, typer.Option(help="IANA time zone of the expression.")] = "UTC",
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
    priority: Annotated[int, typer.Option(help="Higher goes first.")] = 0,
    max_attempts: Annotated[int | None, typer.Option(help="Attempts of each run.")] = None,
    missed: Annotated[str, typer.Option(help="Missed fires: skip, once or all.")] = "once",
    missed_limit: Annotated[int, typer.Option(help="With all: at most so many.")] = 100,
    overlap: Annotated[str, typer.Option(help="While the last run is unfinished: allow or skip.")] = "allow",
    paused: Annotated[bool, typer.Option("--paused", help="Do not fire yet.")] = False,
) -> None:
    """Create a schedule and show when it will fire."""
    value = read_json("payload", payload)

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            made = await hold.schedules.create(
                name,
                type_,
                cron,
                timezone=timezone,
                payload=value,
                description=description,
                priority=priority,
                max_attempts=max_attempts,
                # The schedule checks them, and says what can be chosen.
                missed=cast("MissedPolicy", missed),
                missed_limit=missed_limit,
                overlap=cast("OverlapPolicy", overlap),
                paused=paused,
            )
        show("Created", _COLUMNS, [made], as_json=False)

    with_app(work)


@commands.command("update")
def update(
    tenant: TenantOption,
    name: _Name,
    cron: Annotated[str | None, typer.Option(help="When: minute hour day month weekday, or like @daily.")] = None,
    timezone: Annotated[str | None, typer.Option(help="IANA time zone of the expression.")] = None,
    type_: Annotated[str | None, typer.Option("--type", help="Type of the runs.")] = None,
    payload: Annotated[str | None, typer.Option(help="Payload as JSON.")] = None,
    description: Annotated[str | None, typer.Option(help="What it is for.")] = None,
    priority: Annotated[int | None, typer.Option(help="Higher goes first.")] = None,
    max_attempts: Annotated[int | None, typer.Option(help="Attempts of each run.")] = None,
    missed: Annotated[str | None, typer.Option(help="Missed fires: skip, once or all.")] = None,
    missed_limit: Annotated[int | None, typer.Option(help="With all: at most so many.")] = None,
    overlap: Annotated[str | None, typer.Option(help="While the last run is unfinished: allow or skip.")] = None,
) -> None:
    """Change some of a schedule; what is not given stays."""
    given: dict[str, Any] = {
        "cron": cron,
        "timezone": timezone,
        "type": type_,
        "description": description,
        "priority": priority,
        "max_attempts": max_attempts,
        "missed": missed,
        "missed_limit": missed_limit,
        "overlap": overlap,
    }
    wanted = {field: value for field, value in given.items() if value is not None}
    if payload is not None:
        # It may be null, which is a payload too.
        wanted["payload"] = read_json("payload", payload)
    changes = cast("ScheduleFields", wanted)
    if not changes:
        raise InvalidInput("nothing is to be changed", hint="give an option, such as --cron '0 3 * * *'")

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            changed = await hold.schedules.update(name, **changes)
        show("Changed", _COLUMNS, [changed], as_json=False)

    with_app(work)


@commands.command("pause")
def pause(tenant: TenantOption, name: _Name) -> None:
    """Stop firing."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            await hold.schedules.pause(name)
        say(f"Paused {name}; holdfast schedules resume -t {tenant} {name} goes on.")

    with_app(work)


@commands.command("resume")
def resume(tenant: TenantOption, name: _Name) -> None:
    """Fire again, from the next time on."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            schedule = await hold.schedules.resume(name)
        show("Resumed", _COLUMNS, [schedule], as_json=False)

    with_app(work)


@commands.command("delete")
def delete(tenant: TenantOption, name: _Name) -> None:
    """Remove a schedule; its runs stay."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            await hold.schedules.delete(name)
        say(f"Deleted {name}.")

    with_app(work)


@commands.command("preview")
def preview(tenant: TenantOption, name: _Name, number: _Count = 10) -> None:
    """The next times it fires, in its own time zone and in UTC."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            schedule = await hold.schedules.get(name)
            fires = await hold.schedules.preview(name, number)
        zone = ZoneInfo(schedule.timezone)
        rows = [{"local": f"{fire.astimezone(zone):%a %Y-%m-%d %H:%M:%S %Z}", "utc": f"{fire:%F %T}"} for fire in fires]
        show(f"{name}: {schedule.cron}", ("local", "utc"), rows, as_json=False)

    with_app(work)


@commands.command("fire")
def fire(tenant: TenantOption, name: _Name) -> None:
    """Enqueue one run at once, besides those of the clock, and print its id."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            made = await hold.schedules.fire_now(name)
        typer.echo(str(made.id))

    with_app(work)


def _text(value: Any) -> Any:
    return pretty(value) if isinstance(value, dict | list) else value
