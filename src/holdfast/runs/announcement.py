"""What a worker tells the others: that it is there, which types it executes, how often it tries each.

It is for people, who want to know whether anybody will do what they enqueue, and for those who enqueue without knowing
the handler. Nothing that is claimed depends on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import AsyncConnection

from holdfast.errors import HoldfastError
from holdfast.kernel.clock import Clock
from holdfast.kernel.ids import uuid7
from holdfast.kernel.loops import being_cancelled
from holdfast.postgres.connect import reach
from holdfast.postgres.database import Database
from holdfast.postgres.failures import plainly
from holdfast.postgres.queries import queries
from holdfast.runs.registry import Handlers

__all__ = ["Announcement"]

_SQL = queries("runs")
_log = logging.getLogger("holdfast.runs.worker")
_INTERVAL = 20.0
"""Seconds; whoever was not heard of for three times as long counts as gone."""
_FAREWELL = 2.0


class Announcement:
    """The row of one worker. Renewed now and then, withdrawn when the worker ends."""

    def __init__(self, name: str, handlers: Handlers, types: Sequence[str], prefixes: Sequence[str]) -> None:
        told = [handler for handler in handlers if handler.type in types or handler.type.startswith(tuple(prefixes))]
        self._values = {
            "worker": uuid7(),
            "name": name[:256],
            "types": [handler.type for handler in told],
            "attempts": [handler.retry.max_attempts for handler in told],
            "prefixes": list(prefixes),
        }
        self._due = 0.0
        self._announced = False

    async def renew(self, connection: AsyncConnection[Any], clock: Clock) -> None:
        """Say that the worker is there, unless that was said a moment ago."""
        if time.monotonic() < self._due:
            return
        try:
            await connection.execute(_SQL["announce_worker"], self._values | {"now": clock.now()})
            self._announced = True
        except psycopg.OperationalError:
            raise  # the connection: whoever looks makes another
        except psycopg.Error as error:
            if being_cancelled():
                raise asyncio.CancelledError from error
            _log.warning("others cannot be told of this worker: %s", plainly(str(error)))
        self._due = time.monotonic() + _INTERVAL

    async def withdraw(self, database: Database) -> None:
        """Say that it stops. Whoever cannot be told finds out a minute later."""
        if not self._announced:
            return
        with contextlib.suppress(HoldfastError, psycopg.Error, TimeoutError):
            async with asyncio.timeout(_FAREWELL), reach(database.where.app, timeout=_FAREWELL) as connection:
                await connection.execute(_SQL["withdraw_worker"], self._values)
