"""What names a thing: steps of drafts, of workflows in force, and of those that instances still follow.

Asked before something is deleted, and told to whoever deletes it. A chain, rule, secret, role, person or action is
named in the configuration of steps; a document type by rules and triggers as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final, Literal
from uuid import UUID

from holdfast.errors import StillUsed
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["USABLE", "Usable", "Use", "refuse_while_used", "uses_of"]

_SQL = queries("definitions")
_MOST: Final = 200

Usable = Literal["chain", "rule", "secret", "action", "role", "user", "session_definition", "run_type"]
USABLE: Final[dict[Usable, str]] = {
    "chain": '$ ? (@.type == "approval" && @.config.chain == $name)',
    "rule": '$ ? (@.type == "rule" && @.config.rule == $name)',
    "secret": "$ ? (@.config.secret == $name || @.config.payload.secret == $name)",
    "action": '$ ? (@.type == "action" && @.config.action == $name)',
    "role": "$.config.** ? (@.role == $name)",
    "user": '$.config.** ? (@.kind == "user" && @.user == $name)',
    "session_definition": '$ ? (@.type == "session" && @.config.definition == $name)',
    "run_type": '$ ? (@.type == "run" && @.config.run_type == $name)',
}
"""How each is named, as a path into a step."""


@dataclass(frozen=True, slots=True)
class Use:
    """A step that names a thing. `in_force`: new or running processes come to it; otherwise it is only drafted."""

    definition_id: UUID
    entity_type: str
    version: int
    status: str
    definition_name: str
    node_id: str
    node_name: str | None
    node_type: str
    in_force: bool


async def uses_of(tx: TenantTx, kind: Usable, name: str) -> list[Use]:
    """Every step that names a thing, those in force first; at most two hundred."""
    rows = await tx.rows(_SQL["uses"], where=USABLE[kind], name=name, most=_MOST)
    return [
        Use(**{key: value for key, value in row.items() if key != "definition_kind"}, in_force=row["status"] != "draft")
        for row in rows
    ]


async def refuse_while_used(tx: TenantTx, kind: Usable, name: str) -> None:
    """Raise `StillUsed` when a step that is in force names it."""
    uses = [use for use in await uses_of(tx, kind, name) if use.in_force]
    if uses:
        raise StillUsed(
            f"the {kind} {name!r} is named by {_told(uses)}",
            hint="publish definitions without it first, or delete it all the same: those steps will fail",
            used_by=[asdict(use) for use in uses],
        )


def _told(uses: Sequence[Use]) -> str:
    first = f"{uses[0].node_name or uses[0].node_id} of {uses[0].entity_type}"
    return first if len(uses) == 1 else f"{first} and {len(uses) - 1} more steps"
