"""`holdfast templates`, `test-cases`, `what-ifs`, `expressions` and `used-by`: designing without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer
from rich.markup import escape

from holdfast.app import Holdfast
from holdfast.cli.documents import read_object
from holdfast.cli.output import AsJson, TenantOption, echo_json, out, show, with_app
from holdfast.documents.usage import USABLE
from holdfast.errors import InvalidInput
from holdfast.processes.definitions.expressions import ExpressionPlace
from holdfast.processes.definitions.templates import list_templates, template_detail
from holdfast.processes.definitions.test_cases import CaseOutcome, run_cases

__all__ = ["add"]

templates = typer.Typer(help="Templates to begin a definition with.", no_args_is_help=True)
cases = typer.Typer(help="Test cases: simulations that drafts are held to.", no_args_is_help=True)
what_ifs = typer.Typer(help="Past documents replayed through drafts.", no_args_is_help=True)
expressions = typer.Typer(help="Expressions: check, format, try.", no_args_is_help=True)

_TEMPLATES = ("name", "title", "entity_type", "steps", "cases")
_WHAT_IFS = ("id", "entity_type", "status", "replayed", "total", "changed", "created_by", "error")
_Type = Annotated[str, typer.Argument(metavar="TYPE", help="Document type, or name of an automation.")]
_Id = Annotated[UUID, typer.Argument(help="Id of the what-if.")]
_Place = Annotated[str | None, typer.Option("--type", help="Document type whose fields it reads.")]


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.add_typer(templates, name="templates")
    cli.add_typer(cases, name="test-cases")
    cli.add_typer(what_ifs, name="what-ifs")
    cli.add_typer(expressions, name="expressions")
    cli.command("used-by")(used_by)


@templates.command("list")
def list_all(as_json: AsJson = False) -> None:
    """The templates of the library."""
    show("Templates", _TEMPLATES, list_templates(), as_json=as_json)


@templates.command("show")
def show_template(name: Annotated[str, typer.Argument(help="Name of the template.")]) -> None:
    """All of one template, as JSON."""
    echo_json(template_detail(name))


@templates.command("use")
def use_template(
    tenant: TenantOption,
    name: Annotated[str, typer.Argument(help="Name of the template.")],
    entity_type: Annotated[str | None, typer.Option("--type", help="Document type; by default the template's.")] = None,
    with_cases: Annotated[bool, typer.Option("--cases/--no-cases", help="Keep its test cases.")] = True,
) -> None:
    """Begin a draft from a template, and print its id."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            made = await hold.definitions.instantiate(name, entity_type=entity_type, cases=with_cases)
        typer.echo(str(made.id))

    with_app(work)


@cases.command("list")
def list_cases(tenant: TenantOption, entity_type: _Type, as_json: AsJson = False) -> None:
    """The test cases of a type."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            found = await hold.definitions.cases.list(entity_type)
        show(
            f"Test cases of {entity_type}", ("name", "description", "updated_by", "updated_at"), found, as_json=as_json
        )

    with_app(work)


@cases.command("keep")
def keep_case(
    tenant: TenantOption,
    entity_type: _Type,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="YAML or JSON with name and expect.")],
) -> None:
    """Keep a test case from a file with name, document, world, script and expect."""
    given = read_object(f"@{file}")
    name = given.pop("name", None)
    if not isinstance(name, str) or not isinstance(given.get("expect"), dict):
        raise InvalidInput(f"{file} is no test case", hint="it needs a name, and expect", field="file")
    unknown = set(given) - {"document", "world", "script", "payload", "expect", "description"}
    if unknown:
        raise InvalidInput(f"a test case has no {min(unknown)!r}", field=min(unknown))

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            await hold.definitions.cases.keep(entity_type, name, **given)

    with_app(work)
    out.print(f"kept [bold]{escape(name)}[/]")


@cases.command("run")
def run(
    tenant: TenantOption,
    entity_type: _Type,
    definition: Annotated[UUID | None, typer.Option(help="A draft; without, the workflow in force.")] = None,
) -> None:
    """Play the test cases of a type; exit code 1 when one fails."""

    async def work(app: Holdfast) -> list[CaseOutcome]:
        async with app.tenant(tenant) as hold:
            workflow, skeleton = await hold.definitions.playable(definition_id=definition, entity_type=entity_type)
            kept = await hold.definitions.cases.list(skeleton.entity_type)
        return run_cases(kept, workflow, skeleton.scope())

    found = with_app(work)
    for each in found:
        out.print(f"[{'green]passed' if each.passed else 'red]failed'}[/] {escape(each.name)}")
        for difference in each.differences:
            out.print(f"    {escape(difference)}", soft_wrap=True)
    if not all(each.passed for each in found):
        raise typer.Exit(1)


@cases.command("delete")
def delete_case(
    tenant: TenantOption, entity_type: _Type, name: Annotated[str, typer.Argument(help="Name of the test case.")]
) -> None:
    """Delete a test case."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            await hold.definitions.cases.forget(entity_type, name)

    with_app(work)


@what_ifs.command("start")
def start_what_if(
    tenant: TenantOption,
    definition: Annotated[UUID, typer.Argument(help="Id of a draft.")],
    most: Annotated[int, typer.Option(help="How many documents, from the newest on.", min=1, max=100_000)] = 1000,
    status: Annotated[str | None, typer.Option(help="Only documents in this state.")] = None,
) -> None:
    """Let a worker replay past documents through a draft, and print the id of the what-if."""

    async def work(app: Holdfast) -> None:
        narrowed = {"doc_status": status} if status is not None else {}
        async with app.tenant(tenant) as hold:
            made = await hold.definitions.what_ifs.start(definition_id=definition, narrowed=narrowed, most=most)
        typer.echo(str(made.id))

    with_app(work)


@what_ifs.command("list")
def list_what_ifs(tenant: TenantOption, entity_type: _Type, as_json: AsJson = False) -> None:
    """The latest what-ifs of a type."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            page = await hold.definitions.what_ifs.list(entity_type)
        show(f"What-ifs of {entity_type}", _WHAT_IFS, page.items, as_json=as_json)

    with_app(work)


@what_ifs.command("show")
def show_what_if(tenant: TenantOption, what_if: _Id, as_json: AsJson = False) -> None:
    """How far one is, and where the ways of documents part."""

    async def work(app: Holdfast) -> tuple[Any, Any]:
        async with app.tenant(tenant) as hold:
            found = await hold.definitions.what_ifs.get(what_if)
            return found, await hold.definitions.what_ifs.groups(what_if)

    found, groups = with_app(work)
    if as_json:
        echo_json({"what_if": found, "groups": groups})
        return
    show("What-if", _WHAT_IFS, [found], as_json=False)
    for group in groups:
        parting = group.parting
        where = parting.get("node") or parting.get("error") or "their end"
        out.print(f"{group.documents} part at {escape(str(where))}  [dim]{group.id}[/]")
        for label in ("before", "after"):
            because = "; ".join(parting["example"].get(label, ()))
            out.print(f"    {label}: {escape(str(parting.get(label)))} {escape(because)}", soft_wrap=True)


@what_ifs.command("documents")
def list_documents(
    tenant: TenantOption,
    what_if: _Id,
    group: Annotated[str, typer.Argument(help="Id of the group, as `show` tells it.")],
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=200)] = 50,
    as_json: AsJson = False,
) -> None:
    """The documents of a group."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            page = await hold.definitions.what_ifs.documents(what_if, group, limit=limit)
        show("Documents", ("document_id", "doc_status", "created_by", "because"), page.items, as_json=as_json)

    with_app(work)


@what_ifs.command("cancel")
def cancel_what_if(tenant: TenantOption, what_if: _Id) -> None:
    """Stop one; what it has found so far stays."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            show("Cancelled", _WHAT_IFS, [await hold.definitions.what_ifs.cancel(what_if)], as_json=False)

    with_app(work)


@expressions.command("check")
def check_expression(
    tenant: TenantOption,
    text: Annotated[str, typer.Argument(help="The expression.")],
    entity_type: _Place = None,
) -> None:
    """Everything that is wrong with an expression; exit code 1 when something is."""

    async def work(app: Holdfast) -> Any:
        async with app.tenant(tenant) as hold:
            return await hold.definitions.expressions.check(text, ExpressionPlace(entity_type))

    found = with_app(work)
    for problem in (*found.problems, *found.warnings):
        out.print(escape(f"{problem.message}\n{problem.excerpt}"))
        if problem.hint:
            out.print(escape(problem.hint))
    if not found.ok:
        raise typer.Exit(1)
    out.print(f"[green]fits[/]: gives a {escape(str(found.type))}")


@expressions.command("format")
def format_one(tenant: TenantOption, text: Annotated[str, typer.Argument(help="The expression.")]) -> None:
    """An expression in its standard form."""

    async def work(app: Holdfast) -> str:
        async with app.tenant(tenant) as hold:
            return hold.definitions.expressions.format(text)

    typer.echo(with_app(work))


@expressions.command("try")
def try_expression(
    tenant: TenantOption,
    text: Annotated[str, typer.Argument(help="The expression.")],
    document: Annotated[str, typer.Argument(help="A sample as JSON, @file, or the id of a document.")],
    entity_type: _Place = None,
) -> None:
    """Evaluate an expression on a document, and say why it came out so."""

    async def work(app: Holdfast) -> Any:
        async with app.tenant(tenant) as hold:
            try:
                known = UUID(document)
            except ValueError:
                sample = read_object(document)
            else:
                sample = dict((await hold.documents.get(known)).data)
            return await hold.definitions.expressions.try_out(text, ExpressionPlace(entity_type), document=sample)

    tried = with_app(work)
    if not tried.ok:
        out.print(escape(f"{tried.problem.message}\n{tried.problem.excerpt}"))
        raise typer.Exit(1)
    typer.echo(tried.because)


def used_by(
    tenant: TenantOption,
    kind: Annotated[str, typer.Argument(help=f"One of {', '.join(USABLE)}.")],
    name: Annotated[str, typer.Argument(help="Its name.")],
    as_json: AsJson = False,
) -> None:
    """The steps that name a chain, a rule, a secret, a role …: what would break without it."""
    if kind not in USABLE:
        raise InvalidInput(f"nothing is known of a {kind!r}", hint=f"use one of {', '.join(USABLE)}", field="kind")

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            found = await hold.definitions.uses(kind, name)
        columns = ("entity_type", "version", "status", "node_id", "node_name", "in_force")
        show(f"Steps that name the {kind} {name}", columns, found, as_json=as_json)

    with_app(work)
