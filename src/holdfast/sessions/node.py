"""`session` nodes of processes: start a session in the transaction of the step, and wait for its end.

The session exists if, and only if, the step does. When it ends, the event that lets the process go on is written in the
same transaction. A step that is over without it, because it was cancelled or its time was up, cancels the session.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from typing import Any

from holdfast.envelope.tokens import StepRecord
from holdfast.errors import Conflict, HoldfastError, OperationalError
from holdfast.kernel.json import plain
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.actors import PROCESS
from holdfast.processes.nodes import Answer, Ask, Reply, Waiting
from holdfast.runs import Handlers
from holdfast.sessions.api import Sessions
from holdfast.sessions.history import History
from holdfast.steps import StepsWritten

__all__ = ["SessionHandler", "SessionObserver", "json_numbers"]

_SQL = queries("sessions")


class SessionHandler:
    """Answers `session` effects."""

    kinds: tuple[str, ...] = ("session",)

    def __init__(self, handlers: Handlers, history: History, *, input_limit: int) -> None:
        self._handlers = handlers
        self._history = history
        self._input_limit = input_limit

    async def perform(self, asks: Sequence[Ask]) -> Sequence[Reply]:
        return [await self._start(ask) for ask in asks]

    async def _start(self, ask: Ask) -> Reply:
        wanted, tx, effect = ask.effect.payload, ask.tx, ask.effect
        sessions = Sessions(tx, self._handlers, self._history, input_limit=self._input_limit)
        # The name follows from the step: whoever sees one finds the other.
        name = f"{wanted['definition'][:80]}-{effect.step[:16]}"
        try:
            async with tx.connection.transaction():
                made = await sessions.start(wanted["definition"], json_numbers(wanted["input"]), name=name)
        except OperationalError:
            raise
        except HoldfastError as error:
            return Answer.failed(error.code, error.message, hint=error.hint)
        await tx.run(
            _SQL["wait_for_session"],
            session_id=made.id,
            instance_id=ask.instance.id,
            token_id=effect.token,
            step_key=effect.step,
            entity_version=ask.facts.entity_version,
        )
        return Waiting()


class SessionObserver:
    """Cancels the sessions of steps that no longer wait for them."""

    def __init__(self, handlers: Handlers, history: History) -> None:
        self._handlers = handlers
        self._history = history

    def wants(self, record: StepRecord) -> bool:
        return record.node_type == "session" and not record.is_open

    async def steps_written(self, tx: TenantTx, written: Sequence[StepsWritten]) -> None:
        """Who still has a row of waiting is not over: its step ended for another reason."""
        records = [record for each in written for record in each.records]
        rows = await tx.rows(_SQL["sessions_of_steps"], step_keys=[each.key for each in records])
        sessions = Sessions(replace(tx, actor=PROCESS), self._handlers, self._history, input_limit=0)
        why = {each.key: each.outcome or each.status for each in records}
        for row in rows:
            # It may come to its end at this very moment; then there is nothing to cancel.
            with suppress(Conflict):
                await sessions.cancel(row["session_name"], reason=f"its step ended with {why[row['step_key']]}")


def json_numbers(value: Any) -> Any:
    """Graphs are given ordinary JSON: a number with a fraction is a float there."""
    value = plain(value)
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {name: json_numbers(inner) for name, inner in value.items()}
    return [json_numbers(inner) for inner in value] if isinstance(value, list) else value
