"""Who may do what to documents of a type.

Three things must agree: the permission (`documents:read`, `documents:write`), the roles the vendor's code asks for
(`app.contracts.add(…, allowed={"delete": ["controller"]})`), and the roles the tenant asks for in its settings:

    {"document_roles": {"invoice": {"delete": ["controller"], "create": ["clerk", "controller"]}}}

A tenant can only be stricter than the vendor. Code that acts as `system` is trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from holdfast.documents.contracts import Contracts
from holdfast.documents.model import OPERATIONS, Operation
from holdfast.errors import Forbidden, InvalidInput
from holdfast.kernel.actor import Actor
from holdfast.kernel.names import did_you_mean
from holdfast.postgres.tenant import TenantTx

__all__ = ["check_policy", "check_settings"]


def check_policy(tx: TenantTx, contracts: Contracts, entity_type: str, operation: Operation) -> None:
    """Raise `Forbidden` unless the actor may carry out the operation on documents of this type."""
    tx.require("documents:write")
    declared = contracts.declared(entity_type)
    if declared is not None and operation in declared.allowed:
        _require_role(tx.actor, declared.allowed[operation], entity_type, operation)
    asked = _asked_by_tenant(tx.tenant.settings, entity_type, operation)
    if asked is not None:
        _require_role(tx.actor, asked, entity_type, operation)


def check_settings(settings: Mapping[str, Any]) -> None:
    """Refuse settings that ask for roles of an operation there is not: what was meant would stay open to everybody."""
    policies = settings.get("document_roles")
    for of_type in policies.values() if isinstance(policies, dict) else ():
        for operation in of_type if isinstance(of_type, dict) else ():
            if operation not in OPERATIONS:
                raise InvalidInput(
                    f"document_roles: there is no operation {operation!r}",
                    hint=did_you_mean(str(operation), OPERATIONS) or f"use {', '.join(OPERATIONS)}",
                    field="settings",
                )


def _asked_by_tenant(settings: Mapping[str, Any], entity_type: str, operation: str) -> Iterable[str] | None:
    """What the settings say. Something unreadable there must not open a door: it means that nobody may."""
    policies = settings.get("document_roles")
    if policies is None:
        return None
    of_type = policies.get(entity_type) if isinstance(policies, dict) else {operation: []}
    if of_type is None:
        return None
    roles = of_type.get(operation) if isinstance(of_type, dict) else []
    if roles is None:
        return None
    return [role for role in roles if isinstance(role, str)] if isinstance(roles, list) else []


def _require_role(actor: Actor, roles: Iterable[str], entity_type: str, operation: str) -> None:
    wanted = frozenset(roles)
    if actor.kind == "system" or actor.roles & wanted:
        return
    named = ", ".join(sorted(wanted)) or "none"
    raise Forbidden(
        f"{actor} may not {operation} documents of type {entity_type!r}",
        hint=f"this needs one of the roles: {named}",
        permission="documents:write",
        operation=operation,
        roles=sorted(wanted),
    )
