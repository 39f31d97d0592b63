"""The template library: definitions to begin with, each with its contract, its patches and its test cases.

The templates are data, YAML files in `library/`. A template is a starting point: load it, change it, keep its cases,
and run them again before you publish.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from typing import Any, Final

from holdfast.envelope.compiled import CompiledWorkflow
from holdfast.envelope.compiler import compile_effective
from holdfast.envelope.contract import Contract
from holdfast.envelope.parts import OrgWorkflowDefinition
from holdfast.envelope.simulate import Case, CaseResult
from holdfast.envelope.skeleton import Skeleton, generate_skeleton
from holdfast.envelope.text import parse_yaml
from holdfast.errors import InvalidInput

__all__ = ["Template", "load_template", "read_template", "template_names"]

_FIELDS: Final = ("title", "description", "contract", "slots", "world", "cases")


@dataclass(frozen=True)
class Template:
    """A contract, what an organisation puts into its slots, and cases that show what comes of it."""

    name: str
    title: str
    description: str
    contract: Contract
    definition: OrgWorkflowDefinition
    cases: tuple[Case, ...]

    @cached_property
    def skeleton(self) -> Skeleton:
        """The skeleton of the contract."""
        return generate_skeleton(self.contract)

    @cached_property
    def workflow(self) -> CompiledWorkflow:
        """The effective workflow."""
        return compile_effective(self.skeleton, self.definition)

    def run(self, case: Case) -> CaseResult:
        """Simulate one of the cases."""
        return case.run(self.workflow, self.skeleton.scope())


def template_names() -> tuple[str, ...]:
    """The names of the templates in the library, sorted."""
    files = resources.files(__name__).joinpath("library").iterdir()
    return tuple(sorted(file.name.removesuffix(".yaml") for file in files if file.name.endswith(".yaml")))


def load_template(name: str) -> Template:
    """A template of the library by its name."""
    if name not in template_names():
        raise InvalidInput(f"there is no template {name!r}", hint=f"The library has {', '.join(template_names())}")
    text = resources.files(__name__).joinpath("library", f"{name}.yaml").read_text("utf-8")
    return read_template(name, parse_yaml(text))


def read_template(name: str, data: Mapping[str, Any]) -> Template:
    """A template from JSON values: `title`, `description`, `contract`, `slots`, `world`, `cases`."""
    wrong = sorted(set(data) ^ set(_FIELDS))
    if wrong:
        raise InvalidInput(f"the template {name} lacks or does not know: {', '.join(wrong)}")
    contract = Contract.from_data(data["contract"])
    base = {"entity_type": contract.entity_type, "envelope_version": contract.version}
    return Template(
        name=name,
        title=data["title"],
        description=data["description"].strip(),
        contract=contract,
        definition=OrgWorkflowDefinition.read({"base_ref": base, "slots": data["slots"]}),
        cases=tuple(Case.from_data(case, data["world"]) for case in data["cases"]),
    )
