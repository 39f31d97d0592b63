"""Failed sign-ins: counted, limited, told in the log and in the trail, all of it bounded.

Who offers wrong tokens may do so a few times a minute from an address, and ten times as often for a tenant; then every
token is refused unread (429, with `Retry-After`) but those that were good a while ago: nobody is locked out of what
they are doing by somebody else behind the same address. What is remembered is a table of a fixed size; two that meet in
one row of it share its limit.

The log has a line at the first failure and then one a minute, with a count. A tenant's trail has an event
`sign_in.failed` a minute at most: six hundred wrong tokens write one row, not six hundred.
"""

from __future__ import annotations

import ipaddress
import logging
import time
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final

from holdfast.errors import SignInLimited

__all__ = ["FailedSignIns", "is_forwarded", "origin"]

_log = logging.getLogger(__name__)
_ROWS: Final = 4096
_GOOD: Final = 10_000
_MINUTE: Final = 60.0
_OF_A_TENANT: Final = 10
_FORWARDING: Final = ("forwarded", "via", "x-real-ip")


@dataclass(slots=True)
class _Row:
    """Failures that are not yet forgotten: of somebody, or of several."""

    level: float = 0.0
    at: float = 0.0

    def left(self, now: float, a_minute: int) -> float:
        return max(0.0, self.level - (now - self.at) * a_minute / _MINUTE)


@dataclass(slots=True)
class _Report:
    """What was told of failures, and what was not yet."""

    at: float = -_MINUTE
    since: int = 0

    def due(self, now: float) -> int | None:
        """How many there were since the last time, if it is time to say so."""
        self.since += 1
        if now - self.at < _MINUTE:
            return None
        count, self.since, self.at = self.since, 0, now
        return count


class FailedSignIns:
    """What one server knows of those who could not sign in."""

    def __init__(self, a_minute: int) -> None:
        self._a_minute = a_minute
        self._rows = [_Row() for _ in range(_ROWS)]
        self._reports = [_Report() for _ in range(_ROWS)]
        self._logged = _Report()
        self._good: OrderedDict[int, None] = OrderedDict()

    def check(self, address: str, tenant: Hashable, secret: str) -> None:
        """Raise `SignInLimited` for somebody whose tokens are not even looked at for a while."""
        if hash(secret) in self._good:
            return
        now = time.monotonic()
        for key, most in self._limits(address, tenant):
            left = self._row(key).left(now, most)
            if left >= most:
                seconds = max(1, ceil((left - most + 1) * _MINUTE / most))
                raise SignInLimited(
                    "too many sign-ins have failed from here, or for this tenant",
                    hint=f"try again in {seconds} s, with a token that is valid",
                    retry_after=seconds,
                )

    def succeeded(self, secret: str) -> None:
        """A token was good, and is looked at whatever others do."""
        self._good[hash(secret)] = None
        self._good.move_to_end(hash(secret))
        if len(self._good) > _GOOD:
            self._good.popitem(last=False)

    def failed(self, address: str, tenant: Hashable, secret: str) -> int | None:
        """A token was not. How many failures the tenant's trail is to be told of now, if any."""
        now = time.monotonic()
        self._good.pop(hash(secret), None)
        for key, most in self._limits(address, tenant):
            row = self._row(key)
            row.level, row.at = row.left(now, most) + 1, now
        count = self._logged.due(now)
        if count is not None:
            _log.warning("a sign-in from %s failed; %d since the last line like this", address, count)
        return None if tenant is None else self._reports[hash(("told", tenant)) % _ROWS].due(now)

    def _limits(self, address: str, tenant: Hashable) -> list[tuple[Hashable, int]]:
        found: list[tuple[Hashable, int]] = [(("address", address), self._a_minute)]
        if tenant is not None:
            found.append((("tenant", tenant), self._a_minute * _OF_A_TENANT))
        return found

    def _row(self, key: Hashable) -> _Row:
        return self._rows[hash(key) % _ROWS]


def is_forwarded(headers: Mapping[str, str]) -> bool:
    """Whether a request came through somebody else, as its headers say."""
    return any(name in _FORWARDING or name.startswith("x-forwarded-") for name in headers)


def origin(client: tuple[str, int] | None) -> str:
    """Whom an address stands for: of IPv6 a network, because everybody has a whole one."""
    host = "" if client is None else client[0]
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if isinstance(address, ipaddress.IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped) if mapped is not None else str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
