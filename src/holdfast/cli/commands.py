"""Every command of `holdfast`, and the module it is in, which is imported when the command is chosen.

So the list of commands, and any one of them, does not wait for the code of all the others.
"""

from __future__ import annotations

import importlib
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

__all__ = ["COMMANDS", "ChosenCommand", "load"]

COMMANDS = {
    "up": ("up", "Run everything: Postgres, migrations, server, worker. Ctrl-C stops it all."),
    "demo": ("up", "The demo of `holdfast up`."),
    "serve": ("operate", "Run the HTTP server and the console."),
    "worker": (
        "operate",
        "Execute runs, advance processes, fire schedules, send effects and outbox events, keep house.",
    ),
    "migrate": ("operate", "Bring the database's schema up to date."),
    "doctor": (
        "operate",
        "Check connection, version, roles, isolation, migrations, clock and partitions; exit code 1 when one fails.",
    ),
    "postgres": ("postgres", "Run psql, pg_dump or another program on the embedded Postgres, as its superuser."),
    "settings": ("operate", "Every setting with its value now and what it is for; secrets are masked."),
    "version": ("operate", "The version of holdfast, and of Python."),
    "controller": (
        "sessions",
        "Keep Kubernetes' WorkflowDefinitions and the registry the same, and start a Job for each session of an image.",
    ),
    "health": (
        "health",
        "How the queues of a tenant are doing: now and within the last hour; or one of them over time.",
    ),
    "incidents": ("health", "What went wrong, grouped by error, the most frequent first."),
    "workers": (
        "health",
        "Who works, on what, when they were last heard of, and what they have in hand of this tenant.",
    ),
    "operations": ("health", "What is done to many things at once."),
    "installation": ("installation", "The installation, and who operates it."),
    "inbox": ("inbox", "What waits for a person: approvals and tasks, oldest first."),
    "approvals": ("inbox", "Approvals and tasks of a tenant."),
    "permissions": ("access", "Every permission with what it allows."),
    "runs": ("runs", "Runs of a tenant."),
    "outbox": ("outbox", "Events for other systems."),
    "schedules": ("schedules", "Schedules of a tenant."),
    "data": ("data", "Keys of a tenant."),
    "links": ("links", "Links between records of a tenant."),
    "actions": ("actions", "Actions: the verbs everything shares."),
    "sessions": ("sessions", "Sessions of a tenant."),
    "session-definitions": ("sessions", "Definitions of sessions, for all tenants."),
    "documents": ("documents", "Documents of a tenant."),
    "rules": ("documents", "Rules about changes of documents."),
    "contracts": ("definitions", "Contracts of document types."),
    "definitions": ("definitions", "Definitions: what an organisation adds to the skeletons."),
    "templates": ("designing", "Templates to begin a definition with."),
    "test-cases": ("designing", "Test cases: simulations that drafts are held to."),
    "what-ifs": ("designing", "Past documents replayed through drafts."),
    "expressions": ("designing", "Expressions: check, format, try."),
    "used-by": ("designing", "The steps that name a chain, a rule, a secret, a role …: what would break without it."),
    "processes": ("processes", "Process instances of a tenant."),
    "triggers": ("processes", "What starts automations."),
    "effects": ("effects", "What processes send to the outside."),
    "tenants": ("access", "Tenants of the installation."),
    "users": ("access", "Users of a tenant."),
    "roles": ("access", "Roles of a tenant."),
    "tokens": ("access", "API tokens of a tenant."),
    "sign-ins": ("access", "Signed-in browsers of a tenant."),
    "audit": ("audit", "The audit trail."),
    "keys": ("keys", "Keys that encrypt and sign."),
}
"""By name: the module in this package, and the line that the list of commands shows."""


class ChosenCommand(TyperGroup):
    """Lists every command by its line here, and loads the one that is chosen."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = {name: TyperCommand(name, help=line) for name, (_, line) in COMMANDS.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed and load(name or ""), rest


def load(name: str) -> Any:
    """A command as its module defines it."""
    module, _ = COMMANDS[name]
    part = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode="rich")
    importlib.import_module(f"holdfast.cli.{module}").add(part)
    return get_group(part).commands[name]
