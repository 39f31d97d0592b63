"""What everything that is leased shares: how long to wait before trying again, and keeping leases alive.

The protocol (claim, beat, expire, settle, give back, cancel) is drawn, modelled and checked in every interleaving in
`tests/leases/protocol.pml`; a change of it is a change of both.
"""

from holdfast.leases.backoff import Backoff
from holdfast.leases.heart import Heart, Lease

__all__ = ["Backoff", "Heart", "Lease"]
