"""A process and its document: gates, decisions, edit windows, drift, and who may do what."""

from __future__ import annotations

from typing import Any

from envelope.flows import Process, definition, main_slot
from holdfast.envelope import Contract, Skeleton, compile_effective, generate_skeleton
from holdfast.envelope.tokens import (
    Edited,
    EventArrived,
    Interrupted,
    Machine,
    Retried,
    Settled,
    Started,
    edit_window,
    options,
)

DOCUMENT: dict[str, Any] = {
    "type": "object",
    "required": ["total"],
    "properties": {"total": {"type": "string", "format": "decimal"}},
}
INVOICE = generate_skeleton(Contract(entity_type="invoice", document=DOCUMENT))
APPROVED_BY_BO = """
slot:submitted_to_approved:
  exit_edge_mode: join
  nodes:
    - {id: bo, type: approval, config: {approvers: [{kind: user, user: bo}]}}
    - {id: post, type: action, config: {action: invoice.check}}
  edges:
    - {source: in, target: bo}
    - {source: bo, target: post, outcome: approved}
    - {source: bo, target: out, outcome: rejected}
    - {source: post, target: out}
"""


def process(slots: str = "{}", skeleton: Skeleton = INVOICE, **start: Any) -> Process:
    workflow = compile_effective(skeleton, definition(skeleton, slots))
    return Process(Machine(workflow, skeleton.scope()), {"total": "100.00"}, **start)


def test_lifecycle_states_set_the_document_status() -> None:
    invoice = process(APPROVED_BY_BO)
    assert invoice.position.doc_status == "draft"
    invoice.happen(Settled("main", "submit"))
    assert invoice.position.doc_status == "submitted"
    invoice.happen(Settled("main", "approved"))
    invoice.happen(Settled("main", "completed"))
    assert (invoice.position.doc_status, invoice.position.status) == ("active", "completed")


def test_a_decision_is_used_up_by_the_gate_it_passes() -> None:
    invoice = process(APPROVED_BY_BO)
    invoice.happen(Settled("main", "submit"))
    invoice.happen(Settled("main", "approved", reason="fine"))
    decision = invoice.position.decisions[0]
    assert (decision.decision, decision.entity_version, decision.by) == ("approved", 1, "ana")
    invoice.happen(Settled("main", "completed"))
    assert invoice.position.decisions == ()
    gate = invoice.ended("approve")[0]
    assert gate.output["applied"] == [decision.step]


def test_a_rejection_leads_back_and_its_decision_does_not_count_in_the_next_round() -> None:
    invoice = process(APPROVED_BY_BO)
    invoice.happen(Settled("main", "submit"))
    invoice.happen(Settled("main", "rejected", reason="too high"))
    assert invoice.at() == {"main~1": "draft"}
    assert invoice.position.doc_status == "draft"
    assert invoice.ended("approve")[0].output["reason"] == "too high"
    invoice.happen(Settled("main~1", "submit"))
    invoice.happen(Settled("main~1", "approved"))
    invoice.happen(Settled("main~1", "completed"))
    assert invoice.position.doc_status == "active"


def test_without_any_decision_on_the_way_a_person_decides_at_the_gate() -> None:
    invoice = process()
    invoice.happen(Settled("main", "submit"))
    assert invoice.at() == {"main": "approve"}
    assert [effect.kind for effect in invoice.last.effects] == ["approval"]
    invoice.happen(Settled("main", "rejected", reason="no"))
    assert invoice.at() == {"main~1": "draft"}


def test_the_organisation_may_let_a_document_pass_by_an_explicit_step() -> None:
    invoice = process(
        """
        slot:submitted_to_approved:
          nodes: [{id: auto, type: action, config: {action: process.approve}, run_as: system}]
          edges: [{source: in, target: auto}, {source: auto, target: out}]
        """
    )
    invoice.happen(Settled("main", "submit"))
    assert invoice.position.status == "completed"
    assert invoice.ended("auto")[0].run_as == "system"
    assert invoice.ended("approve")[0].output["applied"] == [invoice.ended("auto")[0].key]


ROLES = generate_skeleton(
    Contract(
        entity_type="invoice",
        document=DOCUMENT,
        states=[
            {"name": "draft", "edit_window": "editable"},
            {"name": "sent", "edit_window": "amend_only"},
            {"name": "paid", "edit_window": "locked"},
            {"name": "void", "edit_window": "locked"},
        ],
        transitions=[
            {"name": "send", "from": "draft", "to": "sent", "roles": ["clerk"]},
            {"name": "pay", "from": "sent", "to": "paid", "trigger": "automatic", "roles": ["cashier"]},
            {"name": "revoke", "from": "sent", "to": "draft", "kind": "return", "roles": ["boss"]},
            {"name": "annul", "from": ["draft", "sent"], "to": "void", "kind": "cancel", "roles": ["boss"]},
        ],
    )
)


def person(*roles: str) -> dict[str, Any]:
    return {"user_id": "pat", "roles": list(roles)}


def test_only_people_with_the_role_move_a_document() -> None:
    invoice = process(skeleton=ROLES)
    refused = invoice.happen(Settled("main", "send"), actor=person("cashier"))
    assert refused.result == "refused"
    assert refused.refusal is not None
    assert refused.refusal.message == "pat has none of the roles that may send: clerk"
    assert refused.steps == ()
    invoice.happen(Settled("main", "send"), actor=person("clerk"))
    assert invoice.happen(Settled("main", "completed"), actor=person("clerk")).result == "refused"
    assert invoice.happen(Settled("main", "rejected"), actor=person("cashier")).result == "refused"
    gate = [(each.outcome, each.roles) for each in options(invoice.machine.workflow, invoice.position)]
    assert gate == [("completed", ("cashier",)), ("rejected", ("boss",)), ("annul", ("boss",))]
    invoice.happen(Settled("main", "completed"), actor=person("cashier"))
    assert invoice.position.doc_status == "paid"


def test_a_gate_that_finds_nobody_to_ask_fails_whoever_brought_the_document_there() -> None:
    """That nobody can be asked is nobody's decision: it takes no role to come to it."""
    invoice = process(skeleton=ROLES)
    invoice.happen(Settled("main", "send"), actor=person("clerk"))
    nobody = {"code": "NOBODY_TO_ASK", "message": "nobody holds the role 'cashier'"}
    invoice.happen(Settled("main", "error", error=nobody), actor=person("clerk"))
    assert (invoice.status(), invoice.position.tokens["main"].state) == ("paused", "failed")


def test_an_interruption_ends_every_token_and_needs_its_role_and_state() -> None:
    invoice = process(skeleton=ROLES)
    assert invoice.happen(Interrupted("annul"), actor=person("clerk")).result == "refused"
    assert invoice.happen(Interrupted("explode"), actor=person("boss")).result == "refused"
    invoice.happen(Interrupted("annul", "duplicate"), actor=person("boss"))
    assert (invoice.position.doc_status, invoice.position.status) == ("void", "completed")
    assert [record.token for record in invoice.history if record.status == "cancelled"] == ["main"]
    assert invoice.ended("annul")[0].token == "main~1"
    assert invoice.ended("annul")[0].input["reason"] == "duplicate"


def test_windows_follow_the_process() -> None:
    invoice = process(APPROVED_BY_BO)
    workflow = invoice.machine.workflow
    assert edit_window(workflow, invoice.position) == "editable"
    invoice.happen(Settled("main", "submit"))
    assert edit_window(workflow, invoice.position) == "amend_only"
    invoice.happen(Settled("main", "approved"))
    invoice.happen(Settled("main", "completed"))
    assert edit_window(workflow, invoice.position) == "locked"
    refused = invoice.happen(Edited(["total"]), entity_version=2)
    assert refused.refusal is not None
    assert refused.refusal.code == "edit_locked"


def test_an_edit_in_an_editable_window_changes_nothing_but_the_version_seen_next() -> None:
    invoice = process(APPROVED_BY_BO)
    assert invoice.happen(Edited(["total"]), entity_version=2).steps == ()
    invoice.happen(Settled("main", "submit"))
    assert invoice.position.entity_version == 2
    # The step at the draft was opened on version 1 and keeps it; the next ones are about version 2.
    assert [record.entity_version for record in invoice.history[-3:]] == [2, 2, 2]


def test_an_edit_while_people_decide_ends_the_instance_and_voids_what_was_decided() -> None:
    invoice = process(APPROVED_BY_BO)
    invoice.happen(Settled("main", "submit"))
    invoice.happen(Settled("main", "approved"))
    voided = invoice.position.decisions[0].step
    done = invoice.happen(Edited(["total"]), entity_version=2)
    assert done.result == "amended"
    assert done.amendment is not None
    assert (done.amendment.changed, done.amendment.voided) == (("total",), (voided,))
    assert (invoice.position.status, invoice.position.reason) == ("cancelled", "amended")
    assert invoice.history[-1].output["changed"] == ["total"]
    assert invoice.history[-1].entity_version == 1


def test_drift_that_nobody_announced_is_found_by_the_next_advance() -> None:
    invoice = process(APPROVED_BY_BO)
    invoice.happen(Settled("main", "submit"))
    done = invoice.happen(Settled("main", "approved"), entity_version=2)
    assert done.result == "amended"
    assert not [record for record in done.steps if record.outcome == "approved"]


def test_what_the_process_itself_writes_is_no_drift_and_keeps_decisions() -> None:
    invoice = process(APPROVED_BY_BO)
    invoice.happen(Settled("main", "submit"))
    invoice.happen(Settled("main", "approved"))
    done = invoice.happen(Settled("main", "completed", entity_version=2), entity_version=2)
    assert done.result == "advanced"
    assert (invoice.position.status, invoice.position.entity_version) == ("completed", 2)
    assert invoice.ended("approve")[0].outcome == "approved"


def test_an_amended_document_begins_in_its_own_state() -> None:
    assert process(how="amended").at() == {"main": "amended"}


def test_an_approval_in_an_editable_window_is_asked_again_about_the_new_version() -> None:
    contract = Contract(
        entity_type="invoice",
        document=DOCUMENT,
        slots=[{"name": "review", "after": "state:draft", "before": "gate:submit"}],
        states=[{"name": "draft", "edit_window": "editable"}, {"name": "sent", "edit_window": "locked"}],
        transitions=[{"name": "submit", "from": "draft", "to": "sent"}],
    )
    invoice = process(
        """
        slot:review:
          nodes:
            - {id: peer, type: approval, config: {approvers: [{kind: user, user: bo}]}}
            - {id: later, type: wait_event, config: {event_key: go}}
          edges:
            - {source: in, target: peer}
            - {source: peer, target: later, outcome: approved}
            - {source: peer, target: peer, outcome: rejected, returns: true}
            - {source: later, target: out}
        """,
        skeleton=generate_skeleton(contract),
    )
    invoice.happen(Settled("main", "submit"))
    first = invoice.position.tokens["main"].step
    assert first is not None
    done = invoice.happen(Edited(["total"]), entity_version=2)
    again = invoice.position.tokens["main"].step
    assert again is not None
    assert (first.entity_version, again.entity_version) == (1, 2)
    assert first.key != again.key
    assert [effect.kind for effect in done.effects] == ["approval"]
    assert invoice.happen(Settled("main", "approved", key=first.key)).result == "ignored"

    invoice.happen(Settled("main", "approved", key=again.key))
    assert [each.entity_version for each in invoice.position.decisions] == [2]
    invoice.happen(Edited(["total"]), entity_version=3)
    invoice.happen(EventArrived("go"))
    assert not invoice.position.decisions, "a decision on version 2 does not stand for version 3"


def test_a_decision_made_on_the_old_version_asks_again_instead_of_counting() -> None:
    contract = Contract(
        entity_type="invoice",
        document=DOCUMENT,
        states=[{"name": "draft", "edit_window": "editable"}, {"name": "sent", "edit_window": "locked"}],
        transitions=[{"name": "submit", "from": "draft", "to": "sent"}],
    )
    invoice = process(
        """
        slot:draft_to_submit:
          exit_edge_mode: join
          nodes: [{id: peer, type: approval, config: {approvers: [{kind: user, user: bo}]}}]
          edges:
            - {source: in, target: peer}
            - {source: peer, target: out, outcome: approved}
            - {source: peer, target: out, outcome: rejected}
        """,
        skeleton=generate_skeleton(contract),
    )
    invoice.happen(Settled("main", "submit"))
    done = invoice.happen(Settled("main", "approved"), entity_version=2)
    assert done.refusal is not None
    assert (done.result, done.refusal.code) == ("advanced", "not_open")
    assert invoice.at() == {"main": "peer"}
    assert invoice.position.tokens["main"].step is not None
    assert invoice.position.tokens["main"].step.entity_version == 2
    invoice.happen(Settled("main", "approved"))
    assert invoice.position.doc_status == "sent"


def test_an_edit_nobody_announced_asks_again_even_if_what_happened_comes_to_nothing() -> None:
    contract = Contract(
        entity_type="invoice",
        document=DOCUMENT,
        states=[{"name": "draft", "edit_window": "editable"}, {"name": "sent", "edit_window": "locked"}],
        transitions=[{"name": "submit", "from": "draft", "to": "sent"}],
    )
    invoice = process(
        """
        slot:draft_to_submit:
          exit_edge_mode: join
          nodes: [{id: peer, type: approval, config: {approvers: [{kind: user, user: bo}]}}]
          edges:
            - {source: in, target: peer}
            - {source: peer, target: out, outcome: approved}
            - {source: peer, target: out, outcome: rejected}
        """,
        skeleton=generate_skeleton(contract),
    )
    invoice.happen(Settled("main", "submit"))
    done = invoice.happen(EventArrived("nobody waits for this"), entity_version=2)
    assert [record.status for record in done.steps] == ["cancelled", "pending"]
    assert done.refusal is not None
    assert done.refusal.code == "not_awaited"


def test_an_edit_that_is_told_twice_asks_once_and_amends_once() -> None:
    invoice = process(APPROVED_BY_BO)
    invoice.happen(Settled("main", "submit"))
    invoice.happen(Edited(["total"]), entity_version=2)
    again = invoice.happen(Edited(["total"]))
    assert (again.result, again.amendment, again.steps) == ("ignored", None, ())

    draft = process(APPROVED_BY_BO)
    known = draft.happen(Edited(["total"]), entity_version=1)
    assert known.refusal is not None
    assert (known.result, known.refusal.code) == ("ignored", "edit_known")


def test_what_a_step_wrote_is_no_drift_even_if_the_step_then_fails() -> None:
    invoice = process(
        APPROVED_BY_BO.replace("{source: post, target: out}", "{source: post, target: out, outcome: completed}")
    )
    invoice.happen(Settled("main", "submit"))
    invoice.happen(Settled("main", "approved"))
    invoice.happen(Settled("main", "error", entity_version=2), entity_version=2)
    assert (invoice.position.status, invoice.position.entity_version) == ("paused", 2)
    assert invoice.happen(Retried("main")).result == "advanced"
    assert invoice.at() == {"main~1": "post"}


def test_facts_older_than_what_the_process_has_seen_are_refused() -> None:
    invoice = process(APPROVED_BY_BO)
    invoice.happen(Edited(["total"]), entity_version=2)
    invoice.happen(Settled("main", "submit"))
    refused = invoice.happen(Settled("main", "approved"), entity_version=1)
    assert refused.refusal is not None
    assert (refused.result, refused.refusal.code, refused.steps) == ("refused", "stale_version", ())


def test_a_started_instance_is_started_once() -> None:
    invoice = process()
    assert invoice.happen(Started()).result == "ignored"


BESIDE = """
nodes:
  - {id: split, type: parallel_split}
  - {id: ask, type: approval, config: {approvers: [{kind: role, role: boss}]}}
  - {id: tag, type: action, config: {action: tag}}
  - {id: join, type: parallel_join}
edges:
  - {source: split, target: ask}
  - {source: split, target: tag}
  - {source: ask, target: join, outcome: approved}
  - {source: ask, target: join, outcome: rejected}
  - {source: tag, target: join}
"""


def test_who_is_still_deciding_is_asked_again_when_another_step_writes_the_document() -> None:
    process = Process(main_slot(BESIDE))
    first = next(token for token, node in process.at().items() if node == "ask")
    second = next(token for token, node in process.at().items() if node == "tag")
    asked = process.position.tokens[first].step
    assert asked is not None
    done = process.happen(Settled(second, "completed", entity_version=2), entity_version=2)
    assert [effect.kind for effect in done.effects] == ["approval"]
    late = process.happen(Settled(first, "approved", key=asked.key))
    assert late.result == "ignored"
    process.happen(Settled(first, "approved"))
    assert process.status() == "completed"
    assert [record.entity_version for record in process.ended("ask")] == [1, 2]


EACH = """
nodes:
  - id: each
    type: for_each
    config:
      items: payload.lines
      save_as: charged
      body:
        nodes: [{id: charge, type: script, config: {assign: {amount: item.amount}}}]
  - {id: after, type: script, config: {assign: {first: "context.charged[0].context.amount"}}}
edges:
  - {source: each, target: after}
"""


def test_what_came_of_each_item_is_saved_under_a_name() -> None:
    process = Process(main_slot(EACH), payload={"lines": [{"amount": 5}, {"amount": 7}]})
    assert process.status() == "completed"
    assert [each["context"] for each in process.position.context["charged"]] == [{"amount": 5}, {"amount": 7}]
    assert process.position.context["first"] == 5
