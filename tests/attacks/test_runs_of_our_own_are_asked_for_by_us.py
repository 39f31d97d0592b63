"""Runs that keep house for the whole installation do nothing for whoever merely names their type."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from holdfast import Holdfast
from holdfast.sessions import Notify
from holdfast.sessions.outputs import open_outputs
from runs.conftest import finished, working
from sessions.conftest import asking, ended

OURS = [
    "definition.what_if.v1",
    "holdfast.operation.v1",
    "session.discard.v1",
    "session.expire.v1",
    "session.retain.v1",
]


@pytest.fixture
async def site(holdfast_dsn: str, tmp_path: Path) -> Any:
    made = Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05, session_outputs=str(tmp_path))
    made.graph("asking", asking)
    made.tend_sessions()
    made.tend_operations()
    made.replay_what_ifs()
    async with made:
        await made.publish_graphs()
        for slug in ("acme", "globex"):
            await made.tenants.create(slug)
        async with made.tenant("acme") as hold:
            await hold.users.create("cleo", roles=["author"])
            await hold.users.create("ops", roles=["operator"])
        yield made


def output_of(tenant: UUID, root: Path) -> tuple[Path, dict[str, Any]]:
    """The output of some session, and the payload of the run that would delete it."""
    file = root / str(tenant) / str(uuid4()) / f"{uuid4()}-1.json"
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    return file, {"object": file.as_uri()}


@pytest.mark.parametrize("type_", OURS)
async def test_who_may_enqueue_runs_has_nothing_of_ours_done(site: Holdfast, type_: str) -> None:
    payload = {"what_if": str(uuid4()), "operation": str(uuid4()), "session": str(uuid4()), "object": "file:///x"}
    async with site.tenant("acme", actor="cleo") as hold:
        run = await hold.runs.enqueue(type_, payload if type_ != "session.retain.v1" else {}, max_attempts=1)
    async with working(site):
        (info,) = await finished(site, run.id)
    assert info.status == "failed"
    assert "are holdfast's own, and user:cleo asked for this one" in str(info.last_error)
    # To try it again lends it nothing.
    async with site.tenant("acme", actor="ops") as hold:
        again = await hold.runs.retry(run.id)
    async with working(site):
        (info,) = await finished(site, again.id)
    assert "user:cleo asked for this one" in str(info.last_error)


async def test_an_output_is_deleted_by_deleting_its_session_alone(site: Holdfast, tmp_path: Path) -> None:
    """Deleting a session takes `sessions:operate` and leaves an event; its author has neither."""
    async with site.tenant("acme") as hold:
        mine, payload = output_of(hold.tenant.id, tmp_path)
    async with site.tenant("acme", actor="cleo") as hold:
        run = await hold.runs.enqueue("session.discard.v1", payload, max_attempts=1)
        await hold.sessions.start("asking", {"n": 1}, name="s", notify=Notify("session.discard.v1", payload))
    async with working(site):
        await finished(site, run.id)
    async with site.tenant("acme", actor="cleo") as hold:
        await hold.sessions.cancel("s")
    async with working(site):
        await ended(site, "s")
        async with site.tenant("acme") as hold:
            (told,) = [each for each in (await hold.runs.list(prefix="session.discard.v1")).items if each.id != run.id]
        await finished(site, told.id)
    assert mine.exists()


async def test_not_even_trusted_code_of_one_tenant_deletes_what_is_anothers(site: Holdfast, tmp_path: Path) -> None:
    """A step that runs as the system enqueues as trusted code does: the path is checked where it is used."""
    async with site.tenant("globex") as hold:
        theirs, one = output_of(hold.tenant.id, tmp_path)
    async with site.tenant("acme") as hold:
        own, other = output_of(hold.tenant.id, tmp_path)
        runs = [await hold.runs.enqueue("session.discard.v1", each, max_attempts=1) for each in (one, other)]
    async with working(site):
        for run in runs:
            await finished(site, run.id)
    assert (theirs.exists(), own.exists()) == (True, False)
    outputs = open_outputs(str(tmp_path), None)
    assert outputs is not None
    assert not outputs.has(f"{outputs.root}/{uuid4()}/../x", of=uuid4())
