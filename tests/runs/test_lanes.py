"""Sharing places between lanes: fair, by weight, within limits, and never forgetting one that has work."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfast.runs.lanes import Lanes

names = st.sampled_from("abcdefgh")


def plenty(_: str) -> int:
    return 1000


@given(st.lists(st.tuples(names, names), min_size=1), st.integers(0, 50))
def test_no_more_is_asked_of_a_tenant_than_there_are_places(lanes: list[tuple[str, str]], places: int) -> None:
    known = Lanes()
    for tenant, kind in lanes:
        known.add(tenant, kind)
    claims = known.choose(places, plenty)
    per_tenant = {claim.tenant: claim.quota for claim in claims}
    assert sum(per_tenant.values()) <= places
    assert all(claim.quota > 0 for claim in claims)


@given(st.sets(names, min_size=1), st.integers(1, 3))
def test_every_tenant_has_its_turn(tenants: set[str], places: int) -> None:
    known = Lanes()
    for tenant in tenants:
        known.add(tenant, "work")
    served: list[str] = []
    for _ in range(len(tenants)):
        served += [claim.tenant for claim in known.choose(places, plenty)]
    assert set(served) == tenants


def test_weights_share_the_places() -> None:
    known = Lanes()
    known.add("a", "work", 3)
    known.add("b", "work", 1)
    assert {claim.tenant: claim.quota for claim in known.choose(8, plenty)} == {"a": 6, "b": 2}


def test_a_type_without_room_is_not_asked_for() -> None:
    known = Lanes()
    known.add("a", "full")
    known.add("a", "free")
    claims = known.choose(5, lambda kind: 0 if kind == "full" else 2)
    assert [(claim.type, claim.quota) for claim in claims] == [("free", 2)]


def test_an_empty_lane_is_forgotten() -> None:
    known = Lanes()
    known.add("a", "work")
    (claim,) = known.choose(1, plenty)
    known.settle(claim, found=False)
    assert len(known) == 0


def test_news_that_came_meanwhile_keeps_the_lane() -> None:
    known = Lanes()
    known.add("a", "work")
    (claim,) = known.choose(1, plenty)
    known.add("a", "work")
    known.settle(claim, found=False)
    assert len(known) == 1


def test_a_broken_off_claim_changes_nothing() -> None:
    known = Lanes()
    known.add("a", "work")
    (claim,) = known.choose(1, plenty)
    known.settle(claim, None)
    assert len(known) == 1


def test_every_eighth_turn_goes_by_age() -> None:
    known = Lanes()
    assert [known.by_age() for _ in range(16)].count(True) == 2


def test_one_claim_at_a_time_asks_a_lane_that_is_not_known_to_be_rich() -> None:
    lanes = Lanes()
    lanes.add("acme", "a")
    (claim,) = lanes.choose(1, plenty)
    assert lanes.choose(1, plenty) == [], "the answer to the first claim is not there yet"
    lanes.settle(claim, found=True)
    assert len(lanes.choose(1, plenty)) == len(lanes.choose(1, plenty)) == 1, "it is rich: several may ask at once"


def test_two_claims_that_both_find_nothing_do_not_keep_each_other_asking() -> None:
    lanes = rich()
    (first,), (second,) = lanes.choose(1, plenty), lanes.choose(1, plenty)
    lanes.settle(first, found=False)
    assert lanes.choose(1, plenty) == [], "the other claim has not come back; asking again would never end"
    lanes.settle(second, found=False)
    assert len(lanes) == 0


def test_a_lane_that_another_claim_found_something_in_is_asked_again() -> None:
    lanes = rich()
    (first,), (second,) = lanes.choose(1, plenty), lanes.choose(1, plenty)
    lanes.settle(first, found=False)
    lanes.settle(second, found=True)
    assert [claim.type for claim in lanes.choose(1, plenty)] == ["a"]


def test_a_lane_that_gave_all_it_had_is_forgotten() -> None:
    lanes = Lanes()
    lanes.add("acme", "a")
    (claim,) = lanes.choose(5, plenty)
    lanes.settle(claim, found=True, dry=True)
    assert len(lanes) == 0


def test_news_that_comes_while_a_lane_is_asked_is_heeded_afterwards() -> None:
    for dry in (True, False):
        lanes = Lanes()
        lanes.add("acme", "a")
        (claim,) = lanes.choose(5, plenty)
        lanes.add("acme", "a")
        lanes.settle(claim, found=dry, dry=dry)
        assert [claim.type for claim in lanes.choose(1, plenty)] == ["a"]


def rich() -> Lanes:
    lanes = Lanes()
    lanes.add("acme", "a")
    (claim,) = lanes.choose(1, plenty)
    lanes.settle(claim, found=True)
    return lanes
