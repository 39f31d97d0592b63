"""Slots: a fixed number of tasks that execute runs, one at a time each, and say what became of them.

A run that waits in the inbox has its lease running, so nothing else buffers runs. When runs never wait for anything
themselves, a single slot executes one after the other and the rest sleep on.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from holdfast.errors import KeyMissing
from holdfast.kernel.traces import recording
from holdfast.runs.codec import decode
from holdfast.runs.model import Run
from holdfast.runs.outcomes import Outcome, after_error, given_back, no_handler, succeeded, suspended
from holdfast.runs.registry import Handler, Handlers
from holdfast.runs.signals import Retry, Snooze
from holdfast.runs.steps import suspension
from holdfast.runs.threads import Threads
from holdfast.runs.tracing import executing

__all__ = ["Slots"]

_log = logging.getLogger("holdfast.runs.worker")
_PACE_WEIGHT = 0.05
_PROOF = 20
_UNTRACED = contextlib.nullcontext()
_GRACE = 2.0
_KEY_SECONDS = 60
"""After which a run is looked at again whose key this worker lacks."""
"""Seconds in which a handler that is cancelled must have ended; one that swallows it is left behind."""


class Slots:
    """Executes runs.

    `on_end` is told of each: its outcome, None when it was no longer ours to settle, and how many seconds it took;
    `on_start`, if anybody wants to know, before its handler is called.
    """

    def __init__(
        self,
        handlers: Handlers,
        encode: Callable[[Any], str],
        on_end: Callable[[Run, Outcome | None, float], None],
        *,
        count: int,
        threads: int,
        on_start: Callable[[Run], Awaitable[None]] | None = None,
    ) -> None:
        self._handlers = handlers
        self._encode = encode
        self._on_end = on_end
        self._on_start = on_start
        self._count = count
        self._threads = Threads(threads)
        self._tasks: list[asyncio.Task[None]] = []
        self._inbox: deque[tuple[Run, str]] = deque()
        self._idle: list[asyncio.Future[None]] = []
        self._waking = False
        self._executing: dict[Run, asyncio.Task[None]] = {}
        self._free_threads = asyncio.Semaphore(threads)
        # Threads that still execute a handler whose attempt is over: it timed out, or the run was taken away.
        self.stray_threads = 0
        self._stopping = False
        self._closing = False
        # How long a run takes here, on a moving average; slow until some have proven to be quick.
        self.pace = 1.0
        self._mean = 0.0
        self.executed = 0

    @property
    def executing(self) -> int:
        """How many runs execute right now."""
        return len(self._executing)

    @property
    def busy(self) -> bool:
        """Whether anything executes or waits to."""
        return bool(self._executing or self._inbox)

    def start(self) -> None:
        """Make the tasks."""
        self._tasks = [asyncio.create_task(self._slot(), name=f"slot-{number}") for number in range(self._count)]

    def put(self, run: Run, payload: str) -> None:
        """Execute a run as soon as a slot is free; call `wake` after the last of several."""
        self._inbox.append((run, payload))

    def wake(self) -> None:
        """Let a slot look into the inbox."""
        # One at a time: a slot that wakes takes a run and wakes the next.
        while self._inbox and self._idle and not self._waking:
            waiter = self._idle.pop()
            if not waiter.done():
                self._waking = True
                waiter.set_result(None)

    def drop(self, run: Run) -> None:
        """A run is not ours any more: stop it."""
        run.cancelled = True
        if run in self._executing:
            self._executing[run].cancel()

    async def finish(self, timeout: float) -> list[Run]:
        """Let what executes finish within a deadline, then stop it; the runs that were never started."""
        self._stopping = True
        deadline = time.monotonic() + timeout
        while self.busy and time.monotonic() < deadline:
            await asyncio.wait(self._tasks, timeout=0.05)
        self._closing = True
        for waiter in self._idle:
            if not waiter.done():
                waiter.set_result(None)
        for run, task in list(self._executing.items()):
            handler = self._handlers.find(run.type)
            # A thread cannot be stopped, only asked. Until its lease expires nobody else may start what it still does.
            run.cancelled = handler is not None and not handler.asynchronous
            task.cancel()
        await asyncio.wait(self._tasks, timeout=_GRACE)
        for run in list(self._executing):
            # It swallows its cancellation. As with a thread: its lease must expire before somebody else starts it.
            _log.warning("run %s (%s) goes on although it is cancelled; it is left behind", run.id_text, run.type)
            run.cancelled = True
            self._end(run, None, 0.0)
        # Also what was claimed a moment ago, and came when the slots had closed.
        unstarted = [run for run, _ in self._inbox]
        self._inbox.clear()
        return unstarted

    async def close(self) -> None:
        """Stop at once, whatever executes."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_GRACE)
        self._threads.close()

    async def _slot(self) -> None:
        # Asked for once: it costs a system call, a sixth of all that a short run costs here.
        task = asyncio.current_task()
        assert task is not None
        while True:
            while not self._inbox or self._closing:
                if self._closing:
                    return
                waiter = asyncio.get_running_loop().create_future()
                self._idle.append(waiter)
                try:
                    await waiter
                finally:
                    self._waking = False
            run, payload = self._inbox.popleft()
            if self._inbox:
                self.wake()
            await self._execute(run, payload, task)

    async def _execute(self, run: Run, payload: str, task: asyncio.Task[None]) -> None:
        self._executing[run] = task
        started = time.perf_counter()
        outcome: Outcome | None = None
        if run.cancelled:
            # It was taken away while it waited for a slot.
            self._end(run, None, 0.0)
            return
        try:
            outcome = await self._attempt(run, payload)
        except asyncio.CancelledError as error:
            if self._closing and not self._stopping:
                raise
            # Cancelled on purpose, because the run was taken away or because we stop; or the handler cancelled itself,
            # or let through what it awaited saying so. In either case the slot goes on.
            on_purpose = run.cancelled or self._closing
            outcome = given_back(run) if on_purpose else after_error(run, error, self._policy(run))
        finally:
            # Nothing of it must meet the next run: there, too, it would look like a cancellation from outside.
            while task.cancelling():
                task.uncancel()
            seconds = time.perf_counter() - started
            self._mean += (seconds - self._mean) * max(_PACE_WEIGHT, 1 / (self.executed + 1))
            if self.executed >= _PROOF:
                self.pace = self._mean
            self._end(run, outcome, seconds)

    def _end(self, run: Run, outcome: Outcome | None, seconds: float) -> None:
        if self._executing.pop(run, None) is None:
            return
        self.executed += 1
        self._on_end(run, None if run.cancelled else outcome, seconds)
        # Whatever it left running, a thread or a task, can tell from this that it is over.
        run.cancelled = True

    def _policy(self, run: Run) -> Retry:
        handler = self._handlers.find(run.type)
        return handler.retry if handler else Retry()

    async def _attempt(self, run: Run, payload: str) -> Outcome:
        handler = self._handlers.find(run.type)
        if handler is None:
            return no_handler(run, self._handlers.suggestion(run.type))
        if self._on_start is not None:
            await self._on_start(run)
        try:
            with executing(run) if recording() else _UNTRACED:
                result = await self._call(handler, run, payload)
                return succeeded(run, None if result is None else self._sealed(run, self._encode(result)))
        except (asyncio.CancelledError, GeneratorExit):
            raise
        except BaseException as error:
            # SystemExit too: whoever writes sys.exit() means the end of the work, not of everybody's worker. And
            # KeyboardInterrupt: the first Ctrl-C stops the worker otherwise; only while it does so is one somebody's.
            if isinstance(error, KeyboardInterrupt) and self._stopping:
                raise
            wish = suspension(error)
            if wish is not None:
                return suspended(run, wish.delay, wish.waiting_for)
            return self._error_sealed(after_error(run, error, handler.retry))

    async def _call(self, handler: Handler, run: Run, payload: str) -> Any:
        value = decode(self._opened(run, payload), handler.payload) if handler.takes_payload else None
        if not handler.asynchronous:
            # Before its time begins to count.
            await self._free_threads.acquire()
        call = handler.call(run, value) if handler.asynchronous else self._in_thread(handler, run, value)
        if handler.timeout is None:
            return await call
        async with asyncio.timeout(handler.timeout.total_seconds()):
            return await call

    def _opened(self, run: Run, payload: str) -> str:
        try:
            return self._handlers.sealing.open(run.tenant_text, payload)
        except KeyMissing as error:
            # The run is sound: another worker, or this one with the key, executes it.
            _log.error("run %s (%s) cannot be executed here: %s", run.id_text, run.type, error)
            raise Snooze(_KEY_SECONDS, error.message) from error

    def _error_sealed(self, outcome: Outcome) -> Outcome:
        """What an exception says may be what it was about: of that, its type and its code are kept in clear."""
        sealing, told = self._handlers.sealing, outcome.error
        if told is None or not sealing.encrypts:
            return outcome
        closed = sealing.seal_parts(outcome.run.tenant_text, told, clear=("type", "code"))
        return outcome._replace(error=closed, last_error=told["type"])

    def _sealed(self, run: Run, result: str) -> str:
        return self._handlers.sealing.seal_payload(run.tenant_text, run.type, result)

    async def _in_thread(self, handler: Handler, run: Run, value: Any) -> Any:
        context = contextvars.copy_context()
        working = self._threads.submit(context.run, _call_plainly, handler, run, value)
        try:
            result = await asyncio.wrap_future(working)
        finally:
            if working.done():
                self._free_threads.release()
            else:
                _log.warning("run %s (%s) is over, but its thread goes on", run.id_text, run.type)
                self.stray_threads += 1
                loop = asyncio.get_running_loop()
                working.add_done_callback(lambda _: _tell(loop, self._return_stray))
        # A plain function that hands on an asynchronous one, as many decorators do.
        return await result if inspect.isawaitable(result) else result

    def _return_stray(self) -> None:
        self.stray_threads -= 1
        self._free_threads.release()


def _tell(loop: asyncio.AbstractEventLoop, function: Callable[[], None]) -> None:
    with contextlib.suppress(RuntimeError):
        # Nobody is left to be told when the loop is closed.
        loop.call_soon_threadsafe(function)


def _call_plainly(handler: Handler, run: Run, value: Any) -> Any:
    try:
        return handler.call(run, value)
    except (StopIteration, GeneratorExit, KeyboardInterrupt) as error:
        # No future can carry the first: whoever awaits would wait for ever. The others would end the worker, whose
        # threads nobody interrupts.
        raise RuntimeError(f"the handler raised {type(error).__name__}") from error
