"""Rules: small conditions of an organisation that look at every change of a document, before or after it is made.

A `before` rule may `reject` the change with a message, `set` fields from expressions, or only `note` that it matched.
An `after` rule may `emit` an event for processes, or `note`. Rules do nothing else: whatever has effects outside the
document is a step of a process, where everybody can see it (WF-09). What each rule found is kept in
`workflow_executions`, with the expression and the values it read. A `rule` node of a process asks a rule by its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from holdfast.access.publishing import require_second_person
from holdfast.documents.access import Access, no_document
from holdfast.documents.contracts import Contracts
from holdfast.documents.facts import actor_facts, org_facts
from holdfast.documents.model import OPERATIONS, Operation, document_from_row
from holdfast.documents.usage import refuse_while_used
from holdfast.envelope import Contract
from holdfast.envelope.expressions import Compiled, Payload, Scope, Template, compile_expression
from holdfast.errors import AlreadyExists, InvalidInput, NotFound, RuleRejected
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import canonical_json
from holdfast.kernel.names import check_name
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["DEFAULT_OPERATIONS", "Emission", "Execution", "Rule", "RuleRun", "Rules", "load_rules"]

_SQL = queries("documents")

DEFAULT_OPERATIONS: Final[tuple[Operation, ...]] = ("create", "update")
Timing = Literal["before", "after"]
_EFFECTS: Final[Mapping[str, tuple[str, ...]]] = {"before": ("reject", "set", "note"), "after": ("emit", "note")}
_CHANGE_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "operation": {"type": "string"},
        "changed": {"type": "array", "items": {"type": "string"}},
        "transition": {"type": ["string", "null"]},
        "status": {"type": ["string", "null"]},
        "previous": {},
    },
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of one document type."""

    id: UUID
    name: str
    entity_type: str
    timing: Timing
    operations: list[Operation]
    condition: str | None
    effect: str
    config: dict[str, Any]
    priority: int
    enabled: bool
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True)
class Execution:
    """What a rule found at one change."""

    id: UUID
    rule_id: UUID
    rule_name: str
    document_id: UUID
    entity_version: int
    operation: Operation
    matched: bool
    evidence: dict[str, Any]
    actor: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Emission:
    """An event that an `after` rule asks for."""

    event_key: str
    payload: Any


class Rules:
    """The rules of one tenant, `hold.rules`."""

    def __init__(self, tx: TenantTx, contracts: Contracts) -> None:
        self._tx = tx
        self._contracts = contracts

    async def put(
        self,
        name: str,
        entity_type: str,
        *,
        timing: Timing,
        effect: str,
        condition: str | None = None,
        operations: Sequence[Operation] = DEFAULT_OPERATIONS,
        config: Mapping[str, Any] | None = None,
        priority: int = 0,
        enabled: bool = True,
    ) -> Rule:
        """Define a rule, or change the one of that name. It is checked against the contract in force."""
        self._tx.require("processes:publish")
        await require_second_person(self._tx, "defined")
        check_name("name", name)
        contract = await self._contracts.current(self._tx, entity_type)
        settings = dict(config or {})
        _check_shape(timing, effect, operations, priority)
        _check_texts(contract, effect, condition, settings)
        done = await self._tx.run(
            _SQL["put_rule"],
            id=uuid7(),
            name=name,
            entity_type=entity_type,
            timing=timing,
            operations=list(operations),
            condition=condition,
            effect=effect,
            config=canonical_json(settings).decode(),
            priority=priority,
            enabled=enabled,
            actor=str(self._tx.actor),
        )
        if not done:
            raise AlreadyExists(
                f"the rule {name!r} belongs to another document type", hint="choose another name", field="name"
            )
        await self._tx.run(_SQL["offer_steps_of_rule"], name=name)
        return await self.get(name)

    async def get(self, name: str) -> Rule:
        """One rule by name."""
        self._tx.require("processes:read")
        found = await self._tx.rows(_SQL["list_rules"], entity_type=None, name=name)
        if not found:
            raise NotFound(f"there is no rule {name!r}", hint="`holdfast rules list` shows them", rule=name)
        return Rule(**found[0])

    async def delete(self, name: str, *, anyway: bool = False) -> None:
        """Remove a rule; what it found stays.

        While steps in force ask it, `StillUsed` is raised, unless it shall be done `anyway`.
        """
        self._tx.require("processes:publish")
        await require_second_person(self._tx, "removed")
        await self.get(name)
        if not anyway:
            await refuse_while_used(self._tx, "rule", name)
        await self._tx.run(_SQL["delete_rule"], name=name)

    async def matches(
        self, name: str, contract: Contract, entity: Mapping[str, Any], now: datetime
    ) -> tuple[bool, dict[str, Any]]:
        """Whether a rule's condition holds for a document, and why: what a `rule` node asks."""
        rows = await self._tx.rows(_SQL["list_rules"], entity_type=contract.entity_type, name=name)
        if not rows:
            raise NotFound(f"there is no rule {name!r} for {contract.entity_type!r}", rule=name)
        rule = Rule(**rows[0])
        if not rule.enabled:
            return False, {"rule": name, "enabled": False}
        roots = _roots(self._tx, entity, now, {"operation": "update", "changed": [], "previous": None})
        matched, evidence = _holds(rule, contract, roots)
        return matched, {"rule": name, **evidence}

    async def executions(self, document_id: UUID, *, limit: int = 50) -> list[Execution]:
        """What rules found at the latest changes of a document, newest first; what they read there, to those who see it
        all."""
        access = Access(self._tx, self._contracts)
        access.require_reading()
        row = await self._tx.row(_SQL["get_document"], id=document_id)
        if row is None:
            raise no_document(document_id)
        document = document_from_row(row)
        await access.require_sight(document)
        await access.note_read([document.id], "rules", document.entity_version)
        rows = await self._tx.rows(_SQL["list_executions"], document_id=document_id, limit=limit)
        plain = not access.hidden(document.entity_type)
        return [Execution(**(row if plain else row | {"evidence": {}})) for row in rows]

    async def list(self, entity_type: str | None = None) -> list[Rule]:
        """The rules, by type and in the order they are applied."""
        self._tx.require("processes:read")
        return [Rule(**row) for row in await self._tx.rows(_SQL["list_rules"], entity_type=entity_type, name=None)]


class RuleRun:
    """The rules of one change, applied in their order."""

    def __init__(
        self, tx: TenantTx, contract: Contract, rules: Sequence[Rule], operation: Operation, now: datetime | None
    ) -> None:
        self._tx = tx
        self._contract = contract
        self._rules = rules
        self._operation = operation
        self._now = now
        self._found: list[tuple[Rule, bool, dict[str, Any]]] = []

    def __bool__(self) -> bool:
        """Whether there is any rule for the change."""
        return bool(self._rules)

    def before(self, data: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
        """The content as the `before` rules leave it. Raises `RuleRejected`."""
        current = dict(data)
        for rule in self._rules:
            if rule.timing != "before":
                continue
            roots = _roots(self._tx, current, self._now, {**change, "operation": self._operation})
            matched, evidence = _holds(rule, self._contract, roots)
            self._found.append((rule, matched, evidence))
            if matched and rule.effect == "reject":
                message = rule.config.get("message") or f"the rule {rule.name!r} does not allow it"
                raise RuleRejected(message, hint=evidence.get("because"), rule=rule.name, evidence=evidence)
            if matched and rule.effect == "set":
                scope = _scope(self._contract)
                fields = {
                    name: compile_expression(text, scope).evaluate(roots)
                    for name, text in rule.config["fields"].items()
                }
                current.update(fields)
                evidence["set"] = fields
        return current

    def after(self, data: Mapping[str, Any], change: Mapping[str, Any]) -> list[Emission]:
        """What the `after` rules want to be told."""
        wanted: list[Emission] = []
        for rule in self._rules:
            if rule.timing != "after":
                continue
            roots = _roots(self._tx, data, self._now, {**change, "operation": self._operation})
            matched, evidence = _holds(rule, self._contract, roots)
            self._found.append((rule, matched, evidence))
            if matched and rule.effect == "emit":
                scope = _scope(self._contract)
                key = Template.parse(rule.config["event_key"]).compile(scope).render(roots)
                payload = Payload.parse(rule.config.get("payload", {})).compile(scope).render(roots)
                evidence["emitted"] = key
                wanted.append(Emission(key, payload))
        return wanted

    async def keep(self, document_id: UUID, entity_version: int) -> None:
        """Write down what the rules found."""
        for rule, matched, evidence in self._found:
            await self._tx.run(
                _SQL["record_execution"],
                id=uuid7(),
                rule_id=rule.id,
                rule_name=rule.name,
                document_id=document_id,
                entity_version=entity_version,
                operation=self._operation,
                matched=matched,
                evidence=canonical_json(evidence).decode(),
                actor=str(self._tx.actor),
            )


async def load_rules(tx: TenantTx, entity_type: str, *operations: Operation) -> list[Rule]:
    """The enabled rules for any of some operations on documents of a type."""
    rows = await tx.rows(_SQL["active_rules"], entity_type=entity_type, operations=list(operations))
    return [Rule(**row) for row in rows]


def _roots(tx: TenantTx, entity: Mapping[str, Any], now: datetime | None, change: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "entity": entity,
        "actor": actor_facts(tx.actor),
        "org": org_facts(tx.tenant),
        "now": now,
        "context": {},
        "payload": {"transition": None, "status": None, "previous": None, "changed": [], **change},
    }


def _scope(contract: Contract) -> Scope:
    return Scope.of(entity=contract.document, payload=_CHANGE_SCHEMA).without("item", "context")


def _holds(rule: Rule, contract: Contract, roots: Mapping[str, Any]) -> tuple[bool, dict[str, Any]]:
    if rule.condition is None:
        return True, {}
    traced = _condition(rule.condition, contract).trace(roots)
    return traced.result is True, traced.to_json()


def _condition(text: str, contract: Contract) -> Compiled:
    return compile_expression(text, _scope(contract), expect="boolean")


def _check_shape(timing: str, effect: str, operations: Sequence[str], priority: int) -> None:
    if timing not in _EFFECTS:
        raise InvalidInput(f"timing is {timing!r}", hint="use before or after", field="timing")
    if effect not in _EFFECTS[timing]:
        known = ", ".join(_EFFECTS[timing])
        raise InvalidInput(f"effect is {effect!r}", hint=f"a rule {timing} a change can {known}", field="effect")
    if isinstance(operations, str) or not operations or not set(operations) <= set(OPERATIONS):
        raise InvalidInput(
            f"operations is {operations!r}", hint=f"give some of {', '.join(OPERATIONS)}", field="operations"
        )
    if not -1000 <= priority <= 1000:
        raise InvalidInput(f"priority is {priority}", hint="give a number from -1000 to 1000", field="priority")


def _check_texts(contract: Contract, effect: str, condition: str | None, config: Mapping[str, Any]) -> None:
    """Everything a rule will evaluate compiles against the contract, or the rule is refused."""
    scope = _scope(contract)
    known = {"reject": {"message"}, "set": {"fields"}, "emit": {"event_key", "payload"}, "note": set()}[effect]
    unknown = set(config) - known
    if unknown:
        hint = f"a rule that can {effect} knows {', '.join(sorted(known)) or 'no configuration'}"
        raise InvalidInput(f"config has the unknown field {min(unknown)!r}", hint=hint, field="config")
    if condition is not None:
        compile_expression(condition, scope, expect="boolean")
    if effect == "reject" and not isinstance(config.get("message", ""), str):
        raise InvalidInput("config.message is no text", hint="say why the change is refused", field="config")
    if effect == "set":
        fields = config.get("fields")
        if not isinstance(fields, Mapping) or not fields:
            raise InvalidInput("config.fields is missing", hint="give field: expression", field="config")
        for text in fields.values():
            compile_expression(text, scope)
    if effect == "emit":
        if not isinstance(config.get("event_key"), str):
            raise InvalidInput("config.event_key is missing", hint="give the key of the event", field="config")
        Template.parse(config["event_key"]).compile(scope)
        Payload.parse(config.get("payload", {})).compile(scope)
