"""Random contracts × random patches × random walks: what holds wherever a process goes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from envelope.walks import choices, flows, machine_of, walk
from holdfast.envelope import OrgWorkflowDefinition, Skeleton
from holdfast.envelope.tokens import (
    Position,
    StepRecord,
    current_rows,
    fold,
    history_of_rows,
    options,
    reasons,
    waits,
)
from holdfast.errors import InvalidInput
from holdfast.kernel.json import canonical_json, parse_json

Case = tuple[Skeleton, OrgWorkflowDefinition]

walks = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


@walks
@given(flows(), choices)
def test_folding_the_history_gives_the_live_position_after_every_step(case: Case, picks: list[int]) -> None:
    machine = machine_of(case)
    for stride in walk(machine, picks):
        live = stride.done.position
        assert fold(machine.workflow, stride.history, instance="walk") == live
        assert fold(machine.workflow, stride.done.steps, stride.before) == live


@walks
@given(flows(), choices)
def test_a_rebuild_from_stored_rows_gives_the_live_position(case: Case, picks: list[int]) -> None:
    machine = machine_of(case)
    last = list(walk(machine, picks))[-1]
    stored = parse_json(canonical_json(current_rows(last.history)))
    rebuilt = history_of_rows(reversed(stored))
    read = [StepRecord.from_json(parse_json(canonical_json(each.to_json()))) for each in last.history]
    assert rebuilt == read
    assert fold(machine.workflow, rebuilt, instance="walk") == last.done.position


@walks
@given(flows(), choices)
def test_every_prefix_of_a_history_can_be_folded_and_resumed(case: Case, picks: list[int]) -> None:
    machine = machine_of(case)
    strides = list(walk(machine, picks))
    last = strides[-1]
    for length in range(1, len(last.history)):
        position = fold(machine.workflow, last.history[:length], instance="walk")
        assert position.born - position.ended == len(position.tokens)
        resumed = machine.resume(position, last.facts).position
        assert resumed.is_over or all(token.state != "ready" for token in resumed.tokens.values())


@walks
@given(flows(), choices, st.data())
def test_a_damaged_history_is_folded_or_refused_and_never_crashes(
    case: Case, picks: list[int], data: st.DataObject
) -> None:
    machine = machine_of(case)
    history = list(walk(machine, picks))[-1].history
    one = data.draw(st.integers(0, len(history) - 1))
    other = data.draw(st.integers(0, len(history) - 1))
    damage = data.draw(st.sampled_from(["drop", "repeat", "swap", "token", "node", "edges", "status"]))
    damaged = list(history)
    match damage:
        case "drop":
            del damaged[one]
        case "repeat":
            damaged.insert(other, damaged[one])
        case "swap":
            damaged[one], damaged[other] = damaged[other], damaged[one]
        case "token":
            damaged[one] = replace(damaged[one], token=history[other].token)
        case "node":
            damaged[one] = replace(damaged[one], node=history[other].node, node_type=history[other].node_type)
        case "edges":
            damaged[one] = replace(damaged[one], output=history[other].output)
        case "status":
            damaged[one] = replace(damaged[one], status=history[other].status)
    renumbered = [replace(record, seq=seq) for seq, record in enumerate(damaged, 1)]
    try:
        position = fold(machine.workflow, renumbered, instance="walk")
    except InvalidInput:
        return
    assert position.born - position.ended == len(position.tokens)


@walks
@given(flows(), choices)
def test_no_token_is_lost_or_duplicated(case: Case, picks: list[int]) -> None:
    machine = machine_of(case)
    alive: set[str] = set()
    ever: set[str] = set()
    for stride in walk(machine, picks):
        for move in stride.done.moves:
            if move.kind == "born":
                assert move.token not in ever, "a token id was used twice"
                ever.add(move.token)
                alive.add(move.token)
            elif move.kind != "moved":
                alive.remove(move.token)
        position = stride.done.position
        assert alive == set(position.tokens)
        assert position.born == len(ever)
        assert position.born - position.ended == len(alive)


@walks
@given(flows(), choices)
def test_every_walk_ends_or_waits(case: Case, picks: list[int]) -> None:
    machine = machine_of(case)
    for stride in walk(machine, picks):
        position = stride.done.position
        if position.is_over:
            assert not position.tokens
            assert position.born == position.ended
            continue
        resting = [token for token in position.tokens.values() if token.state in ("waiting", "failed")]
        assert resting, "nothing can ever happen again, and the process is not over"
        assert (position.status == "paused") == any(token.state == "failed" for token in resting)
        assert len(waits(machine.workflow, position)) == len(position.tokens)
        assert options(machine.workflow, position)


@walks
@given(flows(), choices)
def test_a_step_is_opened_once_and_ends_once(case: Case, picks: list[int]) -> None:
    machine = machine_of(case)
    last = list(walk(machine, picks))[-1]
    ended: set[str] = set()
    opened: set[str] = set()
    for record in last.history:
        assert record.key not in ended, "a step went on after its end"
        if record.is_open:
            assert record.key not in opened, "a step was opened twice (WF-02)"
            opened.add(record.key)
        else:
            ended.add(record.key)
    assert [record.seq for record in last.history] == list(range(1, len(last.history) + 1))


@walks
@given(flows(), choices)
def test_a_join_fires_once_for_each_split_and_every_loser_has_its_row(case: Case, picks: list[int]) -> None:
    machine = machine_of(case)
    last = list(walk(machine, picks))[-1]
    fired = [record for record in last.history if record.join_key is not None]
    assert max(Counter(record.join_key for record in fired).values(), default=1) == 1
    # A step that was asked again about a new version has a cancelled row too, and its token goes on.
    rows = {(record.token, record.status) for record in last.history if record.outcome != "repinned"}
    for record in fired:
        for loser in record.output["join"]["cancelled"]:
            assert (loser, "cancelled") in rows or (loser, "failed") in rows
        for winner in record.output["join"]["arrived"]:
            assert (winner, "cancelled") not in rows


@walks
@given(flows(), choices)
def test_advancing_is_pure_and_positions_are_values(case: Case, picks: list[int]) -> None:
    machine = machine_of(case)
    for stride in walk(machine, picks):
        before = canonical_json(stride.before.to_json())
        if stride.happening is not None:
            again = machine.advance(stride.before, stride.happening, stride.facts)
            assert again == stride.done
        assert canonical_json(stride.before.to_json()) == before
        stored = parse_json(canonical_json(stride.done.position.to_json()))
        assert Position.from_json(stored) == stride.done.position


@walks
@given(flows(), choices)
def test_every_edge_that_was_taken_has_a_reason(case: Case, picks: list[int]) -> None:
    machine = machine_of(case)
    last = list(walk(machine, picks))[-1]
    taken = [(record.seq, edge) for record in last.history for edge in record.chosen_edge_ids]
    given_reasons = [(each.seq, each.edge) for each in reasons(machine.workflow, last.history) if each.edge]
    assert given_reasons == taken
    for record in last.history:
        if machine.workflow.nodes_by_id[record.node].branch and not record.is_open and record.status != "cancelled":
            assert "chosen_edge_ids" in record.output
