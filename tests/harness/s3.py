"""A small store that speaks enough of S3's language: one object at a time, whole, in memory."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from harness.waiting import until

__all__ = ["Bucket", "serve_bucket"]


class Bucket:
    """What a bucket holds, and who asked for it."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.objects: dict[str, bytes] = {}
        self.signed: list[str] = []
        self.broken = False

    async def answer(self, request: Request) -> Response:
        self.signed.append(request.headers.get("authorization", ""))
        name = request.path_params["name"].removeprefix("/")
        if request.method == "GET" and request.query_params.get("list-type") == "2":
            return self._listed(request.query_params.get("prefix", ""))
        if self.broken:
            return Response(status_code=403, content="<Error><Code>AccessDenied</Code></Error>")
        if request.method == "PUT":
            self.objects[name] = await request.body()
            return Response(headers={"ETag": '"e"'})
        if request.method == "DELETE":
            self.objects.pop(name, None)
            return Response(status_code=204)
        if name not in self.objects:
            return Response(status_code=404, content="<Error><Code>NoSuchKey</Code></Error>")
        headers = {"ETag": '"e"', "Last-Modified": "Thu, 04 Jun 2026 10:00:00 GMT"}
        return Response(self.objects[name], headers=headers)

    def _listed(self, prefix: str) -> Response:
        entries = "".join(
            f"<Contents><Key>{name}</Key><LastModified>2026-06-04T10:00:00.000Z</LastModified>"
            f"<ETag>e</ETag><Size>{len(data)}</Size></Contents>"
            for name, data in sorted(self.objects.items())
            if name.startswith(prefix)
        )
        return Response(f"<ListBucketResult><IsTruncated>false</IsTruncated>{entries}</ListBucketResult>")


@asynccontextmanager
async def serve_bucket(bucket: str = "outputs") -> AsyncIterator[Bucket]:
    """A bucket of that name on this machine, for as long as the block lasts."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    made = Bucket(f"http://127.0.0.1:{port}")
    routes = [Route(f"/{bucket}{{name:path}}", made.answer, methods=["GET", "HEAD", "PUT", "DELETE"])]
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), port=port, log_config=None))
    task = asyncio.create_task(server.serve())
    try:
        await until(lambda: server.started)
        yield made
    finally:
        server.should_exit = True
        await task
