"""What there is around a definition: roles, people, chains and rules of its tenant, and the code of the application.

One query, bounded by what the patches mention and by a few names for hints; one more where chains ask people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from holdfast.actions import ActionRegistry
from holdfast.envelope import OrgWorkflowDefinition, Surroundings
from holdfast.envelope.compiler import Mentioned, asked_by_chains, mentioned
from holdfast.kernel.actor import known_permissions
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx

__all__ = ["ApplicationCode", "read_surroundings"]

_SQL = queries("definitions")


@dataclass(slots=True)
class ApplicationCode:
    """What the application of this program has: actions, rules written in Python, events it says it tells."""

    actions: ActionRegistry
    rules: Iterable[str] = ()
    events: dict[str, str] = field(default_factory=dict)
    """Beginning of a key to what such an event means."""


async def _rows(tx: TenantTx, names: Mentioned, entity_type: str) -> Sequence[Row]:
    return await tx.rows(
        _SQL["names_around"],
        roles=sorted(names.roles),
        users=sorted(names.users),
        chains=sorted(names.chains),
        rules=sorted(names.rules),
        entity_type=entity_type,
    )


async def read_surroundings(
    tx: TenantTx, patches: OrgWorkflowDefinition | Mapping[str, Any], entity_type: str, code: ApplicationCode
) -> Surroundings:
    """What there is of everything that patches mention."""
    slots = patches.slots if isinstance(patches, OrgWorkflowDefinition) else patches
    names = mentioned(slots)
    rows = await _rows(tx, names, entity_type)
    asked = asked_by_chains(row["stages"] or () for row in rows if row["kind"] == "chain")
    if asked.roles or asked.users:
        rows = [*rows, *await _rows(tx, asked, entity_type)]
    of: dict[str, list[str]] = {}
    chains: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        of.setdefault(row["kind"], []).append(row["name"])
        if row["kind"] == "chain":
            chains[row["name"]] = row["stages"] or []
    return Surroundings(
        roles=frozenset(of.get("role", ())),
        users=frozenset(of.get("user", ())),
        chains=chains,
        rules=frozenset([*of.get("rule", ()), *code.rules]),
        permissions=known_permissions(),
        actions={action.name: action.input.problems for action in code.actions},
        own_areas=code.actions.own_areas,
        events=code.events,
    )
