"""A small part of a Kubernetes API server: custom resources with status and finalizers, Jobs and their pods. In memory.

It answers what the official client asks for definitions and Jobs, so that the controller is tested through that client.
"""

from __future__ import annotations

import copy
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlparse

__all__ = ["FakeCluster"]

_DEFINITIONS = "/apis/holdfast.dev/v1alpha1/workflowdefinitions"
Object = dict[str, Any]


class FakeCluster:
    """What is applied to it, and what the controller did."""

    def __init__(self) -> None:
        self.definitions: dict[str, Object] = {}
        self.jobs: dict[str, Object] = {}
        self.pods: list[Object] = []
        self.asked = 0
        self.writes = 0
        self.refusals: dict[str, tuple[int, str]] = {}
        """By a part of "METHOD path name": the status and message with which requests for it are answered."""
        self.broken = False
        self._version = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def host(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def apply(self, spec: Object, *, name: str | None = None) -> None:
        """kubectl apply, of a resource with the definition's name or another one."""
        name = name or spec["name"]
        born = f"2026-01-01T00:00:{len(self.definitions):02}Z"
        known = self.definitions.get(name, {"metadata": {"name": name, "creationTimestamp": born}})
        self.definitions[name] = known | {
            "apiVersion": "holdfast.dev/v1alpha1",
            "kind": "WorkflowDefinition",
            "spec": copy.deepcopy(spec),
        }
        self._changed(name)

    def add_finalizer(self, name: str, finalizer: str) -> None:
        """Another controller writes its own into the resource."""
        metadata = self.definitions[name]["metadata"]
        metadata["finalizers"] = [*metadata.get("finalizers", []), finalizer]
        self._changed(name)

    def delete(self, name: str) -> None:
        """kubectl delete: gone at once, or when the last finalizer is."""
        self.definitions[name]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
        self._reap(name)

    def fail_job(self, name: str, message: str) -> None:
        condition = {
            "type": "Failed",
            "status": "True",
            "reason": "BackoffLimitExceeded",
            "message": message,
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }
        self.jobs[name]["status"] = {"conditions": [condition]}

    def complete_job(self, name: str) -> None:
        self.jobs[name]["status"] = {
            "conditions": [{"type": "Complete", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}]
        }

    def stick(self, job: str, reason: str, message: str = "") -> None:
        """The pod of a Job waits to be started, in vain."""
        waiting = {"reason": reason, "message": message}
        container: Object = {"name": "session", "image": "x", "imageID": "", "ready": False, "restartCount": 0}
        container["state"] = {"waiting": waiting}
        labels = {**self.jobs[job]["metadata"]["labels"], "job-name": job}
        self.pods = [pod for pod in self.pods if pod["metadata"]["labels"]["job-name"] != job]
        self.pods.append(
            {
                "metadata": {"name": f"{job}-x", "uid": f"{job}-x", "labels": labels},
                "spec": {"containers": [{"name": "session"}]},
                "status": {"phase": "Pending", "containerStatuses": [container]},
            }
        )

    def _changed(self, name: str) -> None:
        self._version += 1
        self.definitions[name]["metadata"]["resourceVersion"] = str(self._version)

    def _reap(self, name: str) -> None:
        metadata = self.definitions[name]["metadata"]
        if metadata.get("deletionTimestamp") and not metadata.get("finalizers"):
            del self.definitions[name]

    def answer(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Object]:
        with self._lock:
            self.asked += 1
            if self.broken:
                return 500, _status(500, "broken")
            for part, (code, message) in self.refusals.items():
                if part in f"{method} {path} {(body or {}).get('metadata', {}).get('name', '')}":
                    return code, _status(code, message)
            if method != "GET":
                self.writes += 1
            if path.startswith(_DEFINITIONS):
                return self._definition(method, path.removeprefix(_DEFINITIONS).strip("/"), body)
            return self._job(method, path, query, body)

    def _definition(self, method: str, rest: str, body: Any) -> tuple[int, Object]:
        if method == "GET" and not rest:
            return 200, {"kind": "WorkflowDefinitionList", "items": list(self.definitions.values())}
        name, _, part = rest.partition("/")
        if name not in self.definitions:
            return 404, _status(404, "NotFound")
        known = self.definitions[name]
        seen = body.get("metadata", {}).pop("resourceVersion", None)
        if seen is not None and seen != known["metadata"]["resourceVersion"]:
            return 409, _status(409, "the object has been modified; please apply your changes to the latest version")
        # The status is written through its own door, and the door writes nothing else.
        for key, value in body.items():
            if (key == "status") == (part == "status"):
                known[key] = _merged(known.get(key, {}), value)
        self._changed(name)
        self._reap(name)
        return 200, known

    def _job(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Object]:
        name = path.partition("/jobs")[2].strip("/")
        wanted = query.get("labelSelector", [""])[0]
        if path.endswith("/pods"):
            items = [pod for pod in self.pods if wanted in pod["metadata"]["labels"]]
            return 200, {"apiVersion": "v1", "kind": "PodList", "items": items, "metadata": {}}
        if method == "GET":
            items = [job for job in self.jobs.values() if wanted in job["metadata"]["labels"]]
            return 200, {"apiVersion": "batch/v1", "kind": "JobList", "items": items, "metadata": {}}
        if method == "POST":
            name = body["metadata"]["name"]
            if name in self.jobs:
                return 409, _status(409, "AlreadyExists")
            self.jobs[name] = body
            return 201, body
        if name not in self.jobs:
            return 404, _status(404, "NotFound")
        del self.jobs[name]
        self.pods = [pod for pod in self.pods if pod["metadata"]["labels"]["job-name"] != name]
        return 200, _status(200, "Deleted")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        cluster = self

        class Handler(BaseHTTPRequestHandler):
            def _serve(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                where = urlparse(self.path)
                status, answer = cluster.answer(self.command, where.path, parse_qs(where.query), body)
                text = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815 - http.server's names

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - http.server's name
                """Quiet."""

        return Handler


def _merged(known: Any, patch: Any) -> Any:
    """A JSON merge patch, applied."""
    if not isinstance(known, dict) or not isinstance(patch, dict):
        return patch
    merged = {**known, **{key: _merged(known.get(key), value) for key, value in patch.items()}}
    return {key: value for key, value in merged.items() if value is not None}


def _status(code: int, reason: str) -> Object:
    return {"kind": "Status", "apiVersion": "v1", "code": code, "reason": reason, "message": reason}
