"""What the controller asks of a cluster, through the official client; each call in a thread, because it blocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from holdfast.errors import ExtraMissing, OperationalError

__all__ = ["FINALIZER", "Cluster"]

GROUP, VERSION, PLURAL = "holdfast.dev", "v1alpha1", "workflowdefinitions"
FINALIZER = "holdfast.dev/active-sessions"
T = TypeVar("T")


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
        load: Any = config.load_config
        if host is not None:
            configuration.host = host
        else:
            try:
                load(client_configuration=configuration)
            except config.ConfigException as error:
                raise OperationalError(f"no cluster is configured: {error}", hint="set KUBECONFIG") from error
        self.namespace = namespace
        self._refused = client.ApiException
        self._unreachable = (urllib3.exceptions.HTTPError, OSError)
        self._api: Any = client.ApiClient(configuration)
        self._custom: Any = client.CustomObjectsApi(self._api)
        self._batch: Any = client.BatchV1Api(self._api)

    async def definitions(self) -> list[dict[str, Any]]:
        """Every custom resource."""
        found = await self._call(lambda: self._custom.list_cluster_custom_object(GROUP, VERSION, PLURAL))
        items: list[dict[str, Any]] = found["items"]
        return items

    async def write_status(self, name: str, status: dict[str, Any]) -> None:
        body = {"status": status}
        await self._call(lambda: self._custom.patch_cluster_custom_object_status(GROUP, VERSION, PLURAL, name, body))

    async def set_finalizers(self, name: str, finalizers: list[str]) -> None:
        body = {"metadata": {"finalizers": finalizers}}
        await self._call(lambda: self._custom.patch_cluster_custom_object(GROUP, VERSION, PLURAL, name, body))

    async def jobs(self, label: str) -> list[dict[str, Any]]:
        """The Jobs of sessions, as the API describes them."""
        found = await self._call(lambda: self._batch.list_namespaced_job(self.namespace, label_selector=label))
        items: list[dict[str, Any]] = self._api.sanitize_for_serialization(found)["items"]
        return items

    async def create_job(self, body: dict[str, Any]) -> bool:
        """Create a Job; false when it is there already."""
        try:
            await self._call(lambda: self._batch.create_namespaced_job(self.namespace, body))
        except OperationalError as error:
            if error.details.get("api_status") == 409:
                return False
            raise
        return True

    async def delete_job(self, name: str) -> None:
        def work() -> Any:
            return self._batch.delete_namespaced_job(name, self.namespace, propagation_policy="Background")

        try:
            await self._call(work)
        except OperationalError as error:
            if error.details.get("api_status") != 404:
                raise

    async def _call(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except self._refused as error:
            raise OperationalError(
                f"the cluster answered {error.status}: {error.reason}",
                hint="see the controller's rights in deploy/kubernetes/controller.yaml",
                api_status=error.status,
            ) from error
        except self._unreachable as error:
            raise OperationalError(f"the cluster does not answer: {error}", hint="check KUBECONFIG") from error
