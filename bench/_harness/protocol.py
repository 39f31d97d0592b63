"""How the run-queue benchmark talks with the subject it measures: the adapter protocol.

Standard library only, because it runs in every peer's environment. An **adapter** is a program that the harness starts
once for each action, as `python -m bench._runs.‹product› '‹job as JSON›'` from the repository's root with the
interpreter of the product's environment (in Node.js: `bench/_runs/‹product›.mjs` with `protocol.mjs`). It describes
itself with an `Adapter` and calls `serve(adapter)`. Everything that is timed or counted is done here or in the harness,
so that it is the same for all. One JSON line on standard output answers each action; whatever else the subject prints
goes to standard error.

| action   | what happens                                                          | answer                           |
|----------|-----------------------------------------------------------------------|----------------------------------|
| `setup`  | create the subject's schema and queues in the empty database `dsn`    | a `Schema`                       |
| `single` | `n` runs, one call and one commit each, one after the other           | `seconds`                        |
| `bulk`   | `n` runs with one call of the subject's bulk interface                | `seconds`, `null` if it has none |
| `fill`   | `n` runs, by whatever is quickest; not timed                          | `{}`                             |
| `pace`   | `n` runs, one every `interval_ms`, each carrying the time of its call | `sent`: those times              |
| `work`   | one worker process, see below                                         | events                           |

The database of `setup` becomes the template of all the others, so an adapter leaves nothing connected to it; roles are
shared by all databases, but `ALTER DATABASE … SET` and rights on the database itself are not cloned. `fast` asks for
the subject's fastest documented configuration. `kind` is `noop` or, for a subject whose `Schema` says how its `steps`
are counted, `steps`: a workflow of `STEPS` durable steps, one after the other, each returning a small number. Both
`fill` and `work` must heed it; after the drain the database must hold `STEPS` stored steps for each finished workflow.

A **worker** loads its code and builds its application, then calls `ready()`, which prints `{"event": "ready"}` and
blocks until the harness starts the clock. Then it starts the worker proper, connections included, and works until it is
ended from outside: when standard input closes, the process exits at once. Its handler calls `handled(sent, i)` once for
each run, with the payload's `sent` where there is one; that prints `{"event": "handled"}` at the n-th run. It is only a
hint to look more closely: a drain has ended when the database holds no unfinished run.

Times are milliseconds of the machine's monotonic clock, which all processes share.

The least adapter, for a queue with an asyncio client:

    def setup(job: Job) -> Schema: ...  # create tables; say how to count

    @asynccontextmanager
    async def producer(job: Job) -> AsyncIterator[Producer]:
        async with connect(job.dsn) as client:
            yield Producer(enqueue=client.enqueue, enqueue_many=client.enqueue_many)

    def work(job: Job, ready: Ready, handled: Handled) -> None:
        worker = ...  # import and build; its handler calls handled(payload.get("sent"), payload["i"])
        ready()
        asyncio.run(worker.run())

    if __name__ == "__main__":
        serve(Adapter(setup, producer, work))
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol

__all__ = ["Adapter", "Handled", "Job", "Payload", "Producer", "Ready", "Schema", "clock_ms", "serve"]

STEPS = 10
"""Steps of one workflow of kind `steps`."""

WARM_UP = 20
"""Calls before the clock of `single` starts: connections, prepared statements, caches."""

FILL_CHUNK = 10_000
"""Runs in one bulk call of `fill`: some clients cannot take hundreds of thousands at once."""

_JOB_VARIABLE = "BENCH_JOB"

Payload = dict[str, Any]
"""`{"i": number}`, and `sent` when the run is paced."""


@dataclass(frozen=True, slots=True)
class Job:
    """What the harness asks of an adapter; see the module's table."""

    action: Literal["setup", "single", "bulk", "fill", "pace", "work"]
    dsn: str
    n: int = 0
    fast: bool = False
    """The subject's fastest documented configuration instead of its default."""
    kind: Literal["noop", "steps"] = "noop"
    interval_ms: float = 50.0
    spool: str | None = None
    """The file where handlers of paced runs leave their latency."""

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Job:
        return cls(**json.loads(text))


@dataclass(frozen=True, slots=True)
class Schema:
    """What `setup` answers: how the harness reads the subject's tables, and which version it measures."""

    unfinished: str
    """SQL that counts the runs not yet finished, waiting or running."""
    succeeded: str | None
    """SQL that counts the runs that went well, to check the drain; None when the subject does not keep them."""
    version: str
    steps: str | None = None
    """SQL that counts the step results stored durably; None when the subject has no steps, or none this adapter runs.

    The figure exists only with it: an adapter that ran something else than ten stored steps would be counted tenfold.
    """


@dataclass(frozen=True, slots=True)
class Producer:
    """A connected client. `enqueue_many` is None where the subject has no bulk call."""

    enqueue: Callable[[Payload], Awaitable[Any]]
    enqueue_many: Callable[[list[Payload]], Awaitable[Any]] | None = None


class Ready(Protocol):
    """Says that the worker is loaded and blocks until the clock starts."""

    def __call__(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Adapter:
    """One subject. `fill` is given where neither `enqueue_many` nor a loop would fill a database in reasonable time."""

    setup: Callable[[Job], Schema]
    producer: Callable[[Job], AbstractAsyncContextManager[Producer]]
    work: Callable[[Job, Ready, Handled], None]
    fill: Callable[[Job], None] | None = None


class Handled:
    """What a handler calls once for each run. Cheap: a counter, and a line in a file only for paced runs."""

    __slots__ = ("_count", "_n", "_spool")

    def __init__(self, job: Job) -> None:
        self._count = 0
        self._n = job.n
        self._spool = None if job.spool is None else os.open(job.spool, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    @classmethod
    def from_environment(cls) -> Handled:
        """For handlers that the subject runs in child processes of its worker."""
        return cls(Job.from_json(os.environ[_JOB_VARIABLE]))

    def __call__(self, sent: float | None = None, i: int = 0) -> None:
        if sent is not None and self._spool is not None:
            # One short append is atomic, so handlers in several processes may share the file.
            os.write(self._spool, f"{i} {clock_ms() - sent:.4f}\n".encode())
        self._count += 1
        if self._count == self._n:
            _answer({"event": "handled"})


def clock_ms() -> float:
    """The monotonic clock that all processes of the machine share, Node's `process.hrtime` included."""
    return time.monotonic_ns() / 1e6


def serve(adapter: Adapter) -> None:
    """Do the one job of the command line and answer it."""
    global _wire
    # What the subject prints must not mix with the answers.
    _wire = os.dup(1)
    os.dup2(2, 1)
    os.environ[_JOB_VARIABLE] = sys.argv[1]
    job = Job.from_json(sys.argv[1])
    match job.action:
        case "setup":
            _answer(asdict(adapter.setup(job)))
        case "work":
            adapter.work(job, _ready, Handled(job))
        case "fill" if adapter.fill is not None:
            adapter.fill(job)
            _answer({})
        case _:
            _answer(asyncio.run(_produce(adapter, job)))


async def _produce(adapter: Adapter, job: Job) -> Payload:
    payloads: list[Payload] = [{"i": i} for i in range(job.n)]
    async with adapter.producer(job) as producer:
        if job.action == "pace":
            return {"sent": await _paced(producer, job)}
        if job.action == "fill":
            if producer.enqueue_many is not None:
                for at in range(0, job.n, FILL_CHUNK):
                    await producer.enqueue_many(payloads[at : at + FILL_CHUNK])
            else:
                for payload in payloads:
                    await producer.enqueue(payload)
            return {}
        if job.action == "bulk":
            if producer.enqueue_many is None:
                return {"seconds": None}
            start = time.perf_counter()
            await producer.enqueue_many(payloads)
            return {"seconds": time.perf_counter() - start}
        for i in range(WARM_UP):
            await producer.enqueue({"i": i})
        start = time.perf_counter()
        for payload in payloads:
            await producer.enqueue(payload)
        return {"seconds": time.perf_counter() - start}


async def _paced(producer: Producer, job: Job) -> list[float]:
    times: list[float] = []
    start = clock_ms()
    for i in range(job.n):
        await asyncio.sleep(max(0.0, (start + i * job.interval_ms - clock_ms()) / 1000))
        sent = clock_ms()
        times.append(sent)
        await producer.enqueue({"i": i, "sent": sent})
    return times


_wire = 1


def _answer(line: Payload) -> None:
    os.write(_wire, json.dumps(line).encode() + b"\n")


def _ready() -> None:
    _answer({"event": "ready"})
    sys.stdin.readline()
    threading.Thread(target=_exit_at_end_of_input, daemon=True).start()


def _exit_at_end_of_input() -> None:
    sys.stdin.read()
    # No orderly shutdown: what was measured is in the database, and every subject ends the same way.
    os._exit(0)
