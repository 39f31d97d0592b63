"""Time-ordered identifiers (UUID version 7, RFC 9562), made in Python because Postgres 15 to 17 cannot.

Ids made by one process strictly increase, so rows inserted together land together in every index. The clock only
affects locality: nothing in holdfast reads the time back out of an id.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from uuid import UUID

__all__ = ["uuid7", "uuid7_following", "uuid7s"]

_lock = threading.Lock()
_last = 0


def uuid7() -> UUID:
    """A new identifier, greater than every one this process made before."""
    return UUID(int=_identifier(_stamp(1), int.from_bytes(os.urandom(8))))


def uuid7_following(cause: UUID, name: str) -> UUID:
    """The identifier of what `name` made of `cause`: always the same one, and in order of time where `cause` is."""
    digest = hashlib.sha256(f"{cause}:{name}".encode()).digest()
    low = 0b10 << 62 | int.from_bytes(digest[:8]) & 0x3FFF_FFFF_FFFF_FFFF
    return UUID(int=cause.int >> 64 << 64 | low)


def uuid7s(count: int) -> list[UUID]:
    """Many new identifiers at once, in order."""
    first = _stamp(count)
    noise = os.urandom(8 * count)
    return [
        UUID(int=_identifier(first + place, int.from_bytes(noise[8 * place : 8 * place + 8]))) for place in range(count)
    ]


def _stamp(count: int) -> int:
    """The first of `count` consecutive stamps: 48 bits of milliseconds and 12 of their fraction."""
    global _last  # the monotonic counter is the whole point of the module
    with _lock:
        # A clock that stands still or jumps back is outrun by counting up from the last value instead.
        first = max((time.time_ns() << 12) // 1_000_000, _last + 1)
        _last = first + count - 1
    return first


def _identifier(stamp: int, noise: int) -> int:
    return stamp >> 12 << 80 | 0x7 << 76 | (stamp & 0xFFF) << 64 | 0b10 << 62 | noise & 0x3FFF_FFFF_FFFF_FFFF
