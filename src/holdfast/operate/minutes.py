"""Figures by minute: percentiles from buckets, and the janitor's part in keeping them.

Nothing that finishes work writes here. What was finished is counted afterwards, by one worker a minute; a reader adds
what is not counted yet from the tables themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from holdfast.kernel.clock import Clock
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries

__all__ = ["COUNT_CAP", "LATENCY_BOUNDS", "percentile", "roll_up", "tidy_minutes"]

_SQL = queries("operate")
COUNT_CAP: Final = 100_000
"""What is counted of one queue, at most."""

LATENCY_BOUNDS: Final = (
    *(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0),
    *(60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0, 7200.0, 21600.0, 86400.0),
)
"""Seconds between which latencies are counted, as in the function latency_bucket."""


def percentile(buckets: Mapping[int, int], share: float) -> float | None:
    """The latency that this share of all is not above, in seconds; between two bounds, in proportion."""
    total = sum(buckets.values())
    if total == 0:
        return None
    wanted = share * total
    so_far = 0
    for bucket, count in sorted(buckets.items()):
        if so_far + count >= wanted:
            low = LATENCY_BOUNDS[bucket - 1] if bucket else 0.0
            high = LATENCY_BOUNDS[bucket] if bucket < len(LATENCY_BOUNDS) else low
            return round(low + (high - low) * (wanted - so_far) / count, 6)
        so_far += count
    return LATENCY_BOUNDS[-1]


def add_buckets(into: Counter[int], stored: Mapping[str, int]) -> None:
    """Add the buckets of a minute, as they are stored."""
    for bucket, count in stored.items():
        into[int(bucket)] += count


async def roll_up(database: Database, clock: Clock) -> int:
    """Count the minutes that are over, of every tenant; how many those were. None, when another worker does it."""
    async with database.connection() as connection:
        values = {"cap": COUNT_CAP, "now": clock.now()}
        row = await (await connection.execute(_SQL["roll_up"], values)).fetchone()
    return int(row[0]) if row else 0


async def tidy_minutes(database: Database, clock: Clock) -> None:
    """Retention: a day of minutes is kept, and a little more."""
    async with database.connection() as connection:
        await connection.execute(_SQL["drop_minutes"], {"now": clock.now()})
