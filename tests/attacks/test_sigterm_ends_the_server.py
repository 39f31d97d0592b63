"""Told to stop, the server ends within its grace period, whatever its clients are about."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from contextlib import ExitStack

from harness.served import Serve

STUCK = """
import socket, sys, time
from fastapi import FastAPI
from holdfast.http import shutdown
from holdfast.kernel import loops
from holdfast.settings import Settings
from types import SimpleNamespace
import asyncio

shutdown.LAST_SECONDS = 1
app = FastAPI()
app.state.stopping = asyncio.Event()
app.state.holdfast = SimpleNamespace(settings=Settings())

@app.get("/")
async def hang():
    print("hanging", flush=True)
    time.sleep(60)

listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
loops.run(shutdown.Server(app).serve([listener]))
"""


def test_it_ends_although_bodies_do_not_come_and_streams_go_on(serve: Serve) -> None:
    server = serve(body_timeout=300)
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(server.raw("POST /v1/acme/documents", b"{", who="acme", length=100))
            stack.enter_context(server.raw("GET /v1/acme/data/watch?namespace=n", who="viewer")).recv(100)
            stack.enter_context(server.raw("GET /v1/acme/da"))
        server.stop(within=20)


def test_it_ends_at_once_when_only_streams_go_on(serve: Serve) -> None:
    server = serve()
    with server.raw("GET /v1/acme/data/watch?namespace=n", who="viewer") as follower:
        assert b" 200 " in follower.recv(100)
        server.stop(within=5)


def test_it_ends_and_says_where_it_hung_although_nothing_in_it_goes_on() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUCK], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            with socket.create_connection(("127.0.0.1", port)) as client:
                client.sendall(b"GET / HTTP/1.1\r\nHost: test\r\n\r\n")
                assert process.stdout.readline() == "hanging\n"
                process.send_signal(signal.SIGTERM)
                _, said = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 1
    assert "in hang" in said
