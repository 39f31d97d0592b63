"""The template library: every template compiles without a warning, and every one of its cases comes out as it says."""

from __future__ import annotations

import pytest

from holdfast.envelope import analyse, verify
from holdfast.envelope.simulate import Case
from holdfast.envelope.templates import Template, load_template, read_template, template_names
from holdfast.envelope.text import parse_yaml
from holdfast.errors import InvalidInput

TEMPLATES = {name: load_template(name) for name in template_names()}
CASES = [(template, case) for template in TEMPLATES.values() for case in template.cases]


def test_the_library_has_the_five_that_were_promised() -> None:
    assert template_names() == (
        "amendment_loop",
        "fast_track",
        "invoice_approval",
        "purchase_order",
        "return_credit_note",
    )


@pytest.mark.parametrize("name", template_names())
def test_a_template_compiles_without_a_warning_and_verifies(name: str) -> None:
    template = TEMPLATES[name]
    analysis = analyse(template.skeleton, template.definition)
    assert analysis.problems == ()
    assert verify(template.workflow, template.skeleton).ok
    assert template.title
    assert template.description


@pytest.mark.parametrize(("template", "case"), CASES, ids=[f"{each.name}: {case.name}" for each, case in CASES])
def test_a_case_comes_out_as_it_says(template: Template, case: Case) -> None:
    result = template.run(case)
    assert result.passed, "\n".join([*result.differences, result.trace.render()])


@pytest.mark.parametrize("name", template_names())
def test_the_cases_of_a_template_pass_every_step_it_has(name: str) -> None:
    template = TEMPLATES[name]
    passed = {step.node for case in template.cases for step in template.run(case).trace.steps}
    own = {node for node, slot in template.workflow.slot_map.items() if slot != "envelope"}
    assert own <= passed


def test_a_template_that_is_changed_shows_it_in_its_cases() -> None:
    template = TEMPLATES["fast_track"]
    text = template.definition.to_json().decode().replace("entity.amount < 100", "entity.amount < 50")
    contract = template.contract.to_data()
    data = {"title": "t", "description": "d", "contract": contract, "world": {}, "cases": []}
    changed = read_template("mine", {**data, "slots": parse_yaml(text)["slots"]})
    result = template.cases[0].run(changed.workflow, changed.skeleton.scope())
    assert not result.passed
    assert result.differences[0] == "status: expected 'completed', found 'running'"


def test_wrong_templates_and_cases_are_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="no template 'nothing'"):
        load_template("nothing")
    with pytest.raises(InvalidInput, match="surprise"):
        read_template("mine", {"surprise": 1})
    with pytest.raises(InvalidInput, match="this is not a case: scrip"):
        Case.from_data({"name": "x", "scrip": [], "expect": {}})
    case = Case.from_data(
        {"name": "x", "document": dict(TEMPLATES["fast_track"].cases[0].document), "expect": {"luck": 1}}
    )
    with pytest.raises(InvalidInput, match="cannot expect 'luck'"):
        TEMPLATES["fast_track"].run(case)
