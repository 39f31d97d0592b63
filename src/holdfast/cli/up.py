"""`holdfast up`: the whole product on this machine, in the foreground, until Ctrl-C.

It starts the embedded Postgres (or uses HOLDFAST_DSN), migrates, seeds the demo, and keeps a server and a worker
process running. The children stop when this process does, even when it is killed: they watch a pipe that the kernel
closes then. Whoever is last stops Postgres.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import http.client
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Annotated, Any

import typer
from rich.markup import escape

from holdfast import demo
from holdfast.app import Holdfast
from holdfast.cli.output import out, progress, say
from holdfast.errors import AlreadyRunning, NotFound, OperationalError
from holdfast.kernel.addresses import authority
from holdfast.settings import PREFIX, Settings

__all__ = ["add"]

_READY_TIMEOUT = 60.0
_STOP_TIMEOUT = 15.0


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.command("up")(up)
    demos = typer.Typer(help="The demo of `holdfast up`.", no_args_is_help=True)
    demos.command("reset")(reset_demo)
    cli.add_typer(demos, name="demo")


def reset_demo(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Forget all of the demo, whatever was done in it; the next `holdfast up` makes it anew."""
    settings = Settings.load()
    if not yes:
        typer.confirm(f"Forget everything in {settings.data_dir}?", abort=True)
    with _only_one(settings):
        asyncio.run(demo.reset(settings))
    say("Forgotten; holdfast up makes it anew.")


def up(
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 takes a free one.")] = None,
    with_demo: Annotated[
        bool, typer.Option("--demo/--no-demo", help="Seed a demo tenant and sign in to it; not beside HOLDFAST_APP.")
    ] = True,
) -> None:
    """Run everything: Postgres, migrations, server, worker. Ctrl-C stops it all."""
    given: dict[str, Any] = {} if port is None else {"port": port}
    # One worker executes one application: beside yours, nobody would do what the demo enqueues.
    with_demo = with_demo and Settings.load().app is None
    if with_demo and f"{PREFIX}RUN_EVENTS" not in os.environ:
        # A first look should show what becomes of runs; a busy installation keeps only what went wrong.
        given["run_events"] = "outcomes"
    settings = Settings.load(**given)
    try:
        with _only_one(settings) as mark:
            asyncio.run(_run(settings, mark, with_demo=with_demo))
    except AlreadyRunning as running:
        say(running.message)
        if with_demo and running.details["address"]:
            asyncio.run(_sign_in_again(settings, running.details["address"]))


async def _sign_in_again(settings: Settings, address: str) -> None:
    """Another link for the one that is running; those it printed stay good. Without the demo's tenant there is none."""
    async with Holdfast(settings, on_progress=progress) as app:
        with contextlib.suppress(NotFound):
            _show_sign_in(address, await demo.sign_in(app, ends_others=False))


async def _run(settings: Settings, mark: IO[str], *, with_demo: bool) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(name, stopping.set)
    port = _free_port(settings)
    address = f"http://{authority(settings.host, port)}"
    async with Holdfast(settings, on_progress=progress) as app:
        secret = None
        if with_demo:
            if not any(tenant.slug == demo.TENANT for tenant in await app.tenants.list()):
                progress("making the demo: a company with six weeks of work")
            await demo.seed(app)
            secret = await demo.sign_in(app)
        server = [sys.executable, "-m", "holdfast", "serve", "--host", settings.host, "--port", str(port)]
        worker = [sys.executable, "-m", "holdfast", "worker"]
        if with_demo:
            server += ["--demo"]
            worker += ["--app", "holdfast.demo:application"]
        environment = os.environ | {
            f"{PREFIX}PORT": str(port),
            f"{PREFIX}RUN_EVENTS": settings.run_events,
            "PYTHONUNBUFFERED": "1",
        }
        # Longer than the worker itself waits for its handlers: killed before, it could not hand its runs back.
        patience = max(_STOP_TIMEOUT, settings.worker_shutdown_timeout + 5)
        children = [
            _Child("server", [*server, "--with-parent"], environment, patience),
            _Child("worker", [*worker, "--with-parent"], environment, patience),
        ]
        keeping = [asyncio.create_task(child.keep_running(stopping)) for child in children]
        try:
            if await _ready(settings.host, port, stopping):
                _write_mark(mark, address)
                _greet(address, secret)
            elif not stopping.is_set():
                progress(f"the server has not answered within {_READY_TIMEOUT:.0f} s; what it says is above")
            await stopping.wait()
        finally:
            stopping.set()
            say("\nStopping …")
            await asyncio.gather(*keeping)
    say("Stopped; the data stays.")


class _Child:
    """A process of ours that is started again when it dies, a little later each time."""

    def __init__(self, name: str, command: list[str], environment: dict[str, str], patience: float) -> None:
        self.name = name
        self._patience = patience
        self._command = command
        self._environment = environment

    async def keep_running(self, stopping: asyncio.Event) -> None:
        pause = 0.5
        while not stopping.is_set():
            started = time.monotonic()
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                env=self._environment,
                # Apart from our process group: Ctrl-C reaches us alone, and we stop things in order.
                start_new_session=True,
            )
            died, told = asyncio.create_task(process.wait()), asyncio.create_task(stopping.wait())
            await asyncio.wait({died, told}, return_when=asyncio.FIRST_COMPLETED)
            told.cancel()
            if stopping.is_set():
                await self._stop(process)
                return
            pause = 0.5 if time.monotonic() - started > 30 else min(pause * 2, 10)
            progress(f"the {self.name} process ended with {process.returncode}; starting it again in {pause:.0f} s")
            await _either(stopping, pause)

    async def _stop(self, process: asyncio.subprocess.Process) -> None:
        if process.returncode is not None:
            return
        process.terminate()
        try:
            async with asyncio.timeout(self._patience):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


@contextmanager
def _only_one(settings: Settings) -> Iterator[IO[str]]:
    """Hold the directory's lock; the kernel gives it up for us however this process ends."""
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o711)
    with (settings.data_dir / "up.lock").open("a+", encoding="utf-8") as mark:
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            mark.seek(0)
            address = mark.read().strip()
            where = address or "an address it has not told yet"
            raise AlreadyRunning(f"holdfast is already running at {where}", address=address) from None
        _write_mark(mark, "")
        yield mark


def _write_mark(mark: IO[str], text: str) -> None:
    mark.seek(0)
    mark.truncate()
    mark.write(text)
    mark.flush()


def _free_port(settings: Settings) -> int:
    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise OperationalError(
                f"cannot listen on {authority(settings.host, settings.port)}: {error.strerror}",
                hint="stop the other program, or choose another port with HOLDFAST_PORT",
            ) from None
        return int(probe.getsockname()[1])


async def _ready(host: str, port: int, stopping: asyncio.Event) -> bool:
    deadline = time.monotonic() + _READY_TIMEOUT
    while not stopping.is_set() and time.monotonic() < deadline:
        if await asyncio.to_thread(_answers, host, port):
            return True
        await _either(stopping, 0.1)
    return False


def _answers(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=2)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


async def _either(stopping: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stopping.wait()


def _greet(address: str, secret: str | None) -> None:
    shown = escape(address)  # the brackets of an IPv6 address are no markup
    out.print(f"\n[bold green]holdfast is running[/] at [bold]{shown}[/]   API: {shown}/docs")
    if secret:
        _show_sign_in(address, secret)
    else:
        say("\nSign in with a token: holdfast tenants add, users add and tokens add lead to one.")
    say("\nCtrl-C stops everything; the data stays.")


def _show_sign_in(address: str, secret: str) -> None:
    out.print(f"\nSign in as [bold]{demo.ADMIN}[/] of the tenant [bold]{demo.TENANT}[/]:")
    # Printed as plain text: a link that is wrapped or coloured does not copy well.
    print(f"  {address}/#token={secret}", flush=True)  # noqa: T201
