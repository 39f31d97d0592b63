"""What-if: past documents through a draft definition, and why some of them would have gone another way."""

from __future__ import annotations

import contextlib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from envelope.bills import BILL, CHAINS, SCRIPT, SLOT, exact, slots_of
from envelope.bills import PEOPLE as STAFF
from holdfast.envelope import CompiledWorkflow, OrgWorkflowDefinition, compile_effective, generate_skeleton
from holdfast.envelope.simulate import Act, Choose, Decide, Person, Simulation, World
from holdfast.envelope.templates import load_template
from holdfast.envelope.tokens import StepRecord
from holdfast.envelope.whatif import PastDocument, what_if
from holdfast.errors import InvalidInput
from holdfast.kernel.json import canonical_json, parse_json

TEMPLATE = load_template("invoice_approval")
ORG = {"trusted_vendors": ["acme"]}
PEOPLE = {"finn": Person("finn", ("finance_manager",)), "bruno": Person("bruno")}


def past(name: str, total: str, *acts: Act) -> PastDocument:
    """An invoice of the past, with the history its process left behind."""
    document = {"number": name, "vendor_id": "acme", "grand_total": total, "budget_owner": "bruno"}
    chains = {"accounts_payable": [{"name": "any", "approvers": [{"kind": "user", "user": "finn"}]}]}
    world = World(people=PEOPLE, org=ORG, chains=chains)
    simulation = Simulation(TEMPLATE.workflow, document, world=world, scope=TEMPLATE.skeleton.scope())
    for act in acts:
        simulation.play(act)
    history = simulation.trace().histories["simulation-1"]
    stored = [StepRecord.from_json(parse_json(canonical_json(each.to_json()))) for each in history]
    return PastDocument(name, document, stored, org=ORG)


def draft(*changes: tuple[str, str]) -> CompiledWorkflow:
    """The template with some of its text replaced."""
    text = TEMPLATE.definition.to_json().decode()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return compile_effective(TEMPLATE.skeleton, OrgWorkflowDefinition.from_json(text))


SUBMIT = Choose("submit", by="carla")
SMALL = past("I-small", "400.00", SUBMIT)
MIDDLE = past("I-middle", "7000.00", SUBMIT, Decide("approved", by="finn"))
LARGE = past(
    "I-large",
    "20000.00",
    SUBMIT,
    Decide("approved", by="finn", at="finance"),
    Decide("rejected", by="bruno", at="budget", reason="no"),
)
OPEN = past("I-open", "20000.00", SUBMIT, Decide("approved", by="finn", at="finance"))
ALL = (SMALL, MIDDLE, LARGE, OPEN)


def test_the_same_definition_sends_every_document_the_same_way() -> None:
    report = what_if(TEMPLATE.workflow, draft(), ALL, scope=TEMPLATE.skeleton.scope())
    assert report.changed == ()
    assert report.render() == "0 of 4 documents would have gone another way."
    assert [replay.after.status for replay in report.replays] == ["completed", "completed", "running", "running"]
    assert report.replays[2].after.doc_status == "draft", "the rejection of the past is repeated"
    assert report.replays[3].after.resting_at == ("usr:slot:submitted_to_approved:budget",)


def test_a_lower_threshold_names_the_documents_it_would_have_caught_and_why() -> None:
    after = draft(("entity.grand_total > 10000", "entity.grand_total > 5000"))
    report = what_if(TEMPLATE.workflow, after, ALL, scope=TEMPLATE.skeleton.scope())
    assert [replay.name for replay in report.changed] == ["I-middle"]
    [replay] = report.changed
    assert replay.parting is not None
    assert replay.parting.node == "usr:slot:submitted_to_approved:size"
    assert [target.rsplit(":", 1)[-1] for target in replay.parting.before] == ["chain"]
    assert [target.rsplit(":", 1)[-1] for target in replay.parting.after] == ["both"]
    assert "entity.grand_total > 10000 is false because 7000.00 <= 10000" in replay.parting.before_because[0]
    assert replay.parting.after_because == ("entity.grand_total > 5000 is true because 7000.00 > 5000",)
    assert [node.rsplit(":", 1)[-1] for node in replay.added] == ["agreed", "both", "budget", "finance"]
    assert [node.rsplit(":", 1)[-1] for node in replay.dropped] == ["chain"]


def test_what_would_happen_at_new_steps_can_be_assumed() -> None:
    after = draft(("entity.grand_total > 10000", "entity.grand_total > 5000"))
    scope = TEMPLATE.skeleton.scope()
    approved = what_if(TEMPLATE.workflow, after, [MIDDLE], scope=scope)
    assert approved.replays[0].after.doc_status == "active"
    budget = "usr:slot:submitted_to_approved:budget"
    refused = what_if(TEMPLATE.workflow, after, [MIDDLE], scope=scope, assume={budget: "rejected"})
    assert refused.replays[0].before.doc_status == "active"
    assert refused.replays[0].after.doc_status == "draft"
    assert refused.replays[0].after.resting_at == ("sys:state:draft",), "nobody submitted it a second time"
    assert "completed as active before, waiting at sys:state:draft now" in refused.render()


def test_a_narrower_fast_lane_is_seen_in_the_text_of_the_report() -> None:
    after = draft(("entity.grand_total <= 500", "entity.grand_total <= 300"))
    report = what_if(TEMPLATE.workflow, after, ALL, scope=TEMPLATE.skeleton.scope())
    text = report.render()
    assert text.startswith("1 of 4 documents would have gone another way.\nI-small: completed as active before,")
    assert "size before → usr:slot:submitted_to_approved:auto_approve:" in text
    assert "400.00 <= 500" in text
    assert "400.00 > 300" in text


def test_documents_without_a_history_are_replayed_through_both_definitions() -> None:
    after = draft(("entity.grand_total > 10000", "entity.grand_total > 5000"))
    documents = [
        PastDocument(
            total,
            {"number": "n", "vendor_id": "acme", "grand_total": total, "budget_owner": "bruno"},
            org=ORG,
        )
        for total in ("100.00", "7000.00", "12000.00")
    ]
    report = what_if(TEMPLATE.workflow, after, documents, scope=TEMPLATE.skeleton.scope())
    assert [replay.name for replay in report.changed] == ["7000.00"]


@given(before=SLOT, asking=SLOT, leaving=SLOT, script=SCRIPT, on=st.sampled_from(sorted(STAFF)))
def test_no_history_whatsoever_goes_another_way_in_its_own_workflow(
    before: Any, asking: Any, leaving: Any, script: Any, on: str
) -> None:
    skeleton = generate_skeleton(BILL)
    workflow = compile_effective(
        skeleton, slots_of({"slot:before": before, "slot:asking": asking, "slot:leaving": leaving})
    )
    world = World(people=STAFF, chains=CHAINS, requester=on)
    played = Simulation(workflow, {"number": "B", "amount": 10}, world=world, scope=skeleton.scope())
    versions = {(played.position.instance, 1): dict(played.document)}
    for drawn, which in [(Choose("submit", by=on), 0), *script]:
        act = exact(played, drawn, which)
        if act is not None:
            with contextlib.suppress(InvalidInput):
                played.play(act)
            versions[played.position.instance, played.entity_version] = dict(played.document)
    people = {name: person.as_actor() for name, person in STAFF.items()}
    past = [
        PastDocument(
            name, played.document, history, people=people,
            versions={version: content for (each, version), content in versions.items() if each == name},
        )
        for name, history in played.trace().histories.items()
    ]  # fmt: skip
    report = what_if(workflow, workflow, past, scope=skeleton.scope())
    assert report.changed == (), report.render()
