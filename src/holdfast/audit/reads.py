"""Reads that leave a trace: who read which documents and by which road, who looked at the names of secrets.

A tenant asks for it with its setting `audit_reads`. They are plain events of the kind `read`: no chain, because readers
would wait for each other, and kept as long as plain events are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from holdfast.audit.api import record
from holdfast.errors import InvalidInput
from holdfast.postgres.tenant import TenantTx

__all__ = ["audits_reads", "check_audit_reads", "record_read"]


def audits_reads(tx: TenantTx) -> bool:
    """Whether the tenant wants to know who reads what."""
    return tx.tenant.settings.get("audit_reads") is True


async def record_read(tx: TenantTx, object_id: UUID, event_type: str, data: Mapping[str, Any] | None = None) -> None:
    """Write who reads what, if the tenant wants to know."""
    if audits_reads(tx):
        await record(tx, "read", object_id, event_type, data)


def check_audit_reads(settings: Mapping[str, Any]) -> None:
    """Refuse a setting that is neither on nor off: what was meant would not be recorded."""
    if not isinstance(settings.get("audit_reads", False), bool):
        raise InvalidInput("audit_reads is neither true nor false", hint="give true or false", field="settings")
