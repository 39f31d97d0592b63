"""The lease machine: what everything that is leased shares.

`Service` is a worker's life, `InHand` what it has leased, `Heart` keeps that alive, `RowTasks` work on it, `LockedOut`
is what cannot be settled for the moment, `QueueMarks` where a claim begins, `Backoff` when a failure is tried again and
when it is a dead letter. Runs, the outbox, the engine's inbox and effects are its clients; each describes its table to
it (`LeasedTable`).

The protocol (claim, beat, expire, settle, give back, cancel) is drawn, modelled and checked in every interleaving in
`tests/leases/protocol.pml`; a change of it is a change of both.
"""

from holdfast.leases.backoff import Backoff
from holdfast.leases.heart import Heart, Lease
from holdfast.leases.in_hand import InHand
from holdfast.leases.locked_out import LockedOut
from holdfast.leases.queue_marks import QueueMarks
from holdfast.leases.service import LeasedTable, Service, pause_until
from holdfast.leases.tasks import RowTasks

__all__ = [
    "Backoff",
    "Heart",
    "InHand",
    "Lease",
    "LeasedTable",
    "LockedOut",
    "QueueMarks",
    "RowTasks",
    "Service",
    "pause_until",
]
