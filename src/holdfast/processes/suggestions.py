"""What the fields of a designer's forms suggest: people, roles, chains, rules, actions, types, secrets.

Each is a source of the registry of actions (`x-suggestions` of a field names it). Any other value is welcome too: what
is named may come later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from holdfast.actions import ActionRegistry
from holdfast.kernel.actor import PERMISSIONS, known_permissions
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.assembly import Assembly

__all__ = ["register_suggestions"]

_SQL = queries("definitions")
_MOST = 100


def register_suggestions(registry: ActionRegistry, assembly: Assembly) -> None:
    """Register the sources."""

    async def users(tx: TenantTx, namespace: str | None, prefix: str) -> Mapping[str, str]:
        rows = await tx.rows(_SQL["suggested_users"], prefix=prefix, most=_MOST)
        return {row["value"]: row["label"] for row in rows}

    async def roles(tx: TenantTx, namespace: str | None, prefix: str) -> Sequence[str]:
        return _values(await tx.rows(_SQL["suggested_roles"], prefix=prefix, most=_MOST))

    async def chains(tx: TenantTx, namespace: str | None, prefix: str) -> Sequence[str]:
        return _values(await tx.rows(_SQL["suggested_chains"], prefix=prefix, most=_MOST))

    async def rules(tx: TenantTx, namespace: str | None, prefix: str) -> Sequence[str]:
        stored = _values(await tx.rows(_SQL["suggested_rules"], entity_type=namespace, prefix=prefix, most=_MOST))
        return [*stored, *(name for name in assembly.rules if name.startswith(prefix))]

    async def actions(tx: TenantTx, namespace: str | None, prefix: str) -> Mapping[str, str]:
        return {each.name: each.label for each in registry if each.name.startswith(prefix)}

    async def automations(tx: TenantTx, namespace: str | None, prefix: str) -> Mapping[str, str]:
        rows = await tx.rows(_SQL["suggested_automations"], prefix=prefix, most=_MOST)
        return {row["value"]: row["label"] for row in rows}

    async def secrets(tx: TenantTx, namespace: str | None, prefix: str) -> Sequence[str]:
        return _values(await tx.rows(_SQL["suggested_secrets"], prefix=prefix, most=_MOST))

    async def declared(tx: TenantTx, namespace: str | None, prefix: str) -> Mapping[str, str]:
        return {
            name: allows
            for name, allows in known_permissions().items()
            if name not in PERMISSIONS and name.startswith(prefix)
        }

    registry.suggests("users", in_use=users, permission="users:read")
    registry.suggests("roles", in_use=roles, permission="users:read")
    registry.suggests("chains", in_use=chains, permission="processes:read")
    registry.suggests("rules", in_use=rules, permission="processes:read")
    registry.suggests("actions", in_use=actions, permission="processes:read")
    registry.suggests("automations", in_use=automations, permission="processes:read")
    registry.suggests("secrets", in_use=secrets, permission="secrets:read")
    registry.suggests("permissions", curated=PERMISSIONS, in_use=declared, permission="processes:read")


def _values(rows: Iterable[Mapping[str, str]]) -> list[str]:
    return [row["value"] for row in rows]
