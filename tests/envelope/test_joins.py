"""Splits and joins: every join fires exactly once, whoever comes first, and nobody is left behind (WF-16)."""

from __future__ import annotations

from itertools import permutations

import pytest

from envelope.flows import Process, main_slot
from holdfast.envelope import verify
from holdfast.envelope.tokens import EventArrived, Retried, Settled, join_key, step_key

BRANCHES = ("a", "b", "c")


def three_branches(join: str) -> str:
    return f"""
    nodes:
      - {{id: split, type: parallel_split}}
      - {{id: a, type: wait_event, config: {{event_key: a}}}}
      - {{id: b, type: wait_event, config: {{event_key: b}}}}
      - {{id: c, type: wait_event, config: {{event_key: c}}}}
      - {{id: join, type: parallel_join, config: {join}}}
      - {{id: after, type: wait_event, config: {{event_key: after}}}}
    edges:
      - {{source: in, target: split}}
      - {{source: split, target: a}}
      - {{source: split, target: b}}
      - {{source: split, target: c}}
      - {{source: a, target: join}}
      - {{source: b, target: join}}
      - {{source: c, target: join}}
      - {{source: join, target: after}}
      - {{source: after, target: out}}
    """


NESTED = """
nodes:
  - {id: outer, type: parallel_split}
  - {id: quick, type: wait_event, config: {event_key: quick}}
  - {id: inner, type: parallel_split}
  - {id: left, type: wait_event, config: {event_key: left}}
  - {id: right, type: wait_event, config: {event_key: right}}
  - {id: inner_join, type: parallel_join, config: {mode: all}}
  - {id: outer_join, type: parallel_join, config: {mode: any}}
edges:
  - {source: in, target: outer}
  - {source: outer, target: quick}
  - {source: outer, target: inner}
  - {source: inner, target: left}
  - {source: inner, target: right}
  - {source: left, target: inner_join}
  - {source: right, target: inner_join}
  - {source: inner_join, target: outer_join}
  - {source: quick, target: outer_join}
  - {source: outer_join, target: out}
"""


@pytest.mark.parametrize("order", list(permutations(BRANCHES)))
@pytest.mark.parametrize(("join", "needed"), [("{mode: any}", 1), ("{mode: n_of_m, n: 2}", 2), ("{mode: all}", 3)])
def test_a_join_fires_once_under_every_order_of_arrivals(join: str, needed: int, order: tuple[str, ...]) -> None:
    process = Process(main_slot(three_branches(join)))
    results = [process.happen(EventArrived(key)).result for key in order]

    assert results == ["advanced"] * needed + ["ignored"] * (3 - needed)
    fired = [record for record in process.history if record.join_key is not None]
    assert len(fired) == 1
    assert process.at() == {"main": "after"}

    winners = {record.token for record in process.history if record.outcome == "arrived"}
    losers = {record.token for record in process.history if record.status == "cancelled"}
    assert len(winners) == needed
    assert winners | losers == {"main.0", "main.1", "main.2"}
    assert not winners & losers
    assert set(fired[0].output["join"]["cancelled"]) == losers


@pytest.mark.parametrize("first", BRANCHES)
@pytest.mark.parametrize("second", BRANCHES)
def test_two_workers_who_both_think_they_won_compute_the_same_receipt(first: str, second: str) -> None:
    process = Process(main_slot(three_branches("{mode: any}")))
    position, facts = process.position, process.facts
    one = process.machine.advance(position, EventArrived(first), facts)
    other = process.machine.advance(position, EventArrived(second), facts)
    keys = {record.join_key for done in (one, other) for record in done.steps if record.join_key}
    assert len(keys) == 1
    assert keys == {join_key("p", "usr:slot:main:join", 1, "main")}


@pytest.mark.parametrize("order", list(permutations(["quick", "left", "right"])))
def test_losers_inside_nested_splits_are_cancelled_with_a_row_each(order: tuple[str, ...]) -> None:
    process = Process(main_slot(NESTED))
    for key in order:
        process.happen(EventArrived(key))
    assert process.status() == "completed"
    assert process.position.born == process.position.ended

    fired = [record.node.rsplit(":", 1)[-1] for record in process.history if record.join_key is not None]
    assert fired.count("outer_join") == 1
    arrived_inside = order.index("quick")  # How many of left and right came before the quick branch won.
    assert fired.count("inner_join") == (1 if arrived_inside == 2 else 0)

    cancelled = [record.token for record in process.history if record.status == "cancelled"]
    if arrived_inside == 2:
        assert len(cancelled) == 1  # Only the quick branch lost.
    else:
        # The branch that was split lost, and so did each of its own branches that had not arrived.
        assert len(cancelled) == 1 + (2 - arrived_inside)
    assert len(cancelled) == len(set(cancelled))


def test_a_loser_that_had_failed_keeps_its_failed_row_and_goes() -> None:
    process = Process(main_slot(three_branches("{mode: any}")))
    process.happen(Settled("main.0", "error"))
    assert process.status() == "paused"
    process.happen(EventArrived("b"))
    assert process.status() == "running"
    assert process.at() == {"main": "after"}
    assert [row["status"] for row in process.rows if row["token"] == "main.0"] == ["failed"]


def test_an_all_join_waits_for_a_failed_branch_until_it_is_tried_again() -> None:
    process = Process(main_slot(three_branches("{mode: all}")))
    process.happen(EventArrived("a"))
    process.happen(Settled("main.1", "error"))
    process.happen(EventArrived("c"))
    assert process.at() == {"main.1": "b"}
    assert process.status() == "paused"
    process.happen(Retried("main.1"))
    assert process.at() == {"main.1~1": "b"}
    process.happen(EventArrived("b"))
    assert process.at() == {"main": "after"}
    assert process.status() == "running"


def test_a_guarded_split_needs_only_as_many_as_were_born() -> None:
    machine = main_slot(
        """
        nodes:
          - {id: split, type: parallel_split}
          - {id: a, type: wait_event, config: {event_key: a}}
          - {id: b, type: wait_event, config: {event_key: b}}
          - {id: c, type: wait_event, config: {event_key: c}}
          - {id: join, type: parallel_join, config: {mode: all}}
        edges:
          - {source: in, target: split}
          - {source: split, target: a}
          - {source: split, target: b, condition: payload.both == true}
          - {source: split, target: c, condition: payload.both == true && payload.more == true}
          - {source: a, target: join}
          - {source: b, target: join}
          - {source: c, target: join}
          - {source: join, target: out}
        """
    )
    alone = Process(machine, payload={"both": False, "more": True})
    assert alone.at() == {"main.0": "a"}
    alone.happen(EventArrived("a"))
    assert alone.status() == "completed"

    two = Process(machine, payload={"both": True, "more": False})
    assert sorted(two.at().values()) == ["a", "b"]
    two.happen(EventArrived("b"))
    assert two.status() == "running"
    two.happen(EventArrived("a"))
    assert two.status() == "completed"
    split = two.ended("split")[0]
    assert [trace["result"] for trace in split.output["expressions"]] == [True, False]


def test_a_split_in_which_no_edge_matches_fails_visibly() -> None:
    machine = main_slot(
        """
        nodes:
          - {id: split, type: parallel_split}
          - {id: a, type: script, config: {assign: {x: "1"}}}
          - {id: b, type: script, config: {assign: {x: "2"}}}
          - {id: join, type: parallel_join}
        edges:
          - {source: in, target: split}
          - {source: split, target: a, condition: payload.n > 1}
          - {source: split, target: b, condition: payload.n > 2}
          - {source: a, target: join}
          - {source: b, target: join}
          - {source: join, target: out}
        """
    )
    process = Process(machine, payload={"n": 1})
    assert process.status() == "paused"
    assert process.ended("split")[0].error is not None
    assert process.ended("split")[0].error["code"] == "WORKFLOW_NO_EDGE"  # type: ignore[index]


def test_a_token_that_splits_twice_never_gives_two_children_one_name() -> None:
    machine = main_slot(
        """
        nodes:
          - {id: s1, type: parallel_split}
          - {id: a, type: wait_event, config: {event_key: a}}
          - {id: b, type: wait_event, config: {event_key: b}}
          - {id: j1, type: parallel_join}
          - {id: s2, type: parallel_split}
          - {id: c, type: wait_event, config: {event_key: c}}
          - {id: d, type: wait_event, config: {event_key: d}}
          - {id: j2, type: parallel_join}
        edges:
          - {source: in, target: s1}
          - {source: s1, target: a}
          - {source: s1, target: b}
          - {source: a, target: j1}
          - {source: b, target: j1}
          - {source: j1, target: s2}
          - {source: s2, target: c}
          - {source: s2, target: d}
          - {source: c, target: j2}
          - {source: d, target: j2}
          - {source: j2, target: out}
        """
    )
    process = Process(machine)
    assert process.at() == {"main.0": "a", "main.1": "b"}
    process.happen(EventArrived("a"))
    process.happen(EventArrived("b"))
    assert process.at() == {"main.2": "c", "main.3": "d"}


def test_a_second_round_through_a_split_has_keys_of_its_own() -> None:
    machine = main_slot(
        """
        nodes:
          - {id: split, type: parallel_split}
          - {id: a, type: wait_event, config: {event_key: a, save_as: said}}
          - {id: b, type: wait_event, config: {event_key: b}}
          - {id: join, type: parallel_join}
        exit_edge_mode: single
        edges:
          - {source: in, target: split}
          - {source: split, target: a}
          - {source: split, target: b}
          - {source: a, target: join}
          - {source: b, target: join}
          - {source: join, target: split, condition: context.said.again == true, returns: true}
          - {source: join, target: out}
        """
    )
    process = Process(machine)
    process.happen(EventArrived("a", {"again": True}))
    process.happen(EventArrived("b"))
    assert process.at() == {"main~1.0": "a", "main~1.1": "b"}
    process.happen(EventArrived("b"))
    process.happen(EventArrived("a", {"again": False}))
    assert process.status() == "completed"
    keys = [record.join_key for record in process.history if record.join_key]
    assert len(keys) == len(set(keys)) == 2
    assert process.ended("split")[1].key == step_key("p", "usr:slot:main:split", "main~1", 1)


SIDE_BY_SIDE = """
nodes:
  - {id: outer, type: parallel_split}
  - {id: quick, type: approval, config: {approvers: [{kind: user, user: cat}]}}
  - {id: inner, type: parallel_split}
  - {id: left, type: approval, config: {approvers: [{kind: user, user: ben}]}}
  - {id: right, type: approval, config: {approvers: [{kind: user, user: dan}]}}
  - {id: inner_join, type: parallel_join, config: {mode: all}}
  - {id: outer_join, type: parallel_join, config: {mode: all, first_rejection_ends: true}}
edges:
  - {source: in, target: outer}
  - {source: outer, target: quick}
  - {source: outer, target: inner}
  - {source: inner, target: left}
  - {source: inner, target: right}
  - {source: left, target: inner_join, outcome: approved}
  - {source: left, target: inner_join, outcome: rejected}
  - {source: right, target: inner_join, outcome: approved}
  - {source: right, target: inner_join, outcome: rejected}
  - {source: inner_join, target: outer_join}
  - {source: quick, target: outer_join, outcome: approved}
  - {source: quick, target: outer_join, outcome: rejected}
  - {source: outer_join, target: out}
"""


def token_at(process: Process, name: str) -> str:
    (found,) = [each.id for each in process.position.tokens.values() if each.node.endswith(f":{name}")]
    return found


def test_a_rejection_ends_the_join_that_says_so_and_no_other() -> None:
    process = Process(main_slot(SIDE_BY_SIDE))
    quick = token_at(process, "quick")
    process.happen(Settled(token_at(process, "left"), "rejected", reason="too much"))
    # The inner join waits for everybody, as joins do.
    process.happen(Settled(token_at(process, "right"), "approved"))
    assert process.position.status == "completed"
    (cancelled,) = [each for each in process.history if each.status == "cancelled"]
    assert cancelled.token == quick
    assert cancelled.output["reason"].endswith("rejected it at Left, which ends Outer join: too much")


def test_a_rejection_on_another_branch_does_not_end_a_join_for_those_who_approved() -> None:
    process = Process(main_slot(SIDE_BY_SIDE))
    process.happen(Settled(token_at(process, "left"), "rejected", reason="too much"))
    process.happen(Settled(token_at(process, "quick"), "approved"))
    assert process.position.status == "running"


def test_a_join_compiled_before_there_was_the_setting_stays_what_it_was() -> None:
    plain = main_slot(three_branches("{mode: all}")).workflow
    assert all("first_rejection_ends" not in node.config for node in plain.nodes_by_id.values())
    assert verify(plain).genuine
    (join,) = [node for node in main_slot(SIDE_BY_SIDE).workflow.nodes_by_id.values() if node.id.endswith("outer_join")]
    assert join.config["first_rejection_ends"] is True
