"""Repair: what an operator does when a process does not go on by itself.

The steps are the truth and the projection follows from them, so it can always be rebuilt. An instance that stands still
without reason is found by `stuck`; there are three things to do about it: rebuild its projection, let it be looked at
again, or give it up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from holdfast.audit import record
from holdfast.documents import Access, Contracts, event_row, post_events
from holdfast.envelope.compiled import CompiledWorkflow
from holdfast.envelope.tokens import Position, StepRecord, Wait, fold, waits
from holdfast.envelope.tokens.turn import moment_text
from holdfast.errors import Conflict, HoldfastError, InvalidInput
from holdfast.kernel.cursor import check_limit
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import decode, dump
from holdfast.kernel.names import did_you_mean
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.cases import no_such_instance
from holdfast.processes.engine import Engine
from holdfast.processes.locking import lock_instance
from holdfast.processes.rows import history_of, position_of, projection_of, step_id

__all__ = ["STUCK_CODES", "Health", "Migration", "Rebuilt", "Repair", "Stuck", "StuckReason", "UnknownCode"]

STUCK_CODES: Final[Mapping[str, str]] = {
    "failed": "Something about it could not be done: `message`.",
    "lacking": "A step waits for what an operator has to put there: `message`, as `waits`.",
    "no_token": "No token is left.",
    "unanswerable": "Nobody who is asked can answer: `title`.",
    "unhandled": "A step waits for what no worker that is running knows: `needs`, as `waits`.",
    "unknown_code": "No worker that came by since `since` knows what a step needs: `needs`.",
    "unreadable": "It cannot be run or read: `error`, `message`.",
    "unseen": "Only those who may read its document are told why.",
    "untaken": "A step waits for what no worker takes, an effect of a `kind`: as `waits`.",
    "waits": "A step waits for what will not come by itself: `node`, `name`, `wait` (see `WAIT_CODES`), `wait_params`.",
}
"""Every code of a `StuckReason`, and its parameters."""

_SQL = queries("processes")
_PAGE = 500
_ASKING = frozenset({"approval", "task", "lifecycle_gate"})
_PEOPLE = frozenset({"person", "event", "time", "tokens"})
"""What a token may wait for as long as it likes."""
_UNSEEN = "only those who may read its document are told why"


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """Whether the projection differed from what the steps say, and in which of its parts."""

    instance_id: UUID
    differed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StuckReason:
    """One reason why an instance stands still: in words, and as a code with parameters (`STUCK_CODES`)."""

    code: str
    text: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stuck:
    """A running instance for which nothing is under way although something should be."""

    instance_id: UUID
    workflow_id: str
    nodes: tuple[str, ...]
    since: datetime
    why: str
    reasons: tuple[StuckReason, ...] = ()
    """The same as `why`, one by one."""


@dataclass(frozen=True, slots=True)
class Migration:
    """Whether an instance can follow another version of its definition, and if not, why."""

    instance_id: UUID
    from_version: int
    to_version: int
    reasons: tuple[str, ...]
    migrated: bool

    @property
    def possible(self) -> bool:
        return not self.reasons


@dataclass(frozen=True, slots=True)
class UnknownCode:
    """Code that steps wait for and no worker has come by with.

    `action:‹name›`, `rule:‹name›`, `resolver:‹name›`, `custom:‹node type›`, `run:‹type›`, `graph:‹session definition›`.
    """

    needs: str
    steps: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Health:
    """How the engine inbox is doing: the numbers an operator looks at first."""

    pending: int
    failed: int
    processing: int
    dead_letters: int
    stuck: int
    oldest_seconds: float | None
    p95_seconds: float | None
    handled: int
    """In the last hour."""
    unknown: tuple[UnknownCode, ...] = ()
    """What steps wait for that no worker knows."""


class Repair:
    """Repairs for one tenant, `hold.processes.repair`."""

    def __init__(self, tx: TenantTx, engine: Engine, access: Access | None = None) -> None:
        self._tx = tx
        self._engine = engine
        self._access = access or Access(tx, Contracts())

    async def rebuild_projection(self, instance_id: UUID) -> Rebuilt:
        """Work out from the steps where an instance stands, and write that (WF-15)."""
        self._tx.require("processes:operate")
        await lock_instance(self._tx, instance_id)
        row, workflow, history = await self._read(instance_id)
        position = fold(workflow, history, instance=str(instance_id))
        differed = _differences(row, workflow, position)
        if differed:
            ended = max((each.at for each in history), default=None)
            moved = {
                "id": instance_id,
                "read_version": row["version"],
                **projection_of(workflow, position),
                "completed_at": (row["completed_at"] or ended) if position.is_over else None,
                "last_step_execution_id": step_id(history[-1].key) if history else None,
            }
            told = {
                "object_kind": "instance",
                "object_id": instance_id,
                "event_type": "instance.rebuilt",
                "actor": str(self._tx.actor),
                "data": {"differed": list(differed)},
            }
            await self._tx.run(_SQL["write_projection"], moved=dump([moved]), trail=dump([told]))
        else:
            # Nothing had to be written. That an operator had it rebuilt is on the trail all the same.
            await record(self._tx, "instance", instance_id, "instance.rebuilt", {"differed": []})
        return Rebuilt(instance_id, differed)

    async def check_projection(self, instance_id: UUID) -> Rebuilt:
        """Compare the projection with what the steps say, and change nothing."""
        self._tx.require("processes:read")
        row, workflow, history = await self._read(instance_id)
        position = fold(workflow, history, instance=str(instance_id))
        return Rebuilt(instance_id, _differences(row, workflow, position))

    async def stuck(self, *, older: timedelta = timedelta(minutes=15), limit: int = 100) -> list[Stuck]:
        """Running instances that stand still without waiting for a person, an event, a time, or work under way."""
        self._tx.require("processes:read")
        if older <= timedelta(0):
            raise InvalidInput(f"older is {older}", hint="give some time", field="older")
        check_limit(limit, maximum=1000)
        found: list[Stuck] = []
        after: UUID | None = None
        while len(found) < limit:
            # Most that stand still wait for somebody: what is stuck may lie behind any number of them.
            rows = await self._tx.rows(_SQL["stuck_instances"], older=older, after=after, limit=_PAGE)
            for row in rows:
                try:
                    why = await self._idle(row)
                except HoldfastError as error:
                    # One that cannot be run or read is to be told of, not a reason to be silent about the others.
                    text = f"{error.code}: {error.message}"
                    why = [StuckReason("unreadable", text, {"error": error.code, "message": error.message})]
                if why:
                    told = "; ".join(each.text for each in why)
                    nodes = tuple(row["current_nodes"])
                    found.append(Stuck(row["id"], row["workflow_id"], nodes, row["updated_at"], told, tuple(why)))
            if len(rows) < _PAGE:
                break
            after = rows[-1]["id"]
        # Why it stands still may quote the document: keys of events, messages of errors.
        seen = await self._access.instances_seen([each.instance_id for each in found[:limit]], "stuck")
        hidden = (StuckReason("unseen", _UNSEEN),)
        return [
            each if each.instance_id in seen else replace(each, why=_UNSEEN, reasons=hidden) for each in found[:limit]
        ]

    async def _idle(self, row: Mapping[str, Any]) -> list[StuckReason]:
        """What an instance waits for that will never come by itself; nothing if everything may come."""
        loaded = await self._engine.definitions.load(
            self._tx, row["definition_id"], row["definition_version"], compiled_hash=row["compiled_hash"]
        )
        position = position_of(row["state"], row["active_tokens"], loaded.workflow)
        if not position.tokens:
            return [StuckReason("no_token", "no token is left")]
        late = moment_text(row["late"])
        untaken: Mapping[str, Mapping[str, str]] = row["untaken"] or {}
        idle = [
            _waits(each, untaken.get(_step_of(position, each.token) or "", {}))
            for each in waits(loaded.workflow, position)
            if (each.kind not in _PEOPLE and _step_of(position, each.token) not in row["under_way"])
            # Its people have decided, or their request was closed, and the process has not heard of it.
            or (
                loaded.workflow.nodes_by_id[each.node].type in _ASKING
                and each.kind == "person"
                and _step_of(position, each.token) not in row["asked"]
            )
            # Its time has come, and nobody was told: the event that would have said so is a dead letter.
            or (each.resume_at is not None and each.resume_at < late)
        ]
        idle += [
            StuckReason("unanswerable", f"nobody who is asked can answer {title!r}", {"title": title})
            for title in row["unanswerable"]
        ]
        if idle:
            idle += [self._lacking(needs, since) for needs, since in (row["needs"] or {}).items()]
        return idle + [StuckReason("failed", error, {"message": error}) for error in row["errors"]]

    def _lacking(self, needs: str, since: str) -> StuckReason:
        """That no worker has come by which knows what a step needs, since when, and what to do about it."""
        mend = did_you_mean(needs, self._engine.nodes.known) or "start a worker with the code: --app or HOLDFAST_APP"
        text = f"no worker that came by since {since[:16].replace('T', ' ')} knows {needs} ({mend})"
        return StuckReason("unknown_code", text, {"needs": needs, "since": since})

    async def enqueue_again(self, instance_id: UUID) -> None:
        """Let the worker look at an instance again: whatever is ready goes on, whatever was kept for it arrives."""
        self._tx.require("processes:operate")
        known = await self._tx.row(_SQL["instance_version"], id=instance_id)
        if known is None:
            raise no_such_instance(instance_id)
        event = event_row(
            instance_id,
            "look_again",
            {"asked": str(uuid7())},
            entity_version=known["entity_version"],
            entity_type=known["entity_type"],
            document_id=known["document_id"],
            actor=self._tx.actor,
        )
        await post_events(self._tx, [event])
        await self._tx.run(_SQL["offer_events"], id=instance_id)
        await record(self._tx, "instance", instance_id, "instance.enqueued_again")

    async def migrate(self, instance_id: UUID, definition_id: UUID, version: int, *, dry_run: bool = True) -> Migration:
        """Let a running instance follow another version of its definition.

        Possible when everything it has done could have been done in the same way there, and leads to the same position;
        and always when it is the same workflow, compiled again.
        """
        self._tx.require("processes:operate")
        await lock_instance(self._tx, instance_id)
        row, history = await self._look(instance_id)
        target = await self._engine.definitions.load(self._tx, definition_id, version)
        position = position_of(row["state"], row["active_tokens"])
        if target.compiled_hash == row["compiled_hash"] and not position.is_over:
            reasons: tuple[str, ...] = ()  # The very same workflow, compiled again.
        else:
            reasons = _obstacles(row["entity_type"], target.workflow, position, history)
        plan = Migration(instance_id, row["definition_version"], version, reasons, False)
        if dry_run:
            return plan
        if reasons:
            raise Conflict(
                f"the instance cannot follow version {version}: {reasons[0]}",
                hint="let it end with the version it has, or cancel it",
                reasons=list(reasons),
            )
        await self._tx.run(
            _SQL["migrate_instance"],
            id=instance_id,
            definition_id=definition_id,
            definition_version=version,
            compiled_hash=target.compiled_hash,
            version=row["version"],
        )
        told = {"from": row["definition_version"], "to": version, "compiled_hash": target.compiled_hash}
        await record(self._tx, "instance", instance_id, "instance.migrated", told)
        return Migration(instance_id, plan.from_version, version, (), True)

    async def health(self) -> Health:
        """How the engine is doing in this tenant."""
        self._tx.require("processes:read")
        now = await self._tx.row(_SQL["inbox_health"])
        hour = await self._tx.row(_SQL["inbox_latency"])
        assert now is not None
        assert hour is not None
        unknown = tuple(UnknownCode(**row) for row in await self._tx.rows(_SQL["unknown_code"]))
        return Health(**now, **hour, unknown=unknown)

    async def _read(self, instance_id: UUID) -> tuple[Mapping[str, Any], CompiledWorkflow, list[StepRecord]]:
        row, history = await self._look(instance_id)
        loaded = await self._engine.definitions.load(
            self._tx, row["definition_id"], row["definition_version"], compiled_hash=row["compiled_hash"]
        )
        return row, loaded.workflow, history

    async def _look(self, instance_id: UUID) -> tuple[Mapping[str, Any], list[StepRecord]]:
        row = await self._tx.row(_SQL["rebuild_instance"], id=instance_id)
        if row is None:
            raise no_such_instance(instance_id)
        return row, history_of(await self._tx.rows(_SQL["history"], id=instance_id))


def _waits(wait: Wait, why: Mapping[str, str]) -> StuckReason:
    """Why a step waits in vain; `why` is what `stuck_instances` has found about what it waits for."""
    params = {"node": wait.node, "name": wait.name, "wait": wait.code, "wait_params": dict(wait.params), **why}
    text = f"{wait.name} waits for {wait.text}"
    match why:
        case {"kind": kind}:
            return StuckReason("untaken", f"{text}, and no worker takes its {kind}: see `holdfast doctor`", params)
        case {"needs": needs}:
            words = f"{text}, and no worker that is running knows {needs}: see `holdfast doctor`"
            return StuckReason("unhandled", words, params)
        case {"message": message}:
            return StuckReason("lacking", f"{text}, and {message}", params)
        case _:
            return StuckReason("waits", text, params)


def _step_of(position: Position, token: str) -> str | None:
    step = position.tokens[token].step
    return None if step is None else step.key


def _stored(position: Position) -> dict[str, Any]:
    stored: dict[str, Any] = decode(dump(position.to_json()))
    return stored


def _differences(row: Mapping[str, Any], workflow: CompiledWorkflow, position: Position) -> tuple[str, ...]:
    """The parts in which a row differs from a position; what a position says is compared as it would be stored."""
    rebuilt = _stored(position)
    state = decode(row["state"])
    kept: dict[str, Any] = {**(state if isinstance(state, dict) else {}), "tokens": decode(row["active_tokens"])}
    differed = {name for name in rebuilt if kept.get(name) != rebuilt[name]}
    columns: dict[str, Any] = decode(dump(projection_of(workflow, position)))
    for name in ("current_nodes", "edit_window", "doc_status", "entity_version", "reason"):
        if row[name] != columns[name]:
            differed.add(name)
    if decode(row["context"]) != columns["context_json"]:
        differed.add("context")
    due = columns["timeout_at"]
    if row["timeout_at"] != (None if due is None else datetime.fromisoformat(due)):
        differed.add("timeout_at")
    if row["status"] != ("paused" if row["paused"] and position.status == "running" else position.status):
        differed.add("instance_status")
    return tuple(sorted(differed))


def _obstacles(
    entity_type: str, target: CompiledWorkflow, position: Position, history: list[StepRecord]
) -> tuple[str, ...]:
    """Why an instance cannot go on with another workflow. Empty when it can.

    What it followed so far is told by its steps alone: it may be what this compiler does not run any more.
    """
    if target.entity_type != entity_type:
        return (f"that is a workflow of {target.entity_type}, not of {entity_type}",)
    types = {each.node: each.node_type for each in history}
    if position.is_over:
        return (f"the instance is {position.status}",)
    found = []
    for token in position.tokens.values():
        node = target.nodes_by_id.get(token.node)
        if node is None:
            found.append(f"{token.node}, where {token.id} stands, is not there")
        elif node.type != types.get(token.node, node.type):
            found.append(f"{token.node}, where {token.id} stands, is a {node.type} there")
        elif (
            token.state == "waiting" and token.step is not None and node.type in ("approval", "lifecycle_gate", "task")
        ):
            found.append(f"{node.name} is being decided under the version it was asked with")
    if position.decisions:
        found.append("decisions that no gate has used yet were made under the version they were asked with")
    missing = sorted({edge for each in history for edge in each.chosen_edge_ids if edge not in target.edges_by_id})
    found += [f"the edge {edge}, which was taken, is not there" for edge in missing]
    if found:
        return tuple(found)
    try:
        there = fold(target, history, instance=position.instance)
    except InvalidInput as error:
        return (error.message,)
    return () if _stored(there) == _stored(position) else ("what was done leads to another position there",)
