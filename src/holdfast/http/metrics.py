"""GET /metrics: figures for Prometheus, on the HTTP server and on a worker's own port.

They tell of every tenant, so no tenant's token opens them. With `HOLDFAST_METRICS_TOKEN` they are for whoever has it;
without, the HTTP server gives them to this machine only, and not through a proxy. A port that an operator opened for
them needs no more than that.
"""

from __future__ import annotations

import contextlib
import hmac
from collections.abc import Iterator

import uvicorn
from fastapi import FastAPI, Request, Response

from holdfast.app import Holdfast
from holdfast.errors import Forbidden, NotSignedIn
from holdfast.http.failures import FailedSignIns, is_forwarded, origin
from holdfast.http.listening import listen
from holdfast.http.problems import add_problem_handlers
from holdfast.kernel.addresses import is_loopback
from holdfast.metrics import CONTENT_TYPE

__all__ = ["MetricsServer", "add_metrics"]


def add_metrics(server: FastAPI, app: Holdfast, *, local_only: bool) -> None:
    """Add the route. `local_only` is for servers that others reach too."""

    tried = FailedSignIns(app.settings.sign_in_failures)

    @server.get("/metrics", include_in_schema=False)
    async def metrics(request: Request) -> Response:
        _check(request, app, tried, local_only=local_only)
        return Response(await app.metrics_text(), media_type=CONTENT_TYPE)


class MetricsServer(uvicorn.Server):
    """A server for nothing but the figures, inside a process that has other things to do."""

    def __init__(self, app: Holdfast, port: int) -> None:
        server = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
        add_problem_handlers(server)
        add_metrics(server, app, local_only=False)
        super().__init__(uvicorn.Config(server, log_config=None, access_log=False, lifespan="off"))
        self._listener = listen(
            app.settings.host, port, hint="stop the other program, or choose another port with --metrics-port"
        )

    async def run_here(self) -> None:
        """Serve until cancelled."""
        try:
            await self.serve([self._listener])
        finally:
            self._listener.close()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are the worker's: it decides when this ends."""
        yield

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listener.getsockname()[1])


def _check(request: Request, app: Holdfast, tried: FailedSignIns, *, local_only: bool) -> None:
    wanted = app.settings.metrics_token
    if wanted is not None:
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        address = origin(request.scope.get("client"))
        tried.check(address, None, given)
        right = hmac.compare_digest(given.strip().encode(), wanted.get_secret_value().encode())
        if scheme.lower() == "bearer" and right:
            tried.succeeded(given)
        else:
            tried.failed(address, None, given)
            raise NotSignedIn("this request lacks the token for metrics", hint="send the one of HOLDFAST_METRICS_TOKEN")
    elif local_only and not _is_local(request):
        raise Forbidden(
            "metrics are for this machine only",
            hint="set HOLDFAST_METRICS_TOKEN and send it as a bearer token",
        )


def _is_local(request: Request) -> bool:
    return request.client is not None and not is_forwarded(request.headers) and is_loopback(request.client.host)
