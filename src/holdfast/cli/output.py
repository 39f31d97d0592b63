"""What commands print: tables for people, JSON for programs, one line for an error."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from holdfast.app import Hold, Holdfast
from holdfast.errors import HoldfastError, InvalidInput
from holdfast.settings import Settings

__all__ = [
    "AsJson",
    "TenantOption",
    "echo_json",
    "fail",
    "out",
    "progress",
    "read_json",
    "set_up_logging",
    "show",
    "table_of",
    "with_app",
    "with_hold",
]

T = TypeVar("T")

out = Console(highlight=False)
_err = Console(stderr=True, highlight=False, soft_wrap=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
TenantOption = Annotated[str, typer.Option("--tenant", "-t", help="Slug of the tenant.")]


def fail(error: HoldfastError) -> None:
    """One line on standard error that says what is wrong and what to do."""
    hint = f"; {error.hint}" if error.hint else ""
    _err.print(f"[bold red]holdfast:[/] {escape(' '.join(error.message.split()))}{escape(hint)}")


def progress(message: str) -> None:
    """A step of something that takes a moment."""
    _err.print(f"[dim]•[/] {escape(message)}")


def with_app(work: Callable[[Holdfast], Awaitable[T]]) -> T:
    """Run something with an open application."""

    async def run() -> T:
        async with Holdfast(Settings.load(), on_progress=progress) as app:
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
        return json.loads(text)
    except ValueError as error:
        raise InvalidInput(f"{field} is not JSON: {error}", hint="quote it for the shell", field=field) from None


def show(title: str, columns: Sequence[str], rows: Iterable[Any], *, as_json: bool) -> None:
    """Objects as a table of some of their attributes, or whole as JSON."""
    items = [_plain(row) for row in rows]
    if as_json:
        echo_json(items)
    elif items:
        out.print(table_of(title, columns, items))
    else:
        out.print(f"[dim]{escape(title)}: none[/]")


def echo_json(value: Any) -> None:
    """A value for programs, on standard output."""
    typer.echo(json.dumps(value, indent=2, default=_word, ensure_ascii=False))


def table_of(title: str, columns: Sequence[str], rows: Iterable[Any]) -> Table:
    """Objects as a table of some of their attributes."""
    table = Table(title=escape(title), title_justify="left", header_style="bold", box=None, pad_edge=False)
    for column in columns:
        table.add_column(column.replace("_", " "), overflow="fold")
    for item in map(_plain, rows):
        table.add_row(*(escape(_cell(item[column])) for column in columns))
    return table


def _plain(row: Any) -> dict[str, Any]:
    return asdict(row) if is_dataclass(row) and not isinstance(row, type) else dict(row)


def set_up_logging(level: str) -> None:
    """Plain lines on standard error."""
    logging.basicConfig(level=level.upper(), format="%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    # The pool retries by itself and says so at length; what matters of it reaches us as errors.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    if level != "debug":
        logging.getLogger("uvicorn").setLevel(logging.WARNING)


def _word(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    # Times as every program reads them, and as HTTP tells them.
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, datetime):
        return value.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "–"
    return str(value)
