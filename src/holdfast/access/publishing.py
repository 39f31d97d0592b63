"""Four eyes on publishing: what takes two people where the tenant's setting `four_eyes_on_publishing` is true.

A draft is proposed by one person and published by another. Whatever else changes at once how documents are decided on
(a contract, an approval chain, a rule, going back to an older version) has no draft that a second person could look at:
people do not do it then, only trusted code, such as the command line, does.
"""

from __future__ import annotations

from holdfast.errors import Forbidden
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["require_second_person"]

_SQL = queries("access")


async def require_second_person(tx: TenantTx, done: str) -> None:
    """Raise `Forbidden` when publishing takes two here, and a person is about to do alone what cannot be proposed."""
    if tx.actor.kind == "system":
        return
    row = await tx.row(_SQL["two_to_publish"])
    if row is not None and row["wanted"]:
        raise Forbidden(
            f"{tx.actor} cannot do this alone: nothing is {done} here without a second person",
            hint="put it into a draft and propose it, or let the operator do it on the command line (four eyes)",
            permission="processes:publish",
        )
