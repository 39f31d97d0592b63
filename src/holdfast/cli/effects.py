"""`holdfast effects`: what processes sent to the outside, and sending it again."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from holdfast.app import Holdfast
from holdfast.cli.output import AsJson, TenantOption, show, with_app

__all__ = ["add"]

commands = typer.Typer(help="What processes send to the outside.", no_args_is_help=True)

_COLUMNS = ("id", "kind", "status", "attempts", "node_id", "next_retry_at", "error")


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="effects")


@commands.command("list")
def list_effects(
    tenant: TenantOption,
    status: Annotated[str | None, typer.Option(help="Only this status, such as dead_letter.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="Only this kind: webhook, in_app, email, or a channel of yours.")
    ] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """The latest effects, newest first."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            page = await hold.effects.list(status=status, kind=kind, limit=limit)
        show(f"Effects of {tenant}", _COLUMNS, page.items, as_json=as_json)

    with_app(work)


@commands.command("replay")
def replay(tenant: TenantOption, effect_id: Annotated[UUID, typer.Argument(help="Id of a dead letter.")]) -> None:
    """Send a dead letter again, with the same idempotency key."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            effect = await hold.effects.replay(effect_id)
        show("Replayed", _COLUMNS, [effect], as_json=False)

    with_app(work)


@commands.command("skip")
def skip(
    tenant: TenantOption,
    effect_id: Annotated[UUID, typer.Argument(help="Id of a dead letter.")],
    reason: Annotated[str, typer.Option(help="Why.")],
) -> None:
    """Give up a dead letter: it is cancelled, and counts no longer."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            effect = await hold.effects.skip(effect_id, reason=reason)
        show("Skipped", _COLUMNS, [effect], as_json=False)

    with_app(work)


@commands.command("set-secret")
def set_secret(
    tenant: TenantOption,
    name: Annotated[str, typer.Argument(help="Name of the secret.")],
    host: Annotated[list[str], typer.Option(help="A host it may sign for; several times for several.")],
    secret: Annotated[str, typer.Option(prompt=True, hide_input=True, help="The secret; asked for when left out.")],
) -> None:
    """Keep a secret that webhooks to some hosts are signed with. It can be replaced, never read."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            await hold.secrets.set(name, secret, hosts=host)

    with_app(work)
