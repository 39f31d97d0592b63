"""What expressions about documents may know of who acts and for whom."""

from __future__ import annotations

from typing import Any

from holdfast.kernel.actor import Actor
from holdfast.postgres.tenant import Tenant

__all__ = ["actor_facts", "org_facts"]


def actor_facts(actor: Actor) -> dict[str, Any]:
    """What expressions may know of an actor."""
    return {
        "user_id": actor.name,
        "name": actor.name,
        "kind": actor.kind,
        "roles": sorted(actor.roles),
        "permissions": sorted(actor.permissions),
    }


def org_facts(tenant: Tenant) -> dict[str, Any]:
    """What expressions may know of a tenant."""
    return {"id": str(tenant.id), "slug": tenant.slug, "name": tenant.name, **tenant.settings}
