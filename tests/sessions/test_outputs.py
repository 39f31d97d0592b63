"""Outputs that are too large for the database: kept elsewhere, checked when they are read, deleted with the session."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from langgraph.graph import START, StateGraph

from harness.s3 import Bucket, serve_bucket
from harness.waiting import until
from holdfast import Conflict, Holdfast
from holdfast.errors import OperationalError, SettingsError
from holdfast.http import build
from holdfast.sessions import execution
from holdfast.sessions.outputs import open_outputs
from holdfast.settings import Settings
from sessions.conftest import Count, asking, ended, working

Row = dict[str, Any]
KEY = "AKIAEXAMPLE:a-very-secret-secret"
LARGE = 5000


@pytest.fixture(autouse=True)
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is large, for tests."""
    monkeypatch.setattr(execution, "OUTPUT_LIMIT", 1000)


def swelling() -> StateGraph[Any]:
    graph = StateGraph(Count)
    graph.add_node("swell", lambda state: {"note": "x" * state["n"]})
    graph.add_edge(START, "swell")
    return graph


@asynccontextmanager
async def application(dsn: str, **settings: Any) -> AsyncIterator[Holdfast]:
    async with Holdfast(dsn=dsn, worker_poll_interval=0.05, **settings) as app:
        app.graph("swelling", swelling)
        app.graph("asking", asking)
        await app.publish_graphs()
        await app.tenants.create("acme")
        yield app


async def start(app: Holdfast, size: int = LARGE, name: str = "s") -> None:
    async with app.tenant("acme") as hold:
        await hold.sessions.start("swelling", {"n": size}, name=name)


async def output(app: Holdfast, name: str = "s") -> Any:
    async with app.tenant("acme") as hold:
        return await hold.sessions.output(name)


def files(where: Path) -> list[Path]:
    # Looked at while somebody deletes: a directory that goes meanwhile is passed over, which rglob does not do.
    return [Path(directory) / name for directory, _, names in os.walk(where) for name in names]


@pytest.mark.parametrize("kind", ["directory", "bucket"])
async def test_a_large_output_is_kept_elsewhere_and_read_back(holdfast_dsn: str, tmp_path: Path, kind: str) -> None:
    async with AsyncExitStack() as stack:
        settings: dict[str, Any] = {"session_outputs": str(tmp_path)}
        bucket: Bucket | None = None
        if kind == "bucket":
            bucket = await stack.enter_async_context(serve_bucket())
            settings = {
                "session_outputs": f"s3://outputs/large?region=eu-west-1&endpoint={bucket.endpoint}",
                "session_outputs_key": KEY,
            }
        app = await stack.enter_async_context(application(holdfast_dsn, **settings))
        async with working(app):
            await start(app)
            await start(app, 3, "small")
            done = await ended(app, "s")
            assert (await ended(app, "small")).output_reference is None
        assert (done.status, done.output_data) == ("completed", None)
        assert done.output_reference is not None
        assert done.output_reference.startswith("s3://outputs/large/" if bucket else f"file://{tmp_path}/")
        assert done.output_hash is not None
        assert done.output_size == len(json.dumps({"n": LARGE, "note": "x" * LARGE}, separators=(",", ":"))) + len(
            ',"log":[]'
        )
        assert (await output(app))["note"] == "x" * LARGE
        assert (await output(app, "small"))["note"] == "xxx"
        if bucket is not None:
            assert list(bucket.objects) == [done.output_reference.removeprefix("s3://outputs/")]
            assert all("Credential=AKIAEXAMPLE/" in one for one in bucket.signed)


async def test_without_a_place_a_large_output_is_refused(holdfast_dsn: str) -> None:
    async with application(holdfast_dsn) as app, working(app):
        await start(app)
        done = await ended(app, "s")
    assert (done.status, done.error_message) == ("failed", "output data exceeds 100MB limit")


async def test_deleting_a_session_deletes_its_output_when_the_transaction_commits(
    holdfast_dsn: str, tmp_path: Path
) -> None:
    async with application(holdfast_dsn, session_outputs=str(tmp_path)) as app:
        async with working(app):
            await start(app)
            await ended(app, "s")
        with pytest.raises(ZeroDivisionError):
            async with app.tenant("acme") as hold:
                await hold.sessions.delete("s")
                raise ZeroDivisionError
        async with working(app):
            assert (await output(app))["n"] == LARGE
            async with app.tenant("acme") as hold:
                await hold.sessions.delete("s")

            async def gone() -> bool:
                return files(tmp_path) == []

            await until(gone)
    assert [*tmp_path.glob("*")] == []  # noqa: ASYNC240 - a test


async def test_an_output_is_deleted_later_when_its_place_cannot_be_reached(holdfast_dsn: str) -> None:
    async with (
        serve_bucket() as bucket,
        application(
            holdfast_dsn, session_outputs=f"s3://outputs?region=x&endpoint={bucket.endpoint}", session_outputs_key=KEY
        ) as app,
    ):
        async with working(app):
            await start(app)
            await ended(app, "s")
            bucket.broken = True
            async with app.tenant("acme") as hold:
                await hold.sessions.delete("s")

            async def tried() -> bool:
                async with app.tenant("acme") as hold:
                    (run,) = (await hold.runs.list(prefix="session.discard.v1")).items
                    return run.attempt >= 1 and run.status == "pending"

            await until(tried)
        async with app.tenant("acme") as hold:
            (run,) = (await hold.runs.list(prefix="session.discard.v1")).items
            assert "AccessDenied" in str(run.last_error) or "403" in str(run.last_error)
            assert "a-very-secret-secret" not in str(run.last_error)
        assert len(bucket.objects) == 1
        bucket.broken = False
        async with working(app):

            async def gone() -> bool:
                return not bucket.objects

            await until(gone)


async def test_what_an_attempt_wrote_that_was_lost_is_deleted_in_the_end(
    holdfast_dsn: str, tmp_path: Path, superuser: psycopg.Connection[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It wrote the output, and could not say so any more: the next attempt writes its own."""
    real = execution.Execution._finish
    lost: list[str] = []

    async def lose(self: Any, **result: Any) -> str:
        if not lost:
            lost.append(result["reference"])
            raise OperationalError("the connection is gone")
        return await real(self, **result)

    monkeypatch.setattr(execution.Execution, "_finish", lose)
    async with application(holdfast_dsn, session_outputs=str(tmp_path)) as app, working(app):
        await start(app)
        done = await ended(app, "s")
        assert done.status == "completed"
        assert done.output_reference not in lost
        assert len(files(tmp_path)) == 2
        row = superuser.execute(
            "SELECT payload ->> 'object' AS object, run_at - now() AS wait FROM holdfast.workflow_run_live "
            "WHERE type = 'session.discard.v1'"
        ).fetchone()
        assert row is not None
        # An hour, in case that attempt is still writing.
        assert (row["object"], row["wait"] > timedelta(minutes=50)) == (lost[0], True)
        superuser.execute("UPDATE holdfast.workflow_run_live SET run_at = now(), ready = true")

        async def one_left() -> bool:
            return len(files(tmp_path)) == 1

        await until(one_left)
        assert (await output(app))["n"] == LARGE


async def test_an_output_that_was_changed_is_not_given_away(holdfast_dsn: str, tmp_path: Path) -> None:
    async with application(holdfast_dsn, session_outputs=str(tmp_path)) as app:
        async with working(app):
            await start(app)
            await ended(app, "s")
        async with app.tenant("acme") as hold:
            await hold.users.create("ana", roles=["admin"])
            secret = (await hold.tokens.create("ana", "test")).secret
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(build(app)),
            base_url="http://test/v1/acme",
            headers={"Authorization": f"Bearer {secret}"},
        )
        async with client:
            read = await client.get("/sessions/s/output")
            assert (read.status_code, read.json()["note"]) == (200, "x" * LARGE)
            assert (await client.get("/sessions/s")).json()["output_size"] == len(read.content)
            (file,) = files(tmp_path)
            file.write_bytes(file.read_bytes().replace(b"xxx", b"xyx"))
            with pytest.raises(OperationalError, match="not what the session wrote"):
                await output(app)
            read = await client.get("/sessions/s/output")
            assert (read.status_code, "xyx" in read.text) == (503, False)
            file.unlink()
            assert (await client.get("/sessions/s/output")).status_code == 503
            async with app.tenant("acme") as hold:
                await hold.sessions.start("asking", {"n": 0}, name="early")
            assert (await client.get("/sessions/early/output")).status_code == 409
        with pytest.raises(Conflict, match="is pending"):
            await output(app, "early")


async def test_a_process_that_has_no_place_says_where_the_output_is(holdfast_dsn: str, tmp_path: Path) -> None:
    async with application(holdfast_dsn, session_outputs=str(tmp_path)) as app, working(app):
        await start(app)
        await ended(app, "s")
    async with Holdfast(dsn=holdfast_dsn) as bare:
        with pytest.raises(OperationalError, match="HOLDFAST_SESSION_OUTPUTS is not set"):
            await output(bare)
    async with Holdfast(dsn=holdfast_dsn, session_outputs=str(tmp_path / "other")) as other:
        with pytest.raises(OperationalError, match="which is not in"):
            await output(other)


async def test_an_output_elsewhere_is_too_large_for_a_process(
    holdfast_dsn: str, tmp_path: Path, superuser: psycopg.Connection[Row]
) -> None:
    from holdfast.postgres.queries import queries

    async with application(holdfast_dsn, session_outputs=str(tmp_path)) as app, working(app):
        await start(app)
        done = await ended(app, "s")
        async with app.tenant("acme") as hold:
            row = await hold.sessions._tx.row(queries("processes")["session_outcome"], id=done.id)
    assert row is not None
    assert (row["bytes"], row["output"]) == (done.output_size, None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("session_outputs", "s3://"),
        ("session_outputs", "s3://id:secret-word@bucket"),
        ("session_outputs", "s3://bucket?secret_access_key=secret-word"),
        ("session_outputs", "https://bucket.example"),
        ("session_outputs_key", "secret-word"),
        ("session_outputs_key", ":secret-word"),
    ],
)
def test_a_place_that_is_none_is_refused_without_its_secret(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.load({}, **{name: value})
    assert "secret-word" not in str(caught.value)


async def test_the_key_is_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings.load({}, session_outputs="s3://b?region=x&endpoint=http://127.0.0.1:9", session_outputs_key=KEY)
    assert "a-very-secret-secret" not in str(settings) + str(settings.shown())
    outputs = open_outputs(settings.session_outputs, KEY)
    assert outputs is not None
    with caplog.at_level(logging.DEBUG), pytest.raises(OperationalError) as caught:
        async with asyncio.timeout(60):
            await outputs.put(f"{outputs.root}/x", b"x")
    assert "a-very-secret-secret" not in str(caught.value) + caplog.text
    assert "a-very-secret-secret" not in repr(vars(outputs))


@pytest.mark.skipif("TEST_S3_URL" not in os.environ, reason="no TEST_S3_URL: s3://bucket/prefix?region=…&endpoint=…")
async def test_a_real_store_keeps_many_parts(tmp_path: Path) -> None:
    outputs = open_outputs(os.environ["TEST_S3_URL"], os.environ.get("TEST_S3_KEY"))
    assert outputs is not None
    data = os.urandom(1 << 20) * 17
    import hashlib

    reference = f"{outputs.root}/a/b.json"
    await outputs.put(reference, data)
    with (tmp_path / "back").open("w+b") as file:
        await outputs.fetch(reference, hashlib.sha256(data).hexdigest(), file)
        assert file.read() == data
    await outputs.delete(reference)
    await outputs.delete(reference)
    with (tmp_path / "again").open("w+b") as file, pytest.raises(OperationalError):
        await outputs.fetch(reference, hashlib.sha256(data).hexdigest(), file)
