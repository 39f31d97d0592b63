"""`holdfast tenants`, `users`, `roles`, `tokens`, `sign-ins` and `permissions`."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated
from uuid import UUID

import typer

from holdfast.app import Holdfast
from holdfast.cli.output import AsJson, TenantOption, operator, say, show, with_app
from holdfast.kernel.actor import known_permissions

__all__ = ["add"]

tenants = typer.Typer(help="Tenants of the installation.", no_args_is_help=True)
users = typer.Typer(help="Users of a tenant.", no_args_is_help=True)
roles = typer.Typer(help="Roles of a tenant.", no_args_is_help=True)
tokens = typer.Typer(help="API tokens of a tenant.", no_args_is_help=True)
sign_ins = typer.Typer(help="Signed-in browsers of a tenant.", no_args_is_help=True)

_USER_COLUMNS = ("name", "display_name", "kind", "roles", "requested_roles", "email", "deactivated_at")
_TOKEN_COLUMNS = ("token_id", "user", "name", "scopes", "created_by", "expires_at", "revoked_at", "last_used_at")
_SIGN_IN_COLUMNS = ("sign_in_id", "user", "how", "origin", "created_at", "expires_at", "ended_at", "last_used_at")


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(tenants, name="tenants")
    cli.add_typer(users, name="users")
    cli.add_typer(roles, name="roles")
    cli.add_typer(tokens, name="tokens")
    cli.add_typer(sign_ins, name="sign-ins")
    cli.command("permissions")(list_permissions)


def list_permissions(as_json: AsJson = False) -> None:
    """Every permission with what it allows."""
    rows = [{"permission": name, "allows": text} for name, text in known_permissions().items()]
    show("Permissions", ("permission", "allows"), rows, as_json=as_json)


@tenants.command("add")
def add_tenant(slug: str, name: Annotated[str | None, typer.Option(help="Name for people.")] = None) -> None:
    """Create a tenant."""

    async def work(app: Holdfast) -> None:
        info = await app.tenants.create(slug, name=name)
        say(f"Created the tenant {info.slug} ({info.name}). Next: holdfast users add -t {info.slug} NAME -r admin")

    with_app(work)


@tenants.command("list")
def list_tenants(as_json: AsJson = False) -> None:
    """Every tenant."""

    async def work(app: Holdfast) -> None:
        show("Tenants", ("slug", "name", "created_at"), await app.tenants.list(), as_json=as_json)

    with_app(work)


@users.command("add")
def add_user(
    tenant: TenantOption,
    name: str,
    display_name: Annotated[str | None, typer.Option(help="Name for people.")] = None,
    email: Annotated[str | None, typer.Option(help="E-mail address.")] = None,
    service: Annotated[bool, typer.Option("--service", help="A program, not a person.")] = False,
    role: Annotated[list[str] | None, typer.Option("--role", "-r", help="Role to grant; repeatable.")] = None,
) -> None:
    """Add a user."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            user = await hold.users.create(
                name,
                display_name=display_name,
                email=email,
                kind="service" if service else "user",
                roles=role or [],
            )
        show("Added", _USER_COLUMNS, [user], as_json=False)

    with_app(work)


@users.command("list")
def list_users(tenant: TenantOption, as_json: AsJson = False) -> None:
    """Every user of a tenant."""

    async def work(app: Holdfast) -> None:
        found = []
        cursor: str | None = None
        while True:
            async with app.tenant(tenant, actor=operator()) as hold:
                page = await hold.users.list(limit=200, cursor=cursor)
            found += page.items
            cursor = page.next_cursor
            if cursor is None:
                break
        show(f"Users of {tenant}", _USER_COLUMNS, found, as_json=as_json)

    with_app(work)


@users.command("set-email")
def set_email(tenant: TenantOption, name: str, email: str) -> None:
    """Say where a user's mail goes, links to sign in included."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            user = await hold.users.update(name, email=email)
        show("Now", _USER_COLUMNS, [user], as_json=False)

    with_app(work)


@users.command("grant")
def grant(tenant: TenantOption, name: str, role: str) -> None:
    """Give a user a role."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            user = await hold.users.grant(name, role)
        show("Now", _USER_COLUMNS, [user], as_json=False)

    with_app(work)


@users.command("revoke")
def revoke(tenant: TenantOption, name: str, role: str) -> None:
    """Take a role from a user."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            user = await hold.users.revoke(name, role)
        show("Now", _USER_COLUMNS, [user], as_json=False)

    with_app(work)


@users.command("deactivate")
def deactivate(tenant: TenantOption, name: str) -> None:
    """Take away every access of a user, tokens included."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            user = await hold.users.deactivate(name)
        show("Now", _USER_COLUMNS, [user], as_json=False)

    with_app(work)


@users.command("reactivate")
def reactivate(tenant: TenantOption, name: str) -> None:
    """Give a user's access back."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            user = await hold.users.reactivate(name)
        show("Now", _USER_COLUMNS, [user], as_json=False)

    with_app(work)


@roles.command("list")
def list_roles(tenant: TenantOption, as_json: AsJson = False) -> None:
    """Every role of a tenant with its permissions."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            found = await hold.roles.list()
        show(f"Roles of {tenant}", ("name", "users", "built_in", "grantable_by", "permissions"), found, as_json=as_json)

    with_app(work)


@roles.command("define")
def define_role(
    tenant: TenantOption,
    name: str,
    permission: Annotated[list[str], typer.Option("--permission", "-p", help="What it may do; repeatable.")],
    description: Annotated[str, typer.Option(help="What the role is for.")] = "",
) -> None:
    """Add or change a role of the tenant's own."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            role = await hold.roles.define(name, permission, description=description)
        show("Defined", ("name", "permissions", "description"), [role], as_json=False)

    with_app(work)


@roles.command("let-grant")
def let_grant(
    tenant: TenantOption,
    name: str,
    by: Annotated[list[str], typer.Option("--by", help="Role whose holders may grant it; repeatable.")],
) -> None:
    """Say who may grant a role."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            role = await hold.roles.let_grant(name, by)
        show("Now", ("name", "grantable_by"), [role], as_json=False)

    with_app(work)


@roles.command("delete")
def delete_role(tenant: TenantOption, name: str) -> None:
    """Remove a role nobody has."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            await hold.roles.delete(name)
        say(f"Deleted the role {name}.")

    with_app(work)


@tokens.command("add")
def add_token(
    tenant: TenantOption,
    user: str,
    name: Annotated[str, typer.Option(help="What the token is for.")] = "made on the command line",
    scope: Annotated[list[str] | None, typer.Option(help="Permission it carries; repeatable; default all.")] = None,
    days: Annotated[float, typer.Option(help="Days it lasts; 0 never expires.", min=0, max=3660)] = 90,
) -> None:
    """Create a token for anybody and print it, this once. The trail names who made it on this command line."""

    async def work(app: Holdfast) -> None:
        lifetime = timedelta(days=days) if days else None
        async with app.tenant(tenant, actor=operator()) as hold:
            made = await hold.tokens.create(user, name, scopes=scope, lifetime=lifetime)
        typer.echo(made.secret)

    with_app(work)


@tokens.command("list")
def list_tokens(
    tenant: TenantOption,
    user: Annotated[str | None, typer.Option(help="Only this user's.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tokens of a tenant; never their secrets."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            found = await hold.tokens.list(user=user)
        show(f"Tokens of {tenant}", _TOKEN_COLUMNS, found, as_json=as_json)

    with_app(work)


@tokens.command("revoke")
def revoke_token(tenant: TenantOption, token_id: UUID) -> None:
    """End a token at once."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            token = await hold.tokens.revoke(token_id)
        show("Revoked", _TOKEN_COLUMNS, [token], as_json=False)

    with_app(work)


@sign_ins.command("list")
def list_sign_ins(
    tenant: TenantOption,
    user: Annotated[str | None, typer.Option(help="Only this user's.")] = None,
    as_json: AsJson = False,
) -> None:
    """Browsers that are or were signed in."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            found = await hold.sign_ins.list(user=user or "*")
        show(f"Sign-ins of {tenant}", _SIGN_IN_COLUMNS, found, as_json=as_json)

    with_app(work)


@sign_ins.command("end")
def end_sign_in(tenant: TenantOption, sign_in_id: UUID) -> None:
    """Sign a browser out at once."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=operator()) as hold:
            ended = await hold.sign_ins.end(sign_in_id)
        show("Ended", _SIGN_IN_COLUMNS, [ended], as_json=False)

    with_app(work)
