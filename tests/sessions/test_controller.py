"""The controller: resources and registry are the same, and every session of an image gets its Job."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.kubernetes import FakeCluster
from holdfast import Holdfast, NotFound
from holdfast.errors import OperationalError
from holdfast.sessions.kubernetes import Controller
from holdfast.sessions.kubernetes.cluster import Cluster
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
    await asyncio.sleep(0.2)
    fake.broken = False
    async with asyncio.timeout(20):
        while NAME not in [one.name for one in await registrar.session_definitions.list()]:  # noqa: ASYNC110 - it polls too
            await asyncio.sleep(0.02)
    stopping.set()
    await running


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


@pytest.mark.skipif(not os.environ.get("KUBECONFIG"), reason="KUBECONFIG names no cluster")
async def test_a_real_cluster(registrar: Holdfast) -> None:
    from kubernetes import client, config

    load: Any = config.load_kube_config
    load()
    api: Any = client.ApiextensionsV1Api()
    resource = yaml.safe_load((DEPLOY / "crd.yaml").read_text())
    custom: Any = client.CustomObjectsApi()
    name = "holdfast-test"
    body = {
        "apiVersion": "holdfast.dev/v1alpha1",
        "kind": "WorkflowDefinition",
        "metadata": {"name": name},
        "spec": GOOD | {"name": name},
    }
    where = ("holdfast.dev", "v1alpha1", "workflowdefinitions")
    known = {one.metadata.name for one in api.list_custom_resource_definition().items}
    if resource["metadata"]["name"] not in known:
        api.create_custom_resource_definition(resource)
    controller = Controller(registrar.database, registrar.session_definitions, registrar.tenant, Cluster("default"))
    custom.create_cluster_custom_object(*where, body)
    try:
        await controller.sync_definitions()
        assert custom.get_cluster_custom_object(*where, name)["status"]["phase"] == "Active"
    finally:
        custom.delete_cluster_custom_object(*where, name)
        await controller.sync_definitions()
