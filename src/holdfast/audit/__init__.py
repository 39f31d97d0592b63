"""The audit trail: append, read and verify events; keep and drop their partitions."""

from holdfast.audit.api import Trail, record
from holdfast.audit.model import Event, Verdict

__all__ = ["Event", "Trail", "Verdict", "record"]
