"""Adapters as processes: one call and its answer, or a worker that is started, watched and ended.

Every process gets its own session, so that whatever it starts can be counted (processor time) and ended with it.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from bench._harness.protocol import Job

__all__ = ["AdapterError", "Command", "Worker", "call"]

_TICKS = os.sysconf("SC_CLK_TCK")


class AdapterError(Exception):
    """A subject failed, or took too long; the figure is missing and the benchmark goes on."""


class Command:
    """How an adapter is started: its command line without the job, and the directory it runs in."""

    def __init__(self, line: list[str], directory: Path) -> None:
        self.line = line
        self.directory = directory

    def start(self, job: Job, errors: IO[bytes]) -> subprocess.Popen[bytes]:
        # Settings of this shell must not change what a subject does.
        foreign = ("HOLDFAST_", "NODE_", "PG", "PYTHON")
        environment = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
        return subprocess.Popen(
            [*self.line, job.to_json()],
            cwd=self.directory,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )


def call(command: Command, job: Job, timeout: float) -> dict[str, Any]:
    """One action from start to end: the last JSON line of its output."""
    with tempfile.TemporaryFile() as errors:
        process = command.start(job, errors)
        try:
            output, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            raise AdapterError(f"{job.action} took longer than {timeout:.0f} s") from None
        finally:
            _end(process)
        for line in reversed(output.splitlines()):
            found = _parsed(line)
            if found is not None:
                return found
        raise AdapterError(f"{job.action} ended with {process.returncode}: {_last_words(errors)}")


class Worker:
    """A worker process for the length of a `with` block: loaded when the block begins, ended with it."""

    def __init__(self, command: Command, job: Job, timeout: float = 60.0) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed in __exit__
        self._process = command.start(job, self._errors)
        self._selector = selectors.DefaultSelector()
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)
        self._selector.register(self._process.stdout, selectors.EVENT_READ)
        self._unread = b""
        self._events: set[str] = set()
        self._timeout = timeout

    def __enter__(self) -> Self:
        deadline = time.monotonic() + self._timeout
        try:
            while not self.saw("ready", wait=0.5):
                if time.monotonic() > deadline:
                    raise AdapterError(f"the worker was not ready after {self._timeout:.0f} s: {self.last_words()}")
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def go(self) -> None:
        """Start the clock for the worker."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"go\n")
        self._process.stdin.flush()

    def saw(self, event: str, wait: float) -> bool:
        """Whether the worker has told of this event, waiting for news at most so long."""
        if event not in self._events and self._process.stdout is not None and self._selector.select(wait):
            piece = self._process.stdout.read()
            if not piece:
                self._process.wait(timeout=5)
                raise AdapterError(f"the worker ended with {self._process.returncode}: {self.last_words()}")
            *lines, self._unread = (self._unread + piece).split(b"\n")
            for line in lines:
                self._events.add(str((_parsed(line) or {}).get("event")))
        return event in self._events

    def cpu_seconds(self) -> float:
        """Processor time of the worker, its threads and its child processes so far."""
        total = 0
        for entry in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError, ValueError):
                fields = entry.read_text().rpartition(")")[2].split()
                if int(fields[3]) == self._process.pid:
                    # Own user and system time, and that of children already ended.
                    total += sum(int(ticks) for ticks in fields[11:15])
        return total / _TICKS

    def last_words(self) -> str:
        return _last_words(self._errors)

    def stop(self) -> None:
        """End it by closing its input; whatever is left after a moment is killed."""
        if self._errors.closed:
            return
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=2)
        _end(self._process)
        self._selector.close()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the process's session; the leader may be gone while its children are not."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _parsed(line: bytes) -> dict[str, Any] | None:
    with contextlib.suppress(ValueError):
        found = json.loads(line)
        if isinstance(found, dict):
            return found
    return None


def _last_words(errors: IO[bytes]) -> str:
    errors.seek(0, os.SEEK_END)
    errors.seek(max(0, errors.tell() - 4000))
    lines = [line.strip() for line in errors.read().decode(errors="replace").splitlines() if line.strip()]
    return " / ".join(lines[-3:])[-500:] or "it gave no reason"
