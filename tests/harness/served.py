"""A real `holdfast serve` to attack, and a bystander of another tenant who must not notice."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
import pytest

__all__ = ["Bystander", "Serve", "Served", "serving"]


class Served:
    """A running server: where it is, whom it knows, and how much of the machine it takes."""

    def __init__(self, process: subprocess.Popen[str], port: int, tokens: dict[str, str]) -> None:
        self.process = process
        self.port = port
        self.tokens = tokens
        self._said: list[str] = []
        self._reading = threading.Thread(target=self._read)
        self._reading.start()

    def client(self, who: str | None = None, **options: Any) -> httpx.Client:
        """An HTTP client of somebody, or of nobody."""
        headers = {} if who is None else {"Authorization": f"Bearer {self.tokens[who]}"}
        options.setdefault("timeout", 60)
        # To load certificates takes longer than the request.
        options.setdefault("verify", False)
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}", headers=headers, **options)

    def raw(self, head: str, body: bytes = b"", *, who: str | None = None, length: int | None = None) -> socket.socket:
        """A connection on which a request, or the beginning of one, has been sent."""
        signed = "" if who is None else f"Authorization: Bearer {self.tokens[who]}\r\n"
        sized = "" if length is None else f"Content-Type: application/json\r\nContent-Length: {length}\r\n"
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        connection.sendall(f"{head} HTTP/1.1\r\nHost: test\r\n{signed}{sized}\r\n".encode() + body)
        return connection

    def memory(self) -> int:
        """Bytes that the server has had resident at most."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) * 1024

    def bystander(self) -> Bystander:
        """Somebody of another tenant, who works all the while."""
        return Bystander(self)

    def said(self) -> str:
        """What it has written since it listens; all of it once it has ended."""
        if self.process.poll() is not None:
            self._reading.join(timeout=30)
        return "".join(self._said)

    def _read(self) -> None:
        assert self.process.stderr is not None
        self._said.extend(self.process.stderr)

    def stop(self, *, within: float) -> int:
        """Ask it to end; how it did. Fails when it takes longer."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=within)


class Bystander:
    """Asks for health and for a key of the tenant `globex`, over and over; remembers what went wrong, and how slow."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._done = threading.Event()
        self._rounds = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._work)
        self.failures: list[str] = []
        self.slowest = 0.0
        self.rounds = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join(timeout=90)

    def wait(self, rounds: int) -> None:
        """Until so many more rounds have been done."""
        for _ in range(rounds):
            assert self._rounds.acquire(timeout=30), self.failures or "the server does not answer a bystander"

    def check(self, *, within: float) -> None:
        """Everything was answered, and nothing took longer than that."""
        assert self.rounds, "it got no answer at all"
        assert not self.failures, self.failures[:3]
        assert self.slowest < within, f"one request took {self.slowest:.1f} s"

    def _work(self) -> None:
        paths = ("/healthz", "/readyz", "/v1/globex/data/entry?namespace=n&key=k")
        with self._served.client("globex", timeout=20) as client:
            while not self._done.is_set():
                for path in paths:
                    began = time.monotonic()
                    try:
                        answer = client.get(path)
                        if answer.status_code != 200:
                            self.failures.append(f"{path}: {answer.status_code} {answer.text[:200]}")
                    except httpx.HTTPError as error:
                        self.failures.append(f"{path}: {error!r}")
                    self.slowest = max(self.slowest, time.monotonic() - began)
                self.rounds += 1
                self._rounds.release()
                self._done.wait(0.02)


Serve = Callable[..., Served]
"""Starts a server, with settings."""


@contextmanager
def serving(dsn: str, tokens: dict[str, str], **settings: str) -> Iterator[Served]:
    """A server of its own process; killed at the end, if it has not ended by then."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "serve", "--port", "0"],
        env=clean | {"HOLDFAST_DSN": dsn, "HOLDFAST_LOG_LEVEL": "error", "COLUMNS": "200"} | settings,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    served: Served | None = None
    try:
        said = ""
        for line in process.stderr:
            said += line
            if found := re.search(r"listening on http://\S+:(\d+);", line):
                served = Served(process, int(found[1]), tokens)
                break
        if served is None:
            pytest.fail(f"it did not start:\n{said}")
        yield served
    finally:
        process.kill()
        process.wait(timeout=30)
        if served is not None:
            served.said()
        process.stderr.close()
