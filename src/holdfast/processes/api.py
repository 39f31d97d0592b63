"""The processes of one tenant, `hold.processes`: start, look, advance, tell events, and what operators do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg import errors as pg

from holdfast.documents import Access, Cabinet, Contracts
from holdfast.documents.events import current_trace_id
from holdfast.envelope.tokens import (
    EVENT_TTL,
    Abandoned,
    Cancelled,
    Happening,
    Option,
    Position,
    Reason,
    Retried,
    Wait,
    options,
    reasons,
    waits,
)
from holdfast.errors import Conflict, InvalidInput, NotFound, VersionConflict
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.json import check_json, decode, dump
from holdfast.kernel.names import check_text
from holdfast.kernel.packing import unpack
from holdfast.kernel.page import Page, read_in_windows
from holdfast.kernel.traces import is_traced
from holdfast.people.headlines import read_headlines
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.processes.cases import Case, Loaded, no_such_instance, open_cases
from holdfast.processes.engine import Engine, NewInstance, happened
from holdfast.processes.engine_inbox import EngineInbox
from holdfast.processes.listening import Move, follow_trace, move, move_document, refused
from holdfast.processes.locking import lock_instance
from holdfast.processes.meaning import meant
from holdfast.processes.model import (
    ACTIVE,
    STATUSES,
    Happened,
    Instance,
    Step,
    check_start,
    decode_started_cursor,
    started_already,
    started_cursor,
)
from holdfast.processes.possibilities import Possibility, possibilities
from holdfast.processes.redaction import Redaction
from holdfast.processes.repair import Repair
from holdfast.processes.rows import history_of, position_of
from holdfast.processes.telling import Told, tell

__all__ = ["Processes"]

_SQL = queries("processes")


class Processes:
    """The process instances of one tenant."""

    def __init__(self, tx: TenantTx, engine: Engine, cabinet: Cabinet | None = None) -> None:
        self._tx = tx
        self._engine = engine
        self._cabinet = cabinet
        self._access = Access(tx, cabinet.contracts if cabinet is not None else Contracts())
        self._redaction = Redaction(self._access)
        self.repair = Repair(tx, engine, self._access)

    async def start(
        self,
        workflow_id: str,
        *,
        document_id: UUID | None = None,
        payload: Any = None,
        context: Mapping[str, Any] | None = None,
        instance_id: UUID | None = None,
        subject_id: str = "",
        partition_id: str = "",
    ) -> Instance:
        """Start the process of a document, or an automation. With `instance_id`, starting twice is starting once."""
        self._tx.require("processes:start")
        check_start(payload, context, subject_id, partition_id)
        if instance_id is not None:
            # Of two who start it at once, the second waits for the first and finds what it has begun.
            await lock_instance(self._tx, instance_id)
            known = await self._tx.row(_SQL["get_instance"], id=instance_id)
            if known is not None:
                return await self._redaction.instance(started_already(_instance(known), workflow_id, document_id))
        new = NewInstance(
            workflow_id,
            document_id,
            instance_id,
            payload=payload,
            context=context,
            subject_id=subject_id,
            partition_id=partition_id,
        )
        if document_id is not None:
            await self._check_free(workflow_id, document_id)
        try:
            begun = await self._engine.start(self._tx, new)
        except pg.UniqueViolation:
            raise _has_process(document_id) from None  # Somebody was faster.
        return await self._find(begun.instance_id)

    async def _check_free(self, workflow_id: str, document_id: UUID) -> None:
        document = await self._tx.row(_SQL["document_to_start"], id=document_id)
        if document is None or document["deleted"] or document["entity_type"] != workflow_id:
            raise NotFound(f"there is no {workflow_id} {document_id}", document=str(document_id))
        await self._access.require_document(workflow_id, document_id)
        if document["amended_to"] is not None:
            raise Conflict(
                "the document was replaced by an amended one",
                hint=f"that has a process of its own: see {document['amended_to']}",
                document=str(document_id),
            )
        known = await self._tx.row(_SQL["instance_of"], entity_type=workflow_id, document_id=document_id)
        if known is not None and known["status"] in ACTIVE:
            raise _has_process(document_id)
        await self._check_beginning(document, document_id)

    async def _check_beginning(self, document: Mapping[str, Any], document_id: UUID) -> None:
        """A process begins where documents do. Beginning anew must not be a way to open what is locked."""
        if self._cabinet is None:
            return
        contracts = self._cabinet.contracts
        contract = await contracts.at(self._tx, document["entity_type"], document["contract_version"])
        status = document["doc_status"]
        if status == contract.initial_state:
            return
        state = next((each for each in contract.states if each.name == status), None)
        if state is None or state.edit_window in (None, "locked"):
            raise Conflict(
                f"the document is {status}: no process begins there",
                hint="amend it: that makes a new document, with a process of its own",
                document=str(document_id),
                doc_status=status,
            )
        # Its process was given up on the way; to begin anew is a repair.
        self._tx.require("processes:operate")

    async def get(self, instance_id: UUID) -> Instance:
        """One instance."""
        self._tx.require("processes:read")
        return await self._find(instance_id)

    async def of_document(self, document_id: UUID) -> Instance:
        """The process of a document: the active one, or the newest of those that are over."""
        self._tx.require("processes:read")
        row = await self._tx.row(_SQL["instance_of_document"], document_id=document_id)
        if row is None:
            raise NotFound(f"the document {document_id} has no process", document=str(document_id))
        return await self._redaction.instance(_instance(row))

    async def find_active(
        self,
        *,
        workflow_id: str | None = None,
        status: str | None = None,
        subject_id: str | None = None,
        partition_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Instance]:
        """Instances that are under way, newest first."""
        if status is not None and status not in ACTIVE:
            raise InvalidInput(f"status is {status!r}", hint=f"use one of {', '.join(ACTIVE)}", field="status")
        return await self._page(
            "find_active", workflow_id, status, subject_id, partition_id, None, limit=limit, cursor=cursor
        )

    async def list(
        self,
        *,
        workflow_id: str | None = None,
        status: str | None = None,
        subject_id: str | None = None,
        partition_id: str | None = None,
        document_id: UUID | None = None,
        doc_status: str | None = None,
        node: str | None = None,
        started_before: datetime | None = None,
        updated_before: datetime | None = None,
        fields: Mapping[str, Any] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Instance]:
        """Instances, newest first, whether they are under way or over.

        `fields` are those of the document, as they are now; to search by them takes `documents:read`, and the type.
        """
        if status is not None and status not in STATUSES:
            raise InvalidInput(f"status is {status!r}", hint=f"use one of {', '.join(STATUSES)}", field="status")
        if fields is not None:
            self._tx.require("documents:read")
            check_json("fields", fields)
            if workflow_id is None:
                raise InvalidInput("fields need a type", hint="give workflow_id, the type", field="workflow_id")
            self._access.require_search(workflow_id, fields)
        for name, moment in (("started_before", started_before), ("updated_before", updated_before)):
            if moment is not None and moment.tzinfo is None:
                raise InvalidInput(f"{name} has no time zone", hint="such as 2026-06-04T12:00:00Z", field=name)
        return await self._page(
            "list_instances",
            workflow_id,
            status,
            subject_id,
            partition_id,
            document_id,
            limit=limit,
            cursor=cursor,
            doc_status=doc_status,
            node=node,
            started_before=started_before,
            updated_before=updated_before,
            fields=None if fields is None else dump(fields),
        )

    async def find_expired(self, *, limit: int = 100) -> Sequence[Instance]:
        """Instances with a timer or a timeout that is due, the longest due first. The worker takes care of them."""
        self._tx.require("processes:read")
        rows = await self._tx.rows(_SQL["find_expired"], limit=check_limit(limit, maximum=1000))
        return await self._redaction.instances([_instance(row) for row in rows])

    async def steps(self, instance_id: UUID, *, limit: int = 200, cursor: str | None = None) -> Page[Step]:
        """What an instance did, in the order its steps were opened."""
        self._tx.require("processes:read")
        await self._find(instance_id)
        check_limit(limit, maximum=1000)
        query = {"instance": str(instance_id)}
        after = decode_cursor(query, cursor, (int,))[0] if cursor is not None else -1

        async def window(last: Row | None, most: int) -> list[Row]:
            begin = after if last is None else last["opened_seq"]
            return await self._tx.rows(_SQL["list_steps"], id=instance_id, after=begin, limit=most)

        rows, more = await read_in_windows(window, limit + 1, "input", "output", "output_packed")
        items = await self._redaction.steps(instance_id, [_step(row) for row in rows[:limit]])
        return Page(items, encode_cursor(query, [items[-1].opened_seq]) if more else None)

    async def waits(self, instance_id: UUID) -> Sequence[Wait]:
        """What every token of an instance waits for."""
        case = await self._look(instance_id)
        return await self._redaction.waits(instance_id, waits(case.loaded.workflow, case.position))

    async def options(self, instance_id: UUID) -> Sequence[Option]:
        """What may happen next, who may do it, and where it can lead."""
        case = await self._look(instance_id)
        return options(case.loaded.workflow, case.position)

    async def possibilities(self, instance_id: UUID) -> Sequence[Possibility]:
        """What may happen next, whether the actor can let it, and why not."""
        case = await self._look(instance_id)
        paused = (await self._find(instance_id)).paused_at is not None
        found = options(case.loaded.workflow, case.position)
        return possibilities(case.loaded.workflow, case.position, found, self._tx.actor, paused=paused)

    @property
    def inbox(self) -> EngineInbox:
        """What the engine is to take up, and could not."""
        return EngineInbox(self._tx, self._access)

    async def reasons(self, instance_id: UUID) -> Sequence[Reason]:
        """Why each edge was taken."""
        case = await self._look(instance_id)
        rows = await self._tx.rows(_SQL["history"], id=instance_id)
        return await self._redaction.reasons(instance_id, reasons(case.loaded.workflow, history_of(rows)))

    async def advance(
        self,
        instance_id: UUID,
        event: str,
        input: Any = None,  # noqa: A002 - the word of the interface
        *,
        expected_version: int | None = None,
        at: str | None = None,
        reason: str | None = None,
    ) -> Happened:
        """Let something happen now: a transition, or an event some step waits for; `at` names the node if several do.

        With `expected_version`, nothing is written unless the instance is still at that version.
        """
        self._tx.require("processes:read")
        self._tx.require("processes:start")
        check_json("input", input)
        check_json("reason", reason)

        def read(case: Case) -> Happening:
            return meant(case.loaded.workflow, case.position, event, input, at=at, reason=reason)

        job, now = await self._engine.prepare(
            self._tx, instance_id, read, expected_version=expected_version, choosing=True
        )
        if self._cabinet is not None and job.moves_document:
            if is_traced():
                await follow_trace(self._tx, job.case, current_trace_id())
            await move_document(self._tx, self._engine, self._cabinet, Move(job, now), event, reason=reason)
        else:
            await move(self._tx, self._engine, Move(job, now))
        return happened(job)

    async def tell(
        self, key: str, payload: Any = None, *, event_id: str | None = None, keep: timedelta = EVENT_TTL
    ) -> Told:
        """Tell of an event. Every instance that waits for its key goes on; otherwise it is kept for a while."""
        self._tx.require("processes:start")
        return await tell(self._tx, key, payload, event_id=event_id, keep=keep, engine=self._engine)

    # ------------------------------------------------------------------------------------------------------ operating

    async def expect(self, instance_id: UUID, version: int) -> None:
        """Raise `VersionConflict` unless the instance is at that version; it stays so until the transaction ends."""
        self._tx.require("processes:read")
        await lock_instance(self._tx, instance_id)
        row = await self._tx.row(_SQL["get_instance"], id=instance_id)
        if row is None:
            raise no_such_instance(instance_id)
        if row["version"] != version:
            raise VersionConflict(
                f"the instance is at version {row['version']}, not {version}",
                hint="read it again and decide anew",
                expected=version,
                actual=row["version"],
            )

    async def pause(self, instance_id: UUID, *, reason: str) -> Instance:
        """Stop an instance for now: nothing happens to it until it is resumed. What was posted for it waits."""
        self._tx.require("processes:operate")
        check_text("reason", reason, maximum=1000)
        case = await self._open(instance_id)
        if case.position.is_over:
            raise Conflict(f"the instance is {case.position.status}", hint="only active ones can be paused")
        if not case.paused:
            await self._hold(instance_id, None, reason)
        return await self._find(instance_id)

    async def resume(self, instance_id: UUID) -> Instance:
        """Let a paused instance go on with what was posted for it meanwhile."""
        self._tx.require("processes:operate")
        case = await self._open(instance_id)
        if case.paused:
            await self._hold(instance_id, case.position.status, None)
        return await self._find(instance_id)

    async def _hold(self, instance_id: UUID, status: str | None, reason: str | None) -> None:
        await self._tx.run(_SQL["pause_instance"], id=instance_id, status=status, by=str(self._tx.actor), reason=reason)

    async def cancel(self, instance_id: UUID, *, reason: str) -> Instance:
        """Stop an instance for good. Its document stays in the status it has."""
        return await self._stop(instance_id, Cancelled(check_text("reason", reason, maximum=1000)))

    async def force_fail(self, instance_id: UUID, *, reason: str) -> Instance:
        """Give up an instance: it is `failed` for good."""
        return await self._stop(instance_id, Abandoned(check_text("reason", reason, maximum=1000)))

    async def retry_step(self, instance_id: UUID, *, token: str | None = None) -> Happened:
        """Let a failed step be tried again, with a new token. Without `token`, the only one that failed."""
        self._tx.require("processes:operate")
        case = await self._open(instance_id)
        failed = [each.id for each in case.position.tokens.values() if each.state == "failed"]
        if token is None and len(failed) == 1:
            token = failed[0]
        if token not in failed:
            known = ", ".join(failed)
            raise Conflict(
                "no step of the instance has failed"
                if not failed
                else "name the token whose step is to be tried again",
                hint=f"failed are {known}" if failed else None,
            )
        return await self._engine.happen(self._tx, instance_id, Retried(token), now=True)

    async def replay_event(self, event_id: UUID) -> None:
        """Let a dead letter of the engine inbox be tried again."""
        self._tx.require("processes:operate")
        row = await self._tx.row(_SQL["replay_event"], id=event_id, actor=str(self._tx.actor))
        if row is None or not row["done"]:
            raise NotFound(f"there is no dead letter {event_id}", event=str(event_id))

    async def skip_event(self, event_id: UUID, *, reason: str) -> None:
        """Give up a dead letter of the engine inbox. Its process stays where it is until something else moves it."""
        self._tx.require("processes:operate")
        check_text("reason", reason, maximum=1000)
        row = await self._tx.row(_SQL["skip_event"], id=event_id, reason=reason, actor=str(self._tx.actor))
        if row is None or not row["done"]:
            raise NotFound(f"there is no dead letter {event_id}", event=str(event_id))

    async def _stop(self, instance_id: UUID, happening: Happening) -> Instance:
        self._tx.require("processes:operate")
        case = await self._open(instance_id)
        if case.paused:
            await self._hold(instance_id, case.position.status, None)
        done = await self._engine.happen(self._tx, instance_id, happening, now=True)
        if done.result == "ignored" and done.refusal is not None:
            raise refused(done.refusal)
        return await self._find(instance_id)

    async def _open(self, instance_id: UUID) -> Case:
        opened = await open_cases(self._tx, [instance_id], self._engine.definitions)
        if instance_id not in opened.cases:
            raise no_such_instance(instance_id)
        return opened.cases[instance_id]

    async def _look(self, instance_id: UUID) -> Looked:
        """The definition and the position of an instance, without taking its lock."""
        self._tx.require("processes:read")
        row = await self._tx.row(_SQL["look_at_instance"], id=instance_id)
        if row is None:
            raise no_such_instance(instance_id)
        loaded = await self._engine.definitions.load(
            self._tx, row["definition_id"], row["definition_version"], compiled_hash=row["compiled_hash"]
        )
        return Looked(loaded, position_of(row["state"], row["active_tokens"], loaded.workflow))

    async def _find(self, instance_id: UUID) -> Instance:
        row = await self._tx.row(_SQL["get_instance"], id=instance_id)
        if row is None:
            raise no_such_instance(instance_id)
        return await self._redaction.instance(_instance(row))

    async def _page(
        self,
        statement: str,
        workflow_id: str | None,
        status: str | None,
        subject_id: str | None,
        partition_id: str | None,
        document_id: UUID | None,
        *,
        limit: int,
        cursor: str | None,
        **more: Any,
    ) -> Page[Instance]:
        self._tx.require("processes:read")
        check_limit(limit)
        query = {
            **{name: value and str(value) for name, value in more.items()},
            "what": statement,
            "workflow": workflow_id,
            "status": status,
            "subject": subject_id,
            "partition": partition_id,
            "entity": None if document_id is None else str(document_id),
        }
        begin = decode_started_cursor(query, cursor)

        async def window(last: Row | None, most: int) -> list[Row]:
            before_at, before = begin if last is None else (last["started_at"], last["id"])
            return await self._tx.rows(
                _SQL[statement],
                workflow_id=workflow_id,
                status=status,
                subject_id=subject_id,
                partition_id=partition_id,
                document_id=document_id,
                before_at=before_at,
                before=before,
                limit=most,
                **more,
            )

        rows, goes_on = await read_in_windows(window, limit + 1, "context")
        items = await self._named(await self._redaction.instances([_instance(row) for row in rows[:limit]]))
        return Page([*items], started_cursor(query, items[-1]) if goes_on else None)

    async def _named(self, found: Sequence[Instance]) -> Sequence[Instance]:
        """Each with the headline of its document, where the actor sees all of that."""
        seen = [each for each in found if each.document_id is not None and not each.redacted]
        about = {"documents": [each.document_id for each in seen], "versions": [each.entity_version for each in seen]}
        rows = await self._tx.rows(_SQL["versions_of_documents"], **about) if seen else []
        headlines = await read_headlines(self._tx, {row["id"]: frozenset() for row in rows})
        of = {(row["document_id"], row["version"]): tuple(headlines.get(row["id"], ())) for row in rows}
        return [replace(each, headline=of.get((each.document_id, each.entity_version), ())) for each in found]


@dataclass(frozen=True, slots=True)
class Looked:
    """A definition and where an instance of it stands."""

    loaded: Loaded
    position: Position


def _has_process(document_id: UUID | None) -> Conflict:
    return Conflict(
        f"the document {document_id} has a process that is under way",
        hint="a document has one at a time: `processes.of_document` finds it",
        document=str(document_id),
    )


def _instance(row: Mapping[str, Any]) -> Instance:
    tokens = decode(row["active_tokens"])
    return Instance(
        **{
            **row,
            "context": decode(row["context"]),
            # Whatever has befallen the row: to look at an instance is how one finds out.
            "active_tokens": tuple(tokens) if isinstance(tokens, list) else (),
            "current_nodes": tuple(row["current_nodes"]),
            "rejection": decode(row["rejection"]),
        }
    )


def _step(row: Mapping[str, Any]) -> Step:
    kept = dict(row)
    output = unpack(kept["output"], kept.pop("output_packed"), kept.pop("output_hash"))
    return Step(
        **{
            **kept,
            "input": decode(row["input"]) or {},
            "output": decode(output) or {},
            "error": decode(row["error"]),
        }
    )
