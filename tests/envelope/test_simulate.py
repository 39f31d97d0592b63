"""Simulation: what a script may say, what a trace tells, and that nothing happens that the engine would not do."""

from __future__ import annotations

from typing import Any

import pytest

from envelope.flows import Process, main_slot
from holdfast.envelope import Contract, compile_effective, generate_skeleton
from holdfast.envelope.simulate import (
    Arrive,
    Case,
    Choose,
    Decide,
    Edit,
    Fill,
    Finish,
    Interrupt,
    Pass,
    Person,
    Retry,
    ScriptedAnswer,
    Simulation,
    Stop,
    World,
    act_from_data,
    script_from_data,
    simulate,
)
from holdfast.envelope.templates import load_template
from holdfast.envelope.tokens import fold
from holdfast.errors import InvalidInput


def invoice(total: str, **world: Any) -> Simulation:
    template = load_template("invoice_approval")
    document = {"number": "I-1", "vendor_id": "acme", "grand_total": total, "budget_owner": "bruno"}
    people = {"finn": Person("finn", ("finance_manager",)), "fred": Person("fred", ("finance_manager",))}
    given = World(people=people, org={"trusted_vendors": ["acme"]}, **world)
    return Simulation(template.workflow, document, world=given, scope=template.skeleton.scope())


def test_the_trace_reads_like_a_story_with_reasons() -> None:
    simulation = invoice("20000.00")
    simulation.play(Choose("submit", by="carla"))
    simulation.play(Edit({"grand_total": "1.00"}, by="carla"))
    text = simulation.trace().render()
    assert "carla: submit" in text
    assert "How large is it → Ask both: entity.grand_total > 10000 is true because 20000.00 > 10000" in text
    assert "main.1     sends approval: Invoice I-1: 20000.00" in text
    assert "main.1     Finance manager waits for a decision" in text
    assert "document v1 is submitted, amend_only" in text
    assert "Finance manager cancelled: amended" in text
    assert text.endswith("In the end the process is running and the document is amended.")


def test_every_history_of_a_trace_folds_to_what_the_simulation_believes() -> None:
    simulation = invoice("20000.00")
    for act in (Choose("submit"), Edit({"grand_total": "1.00"}), Choose("submit")):
        simulation.play(act)
    trace = simulation.trace()
    assert list(trace.histories) == ["simulation-1", "simulation-2"]
    assert fold(trace.workflow, trace.histories["simulation-2"], instance="simulation-2") == trace.position
    assert fold(trace.workflow, trace.histories["simulation-1"]).status == "cancelled"


def test_each_entry_shows_version_status_and_edit_window() -> None:
    simulation = invoice("100.00")
    simulation.play(Edit({"grand_total": "200.00"}, by="carla"))
    simulation.play(Choose("submit", by="carla"))
    seen = [(each.entity_version, each.doc_status, each.window) for each in simulation.trace().entries]
    assert seen == [(1, "draft", "editable"), (2, "draft", "editable"), (2, "active", "locked")]
    refusal = simulation.play(Edit({"grand_total": "1.00"}, by="carla"))
    assert refusal is not None
    assert refusal.code == "edit_locked"
    assert simulation.document["grand_total"] == "200.00"


def test_an_action_that_writes_the_document_makes_a_version_that_is_no_drift() -> None:
    simulation = invoice("100.00", answers={"invoice.post": (ScriptedAnswer(set={"posted": True}),)})
    simulation.play(Choose("submit", by="carla"))
    trace = simulation.trace()
    assert (trace.status, trace.entity_version, trace.document["posted"]) == ("completed", 2, True)
    assert trace.amended == ()


def test_only_people_who_are_asked_decide_and_never_on_their_own_request() -> None:
    simulation = invoice("20000.00")
    simulation.play(Choose("submit", by="finn"))
    for by, code in (("carla", "not_asked"), ("finn", "own_request")):
        refusal = simulation.play(Decide("approved", by=by, at="finance"))
        assert refusal is not None
        assert refusal.code == code
    assert simulation.play(Decide("approved", by="fred", at="finance")) is None
    assert simulation.trace().waiting_at() == ("budget",)


def test_an_act_that_could_mean_two_steps_or_none_says_what_is_open() -> None:
    simulation = invoice("20000.00")
    simulation.play(Choose("submit", by="carla"))
    with pytest.raises(InvalidInput, match="2 open steps of type approval") as raised:
        simulation.play(Decide("approved", by="finn"))
    assert "finance (main.1)" in str(raised.value)
    with pytest.raises(InvalidInput, match="no open step at nowhere"):
        simulation.play(Finish("nowhere"))


def test_timers_fire_at_their_own_moment_when_much_time_passes_at_once() -> None:
    machine = main_slot(
        """
        nodes:
          - {id: a, type: wait_timer, config: {duration: 1h}}
          - {id: b, type: wait_timer, config: {duration: 2h}}
          - {id: c, type: wait_timer, config: {duration: 1d}}
        edges:
          - {source: in, target: a}
          - {source: a, target: b}
          - {source: b, target: c}
          - {source: c, target: out}
        """
    )
    trace = simulate(machine.workflow, {}, [Pass("5h")])
    ended = [step.at for step in trace.steps if step.node_type == "wait_timer" and not step.is_open]
    assert ended == ["2026-01-05T10:00:00.000000+00:00", "2026-01-05T12:00:00.000000+00:00"]
    assert trace.waiting_at() == ("c",)


def test_a_moment_that_has_passed_already_is_not_waited_for() -> None:
    machine = main_slot(
        """
        nodes: [{id: a, type: wait_timer, config: {until: payload.due}}]
        edges: [{source: in, target: a}, {source: a, target: out}]
        """
    )
    assert simulate(machine.workflow, {}, payload={"due": "2020-01-01"}).status == "completed"
    assert simulate(machine.workflow, {}, payload={"due": "2030-01-01"}).waiting_at() == ("a",)


def test_rules_policies_and_custom_answers_come_from_the_world() -> None:
    machine = main_slot(
        """
        exit_edge_mode: join
        nodes:
          - {id: rule, type: rule, config: {rule: credit}}
          - {id: policy, type: policy_gate, config: {permission: order.release}}
        edges:
          - {source: in, target: rule}
          - {source: rule, target: policy, outcome: matched}
          - {source: rule, target: out, outcome: not_matched}
          - {source: policy, target: out}
          - {source: policy, target: out, outcome: denied}
        """
    )
    denied = simulate(machine.workflow, {})
    assert [step.outcome for step in denied.steps if step.node_type == "policy_gate" and not step.is_open] == ["denied"]
    allowed = World(people={"ana": Person("ana", permissions=("order.release",))}, requester="ana")
    assert "completed" in [step.outcome for step in simulate(machine.workflow, {}, world=allowed).steps]
    no = World.from_data({"answers": {"credit": "not_matched"}})
    assert simulate(machine.workflow, {}, world=no).path == ("rule",)


def test_what_is_enqueued_waits_for_the_script_unless_the_world_confirms_everything() -> None:
    machine = main_slot(
        """
        nodes:
          - {id: run, type: run, config: {run_type: a.b.v1}}
          - {id: session, type: session, config: {definition: agent, save_as: said}}
          - {id: hook, type: webhook_out, config: {url: "https://example.org"}}
        edges:
          - {source: in, target: run}
          - {source: run, target: session}
          - {source: session, target: hook}
          - {source: hook, target: out}
        """
    )
    assert simulate(machine.workflow, {}).waiting_at() == ("run",)
    assert simulate(machine.workflow, {}, world=World(confirms=True)).status == "completed"
    script = [Finish("run"), Finish("session", result={"text": "done"}), Finish("hook", "error", message="gone")]
    trace = simulate(machine.workflow, {}, script)
    assert trace.position.context == {"said": {"text": "done"}}
    assert trace.status == "paused"
    assert trace.why("hook") == ["gone"]
    again = simulate(machine.workflow, {}, [*script, Retry(), Finish("hook")])
    assert again.status == "completed"
    assert simulate(machine.workflow, {}, [Stop("enough")]).status == "cancelled"


def test_answers_in_a_list_are_used_one_by_one_and_the_last_stays() -> None:
    world = World.from_data({"answers": {"rule": ["a", {"outcome": "b", "result": 1}]}})
    assert [answer.outcome for answer in world.answers["rule"]] == ["a", "b"]


def test_a_definition_that_calls_in_circles_is_stopped() -> None:
    machine = main_slot(
        """
        nodes: [{id: call, type: action, config: {action: a.b, save_as: r}}]
        edges:
          - {source: in, target: call}
          - {source: call, target: call, condition: context.r == null, returns: true}
          - {source: call, target: out}
        """
    )
    with pytest.raises(InvalidInput, match="goes in circles"):
        simulate(machine.workflow, {})


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("submit", Choose("submit")),
        ({"submit": {"by": "ana"}}, Choose("submit", "ana")),
        ({"approve": {"by": "bo", "at": "x"}}, Decide("approved", "bo", "x")),
        ({"reject": {"reason": "no"}}, Decide("rejected", reason="no")),
        ({"fill": {"answer": {"n": 1}, "button": "ok"}}, Fill({"n": 1}, button="ok")),
        ({"event": {"key": "k", "payload": 1}}, Arrive("k", 1)),
        ({"wait": "72h"}, Pass("72h")),
        ({"edit": {"set": {"a": 1}, "by": "ana"}}, Edit({"a": 1}, "ana")),
        ({"confirm": {"at": "x"}}, Finish("x")),
        ({"fail": {"at": "x", "message": "m"}}, Finish("x", "error", message="m")),
        ({"cancel": {"by": "ana"}}, Interrupt("cancel", "ana")),
        ({"retry": {"at": "x"}}, Retry("x")),
        ({"stop": "enough"}, Stop("enough")),
    ],
)
def test_a_script_is_data(line: Any, act: Any) -> None:
    assert act_from_data(line, ("cancel",)) == act


def test_a_wrong_line_is_named() -> None:
    lines: list[Any] = [7, {}, {"a": {}, "b": {}}, {"approve": {"colour": "red"}}, {"event": {}}]
    for wrong in lines:
        with pytest.raises(InvalidInput):
            script_from_data([wrong])
    with pytest.raises(InvalidInput, match="world"):
        World.from_data({"people": ["ana"]})


def test_a_simulation_does_exactly_what_the_step_function_does() -> None:
    machine = main_slot(
        """
        nodes: [{id: a, type: wait_event, config: {event_key: "k:{payload.n}"}}]
        edges: [{source: in, target: a}, {source: a, target: out}]
        """
    )
    trace = simulate(machine.workflow, {}, [Arrive("k:1")], payload={"n": 1})
    process = Process(machine, payload={"n": 1})
    assert [(step.node, step.status) for step in trace.steps][: len(process.history)] == [
        (record.node, record.status) for record in process.history
    ]


def test_cases_show_every_difference_at_once() -> None:
    skeleton = generate_skeleton(Contract(entity_type="note", document={"type": "object", "properties": {}}))
    workflow = compile_effective(skeleton, {})
    case = Case(
        name="all wrong",
        document={},
        script=["submit"],
        expect={
            "status": "completed",
            "waiting_at": [],
            "passes": ["moon"],
            "avoids": ["draft"],
            "because": {"draft": "gravity"},
            "context": {"x": 1},
            "calls": ["a"],
        },
    )
    result = case.run(workflow, skeleton.scope())
    assert len(result.differences) == 7
    assert not result.passed
