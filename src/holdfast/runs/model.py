"""A run as its handler sees it, and as everybody else does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol
from uuid import UUID

from holdfast.errors import ChildFailed
from holdfast.kernel.actor import Actor
from holdfast.kernel.names import check_text
from holdfast.runs.signals import seconds
from holdfast.runs.steps import ChildRun, Journal, StepStore

__all__ = ["STATUSES", "Child", "Enqueued", "Run", "RunInfo", "RunPort", "Status"]

Status = Literal["pending", "leased", "succeeded", "failed", "cancelled"]
STATUSES: tuple[Status, ...] = ("pending", "leased", "succeeded", "failed", "cancelled")


class Run:
    """One attempt at a run, as the handler gets it.

    `stopping` turns true when the worker is told to stop: a handler that can pause should, by raising `Snooze(0)`.
    `cancelled` turns true when somebody cancelled the run, or when the lease was lost: stop, nothing you do counts any
    more. An asynchronous handler is cancelled by itself; a plain function, which runs in a thread, should look.

    For example:

        @app.handler("billing.charge.v1")
        async def charge(run: Run, order: Order) -> dict[str, str]:
            receipt = await run.step("charge", bank.charge, order.amount)
            return {"receipt": receipt}
    """

    __slots__ = (
        "_port",
        "address",
        "attempt",
        "cancelled",
        "concurrency_key",
        "epoch",
        "id_text",
        "journal",
        "lease",
        "max_attempts",
        "stopping",
        "tenant_text",
        "trace_parent",
        "type",
    )

    def __init__(
        self,
        tenant: str,
        id: str,  # noqa: A002 - it is the id
        type: str,  # noqa: A002 - it is the type
        epoch: int,
        attempt: int,
        max_attempts: int,
        trace_parent: str | None,
        concurrency_key: str | None,
        address: str,
        lease: timedelta,
        port: RunPort,
    ) -> None:
        self.tenant_text = tenant
        self.id_text = id
        self.lease = lease
        self.journal: Journal | None = None
        self._port = port
        self.type = type
        self.epoch = epoch
        self.attempt = attempt
        self.max_attempts = max_attempts
        self.trace_parent = trace_parent
        self.concurrency_key = concurrency_key
        self.address = address
        self.cancelled = False
        self.stopping = False

    async def step(self, name: str, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function once in the life of the run: its result is stored, and replayed after a crash.

        The function may be asynchronous or not; its result must be JSON. Use a name that says what the step does; the
        same name again, as in a loop, is another step. Raises `LeaseLost` when the run is no longer held.
        """
        return await self._written().step(name, function, *args, **kwargs)

    async def sleep(self, span: float | timedelta) -> None:
        """Sleep, for seconds or months, without a worker: the handler is left, and runs again when it is time.

        What it did in steps before is replayed then, not repeated.
        """
        await self._written().sleep(seconds("span", span))

    async def wait_event(self, key: str, *, timeout: float | timedelta | None = None) -> Any:
        """Wait for an event, without a worker: the handler is left, and runs again when the event happens.

        Returns its payload (see `hold.runs.emit`). An event that happened before is there at once. When it does not
        happen in time, `WaitTimedOut` is raised.
        """
        check_text("key", key, maximum=512)
        span = None if timeout is None else seconds("timeout", timeout)
        return await self._written().wait_event(f"event {key}"[:200], f"event:{key}", span)

    async def start(
        self,
        type: str,  # noqa: A002 - it is the type
        payload: Any = None,
        *,
        priority: int = 0,
        run_at: datetime | None = None,
        max_attempts: int | None = None,
        concurrency_key: str | None = None,
        concurrency_limit: int | None = None,
    ) -> Child:
        """Enqueue another run, once in the life of this one, and go on. `await child.result()` waits for it."""
        port = self._port
        child = port.child(type, payload, priority, run_at, max_attempts, concurrency_key, concurrency_limit)
        return Child(self, await self._written().start_child(f"start {type}"[:200], child), type)

    async def child(
        self,
        type: str,  # noqa: A002 - it is the type
        payload: Any = None,
        *,
        timeout: float | timedelta | None = None,
        **options: Any,
    ) -> Any:
        """Enqueue another run and wait, without a worker, for its result; `ChildFailed` when it did not succeed.

        To have several execute at the same time, `start` them all before you wait for the first.
        """
        return await (await self.start(type, payload, **options)).result(timeout=timeout)

    @asynccontextmanager
    async def hold(self, *, actor: Actor | str | None = None) -> AsyncIterator[Any]:
        """A transaction of the run's tenant that is only there as long as the run is ours.

        It acts as who enqueued the run, with the rights they had then and still have; as the system, where that was
        trusted code. With `actor` it acts as who you say, and the trail tells on whose behalf.

        What is written in it is written by the holder of the run or not at all: `LeaseLost` is raised when the run was
        taken over, and until the transaction ends nobody can take it over.
        """
        async with self._port.hold(self, actor) as hold:
            yield hold

    def _written(self) -> Journal:
        if self.journal is None:
            self.journal = Journal(self, self._port.steps)
        return self.journal

    @property
    def id(self) -> UUID:
        """The run's id."""
        return UUID(self.id_text)

    @property
    def tenant(self) -> UUID:
        """The id of the tenant it belongs to."""
        return UUID(self.tenant_text)

    def __repr__(self) -> str:
        return f"<Run {self.type} {self.id_text} attempt {self.attempt}/{self.max_attempts}>"


class Child:
    """A run that another one started.

    For example:

        child: Child = await run.start("media.render.v1", {"page": 1})
        result = await child.result()
    """

    __slots__ = ("_parent", "id", "type")

    def __init__(self, parent: Run, id: UUID, type: str) -> None:  # noqa: A002 - it is the id, and the type
        self._parent = parent
        self.id = id
        self.type = type

    async def result(self, *, timeout: float | timedelta | None = None) -> Any:
        """What it returned; the handler is left until it is finished."""
        span = None if timeout is None else seconds("timeout", timeout)
        told = await self._parent._written().wait_event(  # noqa: SLF001 - the two are one
            f"result {self.id}", f"run:{self.id}", span
        )
        sealing = self._parent._port.steps.sealing  # noqa: SLF001 - likewise
        if told["status"] != "succeeded":
            raise ChildFailed(
                f"run {self.id} ({self.type}) {told['status']}",
                hint="catch ChildFailed to go on without it",
                run=str(self.id),
                **told | {"error": sealing.open_parts(self._parent.tenant_text, told.get("error"))},
            )
        return sealing.opened(self._parent.tenant_text, told.get("result"))


class RunPort(Protocol):
    """What a worker lends to the runs it executes."""

    steps: StepStore

    def child(
        self,
        type: str,  # noqa: A002 - it is the type
        payload: Any,
        priority: int,
        run_at: datetime | None,
        max_attempts: int | None,
        concurrency_key: str | None,
        concurrency_limit: int | None,
    ) -> ChildRun:
        """A run to be started, checked and encoded."""
        ...

    def hold(self, run: Run, actor: Actor | str | None) -> AbstractAsyncContextManager[Any]:
        """A transaction of the run's tenant that fails when the run is lost."""
        ...


@dataclass(frozen=True, slots=True)
class Enqueued:
    """The run that an enqueue stands for; `created` is false when its idempotency key was known.

    For example:

        made: Enqueued = await hold.runs.enqueue("billing.charge.v1", order, idempotency_key="order-7")
        print(made.id, made.created)
    """

    id: UUID
    created: bool


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Everything that is stored of a run.

    For example:

        info: RunInfo = await hold.runs.get(run_id)
        print(info.status, info.attempt, info.last_error)
    """

    id: UUID
    type: str
    status: Status
    priority: int
    idempotency_key: str | None
    payload: Any
    result: Any
    error: dict[str, Any] | None
    last_error: str | None
    attempt: int
    max_attempts: int
    run_at: datetime
    lease_until: datetime | None
    leased_by: str | None
    trace_parent: str | None
    created_by: str
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None
    deleted_at: datetime | None
    delete_reason: str | None
    concurrency_key: str | None
    concurrency_limit: int | None
    waiting_for: str | None
    parent_id: UUID | None
    retried_as: UUID | None
    """The run that was enqueued anew in its place, the latest."""
