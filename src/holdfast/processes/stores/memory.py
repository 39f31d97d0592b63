"""The store for tests: everything in memory, decided by the same function as in production.

It keeps histories of step records, and a position that is their fold. Actions are plain functions, called as if a
worker were always there; whatever else would leave the process (people, webhooks, runs, rules, actions that were not
given) waits until a test lets it happen with `settle`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from holdfast.envelope.compiled import CompiledWorkflow
from holdfast.envelope.tokens import (
    Advance,
    Facts,
    Happening,
    Machine,
    Position,
    Settled,
    Started,
    StepRecord,
    TimePassed,
    edit_window,
    fold,
)
from holdfast.errors import Conflict, HoldfastError, InvalidInput, NotFound, OperationalError, VersionConflict
from holdfast.kernel.clock import Clock
from holdfast.kernel.cursor import check_limit
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import check_json, decode, dump
from holdfast.kernel.page import Page
from holdfast.processes.listening import refused
from holdfast.processes.meaning import meant
from holdfast.processes.model import (
    ACTIVE,
    Happened,
    Instance,
    check_start,
    decode_started_cursor,
    started_already,
    started_cursor,
)
from holdfast.processes.rejections import UNTOLD, rejection_after
from holdfast.processes.rows import projection_of
from holdfast.processes.stores.protocol import StoredEvent, check_remark
from holdfast.processes.writing import told_of

__all__ = ["MemoryWorkflowStore"]

Action = Callable[[Mapping[str, Any]], Any]
_NOBODY = UUID(int=0)


@dataclass(slots=True)
class _Kept:
    instance: Instance
    position: Position
    history: list[StepRecord] = field(default_factory=list)
    events: list[StoredEvent] = field(default_factory=list)


class MemoryWorkflowStore:
    """Processes of one tenant, gone when the store is."""

    def __init__(
        self,
        workflows: Mapping[str, Machine],
        clock: Clock,
        *,
        actions: Mapping[str, Action] | None = None,
        actor: str = "system",
    ) -> None:
        self._workflows = dict(workflows)
        self._clock = clock
        self._actions = dict(actions or {})
        # As in Postgres, whoever acts is named with their kind: `user:ana`, `system:system`.
        self._who = actor if ":" in actor else f"{'system' if actor == 'system' else 'user'}:{actor}"
        self._actor = self._who.partition(":")[2]
        self._kept: dict[UUID, _Kept] = {}

    async def create(
        self,
        workflow_id: str,
        *,
        payload: Any = None,
        context: Mapping[str, Any] | None = None,
        subject_id: str = "",
        partition_id: str = "",
        instance_id: UUID | None = None,
    ) -> Instance:
        check_start(payload, context, subject_id, partition_id)
        if instance_id is not None and instance_id in self._kept:
            return started_already(_given_out(self._kept[instance_id].instance), workflow_id, None)
        payload, context = _kept_value("payload", payload), _kept_value("context", context)
        machine = self._machine(workflow_id)
        made = instance_id or uuid7()
        now = self._now()
        instance = Instance(
            id=made,
            workflow_id=workflow_id,
            entity_type=workflow_id,
            document_id=None,
            entity_version=1,
            subject_id=subject_id or str(made),
            partition_id=partition_id,
            definition_id=_NOBODY,
            definition_version=machine.workflow.envelope_version,
            compiled_hash=machine.workflow.hash,
            status="running",
            reason=None,
            doc_status=None,
            edit_window=edit_window(machine.workflow, Position(str(made))),
            current_step=None,
            current_nodes=(),
            context={},
            active_tokens=(),
            version=0,
            timeout_at=None,
            paused_at=None,
            paused_by=None,
            pause_reason=None,
            created_by=self._who,
            started_at=now,
            updated_at=now,
            completed_at=None,
        )
        kept = _Kept(instance, Position(str(made)))
        self._happen(kept, Started("created", payload, context or {}))
        self._kept[made] = kept
        return _given_out(kept.instance)

    async def get(self, instance_id: UUID) -> Instance:
        return _given_out(self._find(instance_id).instance)

    async def advance(
        self,
        instance_id: UUID,
        event: str,
        input: Any = None,  # noqa: A002 - the word of the interface
        *,
        expected_version: int | None = None,
    ) -> Happened:
        given = _kept_value("input", input)
        kept = self._find(instance_id)
        self._expect(kept, expected_version)
        machine = self._machine(kept.instance.workflow_id)
        return self._happened(kept, self._happen(kept, meant(machine.workflow, kept.position, event, given)))

    async def settle(self, instance_id: UUID, node: str, outcome: str, result: Any = None) -> Happened:
        """Answer what an open step waits for, in the place of whoever would in production."""
        kept = self._find(instance_id)
        token = next((each for each in kept.position.tokens.values() if each.node == node and each.step), None)
        if token is None:
            raise Conflict(f"no step at {node} is open", node=node)
        return self._happened(kept, self._happen(kept, Settled(token.id, outcome, result)))

    async def append_event(self, instance_id: UUID, event: str, data: Mapping[str, Any] | None = None) -> None:
        check_remark(event, data)
        told = _kept_value("data", dict(data or {}))
        self._find(instance_id).events.append(StoredEvent(event, self._who, told, self._now()))

    async def events(self, instance_id: UUID) -> Sequence[StoredEvent]:
        return [replace(each, data=deepcopy(each.data)) for each in self._find(instance_id).events]

    async def find_active(
        self,
        *,
        workflow_id: str | None = None,
        status: str | None = None,
        subject_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Instance]:
        check_limit(limit)
        if status is not None and status not in ACTIVE:
            raise InvalidInput(f"status is {status!r}", hint=f"use one of {', '.join(ACTIVE)}", field="status")
        query = {"workflow": workflow_id, "status": status, "subject": subject_id}
        before_at, before = decode_started_cursor(query, cursor)
        wanted = {"workflow_id": workflow_id, "status": status, "subject_id": subject_id}
        found = [
            each
            for each in sorted((kept.instance for kept in self._kept.values()), key=_newness, reverse=True)
            if each.status in ACTIVE
            and (before is None or before_at is None or _newness(each) < (before_at, before))
            and all(value is None or getattr(each, name) == value for name, value in wanted.items())
        ]
        items = [_given_out(each) for each in found[:limit]]
        return Page(items, started_cursor(query, items[-1]) if len(found) > limit else None)

    async def find_expired(self, *, limit: int = 100) -> Sequence[Instance]:
        check_limit(limit, maximum=1000)
        now = self._now()
        due = [
            (each.timeout_at, _given_out(each))
            for each in (kept.instance for kept in self._kept.values())
            if each.status in ACTIVE and each.timeout_at is not None and each.timeout_at <= now
        ]
        return [each for _, each in sorted(due, key=lambda pair: pair[0])][:limit]

    async def expire(self) -> int:
        due = await self.find_expired(limit=1000)
        for each in due:
            self._happen(self._kept[each.id], TimePassed())
        return len(due)

    # ------------------------------------------------------------------------------------------------------ inside

    def _machine(self, workflow_id: str) -> Machine:
        machine = self._workflows.get(workflow_id)
        if machine is None:
            raise NotFound(f"no workflow is published for {workflow_id!r}", entity_type=workflow_id)
        return machine

    def _find(self, instance_id: UUID) -> _Kept:
        kept = self._kept.get(instance_id)
        if kept is None:
            raise NotFound(f"there is no process instance {instance_id}", instance=str(instance_id))
        return kept

    def _expect(self, kept: _Kept, expected_version: int | None) -> None:
        actual = kept.instance.version
        if expected_version is not None and expected_version != actual:
            raise VersionConflict(
                f"the instance is at version {actual}, not {expected_version}",
                hint="read it again and decide anew",
                expected=expected_version,
                actual=actual,
            )

    def _happen(self, kept: _Kept, happening: Happening) -> Advance:
        """Let it happen, and whatever actions ask for; then the projection is what the history says.

        It is as if a worker were always there, which takes up actions at once: as in Postgres, what it does is another
        advance than the one that came to the first action.
        """
        machine = self._machine(kept.instance.workflow_id)
        facts = Facts(self._now(), actor={"user_id": self._actor, "roles": []})
        begins = kept.instance.version == 0
        first = done = machine.advance(kept.position, happening, facts)
        rounds, waiting = [done], list(done.effects)
        while waiting:
            effect = waiting.pop(0)
            token = done.position.tokens.get(effect.token)
            is_open = token is not None and token.step is not None and token.step.key == effect.step
            if effect.kind != "action" or effect.payload["action"] not in self._actions or not is_open:
                continue
            answer = replace(self._call(effect.payload), token=effect.token, key=effect.step)
            done = machine.advance(done.position, answer, facts)
            rounds.append(done)
            waiting += done.effects
        told = [each for each in rounds if each.steps]
        for index, each in enumerate(told):
            kept.history += each.steps
            kind = happening.kind if index == 0 else "step_taken"
            event, data = told_of(kind, each.steps, each.position, begins=begins and index == 0)
            kept.events.append(StoredEvent(event, self._who, _kept_value("data", data), facts.now, each.steps[0].node))
        if told:
            kept.position = fold(machine.workflow, kept.history, instance=str(kept.instance.id))
            self._project(kept, machine.workflow, [step for each in told for step in each.steps], min(len(told), 2))
        return first

    def _call(self, payload: Mapping[str, Any]) -> Settled:
        try:
            result = self._actions[payload["action"]](payload["input"])
            return Settled("", "completed", _kept_value("the action's result", result))
        except OperationalError:
            raise
        except HoldfastError as error:
            return Settled("", "error", error={"code": error.code, "message": error.message, "hint": error.hint})

    def _project(self, kept: _Kept, workflow: CompiledWorkflow, records: Sequence[StepRecord], grown: int) -> None:
        row = projection_of(workflow, kept.position)
        now = self._now()
        nodes = tuple(row["current_nodes"])
        told = rejection_after(workflow, records)
        due = row["timeout_at"]
        kept.instance = replace(
            kept.instance,
            status=row["status"],
            reason=row["reason"],
            doc_status=row["doc_status"],
            edit_window=row["edit_window"],
            current_nodes=nodes,
            current_step=nodes[0] if nodes else None,
            context=row["context_json"],
            active_tokens=tuple(row["active_tokens"]),
            version=kept.instance.version + grown,
            timeout_at=None if due is None else datetime.fromisoformat(due),
            updated_at=now,
            completed_at=now if kept.position.is_over else None,
            rejection=kept.instance.rejection if told is UNTOLD else told,
        )

    def _happened(self, kept: _Kept, done: Advance) -> Happened:
        if done.refusal is not None:
            raise refused(done.refusal)
        instance = kept.instance
        return Happened(done.result, instance.id, instance.version, instance.status, instance.current_nodes)

    def _now(self) -> datetime:
        return self._clock.now() or datetime.now(UTC)


def _newness(instance: Instance) -> tuple[datetime, UUID]:
    return instance.started_at, instance.id


def _given_out(instance: Instance) -> Instance:
    """An instance as Postgres would give it out: nobody who changes it changes what is kept."""
    return replace(
        instance,
        context=deepcopy(instance.context),
        active_tokens=deepcopy(instance.active_tokens),
        rejection=deepcopy(instance.rejection),
    )


def _kept_value(field: str, value: Any) -> Any:
    """A value as Postgres would give it back: JSON, exact, and nobody else's to change."""
    check_json(field, value)
    return decode(dump(value))
