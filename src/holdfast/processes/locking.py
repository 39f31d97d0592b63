"""The lock of an instance (WF-01): whoever holds it is the instance's only writer until the transaction ends.

Everybody takes locks in one order, so that nobody waits in a circle: the instance, then its document, then requests and
decisions about it.
"""

from __future__ import annotations

from uuid import UUID

from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["lock_instance"]

_SQL = queries("processes")


async def lock_instance(tx: TenantTx, instance_id: UUID) -> None:
    """Wait until nobody else advances the instance, and keep it so until the transaction ends."""
    await tx.run(_SQL["lock_instance"], id=instance_id)
