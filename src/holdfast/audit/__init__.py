"""The audit trail: append, read and verify events; keep and drop their partitions."""

from holdfast.audit.api import Trail, record
from holdfast.audit.model import AuditEvent, Verdict

__all__ = ["AuditEvent", "Trail", "Verdict", "record"]
