"""`holdfast serve`, `worker`, `migrate`, `doctor`, `settings` and `version`."""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import signal
import threading
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import psycopg
import typer
from rich.markup import escape

from holdfast.app import Holdfast
from holdfast.cli.loading import application
from holdfast.cli.output import AsJson, out, progress, say, set_up_logging, show
from holdfast.doctor import examine
from holdfast.errors import HoldfastError
from holdfast.kernel import loops
from holdfast.kernel.addresses import authority, is_loopback
from holdfast.postgres.connect import reach
from holdfast.postgres.database import addresses
from holdfast.postgres.embedded import EmbeddedServer
from holdfast.postgres.migrate import Status, migrate, status
from holdfast.reporting import report_errors
from holdfast.sessions.setup import is_behind, set_up
from holdfast.settings import Settings

if TYPE_CHECKING:
    from holdfast.http.demonstration import Demonstration

__all__ = ["add"]

_log = logging.getLogger("holdfast.worker")
_COUNT_SECONDS = 30.0

WithParent = Annotated[
    bool,
    typer.Option("--with-parent", hidden=True, help="Stop when standard input closes, that is, with the parent."),
]


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.command("serve")(serve)
    cli.command("worker")(worker)
    cli.command("migrate")(run_migrate)
    cli.command("doctor")(doctor)
    cli.command("settings")(list_settings)
    cli.command("version")(show_version)


Target = Annotated[
    str | None,
    typer.Option("--app", help="Where your code is: module:name of a Holdfast, or of what makes one."),
]


def serve(
    target: Target = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    with_parent: WithParent = False,
    demo: Annotated[
        bool, typer.Option("--demo", hidden=True, help="Let people of the demo be switched; for `holdfast up` alone.")
    ] = False,
) -> None:
    """Run the HTTP server and the console."""
    # Imported here: they would double the time that every other command takes to start.
    from holdfast.http import build
    from holdfast.http.listening import listen
    from holdfast.http.shutdown import Server

    given: dict[str, Any] = {"host": host, "port": port}
    app = application(target, on_progress=progress)
    own = app.settings.model_dump(include={"host", "port", "log_level"})
    settings = Settings.load(None, **(own | {name: value for name, value in given.items() if value is not None}))
    set_up_logging(settings.log_level)
    report_errors(settings, "serve")
    if with_parent:
        _stop_with_parent()
    # Uvicorn hides what goes wrong at start-up behind its own exit; open first, so that it is one clear line.
    # Only `holdfast up` starts a server that has a parent; and only there, on this machine alone, is it a demo.
    is_demo = demo and with_parent and is_loopback(settings.host)
    server = Server(build(app, demo=_demonstration(app) if is_demo else None))

    async def run() -> None:
        await app.open(wait=True)
        async with app:
            with listen(
                settings.host, settings.port, hint="stop the other program, or choose another port with --port"
            ) as listener:
                if not with_parent:
                    where = authority(settings.host, listener.getsockname()[1])
                    progress(f"listening on http://{where}; Ctrl-C stops")
                await server.serve([listener])

    loops.run(run())


def _demonstration(app: Holdfast) -> Demonstration:
    from holdfast.demo import PEOPLE, TENANT, switch
    from holdfast.http.demonstration import Demonstration, DemoPerson

    people = [
        DemoPerson(user=each.name, display_name=each.display_name, title=each.title, roles=list(each.roles))
        for each in PEOPLE
        if each.title
    ]
    return Demonstration(TENANT, people, partial(switch, app))


def worker(
    target: Target = None,
    prefix: Annotated[
        list[str] | None, typer.Option(help="Prefix of types to execute; repeatable; default: what is handled.")
    ] = None,
    concurrency: Annotated[int | None, typer.Option(help="Runs at a time.", min=1)] = None,
    schedules: Annotated[bool, typer.Option("--schedules/--no-schedules", help="Fire schedules too.")] = True,
    metrics_port: Annotated[
        int | None, typer.Option(help="Serve /metrics for Prometheus there; 0 takes a free port.", min=0, max=65535)
    ] = None,
    with_parent: WithParent = False,
) -> None:
    """Execute runs, advance processes, fire schedules, send effects and outbox events, keep house.

    SIGTERM and Ctrl-C finish what runs, then stop.
    """
    app = application(target, on_progress=progress)
    report_errors(app.settings, "worker")
    app.tend_sessions()
    app.tend_operations()
    app.replay_what_ifs()
    set_up_logging(app.settings.log_level)
    if with_parent:
        _stop_with_parent()

    async def run() -> None:
        await app.open(wait=True)
        async with app:
            working = app.worker(prefixes=prefix or (), concurrency=concurrency)
            workers: list[_Working] = [
                working,
                app.engine_worker(name=working.name),
                app.effects_worker(name=working.name),
            ]
            _log.info("%s executes %s, advances processes and sends effects", working.name, working.executes)
            if app.has_sinks:
                sending = app.dispatcher(name=working.name)
                workers.append(sending)
                _log.info("%s sends outbox events to %s", sending.name, sending.sends_to)
            if schedules:
                workers.append(app.scheduler())
            loop = asyncio.get_running_loop()
            for name in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(name, _stop_all, workers)
            background = [asyncio.create_task(_keep_house(app)), asyncio.create_task(_keep_minutes(app))]
            if metrics_port is not None:
                background.append(_serve_metrics(app, metrics_port))
            try:
                await _run_all(workers)
            finally:
                await loops.end(*background)

    loops.run(run())


def _serve_metrics(app: Holdfast, port: int) -> asyncio.Task[None]:
    # Imported here: workers without it start faster.
    from holdfast.http.metrics import MetricsServer

    server = MetricsServer(app, port)
    _log.info("metrics are at http://%s/metrics", authority(app.settings.host, server.port))
    return asyncio.create_task(server.run_here())


class _Working(Protocol):
    def stop(self) -> None: ...
    async def run(self) -> None: ...


def _stop_all(workers: Sequence[_Working]) -> None:
    for each in workers:
        each.stop()


async def _run_all(workers: Sequence[_Working]) -> None:
    """Run workers until they are told to stop. When one fails, the others stop too, and the failure is ours."""
    tasks = [asyncio.create_task(each.run()) for each in workers]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        _stop_all(workers)
        await asyncio.gather(*tasks)


async def _keep_house(app: Holdfast) -> None:
    while True:
        try:
            await app.database.check_schema()
            await app.tidy()
        except (HoldfastError, psycopg.Error) as error:
            await app.database.wait_out(error, "housekeeping", tolerant=True)
            if app.database.outage.lasts:
                continue
        await asyncio.sleep(app.settings.janitor_interval)


async def _keep_minutes(app: Holdfast) -> None:
    """Count what every minute brought; whichever worker comes first does it."""
    while True:
        await asyncio.sleep(_COUNT_SECONDS)
        try:
            if app.database.fits:
                await app.roll_up()
        except (HoldfastError, psycopg.Error) as error:
            await app.database.wait_out(error, "counting minutes", tolerant=True)


def run_migrate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be applied.")] = False,
    show_status: Annotated[bool, typer.Option("--status", help="Show which are applied.")] = False,
) -> None:
    """Bring the database's schema up to date."""
    settings = Settings.load()

    async def run() -> None:
        server = None
        if settings.embedded:
            server = EmbeddedServer.start(settings.data_dir, version=settings.postgres_version, on_progress=progress)
        try:
            admin = addresses(settings, server).admin
            if not dry_run and not show_status:
                applied = await migrate(
                    admin,
                    retention=settings.audit_retention,
                    on_progress=progress,
                    timeout=settings.connect_timeout,
                )
                async with reach(admin, timeout=settings.connect_timeout) as connection:
                    behind = await is_behind(connection)
                if behind:
                    progress("Bringing LangGraph's tables up to date")
                    await set_up(admin, timeout=settings.connect_timeout)
                say(f"{len(applied)} applied, the database is up to date.")
                return
            async with reach(admin, timeout=settings.connect_timeout) as connection:
                found = await status(connection)
            if show_status:
                show(
                    "Migrations",
                    ("migration", "applied_at", "duration_ms"),
                    map(_status_row, found),
                    as_json=False,
                )
            else:
                pending = [entry.migration for entry in found if entry.applied_at is None]
                for migration in pending:
                    say(f"would apply {migration}")
                say(f"{len(pending)} to apply; nothing was changed.")
        finally:
            if server is not None:
                server.stop()

    asyncio.run(run())


def _status_row(entry: Status) -> dict[str, object]:
    return {
        "migration": str(entry.migration),
        "applied_at": entry.applied_at or "not yet",
        "duration_ms": entry.duration_ms,
    }


def doctor() -> None:
    """Check connection, version, roles, isolation, migrations, clock and partitions; exit code 1 when one fails."""
    marks = {"ok": "[green]✓[/]", "warning": "[yellow]![/]", "failed": "[red]✗[/]"}

    async def run() -> bool:
        failed = False
        async for finding in examine(Settings.load()):
            out.print(f"{marks[finding.verdict]} [bold]{finding.check}[/]: {escape(finding.detail)}", soft_wrap=True)
            if finding.fix:
                out.print(f"    → {escape(finding.fix)}", soft_wrap=True)
            failed = failed or finding.verdict == "failed"
        return failed

    if asyncio.run(run()):
        raise typer.Exit(1)


def list_settings(as_json: AsJson = False) -> None:
    """Every setting with its value now and what it is for; secrets are masked."""
    values = Settings.load().shown()
    rows = [
        {"variable": f"HOLDFAST_{name.upper()}", "value": values[name], "what_for": field.description}
        for name, field in Settings.model_fields.items()
    ]
    show("Settings", ("variable", "value", "what_for"), rows, as_json=as_json)


def show_version() -> None:
    """The version of holdfast, and of Python."""
    typer.echo(f"holdfast {version('holdfast')} (Python {platform.python_version()})")


def _stop_with_parent() -> None:
    """End like after SIGTERM when the parent is gone, however it went: its end of our standard input closes then."""

    def watch() -> None:
        # Unbuffered: a thread inside a buffered read would make the interpreter's shutdown fail.
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()
