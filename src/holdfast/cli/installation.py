"""`holdfast installation`: all tenants' queues, the workers, and the tokens of whoever operates the installation."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Annotated, TypeVar
from uuid import UUID

import typer

from holdfast.access.installation import InstallationTokens
from holdfast.app import Holdfast
from holdfast.cli.output import AsJson, operator, progress, show, with_app
from holdfast.postgres.connect import reach
from holdfast.postgres.database import addresses
from holdfast.postgres.embedded import EmbeddedServer
from holdfast.settings import Settings

__all__ = ["add"]

T = TypeVar("T")
commands = typer.Typer(help="The installation, and who operates it.", no_args_is_help=True)

_TOKEN = ("token_id", "name", "created_at", "created_by", "expires_at", "revoked_at", "last_used_at")
_QUEUE = ("tenant", "queue", "pending", "working", "waiting", "stuck", "dead", "oldest_seconds")


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="installation")


@commands.command("add-token")
def add_token(
    name: Annotated[str, typer.Argument(help="Who or what it is for; the trail shows it.")],
    days: Annotated[float, typer.Option(help="Days it lasts; 0 never expires.", min=0, max=3660)] = 90,
) -> None:
    """Make a token for the routes under /v1/installation and print it, this once. Needs the login that migrates."""
    lifetime = timedelta(days=days) if days else None
    made = _as_owner(lambda tokens: tokens.create(name, by=str(operator()), lifetime=lifetime))
    typer.echo(made.secret)


@commands.command("tokens")
def list_tokens(as_json: AsJson = False) -> None:
    """The tokens of the installation's operators; never their secrets."""
    show("Tokens of the installation", _TOKEN, _as_owner(lambda tokens: tokens.list()), as_json=as_json)


@commands.command("revoke-token")
def revoke_token(token_id: Annotated[UUID, typer.Argument(help="Id of the token.")]) -> None:
    """End such a token at once."""
    show("Revoked", _TOKEN, [_as_owner(lambda tokens: tokens.revoke(token_id))], as_json=False)


@commands.command("health")
def health(as_json: AsJson = False) -> None:
    """How the queues of every tenant stand: those in which there is anything."""

    async def work(app: Holdfast) -> None:
        rows: list[dict[str, object]] = []
        cursor: str | None = None
        while True:
            page = await app.installation.health(limit=200, cursor=cursor)
            for tenant in page.items:
                for queue in tenant.queues:
                    facts = {name: getattr(queue, name) for name in _QUEUE[1:]}
                    if any(facts[name] for name in _QUEUE[2:7]):
                        rows.append({"tenant": tenant.tenant, **facts})
            cursor = page.next_cursor
            if cursor is None:
                break
        show("Queues", _QUEUE, rows, as_json=as_json)

    with_app(work)


@commands.command("workers")
def workers(as_json: AsJson = False) -> None:
    """Who works, on which types, and when they were last heard of."""

    async def work(app: Holdfast) -> None:
        found = await app.installation.workers()
        show("Workers", ("name", "alive", "seen_at", "types", "prefixes"), found, as_json=as_json)

    with_app(work)


def _as_owner(work: Callable[[InstallationTokens], Awaitable[T]]) -> T:
    """Do something with the login that owns the schema, as `holdfast migrate` has it."""
    settings = Settings.load()

    async def run() -> T:
        server = None
        if settings.embedded:
            server = EmbeddedServer.start(settings.data_dir, version=settings.postgres_version, on_progress=progress)
        try:
            async with reach(addresses(settings, server).admin, timeout=settings.connect_timeout) as connection:
                return await work(InstallationTokens(connection))
        finally:
            if server is not None:
                server.stop()

    return asyncio.run(run())
