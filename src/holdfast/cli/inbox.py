"""`holdfast inbox`: what waits for a person; `holdfast approvals`: look at requests, decide on them, hand them on."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, cast
from uuid import UUID

import typer

from holdfast.app import Holdfast
from holdfast.cli.output import AsJson, TenantOption, echo_json, say, show, with_app
from holdfast.kernel.actor import SYSTEM
from holdfast.people.inbox import Which
from holdfast.people.model import Verdict

__all__ = ["add"]

commands = typer.Typer(help="Approvals and tasks of a tenant.", no_args_is_help=True)

_COLUMNS = ("id", "kind", "title", "entity_type", "entity_version", "requester", "how", "seat", "due_at", "overdue")
_DONE = (
    "id",
    "kind",
    "title",
    "entity_type",
    "entity_version",
    "requester",
    "decision",
    "seat",
    "decided_at",
    "status",
)
_REQUESTS = ("id", "kind", "status", "title", "entity_type", "entity_version", "requester", "required", "due_at")
_FACTS = (*_REQUESTS, "content_hash", "instance_id", "node_id", "claimed_by", "outcomes", "outcome", "reason")
_Id = Annotated[UUID, typer.Argument(help="Id of the request.")]
_User = Annotated[str, typer.Option("--user", "-u", help="Who does it.")]
_Reason = Annotated[str, typer.Option(help="Why, for whoever reads it.")]
_Limit = Annotated[int, typer.Option(help="How many.", min=1, max=200)]


def add(cli: typer.Typer) -> None:
    """Add these commands."""
    cli.command("inbox")(inbox)
    cli.add_typer(commands, name="approvals")


def inbox(
    tenant: TenantOption,
    user: Annotated[str, typer.Option("--user", "-u", help="Whose inbox.")],
    which: Annotated[str | None, typer.Option(help="Only: mine, role, delegated, overdue or done.")] = None,
    entity_type: Annotated[str | None, typer.Option("--type", help="Only about documents of this type.")] = None,
    requester: Annotated[str | None, typer.Option(help="Only what this user asked for.")] = None,
    counts: Annotated[bool, typer.Option("--counts", help="Only how much there is.")] = False,
    limit: _Limit = 50,
    as_json: AsJson = False,
) -> None:
    """What waits for a person: approvals and tasks, oldest first."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=user) as hold:
            if counts:
                found = await hold.inbox.counts(entity_type=entity_type, requester=requester)
                show(f"Inbox of {user}", tuple(asdict(found)), [found], as_json=as_json)
                return
            page = await hold.inbox.list(
                which=cast("Which | None", which), entity_type=entity_type, requester=requester, limit=limit
            )
        show(f"Inbox of {user}", _DONE if which == "done" else _COLUMNS, page.items, as_json=as_json)

    with_app(work)


@commands.command("list")
def list_requests(
    tenant: TenantOption,
    instance: Annotated[UUID | None, typer.Option(help="Only of this process instance.")] = None,
    document: Annotated[UUID | None, typer.Option(help="Only about this document.")] = None,
    limit: _Limit = 50,
    as_json: AsJson = False,
) -> None:
    """Requests of a tenant, newest first, whoever is asked."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant) as hold:
            page = await hold.approvals.list(instance_id=instance, document_id=document, limit=limit)
        show(f"Approvals of {tenant}", _REQUESTS, page.items, as_json=as_json)

    with_app(work)


@commands.command("show")
def show_request(
    tenant: TenantOption,
    request_id: _Id,
    user: Annotated[str | None, typer.Option("--user", "-u", help="As whom; says why they are asked.")] = None,
    as_json: AsJson = False,
) -> None:
    """A request: what it is about, who is asked and why, and what was decided."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=user or SYSTEM) as hold:
            detail = await hold.approvals.get(request_id)
        if as_json:
            echo_json(asdict(detail))
            return
        facts = [{"field": name, "value": str(getattr(detail.request, name))} for name in _FACTS]
        facts += [{"field": each.title, "value": str(each.value)} for each in detail.headline]
        show(f"Request {request_id}", ("field", "value"), facts, as_json=False)
        show("Asked", ("principal", "via", "is_open", "added_at", "removed_why"), detail.assignees, as_json=False)
        show("Decided", ("decided_by", "seat", "decision", "decided_at", "reason"), detail.decisions, as_json=False)
        show("Why", ("code", "text"), detail.why, as_json=False)

    with_app(work)


@commands.command("decide")
def decide(
    tenant: TenantOption,
    request_id: _Id,
    decision: Annotated[str, typer.Argument(help="approved, rejected, returned or abstained.")],
    user: _User,
    entity_version: Annotated[int, typer.Option("--version", help="The version of the document you saw.")],
    reason: Annotated[str | None, typer.Option(help="Why; needed for rejected and returned.")] = None,
    on_behalf_of: Annotated[str | None, typer.Option(help="In whose place.")] = None,
) -> None:
    """Decide on a request, as a person."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=user) as hold:
            done = await hold.approvals.decide(
                request_id,
                cast("Verdict", decision),
                reason=reason,
                on_behalf_of=on_behalf_of,
                entity_version=entity_version,
            )
        say(f"{decision}: the request is {done.status}" + (f", {done.outcome}" if done.outcome else ""))

    with_app(work)


@commands.command("claim")
def claim(
    tenant: TenantOption,
    request_id: _Id,
    user: _User,
    release: Annotated[bool, typer.Option("--release", help="Give it back instead.")] = False,
) -> None:
    """Take a request that several people are asked."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=user) as hold:
            await (hold.approvals.release(request_id) if release else hold.approvals.claim(request_id))
        say("released" if release else f"claimed by {user}")

    with_app(work)


@commands.command("reassign")
def reassign(
    tenant: TenantOption,
    request_id: _Id,
    to: Annotated[str, typer.Argument(help="Who is asked instead.")],
    user: _User,
    reason: _Reason,
    of: Annotated[str | None, typer.Option(help="Whose place is handed on; one's own by default.")] = None,
) -> None:
    """Let somebody else be asked instead."""

    async def work(app: Holdfast) -> None:
        async with app.tenant(tenant, actor=user) as hold:
            await hold.approvals.reassign(request_id, to, reason=reason, of=of)
        say(f"{to} is asked")

    with_app(work)
