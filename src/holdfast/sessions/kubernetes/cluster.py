"""What the controller asks of a cluster, through the official client; each call in a thread, because it blocks.

Every call ends within seconds, with an answer or with an error that says what the cluster said. `api_status` of such an
error is the cluster's HTTP status; one without it means that there was no answer.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from holdfast.errors import ExtraMissing, OperationalError

__all__ = ["FINALIZER", "GROUP", "Cluster"]

GROUP, VERSION, PLURAL = "holdfast.dev", "v1alpha1", "workflowdefinitions"
FINALIZER = "holdfast.dev/active-sessions"
T = TypeVar("T")

_TIMEOUT = (5, 20)
"""Seconds to connect, and between two pieces of an answer: shorter than a pod is given to end."""

_RAW: dict[str, Any] = {"_preload_content": False, "_request_timeout": _TIMEOUT}
"""Answers as they come: the client's own objects take milliseconds each to build."""

_HINTS = {
    401: "its token is wrong or has expired; check KUBECONFIG",
    403: "see the controller's rights in deploy/kubernetes/controller.yaml",
    404: "apply deploy/kubernetes/crd.yaml, and name a namespace that exists",
}


class Cluster:
    """One cluster: that of `KUBECONFIG`, the one it runs in, or (for tests) one at an address."""

    def __init__(self, namespace: str, *, host: str | None = None) -> None:
        try:
            import urllib3
            from kubernetes import client, config
        except ModuleNotFoundError as error:
            raise ExtraMissing(
                "the Kubernetes client is not installed", hint="pip install 'holdfast[kubernetes]'"
            ) from error
        configuration = client.Configuration()
        if host is not None:
            configuration.host = host
        else:
            try:
                _load(config, configuration)
            except (config.ConfigException, OSError) as error:
                raise OperationalError(f"no cluster is configured: {error}", hint="set KUBECONFIG") from error
        # The next look comes soon; asking three times over would keep this one for minutes when nothing answers.
        configuration.retries = False
        self.namespace = namespace
        self._refused = client.ApiException
        self._unreachable = (urllib3.exceptions.HTTPError, OSError)
        self._api: Any = client.ApiClient(configuration)
        self._custom: Any = client.CustomObjectsApi(self._api)
        self._batch: Any = client.BatchV1Api(self._api)
        self._core: Any = client.CoreV1Api(self._api)

    async def definitions(self) -> list[dict[str, Any]]:
        """Every custom resource."""
        found = await self._call(
            lambda: self._custom.list_cluster_custom_object(GROUP, VERSION, PLURAL, _request_timeout=_TIMEOUT)
        )
        items: list[dict[str, Any]] = found["items"]
        return items

    async def write_status(self, name: str, status: dict[str, Any]) -> None:
        body = {"status": status}
        await self._call(
            lambda: self._custom.patch_cluster_custom_object_status(
                GROUP, VERSION, PLURAL, name, body, _request_timeout=_TIMEOUT
            )
        )

    async def set_finalizers(self, name: str, finalizers: list[str], *, version: str | None) -> None:
        """Replace the finalizers, if the resource is still in the version in which they were read.

        A patch replaces the whole list: without the version, one that somebody else added meanwhile would be lost.
        """
        body = {"metadata": {"finalizers": finalizers, "resourceVersion": version}}
        await self._call(
            lambda: self._custom.patch_cluster_custom_object(
                GROUP, VERSION, PLURAL, name, body, _request_timeout=_TIMEOUT
            )
        )

    async def set_labels(self, name: str, labels: dict[str, str | None]) -> None:
        """Set labels of a resource, and remove those that are None; others stay."""
        body = {"metadata": {"labels": labels}}
        await self._call(
            lambda: self._custom.patch_cluster_custom_object(
                GROUP, VERSION, PLURAL, name, body, _request_timeout=_TIMEOUT
            )
        )

    async def jobs(self, label: str) -> list[dict[str, Any]]:
        """The Jobs of sessions, as the API describes them."""
        return await self._listed(self._batch.list_namespaced_job, label)

    async def pods(self, label: str) -> list[dict[str, Any]]:
        """The pods of those Jobs."""
        return await self._listed(self._core.list_namespaced_pod, label)

    async def create_job(self, body: dict[str, Any]) -> bool:
        """Create a Job; false when it is there already."""
        try:
            await self._call(lambda: self._batch.create_namespaced_job(self.namespace, body, _request_timeout=_TIMEOUT))
        except OperationalError as error:
            if error.details.get("api_status") == 409:
                return False
            raise
        return True

    async def delete_job(self, name: str) -> None:
        """Delete a Job with its pods; nothing, when it is gone already."""

        def work() -> Any:
            return self._batch.delete_namespaced_job(name, self.namespace, propagation_policy="Background", **_RAW)

        try:
            await self._call(work)
        except OperationalError as error:
            if error.details.get("api_status") != 404:
                raise

    async def _listed(self, method: Any, label: str) -> list[dict[str, Any]]:
        def work() -> list[dict[str, Any]]:
            items: list[dict[str, Any]] = json.loads(method(self.namespace, label_selector=label, **_RAW).data)["items"]
            return items

        return await self._call(work)

    async def _call(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except self._refused as error:
            if not error.status:
                # So the client says that it does not trust the server's certificate, and the like.
                raise _silent(error.reason) from error
            raise OperationalError(
                f"the cluster answered {error.status} {error.reason}: {_said(error.body)}",
                hint=_HINTS.get(error.status),
                api_status=error.status,
            ) from error
        except self._unreachable as error:
            raise _silent(error) from error


def _load(config: Any, configuration: Any) -> None:
    """The cluster somebody names comes first, then the one around us, then the one in the home directory."""
    named = os.environ.get("KUBECONFIG") or None
    if named is None and os.environ.get("KUBERNETES_SERVICE_HOST"):
        config.load_incluster_config(client_configuration=configuration)
    else:
        config.load_kube_config(config_file=named, client_configuration=configuration)


def _silent(why: Any) -> OperationalError:
    told = " ".join(str(why).split())
    return OperationalError(f"the cluster does not answer: {told}", hint="check that it runs, and KUBECONFIG")


def _said(body: Any) -> str:
    """The message in the cluster's answer, or its beginning."""
    text = body.decode(errors="replace") if isinstance(body, bytes) else str(body or "")
    with suppress(ValueError, KeyError, TypeError):
        text = str(json.loads(text)["message"])
    return " ".join(text.split())[:500] or "nothing more"
