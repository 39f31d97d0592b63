"""Anchors: somebody who rewrites the database, heads and hashes and all, does not rewrite what was said outside."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pydantic import SecretStr

from harness.commands import Commands
from harness.receivers import HttpReceiver, Received, answer
from harness.s3 import serve_bucket
from holdfast import FakeClock, Holdfast, Settings
from holdfast.kernel.keyring import new_key

Row = dict[str, Any]


@asynccontextmanager
async def anchored(dsn: str, clock: FakeClock, place: str, **options: Any) -> AsyncIterator[Holdfast]:
    """An installation that anchors its trail at a place, with a chain of two."""
    settings = Settings.load({}, dsn=dsn, keys=new_key(), audit_anchors=place, **options)
    async with Holdfast(settings, clock=clock) as app:
        await app.tenants.create("acme")
        async with app.tenant("acme") as hold:
            await hold.users.create("ben")
            await hold.users.update("ben", display_name="Ben")
        yield app


async def problems(app: Holdfast, place: str) -> list[str]:
    found = await app.read_anchors(place)
    async with app.tenant("acme") as hold:
        verdict = await hold.audit.verify(anchored=found.of(hold.tenant.id))
    return [*found.problems, *map(str, verdict.breaks)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "anchors.jsonl"


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines(keepends=True)


def write(file: Path, text: str) -> None:
    file.write_text(text)


def rewrite(superuser: psycopg.Connection[Row]) -> None:
    """Take ben's last event out of the database without a trace in it."""
    superuser.execute("DELETE FROM holdfast.workflow_event_chained WHERE event_type = 'user.updated'")
    superuser.execute(
        "UPDATE holdfast.audit_head h SET seq = e.seq, hash = e.hash FROM holdfast.workflow_event_chained e "
        "WHERE e.object_id = h.object_id AND e.event_type = 'user.created'"
    )


async def test_a_rewritten_chain_is_found(
    holdfast_dsn: str, holdfast_clock: FakeClock, file: Path, superuser: psycopg.Connection[Row]
) -> None:
    async with anchored(holdfast_dsn, holdfast_clock, file.as_uri()) as app:
        await app.tidy()
        assert await problems(app, str(file)) == []
        rewrite(superuser)
        async with app.tenant("acme") as hold:
            assert (await hold.audit.verify()).ok  # the database vouches for itself
        [found] = await problems(app, str(file))
        assert "an anchor says otherwise" in found


async def test_a_chain_that_is_gone_is_found(
    holdfast_dsn: str, holdfast_clock: FakeClock, file: Path, superuser: psycopg.Connection[Row]
) -> None:
    async with anchored(holdfast_dsn, holdfast_clock, file.as_uri()) as app:
        await app.tidy()
        superuser.execute("DELETE FROM holdfast.audit_head WHERE seq = 2")
        superuser.execute(
            "DELETE FROM holdfast.workflow_event_chained WHERE event_type IN ('user.created', 'user.updated')"
        )
        [found] = await problems(app, str(file))
        assert "an anchor knows the chain" in found


async def test_they_are_sent_on_a_schedule_and_say_what_moved(
    holdfast_dsn: str, holdfast_clock: FakeClock, file: Path
) -> None:
    async with anchored(holdfast_dsn, holdfast_clock, file.as_uri(), audit_anchor_interval=7200) as app:
        holdfast_clock.advance(timedelta(hours=2))  # more than the overlap of two anchors
        await app.tidy()
        await app.tidy()
        assert len(lines(file)) == 1
        holdfast_clock.advance(7201)
        async with app.tenant("acme") as hold:
            await hold.users.update("ben", display_name="Benjamin")
        await app.tidy()
        first, second = map(json.loads, lines(file))
        assert (len(first["heads"]), len(second["heads"])) == (2, 1)
        assert second["heads"][0][3] == 3
        assert await problems(app, str(file)) == []


@pytest.mark.parametrize(
    ("lost", "said"),
    [(0, "before"), (1, "between"), (2, "after"), (None, "no anchor")],
    ids=["first", "middle", "last", "all"],
)
async def test_a_missing_anchor_is_found(
    holdfast_dsn: str, holdfast_clock: FakeClock, file: Path, lost: int | None, said: str
) -> None:
    async with anchored(holdfast_dsn, holdfast_clock, file.as_uri()) as app:
        for _ in range(3):
            await app.anchor()
            holdfast_clock.advance(timedelta(hours=3))
        kept = [line for place, line in enumerate(lines(file)) if lost is not None and place != lost]
        write(file, "".join(kept))
        found = await problems(app, str(file))
        assert any(said in line for line in found), found


async def test_an_anchor_that_we_did_not_sign_is_found(
    holdfast_dsn: str, holdfast_clock: FakeClock, file: Path
) -> None:
    async with anchored(holdfast_dsn, holdfast_clock, file.as_uri()) as app:
        await app.anchor()
        write(file, lines(file)[0].replace(",2,", ",1,") + "nonsense\n")
        assert sum("not an anchor that we signed" in line for line in await problems(app, str(file))) == 2


async def test_a_place_that_is_away_is_tried_again(
    holdfast_dsn: str, holdfast_clock: FakeClock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place = tmp_path / "away" / "anchors.jsonl"
    async with anchored(holdfast_dsn, holdfast_clock, place.as_uri()) as app:
        await app.tidy()
        assert "was not anchored" in caplog.text
        place.parent.mkdir()
        await app.tidy()
        assert await problems(app, str(place)) == []


async def test_they_go_to_an_address(
    holdfast_dsn: str, holdfast_clock: FakeClock, superuser: psycopg.Connection[Row]
) -> None:
    kept = b""

    async def store(request: Received, writer: Any) -> None:
        nonlocal kept
        kept += request.body
        await answer(writer, 200, kept if request.method == "GET" else b"")

    async with HttpReceiver(store) as receiver:
        url = f"http://ana:hunter2@127.0.0.1:{receiver.port}/trail"
        async with anchored(holdfast_dsn, holdfast_clock, url) as app:
            assert await app.anchor() == {f"http://127.0.0.1:{receiver.port}/trail": 2}
            assert receiver.requests[0].headers["authorization"].startswith("Basic ")
            assert await problems(app, url) == []
            rewrite(superuser)
            assert len(await problems(app, url)) == 1
    row = superuser.execute("SELECT place FROM holdfast.audit_anchor").fetchone()
    assert row is not None
    assert "hunter2" not in row["place"]


async def test_they_go_into_a_bucket(
    holdfast_dsn: str, holdfast_clock: FakeClock, superuser: psycopg.Connection[Row]
) -> None:
    async with serve_bucket("trail") as bucket:
        url = f"s3://trail/acme?region=eu&endpoint={bucket.endpoint}"
        key = SecretStr("id:secret")
        async with anchored(holdfast_dsn, holdfast_clock, url, audit_anchors_key=key) as app:
            await app.anchor()
            holdfast_clock.advance(60)
            await app.anchor()
            assert len(bucket.objects) == 2
            assert await problems(app, url) == []
            rewrite(superuser)
            assert len(await problems(app, url)) == 1


async def test_the_command_says_so(
    holdfast_dsn: str, holdfast_clock: FakeClock, file: Path, superuser: psycopg.Connection[Row], commands: Commands
) -> None:
    async with anchored(holdfast_dsn, holdfast_clock, file.as_uri()) as app:
        assert app.settings.keys is not None
        keys = app.settings.keys.get_secret_value()
    given = {"HOLDFAST_DSN": holdfast_dsn, "HOLDFAST_KEYS": keys, "HOLDFAST_AUDIT_ANCHORS": file.as_uri()}
    assert "2 heads" in commands.run("audit", "anchor", **given).stdout
    assert commands.run("audit", "verify", "--anchors", str(file), **given).returncode == 0
    rewrite(superuser)
    assert commands.run("audit", "verify", **given).returncode == 0
    said = commands.run("audit", "verify", "--anchors", str(file), **given)
    assert said.returncode == 1
    assert "an anchor says otherwise" in said.stdout
