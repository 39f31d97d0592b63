"""The engine: brings a happening to the core, writes what follows, and does what the core asks for.

The order is always the same. The instance's lock is taken (WF-01), its definition verified (WF-07), the core asked
what follows. Receipts are written, then rows of steps (WF-02, WF-14); only then may a handler do what a step asks for,
in the same transaction; its answer goes to the core, and so on until nothing is left to do at once. At the end stands
the projection. Whatever raises on the way undoes everything.

Where a step runs: in the transaction of whoever caused it, up to a bounded number of steps, unless it is an action,
Python code or a `for_each`. Those rest, and an event in the engine inbox carries them to a worker (`working`), which
does everything its code can do.

Several steps in a row share a transaction, and so may several instances of one tenant: they are written together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from typing import Any
from uuid import UUID

from holdfast.documents import event_row, post_events
from holdfast.envelope.editing import way_to_amend
from holdfast.envelope.tokens import (
    Advance,
    Effect,
    Happening,
    Interrupted,
    Position,
    Settled,
    Started,
    StepRecord,
    awaited_keys,
    happening_to_json,
    taken_up,
)
from holdfast.envelope.tokens.position import round_of
from holdfast.envelope.tokens.turn import Bound
from holdfast.errors import (
    Conflict,
    DatabaseFailed,
    HoldfastError,
    InvalidInput,
    NotFound,
    OperationalError,
    ProjectionBehind,
    VersionConflict,
)
from holdfast.kernel.actor import Actor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import decode
from holdfast.kernel.sealing import IN_CLEAR, Sealing
from holdfast.postgres.failures import is_passing
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.processes.actors import PROCESS, service_account
from holdfast.processes.cases import (
    Case,
    DefinitionSource,
    Loaded,
    document_of,
    facts_of,
    no_such_instance,
    open_cases,
)
from holdfast.processes.inbound import kept_events
from holdfast.processes.model import Happened
from holdfast.processes.nodes.registry import Nodes
from holdfast.processes.rows import step_id
from holdfast.processes.writing import Done, write_cases
from holdfast.steps import Answer, Ask, DocumentRef, InstanceRef, NodeHandler, NotHere, Reply, WrittenSteps

__all__ = ["Engine", "Job", "NewInstance"]

_SQL = queries("processes")
_AT_ONCE = 100
"""How many steps of an instance are taken in the transaction of a caller; a worker takes the others."""
_MAX_ROUNDS = 2_000
"""How often a token may go back in one transaction. A process that never rests is a mistake in its definition."""


@dataclass(slots=True)
class Job:
    """A happening for a case, and what came of it."""

    case: Case
    happening: Happening | None
    """None: nothing new, but whatever is ready goes on."""
    advance: Advance | None = None
    effect: Effect | None = None
    """What an open step asks for, when whoever opened it had no code for it."""

    @property
    def moves_document(self) -> bool:
        """Whether somebody asks for a transition of a document."""
        if self.case.instance.document_id is None:
            return False
        happening = self.happening
        if isinstance(happening, Settled):
            token = self.case.position.tokens[happening.token]
            return self.case.loaded.workflow.nodes_by_id[token.node].type == "state"
        return isinstance(happening, Interrupted)


@dataclass(frozen=True, slots=True)
class _Manner:
    """How an advance is carried out; `Engine.advance` says what each means."""

    working: bool
    careful: bool
    forgiving: bool


@dataclass(frozen=True, slots=True)
class NewInstance:
    """An instance to start. With a document it is that document's process; without, an automation."""

    entity_type: str
    document_id: UUID | None = None
    id: UUID | None = None
    how: str = "created"
    payload: Any = None
    context: Mapping[str, Any] | None = None
    subject_id: str = ""
    partition_id: str = ""
    amended_from: UUID | None = None
    trace_id: str | None = None
    starter: Actor | None = None
    """With whose rights it goes on by itself, when it is not the actor who starts it."""


class Engine:
    """Advances process instances. One for an application; it keeps nothing between calls but compiled definitions."""

    def __init__(self, definitions: DefinitionSource, nodes: Nodes, sealing: Sealing = IN_CLEAR) -> None:
        self.definitions = definitions
        self.nodes = nodes
        self.sealing = sealing

    # ------------------------------------------------------------------------------------------------- entry points

    async def happen(
        self,
        tx: TenantTx,
        instance_id: UUID,
        happening: Happening,
        *,
        now: bool = False,
        expected_version: int | None = None,
    ) -> Happened:
        """Let something happen to an instance: at once, or by posting it for a worker.

        With `expected_version`, the instance must still be at that version; otherwise `VersionConflict`, and nothing
        is written.
        """
        if not now:
            return await self.post(tx, instance_id, happening)
        return await self.decide(tx, instance_id, lambda _: happening, expected_version=expected_version)

    async def decide(
        self,
        tx: TenantTx,
        instance_id: UUID,
        meant: Callable[[Case], Happening],
        *,
        expected_version: int | None = None,
    ) -> Happened:
        """Let happen, at once, what `meant` makes of the instance as it stands under its lock."""
        job, at = await self.prepare(tx, instance_id, meant, expected_version=expected_version)
        await self.advance(tx, [job], at=at)
        return happened(job)

    async def prepare(
        self,
        tx: TenantTx,
        instance_id: UUID,
        meant: Callable[[Case], Happening],
        *,
        expected_version: int | None = None,
        choosing: bool = False,
    ) -> tuple[Job, datetime]:
        """The same short of letting it happen: the job for `advance`, and the time."""
        opened = await open_cases(tx, [instance_id], self.definitions, choosing=choosing)
        case = opened.cases.get(instance_id)
        if case is None:
            raise no_such_instance(instance_id)
        self.check(case, expected_version)
        return Job(case, meant(case)), opened.at

    def check(self, case: Case, expected_version: int | None) -> None:
        """Raise unless the instance is at the version the caller saw, and not paused by an operator."""
        if expected_version is not None and case.read_version != expected_version:
            raise VersionConflict(
                f"the instance is at version {case.read_version}, not {expected_version}",
                hint="read it again and decide anew",
                expected=expected_version,
                actual=case.read_version,
            )
        if case.paused:
            raise Conflict(
                f"the instance {case.instance.id} is paused", hint="resume it first", instance=str(case.instance.id)
            )

    async def post(
        self, tx: TenantTx, instance_id: UUID, happening: Happening, *, known: Mapping[str, Any] | None = None
    ) -> Happened:
        """Post a happening: a worker lets it happen, once, after this transaction is committed.

        Whoever has read the instance's `entity_version`, `entity_type`, `document_id` and `trace_id` passes them along.
        """
        known = known if known is not None else await tx.row(_SQL["instance_version"], id=instance_id)
        if known is None:
            raise no_such_instance(instance_id)
        await post_events(tx, [self.posting(tx.actor, instance_id, happening, known)])
        return Happened("posted", instance_id, known.get("version"), known.get("status"))

    def posting(self, actor: Actor, instance_id: UUID, happening: Happening, known: Mapping[str, Any]) -> Row:
        """What `post` posts, for whoever writes it together with something else."""
        return event_row(
            instance_id,
            "advance",
            {"happening": happening_to_json(happening)},
            entity_version=known["entity_version"],
            entity_type=known["entity_type"],
            document_id=known["document_id"],
            actor=actor,
            trace_id=known["trace_id"],
        )

    async def start(self, tx: TenantTx, new: NewInstance) -> Happened:
        """Start an instance at once. A document has one active instance; another is a `Conflict`."""
        loaded = await self.definitions.effective(tx, new.entity_type)
        found = await self.documents(tx, [new.document_id] if new.document_id is not None else [])
        job = await self.begin(tx, new, loaded, found, tx.actor)
        await self.advance(tx, [job], at=job.case.facts.now)
        return happened(job)

    async def begin(
        self,
        tx: TenantTx,
        new: NewInstance,
        loaded: Loaded,
        documents: Mapping[UUID, tuple[DocumentRef, Mapping[str, Any]]],
        actor: Actor,
        at: datetime | None = None,
    ) -> Job:
        """The job that starts an instance."""
        if loaded.automation == (new.document_id is not None):
            what = "an automation has no document of its own" if loaded.automation else "its process needs a document"
            raise InvalidInput(f"{new.entity_type}: {what}", field="document_id")
        instance_id = new.id or uuid7()
        document, entity = documents.get(new.document_id or UUID(int=0), (None, {}))
        if new.document_id is not None and document is None:
            raise InvalidInput(f"there is no document {new.document_id}", field="document_id")
        subject = _named_document(new)
        if document is None and subject in documents:
            document, entity = documents[subject]
            document = replace(document, entity_version=1)
        document = document or DocumentRef(new.entity_type, None, 1)
        if at is None:
            at = (await tx.row(_SQL["database_time"]) or {})["at"]
        case = Case(
            instance=InstanceRef(
                instance_id,
                new.entity_type,
                new.document_id,
                loaded.definition_id,
                loaded.version,
                loaded.compiled_hash,
                str(actor),
            ),
            loaded=loaded,
            position=Position(str(instance_id)),
            document=document,
            entity=entity,
            facts=facts_of(tx, at, actor, entity, document.entity_version),
            actor=actor,
            starter=new.starter or actor,
            read_version=None,
            trace_id=new.trace_id,
            subject_id=new.subject_id or (str(new.document_id) if new.document_id else str(instance_id)),
            partition_id=new.partition_id,
            amended_from=new.amended_from,
        )
        return Job(case, Started(new.how, new.payload, new.context or {}))

    async def documents(self, tx: TenantTx, ids: Iterable[UUID]) -> dict[UUID, tuple[DocumentRef, Mapping[str, Any]]]:
        """Documents with their content, by id."""
        wanted = list(ids)
        if not wanted:
            return {}
        rows = await tx.rows(_SQL["find_documents"], ids=wanted)
        return {row["id"]: (document_of(row), decode(row["data"]) or {}) for row in rows}

    # --------------------------------------------------------------------------------------------------- the core loop

    async def advance(
        self,
        tx: TenantTx,
        jobs: Sequence[Job],
        *,
        at: datetime,
        done: Sequence[Done] = (),
        working: bool = False,
        careful: bool = True,
        forgiving: bool = False,
    ) -> None:
        """Let things happen to several instances, each at most once here, and write what follows.

        Only a worker's advance is `working`: it goes on as far as it can, and runs the code of actions and node types.
        Careful, each call of a handler can be undone by itself and an error of holdfast's becomes the outcome of its
        step. Not careful, the first error undoes everything, and the caller tries again carefully, one by one.
        Forgiving, any exception of a handler becomes the outcome.
        """
        cases = {job.case.instance.id: job.case for job in jobs}
        if len(cases) < len(jobs):
            raise ValueError("one happening for each instance")
        drifted = []
        for job in jobs:
            case, bound = job.case, None if working else Bound(_AT_ONCE)
            machine = case.loaded.machine
            if job.happening is None:
                job.advance = machine.resume(case.position, case.facts, bound)
                case.kind = "looked_again" if job.effect is None else "step_taken"
            else:
                job.advance = machine.advance(case.position, job.happening, case.facts, bound)
                case.kind = job.happening.kind
            case.take(job.advance)
            if job.effect is not None:
                case.effects.append(job.effect)
            if job.advance.result == "amended" and case.kind != "edited":
                drifted.append(case)
        manner = _Manner(working, careful, forgiving)
        await self._carry_out(tx, list(cases.values()), at, done, manner)
        for case in drifted:
            await self._begin_again(tx, case, at, manner)

    async def require_known(self, tx: TenantTx, job: Job) -> None:
        """Raise `ProjectionBehind` where an answer came to nothing although its step is open: it must not be lost."""
        happening, done = job.happening, job.advance
        if not isinstance(happening, Settled) or happening.key is None or done is None or done.result != "ignored":
            return
        row = await tx.row(_SQL["step_status"], instance_id=job.case.instance.id, key=happening.key)
        if row is not None and row["status"] in ("pending", "running"):
            raise ProjectionBehind(
                f"the instance {job.case.instance.id} does not know of a step of its own that is open",
                hint="`repair.rebuild_projection` makes it anew from its steps; so does a worker with an event of it",
                instance=str(job.case.instance.id),
            )

    def foresee(self, case: Case, happening: Happening) -> Advance | None:
        """What a happening leads to where a step runs at once; None when that takes more than writing it."""
        moved = case.loaded.machine.advance(case.position, happening, case.facts, Bound(_AT_ONCE))
        if moved.result != "advanced" or not moved.steps or any(_awaits_event(record) for record in moved.steps):
            return None
        return None if any(self.nodes.carried(effect) is None for effect in moved.effects) else moved

    def adopt(self, case: Case, happening: Happening, moved: Advance) -> None:
        """Let a case be where `foresee` saw it. Whoever calls this writes it, and tells the observers."""
        case.kind = happening.kind
        case.take(moved)
        self._due(case, _Manner(working=False, careful=True, forgiving=False))
        _post_rest(case)

    async def _carry_out(
        self, tx: TenantTx, cases: Sequence[Case], at: datetime, done: Sequence[Done], manner: _Manner
    ) -> None:
        begun = {case.instance.id: _rounds(case) for case in cases}
        for turn in count(1):
            if turn % _MAX_ROUNDS == 0 and any(
                _rounds(case) - begun[case.instance.id] >= _MAX_ROUNDS for case in cases
            ):
                raise Conflict(
                    "the process does not come to rest", hint="look for a loop without a wait in its definition"
                )
            due = [(case, effect) for case in cases for effect in self._due(case, manner)]
            waits = {record.event_key for case in cases for record in case.records if _awaits_event(record)}
            waits |= {key for case in cases if case.kind == "looked_again" for key in awaited_keys(case.position)}
            # Where handlers will answer at once, the projection would only be written twice.
            resting = not waits and not any(effect.immediate for _, effect in due)
            if resting and not manner.working:
                for case in cases:
                    _post_rest(case)
            if waits:
                await self._lock_keys(tx, waits)
            await write_cases(tx, cases, projections=resting, done=done if resting else (), at=at)
            if resting:
                done = ()
            if due:
                await self._perform(tx, due, manner)
            if waits:
                await self._take_kept(tx, cases)
                for case in cases:
                    case.kind = "event_arrived" if case.kind == "looked_again" else case.kind
            if resting and not any(case.records or case.effects for case in cases):
                break
        await self._tell(tx, cases)

    def _due(self, case: Case, manner: _Manner) -> list[Effect]:
        """Effects to be carried out now: up to the first that is answered at once, whose answer may change the rest.

        What only workers do is left to them.
        """
        found: list[Effect] = []
        while case.effects:
            effect = case.effects.popleft()
            token = case.position.tokens.get(effect.token)
            is_open = token is not None and token.step is not None and token.step.key == effect.step
            if effect.awaited and not is_open:
                continue  # Cancelled by what happened since.
            needs = None if manner.working else self.nodes.carried(effect)
            if needs is not None:
                case.posted.append(_left(case, effect, needs))
                continue
            found.append(effect)
            if effect.immediate:
                break
        return found

    async def _perform(self, tx: TenantTx, due: Sequence[tuple[Case, Effect]], manner: _Manner) -> None:
        by_handler: dict[int, tuple[NodeHandler, list[tuple[Case, Ask]]]] = {}
        for case, effect in due:
            handler = self.nodes.of(effect)
            try:
                ask = await self._ask(tx, case, effect)
            except (InvalidInput, NotFound) as error:
                if not effect.awaited:
                    raise
                # Nobody can act for the step: it fails, where everybody can see it, and can be tried again.
                await self._settle(tx, case, effect, Answer.failed(error.code, error.message, hint=error.hint), manner)
                continue
            entry = by_handler.setdefault(id(handler), (handler, []))
            entry[1].append((case, ask))
        for handler, asked in by_handler.values():
            asks = [ask for _, ask in asked]
            if manner.careful and any(ask.effect.immediate for ask in asks):
                replies: Sequence[Reply] = [await _guarded(handler, ask, forgiving=manner.forgiving) for ask in asks]
            else:
                replies = await handler.perform(asks)
            for (case, ask), reply in zip(asked, replies, strict=True):
                if isinstance(reply, Answer):
                    await self._settle(tx, case, ask.effect, reply, manner)
                elif isinstance(reply, NotHere):
                    await post_events(tx, [_left(case, ask.effect, reply.needs)])

    async def _settle(self, tx: TenantTx, case: Case, effect: Effect, answer: Answer, manner: _Manner) -> None:
        if answer.entity_version is not None and case.instance.document_id is not None:
            found = await self.documents(tx, [case.instance.document_id])
            case.know(*found[case.instance.document_id])
        happening = Settled(
            effect.token,
            answer.outcome,
            answer.result,
            answer.error,
            answer.reason,
            effect.step,
            answer.entity_version,
        )
        bound = None if manner.working else Bound(max(0, _AT_ONCE - len(case.saved_records)))
        case.take(case.loaded.machine.advance(case.position, happening, case.facts, bound))

    async def _ask(self, tx: TenantTx, case: Case, effect: Effect) -> Ask:
        node = case.loaded.workflow.nodes_by_id[effect.node]
        record = next((each for each in reversed(case.saved_records) if each.key == effect.step), None)
        if record is None:
            # Opened by somebody else, who had no code for it; `_due` has seen that it is open.
            record = case.position.tokens[effect.token].step
            assert record is not None
        return Ask(
            tx=replace(await self._acting(tx, case, node.run_as), instance=case.instance.id),
            instance=case.instance,
            document=case.document,
            node=node,
            step_id=step_id(effect.step),
            step=record,
            effect=effect,
            facts=case.facts,
            trace_id=case.trace_id,
        )

    async def _acting(self, tx: TenantTx, case: Case, run_as: str) -> TenantTx:
        """The transaction as whom a step acts."""
        if run_as == "system":
            return replace(tx, actor=PROCESS)
        if run_as == "service_account":
            name = tx.tenant.settings.get("service_account")
            if name is None:
                raise InvalidInput(
                    "a step runs as the service account, and the tenant has none",
                    hint="name a service user in the tenant's setting `service_account`",
                    field="service_account",
                )
            return replace(tx, actor=await service_account(tx, str(name)))
        return replace(tx, actor=case.acting)

    async def _lock_keys(self, tx: TenantTx, keys: Iterable[str | None]) -> None:
        for key in sorted(key for key in keys if key is not None):
            await tx.run(_SQL["lock_event_key"], key=key)

    async def _take_kept(self, tx: TenantTx, cases: Sequence[Case]) -> None:
        """Events that came before anybody waited for them."""
        for case in cases:
            for key in awaited_keys(case.position):
                async for event in kept_events(tx, key):
                    moved = taken_up(case.loaded.machine, case.position, key, event.payload, case.facts)
                    if moved is not None:
                        case.take(moved)
                        await event.taken(tx, case.instance.id)
                        break  # It may wait for the key again: the next round looks.

    async def _tell(self, tx: TenantTx, cases: Sequence[Case]) -> None:
        for observer in self.nodes.observers:
            written = [
                WrittenSteps(case.instance, wanted)
                for case in cases
                if (wanted := [each for each in case.saved_records if observer.wants(each)])
            ]
            if written:
                await observer.steps_written(tx, written)

    async def _begin_again(self, tx: TenantTx, case: Case, at: datetime, manner: _Manner) -> None:
        """The document changed behind the process's back in a stable region: it goes through an amendment (WF-05)."""
        way = way_to_amend(case.loaded.workflow, case.position.doc_status)
        how = "created" if way is None else way.to_state
        new = NewInstance(
            case.instance.entity_type,
            case.instance.document_id,
            how=how,
            amended_from=case.instance.id,
            trace_id=case.trace_id,
            partition_id=case.partition_id,
            starter=case.acting,
        )
        loaded = await self.definitions.effective(tx, new.entity_type)
        found = await self.documents(tx, [new.document_id] if new.document_id else [])
        job = await self.begin(tx, new, loaded, found, case.actor, at)
        await self.advance(tx, [job], at=at, working=manner.working)


def happened(job: Job) -> Happened:
    """What came of a job, for its caller."""
    assert job.advance is not None
    position = job.case.position
    return Happened(
        job.advance.result,
        job.case.instance.id,
        job.case.read_version,
        position.status,
        position.current_nodes,
        job.advance.refusal,
        job.advance.amendment,
    )


def _left(case: Case, effect: Effect, needs: str) -> Row:
    """The event that leaves an open step to a worker that has the code for it, in the name of whoever caused it."""
    # Offered again by an operator and still unknown, it is left again: the same words must be another event.
    return _event(case, "take_step", {"effect": effect.to_json(), "left": str(uuid7())}, needs[: NotHere.LIMIT])


def _post_rest(case: Case) -> None:
    """Let a worker go on where tokens have come to the bound of an advance."""
    ready = {token.id for token in case.position.tokens.values() if token.state == "ready"}
    if ready - case.offered:
        case.offered |= ready
        case.posted.append(_event(case, "look_again", {"left": str(uuid7())}))


def _event(case: Case, event_type: str, payload: Mapping[str, Any], needs: str | None = None) -> Row:
    return event_row(
        case.instance.id,
        event_type,
        payload,
        entity_version=case.document.entity_version,
        entity_type=case.instance.entity_type,
        document_id=case.instance.document_id,
        actor=case.actor,
        trace_id=case.trace_id,
        needs=needs,
    )


def _rounds(case: Case) -> int:
    """How often the token that has gone back most often has. Only that has no end: lists and ways forward do."""
    return max((round_of(token) for token in case.position.tokens), default=0)


def _awaits_event(record: StepRecord) -> bool:
    return record.event_key is not None and record.is_open


async def _guarded(handler: NodeHandler, ask: Ask, *, forgiving: bool) -> Reply:
    """Call a handler so that what it wrote before it failed is undone, and its failure becomes the step's outcome."""
    try:
        async with ask.tx.connection.transaction():
            return (await handler.perform([ask]))[0]
    except OperationalError:
        raise
    except Exception as error:
        # What Postgres refuses is no answer of the handler's, whatever else it is called.
        if isinstance(error, HoldfastError) and not isinstance(error, DatabaseFailed):
            return Answer.failed(error.code, error.message, hint=error.hint)
        if not forgiving or ask.tx.connection.closed or is_passing(error):
            raise
        return Answer.failed("WORKFLOW_STEP_FAILED", f"{type(error).__name__}: {error}")


def _named_document(new: NewInstance) -> UUID:
    named = new.payload.get("entity_id") if isinstance(new.payload, Mapping) else None
    try:
        return UUID(str(named))
    except ValueError:
        return UUID(int=0)
