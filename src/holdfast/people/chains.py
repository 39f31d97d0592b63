"""Approval chains: approvals in several stages, defined once and named by any number of steps.

A chain may be changed at any time; requests that are under way keep the stages they began with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from holdfast.access.publishing import require_second_person
from holdfast.audit import record
from holdfast.documents.usage import refuse_while_used
from holdfast.envelope.durations import format_duration, parse_duration
from holdfast.envelope.expressions import Scope, compile_expression
from holdfast.envelope.parts.fields import Duration
from holdfast.envelope.parts.people import ByManager, ByRule, People
from holdfast.errors import ExpressionError, InvalidInput, NotFound
from holdfast.kernel.given import Given
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import dump
from holdfast.kernel.names import check_name
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx

__all__ = ["Chain", "ChainInfo", "ChainStage", "Chains"]

_SQL = queries("people")


class ChainStage(Given):
    """One stage: who is asked, how many must agree, for which documents, and who is asked too when it takes long."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(min_length=1, max_length=256)
    approvers: list[People] = Field(min_length=1, max_length=50)
    required: Literal["any", "all"] | Annotated[int, Field(ge=1, le=50)] = "any"
    condition: str | None = Field(None, min_length=1, max_length=500)
    due_after: Duration | None = None
    escalate_after: Duration | None = None
    escalate_to: list[People] | None = None

    @model_validator(mode="after")
    def _escalation_is_whole(self) -> ChainStage:
        if (self.escalate_after is None) != (self.escalate_to is None):
            raise ValueError("escalate_after and escalate_to belong together")
        return self


_STAGES = TypeAdapter(list[ChainStage])
_READABLE = Scope.of().without("context", "item", "payload")
"""A chain is the same wherever it is named: it knows the document, not the variables of one process."""


@dataclass(frozen=True, slots=True)
class ChainInfo:
    """A chain by name."""

    id: UUID
    name: str
    description: str
    created_at: datetime
    archived_at: datetime | None


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain with its stages."""

    info: ChainInfo
    stages: list[ChainStage]


class Chains:
    """The approval chains of one tenant, `hold.chains`."""

    def __init__(self, tx: TenantTx) -> None:
        self._tx = tx

    async def define(
        self, name: str, stages: Sequence[ChainStage | Mapping[str, Any]], *, description: str = ""
    ) -> Chain:
        """Define a chain, or change what it is from now on."""
        self._tx.require("processes:publish")
        await require_second_person(self._tx, "defined")
        check_name("name", name)
        checked = _checked(stages)
        made = uuid7()
        await self._tx.run(
            _SQL["create_chain"], id=made, name=name, description=description[:1000], actor=str(self._tx.actor)
        )
        chain = await self._find(name)
        await self._tx.run(
            _SQL["update_chain"], id=chain["id"], description=description[:1000] or chain["description"], archived=False
        )
        await self._tx.run(_SQL["drop_stages"], chain_id=chain["id"])
        rows = [_row(position, stage) for position, stage in enumerate(checked, 1)]
        await self._tx.run(_SQL["add_stages"], chain_id=chain["id"], stages=dump(rows))
        about = {"chain": name, "stages": [stage.name for stage in checked]}
        await record(self._tx, "access", self._tx.tenant.id, "chain.defined", about)
        return await self.get(name)

    async def get(self, name: str) -> Chain:
        """A chain with its stages."""
        self._tx.require("processes:read")
        info = ChainInfo(**await self._find(name))
        rows = await self._tx.rows(_SQL["chain_stages"], names=[name])
        return Chain(info, [_stage(row) for row in rows])

    async def list(self) -> list[ChainInfo]:
        """Every chain that is in use, by name."""
        self._tx.require("processes:read")
        return [ChainInfo(**row) for row in await self._tx.rows(_SQL["list_chains"])]

    async def archive(self, name: str, *, anyway: bool = False) -> None:
        """Take a chain out of use; steps that name it fail until it is defined again.

        While steps in force name it, `StillUsed` is raised, unless it shall be done `anyway`.
        """
        self._tx.require("processes:publish")
        await require_second_person(self._tx, "archived")
        chain = await self._find(name)
        if not anyway:
            await refuse_while_used(self._tx, "chain", name)
        await self._tx.run(_SQL["update_chain"], id=chain["id"], description=chain["description"], archived=True)
        await record(self._tx, "access", self._tx.tenant.id, "chain.archived", {"chain": name})

    async def _find(self, name: str) -> Row:
        row = await self._tx.row(_SQL["find_chain"], name=name)
        if row is None:
            raise NotFound(f"there is no approval chain {name!r}", hint="define it first", chain=name)
        return row


def _checked(stages: Sequence[ChainStage | Mapping[str, Any]]) -> Sequence[ChainStage]:
    try:
        found = _STAGES.validate_python(list(stages))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(f"stages.{place}: {first['msg']}", field="stages") from None
    if not 1 <= len(found) <= 50:
        raise InvalidInput(f"the chain has {len(found)} stages", hint="give it 1 to 50", field="stages")
    for stage in found:
        people = (*stage.approvers, *(stage.escalate_to or ()))
        texts = [each.of for each in people if isinstance(each, ByManager)]
        texts += [each.expression for each in people if isinstance(each, ByRule)]
        try:
            for text in texts:
                compile_expression(text, _READABLE)
            if stage.condition is not None:
                compile_expression(stage.condition, _READABLE, expect="boolean")
        except ExpressionError as problem:
            raise InvalidInput(f"stage {stage.name!r}: {problem.message}", hint=problem.hint, field="stages") from None
    return found


def _row(position: int, stage: ChainStage) -> dict[str, Any]:
    def seconds(text: str | None) -> str | None:
        return None if text is None else f"{parse_duration(text).total_seconds():f} seconds"

    return {
        "position": position,
        "name": stage.name,
        "approvers": [each.model_dump() for each in stage.approvers],
        "required": str(stage.required),
        "condition": stage.condition,
        "due_after": seconds(stage.due_after),
        "escalate_after": seconds(stage.escalate_after),
        "escalate_to": None if stage.escalate_to is None else [each.model_dump() for each in stage.escalate_to],
    }


def _stage(row: Row) -> ChainStage:
    def duration(value: Any) -> str | None:
        return None if value is None else format_duration(value)

    required = row["required"]
    return ChainStage(
        name=row["name"],
        approvers=row["approvers"],
        required=int(required) if required.isdigit() else required,
        condition=row["condition"],
        due_after=duration(row["due_after"]),
        escalate_after=duration(row["escalate_after"]),
        escalate_to=row["escalate_to"],
    )
