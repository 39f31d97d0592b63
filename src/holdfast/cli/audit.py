"""`holdfast audit`: read the trail and verify its hash chains."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer
from rich.markup import escape

from holdfast.app import Holdfast
from holdfast.cli.output import AsJson, TenantOption, in_one_line, out, show, with_app
from holdfast.errors import AuditBroken

__all__ = ["add"]

commands = typer.Typer(help="The audit trail.", no_args_is_help=True)


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="audit")


@commands.command("list")
def list_events(
    tenant: TenantOption,
    object_id: Annotated[UUID | None, typer.Option("--object", help="Only this object's.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only this kind of object.")] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """The latest events of a tenant, newest first."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            page = await hold.audit.list(object_id=object_id, object_kind=kind, limit=limit)
        rows = page.items if as_json else [_readable(event) for event in page.items]
        show(
            f"Events of {tenant}",
            ("created_at", "event_type", "actor", "object_id", "data"),
            rows,
            as_json=as_json,
        )

    with_app(work)


@commands.command("verify")
def verify(
    tenant: Annotated[str | None, typer.Option("--tenant", "-t", help="Only this one.")] = None,
    anchors: Annotated[
        str | None, typer.Option(help="Also check what was anchored there: a file, https://… or s3://….")
    ] = None,
) -> None:
    """Walk every hash chain; name the first broken link of each broken one. Exit code 1 when there is any."""

    async def work(app: Holdfast) -> None:
        known = {info.slug: info.tenant for info in await app.tenants.list()}
        broken: list[str] = []
        said = None if anchors is None else await app.read_anchors(anchors)
        if said is not None:
            broken += said.problems
            if tenant is None:
                broken += [
                    f"anchors name the tenant {lost}, which is gone" for lost in said.tenants - {*known.values()}
                ]
            out.print(f"{_count(said.count, 'anchor')} read")
        for slug in [tenant] if tenant else known:
            async with app.tenant(slug) as hold:
                verdict = await hold.audit.verify(anchored=said.of(hold.tenant.id) if said else None)
            broken += [f"{slug}: {link}" for link in verdict.breaks]
            state = "[green]holds[/]" if verdict.ok else f"[red]{len(verdict.breaks)} broken[/]"
            gone = f", {verdict.dropped} dropped by retention" if verdict.dropped else ""
            out.print(f"{slug}: {_count(verdict.chains, 'chain')}, {_count(verdict.events, 'event')}{gone}: {state}")
        for line in broken:
            out.print(f"  [red]broken[/] {escape(line)}", soft_wrap=True)
        if broken:
            raise AuditBroken(
                f"{len(broken)} of the audit chains do not hold; the first break is {broken[0]}",
                hint="somebody with rights over the database changed its rows; compare with a backup",
            )

    with_app(work)


@commands.command("anchor")
def anchor() -> None:
    """Send the heads of all chains to the places of HOLDFAST_AUDIT_ANCHORS now."""

    async def work(app: Holdfast) -> None:
        for place, heads in (await app.anchor()).items():
            out.print(f"{escape(place)}: {_count(heads, 'head')}", soft_wrap=True)

    with_app(work)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _readable(event: object) -> dict[str, object]:
    columns = ("created_at", "event_type", "actor", "object_id", "data")
    row = {name: getattr(event, name) for name in columns}
    return row | {"data": in_one_line(row["data"])}
