"""The audit trail: append, read and verify events; keep and drop their partitions."""

from holdfast.audit.trail import Event, Page, Trail, record
from holdfast.audit.verify import Verdict

__all__ = ["Event", "Page", "Trail", "Verdict", "record"]
