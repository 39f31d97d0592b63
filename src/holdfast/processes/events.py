"""Events of the engine inbox as the worker takes them, and the jobs they mean.

An event is something that happened: a person's decision, a timer, an event from outside, a document that was created.
`Reading` turns the events of one tenant into jobs for the engine, and says what is to become of those that lead to
none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from holdfast.envelope.tokens import Effect, EventArrived, Happening, Settled, TimePassed, happening_from_json
from holdfast.errors import ExpressionError, HoldfastError, InvalidInput, NotFound
from holdfast.kernel.actor import Actor
from holdfast.kernel.ids import uuid7_following
from holdfast.kernel.json import decode
from holdfast.leases import Backoff
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx, told_parties
from holdfast.processes.actors import Actors, is_process
from holdfast.processes.cases import Case, Loaded, Opened, actor_facts, open_cases
from holdfast.processes.engine import Engine, Job, NewInstance
from holdfast.processes.nodes.run import answer_of_run
from holdfast.processes.nodes.session import answer_of_session
from holdfast.processes.telling import tell
from holdfast.processes.triggers import Trigger, holds, matching, read_triggers
from holdfast.processes.writing import Done

__all__ = ["InboxEvent", "Reading", "Release"]

_SQL = queries("processes")
_TENANT = queries("tenant")
_BACKOFF = Backoff(base=1.0, cap=300.0)
_BUSY = timedelta(milliseconds=50)
_HELD = timedelta(hours=1)
_MENDED = timedelta(seconds=30)
TRIGGERING = ("on_create", "on_mutation", "on_lifecycle_transition")


@dataclass(frozen=True, slots=True, eq=False)
class InboxEvent:
    """One claimed row of the engine inbox; (id, epoch) proves that it is still ours."""

    tenant: UUID
    id: UUID
    created_at: datetime
    epoch: int
    instance_id: UUID
    entity_type: str | None
    document_id: UUID | None
    entity_version: int
    definition_version: int | None
    event_type: str
    payload: Mapping[str, Any]
    actor: Mapping[str, Any]
    trace_id: str | None
    attempts: int
    max_attempts: int

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> InboxEvent:
        """From a row of `claim_events`."""
        told = {name: value for name, value in row.items() if name not in ("entity_id", "lane", "due")}
        told |= {"document_id": row["entity_id"], "payload": decode(row["payload"]), "actor": decode(row["actor"])}
        return cls(**told)

    @property
    def last_attempt(self) -> bool:
        return self.attempts >= self.max_attempts

    def done(self, note: str | None = None) -> Done:
        return Done(self.id, self.created_at, self.epoch, note)


@dataclass(frozen=True, slots=True)
class Release:
    """An event that goes back to where it was claimed from."""

    event: InboxEvent
    delay: timedelta
    counted: bool = False
    error: str | None = None

    @classmethod
    def failed(cls, event: InboxEvent, error: BaseException) -> Release:
        """It failed: try again after a while or, after the last attempt, bury it."""
        return cls(event, _BACKOFF.after(event.attempts), True, _words(error))

    @classmethod
    def waiting(cls, event: InboxEvent, error: BaseException) -> Release:
        """Nobody can do it until somebody has mended what is wrong: that is no failed attempt of its own."""
        return cls(event, _MENDED, False, _words(error))

    def to_row(self) -> dict[str, Any]:
        """As `release_events` takes it."""
        event = self.event
        return {
            "tenant": event.tenant,
            "id": event.id,
            "created_at": event.created_at,
            "epoch": event.epoch,
            "delay": f"{self.delay.total_seconds()} seconds",
            "counted": self.counted,
            "buried": self.counted and event.last_attempt,
            "error": self.error,
        }


def _words(error: BaseException) -> str:
    what = f"{error.code}: {error}" if isinstance(error, HoldfastError) else f"{type(error).__name__}: {error}"
    return what[:2000]


@dataclass(slots=True)
class Round:
    """Jobs that can be done together: at most one for each instance."""

    jobs: list[Job] = field(default_factory=list)
    done: list[Done] = field(default_factory=list)
    awaited: list[tuple[InboxEvent, Job]] = field(default_factory=list)
    """Events from outside, to be kept if nobody accepts them."""


class Reading:
    """The events of one tenant, read in one transaction."""

    def __init__(self, engine: Engine, tx: TenantTx) -> None:
        self._engine = engine
        self._tx = tx
        self.released: list[Release] = []
        self._opened: Opened
        self._actors = Actors(tx)
        self._triggers: list[Trigger] = []
        self._documents: dict[UUID, Any] = {}
        self._busy_documents: set[UUID] = set()
        self._definitions: dict[str, Loaded] = {}

    @property
    def at(self) -> datetime:
        return self._opened.at

    async def open(self, events: Sequence[InboxEvent], *, patience: bool) -> list[list[InboxEvent]]:
        """Read what the events are about. Answers with them, in turns: one event of each instance at a time."""
        tx = self._tx
        await self._actors.load(event.actor for event in events)
        ids = {event.instance_id for event in events}
        self._opened = await open_cases(tx, sorted(ids), self._engine.definitions, patience=patience)
        told = told_parties([*map(self._actor, events), *(case.acting for case in self._opened.cases.values())])
        if told:
            await tx.run(_TENANT["name_parties"], parties=told)
        created = [event for event in events if event.event_type in TRIGGERING and event.document_id is not None]
        if created:
            wanted = {event.document_id for event in created if event.document_id is not None}
            self._documents = await self._engine.documents(tx, wanted)
            # Locked are only those for which a process may begin: others have one, whose lock comes first.
            new = {event.document_id for event in created if event.event_type == "on_create"}
            if new:
                rows = await tx.rows(_SQL["documents_not_to_start"], ids=sorted(each for each in new if each))
                self._busy_documents = {row["document_id"] for row in rows}
            self._triggers = await read_triggers(tx, TRIGGERING)
        turns: dict[UUID, list[InboxEvent]] = defaultdict(list)
        for event in events:
            if event.instance_id in self._opened.cases or event.instance_id in self._opened.missing:
                turns[event.instance_id].append(event)
            else:
                self.released.append(Release(event, _BUSY))
        longest = max((len(queue) for queue in turns.values()), default=0)
        return [[queue[turn] for queue in turns.values() if turn < len(queue)] for turn in range(longest)]

    async def round(self, events: Sequence[InboxEvent]) -> Round:
        """The jobs of some events, each of another instance."""
        made = Round()
        for event in events:
            try:
                await self._read(event, made)
            except HoldfastError as error:
                if error.status >= 500:
                    raise
                self.released.append(Release.failed(event, error))
        return made

    async def _read(self, event: InboxEvent, made: Round) -> None:
        match event.event_type:
            case "on_create" | "on_mutation" | "on_lifecycle_transition":
                await self._document_event(event, made)
            case "on_event" if "event_key" in event.payload:
                # Told by a rule of a document, in the name of whoever changed it.
                payload = event.payload
                tx = replace(self._tx, actor=self._actor(event))
                await tell(tx, payload["event_key"], payload.get("payload"), event_id=str(event.id))
                made.done.append(event.done())
            case "start_automation":
                await self._automation(event, made)
            case "create_instance":
                await self._create(event, made)
            case _:
                await self._advance(event, made)

    async def _advance(self, event: InboxEvent, made: Round) -> None:
        case = self._opened.cases.get(event.instance_id)
        if case is None:
            raise InvalidInput(f"there is no instance {event.instance_id}", hint="it may not have begun yet")
        if case.paused:
            self.released.append(Release(event, _HELD))
            return
        self._as_caused_by(case, event)
        if event.event_type == "take_step":
            # A step that is not open any more asks for nothing: the engine drops it.
            made.jobs.append(Job(case, None, effect=Effect(**event.payload["effect"])))
            made.done.append(event.done())
            return
        job = Job(case, await self._happening(event))
        made.jobs.append(job)
        made.done.append(event.done())
        if event.event_type == "on_event":
            made.awaited.append((event, job))

    async def _happening(self, event: InboxEvent) -> Happening | None:
        payload = event.payload
        match event.event_type:
            case "look_again":
                return None
            case "advance":
                return happening_from_json(payload["happening"])
            case "on_timer":
                return TimePassed()
            case "on_event":
                return EventArrived(payload["key"], payload["payload"])
            case "run_finished":
                row = await self._tx.row(_SQL["run_outcome"], id=UUID(payload["run_id"]))
                if row is None:
                    raise InvalidInput(f"the run {payload['run_id']} is gone")
                answer = answer_of_run(row["status"], self._unsealed(row["result"]), row["last_error"])
                return Settled(payload["token"], answer.outcome, answer.result, answer.error, key=payload["key"])
            case "session_finished":
                row = await self._tx.row(_SQL["session_outcome"], id=UUID(payload["session_id"]))
                answer = answer_of_session(row, self._unsealed)
                return Settled(payload["token"], answer.outcome, answer.result, answer.error, key=payload["key"])
            case unknown:
                raise InvalidInput(f"there is no event type {unknown!r}")

    def _unsealed(self, text: str | None) -> Any:
        return self._engine.sealing.decoded(self._tx.tenant.id, text)

    async def _document_event(self, event: InboxEvent, made: Round) -> None:
        if event.document_id not in self._documents or event.entity_type is None:
            made.done.append(event.done("the document is gone"))
            return
        note = None
        if event.event_type == "on_create":
            if event.document_id in self._busy_documents:
                note = "the document has a process, or is gone"
            else:
                self._busy_documents.add(event.document_id)
                new = NewInstance(event.entity_type, event.document_id, event.instance_id, trace_id=event.trace_id)
                loaded = await self._effective(new.entity_type)
                made.jobs.append(
                    await self._engine.begin(self._tx, new, loaded, self._documents, self._actor(event), self.at)
                )
        _, entity = self._documents[event.document_id]
        subject = {"entity_type": event.entity_type, "entity_id": str(event.document_id)}
        payload = {"event": event.event_type, **subject, **event.payload}
        notes = [note] if note else []
        for trigger in matching(self._triggers, event.event_type, payload):
            try:
                if await self._asked_for(trigger, payload, entity):
                    await self._start(event, trigger, payload, made)
            except (NotFound, InvalidInput) as error:
                # An automation that cannot be started, or a condition that cannot be decided, is no reason to keep the
                # others from what happened.
                notes.append(f"the trigger {trigger.name} starts nothing: {error.message}")
        made.done.append(event.done("; ".join(notes)[:2000] or None))

    async def _asked_for(self, trigger: Trigger, payload: Mapping[str, Any], entity: Mapping[str, Any]) -> bool:
        """Whether the trigger's condition holds of a document."""
        if trigger.condition is None or trigger.entity_type is None:
            return True
        skeleton = (await self._effective(trigger.entity_type)).skeleton
        return holds(trigger.condition, payload, entity, skeleton.document or {})

    async def _automation(self, event: InboxEvent, made: Round) -> None:
        trigger = next(iter(await read_triggers(self._tx, ids=[UUID(event.payload["trigger"])])), None)
        if trigger is None:
            made.done.append(event.done("the trigger is gone"))
            return
        payload = {"event": trigger.trigger_type, **event.payload}
        payload.pop("trigger")
        try:
            asked_for = holds(trigger.condition, payload)
        except ExpressionError as error:
            made.done.append(event.done(f"the trigger {trigger.name} starts nothing: {error.message}"[:2000]))
            return
        if not asked_for:
            made.done.append(event.done("the trigger's condition does not hold"))
            return
        await self._start(event, trigger, payload, made)
        made.done.append(event.done())

    async def _start(self, event: InboxEvent, trigger: Trigger, payload: Mapping[str, Any], made: Round) -> None:
        """Start an automation. Its id follows from what started it, so that a replay starts nothing again."""
        instance_id = uuid7_following(event.id, str(trigger.id))
        if await self._tx.row(_SQL["instance_version"], id=instance_id) is not None:
            return
        loaded = await self._effective(trigger.workflow_id)
        starter = await self._maker(trigger) if is_process(self._actor(event)) else None
        new = NewInstance(
            trigger.workflow_id, None, instance_id, payload=payload, trace_id=event.trace_id, starter=starter
        )
        made.jobs.append(await self._engine.begin(self._tx, new, loaded, self._documents, self._actor(event), self.at))

    async def _maker(self, trigger: Trigger) -> Actor | None:
        """Who made a trigger, or changed it last: what time starts by it has their rights."""
        row = await self._tx.row(_SQL["trigger_party"], id=trigger.id)
        if row is None or row["party"] is None:
            return None
        await self._actors.load([row["party"]])
        return self._actors.acting(row["party"])

    async def _create(self, event: InboxEvent, made: Round) -> None:
        if event.instance_id in self._opened.cases:
            made.done.append(event.done("it has begun already"))
            return
        payload = event.payload
        new = NewInstance(
            payload["entity_type"],
            UUID(payload["entity_id"]) if payload.get("entity_id") else None,
            event.instance_id,
            how=payload.get("how", "created"),
            payload=payload.get("payload"),
            context=payload.get("context"),
            subject_id=payload.get("subject_id", ""),
            partition_id=payload.get("partition_id", ""),
            trace_id=event.trace_id,
        )
        loaded = await self._effective(new.entity_type)
        found = await self._engine.documents(self._tx, [new.document_id] if new.document_id else [])
        made.jobs.append(await self._engine.begin(self._tx, new, loaded, found, self._actor(event), self.at))
        made.done.append(event.done())

    async def _effective(self, entity_type: str) -> Loaded:
        if entity_type not in self._definitions:
            self._definitions[entity_type] = await self._engine.definitions.effective(self._tx, entity_type)
        return self._definitions[entity_type]

    def _actor(self, event: InboxEvent) -> Actor:
        return self._actors.acting(event.actor)

    def _as_caused_by(self, case: Case, event: InboxEvent) -> None:
        case.actor = self._actor(event)
        case.facts = replace(case.facts, actor=actor_facts(case.actor))
        case.trace_id = event.trace_id or case.trace_id
