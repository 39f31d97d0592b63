"""Triggers: what starts an automation.

`on_create`, `on_lifecycle_transition` and `on_mutation` watch documents, `on_event` events from outside, `on_timer` a
schedule; `manual` is for people and programs. A trigger may narrow down what it takes (`config`: `from`, `to`,
`action_type`, `changed`) and ask for a `condition` over `entity`, as the contract has it, and `payload`. One that could
never start anything, because it names what the contract does not have, is refused when it is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from holdfast.audit import record
from holdfast.documents.contracts import Contracts
from holdfast.envelope import Contract
from holdfast.envelope.expressions import Scope, compile_expression
from holdfast.errors import AlreadyExists, InvalidInput, NotFound
from holdfast.kernel.cron import Cron
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import decode, dump
from holdfast.kernel.names import check_name, check_text, did_you_mean
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["TRIGGER_TYPES", "Trigger", "TriggerConsequences", "Triggers", "holds", "matching", "read_triggers"]

_SQL = queries("processes")
TRIGGER_TYPES = ("on_create", "on_lifecycle_transition", "on_mutation", "on_timer", "on_event", "manual")
_CONFIG = frozenset({"from", "to", "action_type", "changed"})
_CHANGEABLE = frozenset({"entity_type", "event_key", "cron", "config", "condition", "enabled"})


@dataclass(frozen=True, slots=True)
class Trigger:
    """What starts an automation, and when it did last."""

    id: UUID
    name: str
    workflow_id: str
    trigger_type: str
    entity_type: str | None
    event_key: str | None
    cron: str | None
    config: Mapping[str, Any]
    condition: str | None
    enabled: bool
    next_at: datetime | None
    last_at: datetime | None
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True)
class TriggerConsequences:
    """What deleting a trigger means: the automation it starts, and what else starts that."""

    workflow_id: str
    published: bool
    other_triggers: tuple[str, ...]


class Triggers:
    """The triggers of one tenant, `hold.triggers`."""

    def __init__(self, tx: TenantTx, contracts: Contracts) -> None:
        self._tx = tx
        self._contracts = contracts

    async def create(
        self,
        name: str,
        workflow_id: str,
        trigger_type: str,
        *,
        entity_type: str | None = None,
        event_key: str | None = None,
        cron: str | None = None,
        config: Mapping[str, Any] | None = None,
        condition: str | None = None,
    ) -> Trigger:
        """Let something start an automation from now on."""
        self._tx.require("processes:publish")
        check_name("name", name)
        await self._check(trigger_type, entity_type, event_key, cron, config or {}, {"condition": condition})
        await self._check_automation(workflow_id)
        next_at = Cron.parse(cron).next_after(await self._now()) if cron else None
        made = uuid7()
        row = await self._tx.row(
            _SQL["create_trigger"],
            id=made,
            name=name,
            workflow_id=workflow_id,
            trigger_type=trigger_type,
            entity_type=entity_type,
            event_key=event_key,
            cron=cron,
            config=dump(dict(config or {})),
            condition=condition,
            next_at=next_at,
            created_by=str(self._tx.actor),
            party=dump(self._tx.actor.to_json()),
        )
        if row is None:
            raise AlreadyExists(f"there is a trigger {name!r} already", hint="choose another name", name=name)
        await record(self._tx, "definition", made, "trigger.created", {"name": name, "workflow": workflow_id})
        return await self.get(name)

    async def get(self, name: str) -> Trigger:
        """One trigger."""
        self._tx.require("processes:read")
        row = await self._tx.row(_SQL["get_trigger"], name=name)
        if row is None:
            raise NotFound(f"there is no trigger {name!r}", trigger=name)
        return _read(row)

    async def list(self) -> list[Trigger]:
        """Every trigger, by name."""
        self._tx.require("processes:read")
        return [_read(row) for row in await self._tx.rows(_SQL["list_triggers"])]

    async def enable(self, name: str, *, enabled: bool = True) -> Trigger:
        """Let a trigger work, or stop it. A schedule goes on from now; what it missed is not made up for."""
        self._tx.require("processes:publish")
        known = await self.get(name)
        next_at = Cron.parse(known.cron).next_after(await self._now()) if known.cron else None
        await self._tx.run(_SQL["enable_trigger"], name=name, enabled=enabled, next_at=next_at)
        await record(
            self._tx, "definition", known.id, "trigger.enabled" if enabled else "trigger.disabled", {"name": name}
        )
        return await self.get(name)

    async def change(self, name: str, **changes: Any) -> Trigger:
        """Change what a trigger watches for, or whether it works. Its name, type and automation stay.

        `changes` may hold `entity_type`, `event_key`, `cron`, `config`, `condition` and `enabled`. What it starts from
        now on has the rights of who changed it: nobody says when somebody else acts.
        """
        self._tx.require("processes:publish")
        known = await self.get(name)
        unknown = set(changes) - _CHANGEABLE
        if unknown:
            raise InvalidInput(
                f"a trigger's {min(unknown)} cannot be changed",
                hint=f"change {', '.join(sorted(_CHANGEABLE))}, or make another",
                field=min(unknown),
            )
        wanted = {field: getattr(known, field) for field in _CHANGEABLE} | changes
        config = wanted["config"] or {}
        await self._check(
            known.trigger_type, wanted["entity_type"], wanted["event_key"], wanted["cron"], config, wanted
        )
        cron = wanted["cron"]
        again = changes.keys() & {"cron", "enabled"}
        next_at = Cron.parse(cron).next_after(await self._now()) if cron and again else known.next_at
        await self._tx.run(
            _SQL["change_trigger"],
            name=name,
            next_at=next_at,
            party=dump(self._tx.actor.to_json()),
            **{**wanted, "config": dump(dict(config))},
        )
        about = {"name": name, "changed": sorted(changes)}
        await record(self._tx, "definition", known.id, "trigger.changed", about)
        return await self.get(name)

    async def consequences(self, name: str) -> TriggerConsequences:
        """What would be without a trigger: whether its automation is in force, and what else starts it."""
        known = await self.get(name)
        row = await self._tx.row(_SQL["triggers_beside"], name=name)
        assert row is not None
        return TriggerConsequences(known.workflow_id, row["published"], tuple(row["others"]))

    async def delete(self, name: str) -> None:
        """Forget a trigger. Automations it has started go on."""
        self._tx.require("processes:publish")
        known = await self.get(name)
        await self._tx.run(_SQL["delete_trigger"], name=name)
        await record(self._tx, "definition", known.id, "trigger.deleted", {"name": name})

    async def _check(
        self,
        trigger_type: str,
        entity_type: str | None,
        event_key: str | None,
        cron: str | None,
        config: Mapping[str, Any],
        asks: Mapping[str, Any],
    ) -> None:
        """Refuse what could never start anything."""
        _check_shape(trigger_type, entity_type, event_key, cron, config)
        contract = await self._contracts.current(self._tx, entity_type) if entity_type else None
        if contract is not None:
            _check_states(contract, config)
        if asks["condition"] is not None:
            compile_expression(asks["condition"], _readable(contract.document if contract else None), expect="boolean")

    async def _check_automation(self, workflow_id: str) -> None:
        """A name that nothing has yet is fine: the automation may come after what starts it."""
        row = await self._tx.row(_SQL["find_automation"], name=workflow_id)
        if row is not None and not row["automation"]:
            raise InvalidInput(
                f"{workflow_id!r} is a document type",
                hint="its process begins with each document; triggers start automations",
                field="workflow_id",
            )

    async def _now(self) -> datetime:
        row = await self._tx.row(_SQL["database_time"])
        assert row is not None
        moment: datetime = row["at"]
        return moment


def _check_shape(
    trigger_type: str, entity_type: str | None, event_key: str | None, cron: str | None, config: Mapping[str, Any]
) -> None:
    if trigger_type not in TRIGGER_TYPES:
        raise InvalidInput(
            f"there is no trigger type {trigger_type!r}",
            hint=f"use one of {', '.join(TRIGGER_TYPES)}",
            field="trigger_type",
        )
    watches = trigger_type in ("on_create", "on_lifecycle_transition", "on_mutation")
    for name, value, needed in (
        ("entity_type", entity_type, watches),
        ("event_key", event_key, trigger_type == "on_event"),
        ("cron", cron, trigger_type == "on_timer"),
    ):
        if needed and not value:
            raise InvalidInput(f"{trigger_type} needs {name}", field=name)
        if value and not needed:
            raise InvalidInput(f"{trigger_type} has no {name}", hint="leave it out", field=name)
    if event_key is not None:
        check_text("event_key", event_key, maximum=500)
    if cron is not None:
        Cron.parse(cron)
    unknown = set(config) - _CONFIG
    if unknown:
        raise InvalidInput(
            f"config has the unknown key {min(unknown)!r}",
            hint=f"known are {', '.join(sorted(_CONFIG))}",
            field="config",
        )


def _check_states(contract: Contract, config: Mapping[str, Any]) -> None:
    # What an amendment has replaced is `amended`, whether or not the contract has a state of that name.
    known = {state.name for state in contract.states} | {"amended"}
    for name in ("from", "to"):
        wanted = config.get(name, [])
        for state in wanted if isinstance(wanted, list) else [wanted]:
            if state not in known:
                raise InvalidInput(
                    f"config.{name} names {state!r}, and {contract.entity_type} has no such state",
                    hint=did_you_mean(str(state), known) or f"use {', '.join(sorted(known))}",
                    field="config",
                )


async def read_triggers(tx: TenantTx, types: Sequence[str] = (), *, ids: Sequence[UUID] = ()) -> list[Trigger]:
    """Enabled triggers of some types, or some by id."""
    rows = await tx.rows(_SQL["enabled_triggers"], types=list(types), ids=list(ids))
    return [_read(row) for row in rows]


def matching(triggers: Sequence[Trigger], event_type: str, payload: Mapping[str, Any]) -> Iterator[Trigger]:
    """The triggers that watch for what happened to a document, whatever their conditions say."""
    for trigger in triggers:
        if trigger.trigger_type != event_type or trigger.entity_type != payload.get("entity_type"):
            continue
        if all(_takes(name, wanted, payload) for name, wanted in trigger.config.items()):
            yield trigger


def _takes(name: str, wanted: Any, payload: Mapping[str, Any]) -> bool:
    given = payload.get(name)
    allowed = wanted if isinstance(wanted, list) else [wanted]
    if isinstance(given, list):
        return any(each in allowed for each in given)
    return given in allowed


def holds(
    condition: str | None,
    payload: Mapping[str, Any],
    entity: Mapping[str, Any] | None = None,
    document: Mapping[str, Any] | None = None,
) -> bool:
    """Whether a trigger's condition is true of what happened, to an entity with the schema `document` if to one.

    Raises `ExpressionError` when that cannot be decided.
    """
    if condition is None:
        return True
    roots = {"payload": payload} if entity is None else {"entity": entity, "payload": payload}
    return bool(compile_expression(condition, _readable(document), expect="boolean").evaluate(roots))


def _readable(document: Mapping[str, Any] | None) -> Scope:
    """What a condition may read: what happened, and the document, as its contract has it, if it happened to one."""
    scope = Scope.of(entity=document, payload={}).without("actor", "org", "now", "context", "item")
    return scope if document is not None else scope.without("entity")


def _read(row: Mapping[str, Any]) -> Trigger:
    return Trigger(**{**row, "config": decode(row["config"])})
