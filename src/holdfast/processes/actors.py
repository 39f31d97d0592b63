"""Who acts when a worker advances a process: those who caused its events, with the rights they had then and still have.

What nobody caused, such as a timer or a run that finished, happens in the name of the process (`PROCESS`). A step that
follows from it and runs as `actor` has no rights of its own for that: it acts as who started the instance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

from holdfast.access import load_actor
from holdfast.envelope import CompiledWorkflow
from holdfast.errors import InvalidInput
from holdfast.kernel.actor import BUILT_IN_ROLES, Actor, is_permission
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["PROCESS", "Actors", "check_run_as", "is_process", "service_account"]

_SQL = queries("processes")
PROCESS = Actor.system("process")
"""The process itself, for what nobody caused, and for steps that run as the system."""

Told = Mapping[str, Any]
"""An actor as it was carried along, `Actor.to_json()`."""


def is_process(actor: Actor) -> bool:
    """Whether it is the process itself that acts."""
    return actor.kind == "system" and actor.name == PROCESS.name


def check_run_as(actor: Actor, workflow: CompiledWorkflow) -> None:
    """Raise `Forbidden` when steps run as the system, which may do everything, and the actor may not publish such."""
    if any(node.run_as == "system" for node in workflow.nodes_by_id.values()):
        actor.require("processes:run_as_system")


async def service_account(tx: TenantTx, name: str) -> Actor:
    """The program that a tenant's processes act as. A person it cannot be: nobody acts as another person."""
    actor = await load_actor(tx, name)
    if actor.kind != "service":
        raise InvalidInput(
            f"the tenant's service account {name!r} is a person",
            hint="name a service user in the tenant's setting `service_account`",
            field="service_account",
        )
    return actor


class Actors:
    """Those who are named in one transaction: looked up once, as they are now."""

    def __init__(self, tx: TenantTx) -> None:
        self._tx = tx
        self._now: dict[tuple[str, str], Actor] = {}

    async def load(self, named: Iterable[Told]) -> None:
        """Look up who is not known yet. Somebody who was deactivated since keeps the name, but may do nothing."""
        wanted = {(each["kind"], each["name"]) for each in named if each["kind"] != "system"} - self._now.keys()
        if not wanted:
            return
        for row in await self._tx.rows(_SQL["actors"], names=sorted(name for _, name in wanted)):
            permissions = {each for each in row["own_permissions"] if is_permission(each)}
            for role in row["roles"]:
                permissions |= BUILT_IN_ROLES.get(role, frozenset())
            if row["deactivated"]:
                permissions = set()
            kind = cast("Literal['user', 'service']", row["kind"])
            self._now[kind, row["name"]] = Actor(kind, row["name"], frozenset(row["roles"]), frozenset(permissions))
        for kind, name in wanted - self._now.keys():
            self._now[kind, name] = Actor("service" if kind == "service" else "user", name)

    def known(self, told: Told) -> Actor:
        """Somebody as they are now; they must have been looked up."""
        return self._now[told["kind"], told["name"]]

    def acting(self, told: Told) -> Actor:
        """As whom somebody acts now who was carried along; they must have been looked up."""
        then = Actor.from_json(told)
        if then.kind == "system":
            return PROCESS if then.name == PROCESS.name else then
        return self._now[then.kind, then.name].limited_to_then(then)
