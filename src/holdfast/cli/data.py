"""`holdfast data`: read, write, count, list, follow and move keys."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from holdfast.app import Holdfast
from holdfast.cli.output import AsJson, TenantOption, out, progress, read_file, say, show, with_app
from holdfast.data import Change, Entry
from holdfast.data.changes import After
from holdfast.data.lines import split_lines
from holdfast.data.numbers import number
from holdfast.errors import CanonicalError, InvalidInput, NotFound
from holdfast.kernel.json import canonical_json, parse_json, plain

__all__ = ["add", "given_json", "one_line", "tell_more"]

commands = typer.Typer(help="Keys of a tenant.", no_args_is_help=True)

_COLUMNS = ("key", "value", "type", "revision", "expires_at", "updated_at")
_Namespace = Annotated[str, typer.Argument(help="Namespace.")]
_Key = Annotated[str, typer.Argument(help="Key in the namespace.")]
_IfRevision = Annotated[
    int | None, typer.Option("--if-revision", help="Only if it has this revision; 0: only if it is not there.")
]
_Ttl = Annotated[float | None, typer.Option(help="Seconds after which it expires.")]


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="data")


@commands.command("get")
def get(tenant: TenantOption, namespace: _Namespace, key: _Key, as_json: AsJson = False) -> None:
    """Print the value of a key as JSON; with --json everything that is known of it."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            entry = await hold.data.get(namespace, key)
        if entry is None:
            raise NotFound(
                f"there is no key {key!r} in {namespace!r}", hint=f"holdfast data ls -t {tenant} {namespace}"
            )
        typer.echo(one_line(entry if as_json else entry.value))

    with_app(work)


@commands.command("set")
def set_(
    tenant: TenantOption,
    namespace: _Namespace,
    key: _Key,
    value: Annotated[str, typer.Argument(help="JSON; with --text it is taken as it is.")],
    text: Annotated[bool, typer.Option("--text", help="The value is a text, not JSON.")] = False,
    ttl: _Ttl = None,
    if_revision: _IfRevision = None,
) -> None:
    """Store a value under a key and print its revision."""
    parsed = value if text else given_json("value", value, hint="quote it for the shell, or use --text")

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            made = await hold.data.set(namespace, key, parsed, ttl=ttl, if_revision=if_revision)
        _warn(made.warning)
        typer.echo(str(made.revision))

    with_app(work)


@commands.command("incr")
def incr(
    tenant: TenantOption,
    namespace: _Namespace,
    key: _Key,
    by: Annotated[str, typer.Argument(help="What to add; a negative number after --.")] = "1",
    initial: Annotated[str, typer.Option(help="Where a key that is not there begins.")] = "0",
    ttl: _Ttl = None,
) -> None:
    """Add to a number, exactly, and print the sum."""
    step, start = (number(name, given_json(name, text)) for name, text in (("by", by), ("initial", initial)))

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            made = await hold.data.increment(namespace, key, step, initial=start, ttl=ttl)
        _warn(made.warning)
        typer.echo(one_line(made.value))

    with_app(work)


@commands.command("ls")
def ls(
    tenant: TenantOption,
    namespace: Annotated[str | None, typer.Argument(help="Namespace; without one the namespaces are listed.")] = None,
    prefix: Annotated[str, typer.Option(help="Only keys that begin so, literally.")] = "",
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    cursor: Annotated[str | None, typer.Option(help="Go on after an earlier page.")] = None,
    as_json: AsJson = False,
) -> None:
    """Namespaces of a tenant, or the keys of one, in order."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            if namespace is None:
                spaces = await hold.data.list_namespaces(limit=limit, cursor=cursor)
                show(f"Namespaces of {tenant}", ("namespace", "key_count"), spaces.namespaces, as_json=as_json)
                more = spaces.next_cursor
            else:
                page = await hold.data.list(namespace, prefix=prefix, limit=limit, cursor=cursor)
                rows = [_row(entry) for entry in page.items]
                if as_json:
                    typer.echo(one_line([_row(entry, whole=True) for entry in page.items]))
                else:
                    show(f"Keys of {namespace}", _COLUMNS, rows, as_json=False)
                more = page.next_cursor
        tell_more(more, as_json=as_json)

    with_app(work)


@commands.command("history")
def history(
    tenant: TenantOption,
    namespace: _Namespace,
    key: _Key,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """What happened to a key since it was made, newest first: who, when, which revision."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            page = await hold.key_history(namespace, key, limit=limit)
        show(f"{namespace} {key}", ("at", "event_type", "revision", "actor", "run_id"), page.items, as_json=as_json)

    with_app(work)


@commands.command("rm")
def rm(
    tenant: TenantOption,
    namespace: _Namespace,
    keys: Annotated[list[str], typer.Argument(help="Keys.")],
    if_revision: _IfRevision = None,
) -> None:
    """Delete keys; print how many there were."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            if if_revision is None:
                gone = await hold.data.delete_many(namespace, keys)
            elif len(keys) == 1:
                gone = int(await hold.data.delete(namespace, keys[0], if_revision=if_revision))
            else:
                raise InvalidInput("--if-revision is for one key", hint="delete them one by one", field="if_revision")
        typer.echo(str(gone))

    with_app(work)


@commands.command("watch")
def watch(
    tenant: TenantOption,
    namespace: _Namespace,
    after: Annotated[
        str | None, typer.Option(help="Begin after this position or revision (0: everything kept); default: now.")
    ] = None,
    count: Annotated[int | None, typer.Option("--count", "-n", help="Stop after so many.", min=1)] = None,
    as_json: AsJson = False,
) -> None:
    """Print changes of a namespace as they come; Ctrl-C stops."""

    async def work(app: Holdfast) -> None:
        is_revision = after is not None and after.isascii() and after.isdecimal() and len(after) <= 19
        start: After = int(after) if after is not None and is_revision else after
        seen = 0
        async with aclosing(app.follow_data(tenant, namespace, after=start)) as changes:
            async for change in changes:
                typer.echo(one_line(change) if as_json else _told(change))
                sys.stdout.flush()
                seen += 1
                if seen == count:
                    return

    with_app(work)


@commands.command("export")
def export(
    tenant: TenantOption,
    namespace: Annotated[str | None, typer.Argument(help="Only this namespace.")] = None,
    to: Annotated[Path | None, typer.Option("--to", help="File to write; default: standard output.")] = None,
) -> None:
    """Write keys and links as JSON Lines; the last line says how many, so that a file that was cut is noticed."""

    async def work(app: Holdfast) -> None:
        lines = app.export_data(tenant, namespace)
        if to is None:
            async for line in lines:
                typer.echo(line)
            return
        # Beside it at first: whatever happens, under its own name the file is whole, or the one there was.
        part = to.with_name(f"{to.name}.part")
        with _writing(to), part.open("w", encoding="utf-8", newline="\n") as file:
            async for line in lines:
                file.write(line + "\n")
        with _writing(to):
            part.replace(to)

    with_app(work)


@commands.command("import")
def import_(
    tenant: TenantOption,
    source: Annotated[Path, typer.Argument(help="File of JSON Lines; - is standard input.")],
    on_conflict: Annotated[str, typer.Option(help="Keys that are there: replace, keep or fail.")] = "replace",
) -> None:
    """Write what exported lines say; all of it or nothing."""

    async def work(app: Holdfast) -> None:
        text = sys.stdin.read() if str(source) == "-" else await asyncio.to_thread(read_file, "source", source)
        async with app.tenant(tenant) as hold:
            done = await hold.import_data(split_lines(text), on_conflict=on_conflict)  # type: ignore[arg-type]  # checked there
        say(f"{done.keys} keys and {done.links} links written, {done.skipped} skipped.")

    if str(source) != "-" and not source.is_file():
        raise InvalidInput(f"there is no file {str(source)!r}", hint="name what export wrote", field="source")
    with_app(work)


@commands.command("rules")
def rules(
    tenant: TenantOption,
    namespace: _Namespace,
    schema: Annotated[str | None, typer.Option(help="Give it this JSON Schema.")] = None,
    max_keys: Annotated[int | None, typer.Option(help="Give it this quota of keys.")] = None,
    max_bytes: Annotated[int | None, typer.Option(help="Give it this quota of bytes.")] = None,
    none: Annotated[bool, typer.Option("--none", help="Take all rules away.")] = False,
) -> None:
    """Show what a namespace allows, or say it anew: what is not given is not limited."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            if none or schema is not None or max_keys is not None or max_bytes is not None:
                wanted = None if schema is None else given_json("schema", schema)
                found = await hold.data.configure(namespace, schema=wanted, max_keys=max_keys, max_bytes=max_bytes)
            else:
                found = await hold.data.rules(namespace)
        facts = [
            {"rule": "schema", "limit": None if found.schema is None else one_line(found.schema), "used": None},
            {"rule": "keys", "limit": found.max_keys, "used": found.keys},
            {"rule": "bytes", "limit": found.max_bytes, "used": found.bytes},
        ]
        show(f"Rules of {namespace}", ("rule", "limit", "used"), facts, as_json=False)

    with_app(work)


@contextmanager
def _writing(to: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InvalidInput(f"{to} cannot be written: {error.strerror}", hint="name another file", field="to") from None


def tell_more(cursor: str | None, *, as_json: bool) -> None:
    """Where the next page begins. Beside a list in JSON it goes to standard error: what is printed stays the list."""
    if cursor is None:
        return
    if as_json:
        typer.echo(f"next_cursor: {cursor}", err=True)
    else:
        out.print(f"[dim]More: --cursor {cursor}[/]", soft_wrap=True)


def given_json(field: str, text: str, *, hint: str = "quote it for the shell") -> Any:
    """JSON from the command line, numbers exact."""
    try:
        return parse_json(text)
    except CanonicalError as error:
        raise InvalidInput(f"{field} is not JSON: {error.message}", hint=hint, field=field) from None


def one_line(value: Any) -> str:
    """A value as JSON in one line, numbers exact."""
    return canonical_json(plain(value)).decode()


def _row(entry: Entry, *, whole: bool = False) -> dict[str, Any]:
    text = one_line(entry.value)
    return {
        "key": entry.key,
        "value": entry.value if whole else text if len(text) <= 80 else f"{text[:79]}…",
        "type": entry.value_type,
        "revision": entry.revision,
        "expires_at": entry.expires_at,
        "updated_at": entry.updated_at,
    }


def _told(change: Change) -> str:
    at = change.at.astimezone().strftime("%H:%M:%S")
    value = "(replaced since)" if change.superseded else one_line(change.value) if change.op == "set" else ""
    return f"{at}  {change.revision:>8}  {change.op:<8} {change.key}  {value}".rstrip()


def _warn(warning: str | None) -> None:
    if warning:
        # Not among what is printed for programs.
        progress(warning)
