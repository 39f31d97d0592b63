"""Quorum as a property: what votes amount to does not depend on their order, and never on fewer people than needed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.envelope.people import next_in_turn, reached

NAMES = [f"p{number}" for number in range(6)]
VERDICTS = st.sampled_from(["approved", "rejected", "returned", "abstained"])
REQUIRED = st.one_of(st.sampled_from(["any", "all"]), st.integers(1, 8).map(str))
VOTES = st.dictionaries(st.sampled_from(NAMES), VERDICTS)


@given(REQUIRED, st.sets(st.sampled_from(NAMES), min_size=1), VOTES)
def test_a_number_in_favour_is_never_lowered(required: str, asked: set[str], votes: dict[str, str]) -> None:
    in_favour = sum(vote == "approved" for vote in votes.values())
    if reached(required, asked, votes) == "approved":
        assert in_favour >= (int(required) if required.isdigit() else 1)
        if required == "all":
            assert all(votes.get(name) in ("approved", "abstained") for name in asked)


@given(REQUIRED, st.sets(st.sampled_from(NAMES), min_size=1), VOTES)
def test_nobody_is_refused_without_a_vote_against_or_everybody_abstaining(
    required: str, asked: set[str], votes: dict[str, str]
) -> None:
    if reached(required, asked, votes) == "rejected":
        against = any(vote in ("rejected", "returned") for vote in votes.values())
        assert against or all(vote == "abstained" for vote in votes.values())


@given(REQUIRED, st.sets(st.sampled_from(NAMES), min_size=1), st.permutations(NAMES), st.data())
def test_an_outcome_once_reached_is_reached_in_every_order_of_the_same_votes(
    required: str, asked: set[str], order: list[str], data: st.DataObject
) -> None:
    votes = {name: data.draw(VERDICTS) for name in order if name in asked}
    assert reached(required, asked, votes) == reached(required, asked, dict(sorted(votes.items())))


@given(st.sets(st.sampled_from(NAMES), min_size=1))
def test_when_everybody_agrees_it_is_approved_and_when_nobody_has_voted_it_is_open(asked: set[str]) -> None:
    for required in ("any", "all", str(len(asked))):
        assert reached(required, asked, dict.fromkeys(asked, "approved")) == "approved"
        assert reached(required, asked, {}) is None
    assert reached(str(len(asked) + 1), asked, dict.fromkeys(asked, "approved")) is None


@given(st.sets(st.sampled_from(NAMES), min_size=1))
def test_everybody_has_a_turn(names: set[str]) -> None:
    last, seen = None, []
    for _ in names:
        last = next_in_turn(sorted(names), last)
        seen.append(last)
    assert sorted(seen) == sorted(names)
    assert next_in_turn(sorted(names), last) == seen[0]


@pytest.mark.parametrize(
    ("required", "asked", "decisions", "outcome"),
    [
        ("any", "abc", {}, None),
        ("any", "abc", {"a": "approved"}, "approved"),
        ("any", "abc", {"a": "rejected"}, "rejected"),
        ("all", "ab", {"a": "approved"}, None),
        ("all", "ab", {"a": "approved", "b": "approved"}, "approved"),
        ("all", "ab", {"b": "rejected"}, "rejected"),
        ("2", "abc", {"a": "approved", "b": "rejected"}, None),
        ("2", "abc", {"a": "approved", "b": "rejected", "c": "approved"}, "approved"),
        ("2", "abc", {"a": "rejected", "b": "rejected"}, "rejected"),
        ("5", "ab", {"a": "approved", "b": "approved"}, None),
    ],
)
def test_several_answers_amount_to_one(
    required: str, asked: str, decisions: dict[str, str], outcome: str | None
) -> None:
    assert reached(required, list(asked), decisions) == outcome
