"""`holdfast postgres`: the programs that come with the embedded Postgres, connected to it as its superuser.

The system's own `psql` or `pg_dump` may be older than the server, does not know where its socket is, and finds nothing
when no process of holdfast is running. These are of the server's version, and keep it running for as long as they do.
"""

from __future__ import annotations

import os
import signal
import subprocess
from typing import Annotated

import typer
from psycopg.conninfo import conninfo_to_dict

from holdfast.cli.output import progress
from holdfast.errors import InvalidInput
from holdfast.postgres.embedded import EmbeddedServer
from holdfast.settings import Settings

__all__ = ["add"]

_ELSEWHERE = ("PGHOSTADDR", "PGPORT", "PGSERVICE", "PGPASSWORD", "PGPASSFILE")
"""Of the environment, what would lead a program to another server."""


def add(cli: typer.Typer) -> None:
    """Add this command."""
    # What follows the program's name is the program's.
    passed_on = {"ignore_unknown_options": True, "allow_interspersed_args": False}
    cli.command("postgres", context_settings=passed_on)(postgres)


def postgres(
    program: Annotated[str, typer.Argument(help="psql, pg_dump, pg_restore or another program of Postgres.")],
    arguments: Annotated[list[str] | None, typer.Argument(help="What to give to it.")] = None,
) -> None:
    """Run psql, pg_dump or another program on the embedded Postgres, as its superuser."""
    settings = Settings.load()
    if not settings.embedded:
        raise InvalidInput(
            "HOLDFAST_DSN names a Postgres of your own",
            hint="use its own programs, or unset HOLDFAST_DSN for the embedded one",
            field="HOLDFAST_DSN",
        )
    server = EmbeddedServer.start(settings.data_dir, version=settings.postgres_version, on_progress=progress)
    try:
        path = server.binary(program)
        if path.name != program or not path.is_file():
            raise InvalidInput(
                f"Postgres has no program {program!r}", hint="use psql, pg_dump, pg_restore …", field="program"
            )
        where = conninfo_to_dict(server.dsn())
        environment = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
        names = {"host": "PGHOST", "user": "PGUSER", "dbname": "PGDATABASE"}
        environment |= {name: str(where[part]) for part, name in names.items()}
        # Ctrl-C is for the program: psql stops a statement and stays.
        signal.signal(signal.SIGINT, lambda *_: None)
        code = subprocess.run([path, *(arguments or [])], env=environment, check=False).returncode  # noqa: S603 - its own
    finally:
        server.stop()
    raise typer.Exit(code if code >= 0 else 128 - code)
