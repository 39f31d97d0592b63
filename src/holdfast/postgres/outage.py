"""That the database is away, or not ours to work with: told once for a whole process, and once when it is over.

Every loop of every worker of a process finds out by itself, again with every try. They tell it here: the first one is
heard, in one line without a statement and without a traceback; the others belong to the same outage. So does a
connection that turns out to be lost only later, because nobody had used it in between.
"""

from __future__ import annotations

import logging
import threading
import time

import psycopg
from psycopg_pool import PoolTimeout, TooManyRequests

from holdfast.errors import DatabaseUnreachable, HoldfastError, SchemaOutdated, SchemaTooNew
from holdfast.postgres.failures import plainly

__all__ = ["Outage", "is_outage", "one_line"]

_log = logging.getLogger("holdfast.database")
_AFTERMATH_SECONDS = 30.0
_WRONG_SCHEMA = (SchemaOutdated, SchemaTooNew)


def is_outage(error: BaseException) -> bool:
    """Whether there is nothing to do but to wait until the database can be worked with."""
    return isinstance(error, (DatabaseUnreachable, SchemaOutdated, SchemaTooNew))


def one_line(error: BaseException) -> str:
    """What an error says, without the statement that Postgres may quote."""
    if isinstance(error, HoldfastError):
        return " ".join(error.message.split())
    diag = getattr(error, "diag", None)
    return plainly(getattr(diag, "message_primary", None) or str(error) or type(error).__name__)


class Outage:
    """What one process knows about it. May be told from any thread.

    `patience` is for how many seconds somebody waits for a connection of the pool.
    """

    def __init__(self, patience: float = 0.0) -> None:
        self._patience = patience
        self._lock = threading.Lock()
        self._what: str | None = None
        self._since = 0.0
        self._ended = -_AFTERMATH_SECONDS

    @property
    def lasts(self) -> bool:
        """Whether it is known that the database cannot be worked with."""
        return self._what is not None

    def began(self, error: BaseException) -> None:
        """Somebody cannot go on because of the database: say why, unless it was said."""
        assert isinstance(error, HoldfastError)
        with self._lock:
            now = time.monotonic()
            if error.code == self._what or now - self._ended < self._aftermath(error):
                _log.debug("%s", one_line(error))
                return
            if self._what is None:
                self._since = now
            self._what = error.code
        hint = f"; {error.hint}" if isinstance(error, _WRONG_SCHEMA) and error.hint else ""
        _log.warning("waiting for the database: %s%s", " ".join(error.message.split()), hint)

    def ended(self, *, schema_is_ours: bool = False) -> None:
        """Somebody could work with it. That does not tell whether its schema is ours, unless that was looked at."""
        if self._what is None:
            return
        with self._lock:
            if self._what is None or not (schema_is_ours or self._what == DatabaseUnreachable.code):
                return
            self._what = None
            self._ended = time.monotonic()
            seconds = self._ended - self._since
        _log.warning("the database can be worked with again, after %.1f s", seconds)

    def _aftermath(self, error: HoldfastError) -> float:
        """For how long after an outage an error may still be a part of it."""
        cause = error.__cause__
        if isinstance(cause, PoolTimeout | TooManyRequests):
            # Somebody had been waiting for a connection since.
            return self._patience
        # One that was there before was lost; to make one fails for a reason of today.
        return _AFTERMATH_SECONDS if isinstance(cause, psycopg.OperationalError) else 0.0
