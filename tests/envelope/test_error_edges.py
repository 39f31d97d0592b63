"""Errors told apart: by an edge that names the code, and by expressions that read it."""

from __future__ import annotations

import pytest

from envelope.flows import Process, definition, main_slot
from holdfast.envelope import analyse, automation_skeleton, compile_effective
from holdfast.envelope.tokens import Machine, Settled, options

SEND = """
nodes:
  - {id: send, type: action, config: {action: mail.send, save_as: sent}}
  - {id: done, type: wait_timer, config: {duration: 1h}}
  - {id: later, type: wait_timer, config: {duration: 1h}}
  - {id: other, type: wait_timer, config: {duration: 1h}}
edges:
  - {source: in, target: send}
  - {source: send, target: done}
  - {source: send, target: done, outcome: "error:ALREADY_SENT"}
  - {source: send, target: later, outcome: "error:QUOTA_EXHAUSTED"}
  - {source: send, target: other, outcome: error}
  - {source: done, target: out}
  - {source: later, target: out}
  - {source: other, target: out}
exit_edge_mode: join
"""


def failed(process: Process, code: str) -> None:
    process.happen(Settled("main", "error", error={"code": code, "message": "it did not work"}))


@pytest.mark.parametrize(
    ("code", "place"), [("ALREADY_SENT", "done"), ("QUOTA_EXHAUSTED", "later"), ("ANYTHING", "other")]
)
def test_an_edge_takes_the_errors_of_its_code_and_the_others_take_the_plain_one(code: str, place: str) -> None:
    process = Process(main_slot(SEND))
    failed(process, code)
    assert process.at() == {"main": place}
    assert process.position.context == {"sent": {"error": {"code": code, "message": "it did not work"}}}


def test_an_error_whose_code_no_edge_names_fails_the_step() -> None:
    process = Process(main_slot(SEND.replace("  - {source: send, target: other, outcome: error}\n", "").replace(
        "  - {source: other, target: out}\n", "").replace(
        "  - {id: other, type: wait_timer, config: {duration: 1h}}\n", "")))  # fmt: skip
    failed(process, "ANYTHING")
    assert process.status() == "paused"


CONDITION = """
nodes:
  - {id: send, type: action, config: {action: mail.send, save_as: sent}}
  - {id: why, type: condition, config: {expression: 'context.sent.error.code == "ALREADY_SENT"'}}
  - {id: good, type: wait_timer, config: {duration: 1h}}
  - {id: bad, type: wait_timer, config: {duration: 1h}}
edges:
  - {source: in, target: send}
  - {source: send, target: good}
  - {source: send, target: bad, outcome: error, condition: 'context.sent.error.message == "hopeless"'}
  - {source: send, target: why, outcome: error, priority: 1}
  - {source: why, target: good, outcome: "true"}
  - {source: why, target: bad, outcome: "false"}
  - {source: good, target: out}
  - {source: bad, target: out}
exit_edge_mode: join
"""
CONTEXT = {
    "properties": {"sent": {"type": "object", "properties": {"id": {"type": "string"}}, "additionalProperties": False}},
    "additionalProperties": False,
}


@pytest.mark.parametrize("context", [None, CONTEXT])
@pytest.mark.parametrize(("code", "place"), [("ALREADY_SENT", "good"), ("OTHER", "bad")])
def test_expressions_read_the_code_of_what_went_wrong(context: dict[str, object] | None, code: str, place: str) -> None:
    skeleton = automation_skeleton("flow", context=context)
    indented = "".join(f"  {line}\n" for line in CONDITION.splitlines())
    workflow = compile_effective(skeleton, definition(skeleton, f"slot:main:{indented}"))
    process = Process(Machine(workflow, skeleton.scope()))
    failed(process, code)
    assert process.at() == {"main": place}


def test_what_may_happen_lists_the_edges_of_every_code() -> None:
    machine = main_slot(SEND)
    process = Process(machine)
    [error] = [each for each in options(machine.workflow, process.position) if each.outcome == "error"]
    assert len(error.edges) == 3


def test_an_edge_by_code_behind_one_for_every_error_is_never_taken() -> None:
    skeleton = automation_skeleton("flow")
    text = SEND.replace("outcome: error}", "outcome: error, priority: -1}")
    slots = "slot:main:" + "".join(f"  {line}\n" for line in text.splitlines())
    found = analyse(skeleton, definition(skeleton, slots))
    assert [problem.code for problem in found.errors] == ["edge.shadowed", "edge.shadowed"]


def test_an_edge_by_code_needs_a_step_that_can_fail() -> None:
    skeleton = automation_skeleton("flow")
    nodes = [{"id": "s", "type": "parallel_split"}]
    edges = [{"source": "in", "target": "s"}, {"source": "s", "target": "out", "outcome": "error:X"}]
    found = analyse(skeleton, {"slot:main": {"nodes": nodes, "edges": edges}})
    assert "edge.unknown_outcome" in {problem.code for problem in found.errors}
