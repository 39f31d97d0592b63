"""`holdfast inbox`: what waits for a person."""

from __future__ import annotations

from typing import Annotated, Literal, cast

import typer

from holdfast.app import Holdfast
from holdfast.cli.output import AsJson, TenantOption, show, with_app

__all__ = ["add"]

_COLUMNS = ("id", "kind", "title", "entity_type", "entity_version", "requester", "how", "seat", "due_at", "overdue")
_Which = Literal["mine", "role", "delegated", "overdue"]


def add(cli: typer.Typer) -> None:
    """Add this command."""
    cli.command("inbox")(inbox)


def inbox(
    tenant: TenantOption,
    user: Annotated[str, typer.Option("--user", "-u", help="Whose inbox.")],
    which: Annotated[str | None, typer.Option(help="Only: mine, role, delegated or overdue.")] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """What waits for a person: approvals and tasks, oldest first."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=user) as hold:
            page = await hold.inbox.list(which=cast("_Which | None", which), limit=limit)
        show(f"Inbox of {user}", _COLUMNS, page.items, as_json=as_json)

    with_app(work)
