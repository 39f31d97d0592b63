"""`holdfast documents` and `holdfast rules`: look at documents and change them, and at the rules about them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from holdfast.app import Holdfast
from holdfast.cli.output import AsJson, TenantOption, read_file, show, with_app
from holdfast.documents import Document
from holdfast.envelope.text import parse_yaml
from holdfast.errors import CanonicalError, InvalidInput
from holdfast.kernel.actor import SYSTEM
from holdfast.kernel.json import canonical_json, parse_json
from holdfast.kernel.names import did_you_mean

__all__ = ["add", "read_object"]

commands = typer.Typer(help="Documents of a tenant.", no_args_is_help=True)
rules = typer.Typer(help="Rules about changes of documents.", no_args_is_help=True)

_COLUMNS = ("id", "entity_type", "doc_status", "entity_version", "updated_at", "updated_by")
_VERSIONS = ("version", "doc_status", "changed_fields", "content_hash", "created_at", "created_by")
_DIFFERENCES = ("place", "before", "after")
_RULES = ("name", "entity_type", "timing", "effect", "operations", "condition", "priority", "enabled")
_Id = Annotated[UUID, typer.Argument(help="Id of the document.")]
_Actor = Annotated[str | None, typer.Option("--as", help="Act as this user instead of as the system.")]
_Reason = Annotated[str | None, typer.Option(help="Why; kept in the audit trail.")]
_Version = Annotated[int | None, typer.Option("--if-version", help="Only when it still has this version.")]
_Content = Annotated[str, typer.Argument(help="JSON, or @file with JSON or YAML.")]


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(commands, name="documents")
    cli.add_typer(rules, name="rules")


def read_object(given: str) -> dict[str, Any]:
    """An object from JSON text, or from a file of JSON or YAML named with @; numbers stay exact."""
    if given.startswith("@"):
        path = Path(given[1:])
        text = read_file("file", path)
        value = parse_json(text) if path.suffix == ".json" else parse_yaml(text)
    else:
        try:
            value = parse_json(given)
        except CanonicalError as error:
            raise InvalidInput(f"this is not JSON: {error}", hint="quote it for the shell, or use @file") from None
    if not isinstance(value, dict):
        raise InvalidInput("this is no object", hint="write {…}")
    return value


@commands.command("list")
def list_documents(
    tenant: TenantOption,
    entity_type: Annotated[str, typer.Argument(metavar="TYPE", help="Document type.")],
    status: Annotated[str | None, typer.Option(help="Only this status.")] = None,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
    actor: _Actor = None,
) -> None:
    """The latest documents of a type."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=actor or SYSTEM) as hold:
            page = await hold.documents.list(entity_type, doc_status=status, limit=limit)
        show(f"{entity_type} of {tenant}", _COLUMNS, page.items, as_json=as_json)

    with_app(work)


@commands.command("show")
def show_document(
    tenant: TenantOption,
    document_id: _Id,
    version: Annotated[int | None, typer.Option(help="As it was at this version.")] = None,
    actor: _Actor = None,
) -> None:
    """The content of a document, as JSON."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=actor or SYSTEM) as hold:
            if version is None:
                document = await hold.documents.get(document_id)
                show(f"Document {document_id}", _COLUMNS, [document], as_json=False)
                data = document.data
            else:
                data = (await hold.documents.version(document_id, version)).data
        typer.echo(canonical_json(data).decode())

    with_app(work)


@commands.command("versions")
def list_versions(tenant: TenantOption, document_id: _Id, as_json: AsJson = False, actor: _Actor = None) -> None:
    """Every version of a document, newest first."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=actor or SYSTEM) as hold:
            page = await hold.documents.versions(document_id, limit=200)
        show(f"Versions of {document_id}", _VERSIONS, page.items, as_json=as_json)

    with_app(work)


@commands.command("compare")
def compare_versions(
    tenant: TenantOption,
    document_id: _Id,
    before: Annotated[
        int | None, typer.Argument(help="Version; without it, an amended document and its successor.")
    ] = None,
    after: Annotated[int | None, typer.Argument(help="Another version; the latest when left out.")] = None,
    as_json: AsJson = False,
    actor: _Actor = None,
) -> None:
    """Every place in which two versions of a document differ, or an amended one and what took its place."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=actor or SYSTEM) as hold:
            if before is None:
                successor, found = await hold.documents.compare_amended(document_id)
                title = f"{document_id} and its successor {successor.id}"
            else:
                last = (await hold.documents.get(document_id)).entity_version if after is None else after
                found = await hold.documents.compare_nested(document_id, before, last)
                title = f"{document_id}: version {before} and version {last}"
        rows = [{"place": place, "before": one, "after": other} for place, (one, other) in found.items()]
        show(title, _DIFFERENCES, rows, as_json=as_json)

    with_app(work)


@commands.command("create")
def create_document(
    tenant: TenantOption,
    entity_type: Annotated[str, typer.Argument(metavar="TYPE", help="Document type.")],
    content: _Content,
    key: Annotated[str | None, typer.Option(help="Idempotency key.")] = None,
    actor: _Actor = None,
) -> None:
    """Make a document and print its id."""
    data = read_object(content)

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=actor or SYSTEM) as hold:
            made = await hold.documents.create(entity_type, data, key=key)
        typer.echo(str(made.id))

    with_app(work)


@commands.command("update")
def update_document(
    tenant: TenantOption,
    document_id: _Id,
    content: _Content,
    version: _Version = None,
    reason: _Reason = None,
    actor: _Actor = None,
) -> None:
    """Set top-level fields. Where only amendments are allowed, this makes a new document."""
    changes = read_object(content)

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=actor or SYSTEM) as hold:
            after = await hold.documents.update(document_id, changes, expected_version=version, reason=reason)
        _told(f"Amended {document_id}, only that is allowed now: made" if after.amended else "Updated", after)

    with_app(work)


@commands.command("amend")
def amend_document(
    tenant: TenantOption, document_id: _Id, content: _Content, reason: _Reason = None, actor: _Actor = None
) -> None:
    """Replace a document by an amended one."""
    changes = read_object(content)

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=actor or SYSTEM) as hold:
            _told("Amended", await hold.documents.amend(document_id, changes, reason=reason))

    with_app(work)


@commands.command("transition")
def move_document(
    tenant: TenantOption,
    document_id: _Id,
    transition: Annotated[str, typer.Argument(help="The move, such as submit.")],
    version: _Version = None,
    reason: _Reason = None,
    actor: _Actor = None,
) -> None:
    """Ask for a move of the lifecycle."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=actor or SYSTEM) as hold:
            moved = await hold.documents.transition(document_id, transition, expected_version=version, reason=reason)
        _told("Moved", moved)

    with_app(work)


@commands.command("delete")
def delete_document(tenant: TenantOption, document_id: _Id, reason: _Reason = None, actor: _Actor = None) -> None:
    """Delete a document that may still be edited; its history stays."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=actor or SYSTEM) as hold:
            _told("Deleted", await hold.documents.delete(document_id, reason=reason))

    with_app(work)


@rules.command("list")
def list_rules(
    tenant: TenantOption,
    entity_type: Annotated[str | None, typer.Argument(metavar="TYPE", help="Only of this type.")] = None,
    as_json: AsJson = False,
) -> None:
    """Rules, in the order they are applied."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            show(f"Rules of {tenant}", _RULES, await hold.rules.list(entity_type), as_json=as_json)

    with_app(work)


@rules.command("put")
def put_rule(
    tenant: TenantOption, name: Annotated[str, typer.Argument(help="Name of the rule.")], rule: _Content
) -> None:
    """Define a rule, or change it: {"entity_type": …, "timing": …, "effect": …, "condition": …, "config": …}."""
    wanted = read_object(rule)
    needed, besides = {"entity_type", "timing", "effect"}, {"condition", "operations", "config", "priority", "enabled"}
    for field in sorted(needed - wanted.keys()):
        raise InvalidInput(f"{field} is missing", hint="a rule needs entity_type, timing and effect", field=field)
    for field in sorted(wanted.keys() - needed - besides):
        hint = did_you_mean(field, needed | besides) or f"besides, it may have {', '.join(sorted(besides))}"
        raise InvalidInput(f"a rule has no {field!r}", hint=hint, field=field)

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            made = await hold.rules.put(name, wanted.pop("entity_type"), **wanted)
        show("Rule", _RULES, [made], as_json=False)

    with_app(work)


@rules.command("delete")
def delete_rule(tenant: TenantOption, name: Annotated[str, typer.Argument(help="Name of the rule.")]) -> None:
    """Remove a rule; what it found stays."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            await hold.rules.delete(name)

    with_app(work)


def _told(title: str, document: Document) -> None:
    show(title, _COLUMNS, [document], as_json=False)
