"""Time-ordered identifiers (UUID version 7, RFC 9562), made in Python because Postgres 15 to 17 cannot.

Ids made by one process strictly increase, so rows inserted together land together in every index. The clock only
affects locality: nothing in holdfast reads the time back out of an id.
"""

from __future__ import annotations

import os
import threading
import time
from uuid import UUID

__all__ = ["uuid7"]

_lock = threading.Lock()
_last = 0


def uuid7() -> UUID:
    """A new identifier, greater than every one this process made before."""
    global _last  # the monotonic counter is the whole point of the module
    with _lock:
        # 48 bits of milliseconds and 12 of their fraction. A clock that stands still or jumps back is outrun by
        # counting up from the last value instead.
        stamp = (time.time_ns() << 12) // 1_000_000
        _last = max(stamp, _last + 1)
        stamp = _last
    milliseconds, fraction = stamp >> 12, stamp & 0xFFF
    tail = int.from_bytes(os.urandom(8)) & 0x3FFF_FFFF_FFFF_FFFF
    return UUID(int=milliseconds << 80 | 0x7 << 76 | fraction << 64 | 0b10 << 62 | tail)
