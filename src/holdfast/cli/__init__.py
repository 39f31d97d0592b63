"""The command `holdfast`."""

from __future__ import annotations

import sys

import typer

from holdfast.cli import (
    access,
    actions,
    audit,
    data,
    definitions,
    documents,
    effects,
    inbox,
    links,
    operate,
    outbox,
    processes,
    runs,
    schedules,
    sessions,
    up,
)
from holdfast.cli.output import fail
from holdfast.errors import HoldfastError

__all__ = ["cli", "main"]

cli = typer.Typer(
    name="holdfast",
    help="Durable workflows that live in your Postgres.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
up.add(cli)
operate.add(cli)
runs.add(cli)
outbox.add(cli)
schedules.add(cli)
data.add(cli)
links.add(cli)
actions.add(cli)
sessions.add(cli)
documents.add(cli)
definitions.add(cli)
processes.add(cli)
inbox.add(cli)
effects.add(cli)
access.add(cli)
audit.add(cli)


def main() -> None:
    """Run a command; what goes wrong is one clear line and an exit code."""
    try:
        cli()
    except HoldfastError as error:
        fail(error)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
