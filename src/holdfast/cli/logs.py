"""What a command logs of a trouble that lasts: one line a minute, however many notice it and however often.

A full disk is met by every loop of a worker and every request of a server, twice a second and more. All say the same.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from holdfast.postgres.failures import FULL, OVERLOADED

__all__ = ["Sparing"]

_LASTING: Final = ((FULL, FULL), ("No space left on device", FULL), (OVERLOADED, OVERLOADED))
"""Words by which a trouble is known, and the trouble: Postgres's own for a full disk are not always in ours."""
_PAUSE: Final = 60.0


class Sparing(logging.Filter):
    """Lets the first record of a lasting trouble pass, without its traceback, and the next one after a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._logged_at: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log the record."""
        error = record.exc_info[1] if record.exc_info else None
        text = f"{record.getMessage()}\n{error}"
        trouble = next((what for words, what in _LASTING if words in text), None)
        if trouble is None:
            return True
        with self._lock:
            now = self._clock()
            if now - self._logged_at.get(trouble, now - _PAUSE) < _PAUSE:
                return False
            self._logged_at[trouble] = now
        if error is not None:
            record.msg, record.args = "%s: %s", (record.getMessage(), " ".join(str(error).split()))
            record.exc_info = record.exc_text = None
        return True
