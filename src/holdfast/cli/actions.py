"""`holdfast actions`: which there are, what they take, and calling them."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from holdfast.app import Holdfast
from holdfast.cli.data import given_json, one_line
from holdfast.cli.loading import application
from holdfast.cli.output import AsJson, TenantOption, out, show, with_app
from holdfast.kernel.json import pretty

__all__ = ["add"]

commands = typer.Typer(help="Actions: the verbs everything shares.", no_args_is_help=True)

_Target = Annotated[str | None, typer.Option("--app", help="module:name of a Holdfast with actions of your own.")]
_Name = Annotated[str, typer.Argument(help="Name of the action, such as store.set.")]


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="actions")


@commands.command("list")
def list_actions(target: _Target = None, as_json: AsJson = False) -> None:
    """Every action, by name."""
    rows = [
        {"name": action.name, "label": action.label, "permission": action.permission, "changes": action.side_effect}
        for action in application(target).actions
    ]
    show("Actions", ("name", "label", "permission", "changes"), rows, as_json=as_json)


@commands.command("show")
def show_action(name: _Name, target: _Target = None) -> None:
    """What an action takes and gives, as JSON Schemas."""
    action = application(target).actions.find(name)
    out.print(f"[bold]{action.name}[/]: {escape(action.description)}", soft_wrap=True)
    for title, shape in (("Input", action.input), ("Output", action.output)):
        out.print(f"[bold]{title}[/]")
        typer.echo(pretty(shape.schema))


@commands.command("call")
def call_action(
    tenant: TenantOption,
    name: _Name,
    given: Annotated[str, typer.Argument(metavar="INPUT", help="Input as JSON.")] = "{}",
    key: Annotated[str | None, typer.Option(help="Idempotency key: the same call again gets the same answer.")] = None,
    target: _Target = None,
) -> None:
    """Call an action and print its output as JSON."""
    parsed = given_json("input", given)

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            output = await hold.actions.call(name, parsed, key=key)
        typer.echo(one_line(output))

    with_app(work, target)
