"""Definitions as values: drafts and published patches of an organisation, and the workflows compiled from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from holdfast.envelope import Problem, Rebase
from holdfast.kernel.json import parse_json

__all__ = ["ContractInfo", "Definition", "DefinitionKind", "Rebased", "Review", "definition_from_row"]

DefinitionKind = Literal["envelope", "org_patch", "effective"]


@dataclass(frozen=True, slots=True)
class Definition:
    """One row of a document type's definitions. `patches` is given for an `org_patch` that was read by its id."""

    id: UUID
    entity_type: str
    definition_kind: DefinitionKind
    version: int
    name: str
    note: str
    status: Literal["draft", "published", "archived"]
    automation: bool
    base_version: int | None
    """The version of the skeleton it was written for."""
    patches: Mapping[str, Any] | None
    held_back: Mapping[str, Any] | None
    """Patches that a rebase could not carry over, by slot, each with its `patch` and its `conflict`."""
    compiled_hash: str | None
    compiler_version: str | None
    source_definition_id: UUID | None
    """The patches that a workflow was compiled from; None for the skeleton alone."""
    revision: int
    created_at: datetime
    created_by: str
    updated_at: datetime
    published_at: datetime | None
    published_by: str | None
    archived_at: datetime | None
    editors: list[str]
    """Everybody who began or changed the draft."""
    proposed_at: datetime | None
    proposed_by: str | None
    """Who asks for the draft, as it is, to be published."""


@dataclass(frozen=True, slots=True)
class ContractInfo:
    """A contract that the tenant has. For an automation, `contract` holds the schemas of what starts it."""

    id: UUID
    entity_type: str
    version: int
    automation: bool
    contract: Mapping[str, Any]
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True)
class Review:
    """What a compile would say. `compiled_hash` is None when one of the problems is an error."""

    ok: bool
    problems: tuple[Problem, ...]
    compiled_hash: str | None


@dataclass(frozen=True, slots=True)
class Rebased:
    """A new draft on the newer skeleton, and what could not be carried over."""

    draft: Definition
    rebase: Rebase


def definition_from_row(row: Mapping[str, Any]) -> Definition:
    """Read a row whose `patches` are JSON text."""
    values = dict(row)
    base = values.pop("base_ref")
    patches, held_back = values.pop("patches"), values.pop("held_back")
    return Definition(
        **values,
        base_version=base["envelope_version"] if base else None,
        patches=parse_json(patches) if patches is not None else None,
        held_back=parse_json(held_back) if held_back is not None else None,
    )
