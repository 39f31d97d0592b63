"""The controller with a real API server, as the service account of the manifests: what it may and may not do.

Any cluster will do that `KUBECONFIG` names, as an administrator. Everything is made in a namespace of its own and
removed. A cluster that has WorkflowDefinitions already is left alone. No test needs a node; one needs the controller of
Jobs.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import yaml

from harness.waiting import eventually, until
from holdfast import Holdfast, NotFound
from holdfast.errors import OperationalError
from holdfast.sessions.kubernetes import Controller
from holdfast.sessions.kubernetes.cluster import Cluster
from sessions.conftest import fetch
from sessions.test_controller import DEPLOY, registrar
from sessions.test_definitions import GOOD

pytestmark = pytest.mark.skipif(not os.environ.get("KUBECONFIG"), reason="KUBECONFIG names no cluster")

__all__ = ["registrar"]

WHERE = ("holdfast.dev", "v1alpha1", "workflowdefinitions")
NAME = GOOD["name"]
ACCOUNT = "holdfast-controller"


@dataclass(frozen=True)
class Real:
    """A cluster, its administrator, and a namespace in it."""

    namespace: str
    api: Any
    core: Any
    batch: Any
    custom: Any

    def apply(self, spec: dict[str, Any], *, name: str | None = None) -> None:
        """kubectl apply, of a resource with the definition's name or another one."""
        name = name or spec["name"]
        body = {"apiVersion": "holdfast.dev/v1alpha1", "kind": "WorkflowDefinition", "metadata": {"name": name}}
        if name in {one["metadata"]["name"] for one in self.resources()}:
            self.custom.patch_cluster_custom_object(*WHERE, name, {"spec": spec})
        else:
            self.custom.create_cluster_custom_object(*WHERE, {**body, "spec": spec})

    def resources(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.custom.list_cluster_custom_object(*WHERE)["items"]
        return items

    def status(self, name: str = NAME) -> dict[str, Any]:
        status: dict[str, Any] = self.custom.get_cluster_custom_object(*WHERE, name)["status"]
        return status

    def jobs(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.api.sanitize_for_serialization(
            self.batch.list_namespaced_job(self.namespace)
        )["items"]
        return items

    def token(self) -> str:
        asked = {"spec": {"expirationSeconds": 3600}}
        made: str = self.core.create_namespaced_service_account_token(ACCOUNT, self.namespace, asked).status.token
        return made


@pytest.fixture
def real() -> Iterator[Real]:
    from kubernetes import client, utils

    configuration = client.Configuration()
    _load(os.environ["KUBECONFIG"], configuration)
    api: Any = client.ApiClient(configuration)
    space = f"holdfast-test-{uuid4().hex[:8]}"
    cluster = Real(space, api, client.CoreV1Api(api), client.BatchV1Api(api), client.CustomObjectsApi(api))
    extensions: Any = client.ApiextensionsV1Api(api)
    resource = yaml.safe_load((DEPLOY / "crd.yaml").read_text())
    known = {one.metadata.name for one in extensions.list_custom_resource_definition().items}
    if (here := resource["metadata"]["name"] in known) and cluster.resources():
        pytest.skip("the cluster has WorkflowDefinitions already")
    if not here:
        extensions.create_custom_resource_definition(resource)
        _wait_for(extensions, resource["metadata"]["name"])
    # The manifests as they are, but for the namespace and what belongs to the whole cluster.
    text = (DEPLOY / "controller.yaml").read_text().replace("namespace: holdfast", f"namespace: {space}")
    manifests = list(yaml.safe_load_all(text.replace("  name: holdfast\n", f"  name: {space}\n")))
    for one in manifests:
        if one["kind"].startswith("Cluster"):
            one["metadata"]["name"] = space
            one.get("roleRef", {})["name"] = space
    create: Any = utils.create_from_dict
    try:
        for one in manifests:
            create(api, one)
        _make_default_account(cluster)
        yield cluster
    finally:
        for one in cluster.resources():
            name = one["metadata"]["name"]
            cluster.custom.patch_cluster_custom_object(*WHERE, name, {"metadata": {"finalizers": []}})
            cluster.custom.delete_cluster_custom_object(*WHERE, name)
        cluster.core.delete_namespace(space)
        access: Any = client.RbacAuthorizationV1Api(api)
        access.delete_cluster_role_binding(space)
        access.delete_cluster_role(space)
        if not here:
            extensions.delete_custom_resource_definition(resource["metadata"]["name"])


def _wait_for(extensions: Any, name: str) -> None:
    """The server serves a new kind of resource a moment after it took it."""

    def served() -> bool:
        found = extensions.read_custom_resource_definition(name).status.conditions or ()
        return any((one.type, one.status) == ("Established", "True") for one in found)

    eventually(served, 30, f"{name} is not served")


def _make_default_account(cluster: Real) -> None:
    """Somebody else does that too, where all controllers of Kubernetes run."""
    from kubernetes import client

    try:
        cluster.core.create_namespaced_service_account(cluster.namespace, {"metadata": {"name": "default"}})
    except client.ApiException as error:
        if error.status != 409:
            raise


def _load(file: str, configuration: Any) -> None:
    from kubernetes import config

    load: Any = config.load_kube_config
    load(config_file=file, client_configuration=configuration)


def as_account(token: str, tmp_path: Path) -> str:
    """A configuration like that of KUBECONFIG, but for the token of the service account."""
    told = yaml.safe_load(Path(os.environ["KUBECONFIG"]).read_text())
    told["users"] = [{"name": one["name"], "user": {"token": token}} for one in told["users"]]
    file = tmp_path / f"{uuid4().hex}.yaml"
    file.write_text(yaml.safe_dump(told))
    return str(file)


@pytest.fixture
def cluster(real: Real, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    """The cluster as the controller's own account sees it."""
    monkeypatch.setenv("KUBECONFIG", as_account(real.token(), tmp_path))
    return Cluster(real.namespace)


def controller_of(registrar: Holdfast, cluster: Cluster, patience: float = 300) -> Controller:
    return Controller(
        registrar.database,
        registrar.session_definitions,
        registrar.tenant,
        cluster,
        secret="holdfast",
        patience=patience,
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": "Bad_Name"}, "spec.name"),
        ({"name": "x" * 64}, "spec.name"),
        ({"displayName": "x" * 101}, "spec.displayName"),
        ({"displayName": None}, "spec.displayName"),
        ({"description": "x" * 501}, "spec.description"),
        ({"containerImage": "quay.io/acme/untagged"}, "spec.containerImage"),
        ({"containerImage": None}, "spec.containerImage"),
        ({"inputSchema": None}, "spec.inputSchema"),
        ({"inputSchema": "object"}, "spec.inputSchema"),
        ({"version": "1.0.0"}, "spec.version"),
        ({"tags": [1]}, "spec.tags"),
        ({"concurrentInput": "perhaps"}, "spec.concurrentInput"),
        ({"timeoutSeconds": 0}, "spec.timeoutSeconds"),
    ],
)
def test_the_server_refuses_what_the_schema_of_resources_forbids(
    real: Real, change: dict[str, Any], reason: str
) -> None:
    from kubernetes import client

    spec = {key: value for key, value in (GOOD | change).items() if value is not None}
    with pytest.raises(client.ApiException, match=reason) as caught:
        real.apply(spec, name="wrong")
    assert caught.value.status == 422


async def test_resources_are_registered_changed_and_held_until_their_sessions_have_ended(
    registrar: Holdfast, real: Real, cluster: Cluster
) -> None:
    controller = controller_of(registrar, cluster)
    real.apply(GOOD)
    real.apply(GOOD | {"name": "evil", "containerImage": "evil.io/x:v1"})
    real.apply(GOOD, name="late")
    await controller.once()
    assert real.status() | {"registeredAt": "", "lastUpdated": ""} == {
        "phase": "Active",
        "activeSessions": 0,
        "message": "",
        "registeredAt": "",
        "lastUpdated": "",
    }
    assert "allowed registry" in real.status("evil")["message"]
    assert "belongs to the resource" in real.status("late")["message"]
    before = {one["metadata"]["name"]: one["metadata"]["resourceVersion"] for one in real.resources()}
    await controller.once()
    assert {one["metadata"]["name"]: one["metadata"]["resourceVersion"] for one in real.resources()} == before
    real.apply(GOOD | {"version": "v2.0.0"})
    await controller.once()
    assert (await registrar.session_definitions.get(NAME)).revision == 2
    async with registrar.tenant("acme") as hold:
        await hold.sessions.start(NAME, {"csv_url": "x"}, name="s")
    for name in (NAME, "evil", "late"):
        real.custom.delete_cluster_custom_object(*WHERE, name)
    await controller.once()
    assert [one["metadata"]["name"] for one in real.resources()] == [NAME]
    assert (real.status()["phase"], real.status()["activeSessions"]) == ("Deprecated", 1)
    async with registrar.tenant("acme") as hold:
        await hold.sessions.cancel("s")
    await controller.once()
    assert real.resources() == []
    with pytest.raises(NotFound):
        await registrar.session_definitions.get(NAME)


async def test_two_controllers_start_one_job_that_may_run_where_pods_are_restricted(
    registrar: Holdfast, real: Real, cluster: Cluster
) -> None:
    controllers = [controller_of(registrar, cluster), controller_of(registrar, Cluster(real.namespace))]
    real.apply(GOOD)
    await asyncio.gather(*(one.once() for one in controllers))
    async with registrar.tenant("acme") as hold:
        made = await hold.sessions.start(NAME, {"csv_url": "x"}, name="s")
    for _ in range(2):
        await asyncio.gather(*(one.once() for one in controllers))
    (job,) = real.jobs()
    assert job["metadata"]["labels"]["holdfast.dev/session"] == str(made.id)
    pod = job["spec"]["template"]
    (container,) = pod["spec"]["containers"]
    assert (container["image"], container["args"][-1]) == (GOOD["containerImage"], "s")
    assert job["spec"]["podFailurePolicy"]["rules"][0]["action"] == "Ignore"
    # The server checks pods, not what they are made of: it would refuse this one.
    body = {"metadata": {"name": "probe", "labels": {}}, "spec": pod["spec"]}
    real.core.create_namespaced_pod(real.namespace, body, dry_run="All")
    async with registrar.tenant("acme") as hold:
        await hold.sessions.cancel("s")
    for _ in range(2):
        await controllers[0].once()
    assert [one for one in real.jobs() if not one["metadata"].get("deletionTimestamp")] == []


async def test_a_pod_that_cannot_pull_its_image_fails_the_session_and_marks_the_resource(
    registrar: Holdfast, real: Real, cluster: Cluster
) -> None:
    controller = controller_of(registrar, cluster, patience=0)
    real.apply(GOOD)
    await controller.once()
    async with registrar.tenant("acme") as hold:
        await hold.sessions.start(NAME, {"csv_url": "x"}, name="s")
    await controller.once()
    (job,) = real.jobs()
    labels = {**job["metadata"]["labels"], "job-name": job["metadata"]["name"]}
    spec = {**job["spec"]["template"]["spec"], "schedulerName": "nobody"}
    real.core.create_namespaced_pod(real.namespace, {"metadata": {"name": "stuck", "labels": labels}, "spec": spec})
    container = {"name": "session", "image": "x", "imageID": "", "ready": False, "restartCount": 0}
    waiting = {"waiting": {"reason": "ImagePullBackOff", "message": "no such image"}}
    status = {"status": {"containerStatuses": [{**container, "state": waiting}]}}
    real.core.patch_namespaced_pod_status("stuck", real.namespace, status)
    for _ in range(2):
        await controller.once()
    assert "ImagePullBackOff: no such image" in str((await fetch(registrar, "s")).error_message)
    assert (real.status()["phase"], real.status()["message"]) == ("Error", "ImagePullBackOff: no such image")
    real.apply(GOOD | {"version": "v1.0.1"})
    await controller.once()
    assert real.status()["phase"] == "Active"


async def test_a_job_that_gives_up_fails_its_session(registrar: Holdfast, real: Real, cluster: Cluster) -> None:
    controller = controller_of(registrar, cluster)
    real.apply(GOOD)
    await controller.once()
    async with registrar.tenant("acme") as hold:
        await hold.sessions.start(NAME, {"csv_url": "x"}, name="s")
    await controller.once()
    (job,) = real.jobs()
    real.batch.patch_namespaced_job(job["metadata"]["name"], real.namespace, {"spec": {"activeDeadlineSeconds": 1}})

    async def started() -> bool:
        return bool(real.jobs()[0]["status"].get("startTime"))

    try:
        await until(started, 10)
    except TimeoutError:
        pytest.skip("no controller of Jobs runs in this cluster")

    async def failed() -> bool:
        await controller.once()
        return (await fetch(registrar, "s")).status == "failed"

    await until(failed, 60)
    assert "its job failed: Job was active longer" in str((await fetch(registrar, "s")).error_message)


async def test_what_the_account_may_not_do_and_a_token_that_is_no_longer_good_are_said_clearly(
    registrar: Holdfast, real: Real, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(OperationalError, match=r"403 Forbidden: .*cannot list resource .*jobs") as refused:
        await controller_of(registrar, Cluster("kube-system")).once()
    assert "controller.yaml" in str(refused.value.hint)
    await controller_of(registrar, cluster).once()
    real.core.delete_namespaced_service_account(ACCOUNT, real.namespace)

    async def unknown() -> bool:
        try:
            await controller_of(registrar, cluster).once()
        except OperationalError as error:
            return error.details["api_status"] == 401 and "expired" in str(error.hint)
        return False

    # The server remembers for a few seconds that the token was good.
    await until(unknown, 30)
    monkeypatch.setenv("KUBECONFIG", as_account("nonsense", tmp_path))
    with pytest.raises(OperationalError, match="answered 401 Unauthorized"):
        await controller_of(registrar, Cluster(real.namespace)).once()
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "nothing"))
    with pytest.raises(OperationalError, match="no cluster is configured"):
        Cluster(real.namespace)
