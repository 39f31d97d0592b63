"""`holdfast contracts` and `holdfast definitions`: register contracts; draft, check, publish, compare definitions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer
from rich.markup import escape

from holdfast.app import Holdfast
from holdfast.cli.documents import read_object
from holdfast.cli.output import AsJson, TenantOption, echo_json, out, show, with_app
from holdfast.envelope import Contract, to_mermaid
from holdfast.errors import InvalidInput
from holdfast.kernel.actor import SYSTEM
from holdfast.processes.definitions import Review

__all__ = ["add"]

contracts = typer.Typer(help="Contracts of document types.", no_args_is_help=True)
commands = typer.Typer(help="Definitions: what an organisation adds to the skeletons.", no_args_is_help=True)

_CONTRACTS = ("entity_type", "version", "automation", "created_at", "created_by")
_COLUMNS = ("id", "entity_type", "definition_kind", "version", "status", "base_version", "note", "created_by")
_Id = Annotated[UUID, typer.Argument(help="Id of the definition.")]
_Type = Annotated[str, typer.Argument(metavar="TYPE", help="Document type, or name of an automation.")]
_User = Annotated[str | None, typer.Option("--user", "-u", help="Who does it; trusted code by default.")]
_File = Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="YAML or JSON.")]


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(contracts, name="contracts")
    cli.add_typer(commands, name="definitions")


@contracts.command("list")
def list_contracts(tenant: TenantOption, as_json: AsJson = False) -> None:
    """The contracts of a tenant, every version."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            show(f"Contracts of {tenant}", _CONTRACTS, await hold.definitions.contracts(), as_json=as_json)

    with_app(work)


@contracts.command("register")
def register_contract(tenant: TenantOption, file: _File) -> None:
    """Register a contract; a changed one needs a higher version."""
    contract = Contract.from_data(read_object(f"@{file}"))

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            show("Registered", _CONTRACTS, [await hold.definitions.register(contract)], as_json=False)

    with_app(work)


@commands.command("list")
def list_definitions(
    tenant: TenantOption,
    entity_type: Annotated[str | None, typer.Argument(metavar="TYPE", help="Only of this type.")] = None,
    status: Annotated[str | None, typer.Option(help="Only draft, published or archived ones.")] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """The latest definitions."""
    known = ("draft", "published", "archived")
    if status is not None and status not in known:
        raise InvalidInput(f"status {status!r} is unknown", hint=f"use one of {', '.join(known)}", field="status")

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            page = await hold.definitions.list(entity_type=entity_type, status=status, limit=limit)
        show(f"Definitions of {tenant}", _COLUMNS, page.items, as_json=as_json)

    with_app(work)


@commands.command("show")
def show_definition(
    tenant: TenantOption,
    definition_id: _Id,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Draw it as a Mermaid graph.")] = False,
) -> None:
    """One definition, with what the organisation changed."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            if mermaid:
                typer.echo(to_mermaid(await hold.definitions.compiled(definition_id)))
                return
            show("Definition", _COLUMNS, [await hold.definitions.get(definition_id)], as_json=False)
            typer.echo((await hold.definitions.customisation(definition_id)).to_text())

    with_app(work)


@commands.command("draft")
def draft(
    tenant: TenantOption,
    file: _File,
    note: Annotated[str, typer.Option(help="What is new.")] = "",
) -> None:
    """Store a draft from a file with base_ref and slots, and print its id."""
    base, slots = _read(file)

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            made = await hold.definitions.create_draft(
                base["entity_type"], slots, note=note, base_version=base.get("envelope_version")
            )
        typer.echo(str(made.id))

    with_app(work)


@commands.command("validate")
def validate(tenant: TenantOption, file: _File) -> None:
    """Check a definition without storing it; every problem at once."""
    base, slots = _read(file)

    async def work(app: Holdfast) -> Review:
        async with app.tenant(tenant) as hold:
            return await hold.definitions.validate(
                base["entity_type"], slots, base_version=base.get("envelope_version")
            )

    review = with_app(work)
    for problem in review.problems:
        out.print(escape(str(problem)), soft_wrap=True)
    if not review.ok:
        raise typer.Exit(1)
    out.print(f"[green]compiles[/] to {review.compiled_hash}")


@commands.command("simulate")
def simulate(
    tenant: TenantOption,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="YAML or JSON: document, script, world.")],
    definition_id: Annotated[UUID | None, typer.Option("--definition", help="A draft, or a published one.")] = None,
    entity_type: Annotated[str | None, typer.Option("--type", help="Instead: the workflow in force.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a script with a workflow, without side effects, and tell what happens and why."""
    given = read_object(f"@{file}")

    async def work(app: Holdfast) -> Any:
        async with app.tenant(tenant) as hold:
            workflow, skeleton = await hold.definitions.playable(definition_id=definition_id, entity_type=entity_type)
            prepared = await hold.definitions.simulator.prepare(
                workflow,
                skeleton.scope(),
                given.get("document", {}),
                given.get("script", []),
                world=given.get("world", {}),
                payload=given.get("payload"),
            )
        return prepared.run()

    simulated = with_app(work)
    if as_json:
        echo_json(simulated)
    else:
        typer.echo(simulated.text)


@commands.command("changes")
def changes(tenant: TenantOption, definition_id: _Id) -> None:
    """What publishing a draft would change."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            typer.echo((await hold.definitions.changes(definition_id)).to_text())

    with_app(work)


@commands.command("upgrade")
def upgrade(
    tenant: TenantOption,
    definition_id: _Id,
    to_version: Annotated[int | None, typer.Option("--to", help="Version of the skeleton; the newest without.")] = None,
) -> None:
    """What a rebase would come to, slot by slot: theirs, yours, conflicts. Changes nothing."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            found = await hold.definitions.upgrade(definition_id, to_version=to_version)
        for slot in found.slots:
            why = f": {slot.conflict['message']}" if slot.conflict else ""
            out.print(escape(f"{slot.state:<10} {slot.slot}{why}"), soft_wrap=True)
        typer.echo(found.skeleton.to_text())

    with_app(work)


@commands.command("resolve")
def resolve(
    tenant: TenantOption,
    definition_id: _Id,
    slot: Annotated[str, typer.Argument(help="The slot that a rebase held back.")],
    take: Annotated[str, typer.Argument(help="theirs or yours.")],
    into: Annotated[str | None, typer.Option(help="Another slot to put yours into.")] = None,
) -> None:
    """Decide about a slot that a rebase held back."""
    if take not in ("theirs", "yours"):
        raise InvalidInput(f"take is {take!r}", hint="say theirs or yours", field="take")

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            draft = await hold.definitions.get(definition_id)
            choice: Any = take
            made = await hold.definitions.resolve(draft.id, slot, choice, revision=draft.revision, into=into)
        left = ", ".join(sorted(made.held_back or {})) or "nothing"
        out.print(f"still held back: {escape(left)}")

    with_app(work)


@commands.command("propose")
def propose(tenant: TenantOption, definition_id: _Id, user: _User = None) -> None:
    """Ask for a draft to be published, as it is, by somebody else."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=user or SYSTEM) as hold:
            show("Proposed", (*_COLUMNS, "proposed_by"), [await hold.definitions.propose(definition_id)], as_json=False)

    with_app(work)


@commands.command("publish")
def publish(
    tenant: TenantOption,
    definition_id: _Id,
    user: _User = None,
    despite_cases: Annotated[bool, typer.Option("--despite-cases", help="Although test cases fail.")] = False,
) -> None:
    """Compile a draft and freeze it, when it does what the test cases of its type expect."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=user or SYSTEM) as hold:
            made = await hold.definitions.publish(definition_id, despite_cases=despite_cases)
        show("Published", _COLUMNS, [made], as_json=False)

    with_app(work)


@commands.command("rollback")
def roll_back(
    tenant: TenantOption,
    entity_type: _Type,
    version: Annotated[int, typer.Argument(help="Version of the effective workflow to publish again.")],
) -> None:
    """Publish an older version again, as a new one."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            show("Published", _COLUMNS, [await hold.definitions.roll_back(entity_type, version)], as_json=False)

    with_app(work)


@commands.command("archive")
def archive(tenant: TenantOption, entity_type: _Type) -> None:
    """Take the organisation's workflow out of use."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            made = await hold.definitions.archive(entity_type)
        show("In force now", _COLUMNS, [made] if made else [], as_json=False)

    with_app(work)


@commands.command("recompile")
def recompile(
    tenant: TenantOption,
    entity_type: Annotated[str | None, typer.Argument(metavar="TYPE", help="One type; all stale ones without.")] = None,
) -> None:
    """Compile published workflows again with this version of the compiler."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            stale = [entity_type] if entity_type else await hold.definitions.stale()
            made = [await hold.definitions.recompile(each) for each in stale]
        show("Compiled", _COLUMNS, made, as_json=False)

    with_app(work)


@commands.command("diff")
def diff(
    tenant: TenantOption, before: _Id, after: Annotated[UUID, typer.Argument(help="Id of the other one.")]
) -> None:
    """What turns one workflow into another."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            typer.echo((await hold.definitions.diff(before, after)).to_text())

    with_app(work)


@commands.command("rebase")
def rebase(
    tenant: TenantOption,
    definition_id: _Id,
    to_version: Annotated[int | None, typer.Option("--to", help="Version of the skeleton; the newest without.")] = None,
) -> None:
    """Carry patches to another version of their skeleton, as a new draft."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            moved = await hold.definitions.rebase(definition_id, to_version=to_version)
        typer.echo(moved.rebase.to_text())
        typer.echo(str(moved.draft.id))

    with_app(work)


def _read(file: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    data = read_object(f"@{file}")
    base, slots = data.get("base_ref"), data.get("slots", {})
    if not isinstance(base, dict) or not isinstance(base.get("entity_type"), str) or not isinstance(slots, dict):
        raise InvalidInput(
            f"{file} is no definition", hint="it needs base_ref with entity_type, and slots", field="file"
        )
    return base, slots
