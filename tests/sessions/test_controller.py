"""The controller: resources and registry are the same, and every session of an image gets its Job."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
import yaml

from harness.kubernetes import FakeCluster
from harness.waiting import until
from holdfast import Holdfast, NotFound
from holdfast.errors import Conflict, OperationalError
from holdfast.kernel.ids import uuid7
from holdfast.sessions import SessionInfo
from holdfast.sessions.kubernetes import Controller, placing
from holdfast.sessions.kubernetes.cluster import Cluster
from holdfast.sessions.kubernetes.resources import label_changes
from sessions.conftest import chain, fetch
from sessions.test_definitions import GOOD

DEPLOY = Path(__file__).parents[2] / "deploy" / "kubernetes"
NAME = GOOD["name"]


@pytest.fixture
def fake() -> Iterator[FakeCluster]:
    with FakeCluster() as cluster:
        yield cluster


@pytest.fixture
async def registrar(holdfast_dsn: str) -> AsyncIterator[Holdfast]:
    async with Holdfast(dsn=holdfast_dsn, allowed_registries=("quay.io",), worker_poll_interval=0.05) as app:
        await app.tenants.create("acme")
        yield app


@pytest.fixture
def controller(registrar: Holdfast, fake: FakeCluster) -> Controller:
    cluster = Cluster("work", host=fake.host)
    return Controller(registrar.database, registrar.session_definitions, registrar.tenant, cluster, secret="holdfast")


async def sessions(app: Holdfast) -> list[SessionInfo]:
    async with app.tenant("acme") as hold:
        return (await hold.sessions.list()).items


async def test_resources_become_definitions_and_get_a_status(
    registrar: Holdfast, fake: FakeCluster, controller: Controller
) -> None:
    fake.apply(GOOD)
    fake.apply(GOOD | {"name": "evil", "containerImage": "evil.io/x:v1"})
    await controller.once()
    made = await registrar.session_definitions.get(NAME)
    assert (made.source, made.revision) == ("kubernetes", 1)
    status = fake.definitions[NAME]["status"]
    assert (status["phase"], status["activeSessions"]) == ("Active", 0)
    assert status["registeredAt"].endswith("Z")
    refused = fake.definitions["evil"]["status"]
    assert refused["phase"] == "Error"
    assert "allowed registry" in refused["message"]
    before = fake.writes
    await controller.once()
    assert fake.writes == before
    fake.apply(GOOD | {"version": "v2.0.0"})
    await controller.once()
    assert (await registrar.session_definitions.get(NAME)).revision == 2


async def test_tags_are_labels_of_the_resource(fake: FakeCluster, controller: Controller) -> None:
    fake.apply(GOOD | {"tags": ["data-analysis", "für Kunden!", "interactive"]})
    fake.definitions[NAME]["metadata"]["labels"] = {"team": "blue", "tag.holdfast.dev/old": "true"}
    await controller.once()
    assert fake.definitions[NAME]["metadata"]["labels"] == {
        "team": "blue",
        "holdfast.dev/type": "workflow",
        "holdfast.dev/category": "data-analysis",
        "tag.holdfast.dev/data-analysis": "true",
        "tag.holdfast.dev/f-r-Kunden": "true",
        "tag.holdfast.dev/interactive": "true",
    }
    before = fake.writes
    await controller.once()
    assert fake.writes == before


def test_a_category_that_somebody_gave_is_theirs_and_ours_goes_with_the_tags() -> None:
    theirs = {"holdfast.dev/type": "workflow", "holdfast.dev/category": "mine"}
    assert label_changes(theirs, None) == {}
    assert label_changes(theirs | {"tag.holdfast.dev/a": "true"}, []) == {
        "holdfast.dev/category": None,
        "tag.holdfast.dev/a": None,
    }
    assert label_changes({}, "no list") == {"holdfast.dev/type": "workflow"}
    assert label_changes({}, ["!!", "x" * 80]) == {
        "holdfast.dev/type": "workflow",
        "holdfast.dev/category": "x" * 63,
        f"tag.holdfast.dev/{'x' * 63}": "true",
    }


async def test_a_graph_in_code_keeps_its_name(registrar: Holdfast, fake: FakeCluster, controller: Controller) -> None:
    registrar.graph("chain", lambda: chain(2))
    await registrar.publish_graphs()
    fake.apply(GOOD | {"name": "chain"})
    await controller.once()
    assert "belongs to a graph in code" in fake.definitions["chain"]["status"]["message"]
    assert (await registrar.session_definitions.get("chain")).source == "code"


async def test_a_deleted_resource_stays_while_it_has_active_sessions(
    registrar: Holdfast, fake: FakeCluster, controller: Controller
) -> None:
    fake.apply(GOOD)
    await controller.once()
    async with registrar.tenant("acme") as hold:
        await hold.sessions.start(NAME, {"csv_url": "x"}, name="s")
    fake.delete(NAME)
    await controller.once()
    assert fake.definitions[NAME]["status"]["activeSessions"] == 1
    assert (await registrar.session_definitions.get(NAME)).phase == "Deprecated"
    async with registrar.tenant("acme") as hold:
        await hold.sessions.cancel("s")
    await controller.once()
    assert fake.definitions == {}
    with pytest.raises(NotFound):
        await registrar.session_definitions.get(NAME)


async def test_every_session_gets_one_job_and_one_that_gives_up_fails_it(
    registrar: Holdfast, fake: FakeCluster, controller: Controller
) -> None:
    fake.apply(GOOD)
    await controller.once()
    async with registrar.tenant("acme") as hold:
        made = await hold.sessions.start(NAME, {"csv_url": "x"}, name="s")
    for _ in range(3):
        await controller.once()
    ((name, job),) = fake.jobs.items()
    assert len(name) <= 63
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert container["image"] == GOOD["containerImage"]
    assert container["args"] == ["sessions", "execute", "--tenant", "acme", "s"]
    assert container["envFrom"] == [{"secretRef": {"name": "holdfast"}}]
    assert job["metadata"]["labels"]["holdfast.dev/session"] == str(made.id)
    # The image of the revision it was started of, whatever is registered now.
    fake.apply(GOOD | {"containerImage": "quay.io/other/image:v9"})
    async with registrar.tenant("acme") as hold:
        await hold.sessions.start(NAME, {"csv_url": "x"}, name="t")
    await controller.once()
    images = {one["spec"]["template"]["spec"]["containers"][0]["image"] for one in fake.jobs.values()}
    assert images == {GOOD["containerImage"]}
    fake.fail_job(name, "Job has reached the specified backoff limit")
    await controller.once()
    ended = await fetch(registrar, "s")
    assert ended.status == "failed"
    assert "its job failed: Job has reached the specified backoff limit" in str(ended.error_message)
    await controller.once()
    assert (await fetch(registrar, "t")).status == "pending"


async def test_a_cluster_that_does_not_answer_is_waited_for(
    registrar: Holdfast, fake: FakeCluster, controller: Controller
) -> None:
    fake.apply(GOOD)
    fake.broken = True
    with pytest.raises(OperationalError, match="500"):
        await controller.once()
    stopping = asyncio.Event()
    running = asyncio.create_task(controller.run(0.05, stopping))
    asked = fake.asked
    await until(lambda: fake.asked >= asked + 2)
    fake.broken = False

    async def registered() -> bool:
        return NAME in [one.name for one in await registrar.session_definitions.list()]

    await until(registered)
    stopping.set()
    await running


async def test_a_name_belongs_to_the_resource_that_had_it_first(
    registrar: Holdfast, fake: FakeCluster, controller: Controller
) -> None:
    fake.apply(GOOD)
    fake.apply(GOOD | {"displayName": "Another"}, name="a-second-one")
    for _ in range(3):
        await controller.once()
    assert (await registrar.session_definitions.get(NAME)).revision == 1
    refused = fake.definitions["a-second-one"]["status"]
    assert (refused["phase"], refused["activeSessions"]) == ("Error", 0)
    assert f"belongs to the resource '{NAME}'" in refused["message"]
    fake.delete("a-second-one")
    await controller.once()
    assert set(fake.definitions) == {NAME}
    assert (await registrar.session_definitions.get(NAME)).phase == "Active"


@pytest.mark.parametrize("source", ["code", "registry"])
async def test_a_resource_neither_takes_nor_removes_what_others_registered(
    registrar: Holdfast, fake: FakeCluster, controller: Controller, source: str
) -> None:
    if source == "code":
        registrar.graph(NAME, lambda: chain(2))
        await registrar.publish_graphs()
    else:
        await registrar.session_definitions.register(GOOD)
    fake.apply(GOOD | {"displayName": "Mine"})
    await controller.once()
    assert fake.definitions[NAME]["status"]["phase"] == "Error"
    fake.delete(NAME)
    await controller.once()
    assert fake.definitions == {}
    assert (await registrar.session_definitions.get(NAME)).source == source


async def test_a_resource_that_comes_back_is_active_again(
    registrar: Holdfast, fake: FakeCluster, controller: Controller
) -> None:
    fake.apply(GOOD)
    await controller.once()
    async with registrar.tenant("acme") as hold:
        await hold.sessions.start(NAME, {"csv_url": "x"}, name="s")
    # Somebody took the finalizer away.
    del fake.definitions[NAME]
    for _ in range(2):
        await controller.once()
    gone = await registrar.session_definitions.get(NAME)
    assert (gone.phase, gone.phase_reason) == ("Deprecated", "its resource was deleted")
    fake.apply(GOOD)
    await controller.once()
    assert fake.definitions[NAME]["status"]["phase"] == "Active"
    assert fake.definitions[NAME]["status"]["activeSessions"] == 1
    # What an administrator says of it stays.
    await registrar.session_definitions.deprecate(NAME, "old")
    await controller.once()
    assert fake.definitions[NAME]["status"]["phase"] == "Deprecated"


async def test_finalizers_of_others_are_not_lost(
    fake: FakeCluster, controller: Controller, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.apply(GOOD)
    listed = Cluster.definitions

    async def listed_and_then_changed(cluster: Cluster) -> list[dict[str, Any]]:
        found = await listed(cluster)
        fake.add_finalizer(NAME, "other.dev/own")
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Cluster, "definitions", listed_and_then_changed)
        await controller.once()
    await controller.once()
    assert fake.definitions[NAME]["metadata"]["finalizers"] == ["other.dev/own", "holdfast.dev/active-sessions"]
    fake.delete(NAME)
    await controller.once()
    assert fake.definitions[NAME]["metadata"]["finalizers"] == ["other.dev/own"]


async def test_what_is_refused_for_one_keeps_no_other_from_being_looked_after(
    registrar: Holdfast, fake: FakeCluster, controller: Controller
) -> None:
    fake.apply(GOOD | {"name": "a-first"})
    fake.apply(GOOD)
    fake.refusals["/a-first/status"] = (403, "you may not")
    with pytest.raises(OperationalError, match="403 Forbidden: you may not") as caught:
        await controller.once()
    assert "controller.yaml" in str(caught.value.hint)
    assert fake.definitions[NAME]["status"]["phase"] == "Active"
    async with registrar.tenant("acme") as hold:
        for name in ("bad", "busy", "good"):
            await hold.sessions.start(NAME, {"csv_url": "x"}, name=name)
    jobs = {one.session_name: one for one in await sessions(registrar)}
    fake.refusals = {
        f"jobs session-{jobs['bad'].id.hex[-12:]}": (422, "its name is wrong"),
        f"jobs session-{jobs['busy'].id.hex[-12:]}": (403, "exceeded quota"),
    }
    with pytest.raises(OperationalError, match=r"quota|wrong"):
        await controller.once()
    assert [job["metadata"]["labels"]["holdfast.dev/session"] for job in fake.jobs.values()] == [str(jobs["good"].id)]
    assert "its job was refused: the cluster answered 422" in str((await fetch(registrar, "bad")).error_message)
    assert (await fetch(registrar, "busy")).status == "pending"
    fake.refusals.clear()
    await controller.once()
    assert len(fake.jobs) == 2


async def test_a_wrong_token_is_said_to_be_one(fake: FakeCluster, controller: Controller) -> None:
    fake.refusals["GET "] = (401, "Unauthorized")
    with pytest.raises(OperationalError, match="answered 401") as caught:
        await controller.once()
    assert "expired" in str(caught.value.hint)


async def test_an_image_that_cannot_be_pulled_fails_its_session_and_marks_the_definition(
    registrar: Holdfast, fake: FakeCluster
) -> None:
    cluster = Cluster("work", host=fake.host)
    parts = (registrar.database, registrar.session_definitions, registrar.tenant, cluster)
    patient, hasty = Controller(*parts), Controller(*parts, patience=0)
    fake.apply(GOOD)
    await hasty.once()
    async with registrar.tenant("acme") as hold:
        for name in ("s", "unlucky"):
            await hold.sessions.start(NAME, {"csv_url": "x"}, name=name)
    await hasty.once()
    one, other = fake.jobs
    fake.stick(one, "ImagePullBackOff", "Back-off pulling image: not found")
    fake.stick(other, "CreateContainerConfigError", 'secret "holdfast" not found')
    await patient.once()
    assert (await fetch(registrar, "s")).status == "pending"
    await hasty.once()
    said = str((await fetch(registrar, "s")).error_message)
    assert "its job does not start: ImagePullBackOff: Back-off pulling image: not found" in said
    assert 'CreateContainerConfigError: secret "holdfast" not found' in str(
        (await fetch(registrar, "unlucky")).error_message
    )
    for _ in range(3):
        await hasty.once()
    status = fake.definitions[NAME]["status"]
    assert (status["phase"], status["message"]) == ("Error", "ImagePullBackOff: Back-off pulling image: not found")
    assert (await registrar.session_definitions.get(NAME)).revision == 1
    assert fake.jobs == {}
    with pytest.raises(Conflict, match="Error"):
        async with registrar.tenant("acme") as hold:
            await hold.sessions.start(NAME, {"csv_url": "x"})
    fake.apply(GOOD | {"containerImage": "quay.io/acme/right:v1"})
    await hasty.once()
    assert fake.definitions[NAME]["status"]["phase"] == "Active"


async def test_a_pod_that_starts_late_is_waited_for(
    registrar: Holdfast, fake: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    loop = SimpleNamespace(time=lambda: now)
    monkeypatch.setattr(placing, "asyncio", SimpleNamespace(get_running_loop=lambda: loop))
    cluster = Cluster("work", host=fake.host)
    controller = Controller(registrar.database, registrar.session_definitions, registrar.tenant, cluster, patience=300)
    fake.apply(GOOD)
    await controller.once()
    async with registrar.tenant("acme") as hold:
        await hold.sessions.start(NAME, {"csv_url": "x"}, name="s")
    await controller.once()
    (job,) = fake.jobs
    fake.stick(job, "ErrImagePull")
    await controller.once()
    fake.pods.clear()
    await controller.once()
    now += 301
    # Stuck again: its time begins again.
    fake.stick(job, "ErrImagePull")
    await controller.once()
    assert (await fetch(registrar, "s")).status == "pending"
    now += 299
    await controller.once()
    assert (await fetch(registrar, "s")).status == "pending"
    now += 2
    await controller.once()
    assert (await fetch(registrar, "s")).status == "failed"


async def test_a_job_that_ends_without_executing_its_session_fails_it(
    registrar: Holdfast, fake: FakeCluster, controller: Controller
) -> None:
    fake.apply(GOOD)
    await controller.once()
    async with registrar.tenant("acme") as hold:
        await hold.sessions.start(NAME, {"csv_url": "x"}, name="s")
    await controller.once()
    fake.complete_job(next(iter(fake.jobs)))
    await controller.once()
    assert "did not execute the session" in str((await fetch(registrar, "s")).error_message)


async def test_jobs_that_nobody_needs_are_deleted_but_not_those_of_others(
    registrar: Holdfast, fake: FakeCluster, controller: Controller
) -> None:
    fake.apply(GOOD)
    await controller.once()
    async with registrar.tenant("acme") as hold:
        for name in ("cancelled", "deleted", "finished", "goes-on", "theirs"):
            await hold.sessions.start(NAME, {"csv_url": "x"}, name=name)
    await controller.once()
    named = {job["spec"]["template"]["spec"]["containers"][0]["args"][-1]: name for name, job in fake.jobs.items()}
    # Made by another installation with a tenant of that name, in the same namespace.
    fake.jobs[named["theirs"]]["metadata"]["annotations"]["holdfast.dev/tenant-id"] = str(uuid7())
    fake.complete_job(named["finished"])
    async with registrar.tenant("acme") as hold:
        for name in ("cancelled", "finished", "theirs"):
            await hold.sessions.cancel(name)
        await hold.sessions.delete("deleted")
    await controller.once()
    assert set(fake.jobs) == set(named.values())
    await controller.once()
    assert set(fake.jobs) == {named[name] for name in ("finished", "goes-on", "theirs")}
    assert (await fetch(registrar, "goes-on")).status == "pending"


async def test_a_job_that_is_stopped_before_its_session_waits_is_not_done(
    registrar: Holdfast, holdfast_dsn: str, superuser: psycopg.Connection[dict[str, Any]], tmp_path: Path
) -> None:
    """Its pod is being deleted: Kubernetes starts another only if this one does not end well."""
    (tmp_path / "image.py").write_text("from holdfast import Holdfast\napp = Holdfast()\n")
    registrar.graph("chain", lambda: chain(3))
    await registrar.publish_graphs()
    async with registrar.tenant("acme") as hold:
        await hold.sessions.start("chain", {"n": 0}, name="s")
    began = "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'job' AND query LIKE 'LISTEN %'"
    job = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "holdfast", "sessions", "execute", "-t", "acme", "s"),
        cwd=tmp_path,
        env=os.environ | {"HOLDFAST_DSN": f"{holdfast_dsn} application_name=job", "WORKFLOW_APP": "image:app"},
    )
    await until(lambda: superuser.execute(began).fetchone() != {"n": 0}, 60)
    async with asyncio.timeout(60):
        job.send_signal(signal.SIGTERM)
        assert await job.wait() == 1
    assert (await fetch(registrar, "s")).status == "pending"


async def test_what_a_job_does_ends_with_its_session(registrar: Holdfast, holdfast_dsn: str, tmp_path: Path) -> None:
    (tmp_path / "image.py").write_text(
        "from holdfast import Holdfast\nfrom sessions.conftest import chain\n"
        "app = Holdfast()\napp.graph('chain', lambda: chain(3))\n"
    )
    registrar.graph("chain", lambda: chain(3))
    await registrar.publish_graphs()
    async with registrar.tenant("acme") as hold:
        await hold.sessions.start("chain", {"n": 0}, name="s")
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "holdfast", "sessions", "execute", "-t", "acme", "s"],
        cwd=tmp_path,
        env=os.environ
        | {
            "HOLDFAST_DSN": holdfast_dsn,
            "WORKFLOW_APP": "image:app",
            "PYTHONPATH": f"{Path(__file__).parents[1]}:{os.environ.get('PYTHONPATH', '')}",
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (await fetch(registrar, "s")).status == "completed"


def test_the_manifests_say_what_the_code_does() -> None:
    (resource,) = yaml.safe_load_all((DEPLOY / "crd.yaml").read_text())
    assert resource["metadata"]["name"] == "workflowdefinitions.holdfast.dev"
    (version,) = resource["spec"]["versions"]
    spec = version["schema"]["openAPIV3Schema"]["properties"]["spec"]
    from holdfast.sessions.definitions import MEMBERS

    assert set(spec["properties"]) == set(MEMBERS)
    assert spec["required"] == ["name", "displayName", "containerImage", "inputSchema"]
    kinds = {one["kind"]: one for one in yaml.safe_load_all((DEPLOY / "controller.yaml").read_text())}
    assert kinds["Deployment"]["spec"]["template"]["spec"]["containers"][0]["args"][0] == "controller"
