"""What commands print: tables for people, JSON for programs, one line for an error."""

from __future__ import annotations

import asyncio
import getpass
import logging
import os
import re
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import asdict, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from holdfast.app import Hold, Holdfast
from holdfast.cli.loading import application
from holdfast.cli.logs import Sparing
from holdfast.errors import CanonicalError, HoldfastError, InvalidInput
from holdfast.kernel.actor import Actor
from holdfast.kernel.json import parse_json, pretty

__all__ = [
    "AsJson",
    "TenantOption",
    "echo_json",
    "fail",
    "in_one_line",
    "operator",
    "out",
    "progress",
    "read_file",
    "read_json",
    "say",
    "set_up_logging",
    "show",
    "table_of",
    "warn",
    "with_app",
    "with_hold",
]

T = TypeVar("T")

_WIDE = 100_000
_LAST_COLUMN = 16


def _width() -> int | None:
    """As wide as the terminal; in a pipe or a file as wide as what is printed, so that ids stay whole."""
    on_screen = sys.stdout is not None and sys.stdout.isatty()
    return None if on_screen or os.environ.get("COLUMNS") else _WIDE


out = Console(highlight=False, width=_width())
_err = Console(stderr=True, highlight=False, soft_wrap=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
TenantOption = Annotated[str, typer.Option("--tenant", "-t", help="Slug of the tenant.")]


def fail(error: HoldfastError) -> None:
    """One line on standard error that says what is wrong and what to do."""
    hint = f"; {error.hint}" if error.hint else ""
    _err.print(f"[bold red]holdfast:[/] {escape(' '.join(error.message.split()))}{escape(hint)}")


def operator() -> Actor:
    """Whoever works on this command line, with the database's login: `system:‹login›@command-line`."""
    try:
        login = re.sub(r"[^A-Za-z0-9._+-]", "", getpass.getuser()).strip("._+-")
    except (KeyError, OSError):
        login = ""
    return Actor.system(f"{login or 'somebody'}@command-line"[-250:])


def say(message: str) -> None:
    """A line for people, as it is: what looks like markup was given by somebody, and commands in it can be copied."""
    out.print(message, markup=False, soft_wrap=True)


def progress(message: str) -> None:
    """A step of something that takes a moment."""
    _err.print(f"[dim]•[/] {escape(message)}")


def warn(message: str) -> None:
    """One line on standard error about something that was done, but perhaps not meant so."""
    _err.print(f"[bold yellow]![/] {escape(message)}")


def with_app(work: Callable[[Holdfast], Awaitable[T]], target: str | None = None, *, wait: bool = False) -> T:
    """Run something with an open application; what runs for long waits until it can be opened."""

    async def run() -> T:
        app = application(target, on_progress=progress)
        await app.open(wait=wait)
        async with app:
            return await work(app)

    return asyncio.run(run())


def with_hold(tenant: str, work: Callable[[Hold], Awaitable[T]]) -> T:
    """Run something in a transaction of a tenant."""

    async def inside(app: Holdfast) -> T:
        async with app.tenant(tenant) as hold:
            return await work(hold)

    return with_app(inside)


def read_json(field: str, text: str) -> Any:
    """A value given as JSON on the command line."""
    try:
        return parse_json(text, exact=False)
    except CanonicalError as error:
        raise InvalidInput(
            f"{field} is not JSON: {error.message}", hint=error.hint or "quote it for the shell", field=field
        ) from None


def read_file(field: str, path: Path) -> str:
    """The text of a file named on the command line."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}", hint="name a file", field=field) from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{path} is not text in UTF-8", hint="convert it", field=field) from None


def show(title: str, columns: Sequence[str], rows: Iterable[Any], *, as_json: bool) -> None:
    """Objects as a table of some of their attributes, or whole as JSON."""
    items = [_plain(row) for row in rows]
    if as_json:
        echo_json(items)
    elif items and _fits(columns, items):
        out.print(table_of(title, columns, items))
    elif items:
        out.print(f"[italic]{escape(title)}[/]")
        for item in items:
            out.print(_record_of(columns, item))
    else:
        out.print(f"[dim]{escape(title)}: none[/]")


def echo_json(value: Any) -> None:
    """A value for programs, on standard output."""
    typer.echo(pretty(value))


def in_one_line(value: Any) -> str:
    """A value as JSON, with spaces where a line may be broken."""
    # Texts have no line breaks of their own: they are escaped there.
    return re.sub(r"\n *", " ", re.sub(r"(?<=[\[{])\n *|\n *(?=[\]}])", "", pretty(value)))


def table_of(title: str, columns: Sequence[str], rows: Iterable[Any]) -> Table:
    """Objects as a table of some of their attributes."""
    table = Table(title=escape(title), title_justify="left", header_style="bold", box=None, pad_edge=False)
    for column in columns:
        table.add_column(column.replace("_", " "), overflow="fold")
    for item in map(_plain, rows):
        table.add_row(*(escape(_cell(item[column])) for column in columns))
    return table


def _fits(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> bool:
    """Whether the terminal is wide enough for a table without words that are broken up, but for the last column's."""
    cells = [[column.replace("_", " "), *(_cell(row[column]) for row in rows)] for column in columns[:-1]]
    widths = [max((cell_len(word) for cell in column for word in cell.split()), default=0) for column in cells]
    return sum(widths) + 2 * len(widths) + _LAST_COLUMN <= out.width


def _record_of(columns: Sequence[str], row: dict[str, Any]) -> Table:
    """One object below the other, for terminals that are too narrow for a table; what it lacks is left out."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 1))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for column in columns:
        if (text := _cell(row[column])) != "–":
            table.add_row(column.replace("_", " "), escape(text))
    table.add_row("", "")
    return table


def _plain(row: Any) -> dict[str, Any]:
    return asdict(row) if is_dataclass(row) and not isinstance(row, type) else dict(row)


def set_up_logging(level: str) -> None:
    """Plain lines on standard error."""
    logging.basicConfig(level=level.upper(), format="%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    for handler in logging.getLogger().handlers:
        handler.addFilter(Sparing())
    # The pool retries by itself and says so at length; what matters of it reaches us as errors.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    if level != "debug":
        logging.getLogger("uvicorn").setLevel(logging.WARNING)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, datetime):
        return value.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, dict):
        return in_one_line(value)
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "–"
    return str(value)
