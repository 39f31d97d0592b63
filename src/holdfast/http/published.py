"""What somebody else publishes: asked for when it is needed, and kept for a while.

While it cannot be had, what there is counts on for a day at most; and where there is nothing, whoever asks is told so
at once for some seconds: nobody waits behind others for an answer that does not come.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from holdfast.errors import OperationalError

__all__ = ["Published"]

T = TypeVar("T")
_log = logging.getLogger(__name__)
_LONGEST: Final = 86_400.0
_NOTHING_SECONDS: Final = 5.0


class Published(Generic[T]):
    """One such thing. `ask` gets it, or raises `OperationalError`."""

    def __init__(self, ask: Callable[[], Awaitable[T]], fresh: float, again: float) -> None:
        self._ask = ask
        self._fresh = fresh
        self._again = again
        self._value: T | None = None
        self._had_at = self._asked_at = float("-inf")
        self._why: OperationalError | None = None
        self._asking = asyncio.Lock()

    async def get(self, *, newer: bool = False) -> T:
        """It, not older than it may be; a `newer` one, unless that was asked for just now."""
        async with self._asking:
            age, waited = time.monotonic() - self._had_at, time.monotonic() - self._asked_at
            if self._value is None or age >= _LONGEST:
                if self._why is not None and waited < _NOTHING_SECONDS:
                    raise OperationalError(self._why.message, hint=self._why.hint)
                return await self._renewed()
            if (newer or age >= self._fresh) and waited >= self._again:
                try:
                    return await self._renewed()
                except OperationalError as error:
                    if newer:
                        raise
                    _log.warning("%s; what was published before counts on", error.message)
            return self._value

    async def _renewed(self) -> T:
        self._asked_at = time.monotonic()
        try:
            self._value = await self._ask()
        except OperationalError as error:
            # Those who wait for it meanwhile have waited long enough.
            self._asked_at, self._why = time.monotonic(), error
            raise
        self._had_at, self._why = time.monotonic(), None
        return self._value
