"""One round of housekeeping over every part that keeps something for a time only."""

from __future__ import annotations

from holdfast.actions.api import drop_receipts
from holdfast.audit.anchors import anchor_due
from holdfast.audit.janitor import tidy
from holdfast.audit.model import Tidied
from holdfast.data.stores.postgres import tidy_data
from holdfast.kernel.clock import Clock
from holdfast.kernel.keyring import Keyring
from holdfast.operate.minutes import tidy_minutes
from holdfast.operations import drop_operations
from holdfast.outbox.api import drop_published
from holdfast.postgres.database import Database
from holdfast.processes.janitor import prune
from holdfast.runs.api import drop_finished

__all__ = ["keep_house"]


async def keep_house(database: Database, clock: Clock, keyring: Keyring) -> Tidied:
    """Make partitions ahead, anchor the trail, drop expired months and what has served its time."""
    await anchor_due(database, clock, keyring)
    done = await tidy(database, clock, keyring)
    runs = await drop_finished(database, clock)
    events = await drop_published(database, clock)
    _, changes = await tidy_data(database, clock)
    await drop_receipts(database, clock)
    await prune(database, clock)
    await drop_operations(database, clock)
    await tidy_minutes(database, clock)
    return Tidied(done.partitions_made, (*done.partitions_dropped, *runs, *events, *changes))
