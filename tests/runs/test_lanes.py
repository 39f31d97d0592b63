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


def test_an_empty_answer_means_nothing_while_another_claim_holds_the_locks() -> None:
    known = Lanes()
    known.add("a", "work")
    (first,) = known.choose(1, plenty)
    (second,) = known.choose(1, plenty)
    known.settle(second, found=False)
    assert len(known) == 1
    known.settle(first, found=True)
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
