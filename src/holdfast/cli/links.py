"""`holdfast links`: link records, look links up, list and delete them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from holdfast.app import Holdfast
from holdfast.cli.data import given_json, one_line, tell_more
from holdfast.cli.output import AsJson, TenantOption, show, with_app
from holdfast.data import Ref
from holdfast.errors import InvalidInput

__all__ = ["add"]

commands = typer.Typer(help="Links between records of a tenant.", no_args_is_help=True)

_Namespace = Annotated[str, typer.Argument(help="Namespace.")]
_RECORD = "Record, as TYPE:ID."


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="links")


@commands.command("add")
def add_link(
    tenant: TenantOption,
    namespace: _Namespace,
    from_: Annotated[str, typer.Argument(metavar="FROM", help=_RECORD)],
    to: Annotated[str, typer.Argument(help=_RECORD)],
    relation: Annotated[str, typer.Option(help="How they belong together.")] = "related",
    attributes: Annotated[str | None, typer.Option(help="JSON object with facts about the link.")] = None,
) -> None:
    """Link two records, or change the attributes of their link; print its id."""
    facts = None if attributes is None else given_json("attributes", attributes)

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            made = await hold.links.upsert(
                namespace, _record("from", from_), _record("to", to), relation=relation, attributes=facts
            )
        typer.echo(str(made.link_id))

    with_app(work)


@commands.command("lookup")
def lookup(
    tenant: TenantOption,
    namespace: _Namespace,
    record: Annotated[str, typer.Argument(help=_RECORD)],
    direction: Annotated[str, typer.Option("--direction", "-d", help="forward, reverse or either.")] = "forward",
    relation: Annotated[str | None, typer.Option(help="Only this relation.")] = None,
    other_type: Annotated[str | None, typer.Option("--type", help="Only records of this type.")] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    cursor: Annotated[str | None, typer.Option(help="Go on after an earlier page.")] = None,
    as_json: AsJson = False,
) -> None:
    """What a record is linked with."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            found = await hold.links.lookup(
                namespace,
                _record("record", record),
                direction=direction,
                relation=relation,
                right_type=other_type,
                limit=limit,
                cursor=cursor,
            )
        rows: list[dict[str, Any]] = [
            {"direction": m.direction, "type": m.type, "id": m.id, "relation": m.relation}
            | {"attributes": m.attributes if as_json else one_line(m.attributes)}
            for m in found.matches
        ]
        if as_json:
            typer.echo(one_line(rows))
        else:
            show(f"Linked with {record}", ("direction", "type", "id", "relation", "attributes"), rows, as_json=False)
        tell_more(found.next_cursor, as_json=as_json)

    with_app(work)


@commands.command("ls")
def ls(
    tenant: TenantOption,
    namespace: Annotated[str | None, typer.Argument(help="Namespace; without one the namespaces are listed.")] = None,
    relation: Annotated[str | None, typer.Option(help="Only this relation.")] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    cursor: Annotated[str | None, typer.Option(help="Go on after an earlier page.")] = None,
    as_json: AsJson = False,
) -> None:
    """Namespaces of a tenant that hold links, or the links of one, in order."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            if namespace is None:
                spaces = await hold.links.list_namespaces(limit=limit, cursor=cursor)
                show(f"Namespaces of {tenant}", ("namespace", "link_count"), spaces.namespaces, as_json=as_json)
                more = spaces.next_cursor
            else:
                page = await hold.links.list(namespace, relation=relation, limit=limit, cursor=cursor)
                rows: list[dict[str, Any]] = [
                    {
                        "from": f"{link.left_type}:{link.left_id}",
                        "relation": link.relation,
                        "to": f"{link.right_type}:{link.right_id}",
                        "attributes": link.attributes if as_json else one_line(link.attributes),
                    }
                    for link in page.items
                ]
                if as_json:
                    typer.echo(one_line(rows))
                else:
                    show(f"Links of {namespace}", ("from", "relation", "to", "attributes"), rows, as_json=False)
                more = page.next_cursor
        tell_more(more, as_json=as_json)

    with_app(work)


@commands.command("rm")
def rm(
    tenant: TenantOption,
    namespace: _Namespace,
    from_: Annotated[str | None, typer.Option("--from", help=_RECORD)] = None,
    to: Annotated[str | None, typer.Option("--to", help=_RECORD)] = None,
    relation: Annotated[str | None, typer.Option(help="Only this relation.")] = None,
) -> None:
    """Delete links from a record, to a record, or between two; print how many there were."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            gone = await hold.links.delete(
                namespace,
                None if from_ is None else _record("from", from_),
                None if to is None else _record("to", to),
                relation=relation,
            )
        typer.echo(str(gone))

    with_app(work)


def _record(field: str, text: str) -> Ref:
    kind, colon, identifier = text.partition(":")
    if not colon:
        raise InvalidInput(f"{field} is {text!r}", hint="write it as TYPE:ID, such as ticket:42", field=field)
    return Ref(kind, identifier)
