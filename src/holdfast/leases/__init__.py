"""What everything that is leased shares: how long to wait before trying again, and keeping leases alive."""

from holdfast.leases.backoff import Backoff
from holdfast.leases.heart import Heart, Lease

__all__ = ["Backoff", "Heart", "Lease"]
