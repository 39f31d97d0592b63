"""`holdfast keys`: the keys that encrypt and sign, which of them are in use, and changing to a new one."""

from __future__ import annotations

from collections import Counter

import typer

from holdfast.app import Holdfast
from holdfast.cli.output import AsJson, out, show, with_app

__all__ = ["add"]

commands = typer.Typer(help="Keys that encrypt and sign.", no_args_is_help=True)


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="keys")


@commands.command("new")
def new() -> None:
    """Print a new key, to be put into HOLDFAST_KEYS before those that are there."""
    from holdfast.kernel.keyring import new_key

    # Plain text: it is copied, or goes into a file.
    print(new_key())  # noqa: T201


@commands.command("list")
def list_keys(as_json: AsJson = False) -> None:
    """The ids of the keys, the current one first, and how many secrets each one guards."""

    async def work(app: Holdfast) -> None:
        used: Counter[str] = Counter()
        for info in await app.tenants.list():
            async with app.tenant(info.slug) as hold:
                used.update(secret.key_id for secret in await hold.secrets.list())
        known = app.keyring.ids
        rows = [
            {"id": key, "state": "current" if key == known[0] else "opens", "secrets": used[key]} for key in known
        ] + [{"id": key, "state": "missing", "secrets": used[key]} for key in sorted(set(used) - set(known))]
        show("Keys", ("id", "state", "secrets"), rows, as_json=as_json)

    with_app(work)


@commands.command("rotate")
def rotate() -> None:
    """Put every secret under the current key; beside the embedded Postgres, under a new one that is made first."""

    async def work(app: Holdfast) -> None:
        done = await app.rotate_keys()
        out.print(f"current key: {app.keyring.current}; {done} secret{'' if done == 1 else 's'} moved to it")

    with_app(work)
