"""Templates as a tenant sees them: which there are, what they look like, and a draft made from one.

A template has a contract of its own. Where the tenant has no document type of that name, its contract is registered
with the draft; where it has one, the template's patches are put on the tenant's skeleton, as far as they fit it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from holdfast.envelope import Contract, load_template, template_names
from holdfast.envelope.templates import Template
from holdfast.errors import InvalidInput, NotFound
from holdfast.kernel.names import did_you_mean

__all__ = [
    "TemplateDetail",
    "TemplateInfo",
    "case_data",
    "contract_for",
    "find_template",
    "list_templates",
    "patches_of",
    "template_detail",
]


@dataclass(frozen=True, slots=True)
class TemplateInfo:
    """A template of the library, as a gallery shows it."""

    name: str
    title: str
    description: str
    entity_type: str
    slots: tuple[str, ...]
    """The slots it fills."""
    steps: int
    cases: int


@dataclass(frozen=True, slots=True)
class TemplateDetail:
    """All of a template: its contract, what it puts into the slots, its cases, and the workflow they compile to."""

    info: TemplateInfo
    contract: Mapping[str, Any]
    patches: Mapping[str, Any]
    cases: tuple[Mapping[str, Any], ...]
    compiled: Mapping[str, Any]


@cache
def _library() -> Mapping[str, Template]:
    """Files of this release: read once."""
    return {name: load_template(name) for name in template_names()}


def find_template(name: str) -> Template:
    """A template by its name."""
    found = _library().get(name)
    if found is None:
        hint = did_you_mean(name, _library()) or f"there are {', '.join(_library())}"
        raise NotFound(f"there is no template {name!r}", hint=hint, template=name)
    return found


def list_templates() -> list[TemplateInfo]:
    """Every template, by name."""
    return [_info(each) for each in _library().values()]


def template_detail(name: str) -> TemplateDetail:
    """All of one template."""
    found = find_template(name)
    return TemplateDetail(
        _info(found),
        found.contract.model_dump(exclude_defaults=True),
        patches_of(found),
        tuple(case_data(found, each.name) for each in found.cases),
        found.workflow.content(),
    )


def patches_of(template: Template) -> dict[str, Any]:
    """What a template puts into the slots."""
    return {name: patch.model_dump(exclude_unset=True) for name, patch in template.definition.slots.items()}


def case_data(template: Template, name: str) -> dict[str, Any]:
    """A case of a template, as values."""
    case = next(each for each in template.cases if each.name == name)
    return {
        "name": case.name,
        "document": case.document,
        "world": case.world,
        "script": case.script,
        "payload": case.payload,
        "expect": case.expect,
    }


def contract_for(template: Template, entity_type: str | None) -> Contract:
    """The template's contract, under another name if one is given."""
    if entity_type is None or entity_type == template.contract.entity_type:
        return template.contract
    data = template.contract.model_dump(exclude_defaults=True)
    try:
        return Contract.from_data({**data, "entity_type": entity_type})
    except ValueError as error:
        raise InvalidInput(f"{entity_type!r} is no document type: {error}", field="entity_type") from None


def _info(template: Template) -> TemplateInfo:
    return TemplateInfo(
        template.name,
        template.title,
        template.description,
        template.contract.entity_type,
        tuple(sorted(template.definition.slots)),
        sum(len(patch.nodes) for patch in template.definition.slots.values()),
        len(template.cases),
    )
