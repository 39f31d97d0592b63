"""Fair shares: nobody has all, whoever comes finds something, and what is given back goes to who has least."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import OperationalError, ShareUsedUp
from holdfast.postgres.shares import Shares


async def fill(shares: Shares, tenant: str, *tokens: str) -> int:
    """How many places a tenant gets before it has to wait."""
    taken = 0
    while True:
        try:
            await shares.take(tenant, tokens[taken % len(tokens)])
        except (ShareUsedUp, OperationalError):
            return taken
        taken += 1


async def test_a_tenant_alone_gets_half_and_each_further_one_part_of_the_rest() -> None:
    shares = Shares(10, wait=0.01)
    assert [await fill(shares, name, *"abcdef") for name in ("one", "two", "three", "four")] == [5, 3, 1, 1]


async def test_a_token_alone_gets_a_third_and_leaves_some_to_its_tenants_others() -> None:
    shares = Shares(9, wait=0.01)
    assert await fill(shares, "acme", "greedy") == 3
    await shares.take("acme", "other")
    await shares.take("globex", "any")


async def test_one_place_is_for_whoever_comes_first() -> None:
    shares = Shares(1, wait=0.01)
    await shares.take("acme", "a")
    with pytest.raises(ShareUsedUp):
        await shares.take("acme", "b")
    with pytest.raises(OperationalError):
        await shares.take("globex", "c")
    shares.give_back("acme", "a")
    await shares.take("globex", "c")


async def test_who_waits_gets_what_is_given_back_in_turn_and_who_has_least_first() -> None:
    shares = Shares(6, wait=5)
    for tenant, token in (("acme", "a"), ("acme", "b"), ("acme", "e"), ("globex", "g"), ("initech", "i")):
        await shares.take(tenant, token)
    order: list[str] = []

    async def wait_for(tenant: str, token: str) -> None:
        await shares.take(tenant, token)
        order.append(token)

    waiting = [
        asyncio.create_task(wait_for(tenant, token))
        for tenant, token in (("acme", "c"), ("acme", "d"), ("globex", "h"))
    ]
    for _ in range(3):
        await asyncio.sleep(0)
    shares.give_back("acme", "a")
    await waiting[2]
    assert order == ["h"]
    for tenant, token in (("acme", "b"), ("initech", "i"), ("globex", "g"), ("globex", "h")):
        shares.give_back(tenant, token)
    await asyncio.gather(*waiting)
    assert order == ["h", "c", "d"]


async def test_who_gives_up_takes_nothing_with_them() -> None:
    shares = Shares(1, wait=5)
    await shares.take("acme", "a")
    early, late = (asyncio.create_task(shares.take("acme", token)) for token in ("b", "c"))
    await asyncio.sleep(0)
    early.cancel()
    await asyncio.gather(early, return_exceptions=True)
    shares.give_back("acme", "a")
    # Cancelled in the moment in which its turn comes.
    late.cancel()
    await asyncio.gather(late, return_exceptions=True)
    assert shares.free == 1
    assert not shares._waiting
    assert not shares._in_use


async def test_who_would_wait_behind_too_many_is_refused_at_once() -> None:
    shares = Shares(1, wait=60)
    await shares.take("acme", "a")
    waiting = [asyncio.create_task(shares.take("acme", "a")) for _ in range(200)]
    await asyncio.sleep(0)
    with pytest.raises(ShareUsedUp):
        await shares.take("acme", "a")
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_large_things_are_shared_by_their_size() -> None:
    shares = Shares(100, wait=0.01)
    await shares.take("acme", "a", 30)
    with pytest.raises(ShareUsedUp):
        await shares.take("acme", "b", 60)
    await shares.take("globex", "g", 60)


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("ab"), st.integers(1, 4), st.booleans())))
async def test_nothing_is_lent_twice_and_all_of_it_comes_back(moves: list[tuple[str, str, int, bool]]) -> None:
    shares = Shares(10, wait=0.0001)
    held: Counter[tuple[str, str, int]] = Counter()
    for tenant, token, count, back in moves:
        if back and held[tenant, token, count]:
            shares.give_back(tenant, token, count)
            held[tenant, token, count] -= 1
        else:
            try:
                await shares.take(tenant, token, count)
            except (ShareUsedUp, OperationalError):
                continue
            held[tenant, token, count] += 1
        taken = sum(size * times for (_, _, size), times in held.items())
        assert shares.free == 10 - taken >= 0
    for (tenant, token, count), times in held.items():
        for _ in range(times):
            shares.give_back(tenant, token, count)
    assert shares.free == 10
    assert not shares._in_use
