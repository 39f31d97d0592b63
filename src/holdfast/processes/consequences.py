"""What follows from a decision: the port through which people, a layer below, reach the engine.

A decision is visible in its process when its call returns: the process goes on in the decider's own transaction, as far
as a step may run there. The decision stands whatever happens behind it. What follows is either written in the statement
that writes the decision, which undoes it by itself when it fails; or, where people must be asked or something else is
to be done, in a savepoint after it. Whatever fails leaves an event, and the worker's rules apply.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from holdfast.documents import post_events
from holdfast.envelope.tokens import Settled, StepRecord
from holdfast.errors import DatabaseUnreachable
from holdfast.kernel.actor import Actor
from holdfast.people import PeopleObserver, settlement_of
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.processes.cases import Case, actor_facts, case_of, read_subjects
from holdfast.processes.engine import Engine, Job
from holdfast.processes.writing import sheet_of
from holdfast.steps import WrittenSteps

__all__ = ["Consequence", "Consequences"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Consequence:
    """What follows from one decision: written with it, or done after it, or left to a worker."""

    engine: Engine
    actor: Actor
    request: Row
    settled: Settled
    advance: Mapping[str, list[Row]] | None = None
    job: Job | None = None

    @property
    def posted(self) -> Row | None:
        """The event for a worker, unless it is to be tried here first."""
        return self._event() if self.advance is None and self.job is None else None

    async def go_on(self, tx: TenantTx, failed: str | None) -> None:
        """Do what takes more than writing, in a savepoint; what fails is left to a worker."""
        if self.job is not None:
            try:
                async with tx.connection.transaction():
                    await self.engine.advance(tx, [self.job], at=self.request["now"])
                    await self.engine.require_known(tx, self.job)
            except DatabaseUnreachable:
                raise
            except Exception as error:
                failed = str(error)
        if failed is not None:
            _log.warning("request %s is decided; a worker lets its process go on: %s", self.request["id"], failed)
            await post_events(tx, [self._event()])

    def _event(self) -> Row:
        return self.engine.posting(self.actor, self.request["instance_id"], self.settled, self.request)


class Consequences:
    """The engine, as people who decide reach it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def consequence(self, tx: TenantTx, actor: Actor, request: Row, settled: Settled) -> Consequence:
        """What follows when the step of a request is settled; nothing is written yet."""
        engine = self._engine
        left = Consequence(engine, actor, request, settled)
        try:
            case = await case_of(tx, _instance_row(request), engine.definitions)
            if case.paused:
                return left
            case.actor, case.facts = actor, replace(case.facts, actor=actor_facts(actor))
            await read_subjects(tx, {case.instance.id: case})
            advance = _written(tx, engine, case, settled)
        except DatabaseUnreachable:
            raise
        except Exception as error:
            # A definition nobody can run, a projection nobody can read: for the worker, and for operators, to mend.
            _log.warning("the process %s cannot go on here: %s", request["instance_id"], error)
            return left
        return replace(left, advance=advance, job=Job(case, settled) if advance is None else None)


def _written(tx: TenantTx, engine: Engine, case: Case, settled: Settled) -> dict[str, list[Row]] | None:
    """The whole advance as `record_decisions` takes it; None, and the case is as it was, when it takes more."""
    moved = engine.foresee(case, settled)
    if moved is None:
        return None
    observed: list[StepRecord] = []
    for observer in engine.nodes.observers:
        wanted = [record for record in moved.steps if observer.wants(record)]
        if wanted and not isinstance(observer, PeopleObserver):
            return None
        observed += wanted
    settlement = settlement_of([WrittenSteps(case.instance, observed)])
    if settlement.withdrawn:
        return None
    engine.adopt(case, settled, moved)
    # The step of this very request ends as the request does: one statement writes both, from one value. A gate uses up
    # decisions besides.
    own = (settled.key, settled.outcome)
    others = [each for each in settlement.decided if each["gate"] or (each["key"], each["outcome"]) != own]
    values = sheet_of(tx, case)
    values |= {"closing": settlement.closing} if settlement.closing else {}
    return values | ({"decided": others} if others else {})


def _instance_row(request: Row) -> Mapping[str, Any]:
    """The request's instance as `open_instances` gives it."""
    return {
        **request,
        "id": request["instance_id"],
        "status": request["instance_status"],
        "compiled_hash": request["instance_hash"],
        "content_hash": request["document_hash"],
        "at": request["now"],
    }
