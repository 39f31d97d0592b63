"""Claims go on behind what was claimed a moment ago, and whatever comes to lie before that is found all the same."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest

from holdfast import Holdfast
from holdfast.runs import NewRun, Run
from holdfast.runs.marks import AT_THE_HEAD, Marks, Start
from runs.conftest import TYPE, working
from runs.test_plans import pages

LANE = ("acme", TYPE)
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)

ONE = "SELECT * FROM holdfast.claim_lane('w', %s, 'test.work.v1', %s, '30 s', false, now(), %s::holdfast.run_mark, %s)"
SEVERAL = (
    "SELECT * FROM holdfast.claim_runs('w', ARRAY[%s::uuid], '{test.work.v1}', ARRAY[%s::int], '{30 s}', false, "
    "'exceptions', now(), '{false}', ARRAY[%s::holdfast.run_mark], ARRAY[%s::boolean])"
)


class Claims:
    """Claims from one lane of a tenant, by one of the two functions."""

    def __init__(self, superuser: psycopg.Connection[Any], tenant: UUID, function: str) -> None:
        self.superuser = superuser
        self.tenant = tenant
        self.statement = ONE if function == "claim_lane" else SEVERAL

    def values(self, quota: int, mark: str | None, thorough: bool) -> list[Any]:
        return [self.tenant, quota, mark, thorough]

    def take(self, quota: int, mark: str | None = None, *, thorough: bool = True) -> tuple[list[str], str | None]:
        """The payloads, and the next mark."""
        rows = self.superuser.execute(self.statement, self.values(quota, mark, thorough)).fetchall()
        marks = [row["next_mark"] for row in rows if row["next_mark"]]
        return [row["payload"].strip('"') for row in rows], marks[0] if marks else None


@pytest.fixture(params=["claim_lane", "claim_runs"])
async def claims(app: Holdfast, superuser: psycopg.Connection[Any], request: pytest.FixtureRequest) -> Claims:
    async with app.tenant("acme") as hold:
        return Claims(superuser, hold.tenant.id, request.param)


async def fill(app: Holdfast, *payloads: str, priority: int = 0, run_at: datetime | None = None) -> None:
    await app.enqueue_many("acme", [NewRun(TYPE, one, priority=priority, run_at=run_at) for one in payloads])


async def test_a_claim_goes_on_where_the_last_one_ended(app: Holdfast, claims: Claims) -> None:
    await fill(app, *"abcdef")
    assert (first := claims.take(2))[0] == ["a", "b"]
    await fill(app, "older", run_at=LONG_AGO)
    assert (second := claims.take(2, first[1]))[0] == ["c", "d"]
    assert claims.take(1)[0] == ["older"]
    assert claims.take(9, second[1])[0] == ["e", "f"]


async def test_what_is_more_important_is_found_before_a_mark(app: Holdfast, claims: Claims) -> None:
    await fill(app, *"abcdef")
    _, mark = claims.take(2)
    await fill(app, "less", priority=-5)
    await fill(app, "more", "much", priority=5)
    first, mark = claims.take(2, mark)
    assert first == ["more", "much"]
    # It ended among those: what comes behind them is less important.
    assert claims.take(4, mark)[0] == ["c", "d", "e", "f"]
    assert claims.take(4, mark)[0] == ["less"]


async def test_where_nothing_is_behind_the_mark_everything_is_asked_for(app: Holdfast, claims: Claims) -> None:
    await fill(app, *"ab")
    _, mark = claims.take(2)
    await fill(app, "older", run_at=LONG_AGO)
    await fill(app, "less", priority=-5)
    assert claims.take(5, mark)[0] == ["older", "less"]


async def test_a_claim_that_is_not_thorough_leaves_it_at_what_is_behind_the_mark(app: Holdfast, claims: Claims) -> None:
    await fill(app, *"abc")
    _, mark = claims.take(2)
    await fill(app, "older", run_at=LONG_AGO)
    await fill(app, "less", priority=-5)
    found, mark = claims.take(5, mark, thorough=False)
    assert found == ["c"]
    assert claims.take(5, mark, thorough=False) == ([], None)
    await fill(app, "more", priority=5)
    assert claims.take(5, mark, thorough=False)[0] == ["more"]
    # Without a mark there is nothing else to begin with than the head.
    found, mark = claims.take(5, None, thorough=False)
    assert found == ["older", "less"]
    assert mark is not None


async def test_a_thorough_claim_that_finds_too_little_asks_for_everything(
    app: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    async with app.tenant("acme") as hold:
        claims = Claims(superuser, hold.tenant.id, "claim_lane")
    await fill(app, *"abcd")
    _, mark = claims.take(2)
    await fill(app, "older", run_at=LONG_AGO)
    assert claims.take(1, mark, thorough=True)[0] == ["c"]
    assert claims.take(5, mark, thorough=False)[0] == ["d"]
    await fill(app, "e")
    assert claims.take(5, mark, thorough=True) == (["older", "e"], None)


async def test_of_several_lanes_none_waits_for_what_is_behind_the_mark_of_another(
    app: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    await app.enqueue_many("acme", [NewRun(kind, name) for name in "abcd" for kind in ("test.one.v1", "test.two.v1")])
    claim = (
        "SELECT * FROM holdfast.claim_runs('w', ARRAY[%(tenant)s, %(tenant)s]::uuid[], '{test.one.v1,test.two.v1}', "
        "'{4,4}', '{30 s,30 s}', false, 'exceptions', now(), '{false,false}', %(marks)s::holdfast.run_mark[])"
    )
    first = superuser.execute(claim, {"tenant": tenant, "marks": []}).fetchall()
    assert sorted((row["type"], row["payload"]) for row in first) == [
        (kind, f'"{name}"') for kind in ("test.one.v1", "test.two.v1") for name in "ab"
    ]
    marks = {row["type"]: row["next_mark"] for row in first if row["next_mark"]}
    await app.enqueue("acme", "test.two.v1", "older", run_at=LONG_AGO)
    superuser.execute(
        "DELETE FROM holdfast.workflow_run_live WHERE type = 'test.two.v1' AND status = 'pending' AND run_at > %s",
        [LONG_AGO],
    )
    second = superuser.execute(
        claim, {"tenant": tenant, "marks": [marks["test.one.v1"], marks["test.two.v1"]]}
    ).fetchall()
    assert {(row["type"], row["payload"]) for row in second} == {
        ("test.one.v1", '"c"'),
        ("test.one.v1", '"d"'),
        ("test.two.v1", '"older"'),
    }


async def test_a_paused_lane_gives_nothing_behind_a_mark_either(app: Holdfast, claims: Claims) -> None:
    await fill(app, *"abcd")
    _, mark = claims.take(2)
    async with app.tenant("acme") as hold:
        await hold.runs.pause("test.")
    assert claims.take(5, mark) == ([], None)


async def test_what_is_gone_costs_a_claim_nothing_while_nobody_may_forget_it(
    app: Holdfast, claims: Claims, superuser: psycopg.Connection[Any], holdfast_dsn: str
) -> None:
    with psycopg.connect(holdfast_dsn) as reader:
        # Somebody's report: as long as it lasts, no entry of the index can be given up.
        reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        reader.execute("SELECT count(*) FROM holdfast.tenants")
        await app.enqueue_many("acme", (NewRun(TYPE, str(number)) for number in range(12_000)))
        superuser.execute("ANALYZE holdfast.workflow_run_live")
        mark = None
        for _ in range(20):
            found, mark = claims.take(500, mark)
            assert len(found) == 500
        counted = [pages(superuser, claims.statement, claims.values(5, mark, True)) for _ in range(9)]
        from_the_head = pages(superuser, claims.statement, claims.values(5, None, True))
    assert 3 * max(counted[2:]) < from_the_head, (counted, from_the_head)


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize("types", [1, 2])
async def test_a_run_that_comes_to_lie_before_the_mark_does_not_wait_for_the_backlog(
    live: Holdfast, types: int, slow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.runs.marks._SLOW", 0)
    monkeypatch.setattr("holdfast.runs.marks._SLOW_SECONDS", 0.0 if slow else 60.0)
    order: list[int] = []
    done = asyncio.Event()
    kinds = [f"test.kind{number}.v1" for number in range(types)]

    async def work(run: Run, number: int) -> None:
        order.append(number)
        if len(order) == 1000:
            await live.enqueue("acme", kinds[0], -1, run_at=LONG_AGO)
        if number == -2:
            done.set()
        elif len(order) == 20_001:
            # Nothing is behind the mark any more.
            await live.enqueue("acme", kinds[0], -2, run_at=LONG_AGO)

    for kind in kinds:
        live.handler(kind)(work)
    await live.enqueue_many("acme", (NewRun(kinds[number % types], number) for number in range(20_000)))
    async with working(live), asyncio.timeout(60):
        await done.wait()
    assert order.index(-1) < 15_000
    assert sorted(order) == list(range(-2, 20_000))


def test_a_lane_rests_ten_times_as_long_as_its_head_took() -> None:
    marks = Marks()
    assert marks.start(LANE, 100.0) == AT_THE_HEAD
    marks.note(LANE, AT_THE_HEAD, 100.0, 100.01, "here")
    assert marks.start(LANE, 100.02) == Start("here", True)
    marks.note(LANE, Start("here", True), 100.02, 100.03, "there")
    assert marks.start(LANE, 100.10) == Start("there", True)
    assert marks.start(LANE, 100.12) == AT_THE_HEAD
    # While that one is under way, others do not follow it.
    assert marks.start(LANE, 100.13) == Start("there", True)
    assert marks.start(("acme", "other"), 100.13) == AT_THE_HEAD


def test_a_lane_that_gave_too_little_has_no_mark() -> None:
    marks = Marks()
    marks.note(LANE, AT_THE_HEAD, 100.0, 100.01, "here")
    marks.note(LANE, Start("here", True), 100.02, 100.03, None)
    assert marks.start(LANE, 100.04) == AT_THE_HEAD


def test_a_head_is_slow_only_beside_what_claims_take_anyway() -> None:
    marks = Marks()
    marks.note(LANE, AT_THE_HEAD, 100.0, 100.1, "here")
    assert marks.rests(LANE, 100.2)
    marks.note(LANE, Start("here", False), 100.2, 100.3, "there")
    marks.note(LANE, AT_THE_HEAD, 102.0, 102.1, "there")
    assert not marks.rests(LANE, 102.2)
    assert marks.start(LANE, 102.2) == Start("there", True)


def test_a_slow_head_is_spared_but_not_for_long() -> None:
    marks = Marks()
    marks.note(LANE, AT_THE_HEAD, 100.0, 101.0, "here")
    assert marks.rests(LANE, 102.0)
    assert marks.start(LANE, 102.0) == Start("here", False)
    # It had less than was asked for; what comes next comes behind the mark all the same.
    marks.note(LANE, Start("here", False), 102.0, 102.1, None)
    assert marks.start(LANE, 102.2) == Start("here", False)
    assert marks.rest(LANE, 102.2) == pytest.approx(3.8)
    assert not marks.rests(LANE, 106.1)
    assert marks.start(LANE, 106.1) == AT_THE_HEAD
    marks.note(LANE, AT_THE_HEAD, 106.1, 107.1, None)
    assert marks.start(LANE, 107.2) == Start("here", False)
