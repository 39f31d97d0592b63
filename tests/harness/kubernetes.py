"""A small part of a Kubernetes API server: custom resources with status and finalizers, and Jobs. In memory.

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
        self.writes = 0
        self.broken = False
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

    def apply(self, spec: Object) -> None:
        """kubectl apply."""
        name = spec["name"]
        known = self.definitions.get(name, {"metadata": {"name": name}})
        self.definitions[name] = known | {
            "apiVersion": "holdfast.dev/v1alpha1",
            "kind": "WorkflowDefinition",
            "spec": copy.deepcopy(spec),
        }

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

    def _reap(self, name: str) -> None:
        metadata = self.definitions[name]["metadata"]
        if metadata.get("deletionTimestamp") and not metadata.get("finalizers"):
            del self.definitions[name]

    def answer(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Object]:
        with self._lock:
            if self.broken:
                return 500, _status(500, "broken")
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
        # The status is written through its own door, and the door writes nothing else.
        for key, value in body.items():
            if (key == "status") == (part == "status"):
                known[key] = known.get(key, {}) | value
        self._reap(name)
        return 200, known

    def _job(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Object]:
        name = path.partition("/jobs")[2].strip("/")
        if method == "GET":
            wanted = query.get("labelSelector", [""])[0]
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


def _status(code: int, reason: str) -> Object:
    return {"kind": "Status", "apiVersion": "v1", "code": code, "reason": reason, "message": reason}
