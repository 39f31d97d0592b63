"""The fence: whoever lost a session saves nothing of it any more, at whatever moment it was lost."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg.rows import dict_row

from harness.waiting import kept_waiting
from holdfast import Holdfast
from holdfast.errors import LeaseLost
from holdfast.kernel.ids import uuid7
from holdfast.sessions.store import Blob, Fence, Save, SavedCheckpoint, SavedMessage, Store, Write

Row = dict[str, Any]

CLAIM = (
    "SELECT id, lease_epoch FROM holdfast.claim_runs('w', %s, '{session.execute.v1.chain}', '{1}', '{1 hour}', false, "
    "'exceptions', now())"
)
RELEASE = "UPDATE holdfast.workflow_run_live SET status = 'pending', lease_until = NULL, leased_by = NULL WHERE id = %s"
BEGIN = "SELECT outcome FROM holdfast.begin_session(%s, %s, %s, %s, now())"


@dataclass
class Bench:
    app: Holdfast
    superuser: psycopg.Connection[Row]
    store: Store

    async def started(self, name: str) -> Fence:
        """A session that somebody executes: epoch 1."""
        async with self.app.tenant("acme") as hold:
            made = await hold.sessions.start("chain", {"n": 0}, name=name)
            tenant = hold.tenant.id
        row = self.superuser.execute(CLAIM, [[tenant]]).fetchone()
        assert row is not None
        fence = Fence(tenant, made.id, row["id"], row["lease_epoch"])
        assert self.begin(fence) == "ours"
        return fence

    def begin(self, fence: Fence) -> str:
        row = self.superuser.execute(BEGIN, [fence.tenant, fence.session, fence.run, fence.epoch]).fetchone()
        assert row is not None
        return str(row["outcome"])

    def claimed_again(self, fence: Fence) -> Fence:
        self.superuser.execute(RELEASE, [fence.run])
        row = self.superuser.execute(CLAIM, [[fence.tenant]]).fetchone()
        assert row is not None
        return fence._replace(epoch=row["lease_epoch"])

    def stored(self, session: UUID) -> Row:
        row = self.superuser.execute(
            "SELECT (SELECT count(*) FROM holdfast_langgraph.checkpoints) AS checkpoints, "
            "(SELECT count(*) FROM holdfast_langgraph.checkpoint_blobs) AS blobs, "
            "(SELECT count(*) FROM holdfast_langgraph.checkpoint_writes) AS writes, "
            "(SELECT count(*) FROM holdfast.session_messages WHERE workflow_session_id = %s) AS messages, "
            "(SELECT last_sequence FROM holdfast.workflow_sessions WHERE id = %s) AS last",
            [session, session],
        ).fetchone()
        assert row is not None
        return row


def everything(fence: Fence, number: int) -> Save:
    body = {"ts": "2026-01-01T00:00:00Z", "channel_versions": {"a": str(number)}}
    return Save(
        fence,
        [SavedCheckpoint(space="", id=f"c{number}", parent=None, body=body, meta={})],
        [Blob("", "a", str(number), "msgpack", b"x")],
        [
            Write("", f"c{number}", "task", "", 0, "a", "msgpack", b"y", False),
            Write("", f"c{number}", "task", "", -3, "__interrupt__", "msgpack", b"z", True),
        ],
        [SavedMessage(id=uuid7(), type="agent", content={"message": str(number)})],
    )


@pytest.fixture
async def bench(live: Holdfast, superuser: psycopg.Connection[Row]) -> Bench:
    return Bench(live, superuser, Store(live.database, live.clock))


async def test_a_holder_saves_everything_at_once(bench: Bench) -> None:
    fence = await bench.started("s")
    await bench.store.save(everything(fence, 1))
    assert bench.stored(fence.session) == {"checkpoints": 1, "blobs": 1, "writes": 2, "messages": 2, "last": 2}


async def test_once_its_run_is_claimed_by_another_nothing_is_saved(bench: Bench) -> None:
    zombie = await bench.started("s")
    await bench.store.save(everything(zombie, 1))
    before = bench.stored(zombie.session)
    successor = bench.claimed_again(zombie)
    assert successor.epoch == zombie.epoch + 1
    # The successor has not begun yet, and still: the lease is another's.
    with pytest.raises(LeaseLost):
        await bench.store.save(everything(zombie, 2))
    assert bench.stored(zombie.session) == before
    assert bench.begin(zombie) == "lost"
    assert bench.begin(successor) == "ours"
    with pytest.raises(LeaseLost):
        await bench.store.save(everything(zombie, 2))
    assert bench.stored(zombie.session) == before
    await bench.store.save(everything(successor, 2))
    assert bench.stored(zombie.session)["checkpoints"] == 2


async def test_a_save_that_waits_for_the_successor_to_begin_is_refused(
    bench: Bench, holdfast_dsn: str, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    """The zombie's lease was good when its statement began; the successor's beginning is what it waits for."""
    zombie = await bench.started("s")
    before = bench.stored(zombie.session)
    async with await AsyncConnection.connect(holdfast_dsn, row_factory=dict_row) as other:
        await other.execute(RELEASE, [zombie.run])
        claimed = await (await other.execute(CLAIM, [[zombie.tenant]])).fetchone()
        assert claimed is not None
        epoch = claimed["lease_epoch"]
        begun = await (await other.execute(BEGIN, [zombie.tenant, zombie.session, zombie.run, epoch])).fetchone()
        assert begun == {"outcome": "ours"}
        saving = asyncio.create_task(bench.store.save(everything(zombie, 1)))
        await kept_waiting(superuser)
        assert not saving.done()
        await other.commit()
        with pytest.raises(LeaseLost):
            await saving
    assert bench.stored(zombie.session) == before


async def test_in_a_batch_only_the_zombie_is_refused(bench: Bench) -> None:
    zombie, sound = await bench.started("z"), await bench.started("s")
    bench.claimed_again(zombie)
    outcomes = await asyncio.gather(
        *(bench.store.save(everything(fence, number)) for fence in (zombie, sound) for number in (1, 2)),
        return_exceptions=True,
    )
    assert [type(one) for one in outcomes] == [LeaseLost, LeaseLost, bool, bool]
    assert bench.store.commits == 1
    assert bench.stored(zombie.session)["messages"] == 1
    assert bench.stored(sound.session) == {"checkpoints": 2, "blobs": 2, "writes": 4, "messages": 3, "last": 3}


async def test_saving_again_after_a_lost_answer_adds_nothing(bench: Bench, superuser: psycopg.Connection[Row]) -> None:
    fence = await bench.started("s")
    from holdfast.postgres.queries import queries
    from holdfast.sessions.store import _packed

    values, _ = _packed([everything(fence, 1)])
    for again in (False, True, True):
        superuser.execute(queries("sessions")["save"], values | {"again": again, "now": None})
    assert bench.stored(fence.session) == {"checkpoints": 1, "blobs": 1, "writes": 2, "messages": 2, "last": 2}


async def test_a_zombie_neither_waits_nor_finishes(bench: Bench, superuser: psycopg.Connection[Row]) -> None:
    zombie = await bench.started("s")
    bench.claimed_again(zombie)
    for statement in (
        "SELECT holdfast.finish_session(%s, %s, %s, %s, '{}', NULL, NULL, NULL, NULL, NULL, now()) AS it",
        "SELECT holdfast.finish_session(%s, %s, %s, %s, NULL, NULL, NULL, NULL, 'broken', NULL, now()) AS it",
        "SELECT holdfast.wait_for_input(%s, %s, %s, %s, '{p}', '{\"{}\"}', '{NULL}', '{NULL}', now()) AS it",
    ):
        assert superuser.execute(statement, list(zombie)).fetchone() == {"it": "lost"}
    async with bench.app.tenant("acme") as hold:
        assert (await hold.sessions.get("s")).status == "running"
        assert await hold.sessions.prompts("s", open_only=False) == []


@pytest.mark.parametrize("content", ["a\0b", 10**30, object()])
async def test_a_save_that_cannot_be_stored_does_not_harm_its_neighbours(bench: Bench, content: Any) -> None:
    bad, sound = await bench.started("b"), await bench.started("s")
    broken = everything(bad, 1)
    broken.messages[0]["content"] = {"message": content}
    outcomes = await asyncio.gather(
        bench.store.save(broken), bench.store.save(everything(sound, 2)), return_exceptions=True
    )
    assert "cannot store" in str(outcomes[0])
    assert outcomes[1] is False
    assert bench.stored(sound.session)["messages"] == 2


async def test_large_saves_go_one_after_the_other_and_one_that_is_too_large_not_at_all(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.sessions.store._MOST_BYTES", 1500)
    monkeypatch.setattr("holdfast.sessions.store._LARGEST", 5000)
    fence = await bench.started("s")
    saves = [everything(fence, number) for number in range(4)]
    for save, size in zip(saves, (1000, 1000, 6000, 1000), strict=True):
        save.blobs[:] = [save.blobs[0]._replace(blob=b"x" * size)]
    outcomes = await asyncio.gather(*map(bench.store.save, saves), return_exceptions=True)
    assert "a step of the session wrote 6002 bytes, the limit is 5000" in str(outcomes[2])
    assert [outcomes[place] for place in (0, 1, 3)] == [False, False, False]
    assert bench.store.commits == 3
    assert bench.stored(fence.session)["blobs"] == 3
