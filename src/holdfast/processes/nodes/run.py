"""`run`: enqueues a run and waits for it. The run exists if, and only if, the step does.

When it finishes, a trigger of its table posts an event for the engine, which settles the step with the run's result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from holdfast.kernel.traces import trace_parent_of
from holdfast.postgres.queries import queries
from holdfast.processes.actors import PROCESS, is_process
from holdfast.runs import Handlers, NewRun, Runs
from holdfast.steps import Answer, Ask, Reply, Waiting

__all__ = ["RunHandler"]

_SQL = queries("processes")
_OVER = ("succeeded", "failed", "cancelled")


class RunHandler:
    """Answers `run` effects."""

    kinds: tuple[str, ...] = ("run",)

    def __init__(self, handlers: Handlers, *, payload_limit: int, event_level: str) -> None:
        self._handlers = handlers
        self._payload_limit = payload_limit
        self._event_level = event_level

    async def perform(self, asks: Sequence[Ask]) -> Sequence[Reply]:
        return [await self._enqueue(ask) for ask in asks]

    async def _enqueue(self, ask: Ask) -> Reply:
        payload = ask.effect.payload
        # Runs of processes are the process's own: that is how their table knows that somebody waits for them.
        tx = replace(ask.tx, actor=PROCESS)
        runs = Runs(tx, self._handlers, payload_limit=self._payload_limit, event_level=self._event_level)
        new = NewRun(
            payload["run_type"],
            payload["payload"],
            key=payload["key"] or f"process:{ask.effect.step}",
            max_attempts=payload["max_attempts"],
            trace_parent=trace_parent_of(ask.trace_id, ask.effect.step),
        )
        acting = None if is_process(ask.tx.actor) else ask.tx.actor.to_json()
        (made,) = await runs.enqueue_many([new], on_behalf_of=acting)
        await tx.run(
            _SQL["wait_for_run"],
            run_id=made.id,
            instance_id=ask.instance.id,
            token_id=ask.effect.token,
            step_key=ask.effect.step,
            entity_version=ask.facts.entity_version,
        )
        if not made.created:
            # A key of the user's own may name a run that is over already; nothing would ever tell us again.
            known = await runs.get(made.id)
            if known.status in _OVER:
                return answer_of_run(known.status, known.result, known.last_error)
        return Waiting()


def answer_of_run(status: str, result: object, error: str | None) -> Answer:
    """What the end of a run means for the step that waits for it."""
    if status == "succeeded":
        return Answer(result=result)
    return Answer.failed("WORKFLOW_RUN_FAILED", error or f"the run was {status}", status=status)
