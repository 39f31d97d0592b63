"""The command `holdfast`."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version
from typing import Annotated

import typer

from holdfast.cli.commands import ChosenCommand
from holdfast.errors import HoldfastError

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
    try:
        cli()
    except HoldfastError as error:
        from holdfast.cli.output import fail

        fail(error)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
