"""The command `holdfast`."""

from __future__ import annotations

import io
import os
import platform
import sys
from importlib.metadata import version
from typing import Annotated, NoReturn

import typer

from holdfast.cli.commands import ChosenCommand
from holdfast.errors import HoldfastError, OperationalError

__all__ = ["cli", "main"]

cli = typer.Typer(
    name="holdfast",
    cls=ChosenCommand,
    help="Durable workflows that live in your Postgres.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"holdfast {version('holdfast')} (Python {platform.python_version()})")
        raise typer.Exit


@cli.callback()
def options(
    show_version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Durable workflows that live in your Postgres."""


def main() -> None:
    """Run a command; what goes wrong is one clear line and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that does not know a character gets a question mark, not a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        cli()
    except HoldfastError as error:
        _fail(error)
    except OSError as error:
        # A full disk, a file that may not be written: what is ours to say of those was said where it happened.
        about = f"{error.filename}: " if isinstance(error.filename, str) else ""
        # What could not be written would be tried once more at the very end, and change the exit code.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        _fail(OperationalError(f"{about}{error.strerror or error}"))
    except KeyboardInterrupt:
        sys.exit(130)


def _fail(error: HoldfastError) -> NoReturn:
    from holdfast.cli.output import fail

    fail(error)
    sys.exit(1)
