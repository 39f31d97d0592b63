"""The step function: how edges are chosen, what each kind of step does, and what is never done silently."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from envelope.flows import NOW, Process, main_slot, node
from holdfast.envelope import STANDARD, NodeConfig, NodeType
from holdfast.envelope.tokens import (
    Abandoned,
    Cancelled,
    Edited,
    EventArrived,
    Facts,
    Happening,
    Interrupted,
    Machine,
    Retried,
    Settled,
    Started,
    StepRecord,
    TimePassed,
    effect_key,
    event_key,
    fold,
    happening_from_json,
    happening_to_json,
    join_key,
    next_round,
    options,
    step_key,
    waits,
)
from holdfast.errors import InvalidInput
from holdfast.kernel.json import canonical_json, parse_json


def one_step(step: str, *edges: str) -> Machine:
    """A slot with one step called `it`; without edges given, it leads straight out."""
    ways = "\n".join(f"  - {edge}" for edge in (edges or ("{source: it, target: out}",)))
    mode = "join" if len(edges) > 1 else "single"
    return main_slot(
        f"nodes:\n  - {{id: it, {step}}}\nexit_edge_mode: {mode}\nedges:\n  - {{source: in, target: it}}\n{ways}"
    )


def test_edges_are_tried_by_priority_then_id_and_the_else_comes_last() -> None:
    patch = """
    exit_edge_mode: join
    nodes:
      - {id: choice, type: condition}
      - {id: low, type: script, config: {assign: {way: '"low"'}}}
      - {id: high, type: script, config: {assign: {way: '"high"'}}}
      - {id: other, type: script, config: {assign: {way: '"other"'}}}
    edges:
      - {source: in, target: choice}
      - {source: choice, target: other}
      - {id: b, source: choice, target: high, condition: payload.n > 5, priority: 1}
      - {id: a, source: choice, target: low, condition: payload.n > 1, priority: 2}
      - {source: low, target: out}
      - {source: high, target: out}
      - {source: other, target: out}
    """
    machine = main_slot(patch)
    for n, way in ((9, "high"), (3, "low"), (0, "other")):
        process = Process(machine, payload={"n": n})
        assert process.position.context == {"way": way}
    same = main_slot(patch.replace("priority: 1", "priority: 2"))
    assert Process(same, payload={"n": 9}).position.context == {"way": "low"}


def test_the_step_keeps_the_chosen_edges_and_the_trace_of_every_condition() -> None:
    machine = one_step("type: condition, config: {expression: payload.n > 10}", "{source: it, target: out}")
    step = Process(machine, payload={"n": 12500}).ended("it")[0]
    assert step.outcome == "true"
    assert step.chosen_edge_ids == (node("it->out"),)
    assert step.output["expressions"][0]["because"] == "true because 12500 > 10"
    assert step.output["expressions"][0]["variables"] == {"payload.n": 12500}


def test_no_matching_edge_fails_the_step_visibly_and_it_can_be_tried_again() -> None:
    machine = one_step("type: condition", "{source: it, target: out, condition: payload.ok == true}")
    process = Process(machine, payload={"ok": False})
    assert process.position.status == "paused"
    failed = process.ended("it")[0]
    assert failed.status == "failed"
    assert failed.error is not None
    assert failed.error["code"] == "WORKFLOW_NO_EDGE"
    assert failed.output["chosen_edge_ids"] == []
    assert [wait.kind for wait in waits(machine.workflow, process.position)] == ["operator"]
    assert [option.outcome for option in options(machine.workflow, process.position)] == ["retry"]
    process.happen(Retried("main"))
    assert process.at() == {"main~1": "it"}


def test_missing_data_is_an_audited_failure_never_a_silent_yes() -> None:
    machine = one_step("type: condition, config: {expression: payload.absent > 10}")
    process = Process(machine, payload={"n": 1})
    error = process.ended("it")[0].error
    assert error is not None
    assert error["code"] == "WORKFLOW_EXPRESSION_FAILED"
    assert error["expression"] == "payload.absent > 10"
    assert process.position.status == "paused"


def test_a_rejection_or_a_timeout_never_goes_along_a_plain_edge() -> None:
    machine = one_step(
        "type: action, config: {action: x.y}", "{source: it, target: out}", "{source: it, target: out, outcome: error}"
    )
    process = Process(machine)
    process.happen(Settled("main", "error", error={"code": "X", "message": "no"}))
    assert process.ended("it")[0].chosen_edge_ids == (node("it[error]->out"),)
    assert process.ended("it")[0].status == "completed"

    plain = Process(one_step("type: action, config: {action: x.y}"))
    plain.happen(Settled("main", "error", error={"code": "X", "message": "no"}))
    assert plain.ended("it")[0].status == "failed"
    assert plain.ended("it")[0].error == {"code": "X", "message": "no"}


def test_crossing_a_return_edge_ends_the_token_and_bears_one_with_its_own_keys() -> None:
    machine = main_slot(
        """
        nodes:
          - {id: work, type: task, config: {title: Work, assignees: [{kind: user, user: ana}]}}
          - {id: check, type: approval, config: {approvers: [{kind: user, user: bo}]}}
        edges:
          - {source: in, target: work}
          - {source: work, target: check}
          - {source: check, target: work, outcome: rejected, returns: true}
          - {source: check, target: out, outcome: approved}
        """
    )
    process = Process(machine)
    tokens = ["main", "main~1", "main~2"]
    for token in tokens:
        assert process.at() == {token: "work"}
        process.happen(Settled(token, "completed", {}))
        process.happen(Settled(token, "rejected", reason="again"))
    assert process.at() == {"main~3": "work"}
    assert len({record.key for record in process.ended("work")}) == 3
    assert process.ended("work")[1].key == step_key("p", node("work"), "main~1", 1)
    # Asked again at the same step, the last answer stands.
    assert [each.decision for each in process.position.decisions] == ["rejected"]


def test_a_circle_without_anything_to_wait_for_is_stopped() -> None:
    machine = main_slot(
        """
        nodes:
          - {id: a, type: script, config: {assign: {x: "1"}}}
        edges:
          - {source: in, target: a}
          - {source: a, target: a, condition: context.x == 1, returns: true}
          - {source: a, target: out}
        """
    )
    process = Process(machine)
    failed = process.ended("a")[-1]
    assert failed.error is not None
    assert failed.error["code"] == "WORKFLOW_ENDLESS_LOOP"
    assert len(process.history) < 150


@pytest.mark.parametrize(
    ("config", "due"),
    [
        ("{duration: 1d12h}", NOW + timedelta(hours=36)),
        ("{until: payload.at}", datetime(2026, 4, 1, 6, 30, tzinfo=UTC)),
        ('{cron: "0 6 1 * *"}', datetime(2026, 4, 1, 6, 0, tzinfo=UTC)),
    ],
)
def test_a_timer_fires_when_it_is_due_and_not_before(config: str, due: datetime) -> None:
    process = Process(one_step(f"type: wait_timer, config: {config}"), payload={"at": "2026-04-01T08:30:00+02:00"})
    step = process.position.tokens["main"].step
    assert step is not None
    assert step.resume_at is not None
    assert datetime.fromisoformat(step.resume_at) == due
    assert process.happen(TimePassed(), now=due - timedelta(seconds=1)).result == "ignored"
    process.happen(TimePassed(), now=due)
    assert process.position.status == "completed"


EVENT = (
    "type: wait_event, config: {event_key: 'pod:{payload.id}', accepts: payload.ok == true, save_as: pod, timeout: 72h}"
)


def test_an_event_is_matched_by_its_rendered_key_and_its_payload() -> None:
    process = Process(
        one_step(EVENT, "{source: it, target: out}", "{source: it, target: out, outcome: timeout}"),
        payload={"id": "S-7"},
    )
    assert [wait.event_key for wait in waits(process.machine.workflow, process.position)] == ["pod:S-7"]
    for other in (
        EventArrived("pod:S-8", {"ok": True}),
        EventArrived("pod:S-7", {"ok": False}),
        EventArrived("pod:S-7"),
    ):
        assert process.happen(other).result == "ignored"
    process.happen(EventArrived("pod:S-7", {"ok": True}))
    assert process.position.context == {"pod": {"ok": True}}
    assert process.position.status == "completed"


def test_an_event_that_does_not_come_times_out() -> None:
    process = Process(
        one_step(EVENT, "{source: it, target: out}", "{source: it, target: out, outcome: timeout}"),
        payload={"id": "S-7"},
    )
    process.happen(TimePassed(), now=NOW + timedelta(hours=72))
    assert process.ended("it")[0].outcome == "timeout"
    assert process.happen(EventArrived("pod:S-7", {"ok": True})).result == "ignored"


def test_a_late_answer_to_an_earlier_step_is_ignored_and_writes_nothing() -> None:
    process = Process(one_step("type: run, config: {run_type: a.b.v1}"))
    key = process.history[-1].key
    before = process.position
    assert process.happen(Settled("main", "completed", key="another")).result == "ignored"
    assert process.position == before
    process.happen(Settled("main", "completed", key=key))
    done = process.happen(Settled("main", "completed", key=key))
    assert (done.result, done.steps) == ("ignored", ())


def test_an_outcome_the_step_cannot_give_is_an_error() -> None:
    process = Process(one_step("type: run, config: {run_type: a.b.v1}"))
    with pytest.raises(InvalidInput, match="cannot end with 'approved'"):
        process.happen(Settled("main", "approved"))


def test_the_answer_to_a_task_must_fit_its_form() -> None:
    process = Process(
        one_step(
            "type: task, config: {title: T, assignees: [{kind: user, user: ana}], save_as: answer, "
            "answers: [yes_please, no_thanks], form: {type: object, required: [n], properties: {n: {type: integer}}}}"
        )
    )
    for wrong in (None, {}, {"n": "five"}):
        done = process.happen(Settled("main", "yes_please", wrong))
        assert done.result == "refused"
        assert done.refusal is not None
        assert done.refusal.code == "invalid_answer"
    process.happen(Settled("main", "yes_please", {"n": 5}))
    assert process.position.context == {"answer": {"n": 5}}


def test_a_webhook_waits_for_its_confirmation_and_a_notification_does_not() -> None:
    webhook = Process(
        one_step(
            "type: webhook_out, config: {url: 'https://example.org/{payload.id}', body: {n: {$expr: payload.id}}}"
        ),
        payload={"id": "7"},
    )
    [effect] = webhook.last.effects
    assert effect.kind == "webhook"
    assert effect.awaited is True
    assert effect.payload["url"] == "https://example.org/7"
    assert effect.payload["body"] == {"n": "7"}
    assert effect.key == effect_key(effect.step, "webhook", effect.payload)
    assert webhook.at() == {"main": "it"}
    webhook.happen(Settled("main", "completed", {"status": 200}))
    assert webhook.position.status == "completed"

    message = Process(one_step("type: notification, config: {to: [{kind: role, role: x}], subject: Hello}"))
    [effect] = message.last.effects
    assert (effect.kind, effect.awaited) == ("in_app", False)
    assert message.position.status == "completed"


def test_calls_are_made_at_once_and_everything_else_is_enqueued() -> None:
    call = Process(
        one_step("type: action, config: {action: a.b, payload: {x: {$expr: payload.x}}, save_as: r}"), payload={"x": 3}
    )
    [effect] = call.last.effects
    assert effect.immediate
    assert effect.payload["input"] == {"x": 3}
    call.happen(Settled("main", "completed", {"id": 1}))
    assert call.position.context == {"r": {"id": 1}}
    enqueued = Process(one_step("type: session, config: {definition: agent, input: {q: 1}}"))
    assert not enqueued.last.effects[0].immediate


class ScoreConfig(NodeConfig):
    """Asks a scoring service."""

    limit: int = 10

    def outcomes(self) -> tuple[str, ...]:
        return ("good", "bad", "error")


def test_a_node_type_of_ones_own_is_called_with_its_configuration() -> None:
    types = STANDARD.with_types(NodeType("credit_score", ScoreConfig, "Credit score", "Asks."))
    machine = main_slot(
        """
        exit_edge_mode: join
        nodes: [{id: it, type: credit_score, config: {limit: 3}}]
        edges:
          - {source: in, target: it}
          - {source: it, target: out, outcome: good}
          - {source: it, target: out, outcome: bad}
        """,
        types=types,
    )
    process = Process(machine)
    [effect] = process.last.effects
    assert (effect.kind, effect.payload) == ("custom", {"type": "credit_score", "config": {"limit": 3}})
    process.happen(Settled("main", "bad"))
    assert process.ended("it")[0].chosen_edge_ids == (node("it[bad]->out"),)


def each(mode: str = "sequential", on_error: str = "stop", *edges: str) -> Machine:
    return one_step(
        f"type: for_each, config: {{items: payload.items, mode: {mode}, on_error: {on_error}, max_items: 3, body: {{"
        "nodes: [{id: work, type: run, config: {run_type: a.b.v1, payload: {n: {$expr: item}}, save_as: done}}], "
        "edges: [{source: in, target: work}, {source: work, target: out}]}}",
        *edges,
    )


def test_for_each_goes_through_its_items_one_after_another() -> None:
    process = Process(each(), payload={"items": ["x", "y"]})
    assert process.at() == {"main.0": "it/work"}
    assert process.last.effects[0].payload["payload"] == {"n": "x"}
    process.happen(Settled("main.0", "completed", 1))
    assert process.at() == {"main.1": "it/work"}
    assert process.last.effects[0].payload["payload"] == {"n": "y"}
    process.happen(Settled("main.1", "completed", 2))
    assert process.position.status == "completed"
    results = process.ended("it")[0].output["results"]
    assert [(each["index"], each["outcome"], each["context"]) for each in results] == [
        (0, "completed", {"done": 1}),
        (1, "completed", {"done": 2}),
    ]
    assert process.position.context == {}


def test_for_each_in_parallel_starts_all_and_keeps_the_order_of_the_results() -> None:
    process = Process(each("parallel"), payload={"items": ["x", "y", "z"]})
    assert list(process.at()) == ["main.0", "main.1", "main.2"]
    for token, value in (("main.2", 3), ("main.0", 1), ("main.1", 2)):
        process.happen(Settled(token, "completed", value))
    assert [each["context"]["done"] for each in process.ended("it")[0].output["results"]] == [1, 2, 3]


def test_a_failed_item_stops_the_loop_and_cancels_the_others() -> None:
    process = Process(
        each("parallel", "stop", "{source: it, target: out}", "{source: it, target: out, outcome: error}"),
        payload={"items": ["x", "y", "z"]},
    )
    process.happen(Settled("main.1", "error", error={"code": "X", "message": "broken"}))
    assert process.position.status == "completed"
    loop = process.ended("it")[0]
    assert loop.outcome == "error"
    assert loop.error == {"code": "X", "message": "broken"}
    cancelled = [record.token for record in process.history if record.status == "cancelled"]
    assert cancelled == ["main.0", "main.2"]


def test_a_failed_item_can_be_passed_over() -> None:
    process = Process(each("sequential", "continue"), payload={"items": ["x", "y"]})
    process.happen(Settled("main.0", "error", error={"code": "X", "message": "broken"}))
    assert process.at() == {"main.1": "it/work"}
    process.happen(Settled("main.1", "completed", 2))
    assert process.position.status == "completed"
    results = process.ended("it")[0].output["results"]
    assert [each["outcome"] for each in results] == ["error", "completed"]
    assert results[0]["error"] == {"code": "X", "message": "broken"}


@pytest.mark.parametrize(
    ("items", "code"), [("nothing", "WORKFLOW_NOT_A_LIST"), ([1, 2, 3, 4], "WORKFLOW_TOO_MANY_ITEMS")]
)
def test_a_list_that_cannot_be_gone_through_fails_the_step(items: Any, code: str) -> None:
    process = Process(each(), payload={"items": items})
    error = process.ended("it")[0].error
    assert error is not None
    assert error["code"] == code


def test_an_empty_list_is_done_at_once() -> None:
    process = Process(each(), payload={"items": []})
    assert process.position.status == "completed"
    assert process.ended("it")[0].output["results"] == []


def test_variables_of_an_item_are_seen_in_the_item_only_even_in_nested_loops_and_rounds() -> None:
    machine = main_slot(
        """
        nodes:
          - id: rows
            type: for_each
            config:
              items: payload.rows
              mode: parallel
              body:
                nodes:
                  - {id: name, type: script, config: {assign: {row: item.name}}}
                  - {id: ask, type: wait_event, config: {event_key: "ask:{context.row}", save_as: said}}
                  - id: cells
                    type: for_each
                    config:
                      items: item.cells
                      body:
                        nodes:
                          - {id: tell, type: wait_event, config: {event_key: "{context.row}/{item}/{context.said.n}"}}
                        edges: [{source: in, target: tell}, {source: tell, target: out}]
                edges:
                  - {source: in, target: name}
                  - {source: name, target: ask}
                  - {source: ask, target: name, condition: context.said.again == true, returns: true}
                  - {source: ask, target: cells}
                  - {source: cells, target: out}
        edges: [{source: in, target: rows}, {source: rows, target: out}]
        """
    )
    rows = [{"name": "r1", "cells": ["a", "b"]}, {"name": "r2", "cells": ["c"]}]
    process = Process(machine, payload={"rows": rows})

    def keys() -> list[str]:
        return sorted(wait.event_key or "" for wait in waits(machine.workflow, process.position) if wait.event_key)

    assert keys() == ["ask:r1", "ask:r2"]
    process.happen(EventArrived("ask:r1", {"again": True, "n": 0}))
    assert "main.0~1" in process.at()
    process.happen(EventArrived("ask:r1", {"again": False, "n": 7}))
    process.happen(EventArrived("ask:r2", {"again": False, "n": 8}))
    assert keys() == ["r1/a/7", "r2/c/8"]
    for key in ("r2/c/8", "r1/a/7", "r1/b/7"):
        process.happen(EventArrived(key))
    assert process.position.status == "completed"
    assert process.position.variables in ({}, {"": {}})


def test_reaching_the_end_cancels_whatever_is_still_on_its_way() -> None:
    machine = main_slot(
        """
        nodes:
          - {id: split, type: parallel_split}
          - {id: a, type: wait_event, config: {event_key: a}}
          - {id: b, type: wait_event, config: {event_key: b}}
          - {id: join, type: parallel_join}
        edges:
          - {source: in, target: split}
          - {source: split, target: a}
          - {source: split, target: b}
          - {source: a, target: join}
          - {source: b, target: join}
          - {source: join, target: out}
        """
    )
    # No compile lets a branch lead to the end; a workflow stored by somebody else might.
    workflow = machine.workflow
    edges = dict(workflow.edges_by_id)
    edges[node("a->join")] = replace(edges[node("a->join")], target=workflow.end)
    process = Process(Machine(replace(workflow, edges_by_id=edges)))
    process.happen(EventArrived("a"))
    assert process.position.status == "completed"
    assert {record.token for record in process.history if record.status == "cancelled"} == {"main", "main.1"}
    assert not process.position.tokens


@pytest.mark.parametrize(
    ("happening", "status"), [(Cancelled("not needed"), "cancelled"), (Abandoned("given up"), "failed")]
)
def test_stopping_an_instance_leaves_a_row_that_says_why(happening: Happening, status: str) -> None:
    process = Process(one_step("type: wait_event, config: {event_key: a}"))
    process.happen(happening)
    assert (process.position.status, process.position.tokens) == (status, {})
    assert process.position.reason == process.history[-1].output["reason"]
    assert process.history[-1].origin == "close"
    assert process.happen(EventArrived("a")).result == "ignored"


def test_an_instance_whose_only_token_failed_can_be_given_up() -> None:
    process = Process(
        one_step("type: condition", "{source: it, target: out, condition: payload.ok == true}"), payload={"ok": False}
    )
    process.happen(Abandoned("wrong data"))
    assert (process.position.status, process.position.reason) == ("failed", "wrong data")


def test_starting_in_a_way_the_skeleton_does_not_know_is_an_error() -> None:
    machine = one_step("type: wait_event, config: {event_key: a}")
    facts = Facts(NOW)
    with pytest.raises(InvalidInput, match="cannot start"):
        machine.start("p", facts, Started("sideways"))
    begun = machine.start("p", facts)
    assert machine.advance(begun.position, Started(), facts).result == "ignored"
    with pytest.raises(InvalidInput, match="offset"):
        Facts(datetime(2026, 1, 1))  # noqa: DTZ001


def test_happenings_are_plain_json() -> None:
    every: list[Happening] = [
        Started("created", {"a": 1}),
        Settled("main", "approved", {"n": 1}, reason="fine"),
        EventArrived("k", {"a": 1}),
        TimePassed(),
        Edited(["total"]),
        Interrupted("cancel", "wrong"),
        Cancelled("r"),
        Abandoned("r"),
        Retried("main"),
    ]
    for happening in every:
        assert happening_from_json(parse_json(canonical_json(happening_to_json(happening)))) == happening
    for wrong in ({"kind": "exploded"}, {"kind": "retried"}, {"kind": "retried", "token": "t", "x": 1}):
        with pytest.raises(InvalidInput):
            happening_from_json(wrong)


def test_a_history_with_a_gap_or_of_another_definition_is_refused() -> None:
    process = Process(one_step("type: wait_event, config: {event_key: a}"))
    workflow = process.machine.workflow
    with pytest.raises(InvalidInput, match="step 2 is missing"):
        fold(workflow, [process.history[0], *process.history[2:]])
    other = replace(process.history[-1], token="other")
    with pytest.raises(InvalidInput, match="does not fit"):
        fold(workflow, [*process.history[:-1], other])
    with pytest.raises(InvalidInput, match="not a step record"):
        StepRecord.from_json({"seq": 1})


def test_keys_cannot_be_made_alike_by_gluing_parts_differently() -> None:
    assert step_key("ab", "c", "d", 1) != step_key("a", "bc", "d", 1)
    assert step_key("a", "b", "c", 1) != step_key("a", "b", "c", 2)
    assert join_key("i", "j", 1, "main") != join_key("i", "j", 1, "main~1")
    assert event_key("i", "t", {"b": 1, "a": 2}, 1) == event_key("i", "t", {"a": 2, "b": 1}, 1)
    assert effect_key("s", "webhook", {"a": 1}) != effect_key("s", "email", {"a": 1})
    # What a program in another language would compute.
    assert step_key("i", "n", "main", 1) == hashlib.sha256(b'["i","n","main",1]').hexdigest()


def test_rounds_are_counted_in_the_last_part_of_a_name_only() -> None:
    assert [next_round(name) for name in ("main", "main~1", "main~9", "main~1.0", "main.2~1.0~3")] == [
        "main~1",
        "main~2",
        "main~10",
        "main~1.0~1",
        "main.2~1.0~4",
    ]
