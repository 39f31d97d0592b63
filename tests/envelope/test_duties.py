"""Separation of duties as pure rules: whose eyes do not count, and who has a seat already."""

from __future__ import annotations

from envelope.flows import Process, main_slot
from holdfast.envelope.tokens import Settled, Vote, barred, branches_of, makers_of, side_by_side

TWO_AND_ONE = """
nodes:
  - {id: split, type: parallel_split}
  - {id: a, type: approval, config: {approvers: [{kind: role, role: x}]}}
  - {id: after_a, type: approval, config: {approvers: [{kind: role, role: x}], may_decide_in_parallel: true}}
  - {id: inner, type: parallel_split}
  - {id: b, type: approval, config: {approvers: [{kind: role, role: x}]}}
  - {id: c, type: approval, config: {approvers: [{kind: role, role: x}]}}
  - {id: inner_join, type: parallel_join}
  - {id: join, type: parallel_join}
  - {id: last, type: approval, config: {approvers: [{kind: role, role: x}]}}
edges:
  - {source: in, target: split}
  - {source: split, target: a}
  - {source: split, target: inner}
  - {source: a, target: after_a, outcome: approved}
  - {source: a, target: a, outcome: rejected, returns: true}
  - {source: after_a, target: join, outcome: approved}
  - {source: after_a, target: join, outcome: rejected}
  - {source: inner, target: b}
  - {source: inner, target: c}
  - {source: b, target: inner_join, outcome: approved}
  - {source: b, target: inner_join, outcome: rejected}
  - {source: c, target: inner_join, outcome: approved}
  - {source: c, target: inner_join, outcome: rejected}
  - {source: inner_join, target: join}
  - {source: join, target: last}
  - {source: last, target: out, outcome: approved}
  - {source: last, target: out, outcome: rejected}
exit_edge_mode: join
"""


def asked(process: Process) -> dict[str, dict[str, int]]:
    """The branches of what was asked last, by the short name of the node."""
    return {each.node.rpartition(":")[2]: each.payload.get("branches", {}) for each in process.last.effects}


def settle(process: Process, name: str, outcome: str) -> dict[str, dict[str, int]]:
    [token] = [token for token, place in process.at().items() if place == name]
    process.happen(Settled(token, outcome))
    return asked(process)


def test_who_made_it_is_everybody_who_wrote_or_sent_it_but_not_the_process() -> None:
    edits = [("ana", True), ("ben", False), ("cat", True), (None, False)]
    assert makers_of(edits, ["dan", None, "ana"]) == {"ana", "ben", "dan"}


def test_four_eyes_covers_every_maker_and_whose_seat_it_is() -> None:
    makers = {"ana", "ben"}
    found = barred(["ben"], makers=makers, four_eyes=True)
    assert found is not None
    assert (found.code, found.name) == ("own_request", "ben")
    assert barred(["eve", "ana"], makers=makers, four_eyes=True) is not None
    assert barred(["eve"], makers=makers, four_eyes=True) is None
    assert barred(["ben"], makers=makers, four_eyes=False) is None


def test_branches_of_one_split_are_side_by_side_and_what_follows_in_one_is_not() -> None:
    process = Process(main_slot(TWO_AND_ONE))
    found = asked(process)
    assert side_by_side(found["a"], found["b"])
    assert side_by_side(found["b"], found["c"])
    assert settle(process, "a", "rejected")["a"] == found["a"]
    again = settle(process, "a", "approved")["after_a"]
    assert not side_by_side(again, found["a"])
    assert side_by_side(again, found["c"])
    for name in ("after_a", "b"):
        settle(process, name, "approved")
    assert settle(process, "c", "approved")["last"] == {}


def test_a_person_has_one_seat_among_parallel_approvals_unless_both_allow_more() -> None:
    a, b = {"main split": 0}, {"main split": 1}

    def refused(by: str, seat: str, verdict: str = "approved", *, both: tuple[bool, bool] = (False, False)) -> bool:
        votes = [Vote(by, seat, verdict, a, both[0])]
        found = barred({"ben", "cat"}, makers=(), four_eyes=True, branches=b, in_parallel=both[1], votes=votes)
        return found is not None and found.code == "seat_taken"

    assert refused("ben", "ben")
    assert refused("eve", "cat")
    assert refused("ben", "eve", "rejected")
    assert not refused("eve", "eve")
    assert not refused("ben", "ben", "abstained")
    assert refused("ben", "ben", both=(True, False))
    assert refused("ben", "ben", both=(False, True))
    assert not refused("ben", "ben", both=(True, True))


def test_items_of_a_loop_are_no_branches() -> None:
    process = Process(
        main_slot(
            """
            nodes:
              - id: each
                type: for_each
                config:
                  items: payload.lines
                  mode: parallel
                  body:
                    nodes:
                      - {id: a, type: approval, config: {approvers: [{kind: role, role: x}]}}
                    edges:
                      - {source: in, target: a}
                      - {source: a, target: out, outcome: approved}
                      - {source: a, target: out, outcome: rejected}
                    exit_edge_mode: join
            edges:
              - {source: in, target: each}
              - {source: each, target: out}
            """
        ),
        payload={"lines": [1, 2]},
    )
    waiting = [token for token in process.position.tokens.values() if token.state == "waiting"]
    assert len(waiting) == 2
    assert [branches_of(each, process.position.tokens, process.position.forks) for each in waiting] == [{}, {}]
