"""Ends sessions whose time, or one of whose prompts' time, is over: the handler of `session.expire.v1` runs.

Needs no LangGraph, so that whoever keeps house can do it, whether or not it has any graphs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from holdfast.kernel.clock import Clock
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.runs.model import Run

__all__ = ["Expiry"]

_SQL = queries("sessions")


class Expiry:
    """Ends what is overdue."""

    def __init__(self, database: Callable[[], Database], clock: Clock) -> None:
        self._open = database
        self._clock = clock

    async def expire(self, run: Run, payload: dict[str, Any]) -> bool:
        """Whether the session was overdue; one that was answered in time is left alone."""
        values = {"tenant": run.tenant, "session": UUID(payload["session"]), "now": self._clock.now()}
        async with self._open().express() as connection:
            row = await (await connection.execute(_SQL["expire"], values)).fetchone()
        return row is not None and bool(row[0])
