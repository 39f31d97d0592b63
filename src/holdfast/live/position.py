"""Where a reader is: what two snapshots of the database differ by, up to a number, then all since the second.

So a transaction that commits late is not missed, one that committed early is not told twice, and any server can go on
from where another was. A position is opaque, and good for as long as it is young and the database the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Self
from uuid import UUID

from holdfast.errors import InvalidInput
from holdfast.kernel.cursor import decode_cursor, encode_cursor

__all__ = ["LONGEST", "LivePosition"]

LONGEST = timedelta(minutes=15)
"""How long one may be away and still go on; later there is too much to read, and a `resync` costs less."""
_SNAPSHOT = re.compile(r"([0-9]{1,19}):([0-9]{1,19}):((?:[0-9]{1,19}(?:,[0-9]{1,19})*)?)")
_PARTS = (int, str, str, str, int, int)


@dataclass(frozen=True, slots=True)
class LivePosition:
    """After the `part`th topic of the event with the number `after`, of those that `upto` sees and `since` does not."""

    origin: int
    at: datetime
    since: str
    upto: str
    after: int = 0
    part: int = 0

    @classmethod
    def read(cls, tenant: UUID, text: str) -> Self | None:
        """The position a reader names; None for what was never one of ours."""
        try:
            origin, at, since, upto, after, part = decode_cursor({"live": str(tenant)}, text, _PARTS)
            moment = datetime.fromisoformat(at).astimezone(UTC)
        except (InvalidInput, ValueError, OverflowError):
            return None
        found = cls(origin, moment, since, upto or since, after, part)
        sound = all(map(_is_snapshot, (found.since, found.upto))) and 0 <= after < 2**63 and 0 <= part < 100
        return found if sound else None

    def write(self, tenant: UUID) -> str:
        """As a reader is given it."""
        upto = "" if self.upto == self.since else self.upto
        at = self.at.astimezone(UTC).isoformat(timespec="seconds")
        return encode_cursor({"live": str(tenant)}, [self.origin, at, self.since, upto, self.after, self.part])

    def is_lost(self, now: Self) -> bool:
        """Whether nobody can go on from here: it is too old, of another database, or from before a backup of this."""
        return (
            self.origin != now.origin
            or not timedelta(minutes=-1) <= now.at - self.at <= LONGEST
            or _end(self.upto) > _end(now.upto)
        )


def _is_snapshot(text: str) -> bool:
    """Whether Postgres can read it: a position is opaque, but anybody can make one up."""
    parts = _SNAPSHOT.fullmatch(text)
    if parts is None:
        return False
    under_way = [int(xid) for xid in parts[3].split(",") if xid]
    first, last = int(parts[1]), int(parts[2])
    sorted_once = under_way == sorted(set(under_way))
    return 0 < first <= last < 2**63 and sorted_once and all(first <= xid < last for xid in under_way)


def _end(snapshot: str) -> int:
    return int(snapshot.split(":")[1])
