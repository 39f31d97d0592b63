"""Sharing slots between lanes: fair, by weight, within limits, and never forgetting one that has work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from holdfast.runs.lanes import Claim, Lanes

names = st.sampled_from("abcdefgh")


def plenty(_: str) -> int:
    return 1000


def takes(room: Counter[str], kind: str | None = None) -> Callable[[list[Claim]], None]:
    """Less room for whatever is promised; with a kind, all types share that one's, and a tenant's lanes what it has."""

    def promise(claims: list[Claim]) -> None:
        if kind is None:
            room.subtract({claim.type: claim.quota for claim in claims})
        else:
            room[kind] -= max((claim.quota for claim in claims), default=0)

    return promise


@given(st.lists(st.tuples(names, names), min_size=1), st.integers(0, 50))
def test_no_more_is_asked_of_a_tenant_than_there_are_places(lanes: list[tuple[str, str]], slots: int) -> None:
    known = Lanes()
    for tenant, kind in lanes:
        known.add(tenant, kind)
    claims = known.choose(slots, plenty)
    per_tenant = {claim.tenant: claim.quota for claim in claims}
    assert sum(per_tenant.values()) <= slots
    assert all(claim.quota > 0 for claim in claims)


@given(st.sets(names, min_size=1), st.integers(1, 3))
def test_every_tenant_has_its_turn(tenants: set[str], slots: int) -> None:
    known = Lanes()
    for tenant in tenants:
        known.add(tenant, "work")
    served: list[str] = []
    for _ in range(len(tenants)):
        served += [claim.tenant for claim in known.choose(slots, plenty)]
    assert set(served) == tenants


def test_weights_share_the_places() -> None:
    known = Lanes()
    known.add("a", "work", 3)
    known.add("b", "work", 1)
    assert {claim.tenant: claim.quota for claim in known.choose(8, plenty)} == {"a": 6, "b": 2}


@given(st.lists(st.integers(1, 9), min_size=60, max_size=60))
def test_weights_hold_however_few_places_come_free_at_once(slots: list[int]) -> None:
    known = Lanes()
    weights = {"a": 3, "b": 1, "c": 2}
    for tenant, weight in weights.items():
        make_rich(known, tenant, "work", weight)
    given_slots: Counter[str] = Counter()
    for free in slots:
        claims = known.choose(free, plenty)
        assert sum(claim.quota for claim in claims) == free, "a free slot is not left empty while somebody waits"
        given_slots.update({claim.tenant: claim.quota for claim in claims})
    for tenant, weight in weights.items():
        assert abs(given_slots[tenant] - sum(slots) * weight / 6) <= 9


def test_a_tenant_that_cannot_be_asked_now_does_not_hold_up_the_others() -> None:
    known = Lanes()
    make_rich(known, "b", "work")
    known.add("a", "work", 100)
    assert {claim.tenant for claim in known.choose(1000, plenty)} == {"a", "b"}
    assert [claim.tenant for claim in known.choose(1, plenty)] == ["b"], "of a, the answer to a claim is not there yet"


def test_what_a_type_has_no_room_for_goes_to_others() -> None:
    known = Lanes()
    known.add("a", "narrow")
    known.add("b", "wide")
    room = Counter(narrow=1, wide=1000)
    claims = known.choose(8, room.__getitem__, takes(room))
    assert {claim.tenant: claim.quota for claim in claims} == {"a": 1, "b": 7}


@given(
    st.lists(st.integers(1, 4), min_size=60, max_size=60),
    st.sampled_from(["one type", "each its own"]),
    st.sampled_from([{"a": 1, "b": 1, "c": 1}, {"a": 3, "b": 1, "c": 2}]),
)
def test_weights_hold_where_there_are_places_but_little_room(
    rooms: list[int], kinds: str, weights: dict[str, int]
) -> None:
    known = Lanes()
    for tenant, weight in weights.items():
        make_rich(known, tenant, "work" if kinds == "one type" else f"work of {tenant}", weight)
    given_slots: Counter[str] = Counter()
    for free in rooms:
        # The room is that of all types together, as that of the threads is.
        room = Counter(all=free)
        claims = known.choose(100, lambda _, room=room: room["all"], takes(room, "all"))  # type: ignore[misc]
        assert sum(claim.quota for claim in claims) == free, "room is not left empty while somebody waits"
        given_slots.update({claim.tenant: claim.quota for claim in claims})
    for tenant, weight in weights.items():
        assert abs(given_slots[tenant] - sum(rooms) * weight / sum(weights.values())) <= 9


def test_a_type_without_room_is_not_asked_for() -> None:
    known = Lanes()
    known.add("a", "full")
    known.add("a", "free")
    room = Counter(full=0, free=2)
    claims = known.choose(5, room.__getitem__, takes(room))
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
    known = rich()
    assert [known.by_age(known.choose(1, plenty)) for _ in range(16)].count(True) == 2


def test_a_turn_that_may_not_go_by_age_leaves_it_to_the_next_one() -> None:
    known = rich()
    assert not any(known.by_age(known.choose(1, plenty), may=False) for _ in range(20))
    assert known.by_age(known.choose(1, plenty))
    assert not known.by_age(known.choose(1, plenty))


@given(st.integers(1, 9), st.integers(1, 9))
def test_every_tenant_has_its_eighth_turn_by_age(tenants: int, slots: int) -> None:
    known = Lanes()
    for tenant in range(tenants):
        make_rich(known, str(tenant), "work")
    by_age: Counter[str] = Counter()
    for _ in range(16 * tenants):
        claims = known.choose(slots, plenty)
        if known.by_age(claims):
            by_age.update(claim.tenant for claim in claims)
    assert set(by_age) == {str(tenant) for tenant in range(tenants)}


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
    make_rich(lanes, "acme", "a")
    return lanes


def make_rich(lanes: Lanes, tenant: str, kind: str, weight: int | None = None) -> None:
    """A lane that has given all it was asked for, so that several claims may ask it at once."""
    lanes.add(tenant, kind, weight)
    for claim in lanes.choose(1000, plenty):
        lanes.settle(claim, found=True)


def test_tenants_that_have_come_and_gone_are_forgotten_in_the_end_and_busy_ones_never() -> None:
    known = Lanes()
    known.add("busy", "work", 3)
    for number in range(20_000):
        tenant = f"t{number}"
        known.add(tenant, "work", 2)
        claims = [claim for claim in known.choose(4, plenty) if claim.tenant == tenant]
        known.by_age(claims)
        for claim in claims:
            known.settle(claim, found=True, dry=True)
    assert len(known) == 1
    assert len(known._weights) < 3000
    assert len(known._asked) < 3000
    known.add("other", "work", 1)
    for claim in known.choose(1, plenty):
        known.settle(claim, found=True)
    assert known._weight("busy") == 3
    assert known._weight("t19999") == 2, "one that had something a moment ago is known"
