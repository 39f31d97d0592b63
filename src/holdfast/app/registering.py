"""How a program teaches its application: handlers, actions, rules, node types, graphs, sinks and effects."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from holdfast.app.parts import Parts
from holdfast.kernel.actor import declare_permission
from holdfast.kernel.names import check_text
from holdfast.runs import Fail, Rate, Retry, Run

if TYPE_CHECKING:
    from holdfast.envelope.parts import NodeConfig

__all__ = ["Registering"]

F = TypeVar("F", bound=Callable[..., Any])


class Registering(Parts):
    """What registers code under a name; most of it as decorators."""

    def handler(
        self,
        type: str,  # noqa: A002 - it is the type
        *,
        retry: Retry | None = None,
        lease: float | timedelta = 30.0,
        timeout: float | timedelta | None = None,
        concurrency: int | None = None,
        rate: Rate | None = None,
    ) -> Callable[[F], F]:
        """Register a function, `(run)` or `(run, payload)`, as the handler of a type of runs.

        An asynchronous one runs on the worker's event loop, a plain one in a thread. The payload is converted to the
        type its parameter is annotated with. `concurrency` is a limit for each worker, `rate` one for all of them.
        """

        def register(function: F) -> F:
            self.handlers.add(
                type, function, retry=retry, lease=lease, timeout=timeout, concurrency=concurrency, rate=rate
            )
            return function

        return register

    def action(
        self,
        name: str,
        *,
        input: Any = None,  # noqa: A002 - it is the input
        output: Any = None,
        permission: str,
        side_effect: bool = True,
        label: str | None = None,
        description: str | None = None,
        group: str | None = None,
    ) -> Callable[[F], F]:
        """Register an asynchronous function `(call, input)` as an action, callable from everywhere by its name.

        `input` and `output` are types pydantic knows, or JSON Schemas.
        """

        def register(function: F) -> F:
            self.actions.add(
                name,
                function,
                input=input,
                output=output,
                permission=permission,
                side_effect=side_effect,
                label=label,
                description=description,
                group=group,
            )
            return function

        return register

    def permission(self, name: str, allows: str) -> None:
        """Declare a permission of the application's own: roles can hold it, actions and `policy_gate` ask for it.

        For example:

            app.permission("invoice.post", "post invoices to the ledger")
        """
        declare_permission(name, allows)

    def event(self, key: str, meaning: str) -> None:
        """Declare that the application tells events whose keys begin so, for whoever writes steps that wait for them.

        For example:

            app.event("delivery:pod:", "the proof of a delivery came")
        """
        self.assembly.code.events[check_text("key", key, maximum=500)] = meaning

    def rule(self, name: str) -> Callable[[F], F]:
        """Register a function of an `Ask` as a rule that `rule` steps can ask by this name."""

        def register(function: F) -> F:
            self.assembly.rules.add(name, function)
            return function

        return register

    def resolver(self, name: str) -> Callable[[F], F]:
        """Register a function of an `Ask` that says who is asked: names of users, or `role:‹name›`.

        Approvers and assignees name it with `kind: resolver`; a worker with this code calls it.
        """

        def register(function: F) -> F:
            self.assembly.resolvers.add(name, function)
            return function

        return register

    def node(
        self, node_type: str, *, config: type[NodeConfig] | None = None, title: str | None = None
    ) -> Callable[[F], F]:
        """Register a function of an `Ask` as a node type of your own, for definitions to use."""

        def register(function: F) -> F:
            self.assembly.nodes.define(node_type, function, config=config, title=title)
            return function

        return register

    def effect(self, kind: str) -> Callable[[F], F]:
        """Register a function of an `Outgoing` effect as the sender of a channel, such as `slack`.

        Notifications may name it from then on; `email` takes the place of the product's own. `effect.people` are those
        it is for.
        It returns evidence that it arrived, or raises `Undelivered`; it is called outside of any transaction.
        """

        def register(function: F) -> F:
            self.senders[kind] = SendingFunction(function)
            return function

        from holdfast.effects import SendingFunction, check_kind

        check_kind(kind)
        if kind != "webhook":
            self.assembly.nodes.add_channel(kind)
        return register

    def sink(self, name: str, *, types: Sequence[str] = ()) -> Callable[[F], F]:
        """Register a sink of your own for outbox events: a function of one event, or a class with `send(event)`.

        It gets every event, or those whose type begins with one of `types`. See `holdfast.outbox.sinks` for what it may
        raise.
        """

        def register(target: F) -> F:
            self.own_sinks.add(name, target, types=tuple(types))
            return target

        return register

    def graph(
        self,
        name: str,
        target: Any = None,
        *,
        input: Any = None,  # noqa: A002 - it is the input
        display_name: str | None = None,
        description: str | None = None,
        version: str | None = None,
        tags: Sequence[str] = (),
        concurrent_input: Literal["reject", "enqueue", "interrupt"] = "reject",
        timeout: float | timedelta | None = None,
        types: Sequence[type] = (),
        durability: Literal["sync", "async", "exit"] = "sync",
        recursion_limit: int = 10_000,
        prompt_lifetime: float | timedelta | None = None,
        lease: float | timedelta = 30.0,
        max_attempts: int = 5,
        concurrency: int | None = None,
    ) -> Any:
        """Register a LangGraph graph, that sessions named after `name` execute: as a decorator, or with a `target`.

        What is decorated, or given as `target`, is a function that makes a `StateGraph`, the graph itself, or its
        `module:name`. `input` is a pydantic model, a dataclass or a JSON Schema that inputs of sessions must fit.
        """
        from holdfast.sessions.model import EXECUTE

        def register(found: Any) -> Any:
            self.graphs.add(
                name,
                found,
                input=input,
                display_name=display_name,
                description=description,
                version=version,
                tags=tags,
                concurrent_input=concurrent_input,
                timeout=timeout,
                types=types,
                durability=durability,
                recursion_limit=recursion_limit,
                prompt_lifetime=prompt_lifetime,
            )
            self.handlers.add(
                f"{EXECUTE}.{name}",
                self.session_runner.execute,
                retry=Retry(max_attempts=max_attempts),
                lease=lease,
                concurrency=concurrency,
            )
            self.tend_sessions()
            return found

        return register if target is None else register(target)

    def tend_sessions(self) -> None:
        """Let workers of this application end overdue sessions and forget old checkpoints, of every tenant.

        An application with graphs does so by itself, and so does `holdfast worker`.
        """
        from holdfast.sessions.expiry import Expiry
        from holdfast.sessions.model import DISCARD, EXPIRE, RETAIN
        from holdfast.sessions.outputs import Discarding
        from holdfast.sessions.retention import Retention

        if self.handlers.find(EXPIRE) is None:
            expiry, retention = Expiry(lambda: self.database, self.clock), Retention(lambda: self.database, self.clock)
            discarding = Discarding(lambda: self.session_outputs)
            self.handlers.add(DISCARD, _ours(discarding.discard), retry=Retry(max_attempts=100), housekeeping=True)
            self.handlers.add(EXPIRE, _ours(expiry.expire), retry=Retry(max_attempts=10), housekeeping=True)
            self.handlers.add(RETAIN, _ours(retention.retain), housekeeping=True)

    def tend_operations(self) -> None:
        """Let workers of this application execute operations, of every tenant. `holdfast worker` does so by itself."""
        from holdfast.operations import OPERATION, Execution

        if self.handlers.find(OPERATION) is None:
            execution = Execution(self.operation_kinds)
            self.handlers.add(
                OPERATION, _ours(execution.execute), retry=Retry(max_attempts=20), lease=60.0, housekeeping=True
            )

    def replay_what_ifs(self) -> None:
        """Let workers of this application replay past documents through drafts, for every tenant.

        `holdfast worker` and `holdfast up` do so by themselves.
        """
        from holdfast.processes.definitions.what_if_runner import WhatIfRunner
        from holdfast.processes.definitions.what_ifs import WHAT_IF

        if self.handlers.find(WHAT_IF) is None:
            runner = WhatIfRunner(self.assembly.library)
            self.handlers.add(
                WHAT_IF, _ours(runner.execute), retry=Retry(max_attempts=5), concurrency=1, housekeeping=True
            )


def _ours(execute: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """A handler of holdfast's own, for runs that trusted code enqueued.

    It acts for the whole installation, and takes what it is to do from the payload. Whoever may enqueue runs, or let a
    schedule, a step or the end of a session do it, may name any type.
    """

    @wraps(execute)
    async def guarded(run: Run, *payload: Any) -> Any:
        async with run.hold() as hold:
            if hold.actor.kind != "system":
                raise Fail(f"runs of the type {run.type} are holdfast's own, and {hold.actor} asked for this one")
        return await execute(run, *payload)

    return guarded
